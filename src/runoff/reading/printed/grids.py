"""Conversion of the text of a file to the grid of its only table: a LaTeX tabular, a table of pipes (Markdown), or CSV and TSV.

A table that continues in a second one with the same header is a single table.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, pairwise, takewhile

from runoff.errors import DataError
from runoff.reading.printed.cells import MEAN, Grid, PrintedEntry, bare
from runoff.reading.printed.heads import split_statistic
from runoff.reading.printed.markup import argument, plain_of_latex, plain_of_markdown
from runoff.words.patterns import regex

PrintedRow = tuple[PrintedEntry, ...]
FORMATS = ("auto", "latex", "markdown", "csv", "tsv")
SUFFIXES = {".tex": "latex", ".md": "markdown", ".csv": "csv", ".tsv": "tsv"}


def read_grid(place: str, text: str, format: str, suffix: str = "") -> Grid:
    """Return the rows of the only table in a text; the format "auto" is decided by the suffix or, if that is unknown, by the content."""
    if format == "auto":
        is_latex = BEGIN_OR_END.search(text) or re.search(r"&.*\\\\", text)
        looks = "latex" if is_latex else "markdown" if separators(text) else "csv"
        # A page of Markdown may hold a table of LaTeX, as arXiv's sources are quoted.
        in_page = suffix == ".md" and looks == "latex" and not separators(text)
        format = looks if in_page else SUFFIXES.get(suffix, looks)
    if format == "csv" and re.search(r"<t[dr]\b", text, re.IGNORECASE):
        raise DataError(f"{place}: runoff does not read HTML tables; write the table as Markdown or CSV.")
    if format == "csv" and re.search(r"^(?:=+(?: +=+)+|\+(?:[-=]+\+)+)\s*$", text, re.MULTILINE):
        raise DataError(f"{place}: runoff does not read reStructuredText tables; write the table as Markdown or CSV.")
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
BEGIN_OR_END = regex(rf"\\(begin|end)\{{({TABULARS})\}}")
COMMENT = regex(r"(?<!\\)((?:\\\\)*)(%[^\n]*)")
RULES = regex(
    r"\s*\\(?:(?P<rule>toprule|midrule|bottomrule|hline|specialrule|Xhline|thickhline)|(?P<part>endhead|endfirsthead|endfoot|endlastfoot)|"
    r"cmidrule|cline|addlinespace|rowcolor|noalign|arrayrulecolor|morecmidrules|hdashline|cdashline|newpage|pagebreak|nopagebreak)(?![A-Za-z])"
    r"(?:\s*\[[^\]]*\]|\s*\([^)]*\)|\s*\{[^{}]*\})*"
)
MULTICOLUMN = regex(r"\s*\\multicolumn\s*(?=\{)")
MULTIROW = regex(r"\s*\\multirow\s*(?:\[[^\]]*\])?\s*(?=\{)")


def read_latex(place: str, text: str) -> Grid:
    """Return the rows of the only tabular in a text, or of several that continue below the same header."""
    # Blanks in place of comments keep lines and columns, which refusals name. `\\%` is a line break and a comment,
    # `\%` a sign of percent.
    text = COMMENT.sub(lambda comment: comment[1] + " " * len(comment[2]), text)
    tables = _tabulars(place, text)
    if (head := re.search(r"\\table(?:first)?head\b", text)) is not None:
        line = text.count("\n", 0, head.start()) + 1
        raise DataError(
            f"{place}, line {line}: runoff does not read a table header in {head[0]}; put it into the first row."
        )
    edges = [0, *(edge for table in tables for edge in (table.begin, table.end)), len(text)]
    outside = [text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
    inside = [_with_captions_apart(text, table) for table in tables]
    parts = [_tabular(place, body, table) for (body, _), table in zip(inside, tables, strict=True)]
    lines = [text.count("\n", 0, table.begin) + 1 for table in tables]
    rows, n_heads = parts[0]
    for k, (others, _) in enumerate(parts[1:], 1):
        # a caption between them begins a second table, unless its own says that the first goes on
        between, behind = outside[k : k + 2]
        own = between if caption_texts(outside[0]) or not caption_texts(behind) else behind
        goes_on = any(map(CONTINUED.search, caption_texts(own))) or "\\ContinuedFloat" in own
        if (caption_texts(between) and not goes_on) or not _same_head(rows, others, n_heads):
            message = (
                f"{place}: there are {len(parts)} tables, on lines {', '.join(map(str, lines))}; give one at a time."
            )
            raise DataError(message)
        rows = [*rows, *others]
    beside = "\n".join([*outside, *(caption for _, captions in inside for caption in captions)])
    return Grid(place=place, format="latex", rows=tuple(rows), n_heads=n_heads, beside=beside, notes=_joined(lines))


CONTINUED = regex(r"\bcont(?:inued|inuation|inues|['’]d|\.)", re.IGNORECASE)
CAPTION = regex(r"\\(?:caption|captionof|label)\*?(?:\s*\[[^\]]*\])?\s*(?=\{)")


def _joined(lines: Sequence[int]) -> tuple[str, ...]:
    where = ", ".join(map(str, lines))
    return (f"Tables below one header, on lines {where}, were read as one continued table.",) if len(lines) > 1 else ()


def _same_head(rows: Sequence[PrintedRow], others: Sequence[PrintedRow], n_heads: int | None) -> bool:
    texts = [[[(entry.text, entry.across) for entry in row] for row in part[: n_heads or 1]] for part in (rows, others)]
    return texts[0] == texts[1]


@dataclass(frozen=True, slots=True)
class _Tabular:
    """Where a tabular stands in a text: its environment from `begin`, its rows from `start` to `end`; `behind` are the columns behind a ±."""

    begin: int
    start: int
    end: int
    behind: frozenset[int] = frozenset()


def _tabulars(place: str, text: str) -> list[_Tabular]:
    """Return the positions of the tables in a text, or the whole text if there are none; a table inside a cell belongs to the cell."""
    depth, tables, begin, start = 0, [], 0, 0
    for edge in BEGIN_OR_END.finditer(text):
        opens = edge[1] == "begin"
        if opens and depth == 0:
            begin, start = edge.start(), _after_columns(text, edge)
        depth += 1 if opens else -1
        if depth == 0:
            columns = text[begin:start]
            tables.append(_Tabular(begin, start, edge.start(), columns_behind_sign(columns)))
    if depth:
        raise DataError(f"{place}: the table that begins on line {text.count(chr(10), 0, begin) + 1} does not end.")
    return tables or [_Tabular(0, 0, len(text))]


def caption_texts(text: str) -> list[str]:
    """Return the texts of the captions of a LaTeX source."""
    commands = [match for match in CAPTION.finditer(text) if not match[0].startswith("\\label")]
    return [text[match.end() : argument(text, match.end())] for match in commands]


def _with_captions_apart(text: str, table: _Tabular) -> tuple[str, list[str]]:
    """Return a text with the captions inside a tabular blanked out, as long tables have them, and these captions."""
    body = text[table.start : table.end]
    captions = caption_texts(body)
    while (match := CAPTION.search(body)) is not None:
        end = argument(body, match.end()) or match.end()
        body = body[: match.start()] + re.sub(r"[^\n]", " ", body[match.start() : end]) + body[end:]
    return text[: table.start] + body + text[table.end :], captions


def _tabular(place: str, text: str, table: _Tabular) -> tuple[list[PrintedRow], int | None]:
    """Return the rows of a tabular, without the headers and footers of other pages, and the number of header rows."""
    # entries are made at last: the heads and feet of other pages have commands of their own
    rows: list[list[tuple[int, int]]] = []
    n_heads, n_kept = None, 0
    for cells in _rows_of(text, table.start, table.end):
        first, last = cells[0]
        while (rule := RULES.match(text, first, last)) is not None:
            if rule["part"] in ("endhead", "endfirsthead") and n_kept == 0:
                n_heads = n_kept = len(rows)
            # longtable prints head and foot on every page: \endhead, \endfoot and the like end rows that are
            # repeated, of which the first head is enough.
            elif rule["part"] is not None:
                del rows[n_kept:]
            elif rule["rule"] is not None and rows and n_heads is None:  # it spans the table
                n_heads = len(rows)
            first = rule.end()
        cells[0] = (first, last)
        if len(cells) > 1 or text[slice(*cells[0])].strip():
            rows.append(cells)
    entries = (_latex_entries(place, text, cells) for cells in rows)
    return [tuple(_signed(entry, table.behind) for entry in row) for row in entries], n_heads


def _signed(entry: PrintedEntry, behind: frozenset[int]) -> PrintedEntry:
    """Return an entry with the ± before it, if its column has one."""
    is_spread = entry.column in behind and entry.across == 1 and MEAN.fullmatch(bare(entry)) is not None
    return replace(entry, text=f"± {entry.text}") if is_spread else entry


SIGN = regex(r"\\(?:text)?pm(?![A-Za-z])|±")


def columns_behind_sign(source: str) -> frozenset[int]:
    r"""Return the columns, counted from 1, before which the columns of a tabular print a ±.

    >>> sorted(columns_behind_sign(r"\begin{tabular}{l*{2}{r@{\,$\pm$\,}l}c}")), sorted(columns_behind_sign(r"{lr<{$\pm$}@{}l}"))
    ([3, 5], [3])
    """
    # The columns are the last argument; tabularx and tabular* have a width before it.
    begin = next((i for i in range(len(source)) if argument(source, i) == len(source)), 0)
    spec = _without_stars(re.sub(r"\[[^\]]*\]", "", source[begin:].strip()[1:-1]))
    columns, column, is_behind, i = set(), 0, False, 0
    while i < len(spec):
        opens = i + (spec[i] in "@!><")
        end = argument(spec, opens)
        is_behind |= end is not None and opens > i and SIGN.search(spec[i:end]) is not None
        if spec[i].isalpha():
            column += 1
            # @{…} and !{…} stand between columns, >{…} before its column and <{…} behind the one before: all of them
            # are met before the next letter.
            columns |= {column} if is_behind else set()
            is_behind = False
        i = end or i + 1
    return frozenset(columns - {1})


LONGEST = 10_000
"""Letters that declare the columns of a tabular."""


def _without_stars(spec: str) -> str:
    """Return the columns of a tabular with *{n}{…} expanded, up to more than any table has, because stars may be nested."""
    while len(spec) < LONGEST and (star := re.search(r"\*\s*\{\s*(\d{1,2})\s*\}\s*(?=\{)", spec)) is not None:
        end = argument(spec, star.end()) or star.end()
        spec = spec[: star.start()] + spec[star.end() + 1 : end - 1] * int(star[1]) + spec[end:]
    return spec


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


def _latex_entries(place: str, text: str, cells: list[tuple[int, int]]) -> Iterator[PrintedEntry]:
    column = 1
    first = text[slice(*cells[0])]
    line = text.count("\n", 0, cells[0][0] + len(first) - len(first.lstrip())) + 1
    for start, end in cells:
        source, across, down = _spanned(text[start:end])
        plain, bold = plain_of_latex(source, f"{place}, line {line}, column {column}")
        yield PrintedEntry(text=plain, line=line, column=column, bold=bold, across=across, down=down)
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
    # A number of a hundred digits is no number of columns, and ² is a digit.
    return max(int(number), 1) if re.fullmatch(r"\s*\d{1,9}\s*", number) else 1, "{" + content + "}" + source[i:]


# ── tables of pipes and delimiters ──────────

SEPARATOR = regex(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
PIPE = regex(r"(?<!\\)\|")


def separators(text: str) -> list[int]:
    """Return the lines, counted from 0, that separate the header of a table of pipes from its rows."""
    lines = text.splitlines()
    return [
        i
        for i, line in enumerate(lines)
        if i and "|" in lines[i - 1] and "-" in line and "|" in line and SEPARATOR.fullmatch(line)
    ]


def read_markdown(place: str, text: str) -> Grid:
    """Return the rows of the only table of pipes in a text, or of several that continue below the same header."""
    lines, parted = text.splitlines(), separators(text)
    parts = [[i - 1, *takewhile(lambda k: k < len(lines) and "|" in lines[k], count(i + 1))] for i in parted]
    between = [line for a, b in pairwise(parts) for line in lines[a[-1] + 1 : b[0]]]
    tables = [[_pipe_entries(place, lines[i], i + 1) for i in part] for part in parts]
    goes_on = all(not line.strip() or CONTINUED.search(line) for line in between)
    if not tables or not goes_on or not all(_same_head(tables[0], table, 1) for table in tables):
        where = f"are {len(parted)} Markdown tables, on lines {', '.join(map(str, parted))}; give one at a time"
        raise DataError(f"{place}: there {where if parted else 'is no Markdown table'}.")
    inside = set(chain(*parts, parted))
    beside = "\n".join(line for i, line in enumerate(lines) if i not in inside)
    rows = tuple(chain(*tables))
    return Grid(place=place, format="markdown", rows=rows, n_heads=1, beside=beside, notes=_joined(parted))


def _pipe_entries(place: str, line: str, number: int) -> PrintedRow:
    inside = line.strip().removeprefix("|")
    inside = inside if inside.endswith("\\|") else inside.removesuffix("|")
    return _plain_entries(place, number, [cell.replace("\\|", "|") for cell in PIPE.split(inside)])


def read_delimited(place: str, text: str, delimiter: str) -> Grid:
    """Return the rows of a CSV or TSV file; lines that begin with # are the surrounding text."""
    rows: list[PrintedRow] = []
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


def _heads(rows: Sequence[PrintedRow]) -> tuple[Sequence[PrintedRow], Sequence[PrintedRow]]:
    """Return the rows of the header (one, or two levels and the names of the labels as pandas writes them), and the rows below it."""
    # DataFrame.to_csv of a frame with columns (algorithm, mean/std): two lines of heads, and the name of the index in
    # a third.
    low = [entry for entry in rows[1] if entry.text] if len(rows) > 3 else []
    if not low or any(stem for stem, _ in map(split_statistic, (entry.text for entry in low))):
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
        raise DataError(f"{place}, line {reader.line_num}: this is not CSV: {error}.") from error
    return records


def _plain_entries(place: str, line: int, cells: Sequence[str]) -> PrintedRow:
    entries = []
    for column, source in enumerate(cells, 1):
        # CSV and TSV too: people copy cells of Markdown with their ** into spreadsheets.
        text, bold = plain_of_markdown(source, f"{place}, line {line}, column {column}")
        entries.append(PrintedEntry(text=text, line=line, column=column, bold=bold))
    return tuple(entries)
