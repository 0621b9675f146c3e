"""Train everything and write the data set.

Run ``python -m examples.classic_control.make_data`` from the repository root.

Work is kept in parts, one file per cell (algorithm and task), so that an interrupted call continues where it
stopped. Parts are tied to a fingerprint of the code that made them: change an agent and they are made again.
"""

import argparse
import hashlib
import json
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

import polars as pl
from joblib import Parallel, delayed

from examples.classic_control.algorithms import ALGORITHMS
from examples.classic_control.reference import reference_scores
from examples.classic_control.tables import readme
from examples.classic_control.tasks import TASKS
from examples.classic_control.train import train

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def main() -> None:
    """Command line."""
    options = _options()
    folder = options.parts / f"{fingerprint()}-{options.runs}"
    folder.mkdir(parents=True, exist_ok=True)
    with Parallel(n_jobs=options.workers) as pool:
        runs_made = pl.concat(cell(a, t, options.runs, pool, folder) for a in ALGORITHMS for t in TASKS)
    curves = runs_made.select("algorithm", "task", "run", "step", "score").sort("algorithm", "task", "run", "step")
    write(options.out, curves, runs_made)


def cell(algorithm: str, task: str, runs: int, pool: Parallel, folder: Path) -> pl.DataFrame:
    """All runs of one algorithm on one task, from the parts or by training."""
    part = folder / f"{algorithm} on {task}.parquet"
    if not part.exists():
        begin = perf_counter()
        results = pool(delayed(train)(algorithm, task, run) for run in range(runs))
        frames = [_frame(algorithm, task, run, result) for run, result in enumerate(results)]
        wall = perf_counter() - begin
        unfinished = part.with_suffix(".tmp")
        pl.concat(frames).with_columns(wall=pl.lit(wall)).write_parquet(unfinished)
        unfinished.rename(part)
        print(f"{algorithm} on {task}: {wall:.0f} s", flush=True)
    return pl.read_parquet(part)


def write(out: Path, curves: pl.DataFrame, runs_made: pl.DataFrame) -> None:
    """The three files of the data set."""
    out.mkdir(parents=True, exist_ok=True)
    curves.write_parquet(out / "curves.parquet", compression="zstd", compression_level=19)
    reference = reference_scores()
    (out / "reference.json").write_text(json.dumps(reference, indent=1, ensure_ascii=False) + "\n", "utf-8")
    template = (HERE / "data_readme.md").read_text("utf-8")
    (out / "README.md").write_text(readme(template, runs_made, reference), "utf-8")


def fingerprint() -> str:
    """Of all code and versions that decide the numbers."""
    sources = [HERE / name for name in ("algorithms.py", "features.py", "tasks.py", "train.py")]
    digest = hashlib.sha256()
    for path in [*sources, *sorted((HERE / "agents").glob("*.py"))]:
        digest.update(path.read_bytes())
    digest.update(f"{version('numpy')} {version('gymnasium')}".encode())
    return digest.hexdigest()[:12]


def _frame(algorithm: str, task: str, run: int, result: dict) -> pl.DataFrame:
    return pl.DataFrame(result).select(
        pl.lit(algorithm).alias("algorithm"),
        pl.lit(task).alias("task"),
        pl.lit(run, dtype=pl.Int32).alias("run"),
        pl.col("step").cast(pl.Int32),
        "score",
        "seconds",
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "src/runoff/data/classic_control")
    parser.add_argument("--parts", type=Path, default=ROOT / "build/classic_control", help="unfinished work")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--runs", type=int, default=50)
    return parser.parse_args()


if __name__ == "__main__":
    main()
