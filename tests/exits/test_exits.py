"""One table, read from what people see: terminal, notebook, page, LaTeX and Markdown show the same cells, of every method."""

from __future__ import annotations

import csv
import io
import re
import warnings
from dataclasses import fields, is_dataclass
from html import unescape

import pytest
from rich.console import Console

from runoff import compare, load
from runoff.answer.comparison import pairs_table
from runoff.cells import Estimate, Name, PValue, Table
from runoff.cli.terminal import MOST_ROWS, sheet_of
from runoff.errors import DataError, OptionError, OutputError, RunoffWarning
from runoff.exits import html_of, markdown_of
from runoff.exits.html import ROWS
from runoff.exits.latex.table import LatexCell
from runoff.exits.latex.tables import latex_table
from runoff.exits.text import joined, parts_of, rows_of
from runoff.page import build
from runoff.page.tables import paper_tables, ranks_table
from tests.amount import examples
from tests.exits.methods import answers_about, design
from tests.report.made import answers_of

pytestmark = pytest.mark.usefixtures("few_relabellings")
MINUS = "−"


def texts_of(table: Table, width: str) -> list[list[str]]:
    """Return what each row says, joined: names, values and intervals."""
    columns = table.shown(width)
    return [[joined(parts) for parts in row] for row in rows_of(table, columns)]


def terminal(table: Table) -> list[list[str]]:
    stream = io.StringIO()
    Console(file=stream, width=5000, highlight=False).print(sheet_of(table))
    _, *rows = stream.getvalue().rstrip("\n").split("\n")
    return [re.split(r"\s{2,}", row.strip()) for row in rows]


def cells_of(html: str) -> list[list[str]]:
    """Return the visible text of each row of a table."""
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", html, re.DOTALL)
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL) for row in rows]
    return [[" ".join(unescape(re.sub(r"<[^>]+>", "", cell)).split()) for cell in row] for row in cells]


