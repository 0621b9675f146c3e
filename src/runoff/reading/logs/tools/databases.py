"""Databases of many runs: Trackio's, and Neptune's as exported by neptune-exporter."""

from __future__ import annotations

import io
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from runoff.base.arrays import Floats
from runoff.base.bounds import refuse_beyond
from runoff.errors import DataError
from runoff.reading._configured import flat as flat_config
from runoff.reading._paths import unreadable
from runoff.reading.formats.frames import frame_of
from runoff.reading.logs.base import ClaimedRun, Folder, Log, LogPart, Series, Tool, Wish, damage, ended
from runoff.reading.logs.rows import columns_of, flat, log_of, log_of_series, tabled
from runoff.reading.logs.wire.lines import json_object
from runoff.reading.logs.wire.sqlite import columns, database, databases, holds
from runoff.words.patterns import regex

if TYPE_CHECKING:
    import polars as pl

# ── Trackio ──────────

METRICS, CONFIGS = "metrics", "configs"
NEEDED = frozenset({"run_name", "step", "metrics", "timestamp"})
SECONDS = "wall_time"
LoggedReport = tuple[float, str, dict[str, Any]]
"""A step, the time as text, and the report."""


def read_trackio(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the runs of a database."""
    (part,) = claim.files
    with database(part.path) as connection:
        # Newer versions of Trackio have an id beside the name, which then may come again.
        key = "run_id" if "run_id" in columns(connection, METRICS) else "run_name"
        reports, names, broken = _reports(connection, key)
        order = f"SELECT {key}, config FROM {CONFIGS} ORDER BY rowid"
        rows = connection.execute(order) if columns(connection, CONFIGS) >= {key, "config"} else ()
        configs = {str(run): json_object(text) or {} for run, text in rows}
    if not reports:
        raise DataError(f"{part.path}: the database holds no report of a run.")
    shared = len(set(names.values())) < len(names)
    inner = {run: f"{name} ({run})" if shared and run != name else name for run, name in names.items()}
    logs = {run: _log(claim, rows, configs.get(run, {}), broken[run], wish) for run, rows in reports.items()}
    return [replace(log, inner=inner[run], hints=(inner[run],)) for run, log in logs.items()]


def _reports(
    connection: sqlite3.Connection, key: str
) -> tuple[dict[str, list[LoggedReport]], dict[str, str], Counter[str]]:
    """Return for each run its reports in the order of writing, its name, and the number of reports that are not JSON objects."""
    reports: dict[str, list[LoggedReport]] = {}
    names: dict[str, str] = {}
    broken: Counter[str] = Counter()
    order = f"SELECT {key}, run_name, step, timestamp, metrics FROM {METRICS} ORDER BY rowid"
    for run, name, step, timestamp, text in connection.execute(order):
        record = json_object(text)
        if record is None or not isinstance(step, int | float):
            broken[str(run)] += 1
            continue
        names[str(run)] = str(name)
        reports.setdefault(str(run), []).append((float(step), str(timestamp), record))
    return reports, names, broken


def _log(claim: ClaimedRun, rows: list[LoggedReport], config: dict[str, Any], broken: int, wish: Wish) -> Log:
    steps: Floats = np.array([step for step, _, _ in rows])
    seconds = list(_seconds(time for _, time, _ in rows))
    records = [flat(record) | {SECONDS: second} for (_, _, record), second in zip(rows, seconds, strict=True)]
    columns = columns_of(records)
    reports = tabled(columns, wish, own=lambda at: steps[at], time=SECONDS, happened=damage(malformed=broken))
    # It went into the table so that `tabled` finds the time of each row, and is no series of the run.
    reports.extents.pop(SECONDS, None)
    reports.series.pop(SECONDS, None)
    # _Created and the like are Trackio's own.
    own = {name: value for name, value in config.items() if not name.startswith("_")}
    return log_of(claim, reports, flat_config(own))


def _seconds(times: Any) -> Iterator[float]:
    """Yield the seconds since the first of the times in ISO texts, NaN for other texts."""
    start: datetime | None = None
    for text in times:
        try:
            now = datetime.fromisoformat(text)
            start = start or now
            yield (now - start).total_seconds()
        except (TypeError, ValueError, OverflowError):
            yield float("nan")


TRACKIO = Tool(
    title="Trackio",
    layout="`PROJECT.db` (SQLite): the table `metrics` (run, step, time, reports as JSON) and `configs`, with many runs",
    find=lambda at: at.alone("trackio", (name for name in databases(at) if holds(at.path / name, {METRICS: NEEDED}))),
    read=read_trackio,
)


# ── Neptune ──────────

NEPTUNE_PART = regex(r"(.+)_part_(\d+)\.parquet")
MAGIC = b"PAR1"
SIGN = b"attribute_path"
FLOATS, PATH, TYPE = "float_series", "attribute_path", "attribute_type"
PARAMETERS = {"int": "int_value", "float": "float_value", "string": "string_value", "bool": "bool_value"}
"""Types of parameters -> columns of their values."""
OWN = "sys/"
RUN_NAME = "sys/name"
TAIL = 1 << 16
"""The number of bytes at the end of a file in which its columns are named."""


def find_neptune(folder: Folder) -> list[ClaimedRun]:
    """Return the runs of a folder: the files that share a name before `_part_`."""
    # By name first: to look for the columns of every table that lies in a tree would take longer than to read some.
    named = filter(NEPTUNE_PART.fullmatch, folder.named(".parquet"))
    names = (name for name in named if is_export(folder.path / name))
    return folder.grouped("neptune", NEPTUNE_PART, names)


def is_export(path: Path) -> bool:
    """Return whether a file is Parquet whose columns are those of an export."""
    try:
        with open(path, "rb") as stream:
            start = stream.read(len(MAGIC))
            # Parquet names its columns in the footer at the end of the file.
            stream.seek(max(0, stream.seek(0, io.SEEK_END) - TAIL))
            return start == MAGIC and SIGN in stream.read()
    except OSError:
        return False


def read_neptune(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run: its float series by step, its parameters as configuration."""
    import polars as pl

    frame = pl.concat([_frame(part) for part in claim.files])
    # A run's series are spread over its parts in any order of steps; a stable sort keeps the later of two values at a
    # step last.
    points = frame.filter(pl.col(TYPE) == FLOATS).sort(PATH, "step", maintain_order=True)
    start = points["time"].min()
    series = {}
    for (path,), rows in points.group_by(PATH, maintain_order=True):
        step, value = (rows[name].fill_null(np.nan).to_numpy() for name in ("step", "float_value"))
        time = (rows["time"] - start).fill_null(np.nan).to_numpy() if start is not None else None
        series[str(path)] = Series(step=step, value=value, time=time)
    parameters = frame.filter(pl.col(TYPE).is_in(list(PARAMETERS))).to_dicts()
    config = {str(row[PATH]): row[PARAMETERS[row[TYPE]]] for row in parameters}
    name = config.pop(RUN_NAME, "")
    happened = ended("failed" if config.get(OWN + "failed") else "")
    kept = {key.replace("/", "."): value for key, value in config.items() if not key.startswith(OWN)}
    # sys/name may be what a person called the run; the id in the name of the file was drawn.
    hints = (name,) if name else ()
    return [log_of_series(claim, wish, series, config=kept, hints=hints, happened=happened)]


def _frame(part: LogPart) -> pl.DataFrame:
    import polars as pl
    from polars.exceptions import PolarsError

    values = {"int_value": pl.Int64, "float_value": pl.Float64, "string_value": pl.String, "bool_value": pl.Boolean}
    types = {PATH: pl.String, TYPE: pl.String, "step": pl.Float64, **values}
    try:
        size = part.path.stat().st_size
        refuse_beyond("bytes", size, f"{part.path}: the file has {size} bytes")
        frame = frame_of(part.path.read_bytes(), str(part.path), title="Parquet", magic=MAGIC)
        time = pl.col("timestamp").cast(pl.Datetime("ms", "UTC")).cast(pl.Int64).cast(pl.Float64) / 1000
        return frame.select(*(pl.col(name).cast(kind) for name, kind in types.items()), time.alias("time"))
    except OSError as error:
        raise unreadable(part.path, error) from error
    except PolarsError as error:
        message = f"{part.path}: this is not a complete Neptune export: {str(error).splitlines()[0][:120]}."
        raise DataError(message) from error


NEPTUNE = Tool(
    title="Neptune export",
    layout="`PROJECT/RUN_part_N.parquet` of neptune-exporter: one row per value, with attribute_path, attribute_type, step and float_value",
    find=find_neptune,
    read=read_neptune,
)
