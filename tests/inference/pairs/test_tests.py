"""Every test of `compare` on skewed, ragged runs: its p-value, whom it finds better, and what a change of names or units does."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.pairs import PAIR_TESTS
from tests.reference import blocked, two_sample

X, Y = [1.2, 3.4, 1.9, 8.8], [0.7, 1.5, 1.1, 1.9, 2.2]  # one tie between the two
TASKS = [[1.2, 3.4, 8.8], [0.1, 0.5, 0.6]], [[0.7, 1.5], [0.2, 0.9, 0.3, 7.0]]
KNOWN = {name: test.about for name, test in PAIR_TESTS.items() if test.about is not None}
OF_RATES = ("boschloo", "miettinen_nurminen")
"""Tests of scores 0 and 1: test_rates."""
OF_MEANS = tuple(name for name, about in KNOWN.items() if about.compares == "means" and name not in OF_RATES)
OF_RANKS = tuple(name for name, about in KNOWN.items() if about.by_rank)
BLOCKED = ("mack_skillings", "van_elteren", "stratified_permutation", "studentized_permutation", "welch")
SIGNED = tuple(sorted({*OF_MEANS, *OF_RANKS, "yuen"} - {"mann_whitney", "mack_skillings"}))
"""Tests whose statistic is positive where the first is ahead; U is a count, and that of Mack and Skillings a square."""


LOOSE = 0.79
"""An alpha at which almost everything is a difference, so that a verdict shows the direction."""


def pair(a, b, **options):
    """The comparison of A with B; each is the runs of one task, or a list of runs by task."""
    cells = [
        {f"task {t}": c for t, c in enumerate(side if isinstance(side[0], list) else [list(side)])} for side in (a, b)
    ]
    settings = {"n_resamples": 2_000} | options
    return ro.compare(ro.Scores.from_dict({"A": cells[0], "B": cells[1]}), **settings).pairs[0]


BLOCKED_TWINS = {
    "mack_skillings": two_sample.of_all_relabellings(two_sample.centred_u),
    "van_elteren": two_sample.of_all_relabellings(two_sample.centred_u),
    "stratified_permutation": two_sample.of_all_relabellings(two_sample.mean_difference),
}
EXPECTED = {name: twin for name, twin in two_sample.TWO_SIDED.items() if name in PAIR_TESTS} | BLOCKED_TWINS


@pytest.mark.parametrize("test", EXPECTED)
def test_on_one_task_the_p_value_is_that_of_scipy_or_of_all_relabellings(test):
    assert pair(X, Y, test=test).pvalue == pytest.approx(EXPECTED[test](X, Y))


def test_yuens_p_value_is_scipys_with_a_tenth_trimmed_at_each_end():
    x, y = np.geomspace(1, 50, 21), np.geomspace(0.5, 9, 12)
    expected = stats.ttest_ind(x, y, equal_var=False, trim=0.1).pvalue
    assert pair(x, y, test="yuen").pvalue == pytest.approx(expected)


@pytest.mark.slow
def test_the_bootstrap_test_is_that_of_all_resamples_within_four_errors():
    result, expected = pair(X, Y[:3], test="bootstrap", n_resamples=10_000), two_sample.studentized_bootstrap_pvalue
    assert abs(result.pvalue - expected(X, Y[:3])[2]) < 4 * result.pvalue_error


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("mack_skillings", lambda cells: blocked.exact_pvalue(cells)),
        ("van_elteren", lambda cells: blocked.exact_pvalue(cells, lambda q: blocked.Fraction(1, q + 1))),
        ("stratified_permutation", lambda cells: blocked.stratified_pvalue(cells, blocked.mean_difference)),
        ("studentized_permutation", lambda cells: blocked.stratified_pvalue(cells, blocked.studentised_difference)),
    ],
)
def test_on_ragged_tasks_the_p_value_is_that_of_all_relabellings_within_tasks(test, expected):
    assert pair(*TASKS, test=test).pvalue == pytest.approx(expected(list(TASKS)))


# ── whom it finds better ──────────


AHEAD_BY_MEAN, AHEAD_BY_RANK = [3.0, 4.0, 4.5, 5.5, 60.0, 100.0], [5.0, 6.0, 7.0, 8.0, 9.0, 10.0]


@pytest.mark.parametrize("test", OF_MEANS)
def test_a_test_of_means_finds_the_higher_mean_better_whatever_the_ranks(test):
    assert pair(AHEAD_BY_MEAN, AHEAD_BY_RANK, test=test, alpha=LOOSE).verdict == "a_better"
    assert pair(AHEAD_BY_RANK, AHEAD_BY_MEAN, test=test, alpha=LOOSE).verdict == "b_better"


@pytest.mark.parametrize("test", OF_RANKS)
def test_a_rank_test_finds_better_whose_runs_win_more_often_whatever_the_means(test):
    assert pair(AHEAD_BY_MEAN, AHEAD_BY_RANK, test=test, alpha=LOOSE).verdict == "b_better"
    assert pair(AHEAD_BY_RANK, AHEAD_BY_MEAN, test=test, alpha=LOOSE).verdict == "a_better"


def test_yuens_test_finds_the_higher_trimmed_mean_better_whatever_the_means():
    high, low = [1.0 + i / 100 for i in range(20)], [i / 100 for i in range(19)] + [100.0]
    assert pair(high, low, test="yuen").statistic > 0
    assert pair(high, low, test="yuen").verdict == "a_better"


@pytest.mark.parametrize("test", ["welch", "studentized_permutation", "stratified_permutation"])
def test_over_tasks_a_test_of_means_finds_better_whose_mean_over_tasks_is_higher(test):
    often, seldom = [[2.0, 3.0, 4.0, 5.0], [2.1, 3.3, 4.4]], [[1.0, 2.0, 3.0], [-50.0, -40.0, 6.0, 7.0, 8.0, 9.0]]
    assert pair(often, seldom, test=test, alpha=LOOSE).verdict == "a_better"
    assert pair(seldom, often, test=test, alpha=LOOSE).verdict == "b_better"


FEW_WON, MANY_LOST = (
    [[10.0, 11.0, 12.0], [float(i) for i in range(10)]],
    [[1.0, 2.0, 3.0], [i + 0.9 for i in range(10)]],
)


def test_a_blocked_rank_test_finds_better_whose_rank_sums_are_higher_once_each_task_weighs_one_over_its_runs():
    ranks = blocked.ranked([FEW_WON, MANY_LOST])
    weighted, plain = (blocked.weighted_sums(ranks, w)[0] for w in (lambda q: blocked.Fraction(1, q), lambda q: 1))
    assert weighted > 0 > plain  # the design tells the two apart
    assert pair(FEW_WON, MANY_LOST, test="mack_skillings", alpha=LOOSE).verdict == "a_better"
    assert pair(MANY_LOST, FEW_WON, test="mack_skillings", alpha=LOOSE).verdict == "b_better"


def test_van_elterens_test_finds_better_whose_deviate_is_higher():
    often = [[1.0]] * 83 + [list(range(20))] * 4
    seldom = [[0.0]] * 83 + [list(range(100, 120))] * 4
    result = pair(often, seldom, test="van_elteren")
    assert result.pvalue < 0.05
    assert result.statistic < 0
    assert result.verdict == "b_better"


@pytest.mark.parametrize("test", SIGNED)
def test_the_verdict_has_the_sign_of_the_statistic(test):
    rng = np.random.default_rng(0)
    for _ in range(3):
        result = pair(rng.lognormal(size=6), rng.lognormal(size=4), test=test, alpha=LOOSE, n_resamples=200)
        expected = "a_better" if result.statistic > 0 else "b_better"
        assert result.verdict == ("no_difference_found" if result.pvalue > LOOSE else expected)


# ── other names, other units ──────────


@pytest.mark.parametrize("test", [*EXPECTED, "yuen", "bootstrap"])
def test_swapping_the_two_mirrors_verdict_difference_and_interval_and_keeps_p(test):
    there, back = pair(X, Y, test=test, alpha=LOOSE), pair(Y, X, test=test, alpha=LOOSE)
    assert {there.verdict, back.verdict} == {"a_better", "b_better"}
    error = 4 * np.hypot(there.pvalue_error, back.pvalue_error)
    assert there.pvalue == pytest.approx(back.pvalue, abs=max(error, 1e-12))
    assert (there.difference, there.improvement) == pytest.approx((-back.difference, 1 - back.improvement))
    assert (there.difference_low, there.difference_high) == pytest.approx((-back.difference_high, -back.difference_low))


def in_units(here, there, scale):
    """Assert that what has the unit of the scores is `scale` times as large, and that the detectable difference is a t test's only."""
    for field in ("difference", "difference_low", "difference_high", "detectable_difference"):
        before, after = getattr(here, field), getattr(there, field)
        powerless = KNOWN[here.test].compares != "means" or here.test == "bootstrap"
        assert (before is None) == (field == "detectable_difference" and powerless)
        assert after is None if before is None else after == pytest.approx(scale * before)


