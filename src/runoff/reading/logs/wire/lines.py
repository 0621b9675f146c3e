"""Text logs, line by line: tables with a header, JSON lines, whole JSON files. Cut-off or damaged lines are counted, not fatal."""

from __future__ import annotations

import csv
import itertools
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from runoff.base.arrays import Floats, Ints
from runoff.errors import DataError
from runoff.reading._paths import File, load, unreadable
from runoff.reading.logs.base import EXAMPLES, Happening, LogPart, Wish, damage
from runoff.reading.logs.rows import Tabled, columns_of, tabled
from runoff.tables.values import parsed

# A file without a line end is one line, which must not fill the memory; reports of RLlib, with histograms and the
# configuration in each line, are shorter than this.
LONGEST = 1 << 25
"""The largest number of characters in a line."""
MOST_COLUMNS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """A table as text: the names of its columns, its complete rows, and the events of the others."""

    names: tuple[str, ...]
    rows: list[list[str]]
    happened: tuple[Happening, ...]

    def records(self) -> Iterator[dict[str, str]]:
        """Yield the rows as {name: text}."""
        return (dict(zip(self.names, row, strict=True)) for row in self.rows)


def lines(path: Path) -> Iterator[str]:
    """Yield the lines of a text file without line ends, with invalid UTF-8 replaced."""
    try:
        with open(path, encoding="utf-8-sig", errors="replace", newline=None) as stream:
            while line := stream.readline(LONGEST):
                # `readline` with a limit gives back a piece of a longer line and not an error.
                if len(line) == LONGEST:
                    raise DataError(f"{path}: a line has more than {LONGEST:,} characters, so this is not a text log.")
                yield line.removesuffix("\n")
    except OSError as error:
        raise unreadable(path, error) from error


def table(path: Path, separator: str, *, names: Sequence[str] | None = None, skip: int = 0) -> Rows:
    """Return a table of fields, named by its first line after `skip` others if names are not given, and by lines of names further down, which a
    run that was resumed writes; of two columns with the same name, the first."""
    # Zeros are what a crash leaves in a file that was being written; the csv module refuses them.
    fed = (line.replace("\0", "") + "\n" for line in itertools.islice(lines(path), skip, None))
    reader = csv.reader(fed, delimiter=separator, strict=True)
    try:
        header = list(names) if names is not None else [name.strip() for name in next(reader, [])]
    except csv.Error as error:
        raise DataError(f"{path}: this is not a table: {error}.") from error
    if not any(header):
        raise DataError(f"{path}: the file is empty: it has no column names and no rows.")
    if len(header) > MOST_COLUMNS:
        message = f"{path}: the table has {len(header):,} columns; runoff reads at most {MOST_COLUMNS:,} of a log."
        raise DataError(message)
    body = _body(reader, header, repeated=names is None)
    with open(path, "rb") as stream:  # tools end each line with a line end; the last number of another may lack digits
        stream.seek(max(0, stream.seek(0, os.SEEK_END) - 1))
        whole = stream.read(1) in b"\r\n"
    if body.rows and body.last is body.rows[-1] and not whole:
        body.rows.pop()
        body.broken.append(body.n)
    happened = _happened(path, body.broken, body.n)
    if body.heads:
        columns = sorted(set(chain.from_iterable(body.heads.values())) ^ set(header))
        # without any row below it, a head may be cut off
        policy = "other_header" if columns and len(body.rows) > min(body.heads) else "header_again"
        happened += (Happening(policy=policy, count=len(body.heads), where=", ".join(columns[:EXAMPLES])),)
    return _below({0: header, **body.heads}, body.rows, happened)


@dataclass(slots=True)
class _TableBody:
    """The complete rows below a head, those of further heads by how many rows precede them, the numbers of the other rows, that of all, and
    the last."""

    rows: list[list[str]] = field(default_factory=list)
    heads: dict[int, list[str]] = field(default_factory=dict)
    broken: list[int] = field(default_factory=list)
    n: int = 0
    last: Sequence[str] = ()


def _body(reader: Iterator[list[str]], header: Sequence[str], *, repeated: bool) -> _TableBody:
    body, width = _TableBody(), len(header)
    repeatable = frozenset(header if repeated else ())
    try:
        # A row of another length was cut off, or its logger met a new metric and wrote no new head: its numbers would
        # stand under wrong names, so it is counted and left out.
        for body.n, row in enumerate(filter(None, reader), start=1):
            body.last = row
            if row[0].strip() in repeatable and _is_head(row, header):
                body.heads[len(body.rows)] = [name.strip() for name in row]
                width = len(row)
            elif len(row) == width:
                body.rows.append(row)
            else:
                body.broken.append(body.n)
    except csv.Error:  # a quotation mark that nothing closes
        body.n, body.last = body.n + 1, ()
        body.broken.append(body.n)
    return body


