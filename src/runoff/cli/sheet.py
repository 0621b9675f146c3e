"""A table on the terminal: no cell is broken and none runs into the next; columns that do not fit stand below, beside the names again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.table import Table
from rich.text import Text

from runoff.cli.ascii import spelled

GAP = 2
"""Columns of the terminal between two of the table."""
MOST_ROWS = 40
"""Further rows are counted."""


class Sheet:
    """Rows of a name and cells; `rest` says where the rows are that are not shown."""

    def __init__(self, first: str, heads: Iterable[str], *, left: bool = False, rest: str = "") -> None:
        self.heads = [Text(first), *(Text(head) for head in heads)]
        self.rows: list[list[Text]] = []
        self.left, self.rest, self.caption = left, rest, ""

    def add_row(self, name: Text | str, *cells: Text | str) -> None:
        """Add a row."""
        self.rows.append([cell if isinstance(cell, Text) else Text(cell) for cell in (name, *cells)])

    @property
    def width(self) -> int:
        """Columns of the terminal that it takes in one piece."""
        widths = [max(cell_len(row[i].plain) for row in [self.heads, *self.rows]) for i in range(len(self.heads))]
        return sum(widths) + GAP * (len(widths) - 1)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table | Text]:
        ascii_only = options.ascii_only
        rows = [[_spelled(cell, ascii_only) for cell in row] for row in self.rows[:MOST_ROWS]]
        heads = [_spelled(head, ascii_only) for head in self.heads]
        widths = [max(cell_len(row[i].plain) for row in [heads, *rows]) for i in range(len(heads))]
        blocks = list(fitting(widths, options.max_width))
        for place, block in enumerate(blocks):
            if place:
                yield Text("")
            yield self._table([heads[i] for i in block], [[row[i] for i in block] for row in rows])
        left = len(self.rows) - len(rows)
        if left:
            yield Text(f"  … and {left} more rows{f': {self.rest}' if self.rest else ''}")
        if self.caption:
            yield Text(self.caption, style="dim")

    def _table(self, heads: Sequence[Text], rows: Sequence[Sequence[Text]]) -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="dim")
        for at, head in enumerate(heads):
            left = at == 0 or self.left
            table.add_column(
                head, justify="left" if left else "right", no_wrap=True, overflow="ellipsis" if at == 0 else "fold"
            )
        for row in rows:
            table.add_row(*row)
        return table


def fitting(widths: Sequence[int], most: int) -> Iterator[list[int]]:
    """Yield the columns of each block: the first, and as many as fit beside it.

    >>> list(fitting([10, 30, 30, 30], 80))
    [[0, 1, 2], [0, 3]]
    """
    block, used = [0], widths[0]
    for column, width in enumerate(widths[1:], 1):
        if used + GAP + width > most and len(block) > 1:
            yield block
            block, used = [0], widths[0]
        block.append(column)
        used += GAP + width
    yield block


def _spelled(text: Text, ascii_only: bool) -> Text:
    if not ascii_only or text.plain.isascii():
        return text
    parts = [part for part in text.divide(_ends(text)) if part.plain]
    return Text.assemble(*((spelled(part.plain), part.spans[0].style if part.spans else "") for part in parts))


def _ends(text: Text) -> list[int]:
    return sorted({edge for span in text.spans for edge in (span.start, span.end)} - {0, len(text)})