@pytest.mark.parametrize("test", [*EXPECTED, "yuen", "bootstrap"])
@pytest.mark.parametrize(("scale", "shift"), [(1000.0, 0.0), (1.0, 64.0)])
def test_scores_in_thousandths_or_from_another_zero_keep_p_and_scale_the_difference(test, scale, shift):
    here, there = pair(X, Y, test=test), pair([scale * x + shift for x in X], [scale * y + shift for y in Y], test=test)
    assert there.pvalue == pytest.approx(here.pvalue, rel=1e-9)
    in_units(here, there, scale)
    for field in ("improvement", "improvement_low", "improvement_high", "verdict"):
        assert getattr(there, field) == getattr(here, field)


@pytest.mark.parametrize("test", BLOCKED)
@pytest.mark.parametrize(("scale", "shift"), [(1000.0, 0.0), (1.0, 64.0)])
def test_over_tasks_other_units_keep_p_and_scale_the_difference(test, scale, shift):
    other = [[[scale * x + shift for x in cell] for cell in cells] for cells in TASKS]
    here, there = pair(*TASKS, test=test), pair(*other, test=test)
    assert there.pvalue == pytest.approx(here.pvalue, rel=1e-9)
    in_units(here, there, scale)


@pytest.mark.parametrize("alpha", [0.81, 0.95])
def test_a_level_above_the_power_of_eighty_per_cent_is_answered(alpha):
    assert pair(X, Y, alpha=alpha).verdict == "a_better"


