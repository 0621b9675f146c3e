"""How cells read, which columns an exit shows, and what a default table makes of the fields of its rows."""

from __future__ import annotations

from base64 import b64decode
from html import escape, unescape
from io import BytesIO

import pytest
from matplotlib.image import imread

import runoff as ro
from runoff.cells import Chance, Column, Estimate, Name, Number, PValue, Several, Share, Table, Verdict
from runoff.exits import html_of, markdown_of
from runoff.exits.columns import columns_of, flat
from runoff.exits.html import DPI, MOST_CAUTIONS
from runoff.exits.latex.tables import latex_table, of_tables
from runoff.exits.text import parts_of, rows_of, shared_decimals
from runoff.page.sheet.tables import view_of

NAMES = Column(key="algorithm", head="Algorithm", cells=[Name("A"), Name("B")])


def table(*columns, **more):
    return Table(role="t", title="T", caption="C.", columns=(NAMES, *columns), **more)


@pytest.mark.parametrize(
    ("cells", "decimals"),
    [
        ([Estimate(1.0, 0.9, 1.1), Estimate(2.0, 1.0, 3.0)], 2),  # of the narrower: the lower quartile
        (
            [Estimate(2.0, 1.0, 3.0)] * 7 + [Estimate(1.0, 0.999, 1.001)],
            1,
        ),  # one narrow interval of many decides nothing
        ([Chance(0.5, 0.4999, 0.5001)], 2),
        ([Number(12.345, 3), Number(1.5, 3)], 1),
        ([Share(0.5, 3), Share(0.01, 3)], 1),
        (["words", Name("A")], None),
    ],
)
def test_a_column_in_which_an_order_is_read_has_as_many_decimals_everywhere(cells, decimals):
    assert shared_decimals(cells) == decimals


def test_what_is_only_known_to_be_larger_says_so_in_an_ordered_column_too():
    column = Column(key="x", head="X", cells=[Number(1.0, above=True), Number(0.5)], ordered=True)
    assert [row[0][0] for row in rows_of(table(column), [column])] == ["> 1.00", "0.50"]


def test_decimals_are_shared_down_a_column_or_along_a_row():
    column = Column(key="x", head="X", cells=[Estimate(1.0, 0.5, 1.5), Estimate(1.0, 0.99, 1.01)], ordered=True)
    other = Column(key="y", head="Y", cells=[Estimate(1.0, 0.5, 1.5), Estimate(1.0, 0.99, 1.01)])
    down = table(column, other)
    assert [row[1][0] for row in rows_of(down, down.columns)] == ["1.000", "1.000"]
    along = table(column, other, across=True)
    assert [[value for value, _ in row[1:]] for row in rows_of(along, along.columns)] == [["1.00"] * 2, ["1.000"] * 2]


def test_an_exit_shows_what_it_has_room_for():
    columns = [Column(key=w, head=w, cells=[1, 2], narrowest=w) for w in ("paper", "screen", "page")]
    shown = {width: [c.key for c in table(*columns).shown(width)[1:]] for width in ("paper", "screen", "page")}
    assert shown == {"paper": ["paper"], "screen": ["paper", "screen"], "page": ["paper", "screen", "page"]}


def test_fields_of_rows_become_cells_by_their_names():
    row = {
        "a": "A",
        "difference": 1.0,
        "difference_low": 0.5,
        "difference_high": 1.5,
        "pvalue": 0.01,
        "pvalue_adjusted": 0.03,
    }
    columns = {
        column.key: column
        for column in columns_of([row | {"place": 2, "low": 1, "high": 3, "verdict": "no_difference_found"}])
    }
    assert columns["difference"].cells == [Estimate(1.0, 0.5, 1.5)]
    assert (columns["pvalue"].head, columns["pvalue"].cells) == ("Adjusted p", [PValue(0.03, 0.01)])
    assert (columns["place"].cells, columns["verdict"].cells) == (["2 [1, 3]"], ["no difference found"])
    assert columns["a"].cells == [Name("A")]


def test_what_is_best_is_bold_in_the_judged_column_or_where_there_is_none_in_its_name():
    judged = Column(key="iqm", head="IQM", cells=[Estimate(2.0), Estimate(1.0)], judged=True)
    other = Column(key="mean", head="Mean", cells=[Estimate(1.0), Estimate(2.0)])
    for columns, expected in (
        ((judged, other), [[False, False], [True, False], [False, False]]),
        ((other,), [[True, False], [False, False]]),
    ):
        latex = latex_table(table(*columns, best=frozenset({0})))
        assert [[cell.bold for cell in column.cells] for column in (*latex.names, *latex.values)] == expected


