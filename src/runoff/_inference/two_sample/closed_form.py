"""Student's t, Welch's t, Yuen's trimmed t and the t test on ranks."""

from __future__ import annotations

from math import floor, sqrt

import numpy as np
from scipy.special import stdtrit

from runoff._inference.two_sample.outcome import TwoSampleOptions, TwoSampleOutcome, t_outcome
from runoff._kernels.two_sample import parametric
from runoff._kernels.two_sample.ranks import sort_pooled, split_ranks
from runoff.base.arrays import Floats
from runoff.errors import DesignError

Moments = tuple[Floats, Floats, int]


def student_from_moments(x: Moments, y: Moments, options: TwoSampleOptions) -> TwoSampleOutcome:
    """Student's t test from (mean, variance, n) of each sample: equal variances assumed, df = n_x + n_y - 2."""
    t = parametric.student(x[0] - y[0], x[1], y[1], x[2], y[2])
    return t_outcome(t, (x[2], y[2]), options.side)


def welch_from_moments(x: Moments, y: Moments, options: TwoSampleOptions) -> TwoSampleOutcome:
    """Welch's t test from (mean, variance, n) of each sample (Welch 1947; Colas 2018, eq. 4)."""
    t = parametric.welch(x[0] - y[0], x[1] / x[2], y[1] / y[2], x[2] - 1, y[2] - 1)
    return t_outcome(t, (x[2], y[2]), options.side)


def student(x: Floats, y: Floats, options: TwoSampleOptions) -> TwoSampleOutcome:
    """t = d / sqrt(s² (1/n_x + 1/n_y)), s² the pooled variance, df = n_x + n_y - 2."""
    return student_from_moments((*parametric.moments(x), x.shape[1]), (*parametric.moments(y), y.shape[1]), options)


def welch(x: Floats, y: Floats, options: TwoSampleOptions) -> TwoSampleOutcome:
    """t = d / sqrt(s_x²/n_x + s_y²/n_y), df by Satterthwaite (Colas 2018, eq. 4)."""
    return welch_from_moments((*parametric.moments(x), x.shape[1]), (*parametric.moments(y), y.shape[1]), options)


def half_width(
    test: str, x: tuple[float, int], y: tuple[float, int], df: float | None, confidence_level: float
) -> float | None:
    """Return half the two-sided interval of the difference of means that "welch" or "student" inverts, from (variance, n) of each sample.

    None where the test has no such interval, or nothing varies.
    """
    if test not in ("student", "welch") or df is None or not df > 0:
        return None
    (var_x, n_x), (var_y, n_y) = x, y
    pooled = ((n_x - 1) * var_x + (n_y - 1) * var_y) / max(n_x + n_y - 2, 1)
    error = sqrt(pooled * (1 / n_x + 1 / n_y)) if test == "student" else sqrt(var_x / n_x + var_y / n_y)
    return float(stdtrit(df, 0.5 + confidence_level / 2)) * error if error > 0 else None


def n_trimmed(n: int, trim: float) -> int:
    """Return how many values go at each end: the whole part of trim · n, immune to 0.3 · 10 = 2.9999…"""
    return floor(trim * n + 1e-9)


def yuen(x: Floats, y: Floats, options: TwoSampleOptions) -> TwoSampleOutcome:
    """t of trimmed means with winsorised variances (Yuen 1974); WRS2 (which prints |t|) and SciPy (``trim=``) agree. Where
    trimming leaves only constants, what is left is permuted.
    """
    cut_x, cut_y = n_trimmed(x.shape[1], options.trim), n_trimmed(y.shape[1], options.trim)
    left_x, left_y = x.shape[1] - 2 * cut_x, y.shape[1] - 2 * cut_y
    if min(left_x, left_y) < 2:
        raise DesignError(
            f"trim={options.trim} leaves {left_x} value(s) of x and {left_y} of y; at least 2 of each are needed."
        )
    mean_x, error_x = parametric.trimmed_moments(x, cut_x)
    mean_y, error_y = parametric.trimmed_moments(y, cut_y)
    t = parametric.welch(mean_x - mean_y, error_x, error_y, left_x - 1, left_y - 1)
    return t_outcome(t, (left_x, left_y), options.side)


def ranked_t(x: Floats, y: Floats, options: TwoSampleOptions) -> TwoSampleOutcome:
    """Student's t on the mid-ranks of both samples (Conover & Iman 1981)."""
    ranks_x, ranks_y = split_ranks(*sort_pooled(x, y), x.shape[1])
    return student(np.ascontiguousarray(ranks_x), np.ascontiguousarray(ranks_y), options)
