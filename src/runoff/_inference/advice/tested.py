"""Which algorithms are tested: published ones and single values may be left out (R021, R027); what has no verdict is refused."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import TypeVar

from runoff._inference.advice.codes import advise, listed
from runoff._inference.advice.data import about_data
from runoff._inference.advice.rows import of_same_runs
from runoff.answer.base import Advice, withheld
from runoff.answer.unjudged import SAME_RUNS, unjudged_words
from runoff.base.validate import check_choice
from runoff.data.base import RunData
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.words.names import SingleValue
from runoff.words.speech import RUN, call, choice, neutral, option

AnyRuns = TypeVar("AnyRuns", bound=RunData)
SINGLE: tuple[SingleValue, ...] = ("line", "tested")
"""What becomes of an algorithm with one value per task: a line beside the others, or an opponent that is tested."""


def opponents(
    scores: Scores,
    single: SingleValue,
    *,
    named: str | Sequence[tuple[str, str]] | None = None,
    judged: bool = True,
) -> tuple[Scores, Advice | None]:
    """Return the scores that are tested, and R021: an algorithm with one value per task beside runs is a line, unless the user
    `named` it as the control, or named the pairs. Published algorithms that may not be tested are left out (R027). DesignError if one
    algorithm with runs is left, or if no published one is, or one that was named may not be tested; and if they are not `comparable`,
    unless the caller withholds verdicts (not `judged`).
    """
    check_choice("single_value", single, SINGLE)
    if judged:
        _refuse_without_verdict(scores)
    scores = without_untested(scores, named)
    lines = scores.single_valued
    named_line = named in lines if isinstance(named, str) else named is not None
    if single == "tested" or named_line or not lines:
        return scores, None
    runs, have = [name for name in scores.algorithms if name not in lines], "has" if len(lines) == 1 else "have"
    if len(runs) < 2 or dict(scores.provenance.published).keys() >= set(runs):
        several = (
            f"only {runs[0]!r} has several {RUN}s"
            if len(runs) < 2
            else f"only published algorithms have several {RUN}s"
        )
        raise DesignError(
            f"{several}; {listed(lines)} {have} a single value on every task, like a published one, which is not "
            f"tested: add {RUN}s, or test it all the same with {option('single_value', 'tested')}."
        )
    return scores.select(algorithms=runs), single_values(scores)


def single_values(scores: Scores) -> Advice | None:
    """R021: algorithms of one value per task beside others with runs."""
    lines = scores.single_valued
    have, it = ("has", "it is") if len(lines) == 1 else ("have", "they are")
    text = (
        f"{listed(lines)} {have} a single value on every task, as a published number: {it} left out of the tests, and of the chances to beat "
        f"others; {call('compare', single_value='tested')} tests {'it' if len(lines) == 1 else 'them'} as one {RUN}."
    )
    # Of fewer than two with runs the single values are what there is to be compared with.
    return advise("R021", text, subjects=lines) if lines and len(scores.algorithms) - len(lines) > 1 else None


def comparable(scores: Scores, *pairs: tuple[str, str]) -> Scores:
    """Return scores that may be judged; refuse those of which `compare` gives no verdict: units or training differ too much (R020, R032),
    published runs are of another protocol (R027), or in each of these pairs, by default of all, both have the same runs (R031).
    """
    _refuse_without_verdict(scores, *pairs)
    refuse_untested(scores, [name for pair in pairs for name in pair] or scores.algorithms)
    return scores


def _refuse_without_verdict(scores: Scores, *pairs: tuple[str, str]) -> None:
    if (why := withheld(about_data(scores))) is not None:
        raise DesignError(f"no leader is named: {why.text}")
    if same := of_same_runs(scores):
        pairs = pairs or tuple(combinations(scores.algorithms, 2))
        if all(frozenset(pair) in same for pair in pairs):
            raise DesignError(
                f"{unjudged_words(*pairs[0], SAME_RUNS)}; check that the setting in which they differ has an effect."
            )


def comparable_in_all(scores: Scores) -> Scores:
    """Return scores each of whose pairs may be judged, as at a look, which is decided once."""
    for pair in combinations(scores.algorithms, 2):
        comparable(scores, pair)
    return scores


def without_untested(runs: AnyRuns, named: str | Sequence[tuple[str, str]] | None = None) -> AnyRuns:
    """Return runs without the published algorithms that may not be tested; refuse them where they are named, or no other one is left."""
    reasons, kept = dict(runs.provenance.published), testable(runs)
    if kept is runs:
        return runs
    wanted = [named] if isinstance(named, str) else [name for pair in named or () for name in pair]
    # Refused rather than left out where nothing would be left to compare with one's own runs.
    alone = len(kept.algorithms) < 2 or not any(name in reasons for name in kept.algorithms)
    refuse_untested(runs, list(reasons) if alone else wanted)
    return kept


def refuse_untested(runs: RunData, names: Collection[str]) -> None:
    """Refuse published algorithms that may not be tested, where one of these is such."""
    for name, why in dict(runs.provenance.published).items():
        if why and name in names:
            shown = choice(f"aggregate(scores.beside({name!r}))", f"runoff aggregate --against {shlex.quote(name)}")
            raise DesignError(f"{neutral(why)}; {shown} shows it beside these runs without a test.")


def testable(runs: AnyRuns) -> AnyRuns:
    """Return the runs without the published algorithms that may not be tested, on the tasks that one of the others has."""
    reasons = dict(runs.provenance.published)
    rest = [name for name in runs.algorithms if not reasons.get(name)]
    return runs.select(algorithms=rest) if len(rest) < len(runs.algorithms) else runs
