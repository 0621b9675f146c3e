"""A table as it is printed, before anything in it is understood: rows of entries, and the text beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from runoff.errors import DataError


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is printed in one place: plain text, and how many columns and rows it spans.

    `bold` says whether its first digit is bold; None where only a later digit is.
    """

    text: str
    line: int
    column: int
    bold: bool | None = False
    across: int = 1
    down: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """All rows of a table, those of its head first.

    `n_heads` counts the rows of the head, None where the format does not tell; `beside` is the text around the table.
    """

    place: str
    format: str
    rows: tuple[tuple[Entry, ...], ...]
    n_heads: int | None
    beside: str = ""


def at(place: str, entry: Entry) -> str:
    """Return where an entry stands, in words."""
    return f"{place}, line {entry.line}, column {entry.column}"


def rectangle(grid: Grid) -> list[list[Entry]]:
    """Return rows of one length: an entry that spans columns or rows stands in each of them.

    Raises
    ------
    DataError
        The table has no row below its head, or rows differ in length.
    """
    if len(grid.rows) < 2:
        raise DataError(f"{grid.place}: there is no table with a head and a row below it.")
    rows = [[replace(e, column=e.column + i) for e in row for i in range(e.across)] for row in grid.rows]
    width = len(rows[0])
    for row in rows:
        if len(row) != width:
            raise DataError(
                f"{grid.place}, line {row[0].line}: this row has {len(row)} cells and the first one {width}; give each row as many."
            )
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            for below in rows[i + 1 : i + entry.down]:
                if not below[j].text:
                    below[j] = replace(entry, line=below[j].line, down=1)
    return rows


def is_section(row: Sequence[Entry]) -> bool:
    """Return whether a row is a heading between rows: it has one text, which spans the row or stands alone in its first cell."""
    texts = {entry.text for entry in row if entry.text}
    alone = bool(row[0].text) and not any(entry.text for entry in row[1:])
    return len(row) > 1 and (alone or (len(texts) == 1 and row[0].across == len(row)))
