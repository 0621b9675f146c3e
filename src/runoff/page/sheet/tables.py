"""A table of an answer as the page prints it: texts, and a bar behind chances and behind values that are read in order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runoff.cells import Chance, Column, Estimate, Name, PValue, Table, Verdict
from runoff.exits.text import parts_of, rows_of
from runoff.page.sheet.svg import CHANCES, Scale, bar, ends_of

View = dict[str, Any]
DECIDED = frozenset({"higher", "lower"})
"""Verdicts whose row is drawn in the leader's colour."""


def view_of(table: Table, rows: Iterable[int] | None = None, *, bars: bool = True) -> View:
    """Return heads and rows for the template `table`; of these rows, by default of all, with bars or without."""
    columns = table.shown("page")
    texts = rows_of(table, columns)
    scales = [_scale(column) if bars else None for column in columns]
    rows_of_cells = zip(*(column.cells for column in columns), strict=True)
    verdicts = [next((cell for cell in row if isinstance(cell, Verdict)), None) for row in rows_of_cells]
    # A table without verdicts has nothing to be quiet about.
    decided = [verdict is None or verdict.kind in DECIDED for verdict in verdicts]
    # Where the table decides nothing, no bar has the colour of a finding.
    groups = [
        "open" if verdict is None or not ahead else "ahead" for verdict, ahead in zip(verdicts, decided, strict=True)
    ]
    kept = range(table.n_rows) if rows is None else rows
    return {
        "caption": table.caption,
        "heads": [_head(column, scale) for column, scale in zip(columns, scales, strict=True)],
        "rows": [
            {
                "place": at,
                "cells": [
                    _cell(column.cells[at], texts[at][k], scales[k], groups[at]) | {"quiet": not decided[at]}
                    for k, column in enumerate(columns)
                ],
            }
            for at in kept
        ],
    }


def _scale(column: Column) -> Scale | None:
    """Return the axis of what is drawn behind a column; None where nothing is."""
    estimates = [cell for cell in column.cells if isinstance(cell, Estimate) and cell.value is not None]
    # All chances have one axis, from 0 to 1, with one half in its middle: even is seen in every table at the
    # same place.
    if estimates and isinstance(estimates[0], Chance):
        return CHANCES
    ends = [end for cell in estimates for end in (cell.low, cell.value, cell.high) if end is not None]
    # Bars are to be compared along a column; in one without an order they would be read as if they could be.
    if not column.ordered or not ends:
        return None
    low, high = ends_of(ends)
    return Scale(low=low, high=high)


def _head(column: Column, scale: Scale | None) -> View:
    # The template sets names, and the heads above them, by itself.
    left = column.words and not column.names
    raw = any(isinstance(cell, PValue) and cell.raw is not None for cell in column.cells)
    return {
        "raw": raw,
        "key": column.key,
        "title": column.title,
        "words": left,
        "drawn": scale is not None,
        "chance": scale is CHANCES,
    }


def _cell(cell: Any, parts: tuple[str, str], scale: Scale | None, group: str) -> View:
    value, ends = parts
    shown: View = {"name": cell.text if isinstance(cell, Name) else "", "value": value, "ends": ends}
    if isinstance(cell, PValue) and cell.raw is not None:
        # Behind the adjusted p-value stands the raw one, where an estimate has its interval.
        shown["ends"] = parts_of(PValue(cell.raw))[0]
    if isinstance(cell, Estimate):
        shown["ends"] = ends or "–"
    shown["verdict"] = isinstance(cell, Verdict)
    if scale is not None and isinstance(cell, Estimate) and cell.value is not None:
        shown["bar"] = bar((cell.low, cell.value, cell.high), scale, group)
    return shown
