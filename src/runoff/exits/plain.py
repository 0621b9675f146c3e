"""The exit of `print`: the answer, its first table and what to beware of, as text of at most forty lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from textwrap import wrap

from runoff.cells import Name, Table, Verdict
from runoff.exits.text import joined, rows_of
from runoff.words.numbers import counted
from runoff.words.shorten import short_names

WIDTH, MOST_LINES = 100, 40
"""The columns and lines that `print` takes at most: half a screen beside an editor, and one screen."""
FEWEST_ROWS = 6
"""Rows of the table that are shown however much is to be said."""
MOST_SAID, MOST_WARNED = 20, 10
"""Lines that sentences take at most, and cautions: with the fewest rows they are one screen."""
NAME_WIDTH, GAP = 36, "  "


def printed(
    sentence: str, how: str, tables: Sequence[Table], cautions: Sequence[str], where: str, *, all_tables: bool = False
) -> str:
    """Return the sentence, by what was decided, the first table and cautions, the gravest first, each broken between words.

    all_tables: the others too, as far as all of their rows fit.

    What does not fit is counted, with the attribute of the result that has it; `where` is that of cautions.
    """
    own = broken(how, MOST_SAID // 2, "result.sentence") if how else []
    head = [*broken(sentence, MOST_SAID - len(own), "result.sentence"), *own]
    warned: list[str] = []
    for left, caution in zip(range(len(cautions), 0, -1), cautions, strict=True):
        lines = broken(caution, MOST_WARNED - 1, where)
        if len(warned) + len(lines) + (left > 1) > MOST_WARNED:
            warned.append(f"… and {counted([left], 'more note')}: {where}.")
            break
        warned += lines
    room = MOST_LINES - len(head) - len(warned) - 4  # two empty lines, the heads, and the count of what is left out
    table = table_lines(tables[0], max(FEWEST_ROWS, room)) if tables and tables[0].n_rows else []
    more: list[list[str]] = []
    for other in tables[1:] if all_tables else ():
        lines = [*broken(other.caption, MOST_SAID, where), *table_lines(other, other.n_rows)]
        room -= len(lines) + 1
        more += [lines] if room >= len(table) else []
    return "\n\n".join("\n".join(part) for part in (head, table, *more, warned) if part)


def broken(sentence: str, most: int, where: str) -> list[str]:
    return wrap(
        sentence,
        WIDTH,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
        max_lines=most,
        placeholder=f" … (all of it: {where})",
    )


def table_lines(table: Table, most: int) -> list[str]:
    """Return a table as lines: names, verdicts and the first other columns that fit beside each other, and the first rows.

    >>> from runoff.cells import Column, Estimate, Name
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
    rows = [list(map(joined, row)) for row in rows_of(table, columns, most)]
    lines = [[column.title for column in columns], *([called.get(text, text) for text in row] for row in rows)]
    widths = [max(map(cell_len, texts)) for texts in zip(*lines, strict=True)]
    # Whole columns: who wants all takes the frame.
    order = sorted(range(len(columns)), key=lambda k: not any(isinstance(c, Name | Verdict) for c in columns[k].cells))
    n_fit = sum(total <= WIDTH + len(GAP) for total in accumulate(widths[k] + len(GAP) for k in order))
    kept = sorted(order[: max(1, n_fit)])
    shown = []
    for texts in lines:
        cells = (
            set_cell_size(texts[k], widths[k])
            if columns[k].words
            else " " * (widths[k] - cell_len(texts[k])) + texts[k]
            for k in kept
        )
        shown.append(GAP.join(cells).rstrip())
    missing = ((table.n_rows - len(rows), "row"), (len(columns) - len(kept), "column"))
    left = [counted([count], f"more {noun}") for count, noun in missing if count]
    return [*shown, *([f"… and {' and '.join(left)}: result.to_frame() has all of them."] if left else [])]