def test_of_one_task_the_chance_has_the_test_whose_p_value_it_is():
    jackknife, auto = (pair(X, Y, measure="improvement", test=test) for test in ("jackknife", "auto"))
    assert jackknife.test == "mann_whitney"
    assert jackknife == auto


@pytest.mark.parametrize("test", ["jackknife", "studentized_permutation", "welch"])
def test_a_test_by_the_spread_of_runs_leaves_out_the_tasks_of_a_single_run(test):
    whole = pair([[1.0, 2.0], [3.0, 4.0], [5.0]], [[2.0, 3.0], [5.0, 5.5], [1.0, 2.0]], measure="mean", test=test)
    rest = pair([[1.0, 2.0], [3.0, 4.0]], [[2.0, 3.0], [5.0, 5.5]], measure="mean", test=test)
    assert (whole.n_tasks, whole.left_out, rest.left_out) == (2, ("task 2",), ())
    assert (whole.pvalue, whole.own_low, whole.own_high) == (rest.pvalue, rest.own_low, rest.own_high)


def test_where_no_task_has_spread_welch_gives_the_share_of_relabellings_as_far_apart():
    """D13: one such pair must not refuse the family; runs that vary by rounding alone have none."""
    noisy = [[0.1 + 0.2, 0.3, 0.3], [0.0, 0.0, 0.0]]
    result = pair(noisy, [[0.6, 0.6, 0.6], [0.0, 0.0, 0.0]], test="welch")
    assert (result.test, result.method, result.pvalue) == ("welch", "exact", pytest.approx(2 / 20))


def test_a_one_task_test_over_tasks_names_all_tests_that_can():
    with pytest.raises(
        ro.DesignError,
        match="use jackknife, mack_skillings, van_elteren, stratified_permutation, welch or studentized_permutation, or",
    ):
        pair([[1.0, 2.0], [3.0, 4.0]], [[2.0, 3.0], [5.0, 6.0]], test="yuen")


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ("welch", "Welch's test of 'A' and 'B' needs"),
        ("studentized_permutation", "the studentised permutation test of 'A'"),
    ],
)
def test_a_single_run_is_refused_by_the_name_of_the_test(test, words):
    with pytest.raises(ro.DesignError, match=words):
        pair([[1.0], [3.0, 4.0]], [[2.0, 3.0], [5.0]], test=test)


def test_the_hypotheses_of_welchs_test_over_tasks_are_of_means():
    result = pair(*TASKS, test="welch")
    assert (result.null, result.alternative) == ("the mean scores, averaged over tasks, are equal", "they differ")


def test_the_interval_of_a_relabelling_test_says_what_the_test_says_at_the_same_level():
    a, b = [5.0, 6.0, 7.0, 8.0, 9.0, 40.0], [1.0, 1.5, 2.0, 2.5, 3.0, 3.5]
    result = pair(a, b, test="permutation")
    assert (result.verdict, result.difference_low < 0 < result.own_low) == ("a_better", True)
    assert "“no difference”" not in result.sentence


@pytest.mark.parametrize(("rates", "offered"), [(False, False), (True, True)])
def test_a_test_of_one_task_offers_the_score_where_scores_are_rates(rates, offered):
    cells = [[0.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 1.0]] if rates else [[0.5, 1.0, 3.0, 2.0], [1.0, 1.5, 4.0, 2.0]]
    data = {name: {"s": cells[0], "t": cells[1]} for name in "AB"}
    with pytest.raises(ro.DesignError) as refusal:
        ro.compare(data, test="yuen")
    assert ("miettinen_nurminen" in str(refusal.value)) == offered
