"""Reports in which no pair has a verdict: no exit names a leader, a test that was not made, or a p-value of it."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import runoff as ro
from runoff.page.answers.all import answer
from runoff.page.files.records import json_text
from runoff.page.sheet.build import build
from runoff.page.tables import latex_tables
from runoff.page.words.paragraph import methods_paragraph
from runoff.plots import caption

RUNS = np.random.default_rng(1).uniform(0.2, 0.6, (5, 6))
CROSS = {
    "A": {f"t{i}": RUNS[: 1 if i < 3 else 4, i] for i in range(5)},
    "B": {f"t{i}": 1 - RUNS[: 4 if i < 3 else 1, i] for i in range(5)},
}
ALONE = {name: {f"t{i}": RUNS[k : k + 1, i] for i in range(5)} for k, name in enumerate("ABC")}
DESIGNS = {
    "on every task one of the two has a single run": CROSS,
    "on every task both have a single run": ALONE,
    "their runs are the same numbers": {"A": RUNS, "B": RUNS},
    "scores seem to be in different units": {"A": RUNS, "B": 100 * RUNS[::-1]},
}


@pytest.fixture(scope="module", params=DESIGNS.items(), ids=["crossed", "single", "same", "units"])
def design(request):
    why, data = request.param
    how = {"alpha": 0.05, "seed": 0, "n_resamples": 200, "command": "", "single_value": "tested"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        return why, answer(ro.Scores.from_dict(data), **how)


def test_the_records_have_no_leader_and_no_p_value_of_a_test_that_was_not_made(design):
    why, answers = design
    record = json.loads(json_text(answers))
    assert (record["leader"], "standing" in record, "across_tasks" in record) == (None, False, False)
    for pair in record["pairs"]:
        assert (pair["verdict"], pair["unjudged"]) == ("no_verdict", why)
        assert {reading["verdict"] for reading in pair["other_readings"]} <= {"no_verdict"}
        assert (pair["pvalue"] is None) == ("units" not in why)


def test_the_tables_are_bold_nowhere_and_say_why_there_is_no_verdict(design):
    why, answers = design
    tables = {table.name: table for table in latex_tables(answers)}
    assert "Bold" not in tables["aggregates"].caption
    assert f"No verdict is given: {why}." in tables["pairs"].caption
    assert "test," not in tables["pairs"].caption
    assert [column.head for column in tables["pairs"].values][-1] == "Chance"


def test_the_methods_text_and_the_captions_tell_of_no_test(design):
    why, answers = design
    text = methods_paragraph(answers).text
    assert f"No verdict is given on any pair of algorithms, because {why}." in text
    assert "two-sided tests" not in text
    words = caption(answers.comparison)
    assert "no verdict is given" in words
    assert "correction" not in words


def test_the_page_finds_no_difference_and_finds_none_missing(design):
    _, answers = design
    text = build(answers)
    assert ">no difference found<" not in text
    assert "1.000" not in text
