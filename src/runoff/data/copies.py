"""Is a score that two sets of runs share that of one run, or of two that came out alike?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from runoff.base.arrays import Floats

RARE = 1_000
"""Comparisons in which equal scores may come by chance once."""
ROUND = 4
"""Digits of a score that many runs may have: 0.75, 21, 1000."""
SINGLE, DOUBLE = 2.0**-23, 2.0**-52
"""Spacing of numbers of single and double precision at 1."""
FINEST = 10_000
"""Parts of the least difference that are tried as steps."""


def copied(copies: Sequence[float], scores: Sequence[float], chances: int) -> float | None:
    """Return the first of the scores in both sets that only a copy explains; None: chance explains them.

    No other scores of the task are equal, the score has five digits or more, and the scale is so fine that chance makes equal scores in one of
    a thousand comparisons.

    copies: of the later set, those that are in the earlier; scores: all of the task, of both; chances: pairs of scores over all tasks that may
    be equal.
    """
    telling = [score for score in copies if _shown(score)[0] > ROUND]
    if not telling or len(set(scores)) < len(scores) - len(copies):
        return None
    return telling[0] if RARE * chances <= points(np.unique(scores)) else None


def fine(scores: Iterable[float]) -> bool:
    """Return whether a score has more digits than scores that come again by chance."""
    return any(_shown(score)[0] > ROUND for score in scores)


def points(values: Floats) -> float:
    """Return how many values the range of a task's scores may hold: of their last digit, or of the steps of which all differences are multiples.

    values: distinct, ascending. Normalised counts, and means of few episodes, have long digits and few values.
    """
    if values.size < 5:
        return 0.0
    gaps, least = values[1:] - values[0], float(np.diff(values).min())
    digits, units = zip(*(_shown(value) for value in values.tolist()), strict=True)
    with np.errstate(over="ignore"):  # beyond 3e38 no number is one of single precision
        single = max(digits) <= 9 or bool((values == values.astype(np.float32)).all())
    blur = 2.0 * (SINGLE if single else DOUBLE) * float(np.abs(values).max()) * (1.0 + float(gaps[-1]) / least)
    steps = least / np.arange(1, FINEST + 1)
    steps = steps[steps > 5.0 * blur]
    multiples = np.divide.outer(gaps, steps)
    common = (np.abs(multiples - np.rint(multiples)) * steps < blur + 1e-6 * steps).all(axis=0)
    finest = float(steps[int(np.argmax(common))]) if common.any() else 0.0
    return float(gaps[-1] / max(finest, min(units)))


def _shown(score: float) -> tuple[int, float]:
    """Return the digits of a score as it is written, and the unit of the last."""
    mantissa, _, exponent = repr(abs(score)).partition("e")
    whole, _, decimals = mantissa.partition(".")
    decimals = "" if decimals == "0" else decimals
    return len((whole + decimals).strip("0")), 10.0 ** (int(exponent or 0) - len(decimals))
