"""Sample efficiency, IQM at 20 steps of 26 tasks × 10 runs, 50,000 resamples: percentile intervals by runoff and by rliable 1.2.0.

rliable draws anew at every step, runoff once for all. rliable's side makes 2,000 resamples, and its time is taken 25-fold: it is linear in them.
And all pairs of 20 algorithms at 20 steps of 57 tasks × 5 runs: `runoff.compare_curves`. Run as `python -m benchmarks.curves`.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.aggregate import ROOT, rliable_python

N_STEPS, N_RUNS, N_TASKS, N_RESAMPLES, FEWER = 20, 10, 26, 50_000, 2_000
MANY = (20, 5, 57, N_STEPS)
"""Algorithms, runs, tasks and steps of which all pairs are compared."""

THEIRS = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
import numpy as np
from rliable import library, metrics
scores = {"A": np.load(sys.argv[1], allow_pickle=False)}
iqm = lambda s: np.array([metrics.aggregate_iqm(s[..., k]) for k in range(s.shape[-1])])
library.get_interval_estimates(scores, iqm, reps=20)
start = time.perf_counter()
points, ends = library.get_interval_estimates(scores, iqm, reps=int(sys.argv[2]))
print(json.dumps({"seconds": time.perf_counter() - start, "points": points["A"].tolist(), "ends": ends["A"].tolist()}))
"""


def curves_of(scores: np.ndarray):
    """Return learning curves of an array (n_algorithms, n_runs, n_tasks, n_steps)."""
    import polars as pl

    import runoff as ro

    algorithm, run, task, step = (index.ravel() for index in np.indices(scores.shape))
    frame = {
        "algorithm": algorithm.astype(str),
        "task": task.astype(str),
        "run": run,
        "step": step,
        "score": scores.ravel(),
    }
    return ro.Curves.from_frame(pl.DataFrame(frame))


def measure() -> dict[str, float]:
    """Return seconds of both, and their ratio."""
    import runoff as ro

    scores = np.random.default_rng(1).normal(size=(N_RUNS, N_TASKS, N_STEPS)).cumsum(axis=2)
    curves, seconds = curves_of(scores[None]), []
    for _ in range(4):
        start = perf_counter()
        ours = ro.sample_efficiency(curves, interval="percentile", n_resamples=N_RESAMPLES)
        seconds.append(perf_counter() - start)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.npy"
        np.save(path, scores)
        command = [rliable_python(), "-c", THEIRS, path, str(FEWER)]
        theirs = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout)
    np.testing.assert_allclose([r.estimate for r in ours.records], theirs["points"], rtol=1e-12)
    np.testing.assert_allclose([r.low for r in ours.records], theirs["ends"][0], atol=0.1)
    long = theirs["seconds"] * N_RESAMPLES / FEWER
    start = perf_counter()
    ro.sample_efficiency(curves)
    default = perf_counter() - start
    many = curves_of(np.random.default_rng(2).normal(size=MANY).cumsum(axis=3))
    start = perf_counter()
    ro.compare_curves(many)
    return {
        "rliable_s": long,
        "runoff_s": min(seconds),
        "ratio": long / min(seconds),
        "the default t interval_s": default,
        "190 pairs, 57 tasks x 5 runs_s": perf_counter() - start,
    }


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:40} {value:10.4f}")
