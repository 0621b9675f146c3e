"""The six tests of Colas 2019 on many pairs of samples: all pairs at once, against a SciPy call per pair.

Run as `python -m benchmarks.two_sample`. The loop follows the code of the paper: SciPy tests, with permutations and
bootstrap resamples in Python; a slice of the pairs is timed and scaled.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from runoff._inference.two_sample import run_two_sample

Floats = NDArray[np.float64]

N_RUNS, N_DRAWS = 20, 1000
TESTS = ("student", "welch", "ranked_t", "mann_whitney", "permutation", "bootstrap")


def one_pair_the_usual_way(x: Floats, y: Floats, rng: np.random.Generator) -> list[float]:
    """Run the six tests on one pair as rl_stats does."""
    ranks = stats.rankdata(np.concatenate([x, y]))
    pooled, difference = np.concatenate([x, y]), abs(x.mean() - y.mean())
    hits = 0
    for _ in range(N_DRAWS):
        rng.shuffle(pooled)
        hits += abs(pooled[: x.size].mean() - pooled[x.size :].mean()) >= difference
    draws = rng.choice(x, (N_DRAWS, x.size)).mean(axis=1) - rng.choice(y, (N_DRAWS, y.size)).mean(axis=1)
    return [
        float(stats.ttest_ind(x, y).pvalue),
        float(stats.ttest_ind(x, y, equal_var=False).pvalue),
        float(stats.ttest_ind(ranks[: x.size], ranks[x.size :]).pvalue),
        float(stats.mannwhitneyu(x, y).pvalue),
        hits / N_DRAWS,
        2.0 * min((draws >= 2.0 * (x.mean() - y.mean())).mean(), (draws <= 2.0 * (x.mean() - y.mean())).mean()),
    ]


def all_pairs_at_once(x: Floats, y: Floats) -> dict[str, float]:
    """Return the seconds each test takes on the whole batch, with the paper's 1,000 draws."""
    seconds = {}
    for test in TESTS:
        start = perf_counter()
        run_two_sample(test, x, y, n_resamples=N_DRAWS, interval="basic")
        seconds[test] = perf_counter() - start
    return seconds


def measure(n_pairs: int = 10_000, n_slice: int = 50, repeats: int = 3) -> dict[str, float]:
    """Return seconds of both ways for `n_pairs` pairs of 20 runs, and their ratio; best of `repeats`, side by side."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, n_pairs, N_RUNS))
    all_pairs_at_once(x[:100], y[:100])
    slow, fast = [], []
    for _ in range(repeats):
        start = perf_counter()
        for i in range(n_slice):
            one_pair_the_usual_way(x[i], y[i], rng)
        slow.append((perf_counter() - start) * n_pairs / n_slice)
        fast.append(all_pairs_at_once(x, y))
    best = min(fast, key=lambda seconds: sum(seconds.values()))
    ours, usual = sum(best.values()), min(slow)
    parts = {f"runoff_{test}_s": seconds for test, seconds in best.items()}
    return {"n_pairs": n_pairs, "usual_s": usual, "runoff_s": ours, "ratio": usual / ours, **parts}


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:26} {value:12.4f}")
