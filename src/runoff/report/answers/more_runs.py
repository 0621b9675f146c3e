"""How many runs would find how small a difference between the leader and its nearest rival: the numbers under the slider of the page."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10

from runoff._inference.family import first_level
from runoff._inference.power import detectable, needed_multiple
from runoff.report.answers.all import Answers
from runoff.report.answers.standing import Standing
from runoff.results.comparison import Pair

FACTORS = tuple(2.0 ** (k / 4) for k in range(-16, 9))
"""Differences that are asked for, as multiples of the one that these runs would have found; the one that was seen is among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreRuns:
    """The pair, and for each difference how many times the runs that there are would find it with 80 % power, as `needed_multiple` says.

    Differences are exact; no two are alike when shown with two digits.
    """

    pair: Pair
    grid: tuple[tuple[float, float], ...]
    start: int


def more_runs(answers: Answers, standing: Standing) -> MoreRuns | None:
    """Return the runs needed of the leader and the first that it is not told apart from; None where there is none, or power is unknown."""
    rivals = standing.those("not told apart")
    pair = standing.beside(rivals[0]) if rivals else None
    if pair is None or not pair.detectable_difference or pair.difference_df is None:
        return None
    detectable_now, seen = pair.detectable_difference, abs(pair.difference)
    differences = [detectable_now * factor for factor in FACTORS]
    first = (detectable_now, *([seen] if differences[0] < seen < differences[-1] else []), *differences)
    sizes = sorted({two_digits(size): size for size in reversed(first)}.values())
    grid = tuple((size, 1.0 if size == detectable_now else multiple_for(pair, size, answers)) for size in sizes)
    return MoreRuns(pair=pair, grid=grid, start=sizes.index(detectable_now))


def multiple_for(pair: Pair, difference: float, answers: Answers) -> float:
    """Return how many times the runs of this pair would find a difference; for the one that was seen it is `pair.needed_multiple`.

    Its standard error is that of which `pair.detectable_difference` is a known multiple.
    """
    comparison = answers.comparison
    one_step = comparison.correction == "max_t"
    level = (
        comparison.alpha if one_step else first_level(comparison.alpha, len(comparison.pairs), comparison.correction)
    )
    df, size = pair.difference_df, pair.detectable_difference
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
