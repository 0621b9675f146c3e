"""All pairs of 20 and of 30 algorithms, 57 tasks of 5 runs: `compare` with all that it says, over runs and over tasks.

The ratio is to SciPy's Welch test of every pair on every task, which says less, in the same run. Run as `python -m benchmarks.compare`.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy import stats

import runoff as ro
from benchmarks.improvement import best


def runs(n_algorithms: int) -> np.ndarray:
    """Return scores (n_algorithms, 5, 57) in [0, 1]."""
    drawn = np.random.default_rng(0).random((n_algorithms, 5, 57))
    return 0.5 * drawn + 0.01 * np.arange(n_algorithms)[:, None, None]


def welch(scores: np.ndarray) -> None:
    for x, y in combinations(scores, 2):
        for a, b in zip(x.T, y.T, strict=True):
            stats.ttest_ind(a, b, equal_var=False)


def measure() -> dict[str, float]:
    """Return the seconds of each question, and the ratio."""
    figures = {}
    for n in (20, 30):
        grid = runs(n)
        scores = ro.Scores.from_dict({f"A{i}": rows for i, rows in enumerate(grid)})
        for over in ("runs", "tasks"):
            figures[f"{n} algorithms, over {over}_s"] = best(lambda s=scores, o=over: ro.compare(s, over=o), 3)  # type: ignore[misc]
    grid = runs(20)
    figures["20 algorithms, SciPy's Welch tests_s"] = best(lambda: welch(grid), 1)
    figures["ratio of SciPy to compare, 20 algorithms"] = (
        figures["20 algorithms, SciPy's Welch tests_s"] / figures["20 algorithms, over runs_s"]
    )
    return figures


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:50} {value:8.2f}")
