"""The exit of `print`: the answer, its first table and what to beware of, as text of at most forty lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from textwrap import wrap

from runoff.answer.cells import Name
from runoff.answer.table import Table
from runoff.answer.text import joined
from runoff.words.numbers import counted
from runoff.words.shorten import short_names

WIDTH, MOST_LINES = 100, 40
"""The columns and lines that `print` takes at most: half a screen beside an editor, and one screen."""
FEWEST_ROWS = 6
"""Rows of the table that are shown however much is to be said."""
NAME_WIDTH, GAP = 36, "  "


def printed(
    heading: Sequence[str], tables: Sequence[Table], cautions: Sequence[str] = (), about: str = "result"
) -> str:
    """Return sentences, the first table and cautions, the gravest first, each broken between words.

    What does not fit is counted, with the call on `about` that has it.
    """
    head = [line for sentence in heading for line in broken(sentence)]
    # The first caution stands whole; a further one where it leaves half of the lines to the table.
    warned: list[str] = []
    for place, caution in enumerate(cautions):
        lines = broken(caution)
        if place and len(warned) + len(lines) > MOST_LINES // 4:
            warned.append(
                f"… and {counted([len(cautions) - place], 'more note')}: {about}.advice and {about}.notes have all of them."
            )
            break
        warned += lines
    room = MOST_LINES - len(head) - len(warned) - 4  # two empty lines, the heads, and the count of what is left out
    table = [] if not tables else table_lines(tables[0], max(FEWEST_ROWS, room), about)
    return "\n\n".join("\n".join(part) for part in (head, table, warned) if part)


def broken(sentence: str) -> list[str]:
    return wrap(sentence, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def table_lines(table: Table, most: int, about: str = "result") -> list[str]:
    """Return a table as lines: columns that fit beside each other, and the first rows.

    >>> from runoff.answer import Column, Estimate, Name
    >>> rows = (
    ...     Column(key="algorithm", head="Algorithm", cells=[Name("A"), Name("B")]),
    ...     Column(key="mean", head="Mean", cells=[Estimate(1.5, 1.2, 1.8), Estimate(12.0)]),
    ... )
    >>> print("\\n".join(table_lines(Table(role="means", title="", caption="", columns=rows), most=1)))
    Algorithm               Mean
    A          1.50 [1.20, 1.80]
    … and 1 more row: result.to_frame() has all of them.
    """
    from rich.cells import cell_len, set_cell_size

    columns = table.shown("screen")
    names = {cell.text for column in columns for cell in column.cells if isinstance(cell, Name)}
    called = short_names(names, NAME_WIDTH, cell_len)
    rows = [list(map(joined, row)) for row in table.rows(columns, most)]
    lines = [[column.title for column in columns], *([called.get(text, text) for text in row] for row in rows)]
    widths = [max(map(cell_len, texts)) for texts in zip(*lines, strict=True)]
    # Whole columns, the first ones: who wants all takes the frame.
    n = sum(total <= WIDTH for total in accumulate(width + len(GAP) for width in widths)) or 1
    shown = []
    for texts in lines:
        cells = (
            set_cell_size(text, width) if column.words else " " * (width - cell_len(text)) + text
            for text, width, column in zip(texts[:n], widths[:n], columns[:n], strict=True)
        )
        shown.append(GAP.join(cells).rstrip())
    missing = ((table.n_rows - len(rows), "row"), (len(columns) - n, "column"))
    left = [counted([count], f"more {noun}") for count, noun in missing if count]
    return [*shown, *([f"… and {' and '.join(left)}: {about}.to_frame() has all of them."] if left else [])]
