"""Wall times of the command line with warm caches: `runoff --help`, `runoff demo` (the report on the shipped data, with its curves, 50,000
resamples), and `runoff report` on 30 algorithms × 57 tasks × 5 runs, with the peak memory of both its processes together (Linux: proportional
set size, sampled). A ratio is one process, RUNOFF_THREADS=1, to all cores.

Run as `python -m benchmarks.report`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, sleep

import numpy as np

BETWEEN = 0.05
"""Seconds between two looks at the memory."""


def seconds(*arguments: str, repeats: int = 3, threads: int | None = None) -> float:
    """Return the best wall time of a command of runoff; the first call warms the caches and does not count."""
    times = []
    for _ in range(repeats + 1):
        start = perf_counter()
        subprocess.run(command(*arguments), check=True, capture_output=True, env=environment(threads))
        times.append(perf_counter() - start)
    return min(times[1:])


def peak(*arguments: str) -> float:
    """Return the most memory that a command and the processes it starts hold at one time, in MB."""
    most = 0.0
    with subprocess.Popen(command(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            most = max(most, sum(map(memory, tree(process.pid))))
            sleep(BETWEEN)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return most


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "runoff", *arguments]


def environment(threads: int | None) -> dict[str, str]:
    return os.environ | ({} if threads is None else {"RUNOFF_THREADS": str(threads)})


def tree(pid: int) -> Iterator[int]:
    """Yield a process and all that descend from it."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text(encoding="ascii").split():
            yield from tree(int(child))


def memory(pid: int) -> float:
    """Return the proportional set size of a process in MB; 0 of one that has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


def large(path: Path, n_algorithms: int = 30, n_tasks: int = 57, n_runs: int = 5) -> Path:
    """Write random scores as a table with one row a run."""
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(n_algorithms, n_tasks, n_runs)) * 0.3 + rng.normal(size=(n_tasks, 1)) * 0.3
    scores += 0.02 * np.arange(n_algorithms)[:, None, None]
    rows = [f"algorithm {a},task {t},{r},{score:.5f}" for (a, t, r), score in np.ndenumerate(scores)]
    path.write_text("\n".join(["algorithm,task,run,score", *rows, ""]), encoding="utf-8")
    return path


def measure() -> dict[str, float]:
    """Return the seconds of the commands, and what the largest holds."""
    with tempfile.TemporaryDirectory() as folder:
        out, table = ("-o", str(Path(folder) / "report")), str(large(Path(folder) / "large.csv"))
        demo, alone = seconds("demo", *out), seconds("demo", *out, threads=1)
        return {
            "runoff --help_s": seconds("--help", repeats=5),
            "runoff demo (report on the shipped data)_s": demo,
            "the same by one process_s": alone,
            "the same, ratio": alone / demo,
            "report on 30 x 57 x 5_s": seconds("report", table, *out, repeats=1),
            "its peak memory, both processes_MB": peak("report", table, *out),
        }


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:45} {value:8.3f}")
