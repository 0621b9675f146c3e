"""The shape of runs against SciPy, and runs in two groups."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

from runoff._inference.groups import ONE_GROUP, best_split, flat, standardised, two_groups
from runoff._inference.shape import shape_of, skew_score

RNG = np.random.default_rng(3)
CELLS = [draw(n) for n in (8, 9, 20, 100, 3000) for draw in (RNG.standard_normal, RNG.standard_exponential)]


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.size)
def test_tests_of_normality_are_scipys(cell):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = stats.normaltest(cell).pvalue, stats.shapiro(cell).pvalue
    shape = shape_of(50 + 3 * cell)
    assert (shape.normality_pvalue, shape.shapiro_pvalue) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.size)
def test_moments_are_scipys_bias_corrected_ones(cell):
    shape = shape_of(cell)
    assert shape.skewness == pytest.approx(stats.skew(cell, bias=False))
    assert shape.kurtosis == pytest.approx(stats.kurtosis(cell, bias=False))


@pytest.mark.parametrize("cell", [[1.0, 2.0, 3.0], [0.1, 0.2, 0.3, 0.4], [1e9, 1e9 + 1, 1e9 + 2]])
def test_runs_that_lie_evenly_about_their_mean_have_no_skewness(cell):
    assert shape_of(np.array(cell)).skewness == 0.0


def test_a_skewness_of_zero_scores_zero_where_scipy_scores_one():
    assert skew_score(standardised(np.array([-3.0, -2, -1, -1, 1, 1, 2, 3]))) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("cell", [[1.0], [2.0, 2.0, 2.0], [0.1 + 0.2, 0.3, 0.3], [1.0, 2.0]])
def test_few_or_equal_runs_have_no_shape_and_no_nan(cell):
    shape = shape_of(np.array(cell))
    assert shape.normality_pvalue is shape.within_groups is shape.skewness is None
    assert flat(np.array([0.1 + 0.2, 0.3]))


def test_each_number_appears_from_the_runs_it_needs():
    expected = {n: shape_of(np.arange(n) ** 2.0) for n in (3, 4, 7, 8)}
    assert [expected[n].skewness is None for n in expected] == [False] * 4
    assert [expected[n].within_groups is None for n in expected] == [True, True, True, False]
    assert [expected[n].normality_pvalue is None for n in expected] == [True, True, True, False]


def test_shapiro_is_not_told_beyond_5000_runs():
    assert shape_of(RNG.standard_normal(5001)).shapiro_pvalue is None


@pytest.mark.parametrize(
    ("cell", "judged"), [([1.0, 1.0, 3.0], False), ([1.0, 3.0, 3.0, 3.0], False), ([1.0, 2.0, 3.0], True)]
)
def test_runs_with_two_different_scores_have_no_shapiro_and_wilk(cell, judged):
    assert (shape_of(np.array(cell)).shapiro_pvalue is not None) == judged


# ── runs in two groups ──────────


def normal_quantiles(mean, scale, n):
    return mean + scale * stats.norm.ppf((np.arange(n) + 0.5) / n)


def failing(rng, n, share=0.3):
    """Return runs that are 20 standard deviations lower with such a chance."""
    return 20 * (rng.random(n) > share) + rng.normal(size=n)


@pytest.mark.parametrize(("n", "seen"), [(8, 0.74), (10, 0.85)])
def test_seeds_that_fail_are_seen_with_eight_and_ten_runs(n, seen):
    rng = np.random.default_rng(n)
    assert np.mean([two_groups(failing(rng, n)) is not None for _ in range(2000)]) == pytest.approx(seen, abs=0.04)


@pytest.mark.parametrize(
    ("law", "most"),
    [
        (np.random.Generator.standard_normal, 0.004),
        (np.random.Generator.random, 0.014),
        (np.random.Generator.standard_exponential, 0.014),
        (lambda rng, size: rng.lognormal(size=size), 0.024),
    ],
)
@pytest.mark.parametrize(
    ("n", "n_samples"), [(8, 1_000), *(pytest.param(n, 20_000, marks=pytest.mark.slow) for n in (8, 10))]
)
def test_one_group_is_seldom_taken_for_two(n, n_samples, law, most):
    samples = law(np.random.default_rng(n), (n_samples, n))
    assert np.mean([two_groups(runs) is not None for runs in samples]) <= most


@pytest.mark.parametrize("n", [8, 11, 20, 37])
def test_the_best_split_is_that_of_the_slow_twin(n):
    cell = RNG.standard_t(3, n)
    share, lower = best_split(cell)
    least = max(2, -(-n // 10))
    sides = {k: (np.sort(cell)[:k], np.sort(cell)[k:]) for k in range(least, n - least + 1)}
    left = {k: sum(((side - side.mean()) ** 2).sum() for side in both) for k, both in sides.items()}
    best = min(left, key=left.get)
    assert (share, lower) == (pytest.approx(left[best] / ((cell - cell.mean()) ** 2).sum(), rel=1e-9), best)


@pytest.mark.slow
@pytest.mark.parametrize("n", ONE_GROUP)
def test_the_critical_shares_are_exceeded_in_one_percent_of_the_worst_of_four_laws(n):
    rng, repeats = np.random.default_rng(n), min(20_000, 2_000_000 // n)
    draws = [rng.standard_normal, rng.random, rng.standard_exponential, lambda size: rng.standard_t(3, size)]
    rates = [np.mean([best_split(runs)[0] < ONE_GROUP[n] for runs in draw((repeats, n))]) for draw in draws]
    assert max(rates) == pytest.approx(0.01, abs=4 * (0.01 / repeats) ** 0.5)


@pytest.mark.parametrize(("n", "fewest"), [(8, 2), (10, 2), (30, 3)])
def test_the_smallest_group_is_seen_at_either_end(n, fewest):
    cell = np.concatenate([RNG.normal(0, 0.1, n - fewest), RNG.normal(20, 0.1, fewest)])
    assert two_groups(cell) == (n - fewest, fewest)
    assert two_groups(-cell) == (fewest, n - fewest)


def test_both_groups_are_counted_and_a_long_tail_is_none():
    rng = np.random.default_rng(5)
    assert two_groups(np.concatenate([rng.normal(0, 1, 12), rng.normal(9, 1, 8)])) == (12, 8)
    assert two_groups(np.array([0.0] * 3 + [1.0] * 7)) == (3, 7)
    assert two_groups(np.array([0.0, 0.01, 0.02, 5.0, 5.01, 5.02, 5.03])) is two_groups(np.full(9, 0.3)) is None


@pytest.mark.parametrize(("separate", "two"), [(4.0, False), (8.0, True)])
def test_a_shoulder_that_hardly_dips_before_the_lower_peak_is_no_second_hump(separate, two):
    assert bool(two_groups(np.concatenate([normal_quantiles(0, 1, 300), normal_quantiles(separate, 1.4, 100)]))) == two


def test_humps_less_than_four_of_ashmans_units_apart_are_two():
    runs = np.concatenate([normal_quantiles(0, 1, 200), normal_quantiles(3.4, 0.7, 200)])
    assert 3.4 / np.sqrt((1 + 0.7**2) / 2) < 4
    assert two_groups(runs)


def test_a_few_runs_apart_are_outliers_and_no_second_group():
    assert not two_groups(np.concatenate([normal_quantiles(0, 1, 372), normal_quantiles(14, 1, 28)]))
    assert two_groups(np.concatenate([normal_quantiles(0, 1, 340), normal_quantiles(14, 1, 60)]))
