"""LaTeX: the rows of a tabular, its rules, and what spans columns and rows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from runoff.errors import DataError
from runoff.io.published.grid import Entry, Grid
from runoff.io.published.markup import argument, plain_of_latex

TABULARS = "tabular|tabularx|tabular\\*|tabulary|longtable|supertabular|array|NiceTabular"
BEGIN_OR_END = re.compile(rf"\\(begin|end)\{{({TABULARS})\}}")
COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)(%[^\n]*)")
RULES = re.compile(
    r"\s*\\(?:(?P<rule>toprule|midrule|bottomrule|hline|specialrule|Xhline|thickhline)|cmidrule|cline|addlinespace|rowcolor|noalign|"
    r"arrayrulecolor|endhead|endfirsthead|endfoot|endlastfoot|morecmidrules|hdashline|cdashline)(?![A-Za-z])"
    r"(?:\s*\[[^\]]*\]|\s*\([^)]*\)|\s*\{[^{}]*\})*"
)
MULTICOLUMN = re.compile(r"\s*\\multicolumn\s*(?=\{)")
MULTIROW = re.compile(r"\s*\\multirow\s*(?:\[[^\]]*\])?\s*(?=\{)")


def looks_like_latex(text: str) -> bool:
    """Return whether a text holds a LaTeX table, or its rows."""
    return BEGIN_OR_END.search(text) is not None or bool(re.search(r"&.*\\\\", text))


def read(place: str, text: str) -> Grid:
    """Return the rows of the one tabular of a text.

    Raises
    ------
    DataError
        Several tables, one that does not end, or braces that do not match.
    """
    text = COMMENT.sub(lambda comment: comment[1] + " " * len(comment[2]), text)
    start, end = _body(place, text)
    rows: list[tuple[Entry, ...]] = []
    n_heads: int | None = None
    for cells in _split(text, start, end):
        first, ruled = _unruled(text, cells[0])
        if ruled and rows and n_heads is None:
            n_heads = len(rows)
        cells[0] = (first, cells[0][1])
        if len(cells) > 1 or text[slice(*cells[0])].strip():
            rows.append(tuple(_entries(place, text, cells)))
    return Grid(place=place, format="latex", rows=tuple(rows), n_heads=n_heads, beside=text[:start] + text[end:])


def _body(place: str, text: str) -> tuple[int, int]:
    """Return where the rows of the table begin and end; a table inside a cell belongs to the cell."""
    depth, begins, ends = 0, [], []
    for edge in BEGIN_OR_END.finditer(text):
        opens = edge[1] == "begin"
        if opens and depth == 0:
            begins.append(_after_columns(text, edge))
        depth += 1 if opens else -1
        if depth == 0:
            ends.append(edge.start())
    lines = [text.count("\n", 0, begin) + 1 for begin in begins]
    if depth:
        raise DataError(f"{place}: the table that begins on line {(lines or [1])[-1]} does not end.")
    if len(begins) > 1:
        raise DataError(
            f"{place}: there are {len(begins)} tables, on lines {', '.join(map(str, lines))}; give one at a time."
        )
    return (begins[0], ends[0]) if begins else (0, len(text))


def _after_columns(text: str, begin: re.Match[str]) -> int:
    """Return where the rows begin, after position, width and columns."""
    i = begin.end()
    while (bracket := re.compile(r"\s*\[[^\]]*\]").match(text, i)) is not None:
        i = bracket.end()
    for _ in range(2 if begin[2] in ("tabularx", "tabular*", "tabulary") else 1):
        i = argument(text, i) or i
    return i


def _split(text: str, start: int, end: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the cells of each row as slices: & and \\\\ inside braces or inner tables belong to the cell."""
    cells: list[tuple[int, int]] = []
    depth, begun = 0, start
    for match in re.compile(r"\\begin\b|\\end\b|\\\\(?:\*?\s*\[[^\]\n]*\])?|\\tabularnewline|\\[^\\]|[{}&]").finditer(
        text, start, end
    ):
        token = match[0]
        depth += (token in ("{", "\\begin")) - (token in ("}", "\\end"))
        if depth == 0 and token == "&":
            cells.append((begun, match.start()))
            begun = match.end()
        elif depth == 0 and (token.startswith("\\\\") or token == "\\tabularnewline"):
            yield [*cells, (begun, match.start())]
            cells, begun = [], match.end()
    if cells or text[begun:end].strip():
        yield [*cells, (begun, end)]


def _unruled(text: str, cell: tuple[int, int]) -> tuple[int, bool]:
    """Return where the first cell of a row begins behind rules, and whether one of them spans the table."""
    i, ruled = cell[0], False
    while (rule := RULES.match(text, i, cell[1])) is not None:
        ruled |= rule["rule"] is not None
        i = rule.end()
    return i, ruled


def _entries(place: str, text: str, cells: list[tuple[int, int]]) -> Iterator[Entry]:
    column = 1
    line = text.count("\n", 0, _first_seen(text, *cells[0])) + 1
    for start, end in cells:
        source, across, down = _spanned(text[start:end])
        plain, bold = plain_of_latex(source, f"{place}, line {line}, column {column}")
        yield Entry(text=plain, line=line, column=column, bold=bold, across=across, down=down)
        column += across


def _first_seen(text: str, start: int, end: int) -> int:
    inside = text[start:end]
    return start + len(inside) - len(inside.lstrip())


def _spanned(source: str) -> tuple[str, int, int]:
    """Return what a cell prints, and over how many columns and rows."""
    across = down = 1
    while True:
        if (match := MULTICOLUMN.match(source)) is not None:
            number, source = _last_of(source, match.end(), 3)
            across = _whole(number)
        elif (match := MULTIROW.match(source)) is not None:
            number, source = _last_of(source, match.end(), 3)
            down = _whole(number)
        else:
            return source, across, down


def _last_of(source: str, i: int, n: int) -> tuple[str, str]:
    """Return the first of n arguments, and the last with what stands around the command."""
    arguments = []
    for _ in range(n):
        while i < len(source) and source[i] == "[" and "]" in source[i:]:
            i = source.index("]", i) + 1
        end = argument(source, i)
        if end is None:
            break
        arguments.append(source[i:end].strip()[1:-1])
        i = end
    return (arguments or ["1"])[0], "{" + (arguments or [""])[-1] + "}" + source[i:]


def _whole(number: str) -> int:
    return max(int(number), 1) if number.strip().isdigit() else 1
