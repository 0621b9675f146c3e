"""A column that describes tasks, such as the passage that a question is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from runoff.errors import DataError, OptionError, nearest, warn
from runoff.reading._archives import unpacked
from runoff.reading._gather import Read, read_all, request_of
from runoff.reading._paths import Paths, find, shown
from runoff.reading.logs import are_tables, tree_of_logs
from runoff.reading.logs.wire.lines import as_dict, as_list, json_file, json_lines
from runoff.tables.values import NO_NUMBER
from runoff.words.patterns import regex
from runoff.words.speech import option
from runoff.words.words import benchmark_and_item, benchmark_last

SAMPLES = regex(r"samples_(.+)_\d{4}-\d{2}-\d{2}T[\d.\-]+\.jsonl")
"""Files with samples of lm-eval, by the task in their names."""
AtTask = tuple[str, str, str]
"""A task, its value, and the place of the value."""


def by_task(path: Paths, column: str, called: str = "cluster", **how: Any) -> dict[str, str]:
    """Return the value for each task of a column of tables, or of a field in samples of lm-eval or Inspect; `how` is as in `request_of`.

    called: the option that names the column, "cluster" or "strata"; samples have their benchmark as a field `benchmark`.

    Raises
    ------
    OptionError
        No table, or no sample, has this column or field.
    DataError
        A task has two values, or none.
    """
    request = request_of(**how)
    with unpacked(path) as places:
        tree = None if request.of_tables else tree_of_logs(places)
        if tree is not None and not are_tables(tree):
            return _agreed(column, called, _of_samples(places, column, called))
        return _agreed(column, called, _of_tables(read_all(find(places), request)[0], column, called))


NOUNS = {"cluster": ("cluster", "clusters"), "strata": ("stratum", "strata")}
"""The word for the value of a task, by the option."""


def _agreed(column: str, called: str, values: Iterator[AtTask]) -> dict[str, str]:
    by_task: dict[str, str] = {}
    noun, nouns = NOUNS[called]
    alone = "; name it, which is the task's own name where it was drawn alone." if called == "cluster" else "; name it."
    for task, value, where in values:
        # A name of nothing would be one cluster of all that lack one, or make a task its own: evidence that nobody has.
        if value.strip().casefold() in NO_NUMBER:
            raise DataError(f"{option(called, column)}: the {noun} of task {task!r} is missing ({where}){alone}")
        if by_task.setdefault(task, value) != value:
            message = (
                f"{option(called, column)}: task {task!r} is in two {nouns}, {by_task[task]!r} and {value!r} ({where})."
            )
            raise DataError(message)
    return by_task


def _of_tables(read: Sequence[Read], column: str, called: str) -> Iterator[AtTask]:
    names = {str(name) for entry in read for name in entry.part.table.columns}
    if column not in names:
        raise OptionError(f"{option(called, column)}: no table has such a column.{nearest(column, sorted(names))}")
    anew = called == "cluster" and _begin_anew(read, column)
    if anew:
        warn(
            f"{option(called, column)}: clusters with the same name in two benchmarks are two clusters, as are such items; the name of each "
            "has both"
        )
    for entry in read:
        rows, tasks = entry.part.table, entry.part.tidy.labels["task"]
        values = rows.columns.get(column)
        if values is None:
            continue
        if len(values) != len(tasks):
            raise DataError(
                f"{shown(entry.file.path)}: a row of this table is not an answer to one task, so column {column!r} names no {NOUNS[called][1]}; "
                "give a tidy table with one row per answer."
            )
        if anew:
            values = [f"{group}/{value}" for group, value in zip(_benchmarks(entry), values, strict=True)]
        for i in range(len(values)):
            yield tasks[i], str(values[i]), f"{shown(entry.file.path)}, {rows.row(i)}"


def _begin_anew(read: Sequence[Read], column: str) -> bool:
    """Return whether a value of a column occurs in two benchmarks, if these are a part of the names of tasks."""
    groups: dict[str, set[str]] = {}
    for entry in read:
        if column not in entry.part.tidy.mapping.get("task", "").split("/"):
            for group, value in zip(_benchmarks(entry), entry.part.table.columns.get(column, ()), strict=False):
                groups.setdefault(str(value), set()).add(group)
    return any(len(own) > 1 for own in groups.values())


def _benchmarks(entry: Read) -> Sequence[str]:
    """Return the benchmark of each row, from the beginning or end of its task's name; nothing if a single column names tasks."""
    parts, tasks = entry.part.tidy.mapping.get("task", "").split("/"), entry.part.tidy.labels["task"]
    if len(parts) != 2:
        return []
    last = benchmark_last(parts)
    return [benchmark_and_item(task, last=last)[0] for task in tasks]


def _of_samples(path: Paths, column: str, called: str) -> Iterator[AtTask]:
    """Yield the field of every sample in the folders: lm-eval has it in `doc`, Inspect in `metadata`."""
    places = [path] if isinstance(path, str | Path) else path
    files = [file for place in places for file in ([Path(place)] if Path(place).is_file() else Path(place).rglob("*"))]
    fields, values = set[str](), list[AtTask]()
    for file in sorted(files):
        for benchmark, label, sample in _samples(file):
            inner = as_dict(sample.get("doc")) | as_dict(sample.get("metadata"))
            own = {name: value for name, value in (sample | inner).items() if isinstance(value, str | int)}
            own.setdefault("benchmark", benchmark)
            fields.update(own)
            if column in own:
                values.append((f"{benchmark}/{label}", str(own[column]), shown(file)))
    if not values:
        raise OptionError(
            f"{option(called, column)}: no sample of these logs has such a field.{nearest(column, sorted(fields))}"
        )
    yield from values


def _samples(file: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    if match := SAMPLES.fullmatch(file.name):
        records, _ = json_lines(file)
        yield from ((match[1], str(record.get("doc_id")), record) for record in records)
    elif file.suffix == ".json" and b'"samples"' in file.read_bytes():
        content = as_dict(json_file(file))
        task = str(as_dict(content.get("eval")).get("task"))
        yield from ((task, str(sample.get("id")), sample) for sample in map(as_dict, as_list(content.get("samples"))))
