"""CSV and TSV: a header line, then one row per line; all fields stay text until a role asks for numbers.

A clean file (every line with as many fields as the header, counted here, and quotes only around whole fields) is split by polars; any other
file is read by Python's csv module, which knows the line of every error.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from runoff.base.bounds import refuse_beyond
from runoff.base.writing import unguarded
from runoff.errors import DataError
from runoff.reading.formats.base import TABLE, Format, Source
from runoff.reading.formats.cut_off import without_cut_line, without_short_end
from runoff.reading.formats.grid import GridRow, as_text, blocks_of, single, table_of
from runoff.reading.formats.heads import TextColumns, of_levels, of_measures, upright, with_runs_below
from runoff.reading.formats.log_lines import are_alike, line_of
from runoff.reading.formats.sheets import (
    is_remark,
    of_scores,
    refuse_means,
    says_less_of,
    swept,
    without_titles,
)
from runoff.tables.chosen import with_runs_of_heads
from runoff.tables.columns import check_unique
from runoff.tables.labels import RawColumn
from runoff.tables.likely import plays
from runoff.tables.numerals import plain, plainly
from runoff.tables.source import SourceTable
from runoff.tables.values import parsed
from runoff.words.speech import option

SEPARATORS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}


def read(source: Source, *, separator: str) -> SourceTable:
    """Return the table of a delimited text, from all its blocks that contain runs."""
    parted = None if len(source.data) > MOST_PARTED else _grid(source, separator)
    if parted is None:
        single(source)
        return read_one(source, separator=separator)
    mark, rows = parted
    return table_of(source, rows, partial(_read_rows, separator=mark))


MOST_PARTED = 1 << 20
"""The largest number of bytes of a text that is searched for several tables, which are written by people, not by loggers."""


def _grid(source: Source, separator: str) -> tuple[str, list[list[str]]] | None:
    """Return the separator between the fields of a text, and its rows at their places; None if it has a single block."""
    try:
        text = source.text().rstrip("\n")
        lines = text.split("\n")
        mark = max((separator, *SEPARATORS), key=lambda mark: sum(mark in line for line in lines))
        # Most files have a value in every field, and nothing that could part them.
        if not any(mark * 2 in line or mark not in line.strip().strip(mark) for line in lines):
            return None
        rows: list[list[str]] = []
        for start, fields in _lines(source, _titled(text, mark).encode(), mark):
            rows += [[] for _ in range(start - 1 - len(rows))]
            rows.append(fields)
    except DataError:
        return None  # what is wrong with it is said where it is read
    return (mark, rows) if len(blocks_of(rows)) > 1 else None


def _titled(text: str, mark: str) -> str:
    """Return a text with comment lines, and a first line above an empty one, turned into titles of one field, unless they have as many
    fields as the line below."""
    lines = text.split("\n")
    for at, line in enumerate(lines[:-1]):
        # `Normalised return, last evaluation`: words above an empty line
        above = at == 0 and not lines[1].strip(f"{mark} \r")
        # `algo,0,1,2` heads runs, wherever an empty line stands.
        above = above and sum(parsed(field) is not None for field in line.split(mark)) < 2
        if (line.startswith("#") or above) and line.count(mark) != lines[at + 1].count(mark):
            lines[at] = line.replace(mark, " ").replace('"', " ")
    return "\n".join(lines)


def _read_rows(source: Source, rows: Sequence[GridRow], *, separator: str) -> SourceTable:
    return read_one(replace(source, data=as_text(rows, separator)), separator=separator)


def _with_bare_heads(columns: TextColumns) -> TextColumns:
    """Return the columns with heads without the blanks that stand around them where all are printed to one width."""
    bare = [name.strip() for name, _ in columns]
    return [(head, own) for head, (_, own) in zip(bare, columns, strict=True)] if len({*bare}) == len(bare) else columns


def read_one(source: Source, *, separator: str) -> SourceTable:
    """Return the columns of a delimited text of one block."""
    data, comments = _without_comments(source, separator)
    data, titles = without_titles(data, [separator, *SEPARATORS])
    used = _separator(_first_line(data), separator)
    whole, short = without_short_end(data, used)
    at, columns, starts, repeats = _parsed(source, whole, used)
    turned = upright(columns)
    columns = _with_bare_heads(turned or columns)
    refuse_means(source.place, titles, {name: values[:1] for name, values in columns})
    less = says_less_of(source.place, [*titles, *comments], [name for name, _ in columns])
    counted = {
        f"columns are separated by {SEPARATORS[used]}s": used != separator,
        f"left out: {len(comments)} line(s) of comment, which begin with '#'": bool(comments),
        f"left out: {len(titles)} line(s) above the column names": bool(titles),
        f"left out: {repeats} line(s) that repeat the header line": repeats > 0,
        "the table lies on its side: its first column holds the names of columns": turned is not None,
    }
    notes = [note for note, holds in counted.items() if holds]
    pivoted = of_levels(source.place, at, columns, starts, source.keys) or of_measures(
        source.place, at, columns, starts
    )
    if pivoted is not None:
        return replace(pivoted, notes=(*notes, *pivoted.notes), less=less)
    columns = with_runs_of_heads(columns) or columns
    _refuse_two_heads(source.place, at, columns)
    check_unique([name for name, _ in columns], f"{source.place}, line {at}")
    columns, cut = without_cut_line(
        source.data, columns, 0 if turned else (starts[-1] if starts else at + len(columns[0][1]))
    )
    table = SourceTable(
        columns=dict(columns),
        by_commas=used == ";",
        titled=of_scores([*titles, *comments]),
        less=less,
        place=source.place,
        row=lambda index: f"column {index + 2}" if turned else f"line {starts[index] if starts else index + at + 1}",
        notes=tuple(notes),
    )
    table = table.warned(*filter(None, (short, cut)))
    return _with_numerals(swept(table), source.decimal, by_commas=source.by_commas or used == ";")


def _with_numerals(table: SourceTable, decimal: str, *, by_commas: bool) -> SourceTable:
    """Return a table whose numbers have decimal points, according to the user, or to the only possible reading of the texts."""
    if decimal != "auto":
        plainer = {name: plain(column, decimal) for name, column in table.columns.items()}
        notes = [f"decimals are written with {decimal}s, by request"]
        return table.noted(*notes, columns=plainer, by_mark=True)
    columns, notes = plainly(table.columns, by_commas=by_commas)
    by_mark = any("separate thousands" in note or "decimal separators" in note for note in notes)
    return table.noted(*notes, columns=columns, by_mark=by_mark) if notes else table


def _parsed(source: Source, data: bytes, used: str) -> tuple[int, TextColumns, Sequence[int], int]:
    """Return the line of the column names, the columns, the lines of the rows (empty if they directly follow it), and repeated headers."""
    lines = _lines(source, data, used)
    at, header = next(lines, (1, []))
    # numpy.savetxt writes `# ` before the header; a byte order mark may stand behind a first comment.
    header = [unguarded(re.sub(r"^\ufeff|^#\s*(?=\S)", "", name)) for name in header]
    raw = np.frombuffer(data, np.uint8)
    # In blocks: a comparison of all bytes at once would take as much memory as the file.
    n_lines = sum(int(np.count_nonzero(raw[start : start + BLOCK] == LINE_END)) for start in range(0, raw.size, BLOCK))
    size = f"{source.place}: the table has {n_lines} lines of {len(header)} columns"
    refuse_beyond("fields", n_lines * len(header), size)
    _check_header(source.place, at, header)
    # Rows of the fast way are those of the lines, so that it needs no list of where each begins.
    columns: Sequence[Sequence[Any]] | None = _fast(data, used, len(header)) if at == 1 and len(data) > SMALL else None
    starts: Sequence[int] = range(2, 2)
    repeats = 0
    if columns is None:
        refuse_beyond("values", n_lines * len(header), f"{size}, quoted or not all of one length")
        starts, columns, repeats = _slow(source.place, lines, header, used)
    # Trailing separators, as spreadsheets leave them, make columns without a name and without a value.
    pairs = zip(header, columns, strict=True)
    named: TextColumns = [pair for pair in pairs if pair[0].strip() or any(map(str.strip, pair[1]))]
    merged = with_runs_below(named)
    return (at, named, starts, repeats) if merged is None else (at + 1, merged, starts[1:], repeats)


def _refuse_two_heads(place: str, at: int, columns: Sequence[tuple[str, Sequence[Any]]]) -> None:
    """Refuse a header that repeats or omits names above a row without numbers, which completes it."""
    names = [name.strip() for name, _ in columns]
    second = [values[0].strip() for _, values in columns if len(values)]
    if len(set(names)) < len(names) and any(second) and all(parsed(text) is None for text in second):
        raise DataError(
            f"{place}, lines {at} and {at + 1}: the header has two lines ({', '.join(filter(None, names[:3]))}; {', '.join(second[:3])}); give "
            "one row per score, with one line of column names: algorithm, task, run, score."
        )


def _first_line(data: bytes) -> str:
    return next((line.decode() for line in io.BytesIO(data) if line != b"\n"), "")


def _without_comments(source: Source, usual: str) -> tuple[bytes, list[str]]:
    """Return the text with its comments replaced by blank lines, and these; a header line may also begin with #."""
    data, place = source.lines(), source.place
    # Most files have no comment, and are not decoded to look for one.
    if b"#" not in data or (not data.startswith(b"#") and b"\n#" not in data):
        return data, []
    text = data.decode()
    lines, quoted = text.split("\n"), False
    comments: list[str] = []
    first = next((i for i, line in enumerate(lines) if line.strip() and not line.startswith("#")), None)
    if first is None:
        return data, []  # a header at most
    body = lines[first]
    # The last comment above the first row may be the header itself (`# algo,seed,return`): if it has as many fields
    # as the row, and that row has a number.
    head = next((i for i in reversed(range(first)) if lines[i].strip()), first)
    mark = _separator(lines[head], usual)
    fields = body.split(mark)
    if len(lines[head].split(mark)) != len(fields) or all(parsed(field) is None for field in fields):
        head, mark = first, _separator(body, usual)
    n_fields = len(lines[head].split(mark))
    for i, line in enumerate(lines):
        if line.startswith("#") and not quoted and i != head:
            if i > head and len(line.split(mark)) == n_fields:
                raise DataError(
                    f"{place}, line {i + 1}: a line that begins with '#' is a comment, but this one has as many fields as the header: remove it "
                    "if it is no run, or put its first field in quotes if it is one."
                )
            comments.append(line)
            lines[i] = ""
        # A line inside a field of several lines is no comment; a doubled quotation mark inside a field counts twice
        # and changes nothing.
        quoted ^= line.count('"') % 2 == 1
    return "\n".join(lines).encode(), comments


