"""NDJSON (JSON lines): one record per line."""

from __future__ import annotations

from runoff.errors import DataError
from runoff.io.formats.base import Format, NotRuns, Source
from runoff.io.formats.json_file import decode, records_table
from runoff.tables.tidy import Table


def read(source: Source) -> Table:
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


def _looks(data: bytes) -> bool:
    lines = [line for line in data[:65536].splitlines() if line.strip()]
    return len(lines) > 1 and all(line.lstrip().startswith(b"{") for line in lines)


NDJSON = Format(
    title="JSON lines", holds="one record per line", suffixes=(".ndjson", ".jsonl"), sniff=_looks, read=read
)
