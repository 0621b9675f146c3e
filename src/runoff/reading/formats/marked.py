"""Tables of pages in HTML, and of sources in LaTeX, which are read if they are named by themselves: a folder of runs holds pages about them."""

from __future__ import annotations

from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

from runoff.base.bounds import refuse_beyond
from runoff.errors import DataError
from runoff.reading.formats.base import TABLE, Format, NotRuns, Source
from runoff.reading.formats.grid import table_of
from runoff.reading.formats.json_file import decode
from runoff.reading.formats.written import as_table, refuse_spreads
from runoff.reading.printed.cells import rectangle
from runoff.reading.printed.grids import caption_texts, read_latex
from runoff.tables.likely import candidates
from runoff.tables.source import SourceTable
from runoff.words.labels import run_of
from runoff.words.patterns import regex
from runoff.words.speech import claims_of

TITLES = frozenset({"caption", "h1", "h2", "h3", "h4", "h5", "h6", "p"})
HtmlCell = tuple[str, int, int]
"""The text of a cell, and the columns and rows that it spans."""
WIDEST = 1000
"""The largest number of columns, or rows, that a cell may span."""
UNSEEN = frozenset({"script", "style", "title", "noscript"})


class _Tables(HTMLParser):
    """The rows of all tables of a page, each table below the text above it, as a row of one cell."""

    def __init__(self, place: str) -> None:
        super().__init__()
        self.place = place
        self.rows: list[list[str]] = []
        self.own: list[list[HtmlCell]] = []
        self.title = self.text = ""
        self.spans: tuple[int, int] | None = None
        self.hidden = self.depth = 0

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.hidden += tag in UNSEEN
        self.depth += tag == "table"
        if tag == "table" and self.depth > 1:
            raise DataError(
                f"{self.place}, line {self.getpos()[0]}: a table stands within another; save the inner one as CSV."
            )
        if tag in ("tr", "td", "th"):
            self._end_cell()
        if tag == "tr" or (tag in ("td", "th") and not self.own):
            self.own.append([])
        if tag in ("td", "th"):
            across, down = (dict(attrs).get(f"{side}span") or "1" for side in ("col", "row"))
            self.spans = _span(across), _span(down)
        if tag in ("td", "th") or (tag in TITLES and self.spans is None):
            self.text = ""
        self.text += " " * (tag in ("br", "p"))

    def handle_data(self, data: str) -> None:
        self.text += "" if self.hidden else data

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in UNSEEN
        if tag in ("td", "th", "tr", "table"):
            self._end_cell()
        elif tag in TITLES and self.spans is None and self.text.strip():
            self.title = " ".join(self.text.split())
        if tag == "table":
            self.depth -= 1
            # A few bytes may ask for a cell over a million places.
            n_fields = sum(across * down for row in self.own for _, across, down in row)
            refuse_beyond("fields", n_fields, f"{self.place}: the table has {n_fields} fields")
            self.rows += [[], *([[self.title]] if self.title else []), *_lowered(_spread_out(self.own))]
            self.own, self.title = [], ""

    def _end_cell(self) -> None:
        """Put the text of the cell that is open into its row; HTML may leave out the ends of cells and rows."""
        if self.spans is not None:
            self.own[-1].append((" ".join(self.text.split()), *self.spans))
        self.spans = None


def _span(text: str) -> int:
    return max(1, min(int(text), WIDEST)) if text.isdecimal() and len(text) < 9 else 1


def _spread_out(rows: Sequence[Sequence[HtmlCell]]) -> list[list[str]]:
    """Return rows of texts in which a cell over several columns or rows stands at each of their places."""
    below: dict[int, HtmlCell] = {}
    table = []
    for cells in filter(None, rows):
        row: list[str] = []
        waiting = iter(cells)
        while (cell := below.pop(len(row), None) or next(waiting, None)) is not None:
            text, across, down = cell
            for _ in range(across):
                if down > 1:
                    below[len(row)] = text, 1, down - 1
                row.append(text)
        table.append(row)
    return table


def _lowered(rows: list[list[str]]) -> list[list[str]]:
    """Return rows in which a head over two lines stands in the second alone, as in a text; pandas prints the names of its labels there."""
    n_labels = sum(map(bool, rows[1])) if len(rows) > 2 else 0
    if 0 < n_labels < len(rows[0]) == len(rows[1]) and not any(rows[1][n_labels:]) and all(rows[0][n_labels:]):
        level = rows[0][n_labels - 1]
        numbered = bool(candidates([level], "run"))
        heads = [f"{level} {head}" if numbered else head for head in rows[0][n_labels:]]
        return [[*rows[1][:n_labels], *heads], *rows[2:]]
    if len(rows) > 1:
        rows[0] = ["" if above == below else above for above, below in zip(rows[0], rows[1], strict=False)]
    return rows