def test_bars_have_the_colour_of_the_verdict():
    chances = Column(key="chance", head="Chance", cells=[Chance(0.9, 0.7, 1.0), Chance(0.6, 0.4, 0.8)])
    verdicts = Column(
        key="verdict", head="Verdict", cells=[Verdict("higher", "higher mean"), Verdict("not_found", "none")]
    )
    rows = view_of(table(chances, verdicts))["rows"]
    assert ['class="bar ahead"' in str(row["cells"][1]["bar"]) for row in rows] == [True, False]
    assert [row["cells"][2]["quiet"] for row in rows] == [False, True]


def test_words_stand_to_the_left_and_numbers_to_the_right():
    lines = markdown_of(
        table(Column(key="x", head="X", cells=[1, 2]), Column(key="w", head="W", cells=["a", "b"]))
    ).splitlines()
    assert lines[1] == "| :-- | --: | :-- |"


def test_a_value_without_an_interval_has_three_digits_and_advice_its_codes():
    columns = columns_of(
        [{"spread": 0.123456, "advice": [{"code": "R001", "text": "a"}, {"code": "R002", "text": "b"}]}]
    )
    assert [parts_of(column.cells[0])[0] for column in columns] == ["0.123", "R001, R002"]


def test_values_that_nobody_knows_stand_where_numbers_do():
    assert not Column(key="p", head="p", cells=[None, None]).words
    assert Column(key="word", head="Word", cells=["yes", None]).words


def test_one_answer_is_a_list_of_its_fields_below_which_its_sentence_stands_once():
    result = ro.power(effect=1.0, std=1.0, n_runs=5)
    (table,) = result.tables()
    assert table.caption == result.sentence
    assert not any(result.sentence in str(cell) for column in table.columns for cell in column.cells)


def test_a_notebook_says_below_a_table_what_its_columns_are_and_its_heading_once():
    pairs, sizes = ro.compare({"A": [1.0, 2.0, 4.0], "B": [6.0, 7.0, 8.0]}), ro.power(effect=1.0, std=1.0, n_runs=5)
    assert unescape(pairs._repr_html_()).count(pairs.tables()[0].caption) == 1
    assert unescape(sizes._repr_html_()).count(sizes.sentence) == 1


def test_jupyter_shows_the_table_what_to_beware_of_and_the_first_figure():
    result = ro.compare({"A": [1.0, 2.0, 4.0], "B": [6.0, 7.0, 8.0], "C": [3.0]})
    shown = result._repr_mimebundle_(include=None, exclude=None)["text/html"]
    text, _, picture = shown.partition("data:image/png;base64,")
    assert all(f"{note.code}: {note.text}" in unescape(text) for note in result.advice)
    size = imread(BytesIO(b64decode(picture.partition('"')[0]))).shape[:2]
    assert size == tuple(int(inches * DPI) for inches in result.plot().get_size_inches()[::-1])
    # As wide as on paper: a pixel of a page is 1/96 of an inch.
    assert f'width="{round(96 * result.plot().get_figwidth())}"' in text
    # An answer without a figure has its table alone.
    alone = ro.variance({"A": {"t": [1.0, 2.0], "u": [1.0, 3.0]}})
    assert alone._repr_mimebundle_() == {"text/html": alone._repr_html_()}


def test_a_notebook_counts_the_cautions_that_it_does_not_show():
    cautions = [f"Note <{k}>." for k in range(MOST_CAUTIONS + 3)]
    shown = html_of([], cautions=cautions)
    assert [escape(caution) in shown for caution in cautions] == [True] * MOST_CAUTIONS + [False] * 3
    assert "… and 3 more notes" in shown


def test_a_table_without_a_caption_has_its_title_in_latex_and_no_empty_line_elsewhere():
    table = Table(role="runs", title="Runs", caption="", columns=(Column(key="a", head="A", cells=[Name("x")]),))
    assert r"\caption{Runs.}" in of_tables([table], "wide")
    assert markdown_of(table).splitlines()[-1] == "| x |"
    assert "<p>" not in html_of([table])


def test_cells_in_one_read_by_their_names_and_commas() -> None:
    several = Several((("mean", Number(1.5)), ("", "higher")))
    assert [parts_of(several), parts_of(Several(()))] == [("mean 1.5, higher", ""), ("–", "")]


def test_numbers_of_runs_become_the_fewest_and_the_most_of_a_row():
    assert flat({"n_runs": [3, 1, 2], "tasks": ["a", "b"]}) == {"n_runs_fewest": 1, "n_runs_most": 3, "tasks": "a; b"}


def test_some_rows_of_a_table_in_any_order_keep_their_cells_and_which_is_best():
    columns = [Column(key="x", head="X", cells=[1, 2, 3]), Column(key="y", head="Y", cells=[4, 5, 6])]
    whole = Table(role="t", title="T", caption="", columns=tuple(columns), best=frozenset({0, 2}))
    some = whole.only([2, 1])
    assert [column.cells for column in some.columns] == [[3, 2], [6, 5]]
    assert some.best == {0}
    assert whole.only([]).best == frozenset()