def _separator(text: str, usual: str) -> str:
    first = re.sub(r'"[^"]*"', "", text.partition("\n")[0])
    fields = {mark: first.count(mark) for mark in (usual, *SEPARATORS)}
    # The mark of the suffix wins wherever it occurs, for heads such as `return; mean` hold others. German and French
    # Excel write semicolons into .csv.
    return usual if fields[usual] else max(fields, key=fields.__getitem__)


def _lines(source: Source, data: bytes, separator: str) -> Iterator[tuple[int, list[str]]]:
    raw: list[str] = []  # the lines of the record that is read

    def decoded() -> Iterator[str]:
        for line in io.BytesIO(data):
            raw.append(line.decode())
            yield raw[-1]

    reader = csv.reader(decoded(), delimiter=separator, strict=True)
    start = 1
    try:
        for fields in reader:
            if len(raw) > 1:
                _refuse_rows_between_quotes(source.place, start, raw, separator, len(fields))
            # A line of nothing but separators is an empty row of a spreadsheet.
            if any(map(str.strip, fields)):
                yield start, fields
            start = reader.line_num + 1
            raw.clear()
    except csv.Error as error:
        what = "a quote is opened and never closed" if "end of data" in str(error) else str(error)
        raise DataError(f"{source.place}, line {start}: this is not well-formed CSV: {what}.") from error


