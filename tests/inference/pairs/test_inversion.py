"""The interval of a test by name is its inversion: it leaves out the differences that the test rejects, and no others."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.pairs import INVERTED
from tests.amount import amounts

FAST = {"n_resamples": 1_000, "measure": "mean"}
OVER_TASKS = ["welch", "studentized_permutation", "stratified_permutation"]


def drawn(seed, n_algorithms=2, n_tasks=1, n=5):
    rng = np.random.default_rng(seed)
    return {
        f"A{a}": {f"t{t}": rng.normal(t + 0.8 * a, 1, n + seed % 3).tolist() for t in range(n_tasks)}
        for a in range(n_algorithms)
    }


def leaves_out(low, high, value=0.0):
    return low is not None and not low <= value <= high


def said_twice(result):
    """Return what intervals say of each pair, and what p-values say."""
    by_interval = [(leaves_out(pair.own_low, pair.own_high), leaves_out(pair.low, pair.high)) for pair in result.pairs]
    return by_interval, [(pair.pvalue <= 0.05, pair.pvalue_adjusted <= 0.05) for pair in result.pairs]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("n_seeds", [2, pytest.param(20, marks=pytest.mark.slow)])
@pytest.mark.parametrize("test", sorted(INVERTED))
def test_the_interval_leaves_0_out_exactly_where_the_test_rejects_it(test, n_seeds):
    for seed in range(n_seeds):
        intervals, tests = said_twice(ro.compare(ro.Scores.from_dict(drawn(seed, 3)), test=test, **FAST))
        assert intervals == tests


@pytest.mark.parametrize("n_seeds", amounts(1, 3, 10))
@pytest.mark.parametrize("test", OVER_TASKS)
def test_so_it_does_over_tasks(test, n_seeds):
    for seed in range(n_seeds):
        intervals, tests = said_twice(ro.compare(ro.Scores.from_dict(drawn(seed, 3, 3, 3)), test=test, **FAST))
        assert intervals == tests


@pytest.mark.parametrize("test", ["student", "welch", "permutation", "studentized_permutation"])
def test_a_difference_within_the_interval_is_not_rejected_and_a_difference_beyond_it_is(test):
    data = drawn(1)
    (pair,) = ro.compare(ro.Scores.from_dict(data), test=test, **FAST).pairs
    half = (pair.own_high - pair.own_low) / 2
    for end, sign in ((pair.own_low, -1), (pair.own_high, 1)):
        for step, rejected in ((-0.02, False), (0.02, True)):
            by = end + sign * step * half
            moved = {"A0": {"t0": [x - by for x in data["A0"]["t0"]]}, "A1": data["A1"]}
            assert (ro.compare(ro.Scores.from_dict(moved), test=test, **FAST).pairs[0].pvalue <= 0.05) == rejected


def test_welchs_is_the_interval_of_the_t_law():
    data = drawn(4)
    (pair,) = ro.compare(ro.Scores.from_dict(data), test="welch", **FAST).pairs
    x, y = data["A0"]["t0"], data["A1"]["t0"]
    ends = stats.ttest_ind(x, y, equal_var=False).confidence_interval(0.95)
    assert (pair.own_low, pair.own_high) == pytest.approx(tuple(ends), rel=1e-8)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("test", OVER_TASKS)
def test_the_pair_the_other_way_round_has_the_same_interval_turned(test):
    scores = ro.Scores.from_dict(drawn(2, n_tasks=2, n=3))
    (pair,) = ro.compare(scores, test=test, **FAST).pairs
    (turned,) = ro.compare(scores.select(algorithms=["A1", "A0"]), test=test, **FAST).pairs
    assert (turned.own_low, turned.own_high) == pytest.approx((-pair.own_high, -pair.own_low), rel=1e-9)


@pytest.mark.parametrize(
    ("x", "y", "test"),
    [
        ([1.0, 2.0, 3.0], [7.0, 8.0, 9.0], "studentized_permutation"),
        ([1.0] * 6, [2.0] * 6, "permutation"),
        ([1.0] * 6, [2.0] * 6, "welch"),
    ],
)
def test_there_is_no_interval_where_no_runs_are_rare_enough_or_none_differ(x, y, test):
    (pair,) = ro.compare(ro.Scores.from_dict({"A": x, "B": y}), test=test, **FAST).pairs
    assert (pair.own_low, pair.own_high) == (None, None)


def test_large_scores_with_small_differences_end_the_search():
    rng = np.random.default_rng(0)
    x, y = (1e9 + 2.0**-23 * rng.integers(low, low + 3, 8) for low in (0, 1))
    (pair,) = ro.compare(ro.Scores.from_dict({"A": x, "B": y}), test="studentized_permutation", **FAST).pairs
    assert -1e-6 < pair.own_low < pair.estimate < pair.own_high < 1e-6


@pytest.mark.parametrize("test", ["welch", "student"])
def test_success_rates_differ_by_one_at_most(test):
    (pair,) = ro.compare({"A": [1.0, 1.0, 0.0], "B": [0.0, 0.0, 1.0]}, test=test, **FAST).pairs
    assert -1.0 <= pair.own_low < pair.estimate < pair.own_high == 1.0


@pytest.mark.parametrize(("alpha", "there"), [(0.05, False), (0.09, False), (0.1, True), (0.2, True)])
def test_three_runs_a_side_have_an_interval_from_the_level_of_their_rarest_order_on(alpha, there):
    """One of C(6, 3) = 20 orders is the rarest on either side: 2/20."""
    data = {"A": [1.0, 2.0, 3.0], "B": [7.0, 8.0, 9.5], "C": [20.0, 21.0, 22.0]}
    for pair in ro.compare(data, test="permutation", correction="bonferroni", alpha=alpha, **FAST).pairs:
        assert pair.pvalue == pytest.approx(0.1)
        assert (pair.own_low is not None) == leaves_out(pair.own_low, pair.own_high) == there
