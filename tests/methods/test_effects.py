import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.pairs.effects import unbias
from runoff.exits.text import joined, rows_of

A, B = [5.0, 6.0, 7.0, 6.5, 5.5], [4.0, 5.0, 6.0, 5.5, 4.5]


def sizes(a, b, **options):
    scores = ro.Scores.from_dict({"A": a, "B": b})
    result = ro.effect_sizes(scores, **options)
    return {record.effect_size: record for record in result.rows}


def normal(mean, n=10, n_tasks=1, seed=0):
    return np.random.default_rng(seed).normal(mean, 1.0, size=(n, n_tasks))


def test_hedges_g_is_the_pooled_standardised_difference_without_its_bias():
    record = sizes(A, B)["hedges_g"]
    pooled = np.sqrt((np.var(A, ddof=1) + np.var(B, ddof=1)) / 2)
    assert record.estimate == pytest.approx(unbias(8) / pooled)
    assert unbias(8) == pytest.approx(1 - 3 / (4 * 8 - 1), abs=1e-3)


def test_the_interval_of_g_puts_the_observed_t_at_its_tails():
    record = sizes(A, B)["hedges_g"]
    t = stats.ttest_ind(A, B).statistic
    root = unbias(8) * np.sqrt(2 / 5)
    assert stats.nct.sf(t, 8, record.low / root) == pytest.approx(0.025, abs=1e-6)
    assert stats.nct.cdf(t, 8, record.high / root) == pytest.approx(0.025, abs=1e-6)


@pytest.mark.parametrize("shift", [0.0, 0.3, 3.0, 30.0, 3000.0])
def test_the_interval_of_g_mirrors_and_contains_it_however_large(shift):
    forth, back = sizes(normal(shift), normal(0, seed=1)), sizes(normal(0, seed=1), normal(shift))
    assert forth["hedges_g"].low < forth["hedges_g"].estimate < forth["hedges_g"].high
    assert back["hedges_g"].low == pytest.approx(-forth["hedges_g"].high, rel=1e-6)


def test_the_interval_of_g_excludes_0_exactly_where_students_t_test_rejects():
    """SciPy gives NaN for some noncentralities far below an observed t, which the search for an end may meet."""
    near = np.arange(2.0)
    for lead in np.linspace(0.5, 60, 300):
        record = sizes(near + lead, near, effect_size=["hedges_g"])["hedges_g"]
        assert (record.low > 0) == (stats.ttest_ind(near + lead, near).pvalue < 0.05), lead


@pytest.mark.slow
def test_the_normal_interval_of_g_over_tasks_has_hedges_variance():
    rng = np.random.default_rng(0)
    drawn = [
        sizes(rng.normal(0.5, 1, (6, 8)), rng.normal(0, 1, (6, 8)), effect_size=["hedges_g"])["hedges_g"]
        for _ in range(150)
    ]
    half = np.mean([(r.high - r.low) / 2 / 1.96 for r in drawn])
    assert np.std([r.estimate for r in drawn]) == pytest.approx(half, rel=0.12)


def test_fiellers_interval_ends_where_the_ratio_is_just_rejected():
    record = sizes(A, B)["ratio"]
    assert record.estimate == pytest.approx(1.2)
    a, b = np.array(A), np.array(B)
    error = np.sqrt(a.var(ddof=1) / 5 + record.low**2 * b.var(ddof=1) / 5)
    t = (a.mean() - record.low * b.mean()) / error
    shares = np.array([a.var(ddof=1), record.estimate**2 * b.var(ddof=1)])
    df = 4 * shares.sum() ** 2 / (shares**2).sum()
    assert t == pytest.approx(stats.t.ppf(0.975, df))


def test_a_ratio_of_scores_that_are_not_positive_is_not_defined():
    result = ro.effect_sizes(ro.Scores.from_dict({"A": [-1.0, 1.0, 0.0], "B": B}))
    assert result["A", "B", "ratio"].estimate is None
    assert [note.code for note in result.advice] == ["R301"]


def test_a_ratio_over_a_mean_that_is_nothing_beside_the_other_is_not_defined():
    result = ro.effect_sizes(ro.Scores.from_dict({"A": [1e70, 2e70], "B": [5e-324, 1e-300]}))
    assert result["A", "B", "ratio"].estimate is None


