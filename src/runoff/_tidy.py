"""Tidy columns → checked arrays: every refusal names the place, the row and the value.

A `Table` is columns of Python values and the words for where a row is ("row 7" of a frame, "line 8" of a file).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from runoff._columns import missing_column, recognise
from runoff.errors import DataError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Columns by name, with the words for their place."""

    columns: Mapping[str, Sequence[Any]]
    place: str = "the frame"
    row: Callable[[int], str] = lambda index: f"row {index}"

    @property
    def n_rows(self) -> int:
        return len(next(iter(self.columns.values()), ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidy:
    """Checked columns: labels as text, numbers finite."""

    labels: dict[str, list[str]]
    score: Floats
    step: Floats | None
    mapping: dict[str, str]
    notes: tuple[str, ...]


def table_of(frame: Any) -> Table:
    """Return the columns of any eager or lazy DataFrame that narwhals knows."""
    if isinstance(frame, Mapping):
        return Table(columns={str(name): list(column) for name, column in frame.items()})
    try:
        native = nw.from_native(frame)
    except TypeError as error:
        raise DataError(f"expected a pandas, polars or pyarrow table, not {type(frame).__name__}.") from error
    eager = native.collect() if isinstance(native, nw.LazyFrame) else native
    names = [str(name) for name in eager.columns]
    return Table(columns={name: eager[column].to_list() for name, column in zip(names, eager.columns, strict=True)})


def tidy(table: Table, *, chosen: Mapping[str, str | None], with_step: bool) -> Tidy:
    """Return the checked columns of a table.

    Raises
    ------
    DataError
        No rows, a missing or ambiguous column, an empty label, text, NaN or infinity in a number column.
    """
    if not table.columns or table.n_rows == 0:
        raise DataError(f"{table.place}: there are no rows of data.")
    wanted = ("algorithm", "task", "run", "score", *(("step",) if with_step else ()))
    mapping = recognise(list(table.columns), wanted=wanted, chosen=chosen, place=table.place)
    for role in ("algorithm", "score", *(("step",) if with_step else ())):
        if role not in mapping:
            raise missing_column(role, list(table.columns), table.place)
    score = numbers(table, mapping["score"], "score")
    label_roles = [role for role in mapping if role not in ("score", "step")]
    labels = {role: texts(table, mapping[role], role) for role in label_roles}
    labels, notes = _completed(labels, table, with_step)
    step = numbers(table, mapping["step"], "step") if with_step else None
    return Tidy(labels=labels, score=score, step=step, mapping=mapping, notes=notes)


def _completed(
    labels: dict[str, list[str]], table: Table, with_step: bool
) -> tuple[dict[str, list[str]], tuple[str, ...]]:
    notes = []
    if "task" not in labels:
        labels["task"] = ["task"] * table.n_rows
        notes.append("there is no task column: all scores are taken as one task, named 'task'")
    if "run" not in labels:
        if with_step:
            raise missing_column("run", list(table.columns), table.place)
        labels["run"] = _numbered(labels["algorithm"], labels["task"])
        notes.append("there is no run column: each row is taken as one independent run")
    return labels, tuple(notes)


def _numbered(algorithms: Iterable[str], tasks: Iterable[str]) -> list[str]:
    seen: dict[tuple[str, str], int] = {}
    runs = []
    for cell in zip(algorithms, tasks, strict=True):
        seen[cell] = seen.get(cell, -1) + 1
        runs.append(str(seen[cell]))
    return runs


def texts(table: Table, column: str, role: str) -> list[str]:
    """Return a label column as text, refusing empty labels; 3.0 and 3 are the same label."""
    found = [label(value) for value in table.columns[column]]
    if "" in found:
        raise DataError(f"{table.place}, {table.row(found.index(''))}: the {role} (column {column!r}) is empty.")
    return found


def label(value: object) -> str:
    """Return the text of a label; whole floats lose their ".0", nothing becomes empty."""
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def numbers(table: Table, column: str, role: str) -> Floats:
    """Return a number column as float64, refusing text, nothing, NaN and infinities with their row."""
    values = table.columns[column]
    converted = _floats(values)
    if converted is None:
        index, value = next((i, v) for i, v in enumerate(values) if _number(v) is None)
        what = "is missing" if value is None or value == "" else f"is {value!r}, which is not a number"
        raise DataError(f"{table.place}, {table.row(index)}: the {role} (column {column!r}) {what}.")
    bad = np.flatnonzero(~np.isfinite(converted))
    if bad.size:
        more = f" ({bad.size} such rows)" if bad.size > 1 else ""
        raise DataError(
            f"{table.place}, {table.row(int(bad[0]))}: the {role} (column {column!r}) is {converted[bad[0]]}{more}; "
            "a failed run has a score too: decide which, and put it in."
        )
    return converted


def _floats(values: Sequence[Any]) -> Floats | None:
    if all(type(value) in (float, int) for value in values):
        return np.array(values, dtype=np.float64)
    converted = [_number(value) for value in values]
    return None if None in converted else np.array(converted, dtype=np.float64)


def _number(value: object) -> float | None:
    if value is None or isinstance(value, bool | np.bool_ | bytes):
        return None
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
