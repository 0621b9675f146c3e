"""What every two-sample test returns, what may be asked of it, and the tails of Student's t."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from runoff._inference.about import SMALLEST
from runoff._kernels.two_sample.parametric import TStatistic
from runoff.base.arrays import Floats
from runoff.base.random import Streams

ALTERNATIVES = {"greater": 0, "less": 1, "two-sided": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSampleOutcome:
    """The answers of one test for a batch of pairs of samples; all arrays have shape (batch,).

    Attributes
    ----------
    statistic : float array
        Positive where x tends to be larger. ±inf where the standard error is 0 and the centres differ.
    pvalue : float array
        In (0, 1].
    pvalue_error : float array
        Monte Carlo standard error of the p-value; 0 where nothing was drawn.
    method : str array
        Pair by pair: "exact" (all relabellings, or a standard error of 0), "asymptotic" (Student's t or a normal
        limit is the reference) or "monte_carlo".
    df : float array or None
        Degrees of freedom of the t reference; None for tests that have none.
    """

    statistic: Floats
    pvalue: Floats
    pvalue_error: Floats
    method: NDArray[np.str_]
    df: Floats | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSampleOptions:
    """What may be asked of a test; each test reads what concerns it.

    `key` tells calls of one seed apart: pair i of a call draws from the stream (seed, test, key, i // block). `plus_one=False`
    gives hits / draws as p-value, which can be 0 and is not valid; it is there to repeat published studies (Colas 2019).
    """

    alternative: str
    method: str
    streams: Streams
    n_resamples: int
    trim: float
    interval: str
    plus_one: bool = True
    key: tuple[int, ...] = ()
    threads: int | None = None

    @property
    def side(self) -> int:
        """Return the column of this alternative: 0 greater, 1 less, 2 two-sided."""
        return ALTERNATIVES[self.alternative]


def choose(side: int, greater: Floats, less: Floats, both: Floats) -> Floats:
    """Return the p-values of the alternative asked for."""
    return (greater, less, both)[side]


def labels(n_batch: int, method: str) -> NDArray[np.str_]:
    """Return the same method for each pair, with room for any other."""
    return np.full(n_batch, method, dtype="U11")


def t_pvalue(statistic: Floats, df: Floats, side: int) -> Floats:
    """Return the tail of Student's t; the two-sided one is 2 P(T ≤ -|t|)."""
    if side == ALTERNATIVES["two-sided"]:
        return 2.0 * np.asarray(stdtr(df, -np.abs(statistic)))
    return np.asarray(stdtr(df, -statistic if side == ALTERNATIVES["greater"] else statistic))


def separation_pvalue(sign: Floats, n_x: int, n_y: int, side: int) -> Floats:
    """Return the exact permutation p-value of complete separation: 1 / C(n, n_x), doubled for two sides; 1 for sign 0.

    It stands in where a standard error is 0. A t test would say p = 0 or NaN there, for any number of runs; this is the
    strongest evidence that n_x and n_y exchangeable runs can give.
    """
    complete = max(1 / comb(n_x + n_y, n_x), SMALLEST)
    return choose(
        side,
        np.where(sign > 0, complete, 1.0),
        np.where(sign < 0, complete, 1.0),
        np.where(sign == 0, 1.0, min(1.0, 2.0 * complete)),
    )


def t_outcome(t: TStatistic, sizes: tuple[int, int], side: int) -> TwoSampleOutcome:
    """Return the outcome of a t test; a standard error of 0 has the p-value of equality or of complete separation."""
    statistic, df, flat = t
    pvalue = np.maximum(t_pvalue(statistic, df, side), SMALLEST)
    method = labels(statistic.size, "asymptotic")
    if flat.any():
        pvalue = np.where(flat, separation_pvalue(statistic, *sizes, side), pvalue)
        method[flat] = "exact"
    return TwoSampleOutcome(
        statistic=statistic, pvalue=pvalue, pvalue_error=np.zeros(statistic.size), method=method, df=df
    )
