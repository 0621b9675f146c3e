"""How large a difference is, on skewed, ragged runs: the intervals of `compare`, `effect_sizes` and `equivalence` against plain twins."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from tests.reference import intervals as slow

X = [[1.2, 3.4, 8.8], [2.1, 2.5, 2.6, 9.1]]
Y = [[0.7, 1.5, 1.9, 2.0, 4.4], [1.2, 1.9]]
ONE_TASK = pytest.mark.parametrize(("x", "y"), [(X[:1], Y[:1]), (Y[1:], X[1:]), (X, Y)], ids=["one", "turned", "two"])
LEVEL = 0.9


def scores(x, y, scale=1.0, shift=0.0):
    """A and B on as many tasks as there are cells."""
    cells = [{f"task {t}": [scale * v + shift for v in cell] for t, cell in enumerate(side)} for side in (x, y)]
    return ro.Scores.from_dict({"A": cells[0], "B": cells[1]})


def compared(x, y, **options):
    return ro.compare(scores(x, y), confidence_level=LEVEL, n_resamples=200, **options).pairs[0]


def effect(name, x, y, **changed):
    result = ro.effect_sizes(scores(x, y, **changed), effects=[name], confidence_level=LEVEL)
    return result.records[0]


def alike(x, y, method, **options):
    settings = {"margin": 1.0, "alpha": 0.05, "n_resamples": 50_000} | options
    return ro.equivalence(scores(x, y), method=method, **settings).pairs[0]


# ── the difference of means ──────────


@ONE_TASK
def test_the_interval_of_the_difference_is_welch_and_satterthwaites(x, y):
    pair, (estimate, error, df) = compared(x, y), slow.difference(x, y)
    assert (pair.difference, pair.difference_df) == pytest.approx((estimate, df))
    assert (pair.difference_low, pair.difference_high) == pytest.approx(slow.t_interval(estimate, error, df, LEVEL))


@ONE_TASK
def test_a_true_difference_of_the_detectable_size_is_found_with_80_per_cent_power_whatever_the_true_error_is_likely_to_be(
    x, y
):
    """D2: by simulation of the error s that these runs have shown, and of new runs with the difference that was stated from it."""
    pair, (_, error, df) = compared(x, y, alpha=0.03, test="welch"), slow.difference(x, y)
    rng, n = np.random.default_rng(0), 400_000
    stated = pair.detectable_difference / error * np.sqrt(rng.chisquare(df, n) / df)
    new = (stated + rng.normal(size=n)) / np.sqrt(rng.chisquare(df, n) / df)
    share = np.mean(np.abs(new) > stats.t.ppf(1 - 0.03 / 2, df))
    assert share == pytest.approx(0.8, abs=0.006)  # 64 nodes for the error; 400,000 draws err by 0.0006


def test_the_detectable_difference_is_that_of_the_familys_first_step_unless_nothing_is_corrected():
    data = ro.Scores.from_dict({"A": X[0], "B": Y[0], "C": [2.0, 2.5, 7.0]})
    options = {"test": "welch", "n_resamples": 200}
    alone = ro.compare(data.select(algorithms=["A", "B"]), alpha=0.01, **options).pairs[0]
    for correction, alpha in (
        ("holm", 0.03),
        ("bonferroni", 0.03),
        ("none", 0.01),
        ("bh", 0.03),
        ("by", 0.03 * (1 + 1 / 2 + 1 / 3)),
    ):
        pair = ro.compare(data, correction=correction, alpha=alpha, **options).pair("A", "B")
        assert pair.detectable_difference == pytest.approx(alone.detectable_difference)


# ── effect sizes ──────────


@ONE_TASK
def test_fiellers_ends_are_the_ratios_that_are_just_rejected(x, y):
    y = [[v + 4 for v in cell] for cell in y]  # means clearly above 0, so that there are ends
    record, (low, high) = effect("ratio", x, y), slow.fieller(x, y, LEVEL)
    assert (record.low, record.high, record.interval) == (pytest.approx(low), pytest.approx(high), "fieller")


def test_fiellers_interval_of_the_ratio_turned_about_is_made_of_the_reciprocals():
    x, y = [[5.0, 6.0, 9.0]], [[5.0, 8.0, 10.0, 11.0]]
    there, back = effect("ratio", x, y), effect("ratio", y, x)
    assert back.estimate == pytest.approx(1 / there.estimate)
    assert (back.low, back.high) == pytest.approx((1 / there.high, 1 / there.low))


@pytest.mark.parametrize(("x", "y"), [(X[0], Y[0]), (Y[1], X[1])])
def test_the_interval_of_g_is_where_a_noncentral_t_has_the_observed_one_in_its_tails(x, y):
    record, (g, _) = effect("hedges_g", [x], [y]), slow.hedges(x, y)
    df, t = len(x) + len(y) - 2, stats.ttest_ind(x, y).statistic
    unit = g / t  # J √(1/n_x + 1/n_y)
    assert (record.estimate, record.interval) == (pytest.approx(g), "noncentral_t")
    assert stats.nct.sf(t, df, record.low / unit) == pytest.approx(0.05, abs=1e-6)
    assert stats.nct.cdf(t, df, record.high / unit) == pytest.approx(0.05, abs=1e-6)


def test_over_tasks_g_is_averaged_and_has_the_variance_of_the_noncentral_t():
    record, parts = effect("hedges_g", X, Y), [slow.hedges(x, y) for x, y in zip(X, Y, strict=True)]
    estimate, error = sum(g for g, _ in parts) / 2, sqrt(sum(v for _, v in parts)) / 2
    half = stats.norm.ppf((1 + LEVEL) / 2) * error
    assert (record.estimate, record.interval) == (pytest.approx(estimate), "normal")
    assert (record.low, record.high) == pytest.approx((estimate - half, estimate + half))


@ONE_TASK
@pytest.mark.parametrize(("name", "scale"), [("cliffs_delta", 2), ("improvement", 1)])
def test_cliffs_delta_and_the_improvement_have_the_t_interval_of_placements(name, scale, x, y):
    record, ends = effect(name, x, y), slow.placed(x, y, LEVEL)
    assert (record.low, record.high) == pytest.approx([scale * end - scale + 1 for end in ends], abs=1e-8)  # bisection


def test_the_difference_of_iqms_has_the_errors_of_both_intervals_and_welchs_degrees_of_freedom():
    x, y = X[:1], Y[:1]
    record = effect("iqm_difference", x, y)
    kept = ro.aggregate(scores(x, y), metrics=("iqm",), confidence_level=LEVEL, n_resamples=2_000)
    sides = [(kept.record(name, "iqm"), len(cell) - 1) for name, cell in (("A", x[0]), ("B", y[0]))]
    parts = [((r.high - r.low) / 2 / stats.t.ppf((1 + LEVEL) / 2, df)) ** 2 for r, df in sides]
    df = sum(parts) ** 2 / sum(part**2 / n for part, (_, n) in zip(parts, sides, strict=True))
    half = stats.t.ppf((1 + LEVEL) / 2, df) * sqrt(sum(parts))
    assert record.estimate == pytest.approx(sides[0][0].estimate - sides[1][0].estimate)
    assert (record.low, record.high) == pytest.approx((record.estimate - half, record.estimate + half))


@pytest.mark.parametrize("name", ["difference", "hedges_g", "cliffs_delta", "improvement"])
def test_turning_the_pair_about_turns_the_interval_about(name):
    there, back = effect(name, X, Y), effect(name, Y, X)
    about = 1.0 if name == "improvement" else 0.0
    assert back.estimate == pytest.approx(about - there.estimate)
    assert (back.low, back.high) == pytest.approx((about - there.high, about - there.low))


@pytest.mark.parametrize("name", ["difference", "ratio", "hedges_g", "cliffs_delta", "improvement"])
@pytest.mark.parametrize(("scale", "shift"), [(1000.0, 0.0), (1.0, 64.0)])
def test_only_the_difference_has_a_unit_and_only_the_ratio_a_zero(name, scale, shift):
    here, there = effect(name, X, Y), effect(name, X, Y, scale=scale, shift=shift)
    factor = scale if name == "difference" else 1.0
    for field in ("estimate", "low", "high"):
        same = getattr(there, field) == pytest.approx(factor * getattr(here, field))
        assert same != (name == "ratio" and shift > 0)


# ── equivalence ──────────


@ONE_TASK
@pytest.mark.parametrize("margin", [0.5, 4.0, 9.0])
def test_two_one_sided_welch_tests_are_the_worse_of_two_t_tests(x, y, margin):
    pair, (estimate, error, df) = alike(x, y, "welch", margin=margin), slow.difference(x, y)
    above, below = stats.t.cdf((estimate - margin) / error, df), stats.t.sf((estimate + margin) / error, df)
    assert pair.pvalue == pytest.approx(max(above, below))
    assert (pair.low, pair.high) == pytest.approx(slow.t_interval(estimate, error, df, 0.9))
    assert pair.smallest_margin == pytest.approx(max(-pair.low, pair.high))


@pytest.mark.parametrize(("x", "y"), [(X[:1], Y[1:]), (Y[1:], X[:1])])
@pytest.mark.parametrize("metric", ["mean", "iqm"])
def test_the_bootstraps_ends_and_p_values_are_those_of_all_resamples_of_both_sides(x, y, metric):
    pair = alike(x, y, "bootstrap", metric=metric, margin=4.0)
    law = slow.enumerated([*x, *y], lambda d: slow.aggregate(d[:1], metric) - slow.aggregate(d[1:], metric))
    for end, level in ((pair.low, 0.05), (pair.high, 0.95)):
        error = slow.error_of_a_share(level, 50_000)
        assert law.has_quantile(end, level - error, level + error)
    beyond = max(law.not_above(-4.0), 1 - law.below(4.0))
    sides = 2 * min(law.not_above(0.0), 1 - law.below(0.0))
    assert pair.pvalue == pytest.approx(beyond, abs=slow.error_of_a_share(beyond, 50_000) + 1 / 50_000)
    assert pair.pvalue_difference == pytest.approx(min(1, sides), abs=2 * slow.error_of_a_share(sides / 2, 50_000))


@ONE_TASK
def test_tryons_intervals_share_the_reach_of_welchs_test_in_proportion_to_their_own(x, y):
    pair, (estimate, error, df) = alike(x, y, "tryon"), slow.difference(x, y)
    intervals, span = slow.tryon(x, y, 0.05)
    disjoint = intervals[0][0] > intervals[1][1] or intervals[1][0] > intervals[0][1]
    assert (pair.smallest_margin, pair.differs) == (pytest.approx(span), disjoint)
    assert (pair.low, pair.high) == pytest.approx(slow.t_interval(estimate, error, df, 0.95))


@pytest.mark.parametrize("method", ["welch", "bootstrap", "tryon"])
def test_turning_the_pair_about_mirrors_the_difference_and_keeps_the_verdict(method):
    for margin in (0.5, 3.0, 12.0):
        there, back = alike(X, Y, method, margin=margin), alike(Y, X, method, margin=margin)
        assert (there.verdict, there.difference) == (back.verdict, pytest.approx(-back.difference))
        drawn = 0.05 if method == "bootstrap" else 1e-9  # an end of other draws errs by about 0.01
        assert (there.low, there.high) == pytest.approx((-back.high, -back.low), abs=drawn)
        assert there.smallest_margin == pytest.approx(back.smallest_margin, abs=drawn)


@pytest.mark.parametrize("method", ["welch", "bootstrap", "tryon"])
def test_scores_and_margin_in_thousandths_give_the_same_verdict_and_p(method):
    here = alike(X, Y, method, margin=3.0)
    there = alike(*([[1000 * v for v in cell] for cell in side] for side in (X, Y)), method, margin=3000.0)
    assert (there.verdict, there.pvalue) == (here.verdict, pytest.approx(here.pvalue) if here.pvalue else None)
    assert (there.low, there.smallest_margin) == pytest.approx((1000 * here.low, 1000 * here.smallest_margin))
