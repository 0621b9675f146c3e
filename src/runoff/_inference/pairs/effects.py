"""Effect sizes of a pair with their intervals: one name, one function of the pair's cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import exp, lgamma, log, sqrt
from types import MappingProxyType

import numpy as np
import scipy
from scipy import special

from runoff._inference.bootstrap import Ends, Mean, MetricEstimate, parse_metric, t_law, usable
from runoff._inference.pairs.chance import EVEN
from runoff._inference.pairs.measure import IMPROVEMENT
from runoff._inference.pairs.pair import Measured, PairData
from runoff.base.arrays import Floats

# A ratio up to its inverse has a square that, times a variance, is still a double.
NOTHING = 1e-75
CellMoments = tuple[Floats, Floats, Floats, Floats]
"""What `_moments` returns."""


def ratio(pair: PairData, level: float) -> Measured | None:
    """Return mean of a / mean of b, both averaged over tasks, with Fieller's interval.

    Fieller 1954: the values ρ with |ā − ρ b̄| ≤ t (s_a² + ρ² s_b²)^½, t with the Welch-Satterthwaite degrees of freedom of ā − ρ̂ b̄. Not defined
    unless both means are above 0; no interval where b̄ is not clearly above 0, because the set is then unbounded.
    """
    a, b = pair.records(parse_metric("mean"))
    # A mean that is nothing beside the other is 0 but for rounding.
    if min(a.value, b.value) <= NOTHING * abs(max(a.value, b.value)):
        return None
    return Measured.of(a.value / b.value, _fieller(a, b, level), "fieller")


def _fieller(a: MetricEstimate, b: MetricEstimate, confidence_level: float) -> Ends | None:
    estimate = a.value / b.value
    parts, sizes = np.concatenate([a.parts, estimate**2 * b.parts]), np.concatenate([a.n_runs, b.n_runs])
    if sizes.min() < 2 or not parts.sum() > 0:
        return None
    t = float(special.stdtrit(t_law(parts, sizes - 1.0, c=0.0)[1], (1 + confidence_level) / 2))
    of_a, of_b = float(a.parts.sum()), float(b.parts.sum())
    # ρ² (b̄² − t² s_b²) − 2 ρ ā b̄ + (ā² − t² s_a²) ≤ 0; a and b are independent, so the covariance terms are 0.
    g = t * t * of_b / b.value**2
    # b̄ is not found different from 0 at this level, and the set of ρ is the line without an interval, or the whole line.
    if g >= 1:
        return None
    spread = sqrt((1 - g) * of_a + estimate**2 * of_b) * t / b.value
    return usable((estimate - spread) / (1 - g), (estimate + spread) / (1 - g))


def hedges_g(pair: PairData, level: float) -> Measured | None:
    """Return Hedges' g, the standardised difference of means freed of its bias, averaged over tasks.

    g = J (x̄ − ȳ) / s_pooled, J = Γ(ν/2) / (√(ν/2) Γ((ν − 1)/2)), ν = n_x + n_y − 2 (Hedges 1981 eq. 6e). One task: the noncentral t interval
    (exact for normal runs of equal spread); several: normal, from the variance J² (1/n_x + 1/n_y) ν / (ν − 2) + g² (J² ν / (ν − 2) − 1) of each
    (Hedges 1981 eq. 6b), which does not exist for ν ≤ 2: no interval then (the large-sample variance in its place covers .72 to .94); of runs
    shared by tasks: t, from the jackknife of whole runs. Not defined if on some task neither side has spread but the means differ.
    """
    if pair.shared:
        mean = _jackknifed_g(pair)
        return None if mean is None else Measured.of(mean.estimate, mean.interval(level), "t")
    g, variances = _standardised(*pair.by_side(_moments, _moments))
    estimate = float(g.mean())
    if np.isnan(estimate):
        return None
    if g.size == 1:
        return Measured.of(estimate, _noncentral(pair.x[0], pair.y[0], estimate, level), "noncentral_t")
    total = float(variances.sum())
    if np.isnan(total):
        return Measured.of(estimate, None, "normal")
    half = float(special.ndtri((1 + level) / 2)) * (sqrt(total) / g.size)
    return Measured.of(estimate, usable(estimate - half, estimate + half), "normal")


def _mean_g(x: Sequence[Floats], y: Sequence[Floats]) -> float | None:
    value = float(_standardised(_moments(x), _moments(y))[0].mean())
    return None if np.isnan(value) else value


def _jackknifed_g(pair: PairData) -> Mean | None:
    """Return the mean g of shared runs with the jackknife's error, every run left out in turn, and Welch's degrees of freedom."""
    estimate, n, m = _mean_g(pair.x, pair.y), pair.x[0].size, pair.y[0].size
    if estimate is None:
        return None
    # Of two runs one is left, and its cell has no spread to divide by.
    if min(n, m) < 3:
        return Mean(estimate, 0.0, None)
    sides = (
        [_mean_g([np.delete(cell, i) for cell in pair.x], pair.y) for i in range(n)],
        [_mean_g(pair.x, [np.delete(cell, i) for cell in pair.y]) for i in range(m)],
    )
    if any(value is None for side in sides for value in side):
        return Mean(estimate, 0.0, None)
    parts = [(len(side) - 1) * float(np.var(np.array(side, dtype=np.float64))) for side in sides]
    # Satterthwaite: V² / Σ v²/(n − 1), each side's v being the jackknife's variance of its own runs.
    shares = sum(part**2 / (len(side) - 1) for part, side in zip(parts, sides, strict=True))
    return Mean(estimate, sqrt(sum(parts)), sum(parts) ** 2 / shares if shares > 0 else None)


@cache
def unbias(df: int) -> float:
    """Return J(ν), by which a standardised difference is multiplied to be unbiased for normal runs."""
    # Γ by its logarithm: Γ(172) is beyond a double. At ν = 1 J would be 0, for Γ(0) is infinite, so g stays as it is.
    return 1.0 if df < 2 else exp(lgamma(df / 2) - lgamma((df - 1) / 2) - log(df / 2) / 2)


@lru_cache(maxsize=1024)  # thousands of pairs have as many runs
def _unbiases(df: bytes) -> Floats:
    return np.array([unbias(int(freedom)) for freedom in np.frombuffer(df)])


def _standardised(x: CellMoments, y: CellMoments) -> tuple[Floats, Floats]:
    """Return g and its variance on each task, NaN where there is none; of runs that do not vary g is 0 or, where means differ, NaN."""
    (n, mean_x, squares_x, largest_x), (m, mean_y, squares_y, largest_y) = x, y
    shift, df, squares = mean_x - mean_y, n + m - 2, squares_x + squares_y
    scale, j = np.maximum(largest_x, largest_y), _unbiases(df.tobytes())
    # Runs that differ by the last digits of their scores do not vary: a g of 1e14 would be rounding.
    still = (df < 1) | (squares <= (1e-14 * scale) ** 2 * df)
    g = np.where(still, 0.0, j * shift / np.sqrt(np.where(still, 1.0, squares) / np.maximum(df, 1.0)))
    inflated = j * j * df / np.where(df > 2, df - 2, np.nan)
    g[still & (np.abs(shift) > 1e-12 * scale)] = np.nan
    return g, np.where(still, 0.0, inflated * (1 / n + 1 / m) + g * g * (inflated - 1))


def _moments(cells: Sequence[Floats]) -> CellMoments:
    """Return of each cell its size, mean, sum of squares about the mean and largest absolute score, (n_tasks,) each."""
    sizes = [cell.size for cell in cells]
    # Cells of one size, which most are, are taken together.
    blocks = [np.array(cells)] if min(sizes) == max(sizes) else [cell[None] for cell in cells]
    means = [block.mean(axis=1, keepdims=True) for block in blocks]
    squares = [((block - mean) ** 2).sum(axis=1) for block, mean in zip(blocks, means, strict=True)]
    largest = [np.abs(block).max(axis=1) for block in blocks]
    return np.array(sizes, np.float64), np.concatenate(means)[:, 0], np.concatenate(squares), np.concatenate(largest)


def _noncentral(x: Floats, y: Floats, g: float, confidence_level: float) -> Ends | None:
    """Return J √(1/n_x + 1/n_y) times the noncentralities of the t that put the observed one at the tails."""
    df, root = x.size + y.size - 2, sqrt(1 / x.size + 1 / y.size)
    if df < 1 or (np.ptp(x) == 0 and np.ptp(y) == 0):
        return None
    j = unbias(df)
    # Back from g = J t √(1/n_x + 1/n_y) to the t of the data, of which the noncentral law is known.
    t = g / (j * root)
    tail = (1 - confidence_level) / 2
    low, high = (_noncentrality(t, df, p) for p in (1 - tail, tail))
    return usable(j * root * low, j * root * high)


FAR = 1e4
"""An observed t beyond this has the limit of the noncentral law, to four digits; SciPy fails further out."""


def _noncentrality(t: float, df: int, p: float) -> float:
    """Return δ with P(T' ≤ t) = p for a noncentral T'; the distribution decreases in δ."""
    if abs(t) > FAR:
        # The normal part of T' is then nothing beside δ: T' = δ / √(χ² / df).
        return t * sqrt(float(special.chdtri(df, p if t > 0 else 1 - p)) / df)

    def excess(delta: float) -> float:
        # T′ of −δ is −T′ of δ: SciPy is asked for t ≥ 0 only, and gives NaN for some δ far below 0, where the chance is 1.
        chance = float(special.nctdtr(df, delta if t >= 0 else -delta, abs(t)))
        chance = 1.0 if np.isnan(chance) else chance
        return (chance if t >= 0 else 1 - chance) - p

    # T′ = (Z + δ) / s: the root is at most six deviations of Z from s t, and s six of its own, 1/√(2 df), from 1.
    reach = 6 + abs(t) * (1 + 6 / sqrt(df))
    return float(scipy.optimize.brentq(excess, -reach, reach, xtol=1e-10))


def cliffs_delta(pair: PairData, level: float) -> Measured:
    """Return Cliff's δ = P(a > b) − P(b > a) = 2 · probability of improvement − 1, averaged over tasks."""
    better = pair.measured(IMPROVEMENT, level)
    ends = better.ends and (2 * better.ends[0] - 1, 2 * better.ends[1] - 1)
    return replace(better, estimate=2 * better.estimate - 1, ends=ends)


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectSize:
    """An effect size: its function, its value where the two do not differ, and what it needs in order to be defined, None where it is not."""

    build: Callable[[PairData, float], Measured | None]
    no_effect: float
    needs: str | None = None


HEDGES_NEEDS = "a standardised difference needs runs that vary on every task where the means differ"
EFFECTS: Mapping[str, EffectSize] = MappingProxyType(
    {
        "difference": EffectSize(build=lambda pair, level: pair.measured("mean", level), no_effect=0.0),
        "iqm_difference": EffectSize(build=lambda pair, level: pair.measured("iqm", level), no_effect=0.0),
        "ratio": EffectSize(build=ratio, no_effect=1.0, needs="a ratio of means needs both means above 0"),
        "hedges_g": EffectSize(build=hedges_g, no_effect=0.0, needs=HEDGES_NEEDS),
        "cliffs_delta": EffectSize(build=cliffs_delta, no_effect=0.0),
        "improvement": EffectSize(build=lambda pair, level: pair.measured(IMPROVEMENT, level), no_effect=EVEN),
    }
)
