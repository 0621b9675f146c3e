"""`print` shows the sentence of an answer, the cells of its first table and what to beware of, and counts what it leaves out."""

from __future__ import annotations

import re

import pytest

import runoff as ro
from runoff.answer.base import Result, most_severe_first
from runoff.cells import Column, Name, Table, Verdict
from runoff.exits.plain import FEWEST_ROWS, MOST_LINES, WIDTH, printed
from runoff.exits.text import joined, rows_of
from tests.amount import examples
from tests.exits.methods import answers_about

pytestmark = pytest.mark.usefixtures("few_relabellings")
LEFT = re.compile(
    r"… and (?:(\d+) more rows?)?(?: and )?(?:(\d+) more columns?)?: result\.to_frame\(\) has all of them\."
)


def words(text):
    return " ".join(text.split())


def parts_of(text):
    """Return the lines above the table, of the table, and of the cautions."""
    blocks = [block.split("\n") for block in text.split("\n\n")]
    warned = blocks.pop() if re.match(r"(Warning|Caution|Info) R\d|Note: ", blocks[-1][0]) else []
    head, *table = blocks
    return head, table[0] if table else [], warned


def check_table(lines, table):
    """The columns that are shown, found by their heads, say in each row what the cells of the table say."""
    left = LEFT.fullmatch(lines[-1])
    n_rows_left, n_columns_left = (int(n or 0) for n in left.groups()) if left else (0, 0)
    rows = lines[1 : len(lines) - bool(left)]
    columns = table.shown("screen")
    shown = [k for k, column in enumerate(columns) if re.search(rf"(^|  ){re.escape(column.title)}(  |$)", lines[0])]
    assert len(shown) == len(columns) - n_columns_left
    assert len(rows) == table.n_rows - n_rows_left
    cells = [[joined(row[k]) for k in shown] for row in rows_of(table, columns)[: len(rows)]]
    assert [re.split(r"\s{2,}", row.strip()) for row in rows] == cells
    assert {k for k, column in enumerate(columns) if isinstance(column.cells[0], Name | Verdict)} <= {*shown}


def check_cautions(lines, result):
    notes = [f"Note: {note.rstrip('.')}." for note in getattr(result, "notes", ())]
    given = {f"{n.severity.capitalize()} {n.code}: {n.text}" for n in getattr(result, "advice", ())} | {*notes}
    *whole, last = re.split(r"\n(?! )", "\n".join(lines)) if lines else [""]
    counted = re.match(r"… and (\d+) more notes?: result\.", last)
    whole = [words(text) for text in (whole if counted else [*whole, last]) if text]
    assert {*whole} <= {*map(words, given)}
    assert len(whole) + int(counted[1] if counted else 0) == len(getattr(result, "advice", ())) + len(notes)
    if gravest := most_severe_first(getattr(result, "advice", ())):
        assert whole[0] == words(f"{gravest[0].severity.capitalize()} {gravest[0].code}: {gravest[0].text}")


@pytest.mark.parametrize("seed", range(examples(200, 12)))
def test_print_shows_the_sentence_the_table_and_the_cautions_on_one_screen(seed):
    for _, result in answers_about(seed):
        if not isinstance(result, Result):  # data, which have no sentence
            continue
        lines = str(result).split("\n")
        assert len(lines) <= MOST_LINES
        assert [line for line in lines if len(line) > WIDTH] == []
        head, table, warned = parts_of(str(result))
        assert words(" ".join(head)).startswith(words(result.sentence))
        if table:
            check_table(table, result.tables()[0])
        check_cautions(warned, result)


def test_much_that_is_to_be_said_leaves_the_table_its_rows_and_is_counted():
    named = Column(key="algorithm", head="Algorithm", cells=[Name(f"a{i}") for i in range(99)])
    text = "w " * 5000
    table = Table(role="t", title="", caption="", columns=(named,))
    lines = printed(text, text, [table], [text, "x. " * 100, "y."], "result.advice").split("\n")
    assert len(lines) == MOST_LINES
    assert f"… and {99 - FEWEST_ROWS} more rows: result.to_frame() has all of them." in lines
    assert [line.split(" … ")[1] for line in lines if " … " in line and line[0] != "…"] == [
        "(all of it: result.sentence)", "(all of it: result.sentence)", "(all of it: result.advice)",
    ]  # fmt: skip
    assert lines[-1] == "… and 2 more notes: result.advice."


def test_an_answer_without_rows_shows_no_table():
    assert (
        printed("Nothing was found.", "", [Table(role="t", title="", caption="", columns=())], [], "")
        == "Nothing was found."
    )


def test_a_comparison_counts_its_verdicts_and_names_its_test():
    result = ro.compare({"A": [1.0, 2.0, 3.0, 4.0], "B": [6.0, 7.0, 8.0, 9.0]})
    assert str(result).split("\n")[:2] == [
        result.sentence,
        "1 of 1 pair differs, by the jackknife t test, α = 0.05.",
    ]
    level = ro.compare({"A": [1.0, 2.0, 3.0, 4.0], "B": [1.5, 2.0, 3.0, 4.5]})
    assert "\n0 of 1 pair differs, by the jackknife t test" in str(level)
