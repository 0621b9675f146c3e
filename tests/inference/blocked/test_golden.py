"""Blocked tests against independent software: closed forms and exact nulls to 1e-9, sampled ones within 4 standard errors."""

import json
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from runoff._inference.blocked import ranges
from runoff._inference.blocked.registry import run_blocked
from runoff._inference.family.corrections import adjust
from runoff.errors import DesignError, OptionError
from tests.places import GOLDEN
from tests.reference.blocked import flat


def load(name):
    return json.loads((GOLDEN / f"{name}.json").read_text())


def cases(name, **wanted):
    chosen = [case for case in load(name) if all(case.get(key) == value for key, value in wanted.items())]
    return [pytest.param(case, id=str(case.get("name", i))) for i, case in enumerate(chosen)]


def cells_of(case):
    """Cells [algorithm][task] of an oracle's data."""
    k, n = case.get("k_treatments"), case.get("n_blocks")
    if case.get("kind") == "equal_c":
        return [[case["data"][t][a] for t in range(n)] for a in range(k)]
    if "y" in case:
        rows = list(zip(case["y"], case["block"], case["treatment"], strict=True))
        return [[[y for y, b, a in rows if (b, a) == (t, j)] for t in range(n)] for j in range(k)]
    if "strata" in case:
        return [[s["x"] for s in case["strata"]], [s["y"] for s in case["strata"]]]
    return [[[] if row[a] is None else [row[a]] for row in case["data"]] for a in range(len(case["data"][0]))]


def assert_agrees(value, expected, rel=1e-9):
    assert value == pytest.approx(expected, rel=rel, abs=1e-13)


def assert_within_error(outcome, expected, error):
    assert abs(outcome.pvalue - expected) <= 4 * np.hypot(outcome.pvalue_error, error) + 1 / outcome.n_resamples


def exact_or_none(name, storage, **options):
    try:
        return run_blocked(name, *storage, method="exact", **options).pvalue
    except DesignError:
        return None


@pytest.mark.parametrize("case", cases("mack_skillings", kind="equal_c"))
def test_mack_skillings_of_balanced_designs_is_that_of_coin_and_mustat(case):
    expected, outcome = case["expected"], run_blocked("mack_skillings", *flat(cells_of(case)), method="asymptotic")
    assert_agrees(outcome.statistic, expected["statistic_tie_corrected"])
    assert_agrees(outcome.pvalue, expected["p_chi2_tie_corrected"])
    ascending = np.array(expected["S_j"])
    runs = case["k_treatments"] * len(cells_of(case)[0][0])
    assert_agrees(np.array(outcome.rank_sums), case["n_blocks"] * (runs + 1) - ascending)


@pytest.mark.parametrize("case", cases("mack_skillings", kind="equal_c"))
def test_mack_skillings_exact_p_of_balanced_designs_is_that_of_full_enumeration(case):
    expected, found = case["expected"], exact_or_none("mack_skillings", flat(cells_of(case)))
    known = expected.get("exact_p", expected.get("exact_p_fft"))
    if found is None:
        assert case["k_treatments"] > 2
    else:
        assert_agrees(found, known)


@pytest.mark.parametrize("case", cases("mack_skillings"))
def test_mack_skillings_monte_carlo_p_is_within_its_error(case):
    expected = case["expected"].get("mack_skillings", case["expected"])
    outcome = run_blocked("mack_skillings", *flat(cells_of(case)), method="monte_carlo", n_resamples=5_000)
    assert_within_error(outcome, expected.get("mc_p", expected.get("mc_p_tie_corrected")), expected["mc_se"])


@pytest.mark.parametrize("case", cases("mack_skillings", kind="general_unequal_c"))
def test_mack_skillings_of_unequal_counts_uses_weights_one_over_q(case):
    expected, storage = case["expected"]["mack_skillings"], flat(cells_of(case))
    outcome = run_blocked("mack_skillings", *storage, method="asymptotic")
    assert_agrees(outcome.statistic, expected["statistic_tie_corrected"])
    assert_agrees(outcome.pvalue, expected["p_chi2_tie_corrected"])
    assert outcome.df == expected["df"]
    found = exact_or_none("mack_skillings", storage)
    if found is not None and "exact_p_corrected" in expected:
        assert_agrees(found, expected["exact_p_corrected"])


@pytest.mark.parametrize("case", cases("exact_null"))
def test_the_whole_null_distribution_is_that_of_brute_force(case):
    from runoff._inference.blocked.design import gather, quadratic_form, reciprocal
    from runoff._inference.blocked.exact import distribution

    k, n, c = case["k"], case["n"], case["c"]
    untied = np.tile(np.arange(k * c).reshape(k, 1, c), (1, n, 1)).tolist()
    blocks = gather(*flat(untied))
    found = distribution(blocks, quadratic_form(blocks, reciprocal(0)))
    keys = np.flatnonzero(found.mass)
    digits = np.stack(np.unravel_index(keys, tuple(found.lattice.radix.ravel()), order="F"), axis=1)
    free = found.base + found.lattice.steps[0] * digits
    squares = (free**2).sum(axis=1) + free.sum(axis=1) ** 2
    scale = Fraction(3, c * c * k * (c * k + 1) * n)
    for value, probability in case["distribution"]:
        chosen = squares == Fraction(value) / scale
        assert_agrees(found.mass[keys[chosen]].sum(), float(Fraction(probability)))


