"""CSV and TSV: a header line, then one row per line; all fields stay text until a role asks for numbers.

A clean file (no quotes, every line with as many fields as the header, counted here) is split by polars; any other goes through
Python's csv module, which knows the line of every error.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from runoff.base.files import refuse_beyond
from runoff.errors import DataError
from runoff.io.formats.base import TABLE, Format, Source
from runoff.tables.columns import plays
from runoff.tables.tidy import Table, check_unique, parsed
from runoff.words.speech import option

NEWLINE = "\n"
SEPARATORS = {",": "comma", "\t": "tab", ";": "semicolon"}


def read(source: Source, *, separator: str) -> Table:
    """Return the columns of a delimited text."""
    text, comments = _without_comments(source.text(), separator, source.place)
    used = _separator(text, separator)
    lines = _lines(source, text, used)
    at, header = next(lines, (1, []))
    header = [re.sub(r"^\ufeff|^#\s*(?=\S)", "", name) for name in header]
    _check_header(source.place, at, header, text.count("\n"))
    columns = _fast(text, used, header) if at == 1 else None
    starts: Sequence[int] = range(2, 2)
    notes = [] if used == separator else [f"columns are separated by {SEPARATORS[used]}s"]
    notes += [f"left out: {comments} line(s) of comment, which begin with '#'"] if comments else []
    if columns is None:
        starts, columns, repeats = _slow(source.place, lines, header, used)
        notes += [f"left out: {repeats} line(s) that repeat the header line"] if repeats else []
    used_columns = [
        pair for pair in zip(header, columns, strict=True) if pair[0].strip() or any(map(str.strip, pair[1]))
    ]
    check_unique([name for name, _ in used_columns], f"{source.place}, line {at}")
    named = dict(used_columns)
    if source.decimal != "auto":
        named = {name: _plain(column, source.decimal) for name, column in named.items()}
        notes.append(f"decimals are parted by {source.decimal}s, as asked")
    return Table(
        columns=named,
        by_mark=source.decimal != "auto",
        by_commas=used == ";",
        place=source.place,
        row=lambda index: f"line {starts[index] if starts else index + 2}",
        notes=tuple(notes),
    )


NUMBERS: Mapping[str, re.Pattern[str]] = {
    "point": re.compile(r"\s*[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][-+]?\d+)?\s*%?\s*"),
    "comma": re.compile(r"\s*[-+]?(?:\d{1,3}(?:\.\d{3})+|\d+)?(?:,\d+)?(?:[eE][-+]?\d+)?\s*%?\s*"),
}
"""Numbers of each decimal mark, whose thousands the other mark may part."""


def _plain(column: list[Any], decimal: str) -> list[Any]:
    """Return a column of numbers with points for decimals, and no marks for thousands; any other as it is."""
    if not all(map(NUMBERS[decimal].fullmatch, column)):
        return column
    mark, thousands = (".", ",") if decimal == "point" else (",", ".")
    return [value.replace(thousands, "").replace(mark, ".") for value in column]


def _without_comments(text: str, usual: str, place: str) -> tuple[str, int]:
    """Return the text with blank lines for its comments, and how many they are; a header line may begin with # as well."""
    if not text.startswith("#") and "\n#" not in text:
        return text, 0
    lines, n_comments, quoted = text.split("\n"), 0, False
    first = next((i for i, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    body = lines[first] if first < len(lines) else ""
    head = next((i for i in reversed(range(first)) if lines[i].strip()), first)
    mark = _separator(lines[head], usual)
    fields = body.split(mark)
    if len(lines[head].split(mark)) != len(fields) or all(parsed(field) is None for field in fields):
        head, mark = first, _separator(body, usual)
    n_fields = len(lines[head].split(mark)) if lines else 1
    for i, line in enumerate(lines):
        if line.startswith("#") and not quoted and i != head:
            if i > head and len(line.split(mark)) == n_fields:
                raise DataError(
                    f"{place}, line {i + 1}: a line that begins with '#' is a comment, but this one has as many fields as the header: remove it "
                    "if it is no run, or put its first field in quotes if it is one."
                )
            lines[i], n_comments = "", n_comments + 1
        quoted ^= line.count('"') % 2 == 1
    return "\n".join(lines), n_comments


def _separator(text: str, usual: str) -> str:
    first = re.sub(r'"[^"]*"', "", text.lstrip("\n").partition("\n")[0])
    fields = {mark: first.count(mark) for mark in (usual, *SEPARATORS)}
    return usual if fields[usual] else max(fields, key=fields.__getitem__)


def _lines(source: Source, text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    start = 1
    try:
        for fields in reader:
            if any(map(str.strip, fields)):
                yield start, fields
            start = reader.line_num + 1
    except csv.Error as error:
        what = "a quote is opened and never closed" if "end of data" in str(error) else str(error)
        raise DataError(f"{source.place}, line {start}: this is not well-formed CSV: {what}.") from error


def _check_header(place: str, line: int, header: list[str], n_lines: int) -> None:
    refuse_beyond("columns", len(header), f"{place}: the table has {len(header)} columns")
    refuse_beyond("values", n_lines * len(header), f"{place}: the table has {n_lines} lines of {len(header)} columns")
    if not any(field.strip() for field in header):
        raise DataError(f"{place}: the file holds no header line and no rows.")
    if all(parsed(field) is not None for field in header):
        raise DataError(
            f"{place}, line {line}: a header line with column names is needed, but the first line holds numbers only "
            f"({option('format', 'text')} reads bare numbers)."
        )


def _fast(text: str, separator: str, header: list[str]) -> list[list[Any]] | None:
    """Return the columns of a text without quotes and empty rows whose lines all have as many fields as the header; None of any other."""
    if '"' in text or f"\n{text.partition(NEWLINE)[0]}\n" in text:
        return None
    data = (text if text.endswith("\n") else text + "\n").encode()
    raw = np.frombuffer(data, np.uint8)
    ends, marks = np.flatnonzero(raw == ord("\n")), np.flatnonzero(raw == ord(separator))
    fields = np.diff(np.searchsorted(marks, ends), prepend=0) + 1
    blank = np.diff(ends, prepend=-1) == fields  # nothing but separators
    if ends.size < 2 or (fields != len(header)).any() or blank.any():
        return None
    import polars as pl

    frame = pl.read_csv(data, separator=separator, quote_char=None, has_header=False, skip_rows=1, infer_schema=False)
    return [column.fill_null("").to_list() for column in frame.iter_columns()]


def _slow(
    place: str, lines: Iterator[tuple[int, list[str]]], header: list[str], separator: str
) -> tuple[list[int], list[list[Any]], int]:
    """Return the line of each row, the columns, and how often the header line stands again; empty rows are none."""
    starts, rows, repeats = [], [], 0
    for line, row in lines:
        fields = row
        if len(row) != len(header):
            fields = row[: len(header)] if not any(row[len(header) :]) else row
            fields += [""] * (len(header) - len(row) if not any(header[len(row) :]) else 0)
        if len(fields) != len(header):
            decimals = " and write decimals with a point, not a comma" if separator == "," else ""
            few = f"{len(fields)} field(s) where the header has {len(header)}; was the file cut off here?"
            many = f"{len(fields)} fields where the header has {len(header)}; quote fields that hold the separator{decimals}."
            raise DataError(f"{place}, line {line}: {few if len(fields) < len(header) else many}")
        if fields == header:
            repeats += 1
            continue
        starts.append(line)
        rows.append(fields)
    return starts, [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in header], repeats


def _looks(data: bytes, *, separator: str) -> bool:
    """Return whether the first line names a score: what a file without a telling suffix must do."""
    first = data[:65536].lstrip(b"\r\n").partition(b"\n")[0].decode("utf-8", "replace")
    names = [name.strip(' "\r\ufeff') for name in first.split(separator)]
    return len(names) > 1 and plays(names, "score", {})


CSV = Format(
    title="comma-separated values",
    holds=TABLE,
    suffixes=(".csv",),
    sniff=partial(_looks, separator=","),
    read=partial(read, separator=","),
    wide=True,
)
TSV = Format(
    title="tab-separated values",
    holds=TABLE,
    suffixes=(".tsv", ".tab"),
    sniff=partial(_looks, separator="\t"),
    read=partial(read, separator="\t"),
    wide=True,
)
