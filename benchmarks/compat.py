"""The drop-in for rliable, 26 tasks × 10 runs: the same calls of `runoff.compat.rliable` and of rliable 1.2.0, and runoff's own functions.

rliable's sample efficiency is timed with 2,000 resamples, and its time taken 25-fold: it is linear in them. Run as
`python -m benchmarks.compat`.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from benchmarks.aggregate import FOUR, rliable_side

N_TASKS, N_RUNS, N_STEPS = 26, 10, 20
THRESHOLDS = np.linspace(0, 2, 81)
MANY, FEW = 50_000, 2_000


def best(call: Callable[[], object], repeats: int = 3) -> float:
    """Return the best seconds of a warm call."""
    call()
    times = []
    for _ in range(repeats):
        start = perf_counter()
        call()
        times.append(perf_counter() - start)
    return min(times)


def scores() -> dict[str, np.ndarray]:
    """Return what each call takes."""
    rng = np.random.default_rng(1)
    matrix = rng.normal(0.6, 0.4, size=(N_RUNS, N_TASKS))
    return {
        "aggregates": matrix,
        "profile": matrix,
        "improvement": np.array([matrix, rng.normal(0.5, 0.4, size=(N_RUNS, N_TASKS))]),
        "sample_efficiency": rng.normal(size=(N_RUNS, N_TASKS, N_STEPS)).cumsum(axis=2) / 10,
    }


def four(x):
    """Return four metrics, as rliable's README has them."""
    from runoff.compat.rliable import metrics

    return np.array(
        [
            metrics.aggregate_iqm(x),
            metrics.aggregate_median(x),
            metrics.aggregate_mean(x),
            metrics.aggregate_optimality_gap(x),
        ]
    )


def iqm(x):
    """Return the IQM at every step, as rliable's README has it."""
    from runoff.compat.rliable import metrics

    return np.array([metrics.aggregate_iqm(x[..., step]) for step in range(x.shape[-1])])


def dropped_in(data: dict[str, np.ndarray]) -> dict[str, Callable[[], tuple]]:
    """Return the calls of the drop-in."""
    from runoff.compat.rliable import library, metrics

    better = metrics.probability_of_improvement
    return {
        "aggregates": lambda: library.get_interval_estimates({"A": data["aggregates"]}, four),
        "profile": lambda: library.create_performance_profile({"A": data["profile"]}, THRESHOLDS),
        "improvement": lambda: library.get_interval_estimates({"A": tuple(data["improvement"])}, better, reps=FEW),
        "sample_efficiency": lambda: library.get_interval_estimates({"A": data["sample_efficiency"]}, iqm),
    }


def own(data: dict[str, np.ndarray]) -> dict[str, Callable[[], object]]:
    """Return runoff's own calls for the same."""
    import runoff as ro
    from benchmarks.curves import curves_of

    scores = ro.Scores.from_dict({"A": data["aggregates"]})
    curves = curves_of(data["sample_efficiency"][None])
    two = ro.Scores.from_dict(dict(zip("AB", data["improvement"], strict=True)))
    return {
        "aggregates": lambda: ro.aggregate(scores, measure=FOUR, interval="percentile", n_resamples=MANY),
        "profile": lambda: ro.performance_profile(scores, thresholds=THRESHOLDS),
        "improvement": lambda: ro.probability_of_improvement(two),
        "sample_efficiency": lambda: ro.curves(curves, interval="percentile", n_resamples=MANY),
    }


RESAMPLES = {"aggregates": (MANY, 1), "profile": (FEW, 1), "improvement": (FEW, 1), "sample_efficiency": (FEW, 25)}
"""rliable's resamples, and by how much its time is multiplied."""


def measure() -> dict[str, float]:
    """Return seconds of the drop-in, of runoff's own functions and of rliable, and ratios to rliable."""
    data = scores()
    ours, natives = dropped_in(data), own(data)
    figures: dict[str, float] = {}
    for name, call in ours.items():
        seconds = best(call)
        resamples, times = RESAMPLES[name]
        theirs = rliable_side(name, data[name], resamples, 1)
        seconds = min(seconds, best(call))
        points, ends = call()
        np.testing.assert_allclose(np.atleast_1d(points["A"]), theirs["points"], rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(ends["A"], theirs["ends"], atol=0.03)
        long = min(theirs["seconds"]) * times
        figures |= {f"{name}: rliable_s": long, f"{name}: drop-in_s": seconds, f"{name}: ratio": long / seconds}
        figures[f"{name}: runoff's own_s"] = best(natives[name])
    return figures


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:50} {value:10.4f}")
