"""Models on questions that are answered once, right or wrong: `runoff compare` of 30 models on 1,000, and `runoff report` of 3 on 14,000.

Seconds of processor time, the start of Python included, as multiples of importing what runoff imports at most, side by side, and the size of the
page. Run as `python -m benchmarks.items`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import numpy as np
import polars as pl

IMPORTS = "import numpy, scipy.stats, numba, matplotlib.pyplot, polars"
CASES = {"compare": (30, 1_000), "report": (3, 14_000)}
REPEATS = 2


def answers(n_models: int, n_questions: int) -> pl.DataFrame:
    """Return a row for each answer; questions differ in how hard they are, models by a hundredth from each to the next."""
    draw = np.random.default_rng(1)
    rates = draw.beta(1.0, 1.0, n_questions)
    right = [draw.random(n_questions) < np.clip(rates + 0.01 * model - 0.1, 0, 1) for model in range(n_models)]
    return pl.DataFrame(
        {
            "model": np.repeat([f"model-{model}" for model in range(n_models)], n_questions),
            "question": [f"q{question}" for question in range(n_questions)] * n_models,
            "correct": np.concatenate(right).astype(int),
        }
    )


def seconds(*arguments: str) -> float:
    """Return user and system seconds of one run of Python."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure() -> dict[str, float]:
    """Return the seconds of each call, their ratio to the imports, and the size of the page."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        for verb, (n_models, n_questions) in CASES.items():
            path, out = Path(name, f"{verb}.csv"), Path(name, "out")
            answers(n_models, n_questions).write_csv(path)
            more = ("-o", str(out), "--force") if verb == "report" else ()
            runs = [(seconds("-c", IMPORTS), seconds("-m", "runoff", verb, str(path), *more)) for _ in range(REPEATS)]
            called = f"{verb}, {n_models} models × {n_questions:,} questions"
            figures[f"{called}_s"] = min(own for _, own in runs)
            figures[f"{called}, of the imports: ratio"] = min(own for _, own in runs) / min(base for base, _ in runs)
        figures["the page_MB"] = Path(name, "out", "report.html").stat().st_size / 1e6
    return figures


if __name__ == "__main__":
    for label, value in measure().items():
        print(f"{label:60} {value:.3g}")
