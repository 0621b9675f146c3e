"""The shape of runs: moments, normality, two groups, skewness, runs that move together, components of variance; None, never NaN."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, comb, log, sqrt
from types import MappingProxyType

import numpy as np
from scipy import special

from runoff.base.arrays import Floats
from runoff.base.random import Streams

LEAST_SHAPIRO, MOST_SHAPIRO, LEAST_DAGOSTINO = 3, 5000, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What the runs of a cell look like; None where there are too few of them, or no spread.

    skewness, kurtosis: bias-corrected, kurtosis as excess over the normal's. normality_pvalue: D'Agostino and Pearson's K², from 8 runs.
    shapiro_pvalue: Shapiro and Wilk's W, for 3 to 5000 runs. within_groups: what `best_split` leaves, from 8 runs.
    """

    skewness: float | None
    kurtosis: float | None
    normality_pvalue: float | None
    shapiro_pvalue: float | None
    within_groups: float | None


def shape_of(cell: Floats) -> Shape:
    if flat(cell):
        return Shape(skewness=None, kurtosis=None, normality_pvalue=None, shapiro_pvalue=None, within_groups=None)
    z = standardised(cell)
    return Shape(
        skewness=skewness(z),
        kurtosis=kurtosis(z),
        normality_pvalue=dagostino_pearson(z),
        shapiro_pvalue=shapiro_wilk(z),
        within_groups=None if cell.size < LEAST_GROUPS else best_split(cell)[0],
    )


def flat(cell: Floats) -> bool:
    return bool(np.ptp(cell) <= 1e-12 * np.abs(cell).max(initial=0.0))


def standardised(cell: Floats) -> Floats:
    """Return the runs less their mean, over their standard deviation."""
    scaled = (cell - cell.mean()) / np.ptp(cell)
    return np.asarray(scaled / np.sqrt(np.mean(scaled**2)))


def skewness(z: Floats) -> float | None:
    """Return G₁ = g₁ √(n(n − 1)) / (n − 2) of standardised runs."""
    n = z.size
    return None if n < 3 else float(np.mean(z**3)) * sqrt(n * (n - 1)) / (n - 2)


def kurtosis(z: Floats) -> float | None:
    """Return G₂ = (n − 1) ((n + 1) g₂ + 6) / ((n − 2)(n − 3)) of standardised runs."""
    n = z.size
    return None if n < 4 else (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * (float(np.mean(z**4)) - 3) + 6)


def dagostino_pearson(z: Floats) -> float | None:
    """Return the p-value of K² = Z₁² + Z₂² against χ² with 2 degrees of freedom (D'Agostino & Pearson 1973); None below 8 runs.

    As SciPy's `normaltest`, which warns below 20 runs, where the p-value of the kurtosis is approximate.
    """
    if z.size < LEAST_DAGOSTINO:
        return None
    return float(special.chdtrc(2, skew_score(z) ** 2 + kurtosis_score(z) ** 2))


def skew_score(z: Floats) -> float:
    """Return D'Agostino's (1970) normal score of the skewness g₁."""
    n = z.size
    y = float(np.mean(z**3)) * sqrt((n + 1) * (n + 3) / (6 * (n - 2)))
    beta = 3 * (n * n + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
    w2 = sqrt(2 * (beta - 1)) - 1
    a = sqrt(2 / (w2 - 1))
    return float(np.arcsinh(y / a)) / sqrt(log(w2) / 2)


def kurtosis_score(z: Floats) -> float:
    """Return Anscombe and Glynn's (1983) normal score of the kurtosis b₂."""
    n = z.size
    mean = 3 * (n - 1) / (n + 1)
    variance = 24 * n * (n - 2) * (n - 3) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    x = (float(np.mean(z**4)) - mean) / sqrt(variance)
    root = 6 * (n * n - 5 * n + 2) / ((n + 7) * (n + 9)) * sqrt(6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)))
    a = 6 + 8 / root * (2 / root + sqrt(1 + 4 / root**2))
    denominator = 1 + x * sqrt(2 / (a - 4))
    term = np.cbrt((1 - 2 / a) / denominator) if denominator != 0 else 0.0
    return float((1 - 2 / (9 * a) - term) / sqrt(2 / (9 * a)))


def shapiro_wilk(z: Floats) -> float | None:
    """Return the p-value of Shapiro and Wilk's W (Royston 1995); None below 3 or above 5000 runs, where it is not accurate."""
    if not LEAST_SHAPIRO <= z.size <= MOST_SHAPIRO:
        return None
    from scipy import stats

    return min(float(stats.shapiro(z).pvalue), 1.0)


# ── runs in two groups ──────────


