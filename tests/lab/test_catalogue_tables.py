"""A slice of the paper's tables by closed-form tests: they must agree with what is printed."""

from __future__ import annotations

from dataclasses import replace

import pytest

import runoff as ro
from runoff.lab import find_study
from runoff.lab.printed import check_statements, compare_printed, error_of_difference, verdict
from tests.lab.makers import small_study

CLOSED = ("student", "welch", "mann_whitney_normal", "ranked_t")


@pytest.mark.parametrize(
    "number", [7, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13))]
)
def test_closed_form_tests_reproduce_the_printed_table(number: int) -> None:
    entry = find_study(f"colas2019/table{number:02d}")
    study = replace(entry.study, contenders=CLOSED, effects=(0.5, 1.0, 2.0), n_repeats=1000)
    table = {**entry.printed[0], "columns": list(CLOSED), "rows": [row[:6] for row in entry.printed[0]["rows"]]}
    comparison = compare_printed(replace(entry, study=study, printed=(table,)), ro.run_study(study, workers=1))
    assert len(comparison.rows) == 4 * len(table["rows"])
    assert len(comparison.beyond) == 0


def test_the_error_of_two_rates_of_zero_is_not_zero() -> None:
    assert error_of_difference(0.0, 10_000, 0.0, 10_000, 0.0003) > 1e-5


def test_a_wrong_table_lies_beyond_four_errors() -> None:
    entry = find_study("colas2019/table02")
    study = replace(entry.study, contenders=("welch",), effects=(0.5,), n_runs=(20,), n_repeats=4000)
    table = {**entry.printed[0], "columns": ["welch"], "rows": [[0.5, 20, 0.45]]}
    comparison = compare_printed(replace(entry, printed=(table,)), ro.run_study(study, workers=1))
    assert len(comparison.beyond) == 1
    assert "1 of 1 printed cells lie more than 4 standard errors" in comparison.sentence


@pytest.mark.parametrize(
    ("cases", "expected"),
    [
        ([("a", 0.05, 0.01)], "confirmed"),
        ([("a", 0.11, 0.01)], "undecided"),
        ([("a", 0.20, 0.01)], "contradicted"),
        ([("a", 0.05, 0.01), ("b", 0.2, 0.01)], "contradicted"),
        ([("a", 0.0, 0.001)], "contradicted"),
        ([("a", 0.07, 0.08)], "undecided"),
        ([("a", 0.07, 0.01)] * 47 + [("b", 0.13, 0.01)], "confirmed"),
        ([("a", 0.07, 0.01)] * 47 + [("b", 0.135, 0.01)], "undecided"),
        ([("a", 0.07, 0.01)] * 47 + [("b", 0.15, 0.01)], "contradicted"),
    ],
)
def test_a_statement_is_confirmed_undecided_or_contradicted(
    cases: list[tuple[str, float, float]], expected: str
) -> None:
    assert verdict(cases, (0.04, 0.10)) == expected


def test_the_thesis_is_right_that_pooled_t_tests_never_reject_when_task_means_differ() -> None:
    entry = find_study("casesa2024/figure15").changed(n_repeats=2000, n_runs=(2, 10), n_resamples=300)
    kept = [
        dict(check, n_runs=[2])
        for check in entry.checks
        if check["rule"] == "between" and "welch" in check["contenders"]
    ]
    statements = check_statements(replace(entry, checks=tuple(kept)), ro.run_study(entry.study, workers=1))
    assert [record.verdict for record in statements.rows] == ["confirmed"]


def test_an_empty_cell_leaves_a_statement_undecided() -> None:
    entry = find_study("colas2018/figure7").changed(n_repeats=500)
    empty = ro.run_study(entry.study, workers=1, time_limit=1e-9)
    assert {record.verdict for record in check_statements(entry, empty).rows} == {"undecided"}


@pytest.mark.parametrize(("first", "other"), [("welch", "permutation"), ("permutation", "welch")])
def test_a_difference_of_two_methods_is_the_first_less_the_other(first, other) -> None:
    rates = {"welch": 0.02, "permutation": 0.06}
    result = ro.run_study(small_study(n_repeats=50), workers=1)
    rows = tuple(replace(row, rate=rates[row.contender], rate_error=0.0003) for row in result.rows)
    limits = {"low": rates[first] - rates[other] - 0.001, "high": rates[first] - rates[other] + 0.001}
    check = {"text": "x", "where": "y", "rule": "differs", "contenders": [first], "other": other, **limits}
    entry = replace(find_study("colas2018/figure7"), checks=(check,))
    (row,) = check_statements(entry, replace(result, rows=rows)).rows
    assert row.verdict == "confirmed"


def test_no_rejection_in_twenty_experiments_contradicts_no_rate_of_one_in_twenty() -> None:
    result = ro.run_study(small_study(n_repeats=50), workers=1)
    rows = tuple(replace(row, rate=0.0, rate_error=0.0, n_repeats=20) for row in result.rows)
    check = {"text": "x", "where": "y", "rule": "between", "contenders": ["welch"], "low": 0.04, "high": 0.06}
    entry = replace(find_study("colas2018/figure7"), checks=(check,))
    (row,) = check_statements(entry, replace(result, rows=rows)).rows
    assert row.verdict == "undecided"
