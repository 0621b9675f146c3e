"""The same work by general packages, in the same run: SciPy beside runoff, arch, pingouin and scikit-posthocs in the environment of rliable.

An exact permutation test of 10 runs against 10 (184,756 relabellings); the percentile interval of a mean of 100 runs, 50,000 resamples; the
Mann-Whitney test of all 190 pairs of 20 algorithms of 10 runs on one task, with Holm's correction: `compare` says more of each. pingouin takes
the pairs one by one. Run as `python -m benchmarks.peers`.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
from scipy import stats

import runoff as ro
from benchmarks.aggregate import rliable_python
from benchmarks.improvement import best

N_RESAMPLES = 50_000
THEIRS = Path(__file__).with_name("peers_side.py")


def difference(x: np.ndarray, y: np.ndarray, axis: int = -1) -> np.ndarray:
    return x.mean(axis=axis) - y.mean(axis=axis)


def of_scipy(x: np.ndarray, y: np.ndarray, runs: np.ndarray) -> dict[str, float]:
    """Return the seconds of SciPy."""
    return {
        "permutation test: SciPy_s": best(
            lambda: stats.permutation_test((x, y), difference, vectorized=True, n_resamples=np.inf), 1
        ),
        "bootstrap: SciPy_s": best(
            lambda: stats.bootstrap((runs,), np.mean, n_resamples=N_RESAMPLES, method="percentile", rng=0), 3
        ),
    }


def of_runoff(x: np.ndarray, y: np.ndarray, runs: np.ndarray) -> dict[str, float]:
    """Return the seconds of runoff."""
    mean = {"metrics": ["mean"], "interval": "percentile", "n_resamples": N_RESAMPLES}
    groups = np.random.default_rng(2).normal(size=(20, 10))
    many = ro.Scores.from_dict({str(at): rows[:, None] for at, rows in enumerate(groups)})
    alone = ro.Scores.from_dict({"A": runs[:, None]})
    return {
        "permutation test: runoff_s": best(lambda: ro.two_sample_test(x, y, test="permutation", method="exact"), 3),
        "bootstrap: runoff_s": best(lambda: ro.aggregate(alone, **mean), 3),
        "190 pairs: runoff_s": best(lambda: ro.compare(many, test="mann_whitney", correction="holm"), 3),
    }


def measure() -> dict[str, float]:
    """Return the seconds of each, and the ratios to runoff."""
    rng = np.random.default_rng(0)
    x, y, runs = rng.normal(size=10), rng.normal(0.5, size=10), np.random.default_rng(1).normal(size=100)
    theirs = json.loads(
        subprocess.run([rliable_python(), THEIRS], check=True, capture_output=True, text=True).stdout.splitlines()[-1]
    )
    seconds = of_scipy(x, y, runs) | theirs | of_runoff(x, y, runs)
    ratios = {
        f"{label.removesuffix('_s')}, ratio": value / seconds[f"{label.split(':')[0]}: runoff_s"]
        for label, value in seconds.items()
        if "runoff" not in label
    }
    return dict(sorted((seconds | ratios).items()))


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:50} {value:10.4f}")
