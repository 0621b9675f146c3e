"""A table as LaTeX: floats of one column or of the text width, or a table that runs over pages.

LaTeX sets the columns. What is chosen here, by counting characters and lines, is how many columns stand beside each other, whether an
interval stands beside its estimate or in a line of its own below it, and where a table that is taller than a page is cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, zip_longest
from math import ceil
from string import ascii_uppercase
from types import MappingProxyType
from typing import NamedTuple

from runoff.base.validate import check_choice
from runoff.exits.latex.glyphs import tex
from runoff.exits.latex.table import LatexColumn, LatexTable
from runoff.words.names import LatexLayout


class _Page(NamedTuple):
    """What a layout has room for: the digits of a line, and what it is called in LaTeX and in the comment at the top."""

    digits: int
    environment: str
    fits: str


COLUMN, WIDE = 51, 81
"""Digits of 8 pt, 4.25 pt each, in the narrowest column of the usual two-column classes (218 pt, ACL) and in the narrowest text block of the
usual classes (345 pt, `article` at 10 pt)."""
_NARROW = "a column of 218 pt or more (ACL, ICML, IEEE, ACM, CVPR)"
_TEXT = "a text block of 345 pt or more"
_BOTH = f"{_TEXT} (article, NeurIPS, JMLR), over both columns of a two-column class"
_PAGES = rf"{_TEXT} and runs over pages; one column only (in two, \onecolumn before it)"
LAYOUTS: Mapping[LatexLayout, _Page] = MappingProxyType(
    {
        "column": _Page(COLUMN, "table", _NARROW),
        "wide": _Page(WIDE, "table*", _BOTH),
        "long": _Page(WIDE, "longtable", _PAGES),
    }
)
_WIDTHS = {0.5: ".,:;'’|()[]ilj", 0.75: " frst-", 1.1: "bdhnpu", 1.5: f"{ascii_uppercase}<>=+−×–%&@mw", 2.5: "…—"}
WIDTHS = {char: width for width, chars in _WIDTHS.items() for char in chars}
"""About how many digits a character is as wide as, where not as one."""
GAP = 1.5
"""Digits between two columns."""
BOLD = 1.15
"""How much wider bold is."""
WORDS = (28, 20, 14)
"""Characters of a line of words in a cell that is no name; the fewer, the more columns stand beside each other."""
HEAD = 11
"""Characters of a word in a head; a longer word is broken, if its cells are narrower."""
LINES = 56
"""Lines of 9.6 pt in the lowest page in use, that of `article` on letter paper (550 pt)."""
RULES = 2
"""Lines that the rules of a block and the space below it take."""
WAITING = 16
"""After so many floats the page is cleared: LaTeX from before 2015 keeps at most 18 that wait for a page."""
SIZE = r"\fontsize{8}{9.6}\selectfont\setlength{\tabcolsep}{3pt}"


def latex_of(table: LatexTable, layout: LatexLayout) -> str:
    """Return a table as LaTeX, laid out for a column, the width of the text, or several pages.

    Raises
    ------
    OptionError
        An unknown layout.
    """
    check_choice("layout", layout, LAYOUTS)
    page = LAYOUTS[layout]
    packages = "booktabs,longtable" if layout == "long" else "booktabs"
    comments = [
        f"% fits {page.fits}; the text is 8 pt",
        f"% needs \\usepackage{{{packages}}}",
        *(f"% {text} stands for {_quoted(name)}" for text, name in table.stands),
    ]
    lines = _long(table, page) if layout == "long" else _floats(table, page)
    return "\n".join([*comments, *lines, ""])


# ── which columns stand beside each other, and which lines on a page ──────────


Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lined:
    """A column in lines of LaTeX, those of its head and those of each row, and how many digits it is wide."""

    side: str
    size: float
    head: Lines
    rows: tuple[Lines, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Columns side by side as LaTeX: the side (l or r) that each is set to, the lines of the head, and the lines of each row."""

    sides: str
    head: Lines
    rows: tuple[Lines, ...]

    @property
    def height(self) -> int:
        return RULES + len(self.head) + sum(map(len, self.rows))


