"""The verbs of the README without numba and with it, side by side: processor seconds, the kernels compiled beforehand.

Run as `python -m benchmarks.without_numba`. Best of three of each, in turn. A ratio above 2 is too much (issue 50). Data: the demo's, and the
README's table of four runs.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

REPEATS = 3
VERBS = {"compare": ["compare"], "plan": ["plan"], "report": ["report", "-o", "page", "--force"]}
TABLE = """algorithm,task,seed,score
ours,maze,1,63.2
ours,maze,2,65.8
baseline,maze,1,65.4
baseline,maze,2,57.2
"""
WITH = "import sys; from runoff.cli.app import run; sys.exit(run(sys.argv[1:]))"
WITHOUT = f"import sys; sys.modules['numba'] = None; {WITH}"


def processor_seconds(code: str, arguments: list[str], folder: Path) -> float:
    """Return user and system seconds of one run of the command line."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code, *arguments], check=True, capture_output=True, cwd=folder)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure() -> dict[str, float]:
    """Return the seconds of each verb without numba, and the ratio to those with it."""
    import runoff as ro

    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "my_runs.csv").write_text(TABLE, encoding="utf-8")
        ro.load_example("classic_control").to_frame().write_csv(folder / "demo.csv")
        for label, (verb, *options) in VERBS.items():
            for data in ("my_runs.csv", "demo.csv"):
                arguments = [verb, data, *options]
                processor_seconds(WITH, arguments, folder)
                pairs = [
                    [processor_seconds(code, arguments, folder) for code in (WITH, WITHOUT)] for _ in range(REPEATS)
                ]
                compiled, interpreted = (min(seconds) for seconds in zip(*pairs, strict=True))
                figures[f"{label} {data}: without numba_s"] = interpreted
                figures[f"{label} {data}: ratio"] = interpreted / compiled
    return figures


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:40} {value:10.3f}")
