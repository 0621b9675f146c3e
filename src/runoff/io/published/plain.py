"""Markdown, CSV and TSV: the rows of a table of pipes or delimiters."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from runoff.errors import DataError
from runoff.io.published.grid import Entry, Grid
from runoff.io.published.heads import split_statistic
from runoff.io.published.markup import plain_of_markdown

SEPARATOR = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
PIPE = re.compile(r"(?<!\\)\|")


def separators(text: str) -> list[int]:
    """Return the lines, from 0, that part a head of pipes from its rows."""
    lines = text.splitlines()
    return [
        i
        for i, line in enumerate(lines)
        if i and "|" in lines[i - 1] and "-" in line and "|" in line and SEPARATOR.fullmatch(line)
    ]


def read_markdown(place: str, text: str) -> Grid:
    """Return the rows of the one table of pipes in a text.

    Raises
    ------
    DataError
        Several tables, or bold that does not end.
    """
    lines, parted = text.splitlines(), separators(text)
    if len(parted) != 1:
        where = f", on lines {', '.join(str(i) for i in parted)}" if parted else ""
        raise DataError(f"{place}: there are {len(parted)} tables of pipes{where}; give one at a time.")
    head, end = parted[0] - 1, parted[0] + 1
    while end < len(lines) and "|" in lines[end]:
        end += 1
    of_table = [head, *range(parted[0] + 1, end)]
    rows = [_entries(place, i + 1, _cells_of(lines[i])) for i in of_table]
    beside = "\n".join(line for i, line in enumerate(lines) if i not in of_table)
    return Grid(place=place, format="markdown", rows=tuple(rows), n_heads=1, beside=beside)


def _cells_of(line: str) -> list[str]:
    inside = line.strip()
    inside = inside.removeprefix("|")
    inside = inside[:-1] if inside.endswith("|") and not inside.endswith("\\|") else inside
    return [cell.replace("\\|", "|") for cell in PIPE.split(inside)]


def read_delimited(place: str, text: str, delimiter: str) -> Grid:
    """Return the rows of a CSV or TSV file; lines that begin with # are the text beside it.

    Raises
    ------
    DataError
        Rows after an empty line (another table), or a quote that does not end.
    """
    rows: list[tuple[Entry, ...]] = []
    beside: list[str] = []
    ended: int | None = None
    for line, cells in _records(place, text, delimiter):
        if not any(cell.strip() for cell in cells):
            ended = line if rows else None
        elif cells[0].lstrip().startswith("#"):
            beside.append(delimiter.join(cells))
        elif ended is not None:
            raise DataError(
                f"{place}, line {line}: a second table begins here, after the empty line {ended}; give one at a time."
            )
        else:
            rows.append(_entries(place, line, cells))
    kind = "tsv" if delimiter == "\t" else "csv"
    heads, body = _heads(rows)
    return Grid(place=place, format=kind, rows=(*heads, *body), n_heads=len(heads), beside="\n".join(beside))


Rows = Sequence[tuple[Entry, ...]]


def _heads(rows: Rows) -> tuple[Rows, Rows]:
    """Return heads and rows.

    There is one head, or two levels as pandas writes them: statistics below names, and the names of the labels in a third line.
    """
    low = [entry for entry in rows[1] if entry.text] if len(rows) > 3 else []
    if not low or not all(_is_statistic(entry) for entry in low):
        return rows[:1], rows[1:]
    names = [entry for entry in rows[2] if entry.text]
    if len(rows[2]) != len(rows[1]) or any(entry.column >= low[0].column for entry in names):
        return rows[:2], rows[2:]
    merged = tuple(name if name.text else entry for entry, name in zip(rows[1], rows[2], strict=True))
    return (rows[0], merged), rows[3:]


def _is_statistic(entry: Entry) -> bool:
    stem, statistic = split_statistic(entry.text)
    return not stem and statistic is not None


def _records(place: str, text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    records, line = [], 1
    try:
        for record in reader:
            records.append((line, record))
            line = reader.line_num + 1
    except csv.Error as error:
        raise DataError(f"{place}, line {reader.line_num}: this is no CSV: {error}.") from error
    return records


def delimiter_of(text: str, suffix: str) -> str:
    """Return what parts the cells: the delimiter that the first line has, semicolons and tabs before commas."""
    if suffix == ".tsv":
        return "\t"
    first = next((line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")), "")
    bare = re.sub(r'"[^"]*"', "", first)
    return next((mark for mark in ("\t", ";", ",") if mark in bare), ",")


def _entries(place: str, line: int, cells: Sequence[str]) -> tuple[Entry, ...]:
    entries = []
    for column, source in enumerate(cells, 1):
        text, bold = plain_of_markdown(source, f"{place}, line {line}, column {column}")
        entries.append(Entry(text=text, line=line, column=column, bold=bold))
    return tuple(entries)