def _refuse_rows_between_quotes(place: str, start: int, raw: Sequence[str], separator: str, width: int) -> None:
    """Refuse a quoted field whose lines are rows: some have as many fields as the header, and one column of them contains numbers."""
    first, *others = (line.replace('"', "").split(separator) for line in raw)
    rows = [row for row in others if len(row) == width]
    # A quotation mark in a header may well span lines; one in a row that swallows rows of numbers is a stray inch
    # mark.
    rows = [first, *rows] if start > 1 and rows else rows
    if len(first) == width and any(
        all(parsed(field) is not None for field in column) for column in zip(*rows, strict=False)
    ):
        raise DataError(
            f"{place}, line {start}: a quote is opened here and closed in line {start + len(raw) - 1}, and the rows between would be one field; "
            "leave such quotes out."
        )


def _check_header(place: str, line: int, header: list[str]) -> None:
    refuse_beyond("columns", len(header), f"{place}: the table has {len(header)} columns")
    if not any(field.strip() for field in header):
        raise DataError(f"{place}: the file holds no header line and no rows.")
    if all(parsed(field) is not None for field in header):
        raise DataError(
            f"{place}, line {line}: a header line with column names is needed, but the first line holds numbers only "
            f"({option('format', 'text')} reads bare numbers)."
        )


SMALL = 4096
"""The number of bytes up to which Python splits a text faster than polars starts."""
BLOCK = 1 << 20
"""The number of bytes that are examined together."""
LINE_END, QUOTE = b'\n"'


def _fast(data: bytes, separator: str, width: int) -> list[RawColumn] | None:
    """Return the columns of a text without blank lines whose lines all have as many fields as the header; None for any other text."""
    data = data if data.endswith(b"\n") else data + b"\n"
    start, quoted = 0, b'"' in data
    head = data[: data.find(b"\n") + 1]
    # A file that several jobs appended to has its header again: the slow way leaves these lines out by name.
    if len(head) == len(data) or b"\n" + head in data:
        return None  # a header alone, or again
    raw = np.frombuffer(data, np.uint8)
    while start < len(data):
        # Blocks end at a line end; a line longer than a block is a block by itself.
        stop = data.rfind(b"\n", start, start + BLOCK) + 1 or data.find(b"\n", start) + 1
        if not _is_plain(raw[start:stop], ord(separator), width, quoted=quoted):
            return None
        start = stop
    import polars as pl

    # Every quotation mark stands at an end of a field that holds no separator, as was seen: without them the text
    # says the same. polars is not asked to guess types, for `007` is a label.
    plain = data.replace(b'"', b"") if quoted else data
    frame = pl.read_csv(plain, separator=separator, quote_char=None, has_header=False, skip_rows=1, infer_schema=False)
    return [RawColumn(column.fill_null("")) for column in frame.iter_columns()]


