"""The shape of runs against SciPy, the triples test against its definition, and components of variance that are never negative."""

from __future__ import annotations

import warnings
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.shape import (
    ONE_GROUP,
    Together,
    best_split,
    flat,
    shape_of,
    skew_score,
    standardised,
    symmetry_pvalue,
    together,
    two_groups,
)

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


# ── the triples test ──────────


def triple(a, b, c):
    return (np.sign(a + b - 2 * c) + np.sign(a + c - 2 * b) + np.sign(b + c - 2 * a)) / 3


def by_definition(x):
    """Randles et al. 1980: every triple, one after the other."""
    n = len(x)
    f = {frozenset(t): triple(*(x[i] for i in t)) for t in combinations(range(n), 3)}
    eta = np.mean(list(f.values()))
    alone = [np.mean([v for t, v in f.items() if i in t]) for i in range(n)]
    pairs = [np.mean([v for t, v in f.items() if i in t and j in t]) for i, j in combinations(range(n), 2)]
    parts = np.mean((np.array(alone) - eta) ** 2), np.mean((np.array(pairs) - eta) ** 2), 1 / 9 - eta**2
    weights = 3 * (n - 3) * (n - 4) / 2, 3 * (n - 3), 1
    variance = np.dot(weights, parts) / (n * (n - 1) * (n - 2) / 6)
    return 2 * stats.t.sf(abs(eta) / np.sqrt(variance), n - 3)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("levels", [None, 3])
def test_the_p_value_is_that_of_every_triple(seed, levels):
    x = np.random.default_rng(seed).lognormal(size=9)
    x = x if levels is None else np.round(levels * x)
    assert symmetry_pvalue(x) == pytest.approx(by_definition(x))
    assert symmetry_pvalue(7 - 2 * x) == pytest.approx(symmetry_pvalue(x))


@pytest.mark.parametrize(
    "draw", [lambda rng: rng.normal(size=20), lambda rng: rng.standard_t(3, 20), lambda rng: rng.random(20)]
)
@pytest.mark.parametrize("n_samples", [250, pytest.param(4_000, marks=pytest.mark.slow)])
def test_symmetric_runs_are_called_skewed_in_one_case_of_twenty_whatever_their_tails(draw, n_samples):
    rng = np.random.default_rng(0)
    wrong = sum(symmetry_pvalue(draw(rng)) < 0.05 for _ in range(n_samples))
    assert wrong / n_samples <= 0.055 + 3 * np.sqrt(0.055 * 0.945 / n_samples)  # measured: 3 to 5.5 %


def test_log_normal_runs_are_called_skewed():
    rng = np.random.default_rng(0)
    assert sum(symmetry_pvalue(rng.lognormal(size=20)) < 0.05 for _ in range(200)) > 160


def test_runs_without_spread_are_symmetric():
    assert symmetry_pvalue(np.ones(8)) > 0.9


# ── components of variance ──────────


def components(cells):
    result = ro.variance(ro.Scores.from_dict({"A": cells}))
    return {record.component: record for record in result.records}


def of_episodes(*runs):
    """The components of one task whose runs have these episodes."""
    rows = [("A", "x", seed, score) for seed, scores in enumerate(runs) for score in scores]
    table = dict(zip(("algo", "task", "seed", "score"), zip(*rows, strict=True), strict=True))
    with pytest.warns(ro.RunoffWarning, match="evaluation episodes"):
        return {record.component: record for record in ro.variance(table).records}


@pytest.mark.parametrize("cells", [{"x": [1.0, 3.0], "y": [1.0, 3.0]}, {"x": [0.0, 9.0, 1.0], "y": [5.0, 1.0]}])
def test_tasks_whose_means_are_closer_than_their_runs_allow_have_no_variance(cells):
    result = components(cells)
    assert (result["task"].variance, result["task"].share, result["run"].share) == (0.0, 0.0, 1.0)
    assert [result[name].cut for name in ("task", "run", "episode")] == [True, False, False]
    assert (
        str(ro.variance(ro.Scores.from_dict({"A": cells})))
        == "A: 0\N{NO-BREAK SPACE}% tasks (estimated below 0, cut), 100\N{NO-BREAK SPACE}% runs."
    )


def test_runs_whose_means_are_closer_than_their_episodes_allow_have_no_variance():
    result = of_episodes([1.0, 5.0], [2.0, 4.1], [0.0, 6.0])
    assert (result["run"].variance, result["run"].share, result["episode"].share) == (0.0, 0.0, 1.0)
    assert (result["run"].cut, result["episode"].cut) == (True, False)
    assert (result["run"].share_of_score, result["episode"].share_of_score) == (0.0, 1.0)


def test_of_equal_algorithms_on_equal_tasks_no_component_is_negative_and_shares_sum_to_one():
    rng = np.random.default_rng(0)
    drawn = [components({t: rng.lognormal(size=n) for t, n in zip("xyz", (2, 5, 3), strict=True)}) for _ in range(30)]
    tasks = [result["task"].variance for result in drawn]
    assert min(tasks) == 0.0 < max(tasks)
    assert all(result["task"].share + result["run"].share == pytest.approx(1.0) for result in drawn)


def test_in_other_units_variances_scale_by_the_square_and_shares_stay():
    cells = {"x": [1.0, 3.0, 8.0], "y": [11.0, 12.0]}
    here, there = components(cells), components({t: [1000 * v + 7 for v in cell] for t, cell in cells.items()})
    for name in ("task", "run"):
        assert there[name].variance == pytest.approx(1e6 * here[name].variance)
        assert there[name].share == pytest.approx(here[name].share)


# ── whether runs of one label move together over tasks ──────────


def test_runs_that_vary_on_one_task_alone_do_not_move_together():
    """The variance of no pair of tasks is 0, and not a rounding error below it, whose root does not exist."""
    alone = np.column_stack([[1.0] * 6 + [0.0] * 5, np.ones(11)])
    assert together([alone, alone[:, ::-1]]) == together([np.ones((3, 2))]) == Together(0.0, 1.0)
    rates = {"A": {"reach": alone[:, 0].tolist(), "push": alone[:, 1].tolist()}}
    assert ro.aggregate(rates).records[0].estimate == pytest.approx(17 / 22)


def test_the_correlation_of_runs_is_the_mean_over_algorithms_and_pairs_of_tasks_that_vary():
    rng = np.random.default_rng(3)
    matrices = [rng.normal(size=(n, 4)) + rng.normal(size=(n, 1)) for n in (5, 9)]
    pairs = [(np.corrcoef(m[:, t], m[:, u])[0, 1], len(m) - 1) for m in matrices for t, u in combinations(range(4), 2)]
    with_constant = [np.column_stack([m, np.full(len(m), 0.3)]) for m in matrices]
    correlations, weights = zip(*pairs, strict=True)
    expected = np.average(correlations, weights=weights)
    for wide in (matrices, with_constant):
        assert together(wide).correlation == pytest.approx(expected)
    assert together(matrices).pvalue == together(with_constant).pvalue < 0.01


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
