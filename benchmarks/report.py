"""Reports by the command line with warm caches, and what they hold: `runoff --help`; `runoff demo` (the shipped data with their curves); 30
algorithms × 57 tasks × 5 runs; 100 × 10 × 5; 10 × 57 × 10 with curves of 200 points.

Seconds of processor time, of all cores together, the best of two or three; beside them the load of the machine, and the seconds on the clock,
which a loaded machine lengthens. Memory is the proportional set size, sampled (Linux): libraries that other processes use count in part.

Run as `python -m benchmarks.report`.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, sleep

import numpy as np

BETWEEN = 0.05
"""Seconds between two looks at the memory."""


def seconds(*arguments: str, repeats: int = 3) -> tuple[float, float]:
    """Return the least processor time and the least wall time of a command of runoff; the first call warms the caches and does not count."""
    cpu, wall = [], []
    for _ in range(repeats + 1):
        used, start = _used(), perf_counter()
        subprocess.run(command(*arguments), check=True, capture_output=True)
        cpu.append(_used() - used)
        wall.append(perf_counter() - start)
    return min(cpu[1:]), min(wall[1:])


def _used() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


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


def runs(path: Path, n_algorithms: int, n_tasks: int, n_runs: int, n_steps: int = 1) -> str:
    """Write random scores as a table with one row a run, or a step of a run; return its path."""
    rng, shape = np.random.default_rng(1), (n_algorithms, n_tasks, n_runs, n_steps)
    scores = rng.normal(size=shape) * 0.3 + rng.normal(size=(n_tasks, 1, 1)) * 0.3
    scores += 0.02 * np.arange(n_algorithms)[:, None, None, None] + 1 - np.exp(-np.arange(1, n_steps + 1) / 50)
    step = "step," * (n_steps > 1)
    rows = (
        f"algorithm {a},task {t},{r},{step and f'{s},'}{score:.5f}" for (a, t, r, s), score in np.ndenumerate(scores)
    )
    path.write_text("\n".join([f"algorithm,task,run,{step}score", *rows, ""]), encoding="utf-8")
    return str(path)


SIZES = {
    "30 x 57 x 5": (30, 57, 5),
    "100 x 10 x 5": (100, 10, 5),
    "10 x 57 x 10 with curves of 200 points": (10, 57, 10, 200),
}


def measure() -> dict[str, float]:
    """Return the seconds of the commands, and what the largest hold."""
    with tempfile.TemporaryDirectory() as folder:
        out = ("-o", str(Path(folder) / "report"))
        numbers = {"load of the machine before": os.getloadavg()[0], "runoff --help_s": seconds("--help")[0]}
        numbers["runoff demo_s"], numbers["runoff demo, on the clock_s"] = seconds("demo", *out)
        numbers["runoff demo --figures all_s"] = seconds("demo", "--figures", "all", *out, repeats=2)[0]
        for name, size in SIZES.items():
            table = runs(Path(folder) / "runs.csv", *size)
            numbers[f"report on {name}_s"], wall = seconds("report", table, *out, repeats=2)
            numbers[f"report on {name}, on the clock_s"] = wall
            numbers[f"report on {name}, peak memory_MB"] = peak("report", table, *out)
        return numbers | {"load of the machine after": os.getloadavg()[0]}


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:45} {value:8.3f}")
