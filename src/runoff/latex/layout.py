"""What a table is, and where its columns and rows go: blocks of columns below each other, and parts that are no taller than a page.

A table is plain text, whose characters `glyphs` translates. Widths are those of Computer Modern at 8 pt, so that a layout is known before
LaTeX runs.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from math import ceil, floor, log10

from runoff.latex.glyphs import clusters, width
from runoff.words.numbers import number


@dataclass(frozen=True, slots=True, kw_only=True)
class LatexCell:
    """One cell: its text, that of a second line where there is little room (an interval, the other of two names), and what joins the two."""

    text: str
    below: str = ""
    joint: str = " "
    bold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LatexColumn:
    """A head and its cells; numbers are set to the right."""

    head: str
    cells: tuple[LatexCell, ...]
    right: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LatexTable:
    """A table of the report.

    Attributes
    ----------
    name : str
        The name of its files and of its label.
    caption : str
    names : tuple of Column
        Columns that name the rows; they stand at the left of every block of columns.
    values : tuple of Column
    stands : tuple of (text, name)
        The text that stands for a name that pdflatex cannot print, or that is too long.
    turned : Table, optional
        The same with rows as columns, which is shown where this one is taller than a page and that one is less tall.
    """

    name: str
    caption: str
    names: tuple[LatexColumn, ...]
    values: tuple[LatexColumn, ...]
    stands: tuple[tuple[str, str], ...] = ()
    turned: LatexTable | None = None

    @property
    def n_rows(self) -> int:
        return len(self.names[0].cells)


def column(head: str, texts: list[str], *, right: bool = True) -> LatexColumn:
    """Return a column of plain cells."""
    return LatexColumn(head=head, cells=tuple(LatexCell(text=text) for text in texts), right=right)


LONGEST = 11
"""The most characters of a number that is written out; a longer one becomes a power of ten."""
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def figure(value: float | None, places: int) -> str:
    """Return a value as the page shows it, or as a power of ten if that is long."""
    text = number(value, places)
    if value is None or len(text) <= LONGEST:
        return text
    exponent = floor(log10(abs(value)))
    return f"{number(value / 10.0**exponent, 2)} × 10{str(exponent).translate(RAISED)}"


def estimate(value: float, low: float | None, high: float | None, places: int, *, bold: bool = False) -> LatexCell:
    """Return an estimate and its interval; a dash where there is none."""
    ends = "–" if low is None or high is None else f"[{figure(low, places)}, {figure(high, places)}]"
    return LatexCell(text=figure(value, places), below=ends, bold=bold)


GAP = 6.0
"""Points between two columns."""
ROW = 9.6
"""Points of a line."""
RULES = 18.0
"""Points that the rules of a block and the space below it take, at most."""
TALL = 540.0
"""Points of a float; the lowest text block in use, that of `article` on letter paper, has 550."""
CAPTION_LINE = 12.0
CAPTION_SCALE = 1.35
"""How much more room a caption takes than its width at 8 points: it is set in 10, and its lines are not full."""
NAMES = (160.0, 120.0, 100.0, 86.0, 74.0, 64.0, 56.0, 48.0, 40.0)
"""Widths that columns of names are tried at; longer names are set in lines."""
WORDS = 0.3
"""The share of the width that a column of words may take before it is set in lines."""
HEAD = 44.0
"""A word of a head that is longer than this is broken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizedColumn:
    """A column set in lines: those of its head and those of each cell."""

    column: LatexColumn
    width: float
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Columns side by side, and the rows of them that are shown, from `start` to before `stop`."""

    columns: tuple[SizedColumn, ...]
    start: int
    stop: int

    @property
    def width(self) -> float:
        return sum(column.width for column in self.columns) + GAP * (len(self.columns) - 1)

    @property
    def heights(self) -> list[float]:
        """The height of each row in points."""
        rows = zip(*(column.rows[self.start : self.stop] for column in self.columns), strict=True)
        return [ROW * max(map(len, row)) for row in rows]

    @property
    def above(self) -> float:
        """The height of all but the rows, in points."""
        return RULES + ROW * max(len(column.head) for column in self.columns)

    @property
    def height(self) -> float:
        return self.above + sum(self.heights)


def blocks_of(table: LatexTable, points: float) -> list[Block]:
    """Return all rows in blocks of columns that are at most `points` wide, in the layout that is the least tall."""
    blocks = _lowest(table, points)
    if table.turned is None or _height(blocks) <= TALL - caption_height(table.caption, points):
        return blocks
    return min(blocks, _lowest(table.turned, points), key=_height)


def _lowest(table: LatexTable, points: float) -> list[Block]:
    layouts = _layouts(table, points)
    return min((blocks for blocks in layouts if all(block.width <= points for block in blocks)), key=_height)


def _height(blocks: Sequence[Block]) -> float:
    return sum(block.height for block in blocks)


def _layouts(table: LatexTable, points: float) -> Iterator[list[Block]]:
    """Yield a table with intervals beside their estimates, then with intervals below them; of each the names in one line, then in more."""
    names = [cell for column in table.names for cell in column.cells]
    below = [_sized(column, WORDS * points, stacked=True) for column in table.values]
    beside = [_sized(column, WORDS * points) for column in table.values]
    for stacked in (False, True):
        lines = [(line, cell.bold) for cell in names for line in _lines(cell, stacked=stacked)]
        widest = max((width(line, bold=bold) for line, bold in lines), default=0.0)
        for cap in (widest, *(cap for cap in NAMES if cap < widest)):
            sized = [_sized(column, cap, stacked=stacked) for column in table.names]
            room = points - sum(column.width + GAP for column in sized)
            first = below if stacked else beside
            values = [a if a.width <= room else b for a, b in zip(first, below, strict=True)]
            groups = _grouped([column.width + GAP for column in values], room + GAP)
            yield [
                Block(columns=(*sized, *values[start:stop]), start=0, stop=table.n_rows)
                for start, stop in pairwise([0, *accumulate(groups)])
            ]


def parts_of(table: LatexTable, points: float) -> list[list[Block]]:
    """Return the blocks float by float, each no taller than a page; a block that is taller is cut into even pieces."""
    room = TALL - caption_height(table.caption, points)
    parts: list[list[Block]] = []
    for block in blocks_of(table, points):
        for piece in _cut(block, room):
            if parts and sum(block.height for block in parts[-1]) + piece.height <= room:
                parts[-1].append(piece)
            else:
                parts.append([piece])
    return parts


def caption_height(caption: str, points: float) -> float:
    """Return about how many points a caption takes."""
    return CAPTION_LINE * (1 + ceil(CAPTION_SCALE * width(caption) / points))


def _grouped(widths: Sequence[float], room: float) -> list[int]:
    """Return how many columns each block has: as few blocks as possible, of about as many columns."""
    counts, left = [0], room
    for points in widths:
        if counts[-1] and points > left:
            counts.append(0)
            left = room
        counts[-1] += 1
        left -= points
    n, more = divmod(len(widths), len(counts))
    even = [n + (block < more) for block in range(len(counts))]
    ends = [0, *accumulate(even)]
    return even if all(sum(widths[start:stop]) <= room for start, stop in pairwise(ends)) else counts


def _sized(column: LatexColumn, cap: float, *, stacked: bool = False) -> SizedColumn:
    # Names stand in many rows: each is set once.
    rows: list[tuple[str, ...]] = []
    own: dict[tuple[str, str, str, bool], tuple[str, ...]] = {}
    for cell in column.cells:
        key = (cell.text, cell.joint, cell.below, cell.bold)
        if key not in own:
            lines = _lines(cell, stacked=stacked)
            whole = cell.below and column.right  # an estimate and its interval
            own[key] = lines if whole else tuple(part for line in lines for part in wrapped(line, cap, bold=cell.bold))
        rows.append(own[key])
    body = max((width(line, bold=bold) for (*_, bold), lines in own.items() for line in lines), default=0.0)
    word = max(width(part.rstrip()) for part in BREAKS.split(column.head))
    head = wrapped(column.head, max(body, min(word, HEAD)))
    return SizedColumn(column=column, width=max(body, *map(width, head)), head=head, rows=tuple(rows))


def _lines(cell: LatexCell, *, stacked: bool) -> tuple[str, ...]:
    if not cell.below:
        return (cell.text,)
    return (cell.text, cell.below) if stacked else (f"{cell.text}{cell.joint}{cell.below}",)


def _cut(block: Block, room: float) -> Iterable[Block]:
    """Yield a block in as few pieces as fit, of about the same height."""
    heights = block.heights
    n = ceil(sum(heights) / (room - block.above - max(heights)))
    if block.height <= room or n < 2:
        yield block
        return
    ends = list(accumulate(heights))
    cuts = [1 + bisect_left(ends, share / n * ends[-1]) for share in range(1, n)]
    for start, stop in pairwise([0, *dict.fromkeys(cuts), len(ends)]):
        yield Block(columns=block.columns, start=start, stop=stop)


BREAKS = re.compile(r"(?<=[ \-_/:])|(?<=[a-z])(?=[A-Z(])")
"""Where a line may end: after a space or a hyphen, before a capital inside a word."""


@cache
def wrapped(text: str, points: float, *, bold: bool = False) -> tuple[str, ...]:
    """Return the lines of a text that is set in `points`; a part that has no place to break is broken anywhere."""
    lines: list[str] = []
    line = ""
    for part in (piece for whole in BREAKS.split(text) for piece in _pieces(whole, points, bold)):
        if line and width((line + part).rstrip(), bold=bold) > points:
            lines.append(line.rstrip())
            line = part.lstrip()
        else:
            line += part
    return (*lines, line.rstrip())


def _pieces(part: str, points: float, bold: bool) -> list[str]:
    if width(part.rstrip(), bold=bold) <= points:
        return [part]
    pieces = [""]
    for cluster in clusters(part):
        if pieces[-1] and width(pieces[-1] + cluster, bold=bold) > points:
            pieces.append("")
        pieces[-1] += cluster
    return pieces
