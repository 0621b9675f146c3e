"""Four metrics, 50,000 resamples, 26 tasks: percentile intervals by `runoff.aggregate` and by rliable 1.2.0 in an environment of its own.

rliable can currently be imported only with arch < 8 and pandas < 3. Run as `python -m benchmarks.aggregate`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

ROOT = Path(__file__).parents[1]
BENCH = ROOT / ".venv-bench"
N_RESAMPLES, N_TASKS, RUNS = 50_000, 26, (5, 10, 100)
FOUR = ["iqm", "median", "mean", "optimality_gap"]

PEAK = """
peak = lambda: int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) / 1024
"""
"""The most memory that a process itself held, in MB (Linux): `ru_maxrss` starts from that of the process that started it."""

COLD = f"""
import time; start = time.perf_counter()
import numpy as np, runoff as ro
scores = ro.Scores.from_dict({{"A": np.random.default_rng(0).normal(size=(10, 26))}})
ro.aggregate(scores, metrics={FOUR})
print(time.perf_counter() - start)
"""
LARGE = f"""
import time, numpy as np, runoff as ro
rng = np.random.default_rng(0)
scores = ro.Scores.from_dict({{str(a): rng.normal(size=(200, 57)) for a in range(10)}})
start = time.perf_counter(); ro.aggregate(scores, metrics={FOUR}); seconds = time.perf_counter() - start
{PEAK}
print(seconds, peak())
"""


def rliable_python() -> Path:
    """Return the interpreter of the environment of rliable and other packages, which is made on the first call."""
    python, stamp = BENCH / "bin" / "python", BENCH / "stamp"
    wanted = ["rliable==1.2.0", "arch<8", "pandas<3", "setuptools<81", "pingouin", "scikit-posthocs"]
    if not stamp.exists() or stamp.read_text() != " ".join(wanted):
        subprocess.run([sys.executable, "-m", "venv", BENCH], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True, stderr=subprocess.DEVNULL)
        stamp.write_text(" ".join(wanted))
    return python


def rliable_side(what: str, scores: np.ndarray, n_resamples: int, repeats: int) -> dict[str, list]:
    """Return the seconds of some calls of rliable, its estimates, and its ends."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.npy"
        np.save(path, scores)
        side = ROOT / "benchmarks" / "rliable_side.py"
        command = [rliable_python(), side, what, path, str(n_resamples), str(repeats)]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def rliable_seconds(scores: np.ndarray) -> tuple[float, list[float]]:
    """Return the seconds of one call of rliable, and its IQM interval."""
    answer = rliable_side("aggregates", scores, N_RESAMPLES, 1)
    return min(answer["seconds"]), [end[0] for end in answer["ends"]]


def runoff_seconds(
    scores: np.ndarray, interval: str = "percentile", repeats: int = 7
) -> tuple[float, list[float | None]]:
    """Return the best seconds of a warm call of runoff, and its IQM interval; rliable's is the percentile interval."""
    import runoff as ro

    data = ro.Scores.from_dict({"A": scores})
    options = {"metrics": FOUR, "interval": interval, "n_resamples": N_RESAMPLES}
    result = ro.aggregate(data, **options)
    seconds = []
    for _ in range(repeats):
        start = perf_counter()
        result = ro.aggregate(data, **options)
        seconds.append(perf_counter() - start)
    record = result["A", "iqm"]
    return min(seconds), [record.low, record.high]


def cold_seconds() -> tuple[float, float]:
    """Return the seconds of import and first call in a new process: with an empty kernel cache, and with a filled one."""
    with tempfile.TemporaryDirectory() as cache:
        times = [float(_child(COLD, NUMBA_CACHE_DIR=cache).split()[0]) for _ in range(2)]
    return times[0], times[1]


def _child(code: str, **environment: str) -> str:
    env = {**os.environ, **environment}
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=env).stdout


def measure() -> dict[str, float]:
    """Return seconds of both, their ratio, the cold first call, and time and memory of a large design."""
    figures: dict[str, float] = {}
    rng = np.random.default_rng(1)
    for n_runs in RUNS:
        scores = rng.normal(0.5, 0.4, size=(n_runs, N_TASKS))
        ours, our_ends = runoff_seconds(scores)
        theirs, their_ends = rliable_seconds(scores)
        ours = min(ours, runoff_seconds(scores)[0])
        np.testing.assert_allclose(our_ends, their_ends, atol=0.02)
        default = runoff_seconds(scores, "auto")[0]
        figures |= {
            f"{n_runs} runs: rliable_s": theirs,
            f"{n_runs} runs: runoff_s": ours,
            f"{n_runs} runs: ratio": theirs / ours,
            f"{n_runs} runs: the default t interval_s": default,
            f"{n_runs} runs: rliable / the default, ratio": theirs / default,
        }
    cold, second = cold_seconds()
    seconds, peak = (float(value) for value in _child(LARGE).split())
    figures |= {"cold import + first call_s": cold, "the same, kernels cached_s": second}
    return figures | {"57 tasks x 200 runs x 10 algorithms_s": seconds, "its peak memory_MB": peak}


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:40} {value:10.4f}")