def markdown(table: Table) -> list[list[str]]:
    rows = [line for line in markdown_of(table).splitlines() if line.startswith("|")][2:]
    return [[re.sub(r"\\(.)", r"\1", cell.strip()) for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]


def latex(table: Table) -> list[list[str]]:
    sheet = latex_table(table)
    rows = [*zip(*(column.cells for column in (*sheet.names, *sheet.values)), strict=True)]
    if len(rows) != table.n_rows:  # it is set upright
        rows = [*zip(*(column.cells for column in sheet.values), strict=True)]
        named = [LatexCell(text=column.head) for column in sheet.values]
        rows = [(name, *cells) for name, cells in zip(named, zip(*rows, strict=True), strict=True)]
    return [[cell.joint.join(part for part in (cell.text, cell.below) if part) for cell in row] for row in rows]


def pieces(rows: list[list[str]]) -> list[list[str]]:
    """Return the words and numbers of each row, whatever stands between cells; dashes and powers of ten are another way to write a cell."""
    return [re.findall(r"[^\s\[\],–]+", " ".join(" ".join(row).split())) for row in rows]


OF_ANOTHER_ORDER = {
    "AggregateResult",
    "ComparisonResult",
    "PlanTable",
    "RankIntervalsResult",
    "ReachResult",
    "WhereResult",
}
"""Answers whose tables turn pairs, sort rows, or show other numbers than their rows."""
IN_WORDS = {
    "verdict",
    "old_verdict",
    "new_verdict",
    "change",
    "decision",
    "reason",
    "effect_size",
    "interval",
    "margin",
    "level",
}
"""Columns that have words, or another number, for what the field holds."""


def rows_behind(result, column) -> list:
    """Return the sequences of rows of an answer of which a column may be the field that its key names."""
    if type(result).__name__ in OF_ANOTHER_ORDER or column.key in IN_WORDS or not is_dataclass(result):
        return []
    values = [getattr(result, field.name) for field in fields(result)]
    whole = [rows for rows in values if isinstance(rows, tuple) and rows and all(map(is_dataclass, rows))]
    return [rows for rows in whole if len(rows) == len(column.cells) and all(hasattr(r, column.key) for r in rows)]


def shows(cell, value) -> bool:
    """Return whether a cell holds a number, a share also in hundredths, a word, or none; texts of anything else are not judged."""
    own = [getattr(cell, name) for name in ("value", "adjusted", "raw", "text") if hasattr(cell, name)] or [cell]
    numbers = [x for x in own if isinstance(x, int | float)]
    if value is None or value == "":
        return not numbers
    if isinstance(value, str):
        return value in own
    return not numbers or value in own or any(x == pytest.approx(100 * value, rel=1e-12) for x in numbers)


@pytest.mark.parametrize("seed", range(examples(200, 12)))
def test_every_answer_leaves_as_a_frame_that_a_file_can_hold(seed):
    for name, result in answers_about(seed):
        if name == "the sets of the archive":  # a list of what can be loaded
            continue
        frame = result.to_polars()
        # A table's role names its files, which are the same where capitals do not count.
        assert all(re.fullmatch(r"[a-z0-9_]+", table.role) for table in result.tables()), name
        rows = list(csv.DictReader(io.StringIO(frame.write_csv())))
        assert (len(rows), list(rows[0])) == (frame.height, frame.columns), name
        columns = result.to_pandas().to_dict("list").values()
        assert {type(value) for column in columns for value in column} <= {str, int, float, bool, type(None)}, name


@pytest.mark.parametrize("seed", range(examples(200, 12)))
def test_every_exit_shows_the_same_cells(seed):
    for name, result in answers_about(seed):
        for table in result.tables():
            screen, paper = texts_of(table, "screen"), texts_of(table, "paper")
            assert pieces(terminal(table)[:MOST_ROWS]) == pieces(screen[:MOST_ROWS]), name
            assert pieces(cells_of(html_of([table]))[1:][:ROWS]) == pieces(screen[:ROWS]), name
            assert pieces(markdown(table)) == pieces(paper), name
            written = pieces(latex(table))
            if not any("×" in "".join(row) for row in written):
                assert written == pieces(paper), name


@pytest.mark.parametrize("seed", range(examples(200, 12)))
def test_a_column_shows_the_field_that_its_key_names(seed):
    looked_at = 0
    for name, result in answers_about(seed):
        for column in (column for table in result.tables() for column in table.columns):
            rows_of = rows_behind(result, column)
            right = [
                all(shows(cell, getattr(row, column.key)) for cell, row in zip(column.cells, rows, strict=True))
                for rows in rows_of
            ]
            assert not rows_of or any(right), (name, column.key)
            looked_at += len(rows_of)
    assert looked_at


@pytest.mark.parametrize("seed", range(examples(200, 6)))
def test_the_page_shows_the_cells_of_the_table_of_pairs(seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunoffWarning)
        results = answers_of(design(seed))
    page = build(results)
    from runoff.page.answers.all import standing_of

    tables = [(pairs_table(results.comparison, standing_of(results)), "c-pairs")]
    tables += [(table, "c-ranks") for table in [ranks_table(results)] if table is not None]
    for table, label in tables:
        shown = page[page.index(f'aria-labelledby="{label}"') :].partition("</table>")[0]
        drawn = {k for k, column in enumerate(table.columns) if isinstance(column.cells[0], PValue)}
        rows = [
            [
                joined(parts) if k not in drawn else joined((parts[0], parts_of(PValue(column.cells[i].raw))[0]))
                for k, (parts, column) in enumerate(zip(row, table.columns, strict=True))
            ]
            for i, row in enumerate(rows_of(table, table.columns))
        ]
        body = shown[shown.index("<tbody") :] if "<tbody" in shown else shown
        assert pieces(visible(body)) == pieces(rows)


def visible(body: str) -> list[list[str]]:
    """Return the text of each row of the page, whose end tags are implied; what is drawn is no text."""
    body = re.sub(r"<svg.*?</svg>", "", body, flags=re.DOTALL)
    rows = re.split(r"<tr[^>]*>", body)[1:]
    return [[unescape(re.sub(r"<[^>]+>", " ", row))] for row in rows]


def test_the_tables_of_a_report_are_those_of_its_answers():
    results = answers_of(design(1))
    roles = [table.role for table in paper_tables(results)]
    assert roles[:3] == ["aggregates", "tasks", "pairs"]


def test_columns_of_unlike_length_are_refused():
    from runoff.cells import Column

    columns = (
        Column(key="a", head="A", cells=[Name("x")]),
        Column(key="b", head="B", cells=[Estimate(1.0), Estimate(2.0)]),
    )
    with pytest.raises(ValueError, match="differ in length"):
        Table(role="t", title="", caption="", columns=columns)


@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")  # of columns that are left out before it is refused
@pytest.mark.parametrize("seed", range(examples(60, 6)))
def test_the_rows_of_an_answer_are_never_taken_for_runs(seed):
    for name, result in answers_about(seed):
        if name.startswith("the "):  # data, and the list of sets
            continue
        with pytest.raises(DataError):
            load(result.to_frame())


@pytest.mark.parametrize("name", ["x.csv.gz", "x.gz", "x.tsv", "x.XLSX", "x.parquet"])
def test_no_text_is_written_under_the_name_of_a_packed_file_or_of_a_table(name, tmp_path):
    answer = compare({"A": [1.0, 2.0, 3.0], "B": [3.0, 5.0, 6.0]})
    with pytest.raises(OptionError, match=r"to_csv writes no \.\w+ file, .*: to_csv\(.*x\.csv'\) writes its text"):
        answer.to_csv(tmp_path / name)
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("writer", ["to_csv", "to_markdown", "to_latex", "to_json"])
def test_a_file_is_not_written_in_another_format_than_its_name_has(writer, tmp_path):
    answer = compare({"A": [1.0, 2.0, 3.0], "B": [3.0, 5.0, 6.0]})
    endings = {"to_csv": "csv", "to_markdown": "md", "to_latex": "tex", "to_json": "json"}
    for other, ending in endings.items():
        file = tmp_path / f"answer.{ending}"
        if other == writer:
            text = getattr(answer, writer)(file)
            assert file.read_text(encoding="utf-8").rstrip("\n") == text.rstrip("\n")
            file.unlink()
            continue
        with pytest.raises(OptionError, match=f"{writer} writes no .{ending} file, .*: {other}"):
            getattr(answer, writer)(file)
        assert not file.exists()
    for name in ("", "."):
        with pytest.raises(OutputError, match="names no file; give one, such as answer"):
            getattr(answer, writer)(name)
    assert getattr(answer, writer)(tmp_path / "answer.txt") == getattr(answer, writer)()
