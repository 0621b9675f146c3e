"""All pairs of 20 and of 30 algorithms, 57 tasks of 5 runs: `compare` with all that it says, over runs and over tasks; of 100, 10 tasks of 5.

The ratios are to SciPy's Welch test of every pair on every task, which says less, in the same run. Of 100 algorithms, six effect sizes of 4,950
pairs and intervals whose overlap agrees with their tests too. Run as `python -m benchmarks.compare`.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy import stats

import runoff as ro
from benchmarks.improvement import best


def runs(n_algorithms: int, n_tasks: int = 57) -> np.ndarray:
    """Return scores (n_algorithms, 5, n_tasks) in [0, 1]."""
    drawn = np.random.default_rng(0).random((n_algorithms, 5, n_tasks))
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
    return figures | many()


def many() -> dict[str, float]:
    """Return the seconds of 4,950 pairs."""
    grid = runs(100, 10)
    scores = ro.Scores.from_dict({f"A{i}": rows for i, rows in enumerate(grid)})
    seconds = {
        "100 algorithms, compare_s": best(lambda: ro.compare(scores), 1),
        "100 algorithms, effect_sizes_s": best(lambda: ro.effect_sizes(scores), 1),
        "100 algorithms, inferential_intervals_s": best(lambda: ro.inferential_intervals(scores, measure="mean"), 1),
        "100 algorithms, rank_intervals_s": best(lambda: ro.rank_intervals(scores), 1),
        "100 algorithms, SciPy's Welch tests_s": best(lambda: welch(grid), 1),
    }
    ratio = seconds["100 algorithms, SciPy's Welch tests_s"] / seconds["100 algorithms, compare_s"]
    return seconds | {"ratio of SciPy to compare, 100 algorithms": ratio}


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:50} {value:8.2f}")
