"""The exit of notebooks: tables, cautions and a picture as HTML."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING

from runoff.cells import Table
from runoff.exits.text import joined, rows_of
from runoff.words.numbers import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROWS = 60
"""Largest number of rows of a notebook's table; further rows are counted."""
MOST_CAUTIONS = 10
"""So many cautions are shown, the gravest; further ones are counted."""
DPI = 144
"""Dots per inch of a picture: a screen's 96, and half as many again for those that have more."""


def html_of(tables: Iterable[Table], *, heading: Iterable[str] = (), cautions: Sequence[str] = ()) -> str:
    """Return tables as escaped HTML, of many rows the first, and below each what its columns are, with cautions at the end.

    A heading is the first caption.
    """
    lines = list(heading)
    parts = []
    for table in tables:
        parts.append(_table(table, [escape(line) for line in lines or [table.title]]))
        if table.caption and table.caption != " ".join(lines):
            parts.append(f"<p><small>{escape(table.caption)}</small></p>")
        lines = []
    shown = [*cautions[:MOST_CAUTIONS]]
    if left := len(cautions) - len(shown):
        shown.append(f"… and {counted([left], 'more note')}: print(result) names the attribute that has them.")
    parts += [f'<p class="tex2jax_ignore mathjax_ignore">{escape(caution)}</p>' for caution in shown]
    return "".join(parts)


def image_of(figure: Figure, words: str) -> str:
    """Return a figure as an image within HTML, with words for who cannot see it."""
    picture = BytesIO()
    figure.savefig(picture, format="png", dpi=DPI)
    width, data = round(96 * figure.get_figwidth()), b64encode(picture.getvalue()).decode()
    return f'<img alt="{escape(words)}" width="{width}" src="data:image/png;base64,{data}">'


def _table(table: Table, lines: list[str]) -> str:
    columns = table.shown("screen")
    head = "".join(f"<th>{escape(column.title)}</th>" for column in columns)
    rows = [[joined(parts) for parts in row] for row in rows_of(table, columns, ROWS)]
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    # A notebook keeps its outputs: tables of thousands of rows would be in the file for good.
    left = table.n_rows - ROWS
    more = f'<tr><td colspan="{len(columns)}">… and {counted([left], "more row")}: to_frame() has all of them</td></tr>'
    foot = more if left > 0 else ""
    caption = f"<caption>{'<br>'.join(lines)}</caption>"
    # Names may hold dollars, which Jupyter's MathJax would set as mathematics: these classes keep it away.
    return f'<table class="tex2jax_ignore mathjax_ignore">{caption}<thead><tr>{head}</tr></thead><tbody>{body}{foot}</tbody></table>'
