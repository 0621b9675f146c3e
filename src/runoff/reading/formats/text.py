"""Bare numbers, as numpy.savetxt writes them.

One number per line: the runs of one algorithm, named by the file. A matrix contains learning curves: rows are steps, columns are runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from runoff.base.arrays import Floats
from runoff.base.bounds import refuse_beyond
from runoff.errors import DataError
from runoff.reading.formats.arrays import arrays_table
from runoff.reading.formats.base import Format, NotRuns, Source
from runoff.reading.formats.sheets import says_less_of
from runoff.tables.likely import plays
from runoff.tables.source import SourceTable
from runoff.tables.values import parsed
from runoff.words.patterns import regex
from runoff.words.speech import option

NEWLINE = b"\n"
WORDED = regex(r"\s*#.*[^\W\d_]")
"""A comment in words."""
COMMA = regex(r"[-+]?\d+,\d+")


def read(source: Source) -> SourceTable:
    """Return the table of a text of numbers; `#` starts a comment, which may say that less is better."""
    comments = [line for line in source.text().split("\n") if line.startswith("#")] if b"#" in source.data else []
    return replace(_of_numbers(source), less=says_less_of(source.place, comments))


def _of_numbers(source: Source) -> SourceTable:
    n_lines = source.data.count(NEWLINE)
    refuse_beyond("values", n_lines, f"{source.place}: the text has {n_lines} lines")
    _refuse_decimal_commas(source.place, source.text())
    rows, lines = _rows(source)
    matrix = np.array(rows)
    _refuse_blocks(source, matrix, lines)
    # numpy.savetxt of (n_runs, n_steps) looks like one of (n_steps, n_runs): with axes named it is an array as others.
    if source.axes is not None and matrix.shape[1] > 1:
        return arrays_table({None: matrix}, source.place, source.axes)
    has_steps, steps = _counts_steps(matrix), np.arange(1.0, len(rows) + 1)
    if has_steps:
        steps, matrix = matrix[:, 0], matrix[:, 1:]
    width, columns = matrix.shape[1], {"score": matrix.ravel().tolist()}
    if has_steps and width == 1:  # a curve by its steps, whose run the path names
        note = "a row is a step and a score: the first numbers rise evenly"
        curve = {"step": steps.tolist(), **columns}
        return SourceTable(columns=curve, place=source.place, row=lambda index: f"line {lines[index]}", notes=(note,))
    runs, note = np.arange(len(rows)), "one number per line"
    if width > 1:
        # rl_stats and others publish such matrices, a row an evaluation and a column a seed.
        runs, note = np.tile(np.arange(width), len(rows)), _of_matrix(len(rows), width, has_steps=has_steps)
        columns["step"] = np.repeat(steps, width).tolist()

    def row(index: int) -> str:
        return f"line {lines[index // width]}" + (f", column {index % width + 1}" if width > 1 else "")

    gap = _gap(source.text(), lines)
    return SourceTable(
        columns={"run": list(map(str, runs.tolist())), **columns},
        place=source.place,
        row=row,
        structural=True,
        entries="step" not in columns,
        notes=(note, *gap),
    )


def _refuse_blocks(source: Source, matrix: Floats, lines: list[int]) -> None:
    """Refuse numbers of several runs below each other: with words between them, or with steps that start again."""
    texts = source.text().split("\n")
    between = [at for at in range(lines[0], lines[-1]) if WORDED.match(texts[at])]
    first = matrix[:, 0]
    falls = (np.flatnonzero(np.diff(first) < 0) + 1).tolist()
    # Three whole numbers or more that rise, and rise again from the same; successes, 0 and 1, do not.
    long = min(np.diff([0, *falls, first.size])) > 2 and bool((np.diff(first) != 0).all())
    again = matrix.shape[1] > 1 and bool(falls) and bool((first[falls] == first[0]).all() and (first % 1 == 0).all())
    if between or (again and long):
        at = between[0] + 1 if between else lines[falls[0]]
        raise DataError(
            f"{source.place}, line {at}: the numbers from here on may be of another run ({texts[at - 1][:60]!r}); write a table with "
            "columns for the algorithm, the run, the step and the score, or a file for each run."
        )


def _gap(text: str, lines: list[int]) -> list[str]:
    """Return the note on empty lines between numbers, which stand for no score."""
    rows = text.split("\n")
    empty = [i for i in range(lines[0], lines[-1]) if not rows[i - 1].strip()]
    return [f"line {empty[0]} is empty, and stands for no score ({len(empty)} such lines)"] if empty else []


def _of_matrix(n_rows: int, width: int, *, has_steps: bool) -> str:
    """Return the note on a matrix, from which the first column is removed if it counts steps."""
    counted = f"rows are taken as time (steps 1 to {n_rows})"
    named = "the first numbers, which rise evenly, are steps" if has_steps else counted
    return f"a matrix of {n_rows} rows and {width} columns: {named}, columns as runs of one algorithm"


def _rows(source: Source) -> tuple[list[list[float]], list[int]]:
    """Return the numbers of all rows, equally many in each, and their lines."""
    rows: list[list[float]] = []
    lines: list[int] = []
    text = source.text()
    for line, fields in _fields(text):
        # The first line shows whether the text holds numbers at all.
        rows.append(_numbers(source.place, line, fields, "" if rows else _not_a_table(text)))
        lines.append(line)
        if len(fields) != len(rows[0]):
            message = f"{source.place}, line {line}: {len(fields)} number(s) where line {lines[0]} has {len(rows[0])}."
            raise DataError(message)
    if not rows:
        raise DataError(f"{source.place}: there are no numbers.")
    return rows, lines


def _counts_steps(rows: Floats) -> bool:
    """Return whether the first column contains whole numbers that rise evenly, unlike the others, and so are steps, not scores."""
    first, others = rows[:, 0], rows[:, 1:]
    gaps = np.diff(first)
    # Steps are whole and equally far apart; returns beside them have decimals, or are not equally far apart where four or more steps begin at 0
    # or at the first.
    even = bool(gaps.size > 1 and gaps[0] > 0 and (gaps == gaps[0]).all() and (first == np.round(first)).all())
    counted = (
        even
        and gaps.size > 2
        and first[0] in (0, gaps[0])
        and bool((np.diff(np.diff(others, axis=0), axis=0) != 0).any(axis=0).all())
    )
    return even and (counted or bool((others[np.isfinite(others)] % 1 != 0).any()))


def _fields(text: str) -> Iterator[tuple[int, list[str]]]:
    for at, line in enumerate(text.split("\n"), start=1):
        fields = line.partition("#")[0].replace(",", " ").split()
        if fields:
            yield at, fields


def _refuse_decimal_commas(place: str, text: str) -> None:
    """Refuse a text whose lines all look like 0,5, which is one number in some countries and two in others."""
    numbered = [(at, line.partition("#")[0].strip()) for at, line in enumerate(text.split("\n"), start=1)]
    lines = [(at, line) for at, line in numbered if line]
    # `0,5` on every line: half a point in Germany, a pair of whole numbers elsewhere.
    if lines and all(COMMA.fullmatch(line) for _, line in lines):
        at, line = lines[0]
        raise DataError(
            f"{place}, line {at}: {line!r} is one number with a decimal comma, or two numbers; write decimals with a point, or put a space "
            "between two numbers."
        )


def _not_a_table(text: str) -> str:
    """Return what a text of words must have to be read; `--format csv` is offered only where its first line names a score between marks."""
    head = next(filter(str.strip, text.split("\n")), "")
    if any(mark in head and plays([name.strip() for name in head.split(mark)], "score", {}) for mark in ",\t;"):
        return f"; if its first line has the names of its columns, use {option('format', 'csv')}"
    return (
        "; this is neither a table (names above its columns, one of them the score: algorithm,task,run,score) nor a log with lines such as "
        "step=1000 return=1.5"
    )


def _numbers(place: str, line: int, fields: list[str], hint: str) -> list[float]:
    values = []
    for column, field in enumerate(fields, start=1):
        value = parsed(field)
        if value is None:
            refusal = NotRuns if hint else DataError
            where = f"{place}, line {line}, column {column}"
            raise refusal(f"{where}: {field[:60]!r} is not a number{hint}.")
        values.append(value)
    return values


def _looks(data: bytes) -> bool:
    if b"\0" in data[:4096]:
        return False
    _, fields = next(_fields(data[:65536].decode("utf-8", "replace")), (0, []))
    return bool(fields) and all(parsed(field) is not None for field in fields)


TEXT = Format(
    title="text",
    holds="one number per line: the runs of one algorithm; or a matrix of curves: one row per step, one column per run",
    suffixes=(".txt", ".dat"),
    sniff=_looks,
    read=read,
)