LEAST_GROUPS = 8
"""With fewer runs two groups far apart are seen in half of the cases or less: too few to judge."""
LEAST_OF_GROUP = 2, 0.1
"""The fewest runs of a group, and the least share of the runs: fewer are outliers."""
ONE_GROUP = MappingProxyType(
    {
        8: 0.0358,
        9: 0.0432,
        10: 0.0511,
        12: 0.0654,
        14: 0.0784,
        16: 0.0898,
        20: 0.1094,
        25: 0.1239,
        30: 0.1342,
        40: 0.1498,
    }
    | {50: 0.1595, 70: 0.1731, 100: 0.1860, 200: 0.2049, 400: 0.2178, 1000: 0.2301}
)
"""By the number of runs, the lowest of the 1 % points of `best_split` of normal, uniform, exponential and t₃ runs (40,000 to 400,000 samples of
each; the exponential's below 20 runs, the uniform's from there on)."""


def two_groups(cell: Floats) -> tuple[int, int] | None:
    """Return how many runs are in the lower and in the upper of two groups; None where they do not fall into two, or are too few to judge.

    They do where the best split leaves less within its sides than in 1 % of samples of one group, whichever of four laws these have.
    """
    if cell.size < LEAST_GROUPS or flat(cell):
        return None
    within, lower = best_split(cell)
    critical = np.interp(log(cell.size), np.log(list(ONE_GROUP)), list(ONE_GROUP.values()))
    return (lower, cell.size - lower) if within < critical else None


def best_split(cell: Floats) -> tuple[float, int]:
    """Return the least sum of squares within two sides of the sorted runs, as a share of the whole, and how many runs are on the lower.

    With deviations from the mean that sum to S_k over the k lowest of n runs, the squares between the sides are n S_k² / (k (n − k)).
    """
    n, z = cell.size, np.sort(standardised(cell))
    least = max(LEAST_OF_GROUP[0], ceil(LEAST_OF_GROUP[1] * n))
    lower = np.arange(least, n - least + 1)
    between = np.cumsum(z)[lower - 1] ** 2 / (lower * (n - lower))
    best = int(between.argmax())
    return max(1.0 - float(between[best]), 0.0), int(lower[best])


# ── the triples test of symmetry, which heavy tails do not mislead ──────────


def symmetry_pvalue(cell: Floats) -> float:
    """Return the two-sided p-value of the triples test, for 5 runs or more; 1 where it cannot tell.

    A triple is right where its middle run is nearer to the lowest, left where it is nearer to the highest; η̂ is a third of the share of right
    less left ones, and z = η̂ / √Var η̂ with the variance of a U-statistic (Randles, Fligner, Policello & Wolfe 1980, JASA 75, eqs. 2.3-2.6).
    A test of the third moment, as D'Agostino's, assumes normal tails: with t₃ runs it errs in 20 to 50 % of cases at 5 %.
    """
    x = np.sort(cell)
    n = x.size
    first, second = x[:, None], x[None, :]
    # Sums over the third run k of sign(x_i + x_j − 2 x_k), sign(x_i + x_k − 2 x_j) and sign(x_j + x_k − 2 x_i). The terms of k = i and
    # k = j cancel.
    total = _balance(x, (first + second) / 2) - _balance(x, 2 * second - first) - _balance(x, 2 * first - second)
    np.fill_diagonal(total, 0)
    pairs = total / (3 * (n - 2))
    alone = pairs.sum(axis=1) / (n - 1)
    eta = float(alone.mean())
    upper = pairs[np.triu_indices(n, 1)]
    parts = ((alone - eta) ** 2).mean(), ((upper - eta) ** 2).mean(), 1 / 9 - eta**2
    variance = sum(comb(3, c) * comb(n - 3, 3 - c) * float(part) for c, part in enumerate(parts, start=1)) / comb(n, 3)
    # The paper takes the normal law; with 20 runs it errs in 7 % of cases at 5 %, a t law in 5 %.
    return float(2 * special.stdtr(n - 3, -abs(eta) / sqrt(variance))) if variance > 0 else 1.0


def _balance(x: Floats, at: Floats) -> Floats:
    """Return how many of the sorted `x` lie below each value, less how many lie above."""
    return np.asarray(
        np.searchsorted(x, at, side="left") - (x.size - np.searchsorted(x, at, side="right")).astype(float)
    )


# ── whether runs of one label move together over tasks ──────────


LOTS, LOT = 20, 100
"""Permutations within tasks are drawn in so many lots of so many."""
FEW = 10_000
"""Up to so many scores are permuted; the sum over the pairs of tasks of more is as good as normal."""
UNSUSPICIOUS = 1.5
"""A sum of fewer standard deviations is not permuted: its p-value is above 1 %."""


@dataclass(frozen=True, slots=True)
class Together:
    """Mean correlation of two tasks over runs of one label, and the p-value of a permutation within tasks."""

    correlation: float
    pvalue: float


