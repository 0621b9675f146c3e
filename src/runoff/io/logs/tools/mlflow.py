"""MLflow: its file store, `mlruns/EXPERIMENT/RUN`, and its database, `mlflow.db`.

A run of the file store has `meta.yaml`, and a file a metric, parameter and tag, named by it. A line of a metric is "milliseconds value step"
(older: no step; newer: names of a data set behind), in the order of writing. A name with slashes is a path of folders. The database has the
SQLite tables experiments, runs, metrics, params and tags.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from runoff.base.limits import refuse_beyond
from runoff.errors import DataError
from runoff.io._names import hints_of
from runoff.io.logs.base import Claim, Deleted, Extent, Folder, Happening, Log, Part, Series, Tool, Wish, damage
from runoff.io.logs.config import LARGEST, read_config
from runoff.io.logs.rows import log_of_series, number
from runoff.io.logs.wire.lines import as_dict, lines
from runoff.io.logs.wire.sqlite import database, databases

# ── MLflow ──────────

META, METRICS = "meta.yaml", "metrics"
OF_A_RUN = re.compile(rb"^run_(?:id|uuid):", re.MULTILINE)
"""The identifier in the meta.yaml of a run; that of a model has a source_run_id instead, and the run's metrics again."""
OWN = "mlflow."
"""Beginning of the names of the tags that the tool sets itself."""


def find(folder: Folder) -> list[Claim]:
    """Return the run of a folder with a run's meta.yaml; it is called by the name of its experiment and its own identifier."""
    if META not in folder.files or METRICS not in folder.folders:
        return []
    head = folder.head(META)
    if b"lifecycle_stage:" not in head or not OF_A_RUN.search(head):
        return []
    files = tuple(Part(path) for path in _below(folder.path / METRICS))
    experiment = str(_meta(folder.path.parent).get("name") or folder.path.parent.name).replace("/", "-")
    parts = (*folder.parts[:-2], experiment, folder.path.name)
    return [Claim(tool="mlflow", path=folder.path, parts=parts, files=files, whole=True)]


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the run."""
    meta = _meta(claim.path)
    if meta.get("lifecycle_stage") == "deleted":
        raise Deleted(f"{claim.place}: this run was deleted in MLflow.")
    begin = number(meta.get("start_time"))
    series: dict[str, Series] = {}
    happened: list[Happening] = []
    for part in claim.files:
        points, lost = _metric(part.path, begin)
        happened += lost
        if points.step.size:
            series[part.path.relative_to(claim.path / METRICS).as_posix()] = points
    tags = dict(_texts(claim.path / "tags"))
    config = configuration(tags, dict(_texts(claim.path / "params")))
    hints = hints_of(str(meta.get("run_name") or tags.get(f"{OWN}runName", "")))
    return [log_of_series(claim, wish, series, config=config, happened=tuple(happened), hints=hints)]


def configuration(tags: dict[str, Any], params: dict[str, Any]) -> dict[str, Any]:
    """Return the configuration that was logged: parameters, and tags that are not the tool's own."""
    return {**{key: value for key, value in tags.items() if not key.startswith(OWN)}, **params}


