"""CSV at full precision, which no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from runoff.results.base import Record

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
"""What a text cell must not begin with: a spreadsheet might run it. The apostrophe is here so that `guarded` can be undone."""


def csv_text(records: Iterable[Record]) -> str:
    """Return records as CSV: numbers unrounded, nothing for None, texts guarded."""
    rows = list(records)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(rows[0] if rows else [])
    writer.writerows([_csv_cell(value) for value in row.values()] for row in rows)
    return buffer.getvalue()


def guarded(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: with one more apostrophe in front where it begins like one.

    To undo it, remove one apostrophe from each text that begins with one.
    """
    return f"'{text}" if text.startswith(FORMULA) else text


def _csv_cell(value: Any) -> Any:
    if value is None:
        return ""
    return guarded(value) if isinstance(value, str) else repr(value)
