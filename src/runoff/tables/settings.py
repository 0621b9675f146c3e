"""Settings that columns hold: one spelling of a number, however it was written, and the configuration of columns that are named as settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from math import isfinite

from runoff.errors import OptionError, nearest
from runoff.tables.columns import SETTINGS, candidates, listed
from runoff.tables.labels import Labels, label, labelled
from runoff.tables.tidy import SourceTable
from runoff.tables.values import parsed

LONGEST = 30
"""Characters of a value that a configuration shows."""
WHOLE = re.compile(r"[-+]?\d{1,30}")
DIGITS = 12
"""Significant digits in which two values agree that are one: 3 · 0.1 is 0.3."""
EXACT = 1e22
"""Whole floats below it are written without an exponent."""


def spelling(value: object) -> str:
    """Return the text of a setting, in which equal numbers are equal texts.

    >>> [spelling(value) for value in ("1e-1", "0.10", 0.1, "1e3", 1000, "adam", "0.30000000000000004")]
    ['0.1', '0.1', '0.1', '1000', '1000', 'adam', '0.3']
    """
    text = label(value)
    number = parsed(text)
    if number is None or not isfinite(number):
        return text
    if WHOLE.fullmatch(text):
        return str(int(text))
    return str(int(number)) if number.is_integer() and abs(number) < EXACT else f"{number:.{DIGITS}g}"


def settings_asked(chosen: Mapping[str, str | None]) -> dict[str, bool]:
    """Return the columns that are named as settings, and whether they have to be there: not those behind which a question mark stands."""
    names = [name.strip() for name in (chosen.get(SETTINGS) or "").split(",")]
    return {name.removesuffix("?"): not name.endswith("?") for name in names if name.strip("?")}


def with_settings_asked(table: SourceTable, chosen: Mapping[str, str | None]) -> SourceTable:
    """Return the table with the columns that are named as settings as the configuration of each row: `lr 0.1, width 64`."""
    wanted = settings_asked(chosen)
    missing = next((name for name, needed in wanted.items() if needed and name not in table.columns), None)
    if missing is not None:
        there = f"found {listed(list(table.columns))}.{nearest(missing, list(table.columns))}"
        raise OptionError(f"{table.place}: there is no column {missing!r} to be a setting; {there}")
    names = [name for name in wanted if name in table.columns]
    if not names:
        return table
    others = {name: values for name, values in table.columns.items() if name not in names}
    config = chosen.get("config") or next(iter(candidates(list(others), "config")), "config")
    values = [labelled(table.columns[name]).mapped(spelling) for name in names]
    before = [labelled(others[config])] if config in others else []
    texts = (
        ", ".join(
            [*row[: len(before)], *(f"{n} {v:.{LONGEST}}" for n, v in zip(names, row[len(before) :], strict=True))]
        )
        for row in zip(*before, *values, strict=True)
    )
    note = f"columns {listed(names)} are settings, as asked: each combination is a configuration"
    return replace(table, columns={**others, config: Labels.of(texts)}, notes=(*table.notes, note))
