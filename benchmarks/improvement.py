"""The probability of improvement of one pair, 26 tasks of 10 runs: runoff with its t interval, rliable 1.2.0 with 2,000 resamples.

And what runoff says beside it: all pairs of 12 algorithms, places, robustness. Run as `python -m benchmarks.improvement`.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.aggregate import rliable_python

N_RESAMPLES, N_TASKS, N_RUNS, N_ALGORITHMS = 2_000, 26, 10, 12
RLIABLE = """
import json, sys, time, warnings
import numpy as np
warnings.simplefilter("ignore")
from rliable import library, metrics
x, y = np.load(sys.argv[1], allow_pickle=False)
pair = {"A,B": (x, y)}
library.get_interval_estimates(pair, metrics.probability_of_improvement, reps=10)
start = time.perf_counter()
points, ends = library.get_interval_estimates(pair, metrics.probability_of_improvement, reps=int(sys.argv[2]))
print(json.dumps([time.perf_counter() - start, float(points["A,B"]), *ends["A,B"].ravel().tolist()]))
"""


def rliable_answer(pair: np.ndarray) -> list[float]:
    """Return seconds, estimate and ends of one call of rliable; pair (2, n_runs, n_tasks)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pair.npy"
        np.save(path, pair)
        command = [rliable_python(), "-c", RLIABLE, path, str(N_RESAMPLES)]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def best(call: Callable[[], object], repeats: int = 9) -> float:
    """Return the best seconds of a warm call."""
    call()
    seconds = []
    for _ in range(repeats):
        start = perf_counter()
        call()
        seconds.append(perf_counter() - start)
    return min(seconds)


def measure() -> dict[str, float]:
    """Return seconds of both and their ratio, and of the other answers about pairs."""
    import runoff as ro

    rng = np.random.default_rng(1)
    pair = np.stack([rng.normal(shift, 1.0, (N_RUNS, N_TASKS)) for shift in (0.2, 0.0)])
    scores = ro.Scores.from_dict({"A": pair[0], "B": pair[1]})
    ours = best(lambda: ro.probability_of_improvement(scores))
    theirs, point, *_ = rliable_answer(pair)
    record = ro.probability_of_improvement(scores).rows[0]
    np.testing.assert_allclose(record.estimate, point, atol=1e-9)  # the intervals are of two kinds
    ours = min(ours, best(lambda: ro.probability_of_improvement(scores)))
    many = ro.Scores.from_dict({f"{a}": rng.normal(0.1 * a, 1.0, (N_RUNS, N_TASKS)) for a in range(N_ALGORITHMS)})
    return {
        "one pair: rliable_s": theirs,
        "one pair: runoff_s": ours,
        "one pair: ratio": theirs / ours,
        "66 pairs_s": best(lambda: ro.probability_of_improvement(many), 3),
        "places of 12 algorithms by the mean_s": best(lambda: ro.rank_intervals(many, measure="mean"), 3),
        "places of 12 algorithms by the IQM_s": best(lambda: ro.rank_intervals(many, measure="iqm"), 3),
        "robustness of 66 pairs_s": best(lambda: ro.robustness(many), 3),
    }


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:40} {value:10.4f}")
