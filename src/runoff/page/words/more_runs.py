"""The slider of the page: the number of runs that distinguishes a lead of a given size from none, for the leader and the algorithms not
found different from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Any

from runoff._inference.family import decided_levels
from runoff._inference.pairs import IMPROVEMENT, PairData, outlook_of
from runoff._inference.planning import pilot_between
from runoff.answer.comparison import ComparisonResult
from runoff.answer.pair import Pair
from runoff.answer.standing import Standing
from runoff.page.answers.all import Answers
from runoff.words.measures import EVEN, even_of
from runoff.words.numbers import counted, digits, percent

FACTORS = tuple(2.0 ** (k / 2) for k in range(-4, 9))
"""Leads that are asked for, as multiples of the one that matters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreRuns:
    """The leader's pairs with those not found different from it, and for each lead the runs after which the first of them, and the slowest,
    leaves out that lead or none, as `Pair.needed_runs` says; those that there are where it is ruled out. At `start` is the lead that matters.

    Leads are exact; no two are alike when shown with two digits.
    """

    pairs: tuple[Pair, ...]
    grid: tuple[tuple[float, int, int], ...]
    start: int


def more_runs(answers: Answers, standing: Standing) -> MoreRuns | None:
    """Return the runs needed of the leader and those not found different from it; None where there are none, or no spread is known."""
    own = tuple(pair for pair in standing.own if standing.places[pair.b] == "no difference found")
    if not own or any(not pair.outlook or min(pair.n_runs_a[0], pair.n_runs_b[0]) < 2 for pair in own):
        return None
    matters = own[0].planning_margin or 0.0
    # A chance ends at 1.
    leads = (
        matters,
        *(matters * factor for factor in FACTORS if own[0].measure != IMPROVEMENT or matters * factor < EVEN),
    )
    # Of leads that would be shown alike the one that matters is kept.
    sizes = sorted({two_digits(size): size for size in reversed(leads)}.values())
    data = [pilot_between(answers.scores, pair.a, pair.b, pair.measure).pair for pair in own]
    grid = []
    for size in sizes:
        needed = [needed_for(cells, pair, answers.comparison, size) for cells, pair in zip(data, own, strict=True)]
        grid.append((size, needed[0], max(needed)))
    return MoreRuns(pairs=own, grid=tuple(grid), start=sizes.index(matters))


def needed_for(cells: PairData, pair: Pair, comparison: ComparisonResult, lead: float | None = None) -> int:
    """Return the runs of each on each task after which the interval of a pair is no wider than a lead, by default the one that matters; as many
    as there are where it is ruled out. cells: whose spread is taken.
    """
    # A pair that was not tested stands in its family with a p-value of 1.
    raw = [1.0 if p.pvalue is None else p.pvalue for p in comparison.pairs]
    adjusted = [1.0 if p.pvalue_adjusted is None else p.pvalue_adjusted for p in comparison.pairs]
    levels = decided_levels(raw, adjusted, comparison.correction, comparison.alpha)
    at = next(k for k, p in enumerate(comparison.pairs) if {p.a, p.b} == {pair.a, pair.b})
    low, high = pair.deciding
    ends = None if low is None or high is None else (low, high)
    return outlook_of(cells, pair.measure, ends, levels[at], lead or pair.planning_margin).needed_runs or cells.least


def two_digits(value: float) -> float:
    """Return a positive value with two significant digits.

    >>> two_digits(0.0784), two_digits(1234.0)
    (0.078, 1200.0)
    """
    return round(value, 1 - floor(log10(value)))


def slider_words(plan: MoreRuns) -> dict[str, Any]:
    """Return the positions of the slider: each lead, and the runs that distinguish it from none in the nearest pair, and in all pairs of the
    headline."""
    even = even_of(plan.pairs[0].measure)
    sizes = [even + two_digits(size) for size, _, _ in plan.grid]
    return {
        "sizes": [percent(size) if even else digits(size, 2) for size in sizes],
        "needs": [_needs(plan.pairs, *runs) for _, *runs in plan.grid],
        "start": plan.start,
    }


def _needs(pairs: Sequence[Pair], first: int, slowest: int) -> str:
    words = f"{_runs(pairs[0], first)} for {pairs[0].a} and {pairs[0].b}"
    return (
        words
        if slowest == first
        else f"{words}, {_runs(pairs[0], slowest)} for {pairs[0].a} and all that the headline names"
    )


def _runs(pair: Pair, needed: int) -> str:
    if needed <= min(pair.n_runs_a[0], pair.n_runs_b[0]):
        return f"these {pair.unit}s rule it out"
    return f"{counted([needed], pair.unit)} per algorithm{' and task' if pair.n_tasks > 1 else ''}"
