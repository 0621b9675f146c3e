"""JSON that every parser reads."""

from __future__ import annotations

import json
from math import inf

import pytest

import runoff as ro
from runoff.base.signed import strict_json
from runoff.page.files.records import json_text
from tests.report.made import answers_of


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


def test_infinite_numbers_are_strings_that_float_reads_back():
    text = strict_json({"a": [inf, -inf, 1.5], "b": {"c": float("nan")}})
    content = json.loads(text, parse_constant=refuse)
    assert content == {"a": ["Infinity", "-Infinity", 1.5], "b": {"c": "NaN"}}
    assert float(content["a"][1]) == -inf


def test_a_report_on_runs_without_spread_is_strict_json():
    data = ro.Scores.from_dict({name: {"t": [float(level)] * 3} for level, name in enumerate("ABC")})
    content = json.loads(json_text(answers_of(data)), parse_constant=refuse)
    assert {(row["verdict"], row["pvalue"], row["low"]) for row in content["pairs"]} == {("no_verdict", None, None)}


@pytest.mark.parametrize("value", [1, 0.5, "x", None, True, [], {}])
def test_everything_else_is_unchanged(value):
    assert json.loads(strict_json(value)) == value
