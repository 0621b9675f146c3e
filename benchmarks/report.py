"""Wall times of the command line with warm caches: `runoff --help`, and `runoff demo` (the report on the shipped data, 50,000 resamples).

Run as `python -m benchmarks.report`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter


def seconds(*arguments: str, repeats: int = 3) -> float:
    """Return the best wall time of a command of runoff; the first call warms the caches and does not count."""
    found = []
    for _ in range(repeats + 1):
        start = perf_counter()
        subprocess.run([sys.executable, "-m", "runoff", *arguments], check=True, capture_output=True)
        found.append(perf_counter() - start)
    return min(found[1:])


def measure() -> dict[str, float]:
    """Return the seconds of both commands."""
    with tempfile.TemporaryDirectory() as folder:
        return {
            "runoff --help_s": seconds("--help", repeats=5),
            "runoff demo (report on the shipped data)_s": seconds("demo", "-o", str(Path(folder) / "report")),
        }


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:45} {value:8.3f}")
