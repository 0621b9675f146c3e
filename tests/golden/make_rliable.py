"""rliable.json: what rliable itself says, for the drop-in: points, ends of 50,000 resamples with what they leave open, and where the two part.

An end of one sample of resamples is held against the quantiles of rliable's own resamples at levels that are four standard errors of the
difference of two such samples apart: `between`. `differ` holds numbers of the page for those who come from rliable.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
from rliable import library, metrics
from scipy import stats

from tests.golden.tools import Case, Golden, inputs, packages

REPS, LEVEL, ERRORS = 50_000, 0.025, 4
warnings.filterwarnings("ignore", category=FutureWarning)
THRESHOLDS = [-0.5, 0.0, 0.25, 0.5, 0.75, 1.0]
Array = np.ndarray


def four(x: Array) -> Array:
    """Return the aggregates of rliable's README."""
    return np.array(
        [
            metrics.aggregate_median(x),
            metrics.aggregate_iqm(x),
            metrics.aggregate_mean(x),
            metrics.aggregate_optimality_gap(x),
        ]
    )


def iqm_of_steps(x: Array) -> Array:
    """Return the IQM at every step."""
    return np.array([metrics.aggregate_iqm(x[..., step]) for step in range(x.shape[-1])])


def trimmed_columns(x: Array) -> Array:
    """Return the IQM of every column, as Tianshou does."""
    return stats.trim_mean(x, proportiontocut=0.25, axis=0)


def spread(x: Array) -> float:
    """Return a number that is none of rliable's metrics."""
    return np.std(x)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "four": four,
    "iqm_of_steps": iqm_of_steps,
    "trimmed_columns": trimmed_columns,
    "spread": spread,
    "improvement": metrics.probability_of_improvement,
    "profile": lambda x: library.score_distributions(x, THRESHOLDS),
    "average_profile": lambda x: library.average_score_distributions(x, THRESHOLDS),
}


def make() -> Golden:
    """Return rliable.json."""
    np.random.seed(0)  # noqa: NPY002 - what rliable draws with
    given = {case["name"]: case for case in inputs("bootstrap")}
    matrices = {name: [np.array(given[name]["scores"])] for name in ("r5_t5", "r4_t4_ties", "r10_t1", "r20_t6")}
    pairs = {
        name: [np.array(given[name][f"scores_{side}"]) for side in "xy"] for name in ("r5x5_t3", "r3x4_t2_unequal_runs")
    }
    steps = [np.random.default_rng(5).normal(0.5, 0.3, size=(5, 4, 3)).round(3)]
    cases = [resampled(name, "four", arrays) for name, arrays in matrices.items()]
    cases += [resampled("r5_t5", "four", matrices["r5_t5"], task_bootstrap=True)]
    cases += [resampled(name, "improvement", arrays) for name, arrays in pairs.items()]
    cases += [resampled("steps", "iqm_of_steps", steps), resampled("steps", "iqm_of_steps", steps, task_bootstrap=True)]
    cases += [resampled("r5_t5", function, matrices["r5_t5"]) for function in ("trimmed_columns", "spread")]
    cases += [
        resampled(name, function, matrices[name])
        for name in ("r5_t5", "r20_t6")
        for function in ("profile", "average_profile")
    ]
    return Golden(packages("numpy", "scipy", "rliable", "arch"), [*cases, {"name": "differ", "drawn": differ()}])


def resampled(name: str, function: str, arrays: list[Array], *, task_bootstrap: bool = False) -> Case:
    """Return the point of a function, and between what its ends lie, low and high, by method."""
    func = FUNCTIONS[function]
    if len(arrays) > 1:
        bootstrap = library.StratifiedIndependentBootstrap(*arrays)
    else:
        bootstrap = library.StratifiedBootstrap(*arrays, task_bootstrap=task_bootstrap)
    point = np.atleast_1d(func(*arrays))
    bootstrap.conf_int(func, reps=REPS, method="percentile")
    drawn = bootstrap._results
    between = {method: shown(ends(drawn, point)) for method, ends in METHODS.items() if possible(method, drawn, point)}
    return {
        "name": f"{name}: {function}" + (", tasks too" if task_bootstrap else ""),
        "function": function,
        "arrays": [array.tolist() for array in arrays],
        "task_bootstrap": task_bootstrap,
        "point": point.tolist(),
        "drawn": {"reps": REPS, "between": between},
    }


def shown(ends: Array) -> list[Any]:
    """Return brackets to 10 digits."""
    return [[[float(f"{x:.10g}") for x in bracket] for bracket in side] for side in ends.tolist()]


