"""A table as LaTeX: floats of one column or of the text width, or a table that runs over pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from runoff.base.validate import check_choice
from runoff.latex.glyphs import tex
from runoff.latex.layout import Block, LatexTable, SizedColumn, blocks_of, parts_of
from runoff.words.names import LatexLayout

COLUMN = 218.0
"""Points of the narrowest column of the usual two-column classes (ACL; ICML has 234, IEEE 252)."""
WIDE = 345.0
"""Points of the narrowest text block of the usual classes (`article` at 10 pt; NeurIPS has 397)."""
WAITING = 16
"""After so many floats the page is cleared: LaTeX from before 2015 keeps at most 18 that wait for a page."""
SIZE = r"\fontsize{8}{9.6}\selectfont\setlength{\tabcolsep}{3pt}"


def column_file(table: LatexTable) -> str:
    """Return floats that fit a column of a two-column class, and any wider one."""
    what = f"fits a column of {COLUMN:g} pt or more (ACL, ICML, IEEE, ACM, CVPR)"
    return _floats(table, COLUMN, "table", what)


def wide_file(table: LatexTable) -> str:
    """Return floats as wide as the text, over both columns where there are two."""
    what = f"fits a text block of {WIDE:g} pt or more (article, NeurIPS, JMLR), over both columns of a two-column class"
    return _floats(table, WIDE, "table*", what)


def long_file(table: LatexTable) -> str:
    """Return tables that run over pages of one column; blocks of columns follow each other under one number."""
    what = (
        f"fits a text block of {WIDE:g} pt or more and runs over pages; one column only (in two, \\onecolumn before it)"
    )
    lines = _comments(table, what, r"\usepackage{booktabs,longtable}")
    lines.append("{" + SIZE + r"\setlength{\LTcapwidth}{\linewidth}")
    for place, block in enumerate(blocks_of(table, WIDE), 1):
        lines += _long(table, block, place)
    return "\n".join([*lines, "}", ""])


FILES: Mapping[LatexLayout, Callable[[LatexTable], str]] = MappingProxyType(
    {"column": column_file, "wide": wide_file, "long": long_file}
)


def latex_of(table: LatexTable, layout: LatexLayout) -> str:
    """Return a table as LaTeX, laid out for a column, the width of the text, or several pages.

    Raises
    ------
    OptionError
        An unknown layout.
    """
    check_choice("layout", layout, FILES)
    return FILES[layout](table)


def _floats(table: LatexTable, points: float, kind: str, what: str) -> str:
    parts = parts_of(table, points)
    lines = _comments(table, what, r"\usepackage{booktabs}")
    for place, blocks in enumerate(parts, 1):
        lines += [r"\clearpage"] if place % WAITING == 0 else []
        caption = _caption(table) if place == 1 else [f"{_continued(table)} ({place} of {len(parts)})"]
        tabulars = "\n\\par\\medskip\n".join(map(_tabular, blocks))
        lines += [f"\\begin{{{kind}}}", r"\centering", *caption, r"\par\smallskip", SIZE, tabulars, f"\\end{{{kind}}}"]
    return "\n".join([*lines, ""])


def _comments(table: LatexTable, what: str, needs: str) -> list[str]:
    stands = [f"% {text} stands for {_quoted(name)}" for text, name in table.stands]
    return [f"% {what}; the text is 8 pt", f"% needs {needs}", *stands]


def _quoted(name: str) -> str:
    return "'" + "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in name) + "'"


def _caption(table: LatexTable) -> list[str]:
    return [f"\\caption{{{tex(table.caption)}}}", f"\\label{{{_label(table)}}}"]


def _continued(table: LatexTable) -> str:
    return f"Table~\\ref{{{_label(table)}}}, continued"


def _label(table: LatexTable) -> str:
    return f"tab:runoff-{table.name}"


def _tabular(block: Block) -> str:
    first = f"\\begin{{tabular}}{{{_preamble(block.columns)}}}"
    return "\n".join([first, *_head(block), *_rows(block), r"\bottomrule", r"\end{tabular}"])


def _long(table: LatexTable, block: Block, place: int) -> list[str]:
    again = f"\\multicolumn{{{len(block.columns)}}}{{c}}{{{_continued(table)}}}"
    same = [r"\addtocounter{table}{-1}", f"\\def\\theHtable{{\\thetable.part{place}}}% for hyperref"]
    return [
        *(same if place > 1 else []),
        f"\\begin{{longtable}}{{{_preamble(block.columns)}}}",
        *(_caption(table) if place == 1 else [again]),
        *(r"\\[4pt]", *_head(block), r"\endfirsthead"),
        *(again, r"\\[4pt]", *_head(block), r"\endhead"),
        *(r"\bottomrule", r"\endfoot", *_rows(block), r"\end{longtable}"),
    ]


def _preamble(columns: Sequence[SizedColumn]) -> str:
    return "@{}" + "".join("r" if column.column.right else "l" for column in columns) + "@{}"


def _head(block: Block) -> list[str]:
    heads = [_stacked(column.head, right=column.column.right, at="b") for column in block.columns]
    return [r"\toprule", " & ".join(heads) + r" \\", r"\midrule"]


def _rows(block: Block) -> Iterable[str]:
    for row in range(block.start, block.stop):
        cells = []
        for column in block.columns:
            text = _stacked(column.rows[row], right=column.column.right, at="t")
            cells.append(f"{{\\bfseries\\boldmath {text}}}" if column.column.cells[row].bold else text)
        yield " & ".join(cells) + r" \\"


def _stacked(lines: Sequence[str], *, right: bool, at: str) -> str:
    if len(lines) == 1:
        return tex(lines[0])
    side = "r" if right else "l"
    return f"\\begin{{tabular}}[{at}]{{@{{}}{side}@{{}}}}" + r"\\".join(map(tex, lines)) + r"\end{tabular}"
