"""JSON, five shapes told apart by their structure.

[{column: value}]               records: a tidy table
{column: [values]}              columns, where the names are those of roles: a tidy table
{task: [scores]}                rliable's file of one algorithm, named by the file
{algorithm: [[scores]]}         rliable's dict of arrays (n_runs, n_tasks)
{algorithm: {task: [scores]}}   the ragged cousin

And NDJSON (JSON lines): one record per line.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from runoff.base.limits import refuse_beyond
from runoff.errors import DataError
from runoff.io.formats.arrays import arrays_table
from runoff.io.formats.base import INNER_KEY, KEY, Format, NotRuns, Source, structural
from runoff.tables.columns import plays
from runoff.tables.tidy import Table
from runoff.words.speech import option

COMMA = b","
SHAPES = "[{column: value}], {task: [scores]}, {algorithm: [[scores]]}, {algorithm: {task: [scores]}}"


def read(source: Source) -> Table:
    """Return the table of a JSON file.

    Raises
    ------
    DataError
        It is not well-formed, or a key appears twice.
    NotRuns
        It has none of the five shapes.
    """
    content = decode(source.text(), source.place)
    if content in ([], {}):
        raise NotRuns(f"{source.place}: the JSON file holds nothing.")
    refuse_beyond("values", source.data.count(COMMA), f"{source.place}: the file has {source.data.count(COMMA)} values")
    if isinstance(content, dict):
        _refuse_many_keys(content, source.place)
    for fits, make in _SHAPES:
        if fits(content):
            return make(content, source)
    raise NotRuns(f"{source.place}: this JSON file has none of the shapes that hold runs: {SHAPES}.")


def _refuse_many_keys(content: dict[str, Any], place: str) -> None:
    inner = (len(value) for value in content.values() if isinstance(value, dict))
    most = max(len(content), *inner, 0)
    refuse_beyond("columns", most, f"{place}: an object has {most} keys")


def decode(text: str, place: str) -> Any:
    """Return the content of a JSON text; NaN and infinities pass, to be refused with their place."""
    try:
        return json.loads(text, object_pairs_hook=_unique_keys)
    except RecursionError as error:
        raise DataError(f"{place}: the JSON is nested too deeply to hold runs.") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        where += f" (one record per line is {option('format', 'ndjson')})" if error.msg == "Extra data" else ""
        raise DataError(f"{place}: this is not well-formed JSON: {error.msg} at {where}.") from error
    except ValueError as error:
        raise DataError(f"{place}: this JSON cannot be read: {error}.") from error


def records_table(records: list[dict[str, Any]], place: str, row: Callable[[int], str]) -> Table:
    """Return the columns of records; a field that a record lacks is None."""
    names = dict.fromkeys(name for record in records for name in record)
    refuse_beyond("columns", len(names), f"{place}: the records have {len(names)} fields")
    refuse_beyond("values", len(names) * len(records), f"{place}: the records have {len(names) * len(records)} values")
    return Table(columns={name: [record.get(name) for record in records] for name in names}, place=place, row=row)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for i, key in enumerate(keys) if key in keys[:i])
        raise ValueError(f"the key {twice!r} appears twice in one object")
    return record


# ── the shapes: does it fit, and the table it makes ──────────


def _are_records(content: Any) -> bool:
    return isinstance(content, list) and all(isinstance(record, dict) for record in content)


def _records(content: list[dict[str, Any]], source: Source) -> Table:
    return records_table(content, source.place, lambda index: f"record {index + 1}")


def _are_columns(content: Any) -> bool:
    if not (isinstance(content, dict) and all(_is_scalars(column) for column in content.values())):
        return False
    roles = [role for role in ("algorithm", "run", "step") if plays(list(content), role, {})]
    return bool(roles) and plays(list(content), "score", {})


def _columns(content: dict[str, list[Any]], source: Source) -> Table:
    lengths = {name: len(column) for name, column in content.items()}
    if len(set(lengths.values())) > 1:
        raise DataError(f"{source.place}: the columns differ in length: {lengths}.")
    return Table(columns=content, place=source.place, row=lambda index: f"entry {index + 1}")


def _is_by_task(content: Any) -> bool:
    return isinstance(content, dict) and all(_is_scalars(scores) for scores in content.values())


def _by_task(content: dict[str, list[Any]], source: Source) -> Table:
    table = _cells({source.stem: content}, source, "{name: [scores]}")
    columns = {name: column for name, column in table.columns.items() if name != KEY}
    return replace(table, columns=columns, keys={INNER_KEY: "task"})


def _is_by_algorithm(content: Any) -> bool:
    return isinstance(content, dict) and all(isinstance(v, dict) and _is_by_task(v) for v in content.values())


def _by_algorithm(content: dict[str, dict[str, list[Any]]], source: Source) -> Table:
    return _cells(content, source, "{name: {name: [scores]}}")


def _is_arrays(content: Any) -> bool:
    return isinstance(content, dict) and all(
        isinstance(rows, list) and rows and all(isinstance(row, list) for row in rows) for rows in content.values()
    )


def _arrays(content: dict[str, list[Any]], source: Source) -> Table:
    return arrays_table({name: _array(name, rows, source.place) for name, rows in content.items()}, source.place)


def _array(name: str, rows: list[Any], place: str) -> Any:
    try:
        return np.array(rows, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(
            f"{place}: algorithm {name!r} must be an array of numbers, rows of one length (n_runs, n_tasks), but {error}."
        ) from error


def _is_scalars(column: Any) -> bool:
    return isinstance(column, list) and not any(isinstance(value, list | dict) for value in column)


def _cells(content: dict[str, dict[str, list[Any]]], source: Source, note: str) -> Table:
    columns: dict[str, list[Any]] = {KEY: [], INNER_KEY: [], "run": [], "score": []}
    played = {task for tasks in content.values() for task, scores in tasks.items() if scores}
    for algorithm, tasks in content.items():
        if not any(tasks.values()):
            raise DataError(f"{source.place}: algorithm {algorithm!r} has no scores.")
        empty = next((task for task in tasks if task not in played), None)
        if empty is not None:
            raise DataError(
                f"{source.place}: task {empty!r} has no scores of any algorithm; enter them, or leave the task out."
            )
        for task, scores in tasks.items():
            columns[KEY] += [algorithm] * len(scores)
            columns[INNER_KEY] += [task] * len(scores)
            columns["run"] += [str(run) for run in range(len(scores))]
            columns["score"] += scores
    return replace(structural(source.place, columns, note), keys={KEY: "algorithm", INNER_KEY: "task"}, entries=True)


# The order matters: an object of plain lists is columns if its names are roles, and scores by task if they are not.
_SHAPES: tuple[tuple[Callable[[Any], bool], Callable[[Any, Source], Table]], ...] = (
    (_are_records, _records),
    (_are_columns, _columns),
    (_is_by_task, _by_task),
    (_is_by_algorithm, _by_algorithm),
    (_is_arrays, _arrays),
)

JSON = Format(
    title="JSON",
    holds="records, or scores nested by algorithm and task, or by task",
    suffixes=(".json",),
    sniff=lambda data: data.lstrip()[:1] in (b"{", b"["),
    read=read,
)


# ── one record per line ──────────


def read_lines(source: Source) -> Table:
    """Return the columns of the records.

    Raises
    ------
    DataError
        A line is not well-formed JSON.
    NotRuns
        A line holds something other than a record.
    """
    records, lines = [], []
    for at, line in enumerate(source.text().split("\n"), start=1):
        if line.strip():
            record = decode(line, f"{source.place}, line {at}")
            if not isinstance(record, dict):
                raise NotRuns(f"{source.place}, line {at}: a record {{name: value}} was expected, not {line[:40]!r}.")
            records.append(record)
            lines.append(at)
    if not records:
        raise DataError(f"{source.place}: there are no rows of data.")
    return records_table(records, source.place, lambda index: f"line {lines[index]}")


def _looks_like_lines(data: bytes) -> bool:
    lines = [line for line in data[:65536].splitlines() if line.strip()]
    return len(lines) > 1 and all(line.lstrip().startswith(b"{") for line in lines)


NDJSON = Format(
    title="JSON lines",
    holds="one record per line",
    suffixes=(".ndjson", ".jsonl"),
    sniff=_looks_like_lines,
    read=read_lines,
)
