"""Logs that are tables with one row per report: conversion of columns to series against the column that counts the steps, and cleaning of
series."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from runoff.base.arrays import Bools, Floats, Ints
from runoff.errors import DataError
from runoff.reading.logs.base import ClaimedRun, Extent, Happening, Log, LogPart, Series, Wish
from runoff.reading.logs.metric import EPISODES, TIMES, first_of, last_piece, matches, steps_of
from runoff.tables.progress import PLAIN_STEPS
from runoff.tables.values import parsed
from runoff.words.words import words

# Each new name is a Python list: a file that names its series by a step or an id would fill the memory.
MOST_SERIES = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedColumn:
    """Numbers at some rows of a table: int64 and float64 arrays of equal length, with increasing rows; `lost` entries exist, but are not
    numbers."""

    rows: Ints
    values: Floats
    lost: int = 0


LoggedColumns = Mapping[str, LoggedColumn]


def dense(values: Sequence[float | None] | Floats) -> LoggedColumn:
    """Return a column with one entry per row; None marks a row without an entry."""
    filled = [(i, value) for i, value in enumerate(values) if value is not None]
    rows, values = [i for i, _ in filled], [v for _, v in filled]
    return LoggedColumn(rows=np.array(rows, dtype=np.int64), values=np.array(values, dtype=np.float64))


def columns_of(records: Iterable[Mapping[str, Any]]) -> dict[str, LoggedColumn]:
    """Return the numeric columns of flat records, counting their other entries; refuse more than `MOST_SERIES`."""
    rows: dict[str, list[int]] = {}
    values: dict[str, list[float]] = {}
    lost: Counter[str] = Counter()
    for i, record in enumerate(records):
        for name, value in record.items():
            as_number = parsed(value)
            if as_number is not None:
                if name not in rows and len(rows) == MOST_SERIES:
                    raise DataError(f"a record names more than {MOST_SERIES:,} series, so this is not a training log.")
                rows.setdefault(name, []).append(i)
                values.setdefault(name, []).append(as_number)
            # An empty cell is the usual gap of a sparse table (Lightning writes a row for each kind of report); a
            # text where numbers stand is worth a sentence.
            elif value is not None and value != "":
                lost[name] += 1
    arrays = {name: (np.array(rows[name], np.int64), np.array(values[name])) for name in rows}
    return {name: LoggedColumn(rows=at, values=numbers, lost=lost[name]) for name, (at, numbers) in arrays.items()}


def flat(record: Mapping[str, Any], prefix: str = "", separator: str = "/", depth: int = 8) -> dict[str, Any]:
    """Return a nested record with joined names."""
    entries: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, Mapping) and depth:
            entries |= flat(value, f"{prefix}{name}{separator}", separator, depth - 1)
        else:
            entries[f"{prefix}{name}"] = value
    return entries


@dataclass(frozen=True, slots=True, kw_only=True)
class Tabled:
    """The content of a table: the extents of all series, the requested series, and the names of the columns that count."""

    extents: dict[str, Extent]
    series: dict[str, Series]
    axis: str | None
    happened: tuple[Happening, ...] = ()


def tabled(
    columns: LoggedColumns,
    wish: Wish,
    *,
    prefix: str = "",
    own: Callable[[Ints], Floats] | None = None,
    time: str | None = None,
    happened: Iterable[Happening] = (),
) -> Tabled:
    """Return the series of a table.

    `own` gives the tool's own steps of rows, for tables without a column that counts them; `time` names the column of seconds, if it is not
    one of the usual names; `happened` are the events while reading rows. Without any other count, rows are counted from 1.
    """
    names = list(columns)
    wanted = wish.axis if wish.axis is not None and any(matches(wish.axis, name) for name in names) else None
    axis, episodes = steps_of(names, wanted), first_of(names, EPISODES)
    axis = episodes if wanted is None and axis and episodes and _are_lengths(columns, axis, episodes) else axis
    seconds = time or first_of(names, TIMES)
    columns, n_turned = _oldest_first(columns, axis, seconds)
    extents, series, filled, lost = {}, {}, 0, 0
    for name, column in columns.items():
        shown = prefix + name
        # All series are counted, few are kept: the last step is looked up alone.
        last, _ = steps_at(columns, axis, own, column.rows[-1:])
        extents[shown] = Extent(points=column.rows.size, last=float(last[0]) if last.size else float("nan"))
        if wish.keep(shown):
            step, without = steps_at(columns, axis, own, column.rows)
            filled, lost = filled + without, lost + column.lost
            times, counted = _at(columns, seconds, column.rows), _at(columns, episodes, column.rows)
            series[shown] = Series(step=step, value=column.values, time=times, episodes=counted)
    counts = {"step_filled": filled, "no_number": lost, "newest_first": n_turned}
    own_happened = [Happening(policy=policy, count=count) for policy, count in counts.items() if count]
    return Tabled(extents=extents, series=series, axis=axis, happened=(*happened, *own_happened))


def _are_lengths(columns: LoggedColumns, axis: str, episodes: str) -> bool:
    """Return whether steps are the lengths of episodes: they do not rise from one numbered episode to the next."""
    steps, numbers = columns[axis], columns[episodes]
    if not PLAIN_STEPS.issuperset(words(last_piece(axis))) or not np.array_equal(steps.rows, numbers.rows):
        return False
    return bool((np.diff(numbers.values) > 0).all() and (np.diff(steps.values) <= 0).any())


FEWEST_FALLING = 3
"""The fewest steps by which a log can look newest first; two may be a restart."""


def _oldest_first(columns: LoggedColumns, axis: str | None, seconds: str | None) -> tuple[LoggedColumns, int]:
    """Return columns in the order of their steps where these fall from row to row all through, and the number of rows turned round."""
    counter = columns[axis].values if axis is not None else np.empty(0)
    if (np.diff(counter) > 0).any() or np.unique(counter).size < FEWEST_FALLING:
        return columns, 0
    # Steps that fall while time goes on are counted down.
    if seconds is not None and (np.diff(columns[seconds].values) > 0).any():
        return columns, 0
    last = max(int(column.rows[-1]) for column in columns.values())
    turned = {
        name: replace(column, rows=last - column.rows[::-1], values=column.values[::-1])
        for name, column in columns.items()
    }
    return turned, counter.size


def merged(tables: Iterable[Tabled]) -> Tabled:
    """Return the tables of one run joined; a series in several tables is taken from the first."""
    listed = list(tables)
    return Tabled(
        # In a dictionary the last entry wins, so the first table comes last.
        extents={name: extent for table in reversed(listed) for name, extent in table.extents.items()},
        series={name: series for table in reversed(listed) for name, series in table.series.items()},
        axis=next((table.axis for table in listed if table.axis), None),
        happened=tuple(what for table in listed for what in table.happened),
    )


def log_of(claim: ClaimedRun, table: Tabled, config: Mapping[str, Any] | None = None) -> Log:
    """Return the log of a run that is a table."""
    of_table = {name: getattr(table, name) for name in ("extents", "series", "happened", "axis")}
    return Log(claim=claim, config=config or {}, **of_table)


def reader(series: Callable[[LogPart, Wish], Tabled]) -> Callable[[ClaimedRun, Wish], list[Log]]:
    """Return the function that reads a claim as one run, reading its files with `series`."""
    return lambda claim, wish: [log_of(claim, merged(series(part, wish) for part in claim.files))]


def log_of_series(claim: ClaimedRun, wish: Wish, series: Mapping[str, Series], **facts: Any) -> Log:
    """Return the log of a run whose series were all read, with only the requested ones; `facts` are other fields of the log."""
    return Log(
        claim=claim,
        extents={name: points.extent for name, points in series.items()},
        series={name: points for name, points in series.items() if wish.keep(name)},
        **facts,
    )


def steps_at(
    columns: LoggedColumns, axis: str | None, own: Callable[[Ints], Floats] | None, rows: Ints
) -> tuple[Floats, int]:
    """Return the steps of rows, and the number of rows without one, which take that of the row before (at the start, the first known one)."""
    if axis is None:
        return own(rows) if own is not None else (rows + 1).astype(np.float64), 0
    counter = columns[axis]
    # A report of evaluation may stand in a row of its own, without the counter, which the row of training before it
    # has.
    places = np.searchsorted(counter.rows, rows, side="right") - 1
    step = counter.values[np.maximum(places, 0)]
    return step, int((counter.rows[np.maximum(places, 0)] != rows).sum())


def _at(columns: LoggedColumns, name: str | None, rows: Ints) -> Floats | None:
    """Return a column at some rows, with NaN for rows without an entry."""
    if name is None:
        return None
    column = columns[name]
    places = np.minimum(np.searchsorted(column.rows, rows), column.rows.size - 1)
    return np.where(column.rows[places] == rows, column.values[places], np.nan)


# ── one series made clean ──────────

TRAININGS = "trainings"
"""The policy for a log with several trainings to one step, one after another."""


def clean(series: Series) -> tuple[Series, list[Happening]]:
    """Return a series with strictly increasing steps, and the events of cleaning it.

    NaN means that nothing was measured; such points are left out. If the steps go back, the run was restarted, and the later part replaces
    the earlier from there on. Several values at one step are averaged, with the last time and number of episodes. Infinities stay, to be
    refused with their place.
    """
    happened: list[Happening] = []
    points, nans = _without_nan(series)
    happened += nans
    kept = _after_restarts(points.step)
    n_replaced = int((~kept).sum())
    if n_replaced:
        # Restarts from a checkpoint go back a little. Who goes back by most of the training has several runs in one
        # file, or steps that count something else: two fifths of the points gone is beyond what checkpoints explain.
        ends_earlier = points.step[kept][-1] < points.step.max()
        policy = "ends_earlier" if ends_earlier else "restarted"
        policy = "mostly_replaced" if 5 * n_replaced >= 2 * kept.size else policy
        # The first of the turns is enough to find the place.
        turns: Ints = np.flatnonzero(np.diff(points.step) < 0)
        where = f"at step {points.step[turns[0] + 1]:g}"
        begins, ends = points.step[turns + 1], points.step[turns]
        if (begins <= points.step[0]).all() and (ends == points.step[-1]).all():
            policy, where = TRAININGS, f"{turns.size + 1} to step {points.step[-1]:g}"
        happened.append(Happening(policy=policy, count=n_replaced, where=where))
        points = _points_at(points, kept)
    points, n_averaged = _one_value_a_step(points)
    if n_averaged:
        policy = "averaged" if points.step.size > 1 else "all_at_one_step"
        happened.append(Happening(policy=policy, count=n_averaged))
    return points, happened


def _without_nan(series: Series) -> tuple[Series, list[Happening]]:
    measured = ~(np.isnan(series.value) | np.isnan(series.step))
    if measured.all():
        return series, []
    if not measured.any():
        return _points_at(series, measured), []
    places = np.flatnonzero(measured)
    counts = {
        "no_value_yet": int(places[0]),
        "no_value_between": int((~measured[places[0] : places[-1]]).sum()),
        "no_value_at_end": int(measured.size - 1 - places[-1]),
    }
    return _points_at(series, measured), [Happening(policy=policy, count=n) for policy, n in counts.items() if n]


def _after_restarts(step: Floats) -> Bools:
    """Return which points no later part of the series replaces."""
    # Parts between falls of the step are numbered. A point stays if no later part begins at or before its step; equal
    # steps within a part are no fall.
    part = np.concatenate([[0], np.cumsum(np.diff(step) < 0)])[: step.size]
    starts = np.flatnonzero(np.concatenate([[True], np.diff(part) > 0])[: step.size])
    # the smallest step with which a later part begins: from there on the part is replaced
    later = np.concatenate([np.minimum.accumulate(step[starts][::-1])[::-1][1:], [np.inf]])
    return np.asarray(step < later[part])


def _one_value_a_step(series: Series) -> tuple[Series, int]:
    new = np.concatenate([[True], np.diff(series.step) > 0])[: series.step.size]
    if new.all():
        return series, 0
    starts: Ints = np.flatnonzero(new)
    sizes = np.diff(np.append(starts, series.step.size))
    last = starts + sizes - 1
    # inf − inf, or a sum beyond the largest double, is an infinity or NaN here, and is refused with its place later.
    with np.errstate(invalid="ignore", over="ignore"):
        means = np.add.reduceat(series.value, starts) / sizes
    return replace(_points_at(series, last), value=means), int((sizes - 1).sum())


def _points_at(series: Series, where: Bools | Ints) -> Series:
    return Series(
        step=series.step[where],
        value=series.value[where],
        time=None if series.time is None else series.time[where],
        episodes=None if series.episodes is None else series.episodes[where],
    )
