"""Tables with several scores in a row: lists in cells, and a column for each step of training."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np

from runoff.base.bounds import refuse_beyond
from runoff.errors import DataError
from runoff.tables.columns import candidates, free_columns, listed, plays, recognise
from runoff.tables.labels import RawColumn, some_rows
from runoff.tables.numerals import Values
from runoff.tables.tidy import SourceTable
from runoff.tables.unnamed import Chosen
from runoff.tables.values import AMOUNTS
from runoff.words.speech import column

# ── lists in cells ──────────


def unlisted(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return a table with one row for each entry of the lists in its cells: the evaluations of a run, where a column names the runs."""
    lists = {name: cells for name, values in table.columns.items() if (cells := _lists(values)) is not None}
    scores = [
        name
        for name in lists
        if name == chosen.get("score") or (not chosen.get("score") and name in _scores(table, chosen))
    ]
    if len(scores) != 1:
        return table
    lengths = np.array([len(cell) for cell in lists[scores[0]]], dtype=np.int64)
    refuse_beyond(
        "values", int(lengths.sum()) * len(table.columns), f"{table.place}: its lists have {int(lengths.sum())} entries"
    )
    along = [
        name for name, cells in lists.items() if all(len(cell) == n for cell, n in zip(cells, lengths, strict=True))
    ]
    rows = np.repeat(np.arange(table.n_rows), lengths)
    columns: dict[str, Values] = {
        name: [entry for cell in lists[name] for entry in cell] if name in along else some_rows(values, rows)
        for name, values in table.columns.items()
        if name in along or name not in lists
    }
    numbered = np.arange(rows.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    axes = "as asked" if table.by_axes else "the entries of a list are evaluations of a run, at steps 1, 2, …"
    names = list(columns)
    if plays(names, "step", chosen):
        axes = f"entries of lists stand at the steps of column {recognise(names, wanted=('step',), chosen=chosen, place=table.place)['step']!r}"
    elif plays([name for name in names if name not in lists], "run", chosen):
        columns["step"] = (numbered + 1).astype(np.float64)
    else:
        raise DataError(
            f"{table.place}: column {scores[0]!r} holds lists, and no column names the runs, so that their entries may be runs or the "
            f"evaluations of one; give a row for every score, or name the column of runs: {column('run')}."
        )
    return replace(
        table,
        columns=columns,
        row=lambda index: f"{table.row(int(rows[index]))}, entry {numbered[index] + 1}",
        notes=(*table.notes, f"column {scores[0]!r} holds lists: {axes}"),
    )


def _scores(table: SourceTable, chosen: Chosen) -> list[str]:
    return candidates(free_columns(table.columns, chosen), "score")


def _lists(values: Values) -> list[list[Any]] | None:
    """Return the lists that all cells of a column hold, as such or as texts; None of another column."""
    first = values[0] if len(values) else None
    if isinstance(values, RawColumn) and not values.is_text:
        return None
    if isinstance(first, str):
        if not (first.lstrip().startswith("[") and first.rstrip().endswith("]")):
            return None
        read = [_of_text(value) for value in values]
        return None if any(cell is None for cell in read) else [cell for cell in read if cell is not None]
    if not isinstance(first, list | tuple | np.ndarray) or isinstance(values, np.ndarray):
        return None
    cells = [list(value) if isinstance(value, list | tuple | np.ndarray) else None for value in values]
    if any(cell is None or any(isinstance(entry, list | dict) for entry in cell) for cell in cells):
        return None
    return [cell for cell in cells if cell is not None]


def _of_text(text: object) -> list[Any] | None:
    # NumPy prints its arrays with blanks for commas.
    inner = re.sub(r"(?<=[\d.])\s+(?=[-+\d.])", ", ", str(text).strip())
    try:
        value = json.loads(inner)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list) and not any(isinstance(entry, list | dict) for entry in value) else None


# ── a column for each step ──────────

STEP = re.compile(
    r"(?:(?:at[_ ])?(?:env[_ ]?)?(?:steps?|frames?|timesteps?|t|iter|iteration|epoch|update)[_ @=:]*)?(\d+(?:\.\d+)?)\s*([kKmM])?"
    r"(?:[_ ]?(?:steps?|frames?))?"
)
FEWEST = 3
"""The fewest columns that are steps by their names."""


def stepped(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return a table with one row for each step, where heads are rising steps of training beside columns that name the run."""
    names = free_columns(table.columns, chosen)
    heads = {name: _step(match) for name in names if (match := STEP.fullmatch(name.strip())) is not None}
    others = [name for name in table.columns if name not in heads]
    if (
        len(heads) < FEWEST
        or chosen.get("score")
        or plays(others, "score", chosen)
        or not plays(others, "algorithm", chosen)
    ):
        return table
    steps = np.array(list(heads.values()))
    rises = np.diff(steps)
    # 0, 1, 2, … count runs as well as anything else.
    if (rises <= 0).any() or (steps[0] <= 1 and (rises == 1).all() and all(name.strip().isdigit() for name in heads)):
        return table
    n_rows = table.n_rows
    rows = np.tile(np.arange(n_rows), len(heads))
    columns: dict[str, Values] = {name: some_rows(table.columns[name], rows) for name in others}
    columns["step"] = np.repeat(steps, n_rows)
    columns["score"] = [value for name in heads for value in table.columns[name]]
    if not plays(others, "run", chosen):
        columns["run"] = [str(row) for row in rows.tolist()]
    shown = list(heads)
    return replace(
        table,
        columns=columns,
        row=lambda index: f"{table.row(int(rows[index]))}, column {shown[index // n_rows]!r}",
        notes=(
            *table.notes,
            f"each of the {len(heads)} columns {listed(shown, 4)} is a step of training, and each row a run",
        ),
    )


def _step(match: re.Match[str]) -> float:
    return float(match[1]) * AMOUNTS[(match[2] or "").casefold()] if match[2] else float(match[1])
