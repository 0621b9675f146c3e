"""The shape of runs: moments, normality, humps and skewness of a cell, runs that move together over tasks, and components of variance.

Plain numbers or None, never NaN, never a warning from below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, log, sqrt

import numpy as np
from scipy import special

from runoff.base.arrays import Floats
from runoff.base.random import Streams

BIMODAL = 5 / 9
"""Sarle's coefficient of a uniform distribution; above it a distribution may have two humps, or be heavily skewed."""
LEAST_SHAPIRO, MOST_SHAPIRO, LEAST_DAGOSTINO = 3, 5000, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What the runs of a cell look like; None where there are too few of them, or no spread.

    skewness, kurtosis: bias-corrected, kurtosis as excess over the normal's. normality_pvalue: D'Agostino and Pearson's K², from 8 runs.
    shapiro_pvalue: Shapiro and Wilk's W, for 3 to 5000 runs. bimodality: Sarle's coefficient, from 4 runs.
    """

    skewness: float | None
    kurtosis: float | None
    normality_pvalue: float | None
    shapiro_pvalue: float | None
    bimodality: float | None


def shape_of(cell: Floats) -> Shape:
    if flat(cell):
        return Shape(skewness=None, kurtosis=None, normality_pvalue=None, shapiro_pvalue=None, bimodality=None)
    z = standardised(cell)
    return Shape(
        skewness=skewness(z),
        kurtosis=kurtosis(z),
        normality_pvalue=dagostino_pearson(z),
        shapiro_pvalue=shapiro_wilk(z),
        bimodality=bimodality(z),
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


def bimodality(z: Floats) -> float | None:
    """Return Sarle's coefficient (G₁² + 1) / (G₂ + 3 (n − 1)² / ((n − 2)(n − 3))), which lies in (0, 1] (Pfister et al. 2013)."""
    n, skew, excess = z.size, skewness(z), kurtosis(z)
    if skew is None or excess is None:
        return None
    return min((skew**2 + 1) / (excess + 3 * (n - 1) ** 2 / ((n - 2) * (n - 3))), 1.0)


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


def tied(values: Floats) -> int:
    """Return how many values are tied with another."""
    counts = np.unique(values, return_counts=True)[1]
    return int(counts[counts > 1].sum())


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


DRAWS = 2_000
"""Permutations within tasks."""
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
    products = sum(_products(e) for e in parts)
    variance = sum(comb(int(e.any(axis=0).sum()), 2) * (e.shape[0] - 1) for e in parts)
    if variance == 0:
        return Together(0.0, 1.0)
    z = products / sqrt(variance)
    correlation = products / variance
    if z < UNSUSPICIOUS or sum(e.size for e in parts) > FEW:
        return Together(correlation, float(special.ndtr(-z)))
    rng, drawn = Streams(0).block("together"), np.zeros(DRAWS)
    for e in parts:
        for draw in range(DRAWS):
            drawn[draw] += _products(rng.permuted(e, axis=0))
    return Together(correlation, float((1 + np.sum(drawn >= products * (1 - 1e-9))) / (1 + DRAWS)))


def _standardised(matrix: Floats) -> Floats:
    about = matrix - matrix.mean(axis=0)
    scale = np.abs(matrix).max(axis=0)
    spread = about.std(axis=0, ddof=1)
    return np.asarray(np.divide(about, spread, out=np.zeros_like(about), where=spread > 1e-12 * scale))


def _products(e: Floats) -> float:
    return float(((e.sum(axis=-1) ** 2).sum() - (e**2).sum()) / 2)


# ── variance components of a nested design: episodes within runs within tasks, any counts ──────────


Nest = Sequence[Sequence[Floats]]
"""Tasks of runs of episodes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """Estimated variances (None where nothing is replicated at that level) and the counts behind them.

    episodes_per_run is the harmonic mean: a run's score has episode variance / episodes_per_run of evaluation noise.
    """

    task: float | None
    run: float | None
    episode: float | None
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
    run = _estimate(squares[1], df[1], noise, (total - within) / df[1] if df[1] else 1.0)
    c2 = (within - float(sum((c**2).sum() for c in counts)) / total) / df[2] if df[2] else 0.0
    c3 = (total - float((per_task**2).sum()) / total) / df[2] if df[2] else 1.0
    task = _estimate(squares[2], df[2], noise + c2 * (run or 0.0), c3)
    harmonic = n_runs / float(sum((1 / c).sum() for c in counts))
    return Components(
        task=task,
        run=run,
        episode=episode,
        n_tasks=n_tasks,
        n_runs=n_runs,
        n_episodes=int(total),
        episodes_per_run=harmonic,
    )


def _estimate(squares: float, df: float, below: float, coefficient: float) -> float | None:
    return None if df == 0 else float(max((squares / df - below) / coefficient, 0.0))


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
