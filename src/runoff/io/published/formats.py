"""The text of a file → the grid of its one table: a tabular of LaTeX, a table of pipes (Markdown), or CSV and TSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from runoff.errors import DataError
from runoff.io.published.cells import Entry, Grid
from runoff.io.published.heads import split_statistic
from runoff.io.published.markup import argument, plain_of_latex, plain_of_markdown

FORMATS = ("auto", "latex", "markdown", "csv", "tsv")
SUFFIXES = {".tex": "latex", ".md": "markdown", ".csv": "csv", ".tsv": "tsv"}


def read_grid(place: str, text: str, format: str, suffix: str = "") -> Grid:
    """Return the rows of the one table of a text; the format "auto" is that of the suffix or, without a telling one, of the looks."""
    if format == "auto":
        is_latex = BEGIN_OR_END.search(text) or re.search(r"&.*\\\\", text)
        looks = "latex" if is_latex else "markdown" if separators(text) else "csv"
        format = SUFFIXES.get(suffix, looks)
    if format == "latex":
        return read_latex(place, text)
    if format == "markdown":
        return read_markdown(place, text)
    # a tab or semicolon goes before commas, which may mark decimals
    first = next((line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")), "")
    in_use = (mark for mark in "\t;," if mark in re.sub(r'"[^"]*"', "", first))
    return read_delimited(place, text, "\t" if "tsv" in (format, suffix[1:]) else next(in_use, ","))


# ── LaTeX ──────────

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


def read_latex(place: str, text: str) -> Grid:
    """Return the rows of the one tabular of a text."""
    text = COMMENT.sub(lambda comment: comment[1] + " " * len(comment[2]), text)
    start, end = _body(place, text)
    rows: list[tuple[Entry, ...]] = []
    n_heads: int | None = None
    for cells in _rows_of(text, start, end):
        first, last = cells[0]
        while (rule := RULES.match(text, first, last)) is not None:
            if rule["rule"] is not None and rows and n_heads is None:  # it spans the table
                n_heads = len(rows)
            first = rule.end()
        cells[0] = (first, last)
        if len(cells) > 1 or text[slice(*cells[0])].strip():
            rows.append(tuple(_latex_entries(place, text, cells)))
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
        message = f"{place}: there are {len(begins)} tables, on lines {', '.join(map(str, lines))}; give one at a time."
        raise DataError(message)
    return (begins[0], ends[0]) if begins else (0, len(text))


def _after_columns(text: str, begin: re.Match[str]) -> int:
    i = begin.end()
    while (bracket := re.compile(r"\s*\[[^\]]*\]").match(text, i)) is not None:
        i = bracket.end()
    for _ in range(2 if begin[2] in ("tabularx", "tabular*", "tabulary") else 1):
        i = argument(text, i) or i
    return i


def _rows_of(text: str, start: int, end: int) -> Iterator[list[tuple[int, int]]]:
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


def _latex_entries(place: str, text: str, cells: list[tuple[int, int]]) -> Iterator[Entry]:
    column = 1
    first = text[slice(*cells[0])]
    line = text.count("\n", 0, cells[0][0] + len(first) - len(first.lstrip())) + 1
    for start, end in cells:
        source, across, down = _spanned(text[start:end])
        plain, bold = plain_of_latex(source, f"{place}, line {line}, column {column}")
        yield Entry(text=plain, line=line, column=column, bold=bold, across=across, down=down)
        column += across


def _spanned(source: str) -> tuple[str, int, int]:
    """Return the source of a cell inside \\multicolumn and \\multirow, and how many columns and rows it spans."""
    across = down = 1
    while True:
        if (match := MULTICOLUMN.match(source)) is not None:
            across, source = _unwrapped(source, match.end())
        elif (match := MULTIROW.match(source)) is not None:
            down, source = _unwrapped(source, match.end())
        else:
            return source, across, down


def _unwrapped(source: str, i: int) -> tuple[int, str]:
    """Return the number in the first of three arguments that begin at i, and the last argument with what follows it."""
    arguments = []
    for _ in range(3):
        while i < len(source) and source[i] == "[" and "]" in source[i:]:
            i = source.index("]", i) + 1
        end = argument(source, i)
        if end is None:
            break
        arguments.append(source[i:end].strip()[1:-1])
        i = end
    number, content = (arguments[0], arguments[-1]) if arguments else ("1", "")
    return max(int(number), 1) if number.strip().isdigit() else 1, "{" + content + "}" + source[i:]


# ── tables of pipes and delimiters ──────────

SEPARATOR = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
PIPE = re.compile(r"(?<!\\)\|")


def separators(text: str) -> list[int]:
    """Return the lines, counted from 0, that part the head of a table of pipes from its rows."""
    lines = text.splitlines()
    return [
        i
        for i, line in enumerate(lines)
        if i and "|" in lines[i - 1] and "-" in line and "|" in line and SEPARATOR.fullmatch(line)
    ]


def read_markdown(place: str, text: str) -> Grid:
    """Return the rows of the one table of pipes in a text."""
    lines, parted = text.splitlines(), separators(text)
    if len(parted) != 1:
        where = f", on lines {', '.join(str(i) for i in parted)}" if parted else ""
        raise DataError(f"{place}: there are {len(parted)} tables of pipes{where}; give one at a time.")
    head, end = parted[0] - 1, parted[0] + 1
    while end < len(lines) and "|" in lines[end]:
        end += 1
    of_table = [head, *range(parted[0] + 1, end)]
    rows = []
    for i in of_table:
        inside = lines[i].strip().removeprefix("|")
        inside = inside[:-1] if inside.endswith("|") and not inside.endswith("\\|") else inside
        rows.append(_plain_entries(place, i + 1, [cell.replace("\\|", "|") for cell in PIPE.split(inside)]))
    beside = "\n".join(line for i, line in enumerate(lines) if i not in of_table)
    return Grid(place=place, format="markdown", rows=tuple(rows), n_heads=1, beside=beside)


def read_delimited(place: str, text: str, delimiter: str) -> Grid:
    """Return the rows of a CSV or TSV file; lines that begin with # are the text beside it."""
    rows: list[tuple[Entry, ...]] = []
    beside: list[str] = []
    ended: int | None = None
    for line, cells in _records(place, text, delimiter):
        if not any(cell.strip() for cell in cells):
            ended = line if rows else None
        elif cells[0].lstrip().startswith("#"):
            beside.append(delimiter.join(cells))
        elif ended is not None:
            raise DataError(
                f"{place}, line {line}: a second table begins here, after the empty line {ended}; give one at a time."
            )
        else:
            rows.append(_plain_entries(place, line, cells))
    kind = "tsv" if delimiter == "\t" else "csv"
    heads, body = _heads(rows)
    return Grid(place=place, format=kind, rows=(*heads, *body), n_heads=len(heads), beside="\n".join(beside))


