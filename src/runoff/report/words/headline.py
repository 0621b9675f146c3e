"""The first screen in words: who leads, over whom that is established, how sure, the one caution, and what to do next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isfinite

import numpy as np

from runoff._inference.advice import CODES
from runoff._inference.family import CORRECTIONS
from runoff._inference.pairs import LOWER_IS_BETTER, measure_words
from runoff.report.answers.all import Answers
from runoff.report.answers.standing import Standing, leaders_first, standing_of, winner
from runoff.results.base import SEVERITIES, Advice
from runoff.results.comparison import ComparisonResult, Pair, differences_words
from runoff.words.numbers import counted, decimals_of, interval, number

NAMED = 4
"""The most algorithms that a sentence names; the table has them all."""
ENOUGH = 20
"""The most times as many runs that are named as a plan; if it takes more, the algorithms are a tie in practice."""
EVEN = 0.5
"""The probability of improvement at which neither algorithm is ahead."""
GRAVE = ("R012", "R013")
"""Codes of cautions that go before any other: two numbers beside each other are of different tasks, or point in opposite directions."""
OF_PAIRS = ("R013",)
"""Codes of advice on one pair, which does not concern the first screen unless the leader is in the pair."""
OF_DATA = frozenset(code for code, about in CODES.items() if about.topic == "data")
"""Codes of advice on the data, which goes before other advice of the same severity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The answer, whom the leader beats, how sure that is, the caution that concerns the leaders, what to do next; "" where there is none."""

    answer: str
    beaten: str
    sure: str
    caution: str
    todo: str


def sentences(answers: Answers) -> tuple[str, ...]:
    """Return the answer in sentences, the same on the page, on the terminal and in results.json."""
    parts = headline(answers, standing_of(answers))
    return tuple(filter(None, (parts.answer, parts.beaten, parts.sure, parts.caution, parts.todo)))


def headline(answers: Answers, standing: Standing) -> Headline:
    return Headline(
        answer=_answer(answers, standing),
        beaten=_beaten(answers, standing),
        sure=_sure(answers),
        caution=_caution(answers, standing),
        todo=_todo(answers, standing),
    )


def _answer(answers: Answers, standing: Standing) -> str:
    leader, alike, behind = standing.leader, standing.those("not told apart", "equivalent"), standing.those("behind")
    if not answers.comparison.pairs:
        return f"{leader} has nothing to be compared with."
    ahead, first = standing.those("ahead"), answers.comparison.leader
    end = "lowest" if answers.comparison.measure in LOWER_IS_BETTER else "highest"
    best = f"{end} {_measure(answers.comparison)}"
    if first != leader:
        return _beaten_first(answers, first, best)
    if ahead:
        beat = "beats" if len(ahead) == 1 else "beat"
        return f"{leader} has the {best}, yet {_listed(ahead)} {beat} it."
    if not behind and len(standing.those("equivalent")) == len(alike):
        return f"{_listed([leader, *alike])} are equivalent within the margin given."
    if not alike:
        pair = standing.beside(behind[0])
        assert pair is not None  # it is behind the leader by a test of this pair
        over = f", over {counted([pair.n_tasks], 'task')}" if pair.n_tasks > 1 else ""
        of, nearest = ("", "") if len(behind) == 1 else (f" of {len(behind) + 1}", ", the nearest")
        of = "" if pair.measure == "improvement" else of
        return f"{leader} has the {best}{of}{_lead(pair)}{nearest}{over}."
    values = {value for name, value in answers.comparison.values if name in (leader, *alike)}
    if not behind and len(values) == 1:
        return f"{_listed([leader, *alike])} have the same {_measure(answers.comparison)}."
    return f"{leader} has the {best}, but these runs cannot tell it from {_listed(alike)}."


def _beaten_first(answers: Answers, first: str, best: str) -> str:
    """Return who was found above the algorithm with the best value, as where that lacks the hard tasks."""
    above = [
        pair.a if pair.b == first else pair.b
        for pair in answers.comparison.pairs
        if winner(pair) not in (None, first) and first in (pair.a, pair.b)
    ]
    lacks = not answers.scores.n_runs[answers.scores.algorithms.index(first)].all()
    own, shared = (" over its own tasks", ", on the tasks that both have") if lacks else ("", "")
    return f"{first} has the {best}{own}, yet was found below {_listed(above)}{shared}."


def _measure(comparison: ComparisonResult) -> str:
    if comparison.measure == "improvement":
        return "chance to beat a run of another"
    rates = comparison.measure == "mean" and any(pair.rates for pair in comparison.pairs)
    return "success rate" if rates else measure_words(comparison.measure)


def _lead(pair: Pair) -> str:
    """Return by how much a leads, with the numbers that the table of pairs and the sentence of the pair have."""
    low, high = pair.low, pair.high
    if pair.measure == "improvement":
        ends = [None if end is None else 100 * end for end in (low, high)]
        return f": against {pair.b} {100 * pair.estimate:.0f} times in 100{_within(ends, 0)}"
    below = pair.estimate < 0
    ends = [None if end is None else -end for end in (high, low)] if below else [low, high]
    places = decimals_of([pair.estimate], 2) if None in ends else decimals_of([(ends[1] - ends[0]) / 2], 2)  # type: ignore[operator]
    return f", {number(abs(pair.estimate), places)} {'below' if below else 'above'} {pair.b}{_within(ends, places)}"


def _within(ends: Sequence[float | None], places: int) -> str:
    return "" if None in ends else f" {interval(ends[0], ends[1], places)}"


def _beaten(answers: Answers, standing: Standing) -> str:
    behind = standing.those("behind")
    pairs = [pair for name in behind if (pair := standing.beside(name)) is not None]
    lines = standing.those("not compared")
    have = "has" if len(lines) == 1 else "have"
    read = f"{_listed(lines)} {have} single values, which are not tested." if lines else ""
    if not pairs or (
        answers.comparison.measure == "improvement" and len(behind) == len(standing.places) - 1 - len(lines)
    ):
        return read
    shown = next((pair for pair in pairs if pair.improvement < EVEN), pairs[0])
    only = "only " if shown.improvement < EVEN else ""
    ends = [None if end is None else 100 * end for end in (shown.improvement_low, shown.improvement_high)]
    cells = zip(*(answers.scores.cells(name) for name in (shown.a, shown.b)), strict=True)
    ties = ", ties counting half" if any(bool(np.isin(a, b).any()) for a, b in cells) else ""
    often = (
        f"a run of it beats one of {shown.b} {only}{100 * shown.improvement:.0f} times in 100{_within(ends, 0)}{ties}"
    )
    all_found = len(behind) == len(standing.places) - 1
    lead = f"It was found above {_listed(behind)}" if not all_found else ""
    joined = f"{lead}{', yet ' if only else ': '}{often}" if lead else f"{'Yet' if only else 'In these data'} {often}"
    return f"{joined}. {read}".rstrip()


def _sure(answers: Answers) -> str:
    comparison = answers.comparison
    share, m = f"{100 * comparison.alpha:g}\u00a0%", len(comparison.pairs)
    if not m:
        return ""
    kind = CORRECTIONS[comparison.correction]
    if m == 1:
        return f"Where two algorithms are alike, this test finds a difference in at most {share} of experiments."
    if comparison.correction == "none":
        return f"Each of {m} claims alone is wrong in at most {share} of experiments with equal algorithms; together they are not held to that."
    if not kind.familywise:
        return f"Of the claims among these {m} pairs, at most {share} are wrong on average ({kind.label} correction)."
    return f"Over all {m} pairs, the chance of even one wrong claim is at most {share} ({kind.label} correction)."


def _caution(answers: Answers, standing: Standing) -> str:
    rivals = standing.those("not told apart", "equivalent", "ahead") or standing.those("behind")[:1]
    leaders = {standing.leader, *rivals}
    order = {severity: place for place, severity in enumerate(SEVERITIES)}
    given = leaders_first(answers.reservations, standing)
    grave = [a for a in given if a.severity != "info" and _concerns(a, leaders)]
    serious = [advice for advice in grave if advice.code not in OF_PAIRS or repr(standing.leader) in _first(advice)]
    if not serious:
        return ""
    worst = min(serious, key=lambda a: (a.code not in GRAVE, order[a.severity], a.code not in OF_DATA))
    clause = _first(worst)
    # Where the first clause names others only, the first of the leaders that it concerns stands in brackets.
    concerned = [name for name in standing.leading if name in standing.best and name in worst.subjects]
    unnamed = concerned and not any(repr(name) in clause for name in concerned)
    return f"{worst.code}: {clause}{f' ({concerned[0]} among them)' if unnamed else ''}."


def _concerns(advice: Advice, leaders: set[str]) -> bool:
    """Return whether advice is about the leaders alone, or about all, or a warning that takes in one of them."""
    named = set(advice.subjects)
    return named <= leaders or (advice.severity == "warning" and bool(named & leaders))


def _first(advice: Advice) -> str:
    head = re.split(r"[.;] ", advice.text)[0].rstrip(".")
    return head[:1].upper() + head[1:]


def _todo(answers: Answers, standing: Standing) -> str:
    rivals = standing.those("not told apart")
    pair = standing.beside(rivals[0]) if rivals else None
    if pair is None:
        return ""
    n = min(pair.n_runs_a[0], pair.n_runs_b[0])
    runs = (
        "these runs"
        if not pair.n_runs_a == pair.n_runs_b == (n, n)
        else f"the {n} runs of each"
        if n > 1
        else "the single run of each"
    )
    per = " on each task" if pair.n_tasks > 1 else ""
    if pair.detectable_difference is None:
        why = _constant(answers, pair)
        return f"How large a difference between {pair.a} and {pair.b} {runs}{per} would have shown cannot be told{why}."
    words, even = differences_words(pair.measure, binary=pair.rates), EVEN if pair.measure == "improvement" else 0.0
    places, lead = decimals_of([pair.detectable_difference], 2), pair.estimate - even
    if even + pair.detectable_difference > 1 and even:
        return f"With {runs}{per} even a run that always wins would have been found in less than 80\u00a0% of such experiments: add runs."
    size = number(even + pair.detectable_difference, places)
    seen = f"With {runs}{per} a true {words} of {size} would have been found in 80\u00a0% of such experiments"
    if lead == 0:
        return f"{seen}; {pair.a} and {pair.b} are level in these runs: if less than that does not matter to you, call it a tie."
    own = number(even + abs(lead), max(places, decimals_of([lead], 2)))
    higher = f", {pair.b} being ahead" if (lead < 0) != (pair.measure in LOWER_IS_BETTER) else ""
    what = f"that of {pair.a} and {pair.b} is" if even else f"{pair.a} and {pair.b} differ by"
    return f"{seen}; {what} {own}{higher}. {_more(pair, n)}"


def _more(pair: Pair, n: int) -> str:
    multiple = pair.needed_multiple
    if multiple is None or not isfinite(multiple) or multiple > ENOUGH:
        least = f" more than {ENOUGH} times as many runs" if multiple is not None else " many more runs"
        return f"To establish a difference that small takes{least}: unless it matters to you, call it a tie."
    if multiple <= 1:
        return "A difference as large as that would usually have been found with these runs: run a few more before you rely on either reading."
    needed = f"about {ceil(n * multiple)} runs of each (now {n})"
    return f"To establish a difference that small takes {needed}; if it does not matter to you, call it a tie."


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:NAMED]) if len(names) <= NAMED + 1 else [*names[:NAMED], f"{len(names) - NAMED} others"]
    shown = list(names) if len(names) == NAMED + 1 else shown
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _constant(answers: Answers, pair: Pair) -> str:
    for name in (pair.a, pair.b):
        for task, cell in zip(answers.scores.tasks, answers.scores.cells(name), strict=True):
            if cell.size > 1 and np.ptp(cell) == 0:
                return f": all runs of {name} on {task} have one score"
    return ": add runs"