def _below(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, sorted; links to folders are not followed."""
    paths = [Path(path, name) for path, _, names in os.walk(folder) for name in names if not name.startswith(".")]
    refuse_beyond("files", len(paths), f"{folder}: the folder holds {len(paths)} files")
    return (path for path in sorted(paths) if path.is_file())


def _meta(folder: Path) -> dict[str, Any]:
    try:
        return as_dict(read_config(folder / META))
    except DataError:
        return {}


def _texts(folder: Path) -> Iterator[tuple[str, str]]:
    for path in _below(folder):
        try:
            if path.stat().st_size <= LARGEST:
                yield path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue


def _metric(path: Path, begin: float | None) -> tuple[Series, tuple[Happening, ...]]:
    rows: list[tuple[float, float, float]] = []
    broken: list[int] = []
    n = width = 0
    for n, line in enumerate((line for line in lines(path) if line.strip()), start=1):
        fields = line.split()
        width = width or min(len(fields), 3)  # files of older versions have no steps
        row = _row(fields) if len(fields) >= width else None
        if row is None:
            broken.append(n)
        else:
            rows.append(row)
    time, value, step = np.array(rows, dtype=np.float64).reshape(-1, 3).T
    torn = broken[-1:] == [n]
    cut = f"{path.name}, the last line is cut off" if torn else ""
    seconds = None if begin is None else (time - begin) / 1000
    series = Series(step=step, value=value, time=seconds)
    return series, damage(torn=cut, malformed=len(broken) - torn, where=path.name)


def _row(fields: list[str]) -> tuple[float, float, float] | None:
    """Return milliseconds, value and step of a line."""
    if len(fields) < 2:
        return None
    time, value = number(fields[0]), number(fields[1])
    step = number(fields[2]) if len(fields) > 2 else 0.0
    return None if time is None or value is None or step is None else (time, value, step)


MLFLOW = Tool(
    title="MLflow",
    layout="`mlruns/EXPERIMENT/RUN`: `meta.yaml`, `metrics/NAME` (lines: milliseconds, value, step), `params/NAME`, `tags/NAME`",
    find=find,
    read=read,
)


# ── MLflow database ──────────

USUAL = "mlflow.db"
TABLES = ("experiments", "runs", "metrics", "params", "tags")
INFINITE = 1.7976931348623157e308
"""The number that the tool writes for infinity, which not all of its databases know."""
MOST_RUNS = 100_000

RUNS = """SELECT r.run_uuid, r.name, r.start_time, e.name FROM runs r JOIN experiments e USING (experiment_id)
WHERE r.lifecycle_stage = 'active' AND e.lifecycle_stage = 'active' ORDER BY r.run_uuid LIMIT ?"""
DELETED = """SELECT COUNT(*) FROM runs r JOIN experiments e USING (experiment_id)
WHERE r.lifecycle_stage = 'deleted' OR e.lifecycle_stage = 'deleted'"""
EXTENTS = 'SELECT "key", COUNT(*), MAX(rowid), step FROM metrics WHERE run_uuid = ? GROUP BY "key" ORDER BY "key"'
"""Beside MAX, SQLite takes the other columns from the row of the maximum: the last step."""
POINTS = 'SELECT step, value, timestamp, is_nan FROM metrics WHERE run_uuid = ? AND "key" = ? ORDER BY rowid'


@dataclass(frozen=True, slots=True)
class _Run:
    """A row of the table of runs."""

    key: str
    name: str
    begin: float | None
    experiment: str


def find_mlflow_database(folder: Folder) -> list[Claim]:
    """Return the database of a folder, by its usual name or the words of its schema."""
    return [
        folder.file("mlflow_database", name)
        for name in databases(folder)
        if name.casefold() == USUAL
        or all(word in folder.head(name) for word in (b"latest_metrics", b"lifecycle_stage"))
    ]


def read_mlflow_database(claim: Claim, wish: Wish) -> list[Log]:
    """Return the runs."""
    path = claim.path
    with database(path) as base:
        _check(path, base)
        rows = base.execute(RUNS, (MOST_RUNS,)).fetchall()
        runs = [
            _Run(str(key), str(name or ""), number(begin), str(experiment)) for key, name, begin, experiment in rows
        ]
        logs = [_log(claim, base, run, wish) for run in runs]
        n_deleted = base.execute(DELETED).fetchone()[0]
    if not logs:
        raise DataError(f"{path}: the database holds no run of MLflow ({n_deleted} deleted).")
    if n_deleted:
        logs[0] = replace(logs[0], happened=(Happening(policy="deleted", count=n_deleted),))
    return logs


def _check(path: Path, base: sqlite3.Connection) -> None:
    tables = {str(name) for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    missing = [name for name in TABLES if name not in tables]
    if missing:
        raise DataError(f"{path}: this is no database of MLflow: it has no table {missing[0]!r}.")


def _log(claim: Claim, base: sqlite3.Connection, run: _Run, wish: Wish) -> Log:
    extents = {
        str(name): Extent(points=int(n), last=_number(step)) for name, n, _, step in base.execute(EXTENTS, (run.key,))
    }
    tags, params = (_entries(base, table, run.key) for table in ("tags", "params"))
    hints = hints_of(run.name or str(tags.get("mlflow.runName", "")))
    return Log(
        claim=claim,
        config=configuration(tags, params),
        extents=extents,
        series={name: _series(base, run, name) for name in extents if wish.keep(name)},
        inner=f"{run.experiment.replace('/', '-')}/{run.key}",
        hints=(run.experiment.replace("/", "-"), *hints),
    )


def _entries(base: sqlite3.Connection, table: str, run: str) -> dict[str, Any]:
    rows = base.execute(f'SELECT "key", value FROM {table} WHERE run_uuid = ? ORDER BY "key"', (run,))
    return {str(key): value for key, value in rows}


def _series(base: sqlite3.Connection, run: _Run, name: str) -> Series:
    rows = [
        (_number(step), np.nan if is_nan else _number(value), _number(time))
        for step, value, time, is_nan in base.execute(POINTS, (run.key, name))
    ]
    step, value, time = np.array(rows, dtype=np.float64).reshape(-1, 3).T
    value = np.where(np.abs(value) >= INFINITE, np.copysign(np.inf, value), value)
    return Series(step=step, value=value, time=None if run.begin is None else (time - run.begin) / 1000)


def _number(value: Any) -> float:
    as_number = number(value)
    return np.nan if as_number is None else as_number


MLFLOW_DATABASE = Tool(
    title="MLflow database",
    layout="`mlflow.db`: SQLite with the tables experiments, runs, metrics, params, tags; read-only, with the log beside it",
    find=find_mlflow_database,
    read=read_mlflow_database,
)
