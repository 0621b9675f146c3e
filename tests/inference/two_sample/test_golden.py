"""Two-sample tests against R, SciPy and exact enumeration (tests/golden/two_sample.json)."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from runoff._inference.two_sample import TWO_SAMPLE, TwoSampleOutcome, run_two_sample
from tests import places

SAMPLES = {case["name"]: case for case in json.loads((places.GOLDEN / "two_sample.json").read_text())["cases"]}
ROWS = [row | {"case": name} for name, case in SAMPLES.items() for row in case["values"]]
CLOSED, DRAWN = [row for row in ROWS if "p" in row], [row for row in ROWS if "drawn" in row]


def ours(case: str, test: str, alternative: str = "two-sided", **options: Any) -> TwoSampleOutcome:
    x, y = (np.array(SAMPLES[case][side], float)[None] for side in "xy")
    return run_two_sample(test, x, y, alternative=alternative, **options)


def rounding(row: dict[str, Any]) -> float:
    """What rounding the means of scores can do to a statistic.

    In the unit of the scores, and, of what was made in fractions, over the standard error; other software rounds as runoff does, to 1e-12.
    """
    sample = SAMPLES[row["case"]]
    of_means = float(np.finfo(float).eps * max(map(abs, [*sample["x"], *sample["y"]])))
    if row["test"] == "studentized_permutation":
        return of_means * abs(row["statistic"] / (np.mean(sample["x"]) - np.mean(sample["y"]) or 1.0))
    return of_means if TWO_SAMPLE[row["test"]].in_units else 1e-12


@pytest.mark.parametrize("case", sorted(SAMPLES))
def test_closed_forms_and_exact_pvalues_agree_with_independent_software(case: str) -> None:
    for row in (row for row in CLOSED if row["case"] == case):
        outcome = ours(case, row["test"], row["alternative"], **row["options"])
        assert outcome.pvalue[0] == pytest.approx(row["p"], rel=1e-9, abs=0.0), row


@pytest.mark.parametrize("test", sorted({row["test"] for row in CLOSED}))
def test_statistics_and_degrees_of_freedom_agree_with_independent_software(test: str) -> None:
    rows = [row for row in CLOSED if row["test"] == test and "statistic" in row]
    for row in rows:
        outcome = ours(row["case"], test, row["alternative"], **row["options"])
        assert outcome.statistic[0] == pytest.approx(row["statistic"], rel=1e-9, abs=rounding(row)), row
        if "df" in row:
            assert outcome.df is not None, row
            assert outcome.df[0] == pytest.approx(row["df"], rel=1e-9), row
    assert len(rows) > 10


@pytest.mark.parametrize("test", sorted({row["test"] for row in CLOSED}))
@pytest.mark.parametrize("case", ["skewed_4_vs_9", "skewed_9_vs_4", "skewed_3_vs_20", "skewed_20_vs_3"])
def test_each_asymmetric_unequal_pair_is_pinned_in_every_direction(case: str, test: str) -> None:
    sides = {row["alternative"] for row in CLOSED if (row["case"], row["test"]) == (case, test)}
    assert sides == set(TWO_SAMPLE[test].claims)


def test_each_registered_test_with_an_oracle_has_golden_values() -> None:
    covered = {row["test"] for row in ROWS}
    assert set(TWO_SAMPLE) - covered == {"bootstrap"}  # drawn, and no other software inverts its interval


@pytest.mark.parametrize("row", DRAWN, ids=lambda row: f"{row['case']}-{row['alternative']}")
def test_drawn_permutations_agree_within_four_standard_errors(row: dict[str, Any]) -> None:
    outcome, theirs = ours(row["case"], "permutation", row["alternative"]), row["drawn"]["p"]
    error = np.sqrt(theirs * (1.0 - theirs) / row["drawn"]["draws"])
    assert outcome.method[0] == "monte_carlo"
    assert abs(outcome.pvalue[0] - theirs) < 4.0 * np.hypot(outcome.pvalue_error[0], error)


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