def test_a_ratio_over_a_mean_that_may_be_zero_has_no_interval():
    record = sizes([5.0, 6.0, 7.0], [-3.0, 1.0, 4.0])["ratio"]
    assert record.estimate == pytest.approx(9.0)
    assert (record.low, record.interval) == (None, None)


def test_cliffs_delta_is_twice_the_improvement_less_one():
    result = sizes(A, B)
    assert result["cliffs_delta"].estimate == pytest.approx(2 * result["improvement"].estimate - 1)
    assert result["cliffs_delta"].low == pytest.approx(2 * result["improvement"].low - 1)
    wins = np.sign(np.subtract.outer(A, B))
    assert result["cliffs_delta"].estimate == pytest.approx(wins.mean())


def test_the_difference_and_the_improvement_are_those_of_compare():
    scores = ro.Scores.from_dict({"A": normal(1, n_tasks=3), "B": normal(0, n_tasks=3, seed=1)})
    pair = ro.compare(scores, n_resamples=200).pairs[0]
    result = ro.effect_sizes(scores)
    record = result["A", "B", "difference"], result["A", "B", "improvement"]
    assert (record[0].estimate, record[0].low, record[0].high) == (
        pair.difference,
        pair.difference_low,
        pair.difference_high,
    )
    assert (record[1].estimate, record[1].low) == (pair.improvement, pair.improvement_low)


@pytest.mark.parametrize(("a", "b"), [([1.0], [2.0]), ([2.0, 2.0], [1.0, 1.0]), ([1.0, 1.0], [1.0, 1.0]), ([1.0], A)])
def test_degenerate_cells_give_numbers_or_nothing_never_nan(a, b):
    for record in sizes(a, b).values():
        ends = [end for end in (record.estimate, record.low, record.high) if end is not None]
        assert np.all(np.isfinite(ends))
        assert (record.low is None) == (record.interval is None)


def test_equal_constant_cells_have_no_effect_and_different_ones_no_g():
    assert sizes([1.0, 1.0], [1.0, 1.0])["hedges_g"].estimate == 0.0
    assert sizes([2.0, 2.0], [1.0, 1.0])["hedges_g"].estimate is None


def test_unknown_effects_are_refused_and_a_bare_word_is_a_name():
    with pytest.raises(ro.OptionError, match="difference, ratio, hedges_g"):
        sizes(A, B, effect_size=["cohens_d"])
    assert sizes(A, B, effect_size="ratio") == sizes(A, B, effect_size=["ratio"])


def test_the_table_names_the_pair_and_its_effects():
    (table,) = ro.effect_sizes(ro.Scores.from_dict({"A": A, "B": B}), effect_size=["ratio"]).tables()
    ((*names, ratio),) = [list(map(joined, row)) for row in rows_of(table, table.columns[:4])]
    assert (names, ratio) == (["A", "B", "Ratio of means"], "1.20 [0.97, 1.49]")


def test_runs_that_vary_by_rounding_alone_have_no_standardised_difference():
    data = ro.Scores.from_dict({"A": [0.1 + 0.2, 0.3, 0.3], "B": [0.0, 0.0, 0.0]})
    assert ro.effect_sizes(data, effect_size=["hedges_g"]).rows[0].estimate is None


@pytest.mark.parametrize(("first", "has_interval"), [([1.0, 2.0], False), ([1.0, 2.0, 4.0], True)])
def test_over_tasks_of_two_runs_each_g_has_no_interval_and_says_why(first, has_interval):
    cells = {"A": {"x": first, "y": [3.0, 5.0, 4.5]}, "B": {"x": [2.5, 3.0], "y": [1.0, 2.0]}}
    result = ro.effect_sizes(ro.Scores.from_dict(cells), effect_size=["hedges_g"])
    assert (result.rows[0].low is not None) == has_interval
    assert any("its variance does not exist" in advice.text for advice in result.advice) != has_interval


@pytest.mark.parametrize(("y", "has_interval"), [([2.0, 2.0, 2.0], True), ([2.0, 2.0, 3.0], True)])
def test_one_sample_that_varies_is_enough_for_the_interval_of_g(y, has_interval):
    data = ro.Scores.from_dict({"A": [1.0, 4.0, 6.0], "B": y})
    assert (ro.effect_sizes(data, effect_size=["hedges_g"]).rows[0].low is not None) == has_interval


