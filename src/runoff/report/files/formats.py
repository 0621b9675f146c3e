"""Texts that others read: CSV that no spreadsheet takes for formulas, JSON that every parser reads, names that are safe for files."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from math import isfinite, isnan
from typing import Any

from runoff.results.base import Record

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
"""Beginnings that no text cell may have: a spreadsheet might run it. The apostrophe is here so that `guarded` can be undone."""
LONGEST = 60
RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(1, 10))})
"""Names of devices on Windows, which no file may have."""


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


def strict_json(value: Any) -> str:
    """Return plain values (dicts, lists, texts, numbers) as JSON text with a line end.

    JSON has no infinity, so an infinite number (a statistic of samples without spread that differ) is the string "Infinity" or
    "-Infinity", which Python's `float` and JavaScript's `Number` read back.
    """
    return json.dumps(_finite(value), indent=1, allow_nan=False) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not isfinite(value):
        return "NaN" if isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def slugs(names: Iterable[str]) -> dict[str, str]:
    """Return a file name, without suffix, for each name.

    Letters, digits and `_.-` stay; whatever else is lost is made up for by eight digits of the name's SHA-256, which also distinguish names
    that differ only in case.
    """
    distinct = list(dict.fromkeys(names))
    folded = Counter(name.casefold() for name in distinct)
    return {name: _slug(name, alone=folded[name.casefold()] == 1) for name in distinct}


def _slug(name: str, *, alone: bool) -> str:
    safe = re.sub(r"[^A-Za-z0-9_.-]+", "-", name)[:LONGEST].strip("-.")
    if safe == name and alone and safe.casefold().split(".")[0] not in RESERVED:
        return safe
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{safe}-{digest}" if safe else f"name-{digest}"
