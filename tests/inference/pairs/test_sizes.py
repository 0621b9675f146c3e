"""How large a difference is, on skewed, ragged runs: the intervals of `compare`, `effect_sizes` and `equivalence` against plain twins."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from tests.reference import intervals as slow
from tests.reference import law

X = [[1.2, 3.4, 8.8], [2.1, 2.5, 2.6, 9.1]]
Y = [[0.7, 1.5, 1.9, 2.0, 4.4], [1.2, 1.9]]
MANY = [
    [[*cell, *(1.1 * v + 0.3 * t for v in cell), *(0.7 * v for v in cell)] for t, cell in enumerate(side * 2)]
    for side in (X, Y)
]
"""So many runs that relabelling has no say."""
ONE_TASK = pytest.mark.parametrize(("x", "y"), [(X[:1], Y[:1]), (Y[1:], X[1:]), MANY], ids=["one", "turned", "four"])
LEVEL = 0.9


def scores(x, y, scale=1.0, shift=0.0):
    """A and B on as many tasks as there are cells."""
    cells = [{f"task {t}": [scale * v + shift for v in cell] for t, cell in enumerate(side)} for side in (x, y)]
    return ro.Scores.from_dict({"A": cells[0], "B": cells[1]})


def compared(x, y, **options):
    return ro.compare(scores(x, y), **{"alpha": 1 - LEVEL, "n_resamples": 200} | options).pairs[0]


def effect(name, x, y, **changed):
    result = ro.effect_sizes(scores(x, y, **changed), effect_size=[name], confidence_level=LEVEL)
    return result.rows[0]


def alike(x, y, **options):
    settings = {"measure": "mean", "margin": 1.0} | options
    return ro.equivalence(scores(x, y), **settings).pairs[0]


# ── the difference of means ──────────


@ONE_TASK
def test_the_interval_of_the_difference_is_the_wider_of_welchs_and_students(x, y):
    pair, (estimate, _) = compared(x, y), law.laws(x, y, law.mean)
    assert pair.difference == pytest.approx(estimate)
    assert (pair.difference_low, pair.difference_high) == pytest.approx(law.interval(x, y, law.mean, LEVEL))


@ONE_TASK
@pytest.mark.parametrize("measure", ["mean", "iqm"])
def test_the_p_value_and_the_interval_are_those_of_one_law_on_runs_left_out(x, y, measure):
    pair, twin = compared(x, y, measure=measure), getattr(law, measure)
    value, both = law.laws(x, y, twin)
    assert (pair.measure, pair.estimate, pair.test) == (measure, pytest.approx(value), "jackknife")
    assert (pair.own_low, pair.own_high) == pytest.approx(law.interval(x, y, twin, LEVEL))
    assert pair.pvalue == pytest.approx(2 * law.tail(abs(value), both))


def test_over_ten_tasks_and_more_the_law_of_the_mean_is_that_of_welch_1947_or_students():
    rng = np.random.default_rng(2)
    for sizes in ((2, 2), (2, 5)):
        x, y = ([rng.lognormal(0, 1 + t / 8, n).tolist() for t in range(18)] for n in sizes)
        assert (compared(x, y).difference_low, compared(x, y).difference_high) == pytest.approx(
            law.interval(x, y, law.mean, LEVEL)
        )


@ONE_TASK
@pytest.mark.parametrize("test", ["welch", "jackknife"])
def test_a_true_difference_of_the_detectable_size_is_found_with_80_per_cent_power_whatever_the_true_error_is_likely_to_be(
    x, y, test
):
    """D2: by simulation of the error s that these runs have shown, and of new runs with the difference that was stated from it."""
    pair = compared(x, y, alpha=0.03, test=test, measure="mean")
    both = law.laws(x, y, law.mean)[1]
    rng, n, shares = np.random.default_rng(0), 100_000, []
    for error, df in both:
        stated = pair.detectable_difference / error * np.sqrt(rng.chisquare(df, n) / df)
        new = (stated + rng.normal(size=n)) / np.sqrt(rng.chisquare(df, n) / df)
        shares.append(np.mean(np.abs(new) > stats.t.ppf(1 - 0.03 / 2, df)))
    assert min(shares) == pytest.approx(0.8, abs=0.006)  # 64 nodes for the error; 100,000 draws err by 0.0013


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
        pair = ro.compare(data, correction=correction, alpha=alpha, **options)["A", "B"]
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
def test_cliffs_delta_and_the_improvement_have_the_interval_of_mann_whitney_on_one_task_and_a_t_interval_over_tasks(
    name, scale, x, y
):
    record = effect(name, x, y)
    ends = law.placed(x, y, LEVEL) if len(x) > 1 else law.mann_whitney(x[0], y[0], LEVEL)
    assert (record.low, record.high) == pytest.approx([scale * end - scale + 1 for end in ends], abs=1e-8)  # bisection


@ONE_TASK
def test_the_difference_of_iqms_has_the_interval_of_runs_left_out(x, y):
    record = effect("iqm_difference", x, y)
    assert record.estimate == pytest.approx(law.iqm(x) - law.iqm(y))
    assert (record.low, record.high) == pytest.approx(law.interval(x, y, law.iqm, LEVEL))


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
@pytest.mark.parametrize("measure", ["mean", "iqm"])
def test_two_one_sided_tests_are_the_worse_of_the_tests_of_both_laws(x, y, margin, measure):
    pair, twin = alike(x, y, measure=measure, margin=margin), getattr(law, measure)
    value, both = law.laws(x, y, twin)
    assert pair.pvalue_equivalence == pytest.approx(law.tail(margin - abs(value), both))
    assert (pair.own_low, pair.own_high) == pytest.approx(law.interval(x, y, twin, 0.95))


@ONE_TASK
def test_a_chance_is_equivalent_to_a_half_where_its_interval_lies_within_the_margin(x, y):
    low, high = law.placed(x, y, 0.9) if len(x) > 1 else law.mann_whitney(x[0], y[0], 0.9)
    pair = compared(x, y, measure="improvement", alpha=0.1)
    assert (pair.own_low, pair.own_high) == pytest.approx((low, high), abs=1e-8)
    edge = max(0.5 - low, high - 0.5)
    for margin in (0.99 * edge, min(1.01 * edge, 0.499)):
        within = alike(x, y, measure="improvement", margin=margin).pvalue_equivalence
        assert (within <= 0.05) == (margin > edge)


def test_turning_the_pair_about_mirrors_the_difference_and_keeps_the_verdict():
    for margin in (0.5, 3.0, 12.0):
        there, back = alike(X, Y, margin=margin), alike(Y, X, margin=margin)
        assert (there.verdict, there.difference) == (back.turned().verdict, pytest.approx(-back.difference))
        assert (there.own_low, there.own_high) == pytest.approx((-back.own_high, -back.own_low))
        assert there.pvalue_equivalence == pytest.approx(back.pvalue_equivalence)


def test_scores_and_margin_in_thousandths_give_the_same_verdict_and_p():
    here = alike(X, Y, margin=3.0)
    there = alike(*([[1000 * v for v in cell] for cell in side] for side in (X, Y)), margin=3000.0)
    assert (there.verdict, there.pvalue_equivalence) == (here.verdict, pytest.approx(here.pvalue_equivalence))
    assert there.own_low == pytest.approx(1000 * here.own_low)
