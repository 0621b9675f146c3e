"""What every two-sample test returns and may be asked, and the tests whose p-value is a formula: Student, Welch, Yuen, ranked t."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, floor, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from runoff._kernels.two_sample.ranks import sort_pooled, split_ranks
from runoff.base.arrays import SMALLEST, Bools, Floats
from runoff.base.random import Streams
from runoff.errors import DesignError

ALTERNATIVES = {"greater": 0, "less": 1, "two-sided": 2}
"""Alternative -> the place of its p-value among the three."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSampleOutcome:
    """The answers of one test for a batch of pairs of samples; all arrays have shape (batch,).

    statistic: positive where x tends to be larger, ±inf where the standard error is 0 and the centres differ. pvalue: in (0, 1], with its Monte
    Carlo standard error, 0 where nothing was drawn. method: "exact" (all relabellings, or a standard error of 0), "asymptotic" (Student's t or
    a normal limit is the reference) or "monte_carlo". df: of the t reference; None for tests that have none.
    """

    statistic: Floats
    pvalue: Floats
    pvalue_error: Floats
    method: NDArray[np.str_]
    df: Floats | None = None

    @classmethod
    def computed(cls, statistic: Floats, pvalue: Floats, exact: Bools, df: Floats | None = None) -> TwoSampleOutcome:
        """Return the outcome of a test that draws nothing; exact: (batch,), or one answer for all."""
        method = np.where(np.broadcast_to(exact, statistic.shape), "exact", "asymptotic")
        return cls(statistic=statistic, pvalue=pvalue, pvalue_error=np.zeros(statistic.size), method=method, df=df)


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSampleOptions:
    """What may be asked of a test; each test reads what concerns it.

    `key` tells calls of one seed apart: pair i of a call draws from the stream (seed, test, key, i // block). `plus_one=False`
    gives hits / draws as p-value, which can be 0 and is not valid; it is there to repeat published studies (Colas 2019).
    """

    streams: Streams
    n_resamples: int
    alternative: str = "two-sided"
    method: str = "auto"
    trim: float = 0.0
    interval: str = "studentized"
    plus_one: bool = True
    key: tuple[int, ...] = ()
    threads: int | None = None

    @property
    def side(self) -> int:
        """Return the column of this alternative: 0 greater, 1 less, 2 two-sided."""
        return ALTERNATIVES[self.alternative]


def labels(n_batch: int, method: str) -> NDArray[np.str_]:
    """Return the same method for each pair, with room for any other."""
    return np.full(n_batch, method, dtype="U11")


def t_pvalue(statistic: Floats, df: Floats, side: int) -> Floats:
    """Return the tail of Student's t; the two-sided one is 2 P(T ≤ -|t|)."""
    if side == ALTERNATIVES["two-sided"]:
        # The lower tail: 1 − P(T ≤ |t|) has no digits left where p is small.
        return 2.0 * np.asarray(stdtr(df, -np.abs(statistic)))
    return np.asarray(stdtr(df, -statistic if side == ALTERNATIVES["greater"] else statistic))


def separation_pvalue(sign: Floats, n_x: int, n_y: int, side: int) -> Floats:
    """Return the exact permutation p-value of complete separation: 1 / C(n, n_x), doubled for two sides; 1 for sign 0.

    It stands in where a standard error is 0. A t test would say p = 0 or NaN there, for any number of runs; this is the
    strongest evidence that n_x and n_y exchangeable runs can give.
    """
    complete = max(1 / comb(n_x + n_y, n_x), SMALLEST)
    if side == ALTERNATIVES["two-sided"]:
        return np.where(sign == 0, 1.0, min(1.0, 2.0 * complete))
    return np.where(sign > 0 if side == ALTERNATIVES["greater"] else sign < 0, complete, 1.0)


def t_outcome(t: TStatistic, sizes: tuple[int, int], side: int) -> TwoSampleOutcome:
    """Return the outcome of a t test; a standard error of 0 has the p-value of equality or of complete separation."""
    statistic, df, flat = t
    pvalue = np.maximum(t_pvalue(statistic, df, side), SMALLEST)
    if flat.any():
        pvalue = np.where(flat, separation_pvalue(statistic, *sizes, side), pvalue)
    return TwoSampleOutcome.computed(statistic, pvalue, flat, df)


SampleMoments = tuple[Floats, Floats, int]


def student_from_moments(x: SampleMoments, y: SampleMoments, options: TwoSampleOptions) -> TwoSampleOutcome:
    """Student's t test from (mean, variance, n) of each sample: equal variances assumed, df = n_x + n_y - 2."""
    t = student_t(x[0] - y[0], x[1], y[1], x[2], y[2])
    return t_outcome(t, (x[2], y[2]), options.side)


def welch_from_moments(x: SampleMoments, y: SampleMoments, options: TwoSampleOptions) -> TwoSampleOutcome:
    """Welch's t test from (mean, variance, n) of each sample (Welch 1947; Colas 2018, eq. 4)."""
    t = welch_t(x[0] - y[0], x[1] / x[2], y[1] / y[2], x[2] - 1, y[2] - 1)
    return t_outcome(t, (x[2], y[2]), options.side)


def student(x: Floats, y: Floats, options: TwoSampleOptions) -> TwoSampleOutcome:
    """t = d / sqrt(s² (1/n_x + 1/n_y)), s² the pooled variance, df = n_x + n_y - 2."""
    return student_from_moments((*moments(x), x.shape[1]), (*moments(y), y.shape[1]), options)


