"""Learning curves of 1,000 runs (10 algorithms × 10 tasks × 10 runs) in one Parquet file of 4 and of 40 million rows × 5 columns: what
`runoff compare`, `report` and `curves` take of it, the start of Python included.

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

from benchmarks.report import BETWEEN, command, memory, tree
from benchmarks.tables import curves

VERBS = ("compare", "report", "curves")
STEPS = {"4,000,000 rows": 4_000, "40,000,000 rows": 40_000}


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
        for called, n_steps in STEPS.items():
            path = Path(folder, "curves.parquet")
            curves(n_steps).write_parquet(path)
            for verb in VERBS:
                out = () if verb == "compare" else ("-o", str(Path(folder, verb)), "--force")
                seconds, most = cost(verb, str(path), *out)
                figures |= {f"{verb}, {called}_s": seconds, f"{verb}, {called}: memory_MB": most}
    return figures


if __name__ == "__main__":
    for label, value in measure().items():
        print(f"{label:50} {value:.3g}")