def _is_head(row: Sequence[str], header: Sequence[str]) -> bool:
    """Return whether a row holds names of columns again: two names of the header, or its only one, and no number."""
    common = {name.strip() for name in row} & set(header)
    return len(common) >= min(2, len(header)) and all(parsed(text) is None for text in row)


def _below(heads: Mapping[int, Sequence[str]], rows: list[list[str]], happened: tuple[Happening, ...]) -> Rows:
    """Return a table under the names of all its heads, each of which holds from a row on; a row has an empty field for a name that it lacks."""
    names = tuple(dict.fromkeys(chain.from_iterable(heads.values())))
    aligned: list[list[str]] = []
    for start, stop in pairwise([*heads, len(rows)]):
        # of two columns with the same name, the first
        at = [heads[start].index(name) if name in heads[start] else None for name in names]
        if at == [*range(len(heads[start]))]:
            aligned += rows[start:stop]
        else:
            aligned += [["" if place is None else row[place] for place in at] for row in rows[start:stop]]
    return Rows(names=names, rows=aligned, happened=happened)


def table_series(
    part: LogPart,
    wish: Wish,
    separator: str = ",",
    *,
    names: Sequence[str] | None = None,
    prefix: str = "",
    own: Callable[[Ints], Floats] | None = None,
) -> Tabled:
    """Return the series of a table; `prefix` precedes their names, after that of the part; `names` and `own` as in `table` and `tabled`."""
    rows = table(part.path, separator, names=names)
    return tabled(columns_of(rows.records()), wish, prefix=part.prefix + prefix, own=own, happened=rows.happened)


def reports_of(path: Path) -> tuple[list[dict[str, Any]], tuple[Happening, ...]]:
    """Return the reports of a logger that writes CSV rows, or one object per line, and the events of the unreadable ones."""
    # RLlib and the loggers of Stable-Baselines3 write the same reports in both forms, progress.csv beside result.json
    # or progress.json.
    if path.suffix != ".csv":
        return json_lines(path)
    rows = table(path, ",")
    return list(rows.records()), rows.happened


def fields_of(head: bytes, separator: str = ",") -> list[str]:
    """Return the fields of the first line of a table, of which `head` are the first bytes."""
    return [field.strip(' "\r\ufeff') for field in head.partition(b"\n")[0].decode("utf-8", "replace").split(separator)]


def _happened(path: Path, broken: list[int], n: int) -> tuple[Happening, ...]:
    # Only the last row can be one that was still being written; others are damaged, which is another sentence.
    torn = broken[-1:] == [n]
    cut = f"{path.name}, the last row is cut off after {n - 1} rows" if torn else ""
    return damage(torn=cut, malformed=len(broken) - torn, where=path.name)


def json_lines(path: Path) -> tuple[list[dict[str, Any]], tuple[Happening, ...]]:
    """Return the records of a file with one JSON object per line, and the events of the unreadable ones."""
    records: list[dict[str, Any]] = []
    broken: list[int] = []
    n = 0
    for n, line in enumerate((line for line in lines(path) if line.strip()), start=1):
        record = json_object(line)
        if record is None:
            broken.append(n)
        else:
            records.append(record)
    if not records:
        raise DataError(f"{path}: none of its {n} line(s) is a complete JSON object.")
    return records, _happened(path, broken, n)


def json_object(text: Any) -> dict[str, Any] | None:
    """Return the JSON object in a text, None if it is not one."""
    try:
        content = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def as_dict(content: Any) -> dict[str, Any]:
    """Return a part of a JSON file that should be an object; an empty object if it is something else, because files differ by version."""
    return content if isinstance(content, dict) else {}


def as_list(content: Any) -> list[Any]:
    """Return a part of a JSON file that should be a list; an empty list if it is something else."""
    return content if isinstance(content, list) else []


def json_file(path: Path) -> Any:
    """Return the content of a JSON file, `.gz` or not."""
    source, _ = load(File(path, optional=False))
    try:
        return json.loads(source.data)
    except RecursionError as error:
        raise DataError(f"{path}: the JSON is nested too deeply for a log.") from error
    except ValueError as error:
        raise DataError(f"{path}: this is not well-formed JSON: {str(error)[:120]}.") from error
