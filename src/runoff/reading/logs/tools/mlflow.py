"""MLflow: its file store, `mlruns/EXPERIMENT/RUN`, and its database, `mlflow.db`.

A run of the file store has `meta.yaml`, and a file for each metric, parameter and tag, under its name. A line of a metric is "milliseconds
value step" (older versions have no step; newer ones append names of a data set), in the order of writing. A name with slashes is a path of
folders. The database has the SQLite tables experiments, runs, metrics, params and tags.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from runoff.base.bounds import refuse_beyond
from runoff.errors import DataError
from runoff.reading._names import hints_of
from runoff.reading.logs.base import (
    ClaimedRun,
    Deleted,
    Extent,
    Folder,
    Happening,
    Log,
    LogPart,
    Series,
    Tool,
    Wish,
    damage,
    ended,
)
from runoff.reading.logs.config import LARGEST, read_config
from runoff.reading.logs.rows import log_of_series
from runoff.reading.logs.wire.lines import as_dict, lines
from runoff.reading.logs.wire.sqlite import database, databases, holds
from runoff.tables.values import parsed
from runoff.words.patterns import regex

# ── MLflow ──────────

META, METRICS = "meta.yaml", "metrics"
OF_A_RUN = regex(rb"^run_(?:id|uuid):", re.MULTILINE)
"""The identifier in the meta.yaml of a run; that of a model has a source_run_id instead, and the run's metrics again."""
OWN = "mlflow."
"""The beginning of the names of tags that the tool sets itself."""
FAILED = {"4": "FAILED", "5": "KILLED"}
"""The numbers for failed runs in the file store, and the words for them in the database."""


