"""Caveats about the data themselves, which every answer made of them carries (R015, R019 to R021).

R015 names that are nearly identical     R020 percentages beside fractions
R019 runs that ended early               R021 a single published value
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from runoff._inference.advice.codes import advise, collected, listed
from runoff._inference.advice.runs import about_runs
from runoff.base.validate import check_choice
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.results.advice import Advice
from runoff.words.names import SingleValue
from runoff.words.speech import option

SINGLE: tuple[SingleValue, ...] = ("line", "opponent")
HUNDREDFOLD = 20.0, 500.0
"""Ratios of means that 100 and a difference between the algorithms explain."""


def about_data(scores: Scores) -> tuple[Advice, ...]:
    """Return what was found when the scores were made, and what their names and units look like."""
    caveats = [advise(c.code, c.text, severity=c.severity, subjects=c.subjects) for c in scores.provenance.caveats]
    return collected(*caveats, *about_runs(scores), alike_names(scores.algorithms), percentages(scores))


def alike_names(algorithms: Sequence[str]) -> Advice | None:
    """R015: algorithms whose names differ only in case, spaces, hyphens or underscores."""
    folded: dict[str, list[str]] = {}
    for name in algorithms:
        folded.setdefault(re.sub(r"[\s_-]+", "", name.casefold()) or name, []).append(name)
    alike = [names for names in folded.values() if len(names) > 1]
    if not alike:
        return None
    text = (
        "check whether names that differ only in case, spaces, hyphens or underscores are one algorithm, whose runs are then split (rename with "
        f"merge=True, --rename OLD=NEW --merge): {'; '.join(listed(names) for names in alike)}."
    )
    return advise("R015", text, subjects=[name for names in alike for name in names])


def percentages(scores: Scores) -> Advice | None:
    """R020: an algorithm whose scores are about 100 times those of others, which lie between 0 and 1."""
    if scores.provenance.reference is not None:
        return None
    limits = [(cells.min(), cells.max()) for cells in map(np.concatenate, map(scores.cells, scores.algorithms))]
    fractions = [a for a, (low, high) in enumerate(limits) if low >= 0 and 0 < high <= 1]
    percents = [a for a, (low, high) in enumerate(limits) if low >= 0 and 1 < high <= 100]
    odd = [a for a in percents if fractions and _hundredfold(scores, a, fractions)]
    if not odd:
        return None
    names = [scores.algorithms[a] for a in odd]
    text = (
        f"bring both to one unit before believing any difference: the scores of {listed(names)} are about 100 times those of "
        f"{listed(scores.algorithms[a] for a in fractions)}, which lie between 0 and 1, so one side seems to be in percent."
    )
    return advise("R020", text, subjects=[*names, *(scores.algorithms[a] for a in fractions)])


def _hundredfold(scores: Scores, a: int, fractions: Sequence[int]) -> bool:
    """Return whether the mean of an algorithm is about 100 times the mean of the others on most tasks that tell."""
    ratios = []
    for t in range(scores.n_tasks):
        others = np.concatenate([scores.cell(b, t) for b in fractions])
        if scores.cell(a, t).size and others.any():
            ratios.append(float(scores.cell(a, t).mean() / others.mean()))
    low, high = HUNDREDFOLD
    return 2 * sum(low <= ratio <= high for ratio in ratios) > len(ratios)


def opponents(
    scores: Scores, single: SingleValue, *, named: str | Sequence[tuple[str, str]] | None = None
) -> tuple[Scores, Advice | None]:
    """Return the scores that are tested, and R021: an algorithm with one value per task beside runs is a line, unless the user
    `named` it as the control, or named the pairs.

    Raises
    ------
    DesignError
        One algorithm with runs is left.
    """
    check_choice("single", single, SINGLE)
    lines = scores.single_valued
    named_line = named in lines if isinstance(named, str) else named is not None
    if single == "opponent" or named_line or not lines:
        return scores, None
    runs = [name for name in scores.algorithms if name not in lines]
    if len(runs) < 2:
        raise DesignError(
            f"only {runs[0]!r} has several runs; {listed(lines)} has a single value on every task, like a published one, which is not "
            f"tested: add runs, or test it all the same with {option('single', 'opponent')}."
        )
    have = "has" if len(lines) == 1 else "have"
    text = (
        f"{listed(lines)} {have} a single value on every task, as a published number: shown among the estimates, and left out of the tests; "
        f"{option('single', 'opponent')} tests it as one run."
    )
    kept = scores.select(algorithms=runs)
    on = [task for task, counts in zip(kept.tasks, kept.n_runs.T, strict=True) if counts.any()]
    return kept.select(tasks=on), advise("R021", text, subjects=lines)
