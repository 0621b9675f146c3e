"""MLflow's database: `mlflow.db`, the SQLite tables experiments, runs, metrics, params and tags."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from runoff.errors import DataError
from runoff.io.logs.base import Claim, Extent, Folder, Happening, Log, Part, Series, Tool, Wish
from runoff.io.logs.rows import number
from runoff.io.logs.tools.mlflow import configuration, hints_of
from runoff.io.logs.wire.sqlite import MAGIC, database

NAME = "mlflow_database"
USUAL = "mlflow.db"
TABLES = ("experiments", "runs", "metrics", "params", "tags")
LARGEST = 1.7976931348623157e308
"""What the tool writes for infinity, which not all of its databases know."""
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


def find(folder: Folder) -> list[Claim]:
    """Return the database of a folder, by its usual name or the words of its schema."""
    return [
        Claim(tool=NAME, path=folder.path / name, parts=(*folder.parts, name), files=(Part(folder.path / name),))
        for name in folder.named(".db", ".sqlite", ".sqlite3")
        if (head := folder.head(name)).startswith(MAGIC)
        and (name.casefold() == USUAL or (b"latest_metrics" in head and b"lifecycle_stage" in head))
    ]


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the runs."""
    path = claim.path
    with database(path) as base:
        _check(path, base)
        logs = [_log(claim, base, run, wish) for run in _runs(base)]
        n_deleted = base.execute(DELETED).fetchone()[0]
    if not logs:
        raise DataError(f"{path}: the database holds no run of MLflow ({n_deleted} deleted).")
    return [_telling(logs[0], n_deleted), *logs[1:]]


def _telling(log: Log, n_deleted: int) -> Log:
    return replace(log, happened=(Happening(policy="deleted", count=n_deleted),)) if n_deleted else log


def _check(path: Path, base: sqlite3.Connection) -> None:
    tables = {str(name) for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    missing = [name for name in TABLES if name not in tables]
    if missing:
        raise DataError(f"{path}: this is no database of MLflow: it has no table {missing[0]!r}.")


# ── runs ──────────


def _runs(base: sqlite3.Connection) -> Iterator[_Run]:
    for key, name, begin, experiment in base.execute(RUNS, (MOST_RUNS,)).fetchall():
        yield _Run(str(key), str(name or ""), number(begin), str(experiment))


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
    value = np.where(np.abs(value) >= LARGEST, np.copysign(np.inf, value), value)
    return Series(step=step, value=value, time=None if run.begin is None else (time - run.begin) / 1000)


def _number(value: Any) -> float:
    as_number = number(value)
    return np.nan if as_number is None else as_number


MLFLOW_DATABASE = Tool(
    title="MLflow database",
    layout="`mlflow.db`: SQLite with the tables experiments, runs, metrics, params, tags; read-only, with the log beside it",
    find=find,
    read=read,
)