def read_html(source: Source) -> SourceTable:
    """Return the table of a page, from all its tables that contain runs."""
    if b'name="generator" content="runoff"' in source.data[:65_536]:
        raise NotRuns(f"{source.place}: this is a report of runoff, which holds no runs: read the runs that it is of.")
    page = _Tables(source.place)
    try:
        page.feed(source.text())
        page.close()
    except AssertionError as error:  # of html.parser, on marks that it does not know
        raise DataError(f"{source.place}: this is not well-formed HTML: {error}.") from error
    return _table(source, page.rows, "HTML")


PARTLY = regex(r"\.(?:head|tail|sample|describe|nlargest|nsmallest|query)\(|\[[^\]]*(?::|==|[<>])[^\]]*\]\s*\)?\s*$")
"""The end of a cell that shows a part of a table."""
ELLIPSIS = frozenset({"...", "…", "⋮"})
"""Cells in place of the rows and columns that pandas and polars leave out."""


def read_notebook(source: Source) -> SourceTable:
    """Return the table that the outputs of a Jupyter notebook print, from all that are printed in full; refuse other notebooks."""
    page, n_tables = _Tables(source.place), 0
    save = f"add a cell that saves the table, df.to_csv({source.stem + '.csv'!r}), run it, and read that file"
    for cell in _cells_of(source):
        text, outputs = "".join(cell.get("source", ())), cell.get("outputs", ())
        if cell.get("cell_type") == "markdown" and (lines := [line for line in text.split("\n") if line.strip()]):
            page.title = lines[-1].strip("# *")
        shown = ["".join(output.get("data", {}).get("text/html", ())) for output in outputs]
        for html in (html for html in shown if "<table" in html and not PARTLY.search(text)):
            before = len(page.rows)
            page.feed(html)
            n_tables += 1
            if any(field in ELLIPSIS for row in page.rows[before:] for field in row):
                raise NotRuns(
                    f"{source.place}: the notebook prints a part of a table, and leaves rows or columns out; {save}."
                )
    if not any(len(row) > 1 for row in page.rows):
        raise NotRuns(f"{source.place}: this is a notebook, whose outputs hold no whole table; {save}.")
    # A title parts tables, and says nothing of the only one.
    return _table(source, [row for row in page.rows if len(row) > 1] if n_tables == 1 else page.rows, "HTML")


def _cells_of(source: Source) -> list[dict[str, Any]]:
    content = decode(source.text(), source.place)
    cells = content.get("cells") if isinstance(content, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise NotRuns(f"{source.place}: this is not a Jupyter notebook, which has a list of cells.")
    return [{**cell, "outputs": [o for o in cell.get("outputs") or () if isinstance(o, dict)]} for cell in cells]


def read_tabular(source: Source) -> SourceTable:
    """Return the table of a LaTeX source."""
    grid = read_latex(source.place, source.text())
    titles = [[" ".join(text.strip("{}").split())] for text in caption_texts(grid.beside)[:1]]
    rows = _lowered([[entry.text for entry in row] for row in rectangle(grid)])
    heads = [head for row in rows[:2] for head in row]
    # Papers print means, of which each would be taken as a run.
    if not candidates(heads, "run") and not any(map(run_of, heads)):
        raise NotRuns(
            f"{source.place}: this LaTeX table has no column of runs, and its numbers may be means; judge what it claims with "
            f"{claims_of(source.place)}, or save it as CSV if each number is a run."
        )
    return _table(source, [*titles, *rows], "LaTeX")


def _table(source: Source, rows: list[list[str]], kind: str) -> SourceTable:
    if not any(len(row) > 1 for row in rows):
        raise NotRuns(f"{source.place}: this text holds no table.")
    refuse_spreads(source.place, [cell for row in rows for cell in row], kind)
    return table_of(source, rows, as_table)


HTML = Format(
    title="HTML table",
    holds=TABLE,
    suffixes=(),
    sniff=lambda data: data.lstrip()[:1] == b"<" and b"<table" in data[:1_000_000].lower(),
    read=read_html,
    wide=True,
)
NOTEBOOK = Format(
    title="Jupyter notebook",
    holds="tables that its outputs print in full",
    suffixes=(),
    sniff=lambda data: data.lstrip()[:1] == b"{" and b'"cells"' in data and b'"nbformat"' in data,
    read=read_notebook,
    wide=True,
)
LATEX = Format(
    title="LaTeX table",
    holds=TABLE,
    suffixes=(),
    sniff=lambda data: b"\\begin{tabular" in data[:1_000_000],
    read=read_tabular,
    wide=True,
)
