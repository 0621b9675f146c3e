"""Where columns and rows go: nothing wider than asked, nothing taller than a page, every cell once."""

from __future__ import annotations

import pytest

from runoff.latex.glyphs import width
from runoff.latex.layout import (
    TALL,
    LatexCell,
    LatexColumn,
    LatexTable,
    blocks_of,
    caption_height,
    column,
    parts_of,
    wrapped,
)
from runoff.latex.render import COLUMN, WIDE
from runoff.report.latex import latex_tables
from tests.latex.made import demo, grid, strange
from tests.report.made import hostile

MADE = {
    "2x1": lambda: grid(2, 1, 3),
    "5x14": lambda: grid(5, 14, 5),
    "12x14": lambda: grid(12, 14, 5),
    "demo": demo,
    "hostile": hostile,
    "strange": strange,
}
LARGE = "12x14"
EVERY = pytest.mark.parametrize(
    "make",
    [pytest.param(make, id=name, marks=pytest.mark.slow if name == LARGE else ()) for name, make in MADE.items()],
)
BOTH = pytest.mark.parametrize("points", [COLUMN, WIDE])


@pytest.mark.sampled(6)
@EVERY
@BOTH
def test_no_block_is_wider_than_asked_and_no_part_is_taller_than_a_page(make, points):
    for table in latex_tables(make()):
        for part in parts_of(table, points):
            assert all(block.width <= points for block in part)
            assert sum(block.height for block in part) <= TALL - caption_height(table.caption, points)


@pytest.mark.sampled(4)
@EVERY
@BOTH
def test_every_column_and_every_row_is_shown_once_beside_the_names(make, points):
    for table in latex_tables(make()):
        shown = [
            (column.column.head, row)
            for part in parts_of(table, points)
            for block in part
            for column in block.columns[len(table.names) :]
            for row in range(block.start, block.stop)
        ]
        source = table if {head for head, _ in shown} == {column.head for column in table.values} else table.turned
        assert sorted(shown) == sorted((column.head, row) for column in source.values for row in range(source.n_rows))


def test_blocks_have_about_as_many_columns_each():
    values = tuple(column(f"c{i}", ["0" * 10]) for i in range(7))
    table = LatexTable(name="t", caption="", names=(column("n", ["a"], right=False),), values=values)
    assert [len(block.columns) - 1 for block in blocks_of(table, 160)] == [3, 2, 2]


def test_an_interval_stands_below_its_estimate_where_it_does_not_fit_beside_it():
    cells = (LatexCell(text="123456789012", below="[123456789012, 123456789012]"),)
    table = LatexTable(
        name="t", caption="", names=(column("n", ["name"]),), values=(LatexColumn(head="h", cells=cells),)
    )
    assert [len(blocks_of(table, points)[0].columns[1].rows[0]) for points in (COLUMN, 150)] == [1, 2]


def test_a_column_has_room_for_its_bold_cell_though_a_plain_one_has_the_same_text():
    widths = []
    for bold in ([True, True], [True, False], [False, True], [False, False]):
        cells = tuple(LatexCell(text="1234567890", bold=own) for own in bold)
        table = LatexTable(
            name="t", caption="", names=(column("n", ["a", "b"]),), values=(LatexColumn(head="h", cells=cells),)
        )
        widths.append(blocks_of(table, COLUMN)[0].width)
    assert widths[0] == widths[1] == widths[2] > widths[3]


def test_words_break_at_spaces_hyphens_and_capitals_and_anywhere_if_they_must():
    assert wrapped("Sarsa(λ) twin", 45.0) == ("Sarsa(λ)", "twin")
    assert wrapped("HalfCheetah-v4", 50.0) == ("HalfCheetah-", "v4")
    assert wrapped("HalfCheetah-v4", 46.0) == ("Half", "Cheetah-v4")
    assert wrapped("aaaaaaaaaaaa", 20.0) == ("aaaa",) * 3
    assert wrapped("short", 100.0) == ("short",)


@pytest.mark.parametrize("points", [20.0, 33.0, 80.0])
def test_no_line_is_wider_than_asked_and_no_letter_is_lost(points):
    text = "DreamerV3-XL (finetuned) on HalfCheetahBulletEnv-v0, abcdefghijklmnopqrstuvwxyz"
    lines = wrapped(text, points, bold=True)
    assert all(width(line, bold=True) <= points for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
