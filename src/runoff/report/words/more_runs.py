"""The slider of the page: how many runs find how small a difference between the leader and those not found different from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import Any

from runoff._inference.family import first_level
from runoff._inference.power import detectable, needed_multiple
from runoff.report.answers.all import Answers
from runoff.results.comparison import MOST_RUNS
from runoff.results.pair import Pair
from runoff.results.standing import Standing
from runoff.words.measures import even_of
from runoff.words.numbers import counted, decimals_of, number

FACTORS = tuple(2.0 ** (k / 2) for k in range(-8, 5))
"""Differences that are asked for, as multiples of the one that these runs would have found; the one that was seen is among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreRuns:
    """The leader's pairs with those not found different from it, and for each difference how many times the runs that there are would find it
    with 80 % power in the first of them and in the slowest, as `needed_multiple` says; at `start` is what these runs find in the first.

    Differences are exact; no two are alike when shown with two digits.
    """

    pairs: tuple[Pair, ...]
    grid: tuple[tuple[float, float, float], ...]
    start: int


def more_runs(answers: Answers, standing: Standing) -> MoreRuns | None:
    """Return the runs needed of the leader and those not found different from it; None where there are none, or power is unknown.

    Of success rates the power of single runs is known, but they have no multiple that has their spread.
    """
    own = tuple(pair for pair in standing.own if standing.places[pair.b] == "no difference found")
    if not own or not all(pair.detectable_difference and min(pair.n_runs_a[0], pair.n_runs_b[0]) > 1 for pair in own):
        return None
    first, even = own[0], even_of(own[0].measure)
    now, seen = first.detectable_difference or 0.0, abs(first.estimate - even)
    differences = [now * factor for factor in FACTORS if not even or now * factor < even]
    # What was seen is a place of the slider where it lies within its ends.
    kept = (now, *([seen] if differences[0] < seen < differences[-1] else []), *differences)
    # Of differences that would be shown alike the first is kept: what these runs find, then what was seen.
    sizes = sorted({two_digits(size): size for size in reversed(kept)}.values())
    # What a pair can find with the runs that there are takes exactly those, though a root is found but to rounding.
    multiples = [
        [1.0 if size == pair.detectable_difference else multiple_for(pair, size, answers) for pair in own]
        for size in sizes
    ]
    grid = tuple((size, many[0], max(many)) for size, many in zip(sizes, multiples, strict=True))
    return MoreRuns(pairs=own, grid=grid, start=sizes.index(now))


def multiple_for(pair: Pair, difference: float, answers: Answers) -> float:
    """Return how many times the runs of this pair would find a difference; for the one that was seen it is `pair.needed_multiple`.

    Its standard error is that of which `pair.detectable_difference` is a known multiple.
    """
    comparison = answers.comparison
    level = first_level(comparison.alpha, len(comparison.pairs), comparison.correction)
    df, size = pair.detectable_df, pair.detectable_difference
    assert df is not None  # as `more_runs` has checked
    assert size is not None
    error = size / detectable(1.0, df, level)
    return needed_multiple(difference, error, df, min(pair.n_runs_a[0], pair.n_runs_b[0]), level)


def two_digits(value: float) -> float:
    """Return a positive value with two significant digits.

    >>> two_digits(0.0784), two_digits(1234.0)
    (0.078, 1200.0)
    """
    return round(value, 1 - floor(log10(value)))


def slider_words(plan: MoreRuns) -> dict[str, Any]:
    """Return the places of the slider: each difference, the runs that find it in the nearest pair, and in all that the headline names."""
    sizes = [two_digits(size) for size, _, _ in plan.grid]
    return {
        "sizes": [number(size, decimals_of([size], 2)) for size in sizes],
        "needs": [_needs(plan.pairs, *multiples) for _, *multiples in plan.grid],
        "start": plan.start,
    }


def _needs(pairs: Sequence[Pair], first: float, slowest: float) -> str:
    words = f"{_runs(pairs, first)} to separate {pairs[0].a} and {pairs[0].b}"
    more = _runs(pairs, slowest)
    return (
        words
        if more == _runs(pairs, first)
        else f"{words}, {more} to separate {pairs[0].a} from all that the headline names"
    )


def _runs(pairs: Sequence[Pair], multiple: float) -> str:
    n = {runs for pair in pairs for runs in (*pair.n_runs_a, *pair.n_runs_b)}
    unit, per = pairs[0].unit, " per algorithm and task" if pairs[0].n_tasks > 1 else " per algorithm"
    if not isfinite(multiple) or multiple * min(n) > MOST_RUNS:
        return f"more than {MOST_RUNS} {'' if len(n) == 1 else 'times as many '}{unit}s{per if len(n) == 1 else ''}"
    if len(n) > 1:
        times = f"{multiple:.1f}"
        return f"{'' if times == '1.0' else f'{times} times '}as many {unit}s{per} as there are"
    return f"{counted([ceil(multiple * min(n))], unit)}{per}"
