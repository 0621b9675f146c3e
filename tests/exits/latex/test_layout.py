"""Which columns stand beside each other: no line longer than the page, no float taller, every cell once."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from runoff.exits.latex.render import COLUMN, LINES, RULES, WIDE, blocks_of, parts_of, size, wrapped
from runoff.exits.latex.table import LatexCell, LatexColumn, LatexTable
from runoff.page.tables import latex_tables
from tests.exits.latex.made import column, demo, grid, strange
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
BOTH = pytest.mark.parametrize("digits", [COLUMN, WIDE])


def table_of(*values, names=("name",)):
    """A table of these columns of values."""
    return LatexTable(name="t", caption="", names=(column("n", [*names], right=False),), values=values)


def cells_of(block):
    """The cells of a block, the lines of each joined."""
    lines = [[re.sub(r" \\\\\*?(\[.*\])?$", "", line).split(" & ") for line in row] for row in block.rows]
    return [[" ".join(filter(None, cell)) for cell in zip(*row, strict=True)] for row in lines]


@pytest.mark.sampled(2)
@EVERY
@BOTH
def test_every_cell_is_shown_once_beside_its_name(make, digits):
    for table in latex_tables(make()):
        shown = [cells for part in parts_of(table, digits) for block in part for cells in cells_of(block)]
        n = len(table.names)
        assert len(shown) % table.n_rows == 0
        assert sum(len(cells) - n for cells in shown) == table.n_rows * len(table.values)
        assert len({tuple(cells[:n]) for cells in shown}) == table.n_rows


@pytest.mark.sampled(2)
@EVERY
@BOTH
def test_no_float_is_taller_than_a_page(make, digits):
    for table in latex_tables(make()):
        for part in parts_of(table, digits):
            assert sum(block.height for block in part) <= LINES


def test_blocks_have_about_as_many_columns_each():
    table = table_of(*(column(f"c{i}", ["0" * 10]) for i in range(7)), names=["a"])
    assert [len(block.sides) - 1 for block in blocks_of(table, 40)] == [3, 2, 2]


def test_a_table_without_heads_or_without_values_is_one_block():
    blocks = blocks_of(replace(table_of(column("", ["1"])), names=(column("", ["name"], right=False),)), WIDE)
    assert [(block.head, block.rows) for block in blocks] == [((r" &  \\",), ((r"name & 1 \\",),))]
    assert [block.rows for block in blocks_of(table_of(), WIDE)] == [((r"name \\",),)]


def test_a_long_caption_leaves_half_a_page_to_the_rows():
    table = replace(table_of(column("v", ["1"] * 200), names=["name"] * 200), caption="A sentence. " * 500)
    assert len(parts_of(table, COLUMN)) == 200 / (LINES // 2 - RULES - 1)


def test_an_interval_stands_in_a_line_below_its_estimate_where_it_does_not_fit_beside_it():
    cells = (LatexCell(text="12345", below="[12340, 12350]"),)
    table = table_of(*(LatexColumn(head=head, cells=cells) for head in "ab"))
    beside, below = (blocks_of(table, digits)[0].rows[0] for digits in (WIDE, 35))
    assert beside == (r"name & 12345 {[}12340, 12350{]} & 12345 {[}12340, 12350{]} \\",)
    assert below == (
        r"name & 12345 & 12345 \\*[-1pt]",
        r" & {[}12340, 12350{]} & {[}12340, 12350{]} \\[1pt]",
    )


def test_a_column_has_room_for_its_bold_cell():
    cells = [LatexColumn(head="h", cells=(LatexCell(text="1" * 10, bold=bold),)) for bold in (False, True)]
    assert [len(blocks_of(table_of(column, column), 29)) for column in cells] == [1, 2]


def test_a_word_of_a_head_is_not_broken_though_its_cells_are_narrower():
    column = LatexColumn(head="p of equivalence", cells=(LatexCell(text="0.001"),))
    (block,) = blocks_of(table_of(column), 40)
    assert block.head == (r" & p of \\*[-1pt]", r"n & equivalence \\[1pt]")


def test_words_break_at_spaces_hyphens_and_capitals_and_anywhere_if_they_must():
    assert wrapped("Sarsa(λ) twin", 9) == ("Sarsa(λ)", "twin")
    assert wrapped("HalfCheetah-v4", 13) == ("HalfCheetah-", "v4")
    assert wrapped("HalfCheetah-v4", 11) == ("Half", "Cheetah-v4")
    assert wrapped("aaaaaaaaaaaa", 4) == ("aaaa",) * 3
    assert wrapped("aaaa\u030caaa", 4) == ("aaa", "a\u030caa", "a")
    assert wrapped("Optimality gap ↓", 14) == ("Optimality", "gap ↓")
    assert wrapped("short", 100) == ("short",)


@pytest.mark.parametrize("longest", [5, 8, 19])
def test_no_line_is_longer_than_asked_and_no_letter_is_lost(longest):
    text = "DreamerV3-XL (finetuned) on HalfCheetahBulletEnv-v0, abcdefghijklmnopqrstuvwxyz"
    lines = wrapped(text, longest)
    assert all(len(line) <= longest for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_digits_are_counted_with_commas_half_and_capitals_half_as_much_again():
    assert size("12345") == 5
    assert size("[0.12, 1]") == 9 - 0.5 * 4 - 0.25
    assert size("PPO") == 4.5
