"""Records as CSV: numbers unrounded, nothing for None, texts guarded, nothing nested; a spreadsheet meets no formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from runoff.base.writing import guarded
from runoff.exits.columns import flat
from runoff.tables.columns import NAMED
from runoff.words.speech import in_python

if TYPE_CHECKING:
    import polars as pl


def csv_text(records: Iterable[Mapping[str, Any]]) -> str:
    """Return records as CSV."""
    rows = [flat(record) for record in records]
    # Some rows may have readings that others lack: the columns are those of all.
    heads = list(dict.fromkeys(head for row in rows for head in row))
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(heads)
    for row in rows:
        cells = ["" if row.get(head) is None else row[head] for head in heads]
        writer.writerow([guarded(in_python(cell)) if isinstance(cell, str) else repr(cell) for cell in cells])
    return buffer.getvalue()


def csv_of_runs(frame: pl.DataFrame) -> str:
    """Return a table of runs as CSV, whose names no spreadsheet takes for formulas."""
    texts = {name: {text: guarded(text) for text in frame[name].unique()} for name in NAMED}
    return frame.with_columns(frame[name].replace(own) for name, own in texts.items()).write_csv()


def csv_of(shown: Any) -> str:
    """Return an answer, or data, as CSV."""
    if not hasattr(shown, "flat_records"):
        return csv_of_runs(shown.to_polars())
    from runoff.answer.base import plain

    # The lines of strata follow their weighted means, whose `stratum` is empty.
    return csv_text([*shown.flat_records(), *map(plain, getattr(shown, "by_stratum", ()))])
