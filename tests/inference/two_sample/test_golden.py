"""Two-sample tests against R, SciPy and exact enumeration (tests/golden/two_sample.json)."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from runoff._inference.two_sample import TWO_SAMPLE, TwoSampleOutcome, run_two_sample
from tests import places

GOLDEN = json.loads((places.GOLDEN / "two_sample.json").read_text())
CASES = sorted(GOLDEN["samples"])


def ours(case: str, test: str, alternative: str = "two-sided", **options: Any) -> TwoSampleOutcome:
    sample = GOLDEN["samples"][case]
    x, y = np.array(sample["x"])[None], np.array(sample["y"])[None]
    return run_two_sample(test, x, y, alternative=alternative, **options)


@pytest.mark.parametrize("case", CASES)
def test_closed_forms_and_exact_pvalues_agree_with_independent_software(case: str) -> None:
    for row in (row for row in GOLDEN["values"] if row["case"] == case):
        outcome = ours(case, row["test"], row["alternative"], **row["options"])
        assert outcome.pvalue[0] == pytest.approx(row["p"], rel=1e-9, abs=0.0), row


@pytest.mark.parametrize("test", ["student", "welch", "ranked_t", "brunner_munzel"])
def test_statistics_and_degrees_of_freedom_agree_with_independent_software(test: str) -> None:
    rows = [row for row in GOLDEN["values"] if row["test"] == test and row["options"].get("method") != "exact"]
    for row in rows:
        outcome = ours(row["case"], test, row["alternative"], **row["options"])
        if row["statistic"] is not None:
            assert outcome.statistic[0] == pytest.approx(row["statistic"], rel=1e-9, abs=1e-12), row
        if row["df"] is not None and outcome.df is not None:
            assert outcome.df[0] == pytest.approx(row["df"], rel=1e-9), row
    assert len(rows) > 20


def test_each_registered_test_with_an_oracle_has_golden_values() -> None:
    covered = {row["test"] for row in GOLDEN["values"]}
    assert set(TWO_SAMPLE) - covered == {"studentized_permutation", "bootstrap", "kolmogorov_smirnov"}


@pytest.mark.parametrize("row", GOLDEN["monte_carlo"], ids=lambda row: row["case"])
@pytest.mark.parametrize(
    ("side", "key"), [("greater", "p_greater"), ("less", "p_less"), ("two-sided", "p_two_sided_abs")]
)
def test_drawn_permutations_agree_within_four_standard_errors(row: dict[str, Any], side: str, key: str) -> None:
    outcome = ours(row["case"], "permutation", side)
    theirs = np.sqrt(row[key] * (1.0 - row[key]) / row["reps"])
    assert outcome.method[0] == "monte_carlo"
    assert abs(outcome.pvalue[0] - row[key]) < 4.0 * np.hypot(outcome.pvalue_error[0], theirs)


def test_two_sided_permutation_is_by_absolute_value_and_not_doubled_as_in_scipy() -> None:
    assert ours("n2_vs_n3_unequal", "permutation").pvalue[0] == pytest.approx(0.3)  # SciPy: 0.4


def test_exact_mann_whitney_is_conditional_on_ties_unlike_scipy_and_r() -> None:
    assert ours("n10_vs_n10_heavy_ties", "mann_whitney").pvalue[0] == pytest.approx(
        2985 / 46189
    )  # SciPy 0.063, R 0.049


def test_sums_that_differ_by_rounding_are_ties_unlike_arithmetic_on_the_literals() -> None:
    assert ours("float_ties", "permutation", "greater").pvalue[0] == pytest.approx(0.85)  # on the literals: 0.7


@pytest.mark.parametrize(
    ("drawn", "asymptotic"), [("studentized_permutation", "welch"), ("brunner_munzel", "brunner_munzel")]
)
def test_drawn_studentized_tests_of_many_runs_approach_their_t_approximations(drawn: str, asymptotic: str) -> None:
    permuted, by_t = (
        ours("n60_vs_n60", drawn, method="monte_carlo"),
        ours("n60_vs_n60", asymptotic, method="asymptotic"),
    )
    assert permuted.statistic[0] == pytest.approx(by_t.statistic[0])
    assert permuted.pvalue[0] == pytest.approx(by_t.pvalue[0], abs=0.01)
