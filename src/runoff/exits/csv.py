"""Records as CSV: numbers unrounded, nothing for None, texts guarded, nothing nested; a spreadsheet meets no formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

from runoff.base.writing import guarded
from runoff.exits.columns import flat
from runoff.words.speech import in_python


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
