"""Learning curves in one file, 10 million and 200,000 rows × 5 columns: `runoff.read_curves` beside polars' own reading; a million end scores.

Each in a process of its own, the best of three calls; memory is the most that the process held. Run as `python -m benchmarks.tables`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.aggregate import PEAK, ROOT

N_ALGORITHMS, N_TASKS, N_RUNS, N_STEPS = 10, 10, 10, 10_000
N_SCORES = 1_000_000

CODE = f"""
import sys, time, polars as pl, runoff as ro
{PEAK}
read, seconds = eval(sys.argv[2]), []
for _ in range(3):
    start = time.perf_counter(); held = read(sys.argv[1]); seconds.append(time.perf_counter() - start); del held
print(min(seconds), peak())
"""
TASKS = ("HalfCheetah-v4", "Hopper-v4", "Walker2d-v4", "Ant-v4", "Humanoid-v4", "Swimmer-v4", "Reacher-v4", "Pusher-v4")


def curves(n_steps: int = N_STEPS) -> pl.DataFrame:
    """Return the table of curves, rows sorted by run as loggers write them."""
    n_curve = N_RUNS * n_steps
    rows = np.arange(N_ALGORITHMS * N_TASKS * n_curve)
    scores = np.random.default_rng(0).normal(100, 30, rows.size)
    algorithms = np.array([f"algorithm {chr(97 + a)}" for a in range(N_ALGORITHMS)])[rows // (N_TASKS * n_curve)]
    tasks = np.array([*TASKS, "Pendulum-v4", "DoublePendulum-v4"])[rows // n_curve % N_TASKS]
    steps = (rows % n_steps + 1) * 1000
    columns = {
        "algorithm": algorithms,
        "task": tasks,
        "seed": rows // n_steps % N_RUNS,
        "step": steps,
        "return": scores,
    }
    return pl.DataFrame(columns)


def scores() -> pl.DataFrame:
    """Return a million end scores of 10 algorithms on 100 tasks."""
    rows = np.arange(N_SCORES)
    names = np.array([f"A{a}" for a in range(10)])[rows % 10], np.array([f"T{t}" for t in range(100)])[rows // 10 % 100]
    values = np.random.default_rng(0).normal(size=N_SCORES)
    return pl.DataFrame(
        {"algorithm": names[0], "task": names[1], "seed": rows // 1000, "score": values, "note": ["x"] * N_SCORES}
    )


def measure() -> dict[str, float]:
    """Return seconds, MB and the ratios."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        names = ("curves.csv", "curves.parquet", "short.csv", "scores.csv")
        csv, parquet, short, ends = (Path(folder, name) for name in names)
        table = curves()
        table.write_csv(csv)
        table.write_parquet(parquet)
        curves(200).write_csv(short)
        scores().write_csv(ends)
        for called, path, ours in (
            ("CSV, 10,000,000 rows", csv, "ro.read_curves"),
            ("Parquet, 10,000,000 rows", parquet, "ro.read_curves"),
            ("CSV, 200,000 rows", short, "ro.read_curves"),
            ("CSV, 1,000,000 scores", ends, "ro.read_scores"),
        ):
            theirs = _child(path, f"pl.read_{path.suffix.removeprefix('.')}")
            own = _child(path, ours)
            figures |= {f"{called}: polars_s": theirs[0], f"{called}: runoff_s": own[0]}
            figures |= {f"{called}: runoff takes, ratio": own[0] / theirs[0], f"{called}: memory_MB": own[1]}
    return figures


def _child(path: Path, read: str) -> list[float]:
    answer = subprocess.run(
        [sys.executable, "-c", CODE, path, read],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT / "src"), "PATH": "/usr/bin"},
    )
    return [float(word) for word in answer.stdout.split()]


if __name__ == "__main__":
    for label, value in measure().items():
        print(f"{label:50} {value:.3g}")
