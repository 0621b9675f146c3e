"""Profiles in the report: where tasks have one unit, with the words and the files that belong to them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
from markupsafe import escape

import runoff as ro
from runoff.page import build
from runoff.page.files.records import json_text, tables
from runoff.page.words.paragraph import methods_paragraph
from runoff.words.speech import in_shell
from tests.report.made import answers, answers_of

RNG = np.random.default_rng(0)


def left_out(data):
    results = answers_of(data)
    assert results.profiles.result is None
    assert str(escape(in_shell(results.profiles.left_out))) in build(results)  # which shows a command of the shell
    assert json.loads(json_text(results))["profiles"]["result"] is None
    assert not [path for path, _ in tables(results) if "profile" in path]
    return results.profiles.left_out


def test_tasks_of_different_units_have_no_profile_and_the_page_says_why():
    data = {name: {"s": RNG.normal(m, 1, 5), "t": RNG.normal(m, 1000, 5)} for name, m in (("A", 0), ("B", 1))}
    assert "normalise the scores (normalize=), or declare" in left_out(ro.Scores.from_dict(data))


def test_success_rates_have_no_profile_and_the_page_says_why():
    data = {name: RNG.integers(0, 2, (5, 2)).astype(float) for name in "AB"}
    assert "all scores are 0 or 1" in left_out(ro.Scores.from_dict(data))


def test_results_json_has_the_records_the_readings_and_the_orders():
    record = json.loads(json_text(answers()))["profiles"]["result"]
    assert (record["band"], len(record["records"]), len(record["summaries"]), len(record["orders"])) == (
        "wilson",
        111,
        3,
        3,
    )


def test_tables_have_every_threshold_and_every_pair():
    texts = {path: text for path, text in tables(answers()) if "profile" in path}
    rows = list(csv.DictReader(texts["profiles.csv"].splitlines()))
    assert [float(row["estimate"]) for row in rows] == [r.estimate for r in answers().profiles.result.rows]
    pairs = list(csv.DictReader(texts["profile_pairs.csv"].splitlines()))
    assert [row["order"] for row in pairs] == [order.order for order in answers().profiles.result.orders]
    assert texts["profile_pairs_wide.tex"].count(r"\\") >= 4


def test_the_methods_say_what_the_bands_are_with_the_reference():
    methods = methods_paragraph(answers())
    assert "have 95\u00a0% Wilson score intervals (Wilson 1927) at each score on its own" in methods.text
    assert any("Probable inference" in reference for reference in methods.references)


def test_one_algorithm_with_single_runs_beside_others_is_drawn_without_a_band(tmp_path: Path):
    data = {"A": RNG.normal(size=(5, 2)), "B": RNG.normal(size=(5, 2)), "line": RNG.normal(size=(1, 2))}
    results = answers_of(ro.Scores.from_dict(data, score_unit="shared"))
    assert {r.low for r in results.profiles.result["line"]} == {None}
    assert 'id="fig-profiles"' in build(results)
