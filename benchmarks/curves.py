"""Sample efficiency, IQM at 20 steps of 26 tasks × 10 runs, 50,000 resamples: percentile intervals by runoff and by rliable 1.2.0.

rliable draws anew at every step, runoff makes the same draws at each, those of `aggregate`. rliable's side makes 2,000 resamples, and its time
is taken 25-fold: it is linear in them. Processor time is of all threads: it grows less than that on the clock while others use the machine.
And all pairs of 20 algorithms at 20 steps of 57 tasks × 5 runs: `runoff.compare_curves`. And the first call in a process without compiled
kernels, of `compare_curves` and of `time_to_threshold`, with 5 algorithms × 26 tasks × 10 runs × 200 steps. Run as
`python -m benchmarks.curves`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

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
start = time.perf_counter(), time.process_time()
points, ends = library.get_interval_estimates(scores, iqm, reps=int(sys.argv[2]))
seconds = time.perf_counter() - start[0], time.process_time() - start[1]
print(json.dumps({"seconds": seconds, "points": points["A"].tolist(), "ends": ends["A"].tolist()}))
"""

FIRST = """
import sys, time
import numpy as np
import runoff as ro
from benchmarks.curves import curves_of
curves = curves_of(np.random.default_rng(3).normal(size=(5, 10, 26, 200)).cumsum(axis=3))
start = time.perf_counter()
ro.compare_curves(curves) if sys.argv[1] == "compare_curves" else ro.time_to_threshold(curves, 5.0)
print(time.perf_counter() - start)
"""


def first_call(verb: str) -> float:
    """Return the seconds of the first call of a verb, with an empty kernel cache."""
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "NUMBA_CACHE_DIR": cache, "PYTHONPATH": str(ROOT / "src")}
        command = [sys.executable, "-c", FIRST, verb]
        return float(subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT, env=env).stdout)


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
    for _ in range(6):
        start, processor = perf_counter(), process_time()
        ours = ro.curves(curves, interval="percentile", n_resamples=N_RESAMPLES)
        seconds.append((perf_counter() - start, process_time() - processor))
    best = [min(both) for both in zip(*seconds, strict=True)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.npy"
        np.save(path, scores)
        command = [rliable_python(), "-c", THEIRS, path, str(FEWER)]
        theirs = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout)
    np.testing.assert_allclose([r.estimate for r in ours.rows], theirs["points"], rtol=1e-12)
    np.testing.assert_allclose([r.low for r in ours.rows], theirs["ends"][0], atol=0.1)
    long = [both * N_RESAMPLES / FEWER for both in theirs["seconds"]]
    start = perf_counter()
    ro.curves(curves)
    default = perf_counter() - start
    many = curves_of(np.random.default_rng(2).normal(size=MANY).cumsum(axis=3))
    start = perf_counter()
    ro.compare_curves(many)
    pairs = perf_counter() - start
    return {
        "rliable_s": long[0],
        "runoff_s": best[0],
        "ratio": long[0] / best[0],
        "rliable, processor time_s": long[1],
        "runoff, processor time_s": best[1],
        "processor time, ratio": long[1] / best[1],
        "the default t interval_s": default,
        "190 pairs, 57 tasks x 5 runs_s": pairs,
        **{f"first {verb}, 5 x 26 x 10 x 200_s": first_call(verb) for verb in ("compare_curves", "time_to_threshold")},
    }


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:40} {value:10.4f}")
