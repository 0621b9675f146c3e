"""The exit of notebooks: a table as HTML."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from runoff.exits.table import Table
from runoff.exits.text import joined

ROWS = 60
"""Largest number of rows of a notebook's table; further rows are counted."""


def html_of(tables: Iterable[Table], *, heading: Iterable[str] = ()) -> str:
    """Return tables as escaped HTML, of many rows the first, and below each what its columns are; a heading is the first caption."""
    lines = list(heading)
    parts = []
    for table in tables:
        parts.append(_table(table, [escape(line) for line in lines or [table.title]]))
        if table.caption and table.caption != " ".join(lines):
            parts.append(f"<p><small>{escape(table.caption)}</small></p>")
        lines = []
    return "".join(parts)


def _table(table: Table, lines: list[str]) -> str:
    columns = table.shown("screen")
    head = "".join(f"<th>{escape(column.title)}</th>" for column in columns)
    rows = [[joined(parts) for parts in row] for row in table.rows(columns, ROWS)]
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    # A notebook keeps its outputs: tables of thousands of rows would be in the file for good.
    left = table.n_rows - ROWS
    more = f'<tr><td colspan="{len(columns)}">… and {left} more rows: to_frame() has all of them</td></tr>'
    foot = more if left > 0 else ""
    caption = f"<caption>{'<br>'.join(lines)}</caption>"
    # Names may hold dollars, which Jupyter's MathJax would set as mathematics: these classes keep it away.
    return f'<table class="tex2jax_ignore mathjax_ignore">{caption}<thead><tr>{head}</tr></thead><tbody>{body}{foot}</tbody></table>'