Rows = Sequence[tuple[Entry, ...]]


def _heads(rows: Rows) -> tuple[Rows, Rows]:
    """Return the rows of the head, and those below it.

    The head is one row, or has two levels as pandas writes them: statistics below names, and the names of the labels in a third line.
    """
    low = [entry for entry in rows[1] if entry.text] if len(rows) > 3 else []
    stems = [split_statistic(entry.text) for entry in low]
    if not low or any(stem or statistic is None for stem, statistic in stems):
        return rows[:1], rows[1:]
    names = [entry for entry in rows[2] if entry.text]
    if len(rows[2]) != len(rows[1]) or any(entry.column >= low[0].column for entry in names):
        return rows[:2], rows[2:]
    merged = tuple(name if name.text else entry for entry, name in zip(rows[1], rows[2], strict=True))
    return (rows[0], merged), rows[3:]


def _records(place: str, text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    records, line = [], 1
    try:
        for record in reader:
            records.append((line, record))
            line = reader.line_num + 1
    except csv.Error as error:
        raise DataError(f"{place}, line {reader.line_num}: this is no CSV: {error}.") from error
    return records


def _plain_entries(place: str, line: int, cells: Sequence[str]) -> tuple[Entry, ...]:
    entries = []
    for column, source in enumerate(cells, 1):
        text, bold = plain_of_markdown(source, f"{place}, line {line}, column {column}")
        entries.append(Entry(text=text, line=line, column=column, bold=bold))
    return tuple(entries)
