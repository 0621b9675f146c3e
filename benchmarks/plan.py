"""Plans from a pilot of 2 algorithms x 26 tasks x 5 runs, 2,000 simulated experiments for each number of runs, on all cores.

Run as `python -m benchmarks.plan`. The first call of all compiles, and is not counted.
"""

from __future__ import annotations

from time import perf_counter, process_time

import numpy as np

import runoff as ro

RNG = np.random.default_rng(0)
PILOT = ro.Scores.from_dict({"A": RNG.normal(1, 0.3, (5, 26)), "B": RNG.normal(1.1, 0.3, (5, 26))})


def seconds(test: str, effect: float, clock=perf_counter) -> tuple[float, int]:  # type: ignore[no-untyped-def]
    """Return the seconds of a plan and the runs that it asks for."""
    start = clock()
    plan = ro.plan(PILOT, effect=effect, test=test, curve_to=50)
    return clock() - start, plan.n_runs


def measure() -> dict[str, float]:
    """Return the seconds of each plan, by name; curves to 50 runs."""
    seconds("auto", 0.2)
    figures = {}
    for test in ("auto", "welch", "mack_skillings"):
        spent, n_runs = seconds(test, 0.05)
        figures[f"{test}, {n_runs} runs needed, curve to 50_s"] = spent
    figures["auto, processor time of the same_s"] = seconds("auto", 0.05, process_time)[0]
    return figures


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:50} {value:8.2f}")
