"""Scores of 0 and 1: Wilson, Newcombe and Boschloo against SciPy and plain sums, and the sentences that speak of rates and of one policy."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.bootstrap import newcombe, wilson
from runoff._inference.two_sample import boschloo, smallest_boschloo


def won(k, n):
    """k successes of n."""
    return np.array([1.0] * k + [0.0] * (n - k))


def compared(x, y, unit="run", **options):
    return ro.compare(ro.Scores.from_dict({"A": x, "B": y}, unit=unit), **options).pairs[0]


@pytest.mark.parametrize(("k", "n"), [(0, 3), (3, 3), (1, 10), (7, 10), (50, 100)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_interval_of_a_rate_is_wilsons(k, n, level):
    expected = stats.binomtest(k, n).proportion_ci(level, method="wilson")
    assert wilson(won(k, n), level) == pytest.approx((expected.low, expected.high))


def test_newcombes_interval_is_that_of_his_paper():
    """Newcombe 1998, Statistics in Medicine 17, table II, method 10: 56/70 − 48/80, 9/10 − 3/10, 10/10 − 0/20."""
    printed = {(56, 70, 48, 80): (0.0524, 0.3339), (9, 10, 3, 10): (0.1705, 0.8090), (10, 10, 0, 20): (0.6791, 1.0)}
    for (a, n, b, m), ends in printed.items():
        assert newcombe([won(a, n)], [won(b, m)], 0.95) == pytest.approx(ends, abs=5e-5)


def test_over_tasks_the_distances_to_the_ends_add_in_squares():
    cells = [(won(3, 5), won(1, 4)), (won(9, 10), won(2, 3))]
    low, high = newcombe(*zip(*cells, strict=True), 0.9)
    alone = [(x.mean() - y.mean(), newcombe([x], [y], 0.9)) for x, y in cells]
    middle = sum(d for d, _ in alone) / 2
    assert low == pytest.approx(middle - sqrt(sum((d - ends[0]) ** 2 for d, ends in alone)) / 2)
    assert high == pytest.approx(middle + sqrt(sum((ends[1] - d) ** 2 for d, ends in alone)) / 2)


@pytest.mark.parametrize(
    ("a", "n", "b", "m"), [(3, 3, 0, 3), (9, 10, 3, 10), (2, 8, 2, 3), (1, 2, 7, 20), (5, 5, 5, 5), (0, 4, 4, 6)]
)
def test_boschloos_pvalue_is_scipys(a, n, b, m):
    expected = stats.boschloo_exact([[a, b], [n - a, m - b]], n=128).pvalue
    assert boschloo(a, n, b, m) == pytest.approx(expected, rel=1e-6)
    assert boschloo(b, m, a, n) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("n", "m"), [(3, 3), (5, 8), (10, 10)])
@pytest.mark.parametrize("rate", [0.05, 0.3, 0.5])
def test_boschloos_test_never_errs_more_often_than_promised(n, m, rate):
    """By the sum over all results, not by simulation."""
    errs = sum(
        stats.binom.pmf(a, n, rate) * stats.binom.pmf(b, m, rate)
        for a in range(n + 1)
        for b in range(m + 1)
        if boschloo(a, n, b, m) <= 0.05
    )
    assert errs <= 0.05


def test_the_smallest_pvalue_is_that_of_full_separation():
    pvalues = [boschloo(a, 4, b, 3) for a in range(5) for b in range(4)]
    assert smallest_boschloo(4, 3) == pytest.approx(min(pvalues))


# ── in answers ──────────


def test_one_task_of_successes_is_compared_by_boschloos_test_and_newcombes_interval():
    pair = compared(won(9, 10), won(3, 10))
    assert (pair.test, pair.method) == ("boschloo", "exact")
    assert pair.pvalue == pytest.approx(boschloo(9, 10, 3, 10))
    assert (pair.difference_low, pair.difference_high) == pytest.approx((0.1705, 0.8090), abs=5e-5)
    assert "A has a higher success rate than B (difference of success rates 0.60 [0.17, 0.81]" in pair.sentence


def test_the_improvement_of_rates_is_half_of_their_difference_and_a_half():
    pair = compared(won(9, 10), won(3, 10))
    assert (pair.improvement, pair.improvement_low) == pytest.approx((0.8, (1 + pair.difference_low) / 2))


def test_on_several_tasks_successes_are_permuted_within_tasks():
    rng = np.random.default_rng(0)
    x, y = (rng.random((5, 6)) < 0.9) * 1.0, (rng.random((5, 6)) < 0.4) * 1.0
    pair = compared(x, y)
    assert (pair.test, pair.method, pair.verdict) == ("studentized_permutation", "monte_carlo", "a_better")
    assert "difference of success rates" in pair.sentence
    assert (pair.low, pair.high) == pytest.approx(newcombe(x.T, y.T, 0.95))


@pytest.mark.parametrize("rate", [0.55, 0.7])
def test_equivalence_finds_a_difference_of_rates_by_the_p_value_of_compare(rate):
    rng = np.random.default_rng(0)
    x, y = ((rng.random((5, 6)) < p) * 1.0 for p in (0.9, rate))
    scores = ro.Scores.from_dict({"A": x, "B": y})
    (pair,) = ro.equivalence(scores, margin=0.9).pairs
    assert pair.pvalue_difference == ro.compare(scores).pairs[0].pvalue


@pytest.mark.parametrize("rate", [0.55, 0.7])
def test_the_p_value_of_equivalence_inverts_newcombes_interval(rate):
    rng = np.random.default_rng(0)
    x, y = ((rng.random((5, 6)) < p) * 1.0 for p in (0.9, rate))
    (pair,) = ro.equivalence(ro.Scores.from_dict({"A": x, "B": y}), margin=0.4).pairs
    for factor, within in ((0.999, False), (1.001, True)):
        low, high = newcombe(x.T, y.T, 1 - 2 * factor * pair.pvalue)
        assert (max(-low, high) < 0.4) == within


def test_too_few_runs_for_any_result_to_count_are_told():
    pair = compared(won(2, 2), won(0, 2))
    assert pair.verdict == "no_difference_found"
    assert "the smallest p-value that Boschloo's test can give is 0.12" in pair.sentence


@pytest.mark.parametrize(("x", "y"), [([1.0, 0.5], [0.0, 1.0]), ([2.0, 1.0], [0.0, 1.0])])
def test_scores_that_are_no_successes_are_refused_by_name(x, y):
    with pytest.raises(ro.DesignError, match="scores of 0 and 1"):
        compared(x, y, test="boschloo")


def test_aggregates_of_one_task_of_successes_have_wilsons_interval():
    result = ro.aggregate(ro.Scores.from_dict({"A": won(9, 10)}))
    mean, gap = result.record("A", "mean"), result.record("A", "optimality_gap")
    assert (mean.interval, gap.interval) == ("wilson", "wilson")
    assert (mean.low, mean.high) == pytest.approx(wilson(won(9, 10), 0.95))
    assert (gap.low, gap.high) == pytest.approx((1 - mean.high, 1 - mean.low))
    (cell,) = ro.task_means(ro.Scores.from_dict({"A": won(3, 3)})).records
    assert (cell.interval, cell.high) == ("wilson", 1.0)


def test_a_cell_of_successes_is_not_said_to_fall_into_two_groups():
    pair = ro.compare(ro.Scores.from_dict({"A": won(15, 30), "B": won(20, 30)}))
    assert "R303" not in {advice.code for advice in pair.advice}


# ── episodes ──────────


def test_sentences_about_episodes_speak_of_the_policy():
    winner, none = compared(won(29, 30), won(10, 30), unit="episode"), compared(won(9, 30), won(10, 30), unit="episode")
    assert winner.sentence.startswith("The policy of A has a higher success rate than the policy of B")
    assert none.sentence.startswith("No difference was found between the policy of A and the policy of B")


@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 30, 100])
@pytest.mark.parametrize("rate", [0.05, 0.5, 0.95])
def test_level_and_coverage_of_episodes(n, rate):
    """By the sum over all results: Wilson and Newcombe err where a law is lumpy, but on average over near rates they hold."""
    rates = np.clip(rate + np.linspace(-0.02, 0.02, 9), 0.01, 0.99)
    ends = [wilson(won(k, n), 0.95) for k in range(n + 1)]
    coverage = [sum(stats.binom.pmf(k, n, p) for k in range(n + 1) if ends[k][0] <= p <= ends[k][1]) for p in rates]
    assert np.mean(coverage) > 0.93
    both = [newcombe([won(a, n)], [won(b, n)], 0.95) for a in range(n + 1) for b in range(n + 1)]
    zero = np.array([low <= 0 <= high for low, high in both]).reshape(n + 1, n + 1)
    mass = stats.binom.pmf(np.arange(n + 1), n, rate)
    assert mass @ zero @ mass > 0.94


# ── equivalence ──────────


def test_rates_are_equivalent_where_their_score_interval_lies_within_the_margin():
    data = ro.Scores.from_dict({"A": won(10, 10), "B": won(9, 10)})
    low, high = newcombe([won(10, 10)], [won(9, 10)], 0.9)
    for margin, verdict in ((high + 0.001, "equivalent"), (high - 0.001, "undetermined")):
        (pair,) = ro.equivalence(data, margin=margin).pairs
        assert pair.verdict == verdict
        assert (pair.low, pair.high, pair.smallest_margin) == pytest.approx((low, high, high), abs=1e-6)
        assert (ro.compare(data, margin=margin).pairs[0].verdict == "equivalent") == (verdict == "equivalent")


def test_rates_over_tasks_have_intervals_within_zero_and_one():
    record = ro.aggregate(ro.Scores.from_dict({"A": np.array([[1.0, 1.0], [0.0, 1.0], [1.0, 1.0]])})).record(
        "A", "mean"
    )
    assert (record.interval, 0 < record.low < record.estimate < record.high <= 1) == ("wilson", True)