def possible(method: str, drawn: Array, point: Array) -> bool:
    """Whether the bias is known without ties, on which the two differ."""
    below, equal = (drawn < point - 1e-12).mean(axis=0), (np.abs(drawn - point) <= 1e-12).mean(axis=0)
    return method != "bc" or bool(np.all((below > 0.05) & (below < 0.95) & (equal < 1e-3)))


def quantiles(drawn: Array, level: float, error: float) -> Array:
    """Return the quantiles at levels `error` below and above, (n_values, 2)."""
    levels = np.clip([level - error, level + error], 0, 1)
    return np.quantile(drawn, levels, axis=0).T


def error_of(level: float) -> float:
    """Return so many standard errors of the difference of two shares of resamples."""
    return ERRORS * sqrt(2 * level * (1 - level) / REPS)


def percentile(drawn: Array, point: Array) -> Array:
    """Return brackets of the ends, (2, n_values, 2)."""
    del point
    return np.array([quantiles(drawn, p, error_of(p)) for p in (LEVEL, 1 - LEVEL)])


def basic(drawn: Array, point: Array) -> Array:
    """Return brackets of the ends: twice the point without the other quantile."""
    low, high = percentile(drawn, point)
    return np.array([2 * point[:, None] - high[:, ::-1], 2 * point[:, None] - low[:, ::-1]])


def bias_corrected(drawn: Array, point: Array) -> Array:
    """Return brackets of the ends; the bias has an error of its own."""
    z0 = stats.norm.ppf((drawn < point).mean(axis=0))
    ends = []
    for p in (LEVEL, 1 - LEVEL):
        side = []
        for column, bias in zip(drawn.T, z0, strict=True):
            at = 2 * bias + stats.norm.ppf(p)
            level = stats.norm.cdf(at)
            slope = 2 * stats.norm.pdf(at) / stats.norm.pdf(bias)
            side.append(quantiles(column[:, None], level, error_of(level) + slope * error_of(0.5))[0])
        ends.append(side)
    return np.array(ends)


METHODS = {"percentile": percentile, "basic": basic, "bc": bias_corrected}


# ── where the two part ──────────


def differ() -> Case:
    """Return rliable's numbers on the page for those who come from it; its data are made as the page makes them."""
    rng = np.random.default_rng(3)
    scores, curves = rng.lognormal(0, 1, size=(10, 6)), rng.normal(size=(5, 6, 50)).cumsum(axis=2)
    x, y = rng.normal(0.6, 1, size=(5, 6)), rng.normal(size=(5, 6))
    rates = np.array([[0, 1], [1, 1], [0, 1], [1, 0]])

    def iqm(x: Array) -> Array:
        return np.array([metrics.aggregate_iqm(x)])

    def mean(x: Array) -> Array:
        return np.array([metrics.aggregate_mean(x)])

    def both(x: Array) -> Array:
        return np.array([metrics.aggregate_mean(x), metrics.aggregate_optimality_gap(x)])

    def area(x: Array) -> Array:
        return np.array([np.mean([metrics.aggregate_mean(x[..., step]) for step in range(x.shape[-1])])])

    def ends(func: Callable[..., Any], given: Any, **options: Any) -> list[float]:
        return library.get_interval_estimates({"A": given}, func, **options)[1]["A"][:, 0].tolist()

    turned = np.column_stack([scores[:, 0], scores[::-1, 1:]])
    reps = {"reps": 20_000}
    return {
        "seeded": [ends(iqm, scores, reps=2_000, random_state=np.random.RandomState(1)) for _ in range(2)],
        "area": ends(area, curves, reps=2_000),
        "bca mean alone": ends(mean, scores, method="bca", **reps),
        "bca mean beside the gap": ends(both, scores, method="bca", **reps),
        "bca rows": acceleration(mean, scores),
        "bca rows turned": acceleration(mean, turned),
        "bc of rates": ends(mean, rates, method="bc", **reps),
        "pair": ends(metrics.probability_of_improvement, (x, y), reps=2_000),
        "pair, tasks too": ends(metrics.probability_of_improvement, (x, y), reps=2_000, task_bootstrap=True),
        "fewer tasks": float(metrics.probability_of_improvement(x[:, :2], y)),
        "profile": [
            library.create_performance_profile({"A": scores}, [1.0], reps=200)[1]["A"][:, 0].tolist() for _ in range(2)
        ],
        "profile of NaN": float(library.score_distributions(np.array([[1.0], [np.nan]]), [0.5])[0]),
    }


def acceleration(func: Callable[..., Any], scores: Array) -> float:
    """Return the acceleration that arch finds."""
    return float(library.StratifiedBootstrap(scores)._bca_acceleration(func, None)[0, 0])