@pytest.mark.parametrize("case", cases("skillings_mack"))
def test_skillings_mack_is_that_of_its_r_packages_with_ties_corrected(case):
    expected, storage = case["expected"], flat(cells_of(case))
    outcome = run_blocked("skillings_mack", *storage, method="asymptotic")
    assert_agrees(outcome.statistic, expected["statistic_tie_corrected"])
    assert outcome.df == expected["df_rank"]
    found = exact_or_none("skillings_mack", storage)
    if found is not None:
        assert_agrees(found, expected["exact_p_tie_corrected_statistic"])
    assert (found is None) == ("exact_p" not in expected)
    drawn = run_blocked("skillings_mack", *storage, method="monte_carlo", n_resamples=5_000)
    if expected["statistic"] == expected["statistic_tie_corrected"]:
        assert_within_error(drawn, expected["mc_p"], expected["mc_se"])


@pytest.mark.parametrize("case", cases("friedman"))
def test_friedman_and_iman_davenport_are_those_of_r_and_scipy(case):
    expected, storage = case["expected"], flat(cells_of(case))
    outcome = run_blocked("friedman", *storage, method="asymptotic")
    assert_agrees(outcome.statistic, expected["statistic"] or 0.0)
    assert_agrees(outcome.pvalue, 1.0 if expected["p_chi2"] is None else expected["p_chi2"])
    assert_agrees(np.array(outcome.mean_ranks), np.array(expected["mean_ranks_descending"]))
    ratio = run_blocked("iman_davenport", *storage, method="asymptotic")
    assert_agrees(ratio.statistic, expected["iman_davenport_F"] or 0.0)
    assert_agrees(ratio.pvalue, 1.0 if expected["iman_davenport_p"] is None else expected["iman_davenport_p"])
    found = exact_or_none("friedman", storage)
    if found is not None and "exact_p" in expected:
        assert_agrees(found, expected["exact_p"])


@pytest.mark.parametrize("case", cases("van_elteren"))
@pytest.mark.parametrize(
    ("alternative", "ending"), [("two-sided", "two_sided"), ("greater", "greater_x"), ("less", "less_x")]
)
def test_van_elteren_is_that_of_coin_in_both_directions(case, alternative, ending):
    expected, storage = case["expected"]["van_elteren"], flat(cells_of(case))
    outcome = run_blocked("van_elteren", *storage, method="asymptotic", alternative=alternative)
    assert_agrees(outcome.statistic, expected["z_tie_corrected"])
    assert_agrees(outcome.pvalue, expected[f"p_normal_{ending}"])
    if expected.get(f"exact_p_{ending}") is not None:
        assert_agrees(exact_or_none("van_elteren", storage, alternative=alternative), expected[f"exact_p_{ending}"])


@pytest.mark.parametrize("case", cases("multiplicity"))
def test_adjusted_p_values_are_those_of_r(case):
    if None in case["p"]:
        with pytest.raises(OptionError, match=r"must lie in \[0, 1\]"):
            adjust([np.nan if p is None else p for p in case["p"]], "holm")
        return
    padding = [1.0] * (10 - len(case["p"])) if case["name"] == "n_argument_10" else []
    for name, expected in case["adjusted"].items():
        assert_agrees(adjust(case["p"] + padding, name.lower())[: len(case["p"])], np.array(expected))


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
def test_range_quantiles_are_those_of_thirty_digit_arithmetic(alpha):
    for case in load("nemenyi_q"):
        if case["alpha"] == alpha and case["k"] in (2, 3, 6, 20):
            assert_agrees(ranges.range_quantile(alpha, case["k"]), case["q_inf"])
            assert_agrees(ranges.range_pvalue(case["q_inf"], case["k"]), alpha)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
def test_with_one_comparison_the_control_quantile_is_bonferronis_and_with_more_below(alpha):
    dunn = {case["k"]: np.sqrt(2) * case["bonferroni_dunn_z"] for case in load("nemenyi_q") if case["alpha"] == alpha}
    assert ranges.control_quantile(alpha, 2) == pytest.approx(dunn[2], rel=1e-9)
    assert all(ranges.control_quantile(alpha, k) < dunn[k] for k in (3, 6, 20))


def test_the_control_tail_is_that_of_the_bivariate_normal_with_correlation_one_half():
    value = 2.2 * np.sqrt(2)
    law = stats.multivariate_normal([0, 0], [[2, 1], [1, 2]])
    inside = law.cdf([value, value], lower_limit=[-value, -value])
    assert ranges.control_pvalue(value, 3) == pytest.approx(1 - inside, abs=1e-6)