@cache
def size(text: str) -> float:
    """Return about how many digits a text is as wide as."""
    return sum(WIDTHS.get(char, 1.0) for char in text)


def blocks_of(table: LatexTable, digits: int) -> list[Block]:
    """Return all rows in blocks of columns that follow each other: of the ways to break cells into lines the one that is least tall."""
    # First whether it fits at all, then how tall it is: an interval below its estimate makes rows taller and
    # columns narrower, so that fewer blocks follow each other.
    ways = [_arranged(table, digits, words, below=below) for below in (False, True) for words in WORDS]
    return min(ways, key=lambda way: (way[0], _height(way[1])))[1]


def _height(blocks: Sequence[Block]) -> int:
    return sum(block.height for block in blocks)


def _arranged(table: LatexTable, digits: int, words: int, *, below: bool) -> tuple[float, list[Block]]:
    """Return by how much a block is too wide, and the blocks; names have what the values leave, and no less than a quarter of the line."""
    values = [_lined(column, words, below=below) for column in table.values]
    sizes = [column.size + GAP for column in values]
    # Of all values side by side; where they need more than there is, names have their quarter and the values go
    # into blocks.
    spare = int((digits - sum(sizes)) / len(table.names))
    names = [_lined(column, max(digits // 4, spare), below=below) for column in table.names]
    room = digits - sum(column.size + GAP for column in names) + GAP
    blocks = [_block([*names, *values[part]]) for part in _slices(sizes, room)]
    return max(0.0, max(sizes, default=0.0) - room), blocks


def _slices(sizes: Sequence[float], room: float) -> list[slice]:
    """Return the fewest slices of about as many things each that are no larger than the room; of single things if they must."""
    n, slices = len(sizes), [slice(len(sizes))]
    # About as many columns in each block: 7 and 7 look like one table, 11 and 3 do not.
    for parts in range(2, n + 1):
        if all(sum(sizes[part]) <= room for part in slices):
            break
        ends = [ceil(n * part / parts) for part in range(parts + 1)]
        slices = list(map(slice, ends, ends[1:]))
    return slices


def _lined(column: LatexColumn, longest: int, *, below: bool) -> _Lined:
    rows: list[Lines] = []
    for cell in column.cells:
        parts = tuple(part for part in (cell.text, cell.below) if part)
        lines = parts if below else (cell.joint.join(parts),)
        # An interval stays whole.
        whole = column.right and cell.below
        rows.append(lines if whole else tuple(part for line in lines for part in wrapped(line, longest)))
    word = min(HEAD, max(map(len, column.head.split()), default=0))
    head = wrapped(column.head, max(word, *(len(line) for lines in rows for line in lines))) or ("",)
    own = [*zip((cell.bold for cell in column.cells), rows, strict=True)]
    return _Lined(
        side="r" if column.right else "l",
        size=max(*map(size, head), *(size(line) * (BOLD if bold else 1.0) for bold, lines in own for line in lines)),
        head=tuple(map(tex, head)),
        rows=tuple(tuple(map(_bold if bold else tex, lines)) for bold, lines in own),
    )


@cache
def wrapped(text: str, longest: int) -> Lines:
    """Return the lines of a text: broken after a space or a hyphen or before a capital inside a word, and anywhere if they must.

    >>> wrapped("HalfCheetah-v4, Sarsa(λ) twin", 12)
    ('HalfCheetah-', 'v4, Sarsa(λ)', 'twin')
    """
    some = f".{{1,{longest}}}"
    # No line of a single letter at the end, and none that begins with an accent.
    at_break = r"(?:(?:(?<=[ \-_/:])|(?= )|(?<=[a-z]{3})(?=[A-Z(]))(?! ?.$)|$)"
    return tuple(line.strip() for line in re.findall(rf" *({some}{at_break}|{some}(?![\u0300-\u036f]))", text))


def _bold(text: str) -> str:
    return f"{{\\bfseries\\boldmath {tex(text)}}}"


def _block(columns: Sequence[_Lined]) -> Block:
    # Heads stand on their last line, above the rule.
    deep = max(len(column.head) for column in columns)
    return Block(
        sides="".join(column.side for column in columns),
        head=_lines([("",) * (deep - len(column.head)) + column.head for column in columns]),
        rows=tuple(map(_lines, zip(*(column.rows for column in columns), strict=True))),
    )


def _lines(cells: Sequence[Lines]) -> Lines:
    """Return the lines of a row, nearer to each other than to those of the next; no page ends between them."""
    *lines, last = (" & ".join(texts) for texts in zip_longest(*cells, fillvalue=""))
    return (*(rf"{line} \\*[-1pt]" for line in lines), rf"{last} \\[1pt]" if lines else rf"{last} \\")


# ── LaTeX ──────────


def parts_of(table: LatexTable, digits: int) -> list[list[Block]]:
    """Return the blocks float by float, each no taller than a page; a block that is taller is cut into even pieces."""
    # A caption is set in 10 pt on lines of 12 pt, which are not full.
    room = max(LINES // 2, LINES - ceil(1.6 * size(table.caption) / digits))
    parts: list[list[Block]] = []
    for block in blocks_of(table, digits):
        # Rows of several lines are never cut: no interval goes to another page than its estimate.
        heights = [*map(len, block.rows)]
        for rows in _slices(heights, room - block.height + sum(heights)):
            piece = replace(block, rows=block.rows[rows])
            if parts and _height([*parts[-1], piece]) <= room:
                parts[-1].append(piece)
            else:
                parts.append([piece])
    return parts


def _floats(table: LatexTable, page: _Page) -> Iterator[str]:
    parts = parts_of(table, page.digits)
    for place, blocks in enumerate(parts, 1):
        # Or LaTeX stops with "Too many unprocessed floats".
        yield from [r"\clearpage"] if place % WAITING == 0 else []
        yield from (f"\\begin{{{page.environment}}}", r"\centering")
        yield from _caption(table) if place == 1 else [f"{_continued(table)} ({place} of {len(parts)})"]
        yield from (r"\par\smallskip", SIZE)
        for below, block in enumerate(blocks):
            yield from [r"\par\medskip"] if below else []
            yield from (f"\\begin{{tabular}}{{@{{}}{block.sides}@{{}}}}", *_head(block), *chain(*block.rows))
            yield from (r"\bottomrule", r"\end{tabular}")
        yield f"\\end{{{page.environment}}}"


def _long(table: LatexTable, page: _Page) -> Iterator[str]:
    """Yield tables that run over pages of one column; blocks of columns follow each other under one number."""
    yield f"{{{SIZE}\\setlength{{\\LTcapwidth}}{{\\linewidth}}"
    for place, block in enumerate(blocks_of(table, page.digits), 1):
        again = f"\\multicolumn{{{len(block.sides)}}}{{c}}{{{_continued(table)}}}"
        if place > 1:
            # A longtable counts itself: the blocks of one table have one number, and hyperref a target each.
            yield from (r"\addtocounter{table}{-1}", f"\\def\\theHtable{{\\thetable.part{place}}}% for hyperref")
        yield f"\\begin{{longtable}}{{@{{}}{block.sides}@{{}}}}"
        yield from _caption(table) if place == 1 else [again]
        yield from (r"\\[4pt]", *_head(block), r"\endfirsthead", again, r"\\[4pt]", *_head(block), r"\endhead")
        yield from (r"\bottomrule", r"\endfoot", *chain(*block.rows), r"\end{longtable}")
    yield "}"


def _head(block: Block) -> Lines:
    return (r"\toprule", *block.head, r"\midrule")


def _caption(table: LatexTable) -> list[str]:
    return [f"\\caption{{{tex(table.caption)}}}", f"\\label{{{_label(table)}}}"]


def _continued(table: LatexTable) -> str:
    return f"Table~\\ref{{{_label(table)}}}, continued"


def _label(table: LatexTable) -> str:
    return f"tab:runoff-{table.name}"


def _quoted(name: str) -> str:
    return "'" + "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in name) + "'"
