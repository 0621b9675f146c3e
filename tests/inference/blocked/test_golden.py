"""Blocked tests against independent software: closed forms and exact nulls to 1e-9, sampled ones within 4 standard errors."""

import json
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from scipy import stats

from runoff._inference.blocked import null as exact
from runoff._inference.blocked.registry import run_blocked
from runoff._inference.family import adjust
from runoff.errors import DesignError, OptionError
from tests.places import GOLDEN
from tests.reference.blocked import flat

SIDES = ("two-sided", "greater", "less")
sides = pytest.mark.parametrize("alternative", SIDES)


@cache
def load(name):
    return json.loads((GOLDEN / f"{name}.json").read_text())["cases"]


def cases(name, where=lambda case: True, fast=None):
    """Return all cases; the fast tests take every so manieth of them, if `fast` says how many at the most."""
    chosen = [case for case in load(name) if where(case)]
    step = -(-len(chosen) // (fast or len(chosen)))
    slow = [() if i % step == 0 else pytest.mark.slow for i in range(len(chosen))]
    return [pytest.param(case, id=case["name"], marks=marks) for case, marks in zip(chosen, slow, strict=True)]


def of_two(case):
    return len(case["cells"]) == 2


def assert_agrees(value, expected, rel=1e-9):
    assert value == pytest.approx(expected, rel=rel, abs=1e-13)


def assert_within_error(outcome, expected, error):
    assert abs(outcome.pvalue - expected) <= 4 * np.hypot(outcome.pvalue_error, error) + 1 / outcome.n_resamples


def exact_or_none(name, storage, **options):
    try:
        return run_blocked(name, *storage, method="exact", **options).pvalue
    except DesignError:
        return None


def assert_exact_or_drawn_agrees(name, case):
    """The exact p-value where runoff has one, and a drawn one; the other software counted all arrangements or drew some."""
    expected, storage = case["expected"], flat(case["cells"])
    outcome = exact_or_none(name, storage)
    assert outcome is not None or len(case["cells"]) > 2 or "mc_p" in expected
    if outcome is not None:
        assert_agrees(outcome, expected["exact_p"])
    drawn = run_blocked(name, *storage, method="monte_carlo", n_resamples=5_000)
    assert_within_error(drawn, expected.get("exact_p", expected.get("mc_p")), expected.get("mc_se", 0.0))


@pytest.mark.parametrize("case", cases("mack_skillings"))
def test_mack_skillings_is_that_of_coin_with_weights_one_over_q_and_rank_one_for_the_highest(case):
    expected, outcome = case["expected"], run_blocked("mack_skillings", *flat(case["cells"]), method="asymptotic")
    assert_agrees(outcome.statistic, expected["statistic"])
    assert_agrees(outcome.pvalue, expected["p_chi2"])
    assert outcome.df == expected["df"]
    assert_agrees(np.array(outcome.rank_sums), np.array(expected["rank_sums"]))


@pytest.mark.sampled(7)
@pytest.mark.parametrize("case", cases("mack_skillings", fast=20))
def test_mack_skillings_p_is_that_of_all_arrangements_or_within_the_error_of_drawn_ones(case):
    assert_exact_or_drawn_agrees("mack_skillings", case)


@pytest.mark.parametrize("case", cases("mack_skillings", of_two))
@sides
def test_mack_skillings_of_two_is_directed_as_in_coin(case, alternative):
    assert_directed_agrees("mack_skillings", case, alternative)


@pytest.mark.parametrize("case", cases("exact_null"))
def test_the_whole_null_distribution_is_that_of_brute_force(case):
    from runoff._inference.blocked.design import gather
    from runoff._inference.blocked.null import distribution
    from runoff._inference.blocked.statistic import quadratic_form, reciprocal

    k, n, c = case["k"], case["n"], case["c"]
    untied = np.tile(np.arange(k * c).reshape(k, 1, c), (1, n, 1)).tolist()
    blocks = gather(*flat(untied))
    law = distribution(blocks, quadratic_form(blocks, reciprocal(0)))
    keys = np.flatnonzero(law.mass)
    digits = np.stack(np.unravel_index(keys, tuple(law.lattice.radix.ravel()), order="F"), axis=1)
    free = law.base + law.lattice.steps[0] * digits
    squares = (free**2).sum(axis=1) + free.sum(axis=1) ** 2
    scale = Fraction(3, c * c * k * (c * k + 1) * n)
    for value, probability in case["distribution"]:
        chosen = squares == Fraction(value) / scale
        assert_agrees(law.mass[keys[chosen]].sum(), float(Fraction(probability)))


@pytest.mark.parametrize("case", cases("skillings_mack"))
def test_skillings_mack_is_that_of_coin_on_weighted_ranks_of_cell_means(case):
    expected, outcome = case["expected"], run_blocked("skillings_mack", *flat(case["cells"]), method="asymptotic")
    assert_agrees(outcome.statistic, expected["statistic"])
    assert_agrees(outcome.pvalue, expected["p_chi2"])
    assert outcome.df == expected["df"]
    assert_agrees(np.array(outcome.rank_sums), np.array(expected["rank_sums"]))


@pytest.mark.parametrize("case", cases("skillings_mack"))
def test_skillings_mack_p_is_that_of_all_arrangements_or_within_the_error_of_drawn_ones(case):
    assert_exact_or_drawn_agrees("skillings_mack", case)


@pytest.mark.parametrize("case", cases("friedman"))
def test_friedman_and_iman_davenport_are_those_of_r(case):
    expected, storage = case["expected"], flat(case["cells"])
    outcome = run_blocked("friedman", *storage, method="asymptotic")
    assert_agrees(outcome.statistic, expected.get("statistic", 0.0))
    assert_agrees(outcome.pvalue, expected.get("p_chi2", 1.0))
    assert_agrees(np.array(outcome.mean_ranks), np.array(expected["mean_ranks"]))
    ratio = run_blocked("iman_davenport", *storage, method="asymptotic")
    assert_agrees(ratio.statistic, expected.get("iman_davenport_F", 0.0))
    assert_agrees(ratio.pvalue, expected.get("iman_davenport_p", 1.0))
    assert_exact_or_drawn_agrees("friedman", case)


def assert_directed_agrees(name, case, alternative):
    """Direction and size of a test of two algorithms; "greater" means that the first has the higher scores."""
    expected, storage = case["expected"], flat(case["cells"])
    outcome = run_blocked(name, *storage, method="asymptotic", alternative=alternative)
    assert_agrees(outcome.pvalue, expected["normal"][alternative])
    pvalue = exact_or_none(name, storage, alternative=alternative)
    assert (pvalue is None) == ("mc_p" in expected)
    if pvalue is not None:
        assert_agrees(pvalue, expected["exact"][alternative])


@pytest.mark.parametrize("case", cases("van_elteren"))
@sides
def test_van_elteren_is_that_of_coin_in_all_directions(case, alternative):
    assert_agrees(run_blocked("van_elteren", *flat(case["cells"])).statistic, case["expected"]["z"])
    assert_directed_agrees("van_elteren", case, alternative)


@pytest.mark.parametrize("case", cases("stratified"))
def test_stratified_permutation_is_that_of_all_relabellings_in_fractions(case):
    expected = case["expected"]
    for alternative in SIDES:
        outcome = run_blocked("stratified_permutation", *flat(case["cells"]), alternative=alternative)
        assert_agrees(outcome.statistic, expected["statistic"])
        assert_agrees(outcome.pvalue, float(Fraction(expected["exact_fractions"][alternative])))


@pytest.mark.parametrize("case", cases("multiplicity"))
def test_adjusted_p_values_are_those_of_r(case):
    if None in case["p"]:
        with pytest.raises(OptionError, match=r"must lie in \[0, 1\]"):
            adjust([np.nan if p is None else p for p in case["p"]], "holm")
        return
    padding = [1.0] * (case.get("n", len(case["p"])) - len(case["p"]))
    for name, expected in case["adjusted"].items():
        adjusted = adjust(case["p"] + padding, name.lower())[: len(case["p"])]
        assert adjusted == pytest.approx(np.array(expected), rel=1e-9, abs=0.0)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
def test_range_quantiles_are_those_of_thirty_digit_arithmetic(alpha):
    for case in load("nemenyi_q"):
        if case["alpha"] == alpha and case["k"] in (2, 3, 6, 20):
            assert_agrees(exact.range_quantile(alpha, case["k"]), case["q_inf"])
            assert_agrees(exact.range_pvalue(case["q_inf"], case["k"]), alpha)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
def test_with_one_comparison_the_control_quantile_is_bonferronis_and_with_more_below(alpha):
    dunn = {case["k"]: np.sqrt(2) * case["bonferroni_dunn_z"] for case in load("nemenyi_q") if case["alpha"] == alpha}
    assert exact.control_quantile(alpha, 2) == pytest.approx(dunn[2], rel=1e-9)
    assert all(exact.control_quantile(alpha, k) < dunn[k] for k in (3, 6, 20))


def test_the_control_tail_is_that_of_the_bivariate_normal_with_correlation_one_half():
    value = 2.2 * np.sqrt(2)
    law = stats.multivariate_normal([0, 0], [[2, 1], [1, 2]])
    inside = law.cdf([value, value], lower_limit=[-value, -value])
    assert exact.control_pvalue(value, 3) == pytest.approx(1 - inside, abs=1e-6)
