"""bootstrap.json: points of rliable, intervals of scipy.stats.bootstrap, acceleration of R's boot.

Resampling several samples independently of each other, as SciPy does, is the stratified bootstrap: a sample is what a task's
runs are. Points are those of rliable once fractions have given the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from statistics import mean, median
from typing import Any

import numpy as np
from rliable import metrics
from scipy import stats

from tests.golden.listing import fractions
from tests.golden.tools import Case, Golden, agree, inputs, packages, run_r

DRAWS, BATCH = 1_000_000, 10_000
BCA_DRAWS, BCA_REPEATS = 200_000, 5
METRICS = ("mean", "median", "iqm", "optimality_gap")
RLIABLE = {
    "mean": metrics.aggregate_mean,
    "median": metrics.aggregate_median,
    "iqm": metrics.aggregate_iqm,
    "optimality_gap": metrics.aggregate_optimality_gap,
}
KINDS = ("percentile", "basic")


def make() -> Golden:
    """Return bootstrap.json."""
    cases = inputs("bootstrap")
    software, accelerations = run_r("acceleration.R", [case for case in cases if case["kind"] == "one_sample"])
    of_r = iter(accelerations)
    makers = {
        "aggregate": aggregate,
        "probability_of_improvement": improvement,
        "one_sample": lambda c: one_sample(c, next(of_r)),
    }
    return Golden(
        [*packages("numpy", "scipy", "rliable", "arch"), *software],
        [case | makers[case["kind"]](case) for case in cases],
    )


# ── aggregates of runs by tasks ──────────


def aggregate(case: Case) -> Case:
    """Return points and intervals of the four metrics; scores[run][task]."""
    scores = np.array(case["scores"])
    exact = [fractions(column) for column in zip(*case["scores"], strict=True)]
    plain = {metric: float(rule(exact)) for metric, rule in PLAIN.items()}
    points = {name: agree(f"{case['name']}: {name}", float(RLIABLE[name](scores)), plain[name]) for name in METRICS}
    return {
        "point": points | {"iqm_fractional_weights": float(fractional_iqm(exact))},
        "intervals": intervals(list(scores.T), four_metrics, METRICS),
        "draws": DRAWS,
    }


def pooled(tasks: list[list[Fraction]]) -> list[Fraction]:
    """Return all runs in ascending order."""
    return sorted(score for task in tasks for score in task)


def whole_iqm(tasks: list[list[Fraction]]) -> Fraction:
    """Mean of all runs but ⌊n/4⌋ at each end."""
    scores = pooled(tasks)
    cut = len(scores) // 4
    return mean(scores[cut : len(scores) - cut])


def fractional_iqm(tasks: list[list[Fraction]]) -> Fraction:
    """Mean of the middle half: n/4 runs go at each end, parts of a run too."""
    scores = pooled(tasks)
    quarter = Fraction(len(scores), 4)
    weights = [
        max(Fraction(0), min(i + 1, len(scores) - quarter) - max(Fraction(i), quarter)) for i in range(len(scores))
    ]
    return sum(w * s for w, s in zip(weights, scores, strict=True)) / sum(weights)


PLAIN: dict[str, Callable[[list[list[Fraction]]], Fraction]] = {
    "mean": lambda tasks: mean(pooled(tasks)),
    "median": lambda tasks: median(mean(task) for task in tasks),
    "iqm": whole_iqm,
    "optimality_gap": lambda tasks: mean(1 - min(score, Fraction(1)) for score in pooled(tasks)),
}


def four_metrics(*tasks: np.ndarray, axis: int = -1) -> np.ndarray:
    """Mean, median, IQM and optimality gap of tasks resampled along the last axis."""
    runs = np.concatenate(tasks, axis=axis)
    medians = np.median([task.mean(axis=axis) for task in tasks], axis=0)
    gaps = (1.0 - np.minimum(runs, 1.0)).mean(axis=axis)
    return np.array([runs.mean(axis=axis), medians, stats.trim_mean(runs, 0.25, axis=axis), gaps])


def intervals(samples: list[np.ndarray], statistic: Callable[..., np.ndarray], names: Sequence[str]) -> Case:
    """Return the ends of 95 % percentile and basic intervals of each of the statistics."""
    options: dict[str, Any] = {"vectorized": True, "paired": False, "batch": BATCH, "rng": np.random.default_rng(1)}
    drawn = stats.bootstrap(samples, statistic, n_resamples=DRAWS, method="percentile", **options)
    interval_of = {}
    for kind in KINDS:
        ends = stats.bootstrap(samples, statistic, n_resamples=0, method=kind, bootstrap_result=drawn, **options)
        low, high = np.atleast_1d(ends.confidence_interval.low), np.atleast_1d(ends.confidence_interval.high)
        interval_of[kind] = {name: [float(low[i]), float(high[i])] for i, name in enumerate(names)}
    return interval_of


# ── the probability of improvement ──────────


def improvement(case: Case) -> Case:
    """Return point and percentile interval; runs of x and of y are resampled independently, task by task."""
    x, y = (np.array(case[f"scores_{side}"]) for side in "xy")
    exact = mean(wins(fractions(a), fractions(b)) for a, b in zip(x.T.tolist(), y.T.tolist(), strict=True))
    point = agree(case["name"], float(metrics.probability_of_improvement(x, y)), float(exact))
    ends = intervals([*x.T, *y.T], improvement_of, ["improvement"])
    return {
        "point": point,
        "point_fraction": str(exact),
        "intervals": {"percentile": ends["percentile"]["improvement"]},
    }


def wins(x: list[Fraction], y: list[Fraction]) -> Fraction:
    """P(x > y) + P(x = y) / 2."""
    return mean(Fraction((a > b) + (a >= b), 2) for a in x for b in y)


def improvement_of(*tasks: np.ndarray, axis: int = -1) -> np.ndarray:
    """Mean over tasks of P(x > y) + P(x = y) / 2; first all tasks of x, then all of y; resampled along the last axis."""
    half = len(tasks) // 2
    return np.mean([shares(x, y) for x, y in zip(tasks[:half], tasks[half:], strict=True)], axis=0)


def shares(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """P(x > y) + P(x = y) / 2 of samples along the last axis."""
    difference = x[..., :, None] - y[..., None, :]
    return ((difference > 0) + 0.5 * (difference == 0)).mean(axis=(-2, -1))


# ── one sample ──────────


def one_sample(case: Case, acceleration: float) -> Case:
    """Return the acceleration, and the BCa interval as the mean of some with the standard deviation of one."""
    ends = []
    for seed in range(BCA_REPEATS):
        rng = np.random.default_rng(seed)
        options: dict[str, Any] = {"method": "BCa", "n_resamples": BCA_DRAWS, "batch": BATCH, "vectorized": True}
        ends.append(stats.bootstrap((case["data"],), np.mean, rng=rng, **options).confidence_interval)
    middle, error = np.mean(ends, axis=0), np.std(ends, axis=0, ddof=1)
    return {
        "acceleration_jackknife": acceleration,
        "bca": middle.tolist(),
        "bca_error": error.tolist(),
        "bca_repeats": BCA_REPEATS,
    }
