"""The exit of READMEs and issue threads: a table as GitHub's Markdown."""

from __future__ import annotations

from runoff.cells import Table
from runoff.exits.text import joined, rows_of
from runoff.words.patterns import regex

SPECIAL = regex(r"([\\`*_{}\[\]<>#|~&$])")
"""Characters that Markdown would read as markup."""


def markdown_of(table: Table) -> str:
    """Return a table with its caption below it. Names are printed as they are.

    >>> from runoff.cells import Column, Estimate, Name
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
    rows = [[escaped(joined(parts)) for parts in row] for row in rows_of(table, columns)]
    lines = [[escaped(column.title) for column in columns], rules, *rows]
    return "\n".join(
        [*(f"| {' | '.join(line)} |" for line in lines), *(["", escaped(table.caption)] if table.caption else [])]
    )


def escaped(text: str) -> str:
    """Return a text in one line that Markdown shows as it is."""
    # A line end within a cell would end the row of the table.
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))
