"""Learning curves in one Parquet file of 5 columns, by algorithms × tasks × runs × points of a run: what `runoff compare`, `report` and
`curves` take of 4 and of 40 million rows, the start of Python included.

Seconds of processor time and the most memory, of one call each. 40 million rows lie beyond the bound of unasked reading, which
`RUNOFF_MAX_FIELDS` raises. Run as `python -m benchmarks.large`.
"""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
from pathlib import Path
from time import sleep

import numpy as np
import polars as pl

from benchmarks.report import BETWEEN, command, memory, tree

VERBS = ("compare", "report", "curves")
SHAPES = (10, 10, 10, 4_000), (10, 10, 10, 40_000), (20, 200, 5, 2_000)


def curves(n_algorithms: int, n_tasks: int, n_runs: int, n_steps: int) -> pl.DataFrame:
    """Return random curves, rows sorted by run as loggers write them."""
    rows = pl.int_range(n_algorithms * n_tasks * n_runs * n_steps, eager=True)
    scores = np.random.default_rng(0).normal(100, 30, rows.len())
    names = {
        "algorithm": rows // (n_tasks * n_runs * n_steps) % n_algorithms,
        "task": rows // (n_runs * n_steps) % n_tasks,
    }
    called = {kind: (f"{kind} " + numbers.cast(pl.String)) for kind, numbers in names.items()}
    return pl.DataFrame(
        called | {"seed": rows // n_steps % n_runs, "step": (rows % n_steps + 1) * 1000, "return": scores}
    )


def cost(*arguments: str) -> tuple[float, float]:
    """Return the processor seconds of a command, and the most MB that it and its children hold at one time."""
    most, before = 0.0, resource.getrusage(resource.RUSAGE_CHILDREN)
    raised = os.environ | {"RUNOFF_MAX_FIELDS": "250000000"}
    with subprocess.Popen(command(*arguments), stdout=subprocess.DEVNULL, env=raised) as process:
        while process.poll() is None:
            most = max(most, sum(map(memory, tree(process.pid))))
            sleep(BETWEEN)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, most


def measure() -> dict[str, float]:
    """Return the seconds and the memory of each command and size."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for shape in SHAPES:
            path, called = Path(folder, "curves.parquet"), " x ".join(f"{n:,}" for n in shape)
            curves(*shape).write_parquet(path)
            for verb in VERBS:
                out = () if verb == "compare" else ("-o", str(Path(folder, verb)), "--force")
                seconds, most = cost(verb, str(path), *out)
                figures |= {f"{verb}, {called}_s": seconds, f"{verb}, {called}: memory_MB": most}
    return figures


if __name__ == "__main__":
    for label, value in measure().items():
        print(f"{label:50} {value:.3g}")
