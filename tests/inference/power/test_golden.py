"""Power and numbers of runs against R, pwr, SciPy and a two-dimensional quadrature."""

from __future__ import annotations

import json

import pytest

import runoff as ro
from tests.places import GOLDEN

CASES = json.loads((GOLDEN / "power.json").read_text(encoding="utf-8"))["cases"]
AGREED = 1e-6
SIDES = {"two": "two-sided", "one": "greater"}


def of(kind):
    return [case for case in CASES if case["kind"] == kind]


@pytest.mark.parametrize("test", ["student", "welch"])
def test_the_power_of_equal_runs_and_spreads_is_rs(test):
    for case in of("equal_variance"):
        options = {"effect": case["d"], "std": 1, "n_runs": case["n"], "alpha": case["alpha"], "test": test}
        assert ro.power(**options).power == pytest.approx(case["two_sided_strict"], abs=AGREED)
        assert ro.power(**options, alternative="greater").power == pytest.approx(case["one_sided"], abs=AGREED)


def test_the_power_of_one_sample_is_rs():
    for case in of("one_sample"):
        options = {"effect": case["d"], "std": 1, "n_runs": case["n"], "alpha": case["alpha"], "test": "one_sample"}
        assert ro.power(**options).power == pytest.approx(case["two_sided_strict"], abs=AGREED)
        assert ro.power(**options, alternative="greater").power == pytest.approx(case["one_sided"], abs=AGREED)


def test_the_power_of_students_test_with_unequal_runs_is_that_of_pwr():
    for case in of("unequal_n"):
        options = {"effect": case["d"], "effect_unit": "sd", "n_runs": (case["n1"], case["n2"]), "test": "student"}
        assert ro.power(**options).power == pytest.approx(case["pwr_t2n_two_sided"], abs=AGREED)
        assert ro.power(**options, alternative="greater").power == pytest.approx(case["pwr_t2n_greater"], abs=AGREED)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("formula", "key"), [("noncentral", "nct"), ("exact", "exact")])
def test_the_power_of_welchs_test_is_that_of_the_law_and_of_the_quadrature(formula, key, side):
    for case in of("welch_ncp"):
        options = {"effect": case["delta"], "std": (case["sd1"], case["sd2"]), "n_runs": (case["n1"], case["n2"])}
        result = ro.power(**options, alpha=case["alpha"], formula=formula, alternative=SIDES[side])
        assert result.power == pytest.approx(case[f"{key}_{side}_sided"], abs=AGREED)
        assert (result.df, result.noncentrality) == pytest.approx((case["df"], case["ncp"]))


@pytest.mark.parametrize(
    ("formula", "alternative", "key"),
    [
        ("colas2018", "greater", "beta_one_sided"),
        ("colas2018", "two-sided", "beta_two_sided_both_tails"),
        ("noncentral", "greater", "beta_ncp_one_sided"),
        ("noncentral", "two-sided", "beta_ncp_two_sided"),
        ("exact", "greater", "exact_beta_welch_one_sided"),
        ("exact", "two-sided", "exact_beta_welch_two_sided"),
    ],
)
def test_the_table_of_colas_for_2_to_50_runs(formula, alternative, key):
    for case in of("colas"):
        options = {"effect": case["epsilon"], "std": (case["s1"], case["s2"]), "n_runs": case["n"]}
        result = ro.power(**options, formula=formula, alternative=alternative)
        assert result.beta == pytest.approx(case[key], abs=AGREED)


@pytest.mark.parametrize("side", SIDES)
def test_the_runs_that_are_needed_are_rs_before_and_after_rounding_up(side):
    for case in of("sample_size"):
        options = {"effect": case["d"], "std": 1, "power": case["power"], "alpha": case["alpha"], "test": "student"}
        record = ro.runs_needed(**options, alternative=SIDES[side], curve_to=3).rows[0]
        exactly = case["n_two_sided_strict" if side == "two" else "n_one_sided"]
        assert record.n_real == pytest.approx(exactly, abs=AGREED)
        assert record.n_runs == case[f"n_integer_{side}_sided"]


def test_the_runs_that_welchs_test_needs_are_those_of_the_law():
    for case in of("welch_sample_size"):
        alternative = "two-sided" if case["alternative"] == "two.sided" else "greater"
        options = {"effect": case["delta"], "std": (case["sd1"], case["sd2"]), "power": case["power"]}
        record = ro.runs_needed(**options, alternative=alternative, curve_to=3).rows[0]
        assert record.n_real == pytest.approx(case["n_noncentral_t"], abs=AGREED)
        assert record.n_runs == case["n_integer"]


def test_what_the_paper_of_colas_prints_and_what_its_test_does():
    options = {"effect": 1382, "std": (1341, 990)}
    paper = [ro.power(**options, n_runs=n, formula="colas2018", alternative="greater").beta for n in (5, 10)]
    assert paper == pytest.approx([0.5103, 0.1958], abs=5e-5)
    assert [ro.power(**options, n_runs=n).beta for n in (5, 10)] == pytest.approx([0.6350, 0.3058], abs=5e-5)
    assert ro.runs_needed(**options, formula="colas2018", alternative="greater").n_runs == 10
    assert ro.runs_needed(**options).n_runs == 13
