"""What new runs of a design find whose standard error is an estimate: power is averaged over what the true one may be.

`detectable` is the smallest difference, `needed_multiple` how many times as many runs a difference takes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from math import exp, floor, inf, isfinite, isinf, log2, sqrt

import numpy as np
from numpy.polynomial.chebyshev import chebfit, chebval
from scipy import special

from runoff._inference.power.search import LEAST
from runoff.base.arrays import Floats


def critical_value(df: Floats | float, alpha: float, *, two_sided: bool) -> Floats:
    """Return t beyond which a t test at alpha rejects."""
    lower: Floats = np.asarray(special.stdtrit(df, alpha / 2 if two_sided else alpha), np.float64)
    # Of the lower tail: 1 − α/2 would round at small α.
    return -lower


def noncentral(shift: Floats | float, df: Floats | float, critical: Floats, *, two_sided: bool) -> Floats:
    """Return P(T' > critical), or P(|T'| > critical), of a noncentral t."""
    above = 1 - _below(shift, df, critical)
    return above + _below(shift, df, -critical) if two_sided else above


def _below(shift: Floats | float, df: Floats | float, t: Floats) -> Floats:
    """Return P(T' ≤ t) of T' = (Z + shift) / s, where df s² is χ² with df degrees of freedom."""
    # Beyond FAR SciPy gives NaN, slowly, and Z is nothing beside the shift: T' ≤ t where s ≥ shift / t, for a shift and a t above 0.
    far = np.abs(shift) > FAR
    beyond = far.any()
    near: Floats = np.asarray(special.nctdtr(df, np.where(far, 0.0, shift) if beyond else shift, t), np.float64)
    if np.isnan(near).any():  # in far tails, which are 0 or 1, too
        near = np.where(np.isnan(near), np.asarray(t > shift, np.float64), near)
    if not beyond:
        return near
    with np.errstate(divide="ignore", over="ignore"):
        ratio = shift / t
        squared = df * ratio**2
    towards = np.where(np.greater(shift, 0.0), special.chdtrc(df, squared), special.chdtr(df, squared))
    return np.where(far, np.where(ratio > 0, towards, np.less(shift, 0.0)), near)


FAR = 1e4
"""A noncentral t whose shift is beyond this is its limit, to eight digits."""


@cache
def rule(n: int) -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(n)


MOST = 1e6
"""Times as many runs, beyond which no number is given."""
ERROR_NODES, OUTSIDE = 32, 1e-12
"""Nodes over the likely standard errors, by which power errs by 1e-6 with one degree of freedom and by less with more; what is left out."""
GAUSS_NODES, GAUSS_DF = 12, 50
"""Nodes of Gauss' rule for χ² itself, by which power errs by less than 1e-9 from so many degrees of freedom on (1e-12 at levels above 1e-6)."""
PLACES = 10
"""Degrees of freedom of an octave at which the detectable difference is sought; those between differ from their own root by 1e-9 at most."""
ONE_SIDED = 0.005
"""At smaller levels rejections on the wrong side are not counted: they are rarer still."""


def detectable(error: float, df: float, alpha: float, power: float = 0.8, *, own_df: float | None = None) -> float:
    """Return the true difference that new runs of this design would find with `power` by a two-sided t test.

    The standard error is an estimate, and may be too small or too large by what df allows: power is averaged over that, s² / σ² being
    χ² / df. With the estimate taken for the truth, 3 runs of one task would find the difference stated in 70 % of cases, not 80 %.
    Colas 2018 eq. 8 shifts a central t and is one-sided, which gives sizes too small. inf: SciPy knows no critical value so far out.
    own_df: those of the estimate, where the test has more.
    """
    if alpha >= power:
        return 0.0  # chance alone has that power
    return _in_errors(round(df, 9), round(df if own_df is None else own_df, 9), alpha, power) * error


@lru_cache(maxsize=1024)
def _in_errors(df: float, own_df: float, alpha: float, power: float) -> float:
    # Thousands of pairs have as many degrees of freedom; below two the difference grows too steeply.
    fit = _octave(floor(log2(df)), alpha, power) if df == own_df and 2 <= df < inf else None
    return _root(df, own_df, alpha, power) if fit is None else exp(float(chebval(2 * (log2(df) % 1) - 1, fit)))


@lru_cache(maxsize=256)
def _octave(k: int, alpha: float, power: float) -> Floats | None:
    """Return the logarithm of the difference as a polynomial (Chebyshev's) of log₂ df from k to k + 1; None where there is no difference."""
    places = np.cos(np.pi * (np.arange(PLACES) + 0.5) / PLACES)
    roots: list[float] = []
    for place in places:
        # Each is sought from where those before it point to, for every try is an integral.
        likely = roots[-1] ** 2 / roots[-2] if len(roots) > 1 and isfinite(roots[-1]) else None
        roots.append(_root(2.0 ** (k + (1 + place) / 2), None, alpha, power, likely))
    return np.asarray(chebfit(places, np.log(roots), PLACES - 1)) if np.isfinite(roots).all() else None


def _root(df: float, own_df: float | None, alpha: float, power: float, likely: float | None = None) -> float:
    """Return the difference in estimated errors; own_df: None for df; likely: about where it is, where that is known."""
    critical = float(critical_value(df, alpha, two_sided=True))
    if isinf(critical):
        return inf
    own = df if own_df is None else own_df
    start = max(critical + special.ndtri(power), 0.1) if likely is None else likely
    return _where(lambda shift: average_power(shift, own, df, alpha), power, start)


def needed_multiple(
    difference: float, error: float, df: float, n_runs: int, alpha: float, *, power: float = 0.8
) -> float:
    """Return how many times the runs of this design a two-sided t test needs to find a true difference with `power`; 1: those there are.

    As `detectable`, which it inverts: the standard error shrinks with the root of the number of runs, what is known of it does not; the
    degrees of freedom of the test grow as those of its cells of `n_runs`. inf: more than a million times.
    """
    ratio, least, most = abs(difference) / error, sqrt(LEAST / n_runs), sqrt(MOST)
    if not ratio:
        return inf

    def chance(root: float) -> float:
        return average_power(ratio * root, df, grown(df, n_runs, n_runs * root**2), alpha)

    # With the degrees of freedom that there are it takes so many; the root is searched from there.
    likely = detectable(1.0, df, alpha, power) / ratio
    # Asked only near the ends of the search: each answer is an integral.
    if likely > most and chance(most) < power:
        return inf
    if likely < 2 * least and chance(least) >= power:
        return LEAST / n_runs
    root = _where(chance, power, min(max(likely, least), most), most=most)
    return inf if isinf(root) else root**2


def grown(df: float, n_runs: float, n: float) -> float:
    """Return the degrees of freedom of cells of n runs, where those of `n_runs` have df."""
    # V²/Σ v²/(n − 1) is proportional to n − 1 where all cells have n runs.
    return max(df * (n - 1) / (n_runs - 1), 1.0)


def average_power(shift: float, df: float, freedom: float, alpha: float) -> float:
    """Return the power of a two-sided t test of this freedom for a true difference of `shift` estimated errors, each known with df."""
    errors, weights = likely_errors(df)
    critical = critical_value(freedom, alpha, two_sided=True)
    # The difference is `shift` of the errors that were estimated, s/σ times as many of the true ones.
    return float(weights @ noncentral(shift * errors, freedom, critical, two_sided=alpha > ONE_SIDED))


def _where(chance: Callable[[float], float], power: float, start: float, most: float = inf) -> float:
    """Return where a rising chance is `power`, by secants of its probit, which is nearly a line; inf beyond `most`."""
    wanted = float(special.ndtri(power))

    def missing(x: float) -> float:
        return min(max(float(special.ndtri(chance(x))), -9.0), 9.0) - wanted

    # Two points near the likely answer, for the first secant.
    before, here, low, high = start / 1.02, start, 0.0, inf
    lacked, lacks = missing(before), missing(here)
    while here <= most and lacks and abs(here - before) > 1e-8 * here:  # the next step is smaller by orders
        low, high = (here, high) if lacks < 0 else (low, here)
        slope = (lacks - lacked) / (here - before)
        step = lacks / slope if slope > 0 else inf * lacks
        before, here, lacked = here, min(max(here - step, here / 2), here * 2), lacks
        # At a kink, where the degrees of freedom end, secants would go in circles; a step too small to be one ends the search.
        if not low < here < high and abs(here - before) > 1e-8 * here:
            here = (low + high) / 2
        lacks = missing(here) if abs(here - before) > 1e-8 * here else 0.0
    return float(here) if here <= most else inf


@lru_cache(maxsize=256)
def likely_errors(df: float) -> tuple[Floats, Floats]:
    """Return values of s / σ and their weights, which add up to 1: s² / σ² is χ² / df; inf: the error is known."""
    if isinf(df):
        return np.ones(1), np.ones(1)
    if df >= GAUSS_DF:
        # Golub & Welsch (1969): χ² / 2 has the weight of the generalised Laguerre polynomials, whose recurrence is this matrix.
        order = np.arange(GAUSS_NODES)
        beside = np.diag(np.sqrt(order[1:] * (order[1:] + df / 2 - 1)), 1)
        halves, vectors = np.linalg.eigh(np.diag(2 * order + df / 2) + beside + beside.T)
        return np.sqrt(2 * halves / df), vectors[0] ** 2
    # With fewer degrees of freedom the rule for χ² is not that close: the density of its root is integrated as it is.
    low, high = np.sqrt(2 * special.gammaincinv(df / 2, [OUTSIDE, 1 - OUTSIDE]) / df)
    nodes, weights = rule(ERROR_NODES)
    errors = low + (high - low) * (nodes + 1) / 2
    logs = (df - 1) * np.log(errors) - df * errors**2 / 2
    likely = weights * np.exp(logs - logs.max())
    return errors, likely / likely.sum()