def test_two_equal_constants_have_no_effect_and_no_interval():
    data = ro.Scores.from_dict({"A": {"x": [2.0, 2.0]}, "B": {"x": [2.0, 2.0]}})
    record = ro.effect_sizes(data, effect_size=["hedges_g"]).rows[0]
    assert (record.estimate, record.low, record.high) == (0.0, None, None)


def test_a_task_without_spread_adds_its_zero_and_no_variance_to_g():
    cells = {"A": {"x": [1.0, 4.0, 6.0], "y": [2.0, 2.0, 2.0]}, "B": {"x": [0.0, 3.0, 4.0], "y": [2.0, 2.0, 2.0]}}
    both = ro.effect_sizes(ro.Scores.from_dict(cells), effect_size=["hedges_g"]).rows[0]
    x, y = np.array(cells["A"]["x"]), np.array(cells["B"]["x"])
    g = unbias(4) * (x.mean() - y.mean()) / np.sqrt((x.var(ddof=1) + y.var(ddof=1)) / 2)
    inflated = unbias(4) ** 2 * 4 / 2
    half = stats.norm.ppf(0.975) * np.sqrt(inflated * 2 / 3 + g * g * (inflated - 1)) / 2
    assert (both.estimate, both.low, both.high) == pytest.approx((g / 2, g / 2 - half, g / 2 + half))


@pytest.mark.parametrize("unit", [1.0, 1e-9, 1e9])
def test_equal_means_without_spread_are_no_effect_and_unequal_ones_are_not_defined_in_any_unit(unit):
    for shift, expected in ((0.0, 0.0), (1.0, None)):
        cells = {"A": np.array([2.0, 2.0, 2.0]) * unit, "B": np.array([2.0, 2.0]) * unit + shift * unit}
        record = ro.effect_sizes(ro.Scores.from_dict(cells), effect_size=["hedges_g"]).rows[0]
        assert record.estimate == expected


def test_runs_that_vary_by_a_hundred_millionth_have_a_standardised_difference():
    result = ro.effect_sizes(
        ro.Scores.from_dict({"A": [1.0, 1 + 2e-8, 1 + 1e-8], "B": [0.0, 2e-8, 1e-8]}), effect_size=["hedges_g"]
    )
    assert result.rows[0].estimate == pytest.approx(0.7978845608 * 1e8, rel=1e-6)  # J(4) = 0.798
    assert result.rows[0].low < result.rows[0].estimate < result.rows[0].high


def test_the_interval_of_a_huge_g_is_the_limit_of_those_of_large_ones():
    def shares(gap):
        scores = ro.Scores.from_dict({"A": [gap + 1, gap + 2, gap + 4.0], "B": [1.0, 2.0, 4.0]})
        record = ro.effect_sizes(scores, effect_size=["hedges_g"]).rows[0]
        return record.low / record.estimate, record.high / record.estimate

    assert shares(1e7) == pytest.approx(shares(1e4), rel=1e-4)
    assert shares(-1e7) == pytest.approx(shares(-1e4), rel=1e-4)


STILL = np.ones((4, 3))


@pytest.mark.parametrize(
    ("a", "b", "estimate"),
    [
        (STILL, STILL + 1, None),
        (STILL, STILL, 0.0),
        (np.vstack([STILL[:1] + 1, STILL[1:]]), STILL + 0.5, -0.6142),  # J(6) · −0.25 / √(0.75 / 6)
        (STILL[:2] * [[1.0], [2.0]], STILL[:2] * [[2.0], [1.0]], 0.0),
    ],
    ids=["undefined", "equal", "one run that varies", "two runs"],
)
def test_g_of_whole_runs_has_no_interval_where_leaving_a_run_out_leaves_nothing_that_varies(a, b, estimate):
    scores = ro.Scores.from_dict({"A": a, "B": b}, runs="shared")
    (record,) = ro.effect_sizes(scores, effect_size=["hedges_g"]).rows
    assert record.estimate == (None if estimate is None else pytest.approx(estimate, abs=1e-4))
    assert (record.low, record.high) == (None, None)
