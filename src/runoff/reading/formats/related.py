"""Tables of a database that belong together: one that names the runs, and those of what was measured in each, or set for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runoff.base.grouping import grouped
from runoff.errors import DataError, warn
from runoff.tables.columns import listed
from runoff.tables.likely import candidates, plays
from runoff.tables.nested import PROGRESS
from runoff.words.costs import direction
from runoff.words.speech import option
from runoff.words.words import kind, vocabulary

KEYS = vocabulary("id uuid run_id run_uuid trial_id experiment_id job_id")
LABELS = vocabulary("name key metric tag param parameter series")
"""Columns that say of what the value beside them is."""
VALUES = vocabulary("value val")
TableRow = dict[str, Any]


def related(
    tables: Mapping[str, Sequence[TableRow]], place: str, wanted: str | None
) -> tuple[list[TableRow], str] | None:
    """Return a row for each run, or for each of its steps, with the columns of all tables that belong to the one which names the algorithms of
    runs, and the note on them; None where no table names them, or no other table that is wanted measures them."""
    mains = {name: key for name, rows in tables.items() if (key := _key(rows))}
    if len(mains) != 1 or wanted in mains:
        return None
    ((main, key),) = mains.items()
    runs = {row[key]: row for row in tables[main]}
    parts = {name: _by_run(rows, _key_beside(rows, main, key)) for name, rows in tables.items() if name != main}
    beside = {name: by_run for name, by_run in parts.items() if by_run}
    heads = {name: fields_of([row for rows in by_run.values() for row in rows]) for name, by_run in beside.items()}
    measured = [name for name in measuring(heads, named=False) if wanted in (None, name)]
    if not measured:
        return None
    if len(measured) > 1:
        ways = " or ".join(option("table", name) for name in measured)
        raise DataError(
            f"{place}: tables {listed(measured)} may hold the scores of the runs in table {main!r}; use {ways}."
        )
    own = beside.pop(measured[0])
    if strange := own.keys() - runs.keys():
        raise DataError(
            f"{place}: table {measured[0]!r} has rows of {len(strange)} runs ({listed(sorted(map(str, strange)), 3)}) that table {main!r} does "
            "not name; add them to it, or delete their rows."
        )
    once = {name: by_run for name, by_run in beside.items() if max(map(len, by_run.values())) == 1}
    rows = [
        {
            **_of_run(run, {name: by_run.get(run[key], [{}])[0] for name, by_run in once.items()}),
            **_apart(row, run, measured[0]),
        }
        for run in runs.values()
        for row in own.get(run[key], [])
    ]
    if lacking := len(runs.keys() - own.keys()):
        warn(
            f"{place}: {lacking} of the {len(runs)} runs in table {main!r} have nothing in {measured[0]!r}, and are left out"
        )
    left = "".join(f"; left out: {name!r}, with several rows of a run" for name in beside if name not in once)
    return rows, f"tables {listed([main, measured[0], *once])} are read together, by column {key!r}{left}"


def measuring(columns: Mapping[str, Sequence[str]], *, named: bool) -> list[str]:
    """Return the tables with a column that is named like a score; or else like a cost, `named`: beside one of algorithms."""
    scored = [name for name, own in columns.items() if plays(own, "score", {})]
    likely = columns if not named else [name for name, own in columns.items() if plays(own, "algorithm", {})]
    return scored or [name for name in likely if any(direction(head) == "lower" for head in columns[name])]


def _of_run(run: TableRow, beside: Mapping[str, TableRow]) -> TableRow:
    """Return what the tables with one row of each run say of it."""
    return {name: value for table, row in beside.items() for name, value in _apart(row, run, table).items()} | run


def fields_of(rows: Sequence[TableRow]) -> list[str]:
    return [*dict.fromkeys(name for row in rows for name in row)]


def _key(rows: Sequence[TableRow]) -> str:
    """Return the column that has another value in each row of a table which names algorithms, and measures nothing; "" of other tables."""
    names = fields_of(rows)
    if not plays(names, "algorithm", {}) or plays(names, "score", {}):
        return ""
    values = {name: [row[name] for row in rows] for name in names if name.casefold() in KEYS}
    return next((name for name, own in values.items() if None not in own and len({*own}) == len(own)), "")


def _key_beside(rows: Sequence[TableRow], main: str, key: str) -> str:
    """Return the column of a table that holds the key of the table of runs: `run_id`, of the column `id` in the table `runs`."""
    alone, key = main.casefold().removesuffix("s"), key.casefold()
    owned = [f"{alone}_{key}", alone] if key in ("id", "uuid") else [key, alone]
    if plays(fields_of(rows), "algorithm", {}):
        owned = owned[:1]  # a number of its own runs is no key of others
    return next((name for name in fields_of(rows) if name.casefold() in owned), "")


def _by_run(rows: Sequence[TableRow], key: str) -> dict[Any, list[TableRow]]:
    """Return the rows of each run without its key, with a column for each name where a table has names and values; none of a table in which a
    name stands twice."""
    names = fields_of(rows)
    labels, values = ([name for name in names if name.casefold() in of] for of in (LABELS, VALUES))
    if not key:
        return {}
    if len(labels) != 1 or len(values) != 1:
        return grouped((row[key], {name: value for name, value in row.items() if name != key}) for row in rows)
    steps = candidates(names, "step") or [name for name in names if kind(name) in PROGRESS]
    cells: dict[tuple[Any, ...], TableRow] = {}
    for row in rows:
        at = tuple(row[name] for name in steps)
        cell = cells.setdefault((row[key], *at), dict(zip(steps, at, strict=True)))
        if row[labels[0]] in cell:
            return {}
        cell[row[labels[0]]] = row[values[0]]
    # Losses are logged at more steps than evaluations.
    scores = candidates(fields_of([*cells.values()]), "score")
    return grouped(
        (run, cell)
        for (run, *_), cell in cells.items()
        if not scores or any(cell.get(name) is not None for name in scores)
    )


def _apart(row: TableRow, own: TableRow, table: str) -> TableRow:
    """Return a row of a table with its name before the columns that the table of runs has as well."""
    return {f"{table}.{name}" if name in own else name: value for name, value in row.items()}