def _is_plain(raw: np.ndarray, mark: int, width: int, *, quoted: bool) -> bool:
    """Return whether all lines have `width` fields, none is empty, and each quote is at an end of a field without separators."""
    at_end = raw == LINE_END
    # If each line has `width` fields, every width-th edge is a line end and no other is.
    edges = np.flatnonzero(at_end | (raw == mark))
    ends = edges[width - 1 :: width]
    if (
        edges.size != width * ends.size
        or np.count_nonzero(at_end) != ends.size
        or not at_end[ends].all()
        or (np.diff(ends, prepend=-1) == width).any()  # nothing but separators
    ):
        return False
    quotes = np.flatnonzero(raw == QUOTE) if quoted else ends[:0]
    begins, stops = quotes[::2], quotes[1::2]
    field = np.searchsorted(edges, begins)
    return (
        begins.size == stops.size
        and bool((np.searchsorted(edges, stops) == field).all())
        and bool((edges[field] == stops + 1).all())
        and bool((begins == np.where(field > 0, edges[field - 1] + 1, 0)).all())
    )


def _without_counts(
    lines: Iterator[tuple[int, list[str]]], width: int, separator: str
) -> Iterator[tuple[int, list[str]]]:
    """Yield rows without their row numbers, for which R's write.table writes no header: each row has one field more, and they count from 1."""
    counted = separator == "\t"  # between commas a field too many may be a decimal
    for number, (line, row) in enumerate(lines, start=1):
        counted = counted and len(row) == width + 1 and row[0] == str(number)
        yield line, row[counted:]


def _slow(
    place: str, lines: Iterator[tuple[int, list[str]]], header: list[str], separator: str
) -> tuple[list[int], list[list[Any]], int]:
    """Return the line of each row, the columns, and how often the header line is repeated; empty rows are skipped."""
    starts: list[int] = []
    rows, repeats = [], 0
    for line, row in _without_counts(lines, len(header), separator):
        fields = row
        if len(row) != len(header):
            # Empty fields at the end are spreadsheets' trailing separators, in the row or in the header; a value
            # there is in doubt.
            fields = row[: len(header)] if not any(row[len(header) :]) else row
            # A remark below the rows has one field.
            short = not any(header[len(row) :]) or (bool(starts) and len(row) == 1 and is_remark(row[0]))
            fields += [""] * (len(header) - len(row) if short else 0)
        if len(fields) != len(header):
            decimals = " and write decimals with a point, not a comma" if separator == "," else ""
            if not starts and len([name for name in header if name.strip()]) == 1:
                raise DataError(
                    f"{place}, line {line}: {len(fields)} fields below a line of one ({header[0][:40]!r}); delete the lines above the "
                    "column names."
                )
            few = f"{len(fields)} field(s) where the header has {len(header)}; was the file cut off here?"
            many = f"{len(fields)} fields where the header has {len(header)}; quote fields that hold the separator{decimals}."
            raise DataError(f"{place}, line {line}: {few if len(fields) < len(header) else many}")
        if fields == header:
            repeats += 1
            continue
        _refuse_turned(place, line, fields, header)
        starts.append(line)
        rows.append(fields)
    return starts, [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in header], repeats


def _refuse_turned(place: str, line: int, fields: Sequence[str], header: Sequence[str]) -> None:
    if fields[0] in header and sorted(fields) == sorted(header):
        raise DataError(
            f"{place}, line {line}: the header line is repeated in another order ({', '.join(fields[:4])}); make a file of its own of the rows "
            "below it, or write all rows in one order."
        )


def _looks(data: bytes, *, separator: str) -> bool:
    """Return whether the first line names a score, as required of a file without a known suffix, and differs from the next in more than its
    numbers, as heads do."""
    first, *others = re.split(r"[\r\n]+", data[:65536].lstrip(b"\r\n").decode("utf-8", "replace"), maxsplit=2)
    if are_alike([first, *others[:1]]) or "%|" in first:  # the lines of a log, or bars of progress
        return False
    names = [name.strip(' "\r\ufeff') for name in first.split(separator)]
    if len(names) < 2 or not plays(names, "score", {}):
        return False
    return not plays(list(line_of(first).pairs), "score", {})  # `step: 5, return: 2` is a line of a log


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
