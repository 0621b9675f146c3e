"""The intervals of `aggregate` on skewed, ragged cells: the enumerated bootstrap, closed forms, and the laws of direction and unit."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from tests.amount import THOROUGH
from tests.reference import intervals as slow

CELLS = [[0.2, 0.5, 4.0], [0.1, 2.3], [0.3, 0.9, 1.4, 7.7][-4 if THOROUGH else -3 :]]
LEVEL, N = 0.9, 50_000
TAILS = (0.05, 0.95)
SKEWED = [scale * np.exp(stats.norm.ppf((np.arange(n) + 0.5) / n)) for n, scale in ((30, 1.0), (12, 2.0))]
BOOTSTRAPS = ("percentile", "basic", "bca")


def record(cells, metric, interval, **options):
    """The one record of an algorithm with these cells."""
    scores = ro.Scores.from_dict({"A": {f"task {t}": cell for t, cell in enumerate(cells)}})
    settings = {"confidence_level": LEVEL, "n_resamples": N} | options
    return ro.aggregate(scores, measure=[metric], interval=interval, **settings).rows[0]


@cache
def law(metric):
    return slow.enumerated(CELLS, lambda cells: slow.aggregate(cells, metric))


def drawn_with(low, high):
    """The levels that a quantile of N draws may have, where the level itself lies between two."""
    return max(low - slow.error_of_a_share(low, N), 0.0), min(high + slow.error_of_a_share(high, N), 1.0)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("metric", slow.METRICS)
def test_percentile_ends_are_quantiles_of_the_enumerated_bootstrap(metric):
    result = record(CELLS, metric, "percentile")
    for end, level in zip((result.low, result.high), TAILS, strict=True):
        assert law(metric).has_quantile(end, *drawn_with(level, level))


@pytest.mark.parametrize("metric", slow.METRICS)
def test_basic_ends_are_those_quantiles_mirrored_at_the_estimate(metric):
    result = record(CELLS, metric, "basic")
    assert result.estimate == pytest.approx(slow.aggregate(CELLS, metric))
    for end, level in zip((result.high, result.low), TAILS, strict=True):
        assert law(metric).has_quantile(2 * result.estimate - end, *drawn_with(level, level))


@pytest.mark.parametrize("metric", slow.METRICS)
def test_bca_ends_are_quantiles_at_efrons_levels(metric):
    result, skew = record(CELLS, metric, "bca"), slow.acceleration(CELLS, metric)
    below = law(metric).middle(slow.aggregate(CELLS, metric))
    shares = drawn_with(below, below)  # z0 is drawn too
    for end, level in zip((result.low, result.high), TAILS, strict=True):
        assert law(metric).has_quantile(end, *drawn_with(*(slow.bca_level(share, skew, level) for share in shares)))


@pytest.mark.slow
def test_bca_weighs_the_jackknife_of_small_and_large_cells_as_davison_and_hinkley_do():
    cells, n = [[0.0, 1.2], [0.0, 0.01, 0.02, 0.03, 0.04, 2.5]], 400_000  # so that the two cells matter alike
    result, skew = record(cells, "mean", "bca", n_resamples=n), slow.acceleration(cells, "mean")
    exact = slow.enumerated(cells, lambda drawn: slow.aggregate(drawn, "mean"))
    below = exact.middle(slow.aggregate(cells, "mean"))
    for end, level in zip((result.low, result.high), TAILS, strict=True):
        shares = [slow.bca_level(below + sign * slow.error_of_a_share(below, n), skew, level) for sign in (-1, 1)]
        error = slow.error_of_a_share(level, n)
        assert exact.has_quantile(end, shares[0] - error, shares[1] + error)


@pytest.mark.parametrize("metric", ["mean", "optimality_gap"])
def test_over_tasks_too_the_ends_are_quantiles_of_all_draws_of_tasks_and_then_of_runs(metric):
    result = record(CELLS[:2], metric, "percentile", over="runs_and_tasks")
    laws = [slow.enumerated(some, lambda c: slow.aggregate(c, metric)) for some in product(CELLS[:2], repeat=2)]
    both = slow.Law([(value, p / len(laws)) for row in laws for value, p in row.atoms])
    for end, level in zip((result.low, result.high), TAILS, strict=True):
        assert both.has_quantile(end, *drawn_with(level, level))


def test_four_runs_that_fail_or_succeed_have_the_ends_of_a_binomial():
    percentile, basic = (record([[0.0, 0.0, 0.0, 1.0]], "mean", i, confidence_level=0.98) for i in BOOTSTRAPS[:2])
    assert (percentile.low, percentile.high) == (0.0, 0.75)  # P(0 of 4) = 0.316, P(more than 3 of 4) = 0.004
    assert (basic.low, basic.high) == (0.0, 0.5)  # 2 · 0.25 − 0.75 is no rate


def test_the_welch_interval_is_welch_and_satterthwaites_over_ragged_cells():
    result = record(CELLS, "mean", "t")
    expected = slow.t_interval(*slow.welch_satterthwaite(CELLS, [1 / 3] * 3), LEVEL)
    assert (result.low, result.high) == pytest.approx(expected)


# ── laws ──────────


@pytest.mark.parametrize("interval", BOOTSTRAPS)
def test_of_skewed_runs_the_long_side_is_that_of_the_long_tail_except_in_the_basic_interval(interval):
    result = record(SKEWED, "mean", interval)
    longer = (result.high - result.estimate) / (result.estimate - result.low)
    assert longer < 0.9 if interval == "basic" else longer > 1.1  # drawn, the ratio errs by about 0.02


@pytest.mark.parametrize("interval", BOOTSTRAPS)
def test_turning_the_scores_about_turns_the_interval_about(interval):
    there, back = (record([s * np.array(c) for c in SKEWED], "mean", interval) for s in (1, -1))
    width = there.high - there.low
    for first, other in ((there.low, -back.high), (there.high, -back.low)):
        assert first == pytest.approx(other, abs=0.03 * width)  # other draws: an end errs by about 0.6 % of the width


@pytest.mark.parametrize("metric", slow.METRICS)
@pytest.mark.parametrize("interval", BOOTSTRAPS)
def test_scores_in_thousandths_scale_the_estimate_and_both_ends(interval, metric):
    unit, thousandths = (
        record([scale * c for c in SKEWED], metric, interval, gamma=scale, n_resamples=2_000) for scale in (1.0, 1000.0)
    )
    for field in ("estimate", "low", "high"):
        assert getattr(thousandths, field) == pytest.approx(1000 * getattr(unit, field), rel=1e-9)


@pytest.mark.parametrize("metric", slow.METRICS)
@pytest.mark.parametrize("interval", BOOTSTRAPS)
def test_a_constant_added_shifts_the_estimate_and_both_ends_and_no_gap(interval, metric):
    here, there = (
        record([c + by for c in SKEWED], metric, interval, gamma=1.0 + by, n_resamples=2_000) for by in (0.0, 5.0)
    )
    shift = 0.0 if metric == "optimality_gap" else 5.0
    for field in ("estimate", "low", "high"):
        assert getattr(there, field) == pytest.approx(shift + getattr(here, field), rel=1e-9)


@pytest.mark.parametrize("interval", [*BOOTSTRAPS, "t"])
def test_the_order_of_tasks_and_runs_changes_no_width(interval):
    here = record(CELLS, "mean", interval)
    there = record([cell[::-1] for cell in CELLS[::-1]], "mean", interval)
    assert there.estimate == pytest.approx(here.estimate)
    assert there.high - there.low == pytest.approx(here.high - here.low, rel=0.05)  # ends are atoms 1 % apart


def test_success_rates_in_tenths_and_in_counts_have_the_same_bca_interval():
    counts = [np.array([8, 10, 2, 2, 8]), np.array([9, 5, 1, 9, 5])]
    rates = record([c / 10 for c in counts], "mean", "bca")
    whole = record(counts, "mean", "bca")
    assert (10 * rates.low, 10 * rates.high) == pytest.approx((whole.low, whole.high))
