"""The first call of a fresh installation, with 20 scores: processor seconds of a verb with an empty kernel cache, and with a filled one.

Run as `python -m benchmarks.first_call`. Best of three: processor seconds grow as well while others use the machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import numpy as np

REPEATS = 3
VERBS = {
    "compare": ["compare"],
    "compare --test brunner_munzel": ["compare", "--test", "brunner_munzel"],
    "aggregate": ["aggregate"],
    "rank": ["rank"],
    "report": ["report", "-o", "report"],
}


def write_scores(path: Path) -> None:
    """Write ten scores of two algorithms on one task."""
    rng = np.random.default_rng(0)
    rows = [f"{name},task,{run},{rng.normal(shift)}" for name, shift in (("A", 0), ("B", 1)) for run in range(10)]
    path.write_text("\n".join(["algorithm,task,run,score", *rows, ""]), encoding="utf-8")


def processor_seconds(arguments: list[str], folder: Path, cache: Path) -> float:
    """Return user and system seconds of one run of the command line with kernels in `cache`."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-m", "runoff", arguments[0], "scores.csv", *arguments[1:]]
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, cwd=folder, env=environment)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def first_and_second(arguments: list[str]) -> tuple[float, float]:
    """Return the seconds of a first call and of a second one."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_scores(folder / "scores.csv")
        first, second = (processor_seconds(arguments, folder, folder / "cache") for _ in range(2))
    return first, second


def measure() -> dict[str, float]:
    """Return the seconds of each verb."""
    figures: dict[str, float] = {}
    for label, arguments in VERBS.items():
        seconds = [first_and_second(arguments) for _ in range(REPEATS)]
        figures[f"{label}: first call_s"] = min(first for first, _ in seconds)
        figures[f"{label}: later calls_s"] = min(later for _, later in seconds)
    return figures


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:40} {value:10.3f}")
