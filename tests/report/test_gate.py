"""The Markdown of a gate: a heading, a sentence, a row for each call; names are shown as they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

import runoff as ro
from runoff.base.asked import append
from runoff.cli.summary import gate_markdown, gate_picture, picture_bar
from runoff.exits.text import rows_of

CELLS = {"Pong|v5": [18.0, 20.0, 19.0, 20.5, 18.5], "Qbert": [15.0, 14.1, 15.6, 16.2, 14.8]}
LOST = {"Pong|v5": [19.0, 18.2, 20.1, 19.4, 18.8], "Qbert": [9.0, 8.1, 9.6, 9.2, 8.8]}


@pytest.fixture(scope="module")
def result():
    return ro.gate({"P_P*O": CELLS}, {"new": LOST}, margin=3.0)


def test_the_heading_says_the_outcome_and_every_record_has_a_row(result):
    lines = gate_markdown(result).splitlines()
    assert lines[0] == "### runoff gate: regressed"
    rows = [line for line in lines if line.startswith("|")]
    assert [row.split(" | ")[-1] for row in rows[2:]] == ["held |", "regressed |", "regressed |"]
    assert rows[3].startswith("| Qbert | 5 / 5 | 15.14 | 8.94 | 6.2 |")
    assert rows[-1].startswith("| all tasks |")


def test_the_heading_is_the_worst_call_that_fails(result):
    calls = ("underpowered", "suspect", "held")
    records = [replace(record, verdict=call) for record, call in zip(result.rows, calls, strict=True)]
    other = replace(result, verdict="held", rows=tuple(records))
    heads = [
        gate_markdown(other, fails).split("\n")[0] for fails in ((), ("underpowered",), ("underpowered", "suspect"))
    ]
    assert [head.split(": ")[1] for head in heads] == ["held", "underpowered", "suspect"]


def test_means_that_round_to_one_number_show_the_digits_of_the_sentence(result):
    record = replace(result.rows[0], baseline=10.00001, candidate=10.00002)
    (table,) = replace(result, rows=(record, *result.rows[1:])).tables()
    assert [parts[0] for parts in rows_of(table, table.columns)[0][2:4]] == ["10.00001", "10.00002"]


def test_the_picture_has_a_coloured_line_for_every_record(result):
    text = gate_markdown(result)
    picture = text.split("```diff\n")[1].split("```")[0].splitlines()
    assert [line[0] for line in picture] == ["@", " ", "+", "-", "-"]
    assert [line.split()[-1] for line in picture[2:]] == [record.verdict for record in result.rows]
    assert picture[1].split() == ["−4", "−2", "0", "2", "4"]
    zero, two = picture[1].index("0"), picture[1].index(" 2 ") + 1
    assert (picture[3][zero], picture[3][(zero + two) // 2]) == ("│", "┃")
    assert picture[3].index("├") in range(two, two + 2)  # 2.07 margins


@pytest.mark.parametrize(("drop", "scale"), [(5.9, "1 2"), (-6.1, "2 4"), (13.0, "4 8"), (1e9, "4 8")])
def test_the_scale_reaches_beyond_the_drops_up_to_eight_margins(result, drop, scale):
    first = replace(result.rows[0], drop=drop, margin=3.0)
    picture = gate_picture(replace(result, rows=(first,)))
    assert " ".join(picture[2].split()[-2:]) == scale


@pytest.mark.parametrize(
    ("drop", "high", "bar"),
    [
        (0.0, 3.0, "                 ├───────┤         "),
        (0.6, 1.5, "                 │ ├─┤   ┃         "),
        (0.1, 0.1, "                 ┼       ┃         "),
        (-1.5, None, "             ├───│───────┃────────›"),
        (-60.0, -50.0, "‹                │       ┃         "),
        (50.0, 60.0, "                 │       ┃        ›"),
        (-60.0, 60.0, "‹────────────────│───────┃────────›"),
    ],
)
def test_a_bar_goes_from_the_drop_to_its_limit_on_a_scale_of_margins(result, drop, high, bar):
    record = replace(result.rows[0], drop=drop, drop_high=high, margin=3.0)
    assert picture_bar(record, 2) == bar


def test_names_cannot_break_the_table(result):
    text = gate_markdown(result)
    assert "| Pong\\|v5 |" in text
    assert "new against P\\_P\\*O; scores " in text
    assert "Means: margin 3, α = 0.05" in text
    assert {line.count(" | ") for line in text.splitlines() if line.startswith("|")} == {6}


def test_a_summary_is_added_to_not_replaced(result, tmp_path):
    path = tmp_path / "summary.md"
    path.write_text("# what was there\n", encoding="utf-8")
    append(path, gate_markdown(result), "summary")
    assert path.read_text(encoding="utf-8") == "# what was there\n" + gate_markdown(result)


def test_a_summary_that_cannot_be_written_is_refused(result, tmp_path):
    with pytest.raises(ro.OutputError, match=r"the summary .* cannot be written"):
        append(tmp_path, gate_markdown(result), "summary")
