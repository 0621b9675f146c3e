"""Mack-Skillings p-values: runoff and, for comparison, the loop of Casesa (2024), appendix B.1.

Run as `python -m benchmarks.rank`. The loop permutes every task's ranks with NumPy and rounds every statistic; a slice
of its draws is timed and scaled.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from runoff._inference.blocked import asymptotic_pvalues, exact_pvalues, run_blocked

Floats = NDArray[np.float64]
Storage = tuple[Floats, NDArray[np.int64], int, int]
N_DRAWS = 10_000


def storage(n_algorithms: int, n_tasks: int, n_runs: int, *, ties: bool = False) -> Storage:
    """Return random scores of a balanced design."""
    values = np.random.default_rng(0).normal(size=n_algorithms * n_tasks * n_runs)
    offsets = np.arange(n_algorithms * n_tasks + 1) * n_runs
    return (np.round(values * 5) if ties else values), offsets, n_algorithms, n_tasks


def the_usual_way(k: int, n: int, c: int, n_draws: int) -> float:
    """Return the seconds of the thesis's Monte Carlo loop."""
    rng = np.random.default_rng(0)
    ranks, total = np.tile(np.arange(1, c * k + 1), (n, 1)), k * n * c
    permuted, statistics = np.zeros((n, c * k)), np.zeros(n_draws)
    start = perf_counter()
    for i in range(n_draws):
        for j in range(n):
            permuted[j] = rng.permutation(ranks[j])
        sums = [np.sum(permuted[:, a * c : (a + 1) * c]) / c for a in range(k)]
        statistics[i] = round(12 / (k * (total + n)) * np.sum(np.array(sums) ** 2) - 3 * (total + n), 5)
    np.unique(statistics)
    return perf_counter() - start


def warm(call: Callable[[], object], repeats: int = 3) -> float:
    """Return the best of a few timings after a first call."""
    call()
    times = []
    for _ in range(repeats):
        start = perf_counter()
        call()
        times.append(perf_counter() - start)
    return min(times)


def measure() -> dict[str, float]:
    """Return the seconds of each, by name, and the ratio to the thesis's loop."""
    batch = np.random.default_rng(1).normal(size=(2_000, 2, 26, 10))
    seconds = {
        "exact, 2 algorithms x 26 tasks x 10 runs": warm(lambda: run_blocked("mack_skillings", *storage(2, 26, 10))),
        "exact, 2 x 57 x 25": warm(lambda: run_blocked("mack_skillings", *storage(2, 57, 25))),
        "exact, 2 x 57 x 25, ties": warm(lambda: run_blocked("mack_skillings", *storage(2, 57, 25, ties=True))),
        "exact, 3 x 26 x 3": warm(lambda: run_blocked("mack_skillings", *storage(3, 26, 3))),
        "Monte Carlo, 6 x 26 x 10, 10,000 draws": warm(
            lambda: run_blocked("mack_skillings", *storage(6, 26, 10), method="monte_carlo", n_resamples=N_DRAWS)
        ),
        "the same, the thesis's loop": the_usual_way(6, 26, 10, N_DRAWS // 20) * 20,
        "asymptotic, batch of 2,000 of 2 x 26 x 10": warm(lambda: asymptotic_pvalues(batch)),
        "exact, batch of 2,000 of 2 x 26 x 10": warm(lambda: exact_pvalues(batch)),
    }
    ratio = seconds["the same, the thesis's loop"] / seconds["Monte Carlo, 6 x 26 x 10, 10,000 draws"]
    return {f"{name}_s": value for name, value in seconds.items()} | {"Monte Carlo ratio": ratio}


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:45} {value:10.4f}")
