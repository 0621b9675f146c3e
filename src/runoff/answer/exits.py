"""The exits that need no library: notebooks (HTML), READMEs and issue threads (Markdown); and what has tables for all exits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from runoff.answer.table import Table
from runoff.answer.text import joined
from runoff.base.ports import latex
from runoff.words.names import LatexLayout

ROWS = 60
"""Largest number of rows of a notebook's table; further rows are counted."""
SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&$])")
"""Characters that Markdown would read as markup."""


class InTables:
    """What people read as tables of typed cells: every exit prints those that `tables` gives."""

    __slots__ = ()

    def tables(self) -> tuple[Table, ...]:
        """Return what people read of it: notebooks, LaTeX, Markdown and the terminal print these."""
        raise NotImplementedError

    def to_latex(self, *, layout: LatexLayout = "wide") -> str:
        r"""Return the tables for a paper, in LaTeX that needs booktabs (and longtable for several pages).

        Parameters
        ----------
        layout : "wide", "column" or "long"
            As wide as the text, as a column of a two-column page, or over several pages.

        Raises
        ------
        OptionError
            An unknown layout.

        Examples
        --------
        >>> import runoff as ro
        >>> result = ro.compare({"A": [1.0, 2.0, 3.0, 4.0], "B": [6.0, 7.0, 8.0, 9.0]})
        >>> print(result.to_latex().splitlines()[-4])
        B -- A & 5.0 {[}2.8, 7.2{]} & 1.00 {[}0.50, 1.00{]} & 0.002 \\
        """
        return latex().of_tables(self.tables(), layout)

    def to_markdown(self) -> str:
        """Return the tables as Markdown, with their captions, for a README or an issue.

        Examples
        --------
        >>> import runoff as ro
        >>> result = ro.compare({"A": [1.0, 2.0, 3.0, 4.0], "B": [6.0, 7.0, 8.0, 9.0]})
        >>> print(result.to_markdown().splitlines()[2])
        | B | A | 5.0 \\[2.8, 7.2\\] | 1.00 \\[0.50, 1.00\\] | 0.002 |
        """
        return "\n\n".join(map(markdown_of, self.tables()))

    def _repr_html_(self) -> str:
        return html_of(self.tables(), heading=self._heading())

    def _heading(self) -> Sequence[str]:
        """Return the lines above the first table of a notebook."""
        return str(self).splitlines()


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


def markdown_of(table: Table) -> str:
    """Return a table with its caption below it. Names are printed as they are.

    >>> from runoff.answer import Column, Estimate, Name
    >>> rows = (
    ...     Column(key="algorithm", head="Algorithm", cells=[Name("my_agent")]),
    ...     Column(key="mean", head="Mean", cells=[Estimate(1.5, 1.2, 1.8)]),
    ... )
    >>> print(markdown_of(Table(role="means", title="Means", caption="Means of 3 runs.", columns=rows)))
    | Algorithm | Mean |
    | :-- | --: |
    | my\\_agent | 1.50 \\[1.20, 1.80\\] |
    <BLANKLINE>
    Means of 3 runs.
    """
    columns = table.shown("paper")
    rules = [":--" if column.words else "--:" for column in columns]
    rows = [[escaped(joined(parts)) for parts in row] for row in table.rows(columns)]
    lines = [[escaped(column.title) for column in columns], rules, *rows]
    return "\n".join(
        [*(f"| {' | '.join(line)} |" for line in lines), *(["", escaped(table.caption)] if table.caption else [])]
    )


def escaped(text: str) -> str:
    """Return a text in one line that Markdown shows as it is."""
    # A line end within a cell would end the row of the table.
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))
