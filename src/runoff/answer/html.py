"""The exit of notebooks: a table as HTML."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from runoff.answer.table import Table
from runoff.answer.text import joined

ROWS = 60
"""Largest number of rows of a notebook's table; further rows are counted."""


def html_of(tables: Iterable[Table], *, heading: Iterable[str] = (), rest: str = "to_frame() has all of them") -> str:
    """Return tables as escaped HTML; lines of a heading are the caption of the first.

    Of many rows the first are shown, and `rest` says where all of them are.
    """
    lines = [escape(line) for line in heading]
    parts = []
    for table in tables:
        parts.append(_table(table, lines or [escape(table.title)], rest))
        lines = []
    return "".join(parts)


def _table(table: Table, lines: list[str], rest: str) -> str:
    columns = table.shown("screen")
    head = "".join(f"<th>{escape(column.title)}</th>" for column in columns)
    rows = [[joined(parts) for parts in row] for row in table.rows(columns, ROWS)]
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    left = table.n_rows - ROWS
    foot = f'<tr><td colspan="{len(columns)}">… and {left} more rows: {escape(rest)}</td></tr>' if left > 0 else ""
    caption = f"<caption>{'<br>'.join(lines)}</caption>"
    return f'<table class="tex2jax_ignore mathjax_ignore">{caption}<thead><tr>{head}</tr></thead><tbody>{body}{foot}</tbody></table>'
