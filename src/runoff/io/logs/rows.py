"""A log that is a table, one row per report: columns → series against the column that counts the steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runoff.base.arrays import Floats, Ints
from runoff.errors import DataError
from runoff.io.logs.axis import EPISODES, TIMES, first_of, steps_of
from runoff.io.logs.base import Claim, Extent, Happening, Log, Series, Wish
from runoff.io.logs.words import matches

MOST_SERIES = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """Numbers at some rows of a table: int64 and float64 arrays of one length, the rows rising; `lost` entries are there, but no numbers."""

    rows: Ints
    values: Floats
    lost: int = 0


Columns = Mapping[str, Column]


def dense(values: Sequence[float | None] | Floats) -> Column:
    """Return a column of one entry a row; None is a row without one."""
    filled = [(i, value) for i, value in enumerate(values) if value is not None]
    return Column(
        rows=np.array([i for i, _ in filled], dtype=np.int64), values=np.array([v for _, v in filled], dtype=np.float64)
    )


def number(value: Any) -> float | None:
    """Return a number as it stands in a log (texts of NaN and infinities too), None for all else."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        try:
            return float(value)
        except OverflowError:
            return float("inf") if value > 0 else float("-inf")
    if isinstance(value, str):
        try:
            return float(value) if value.strip() and "_" not in value else None
        except ValueError:
            return None
    return None


def columns_of(records: Iterable[Mapping[str, Any]]) -> dict[str, Column]:
    """Return the columns of flat records that hold numbers; other entries of them are counted.

    Raises
    ------
    DataError
        There are more than `MOST_SERIES`.
    """
    rows: dict[str, list[int]] = {}
    values: dict[str, list[float]] = {}
    lost: Counter[str] = Counter()
    for i, record in enumerate(records):
        for name, value in record.items():
            as_number = number(value)
            if as_number is not None:
                if name not in rows and len(rows) == MOST_SERIES:
                    raise DataError(f"a record names more than {MOST_SERIES:,} series: this is no log of a training.")
                rows.setdefault(name, []).append(i)
                values.setdefault(name, []).append(as_number)
            elif value is not None and value != "":
                lost[name] += 1
    return {
        name: Column(rows=np.array(rows[name], np.int64), values=np.array(values[name]), lost=lost[name])
        for name in rows
    }


def flat(record: Mapping[str, Any], prefix: str = "", separator: str = "/", depth: int = 8) -> dict[str, Any]:
    """Return a nested record with joined names."""
    found: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, Mapping) and depth:
            found |= flat(value, f"{prefix}{name}{separator}", separator, depth - 1)
        else:
            found[f"{prefix}{name}"] = value
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Tabled:
    """What a table gives: all series by extent, the wanted ones, and the names of the columns that count."""

    extents: dict[str, Extent]
    series: dict[str, Series]
    axis: str | None
    happened: tuple[Happening, ...] = ()


def tabled(
    columns: Columns,
    wish: Wish,
    *,
    prefix: str = "",
    own: Callable[[Ints], Floats] | None = None,
    time: str | None = None,
) -> Tabled:
    """Return the series of a table.

    `own` gives the tool's own steps of rows, for tables without a column that counts them; `time` names the column of seconds, if it is not
    one of the usual names. Rows are counted (from 1) where nothing else is.
    """
    names = list(columns)
    axis = steps_of(names, wish.axis if _knows(names, wish.axis) else None)
    seconds, episodes = time or first_of(names, TIMES), first_of(names, EPISODES)
    extents, series, filled, lost = {}, {}, 0, 0
    for name, column in columns.items():
        shown = prefix + name
        last, _ = _steps(columns, axis, own, column.rows[-1:])
        extents[shown] = Extent(points=column.rows.size, last=float(last[0]) if last.size else float("nan"))
        if wish.keep(shown) and name != axis:
            step, without = _steps(columns, axis, own, column.rows)
            filled, lost = filled + without, lost + column.lost
            times, counted = _at(columns, seconds, column.rows), _at(columns, episodes, column.rows)
            series[shown] = Series(step=step, value=column.values, time=times, episodes=counted)
    counts = {"step_filled": filled, "no_number": lost}
    happened = tuple(Happening(policy=policy, count=count) for policy, count in counts.items() if count)
    return Tabled(extents=extents, series=series, axis=axis, happened=happened)


def merged(tables: Iterable[Tabled]) -> Tabled:
    """Return the tables of one run as one; of a series that several have, the first is taken."""
    each = list(tables)
    return Tabled(
        extents={name: extent for one in reversed(each) for name, extent in one.extents.items()},
        series={name: found for one in reversed(each) for name, found in one.series.items()},
        axis=next((one.axis for one in each if one.axis), None),
        happened=tuple(what for one in each for what in one.happened),
    )


def log_of(claim: Claim, found: Tabled, config: Mapping[str, Any] | None = None) -> Log:
    """Return the log of a run that is a table."""
    return Log(
        claim=claim,
        config=config or {},
        extents=found.extents,
        series=found.series,
        happened=found.happened,
        axis=found.axis,
    )


def _knows(names: Sequence[str], asked: str | None) -> bool:
    return asked is not None and any(matches(asked, name) for name in names)


def _steps(columns: Columns, axis: str | None, own: Callable[[Ints], Floats] | None, rows: Ints) -> tuple[Floats, int]:
    """Return the steps of rows, and how many of them tell none: they take that of the row before (the first known one, at the start)."""
    if axis is None:
        return own(rows) if own is not None else (rows + 1).astype(np.float64), 0
    counter = columns[axis]
    places = np.searchsorted(counter.rows, rows, side="right") - 1
    step = counter.values[np.maximum(places, 0)]
    return step, int((counter.rows[np.maximum(places, 0)] != rows).sum())


def _at(columns: Columns, name: str | None, rows: Ints) -> Floats | None:
    """Return a column at some rows, NaN where it has no entry."""
    if name is None:
        return None
    column = columns[name]
    places = np.searchsorted(column.rows, rows)
    inside = np.minimum(places, max(column.rows.size - 1, 0))
    known = (
        (places < column.rows.size) & (column.rows[inside] == rows) if column.rows.size else np.zeros(rows.size, bool)
    )
    return np.where(known, column.values[inside] if column.rows.size else 0.0, np.nan)