def together(matrices: Sequence[Floats]) -> Together:
    """Return whether rows, (n_runs, n_tasks) of each algorithm, move together over columns.

    The statistic is the sum over algorithms and pairs of tasks of the products of standardised residuals, (Σ_r S_r² − Σ e²) / 2 with
    S_r the sum of a run's residuals. Under the null the rows of every task are in any order: each product of two tasks then has mean 0 and
    variance (Σ e_t²)(Σ e_u²) / (n − 1), which is n − 1, and no two are correlated. Tasks where the runs do not vary stand outside.
    """
    parts = [_standardised(matrix) for matrix in matrices]
    products = float(sum(_products(e) for e in parts))
    variance = sum(comb(int(e.any(axis=0).sum()), 2) * (e.shape[0] - 1) for e in parts)
    if variance == 0:
        return Together(0.0, 1.0)
    z = products / sqrt(variance)
    correlation = products / variance
    if z < UNSUSPICIOUS or sum(e.size for e in parts) > FEW:
        return Together(correlation, float(special.ndtr(-z)))
    rng = Streams(0).block("together")
    drawn = sum(
        np.array([_products(rng.permuted(np.broadcast_to(e, (LOT, *e.shape)), axis=1)) for _ in range(LOTS)])
        for e in parts
    )
    return Together(correlation, float((1 + np.sum(drawn >= products * (1 - 1e-9))) / (1 + LOTS * LOT)))


def _standardised(matrix: Floats) -> Floats:
    about = matrix - matrix.mean(axis=0)
    scale = np.abs(matrix).max(axis=0)
    spread = about.std(axis=0, ddof=1)
    return np.asarray(np.divide(about, spread, out=np.zeros_like(about), where=spread > 1e-12 * scale))


def _products(e: Floats) -> Floats:
    """Return the sum of the products of any two columns, (..., n_runs, n_tasks), over the runs."""
    return np.asarray(((e.sum(axis=-1) ** 2).sum(axis=-1) - (e**2).sum(axis=(-2, -1))) / 2)


# ── variance components of a nested design: episodes within runs within tasks, any counts ──────────


Nest = Sequence[Sequence[Floats]]
"""Tasks of runs of episodes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """Estimated variances (None where nothing is replicated at that level) and the counts behind them.

    cut: the components whose estimate was below 0 and is given as 0. episodes_per_run is the harmonic mean: a run's score has episode variance /
    episodes_per_run of evaluation noise.
    """

    task: float | None
    run: float | None
    episode: float | None
    cut: tuple[str, ...]
    n_tasks: int
    n_runs: int
    n_episodes: int
    episodes_per_run: float


def nested_components(nest: Nest) -> Components:
    """Return the analysis-of-variance estimates (Henderson's method 1; Searle, Casella & McCulloch 1992 §3.6, nested model).

    With n_ij episodes of run j on task i, the mean squares have the expectations σ_e²; σ_e² + c₁ σ_r²; σ_e² + c₂ σ_r² + c₃ σ_t². Negative
    estimates are 0. Without repeated episodes, σ_r² is the variance of the runs' scores with their evaluation noise.
    """
    counts = [np.array([run.size for run in task], dtype=np.float64) for task in nest]
    per_task = np.array([c.sum() for c in counts])
    total, n_runs, n_tasks = float(per_task.sum()), int(sum(c.size for c in counts)), len(nest)
    within = float(sum((c**2).sum() / c.sum() for c in counts))
    squares = _sums_of_squares(nest)
    df = np.array([total - n_runs, n_runs - n_tasks, n_tasks - 1])
    episode = _estimate(squares[0], df[0], 0.0, 1.0)
    noise = episode or 0.0
    raw = {"run": _estimate(squares[1], df[1], noise, (total - within) / df[1] if df[1] else 1.0)}
    run = _above_zero(raw["run"])
    c2 = (within - float(sum((c**2).sum() for c in counts)) / total) / df[2] if df[2] else 0.0
    c3 = (total - float((per_task**2).sum()) / total) / df[2] if df[2] else 1.0
    raw["task"] = _estimate(squares[2], df[2], noise + c2 * (run or 0.0), c3)
    harmonic = n_runs / float(sum((1 / c).sum() for c in counts))
    return Components(
        task=_above_zero(raw["task"]),
        run=run,
        episode=episode,
        cut=tuple(name for name, value in raw.items() if value is not None and value < 0),
        n_tasks=n_tasks,
        n_runs=n_runs,
        n_episodes=int(total),
        episodes_per_run=harmonic,
    )


def _estimate(squares: float, df: float, below: float, coefficient: float) -> float | None:
    return None if df == 0 else float((squares / df - below) / coefficient)


def _above_zero(estimate: float | None) -> float | None:
    return None if estimate is None else max(estimate, 0.0)


def _sums_of_squares(nest: Nest) -> tuple[float, float, float]:
    """Return the sums of squares of episodes about runs, runs about tasks, tasks about the grand mean."""
    grand = float(np.mean(np.concatenate([run for task in nest for run in task])))
    episodes = runs = tasks = 0.0
    for task in nest:
        pooled = np.concatenate(task)
        centre = float(pooled.mean())
        episodes += float(sum(((run - run.mean()) ** 2).sum() for run in task))
        runs += float(sum(run.size * (run.mean() - centre) ** 2 for run in task))
        tasks += float(pooled.size * (centre - grand) ** 2)
    return episodes, runs, tasks
