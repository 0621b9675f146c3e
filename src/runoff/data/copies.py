"""Copied runs: does a score that two sets of runs share come from one run or from two with equal scores?"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from math import inf

import numpy as np

from runoff.base.arrays import Floats, Ints

RARE = 1_000
"""The number of comparisons in which equal scores may occur once by chance."""
ROUND = 4
"""The most digits of a score that several runs may have by chance: 0.75, 21, 1000."""
SINGLE, DOUBLE = 2.0**-23, 2.0**-52
"""The spacing of single-precision and double-precision numbers at 1."""
LEAST = 5
"""The fewest distinct scores from which the steps of a scale can be seen."""
NEAR, ENOUGH = 3, 1_000_000
"""The number of neighbours that estimate the density of scores, and the number of values on a scale above which equal scores are never
chance."""
HUGE = 3e38
"""Numbers above this are not single precision."""
MANY, FINEST, CHUNK, CHANCE = 30, 1_000_000, 50_000, 0.01
"""The most scores searched for steps, the most steps tried, the steps tried at a time, and the probability that scores which are no
multiples of a step appear to be."""


def copied(copies: Sequence[float], scores: Sequence[float], chances: int, every: Sequence[float] = ()) -> float | None:
    """Return the first score in both sets that only a copy explains; None if chance explains them all.

    Only a copy explains a score if no other scores are equal, if it has five digits or more, if it is neither the lowest nor the highest of
    the task, which may be a floor or a ceiling, and if the scale is so fine that chance makes equal scores in at most one of a thousand
    comparisons.

    copies: the scores of the later set that are also in the earlier; scores: all scores of both sets of the algorithms in question; chances:
    the number of pairs of scores, over all tasks, that could be equal; every: all scores of the task, if `scores` are not all.
    """
    every = every or scores
    # A score at the floor or the ceiling of a task comes again by itself, and so does one of few digits.
    telling = [score for score in copies if shown(score)[0] > ROUND and within(score, np.asarray(every))]
    if not telling or len(set(scores)) < len(scores) - len(copies):
        return None
    # The algorithm's own scale where it shows, for another logger may round otherwise.
    values = np.unique(scores if len(set(scores)) >= LEAST else every)
    if values.size < LEAST:
        return None
    step = float(np.ptp(values)) / points(values, RARE * chances)
    return next((score for score in telling if RARE * chances * max(step, shown(score)[1]) <= np.ptp(values)), None)


def by_chance(score: float, others: Floats, own: Floats | None = None) -> float:
    """Return the approximate probability that a run has this score: the density of other runs' scores near it, times the step of the scale.

    Another logger may write fewer digits; a score is compared with those that have as many digits. own: all scores of its own logger, which
    may have longer steps.
    """
    equal = int(np.count_nonzero(others == score))
    # (k + 1) / (n + 1), as of Monte Carlo p-values: never 0, however rare.
    if equal or not within(score, others):
        return (equal + 1) / (others.size + 1)
    scales = (np.unique(np.append(others, score)), np.unique(others if own is None else own))
    step = max(float(np.ptp(values)) / points(values, ENOUGH) for values in scales if values.size > 2)
    near = min(NEAR, others.size)
    # Density by nearest neighbours: k of n values lie within ± the distance of the k-th.
    width = 2.0 * float(np.partition(np.abs(others - score), near - 1)[near - 1])
    return near / others.size * min(1.0, max(step, shown(score)[1]) / width)


def in_one_precision(values: Floats) -> Floats:
    """Return the values with any number that stands there in both single and double precision replaced by its single-precision value.

    A file writes a single-precision number with the shortest decimals, or as the double of the same value.

    >>> in_one_precision(np.array([0.4632862502761012, 0.46328625, 0.46328625082969666, 7.1]))
    array([0.46328625, 0.46328625, 0.46328625, 7.1       ])
    """
    inside = (np.abs(values) > 1 / HUGE) & (np.abs(values) < HUGE)
    rounded = np.where(inside, np.where(inside, values, 0.0).astype(np.float32), values)
    distinct, first = np.unique(values, return_index=True)
    places, counts = np.unique(rounded[first], return_counts=True)
    if places.size == distinct.size:
        return values
    several = np.isin(rounded[first], places[counts > 1])
    pairs = zip(distinct[several].tolist(), rounded[first][several].tolist(), strict=True)
    single = [place for value, place in pairs if value in (place, float(str(np.float32(place))))]
    return np.where(np.isin(rounded, single), rounded, values)


def within(score: float, values: Floats) -> bool:
    """Return whether a score is inside the range of the values by more than the rounding error of single precision."""
    if not values.size:
        return False
    blur = SINGLE * float(np.abs(values).max())
    return bool(values.min() + blur < score < values.max() - blur)


def fine(scores: Iterable[float]) -> bool:
    """Return whether any score has more digits than scores that repeat by chance."""
    return any(shown(score)[0] > ROUND for score in scores)


def points(values: Floats, most: int) -> float:
    """Return how many values fit in the range of a task's scores, counted in units of their last digit or in steps that divide all differences.

    values: distinct, ascending; most: the largest number that matters. Normalised counts and means of few episodes have many digits but few
    values.
    """
    return _points(values.tobytes(), most)


@lru_cache(maxsize=256)
def _points(content: bytes, most: int) -> float:
    """Return the points of values, cached because every run of a task asks for the same."""
    values = np.frombuffer(content)
    unit = min(shown(value)[1] for value in values.tolist())
    reach, size = float(values[-1] - values[0]), float(np.abs(values).max())
    some = values[np.unique(np.linspace(0, values.size - 1, MANY).astype(int))]
    shares = ((some[1:-1] - values[0]) / reach).tolist()
    # What was normalised has double precision, and may have had single precision, and another size, before; what was rounded, that of its unit.
    blurs = max(DOUBLE * (1 + size), unit / 2), SINGLE * size, SINGLE * (1 + size)
    steps = next((float(steps) for blur in blurs if (steps := _steps(shares, blur / reach, most))), inf)
    # The last digit of the smallest numbers that there are is 0 as a number.
    return min(reach / unit if unit else inf, steps)


def _steps(shares: Sequence[float], blur: float, most: int) -> int:
    """Return the fewest equal steps from 0 to 1 that divide all shares, up to the rounding error and rarely by chance; 0 if there are none."""
    if blur >= 0.25:  # every number is as near to a multiple as this
        return 0
    # A share is within `near` of a multiple by chance with probability 2 · near; all of m shares with its m-th power, and as many scales as
    # steps were tried (Bonferroni). Of more steps chance says more, so that there is a last number of steps that tells anything.
    chance = partial(_by_accident, blur, len(shares))
    last = bisect_left(range(1, min(most, FINEST) + 1), CHANCE, key=chance)
    for first in range(1, last + 1, CHUNK):
        steps = np.arange(first, min(first + CHUNK, last + 1))
        for share in shares:
            multiples = share * steps
            steps = steps[np.abs(multiples - np.rint(multiples)) < _near(blur, steps)]
        if steps.size:
            return int(steps[0])
    return 0


def _by_accident(blur: float, shares: int, steps: int) -> float:
    """Return how many scales of at most so many steps are expected to divide as many shares that are of no scale."""
    return float(steps * (2.0 * _near(blur, steps)) ** shares)


def _near(blur: float, steps: Ints | int) -> Floats:
    return np.asarray(2.0 * blur * steps + 1e-9)


def shown(score: float) -> tuple[int, float]:
    """Return the number of digits of a score as it is written, and the unit of its last digit. A single-precision score has the fewest
    digits that restore it, and its unit is at least the distance to the next number.

    >>> shown(974.1), shown(974.0999755859375)
    ((4, 0.1), (4, 0.1))
    """
    size, unit = abs(score), 0.0
    text = repr(size)
    if size < HUGE and float(np.float32(size)) == size:
        text, unit = str(np.float32(size)), float(np.spacing(np.float32(size)))
    mantissa, _, exponent = text.partition("e")
    whole, _, decimals = mantissa.partition(".")
    decimals = "" if decimals == "0" else decimals
    return len((whole + decimals).strip("0")), max(unit, 10.0 ** (int(exponent or 0) - len(decimals)))