def welch(x: Floats, y: Floats, options: TwoSampleOptions) -> TwoSampleOutcome:
    """t = d / sqrt(s_x²/n_x + s_y²/n_y), df by Satterthwaite (Colas 2018, eq. 4)."""
    return welch_from_moments((*moments(x), x.shape[1]), (*moments(y), y.shape[1]), options)


def half_width(
    test: str, x: tuple[float, int], y: tuple[float, int], df: float | None, confidence_level: float
) -> float | None:
    """Return half the interval of the difference of means that "welch" or "student" inverts, from (variance, n) of each; None: there is none."""
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
    """t of trimmed means with winsorised variances (Yuen 1974); where trimming leaves only constants, what is left is permuted."""
    cut_x, cut_y = n_trimmed(x.shape[1], options.trim), n_trimmed(y.shape[1], options.trim)
    left_x, left_y = x.shape[1] - 2 * cut_x, y.shape[1] - 2 * cut_y
    if min(left_x, left_y) < 2:
        message = f"trim={options.trim} leaves {left_x} value(s) of x and {left_y} of y; at least 2 of each are needed."
        raise DesignError(message)
    mean_x, error_x = trimmed_moments(x, cut_x)
    mean_y, error_y = trimmed_moments(y, cut_y)
    t = welch_t(mean_x - mean_y, error_x, error_y, left_x - 1, left_y - 1)
    return t_outcome(t, (left_x, left_y), options.side)


def ranked_t(x: Floats, y: Floats, options: TwoSampleOptions) -> TwoSampleOutcome:
    """Student's t on the mid-ranks of both samples (Conover & Iman 1981)."""
    ranks_x, ranks_y = split_ranks(*sort_pooled(x, y), x.shape[1])
    # Twice the ranks: t does not depend on the unit.
    return student(np.ascontiguousarray(ranks_x), np.ascontiguousarray(ranks_y), options)


# ── moments and t statistics; differences are always x − y ──────────

# Shapes: samples (batch, n), everything else (batch,). Rows without variance have variance 0 exactly, whatever rounding says. A zero standard
# error gives a statistic of 0 for equal centres and ±inf for different ones, never NaN.

# statistic, degrees of freedom, and where the standard error is 0
TStatistic = tuple[Floats, Floats, Bools]


def moments(sample: Floats) -> tuple[Floats, Floats]:
    """Return mean and unbiased variance of each row: two passes; a row of one value has variance 0."""
    n = sample.shape[1]
    mean = sample.mean(axis=1)
    deviation = sample - mean[:, None]
    variance = np.einsum("ij,ij->i", deviation, deviation) / max(n - 1, 1)
    # The mean of equal values can differ from them in the last digit, which would leave a variance.
    constant = (sample == sample[:, :1]).all(axis=1)
    return np.where(constant, sample[:, 0], mean), np.where(constant, 0.0, variance)


def trimmed_moments(sample: Floats, n_trimmed: int) -> tuple[Floats, Floats]:
    """Return trimmed mean and its squared standard error; `n_trimmed` values go at each end (Yuen 1974).

    Squared error (n-1) s_w² / (h (h-1)) with the winsorised variance s_w² and h = n - 2 n_trimmed values left.
    """
    n = sample.shape[1]
    left = n - 2 * n_trimmed
    ordered = np.sort(sample, axis=1)
    ends = ordered[:, n_trimmed, None], ordered[:, n - n_trimmed - 1, None]
    kept_mean = moments(ordered[:, n_trimmed : n - n_trimmed])[0]
    winsorized = moments(np.clip(ordered, *ends))[1]
    return kept_mean, winsorized * ((n - 1) / (left * (left - 1)))


def signed_ratio(difference: Floats, squared_error: Floats) -> Floats:
    """Return difference / sqrt(squared_error), with 0/0 = 0 and d/0 = ±inf."""
    ratio = np.where(difference == 0.0, 0.0, np.copysign(np.inf, difference))
    np.divide(difference, np.sqrt(squared_error), out=ratio, where=squared_error > 0.0)
    return ratio


def student_t(difference: Floats, variance_x: Floats, variance_y: Floats, n_x: int, n_y: int) -> TStatistic:
    """Return Student's t and its degrees of freedom n_x + n_y - 2 (pooled variance)."""
    freedom = n_x + n_y - 2
    pooled = ((n_x - 1) * variance_x + (n_y - 1) * variance_y) / freedom
    statistic = signed_ratio(difference, pooled * (1.0 / n_x + 1.0 / n_y))
    return statistic, np.full(difference.shape, float(freedom)), pooled == 0.0


def welch_t(difference: Floats, error_x: Floats, error_y: Floats, freedom_x: int, freedom_y: int) -> TStatistic:
    """Return t with separate squared errors and the Welch-Satterthwaite degrees of freedom (Welch 1947).

    Written with the share r of x in the squared error, 1 / (r²/f_x + (1-r)²/f_y), so that no fourth power can underflow.
    Without any variance the degrees of freedom are f_x + f_y.
    """
    total = error_x + error_y
    # Where there is no spread to share: this one makes df = f_x + f_y.
    share = np.full(total.shape, freedom_x / (freedom_x + freedom_y))
    np.divide(error_x, total, out=share, where=total > 0.0)
    df = 1.0 / (share**2 / freedom_x + (1.0 - share) ** 2 / freedom_y)
    return signed_ratio(difference, total), df, total == 0.0