def find(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with a run's meta.yaml, named by its experiment and its identifier."""
    if META not in folder.files or METRICS not in folder.folders:
        return []
    head = folder.head(META)
    # Experiments and logged models have a meta.yaml too.
    if b"lifecycle_stage:" not in head or not OF_A_RUN.search(head):
        return []
    files = tuple(LogPart(path) for path in _below(folder.path / METRICS))
    # Folders of the store are numbers and hexadecimal ids; the name that a person gave to the experiment is inside
    # the file above.
    experiment = str(_meta(folder.path.parent).get("name") or folder.path.parent.name).replace("/", "-")
    parts = (*folder.parts[:-2], experiment, folder.path.name)
    return [ClaimedRun(tool="mlflow", path=folder.path, parts=parts, files=files, whole=True)]


def read(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run."""
    meta = _meta(claim.path)
    if meta.get("lifecycle_stage") == "deleted":
        raise Deleted(f"{claim.place}: this run was deleted in MLflow.")
    begin = parsed(meta.get("start_time"))
    paths = [part.path for part in claim.files]
    metrics = {path.relative_to(claim.path / METRICS).as_posix(): _metric(path, begin) for path in paths}
    series = {name: points for name, (points, _) in metrics.items() if points.step.size}
    status = str(meta.get("status"))
    happened = (*(what for _, lost in metrics.values() for what in lost), *ended(FAILED.get(status, status)))
    tags = dict(_texts(claim.path / "tags"))
    config = configuration(tags, dict(_texts(claim.path / "params")))
    hints = hints_of(str(meta.get("run_name") or tags.get(f"{OWN}runName", "")))
    return [log_of_series(claim, wish, series, config=config, happened=happened, hints=hints)]


def configuration(tags: dict[str, Any], params: dict[str, Any]) -> dict[str, Any]:
    """Return the logged configuration: parameters, and tags that are not the tool's own."""
    return {**{key: value for key, value in tags.items() if not key.startswith(OWN)}, **params}


def _below(folder: Path) -> Iterator[Path]:
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
    rows: list[list[float | None]] = []
    broken: list[int] = []
    n = width = 0
    for n, line in enumerate((line for line in lines(path) if line.strip()), start=1):
        fields = line.split()
        width = width or min(len(fields), 3)  # files of older versions have no steps
        # A file of an older version has no steps: its rows are all at step 0.
        row = [parsed(field) for field in (*fields, "0")[:3]]
        if len(fields) < max(width, 2) or None in row:
            broken.append(n)
        else:
            rows.append(row)
    # As in `wire.lines`: the last line may have been written to when it was read.
    torn = broken[-1:] == [n]
    cut = f"{path.name}, the last line is cut off" if torn else ""
    return _points(rows, begin), damage(torn=cut, malformed=len(broken) - torn, where=path.name)


def _points(rows: Sequence[Sequence[float | None]], begin: float | None) -> Series:
    """Return the series of rows (milliseconds since 1970, value, step), whose run began at a time of this kind."""
    time, value, step = np.array(rows, dtype=np.float64).reshape(-1, 3).T
    return Series(step=step, value=value, time=None if begin is None else (time - begin) / 1000)


MLFLOW = Tool(
    title="MLflow",
    layout="`mlruns/EXPERIMENT/RUN`: `meta.yaml`, `metrics/NAME` (lines: milliseconds, value, step), `params/NAME`, `tags/NAME`",
    find=find,
    read=read,
)


# ── MLflow database ──────────

# A database of the usual name that cannot be opened is claimed, so that the reading says so.
USUAL = "mlflow.db"
TABLES = ("experiments", "runs", "metrics", "params", "tags")
INFINITE = 1.7976931348623157e308
"""The number that the tool writes for infinity, which not all of its databases know."""
MOST_RUNS = 100_000
SCHEMA = {"latest_metrics": frozenset({"key", "value"}), "runs": frozenset({"run_uuid", "lifecycle_stage"})}

RUNS = """SELECT r.run_uuid, r.name, r.start_time, e.name, r.status FROM runs r JOIN experiments e USING (experiment_id)
WHERE r.lifecycle_stage = 'active' AND e.lifecycle_stage = 'active' ORDER BY r.run_uuid LIMIT ?"""
DELETED = """SELECT COUNT(*) FROM runs r JOIN experiments e USING (experiment_id)
WHERE r.lifecycle_stage = 'deleted' OR e.lifecycle_stage = 'deleted'"""
EXTENTS = 'SELECT "key", COUNT(*), MAX(rowid), step FROM metrics WHERE run_uuid = ? GROUP BY "key" ORDER BY "key"'
"""With MAX, SQLite takes the other columns from the row of the maximum, which is the last step."""
ENTRIES = 'SELECT "key", value FROM {} WHERE run_uuid = ? ORDER BY "key"'
POINTS = 'SELECT step, value, timestamp, is_nan FROM metrics WHERE run_uuid = ? AND "key" = ? ORDER BY rowid'


def find_mlflow_database(folder: Folder) -> list[ClaimedRun]:
    """Return the database in a folder, by its usual name or its tables."""
    names = databases(folder)
    named = [name for name in names if name.casefold() == USUAL or holds(folder.path / name, SCHEMA)]
    return [folder.file("mlflow_database", name) for name in named]


def read_mlflow_database(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the runs."""
    path = claim.path
    with database(path) as base:
        there = {str(name) for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        missing = [name for name in TABLES if name not in there]
        if missing:
            raise DataError(f"{path}: this is no database of MLflow: it has no table {missing[0]!r}.")
        logs = [_log(claim, base, row, wish) for row in base.execute(RUNS, (MOST_RUNS,)).fetchall()]
        n_deleted = base.execute(DELETED).fetchone()[0]
    if not logs:
        raise DataError(f"{path}: the database holds no run of MLflow ({n_deleted} deleted).")
    if n_deleted:
        logs[0] = replace(logs[0], happened=(*logs[0].happened, Happening(policy="deleted", count=n_deleted)))
    return logs


def _log(claim: ClaimedRun, base: sqlite3.Connection, row: tuple[Any, ...], wish: Wish) -> Log:
    key, name, begin, experiment = str(row[0]), str(row[1] or ""), parsed(row[2]), str(row[3]).replace("/", "-")
    lasts = [(str(series), int(n), parsed(step)) for series, n, _, step in base.execute(EXTENTS, (key,))]
    extents = {series: Extent(points=n, last=np.nan if step is None else step) for series, n, step in lasts}
    tags, params = (
        {str(k): value for k, value in base.execute(ENTRIES.format(table), (key,))} for table in ("tags", "params")
    )
    return Log(
        claim=claim,
        config=configuration(tags, params),
        extents=extents,
        series={series: _series(base, key, begin, series) for series in extents if wish.keep(series)},
        inner=f"{experiment}/{key}",
        hints=(experiment, *hints_of(name or str(tags.get(f"{OWN}runName", "")))),
        happened=ended(row[4]),
    )


def _series(base: sqlite3.Connection, run: str, begin: float | None, name: str) -> Series:
    points = base.execute(POINTS, (run, name))
    # SQL has no NaN everywhere, so MLflow keeps 0 and a flag.
    rows = [[parsed(time), None if is_nan else parsed(value), parsed(step)] for step, value, time, is_nan in points]
    series = _points(rows, begin)
    infinite = np.abs(series.value) >= INFINITE
    return replace(series, value=np.where(infinite, np.copysign(np.inf, series.value), series.value))


MLFLOW_DATABASE = Tool(
    title="MLflow database",
    layout="`mlflow.db`: SQLite with the tables experiments, runs, metrics, params, tags; read-only, with the log beside it",
    find=find_mlflow_database,
    read=read_mlflow_database,
)
