"""Scores of 0 and 1: Wilson, Miettinen-Nurminen and Boschloo against SciPy and plain sums, and the sentences that speak of rates."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.bootstrap import wilson
from runoff._inference.pairs.rates import (
    LARGEST_TABLE,
    RateLaw,
    least_level,
    least_of_rates,
    rate_law,
    rates_apart,
    rates_power,
    rates_reach,
    rejected_rates,
)
from runoff._inference.two_sample import boschloo, boschloo_power, smallest_boschloo
from runoff._kernels.rates import rates_tail, second_rate
from tests.reference import rates as slow


@pytest.mark.parametrize("cuts", [3, 65])
@pytest.mark.parametrize("turn", [1e-9, 0.03, 0.4, 0.6])
def test_the_least_level_is_where_a_statement_turns_true_and_is_twice_the_most_where_it_never_does(turn, cuts):
    least = least_level(lambda levels: levels >= turn, 0.5, cuts=cuts)
    assert least == pytest.approx(turn if turn < 0.5 else 1.0, rel=1e-9)


def won(k, n):
    """k successes of n."""
    return np.array([1.0] * k + [0.0] * (n - k))


def score_interval(x, y, level):
    return rate_law(x, y, chance=False).interval(level)


def counted(a, n, b, m):
    return RateLaw((float(a),), (float(n),), (float(b),), (float(m),))


def episodes(seed, *rates, n_tasks=None, ragged=True):
    """Cells of 0 and 1, on one to eight tasks with 2 to 9 runs, of algorithms with these rates."""
    rng = np.random.default_rng(seed)
    n_tasks = n_tasks or int(rng.integers(1, 9))
    sizes = rng.integers(2, 10, n_tasks) if ragged else np.full(n_tasks, int(rng.integers(2, 10)))
    return [[(rng.random(n) < rate).astype(float) for n in sizes] for rate in rates]


def compared(x, y, unit="run", **options):
    return ro.compare(ro.Scores.from_dict({"A": x, "B": y}, unit=unit), **options).pairs[0]


@pytest.mark.parametrize(("k", "n"), [(0, 3), (3, 3), (1, 10), (7, 10), (50, 100)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_interval_of_a_rate_is_wilsons(k, n, level):
    expected = stats.binomtest(k, n).proportion_ci(level, method="wilson")
    assert wilson([won(k, n)], level) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize("seed", range(40))
def test_the_most_likely_rate_is_that_of_a_search(seed):
    rng = np.random.default_rng(seed)
    m, n = rng.integers(1, 30, 2).tolist()
    x, y, shift = int(rng.integers(0, m + 1)), int(rng.integers(0, n + 1)), float(rng.uniform(-0.99, 0.99))
    assert second_rate(x, m, y, n, shift) == pytest.approx(slow.most_likely(x, m, y, n, shift), abs=1e-5)


@pytest.mark.parametrize("seed", range(8))
def test_the_tail_of_one_task_is_the_sum_over_all_results(seed):
    rng = np.random.default_rng(seed)
    m, n = rng.integers(1, 9, 2).tolist()
    x, y, shift = int(rng.integers(0, m + 1)), int(rng.integers(0, n + 1)), float(rng.choice([0.0, rng.uniform(-1, 1)]))
    assert rates_tail(x, m, y, n, shift) == pytest.approx(slow.tail(x, m, y, n, shift), rel=1e-5, abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_the_intervals_over_tasks_are_their_slow_twins(seed):
    x, y = episodes(seed, 0.9, 0.6, n_tasks=seed % 5 + 2)
    assert wilson(x, 0.9) == pytest.approx(slow.wilson(x, 0.9), abs=1e-9)
    assert score_interval(x, y, 0.9) == pytest.approx(slow.interval(x, y, 0.9), abs=1e-5)


def test_intervals_and_p_values_of_one_task_are_those_of_the_design():
    assert counted(12, 20, 4, 20).pvalue() == pytest.approx(0.010851490213604945)
    assert counted(12, 20, 4, 20).interval(0.95) == pytest.approx((0.09208994401, 0.65399414045), abs=1e-6)


@pytest.mark.parametrize(("n", "m", "most"), [(20, 20, 0.05), (10, 30, 0.051), (30, 30, 0.051)])
def test_equal_rates_are_found_different_in_no_more_than_the_level(n, m, most):
    assert max(rates_power(rate, n, rate, m, 0.05) for rate in np.linspace(0.01, 0.5, 50)) <= most


@pytest.mark.parametrize(("n", "m"), [(6, 9), (12, 12)])
def test_the_rejected_results_are_those_whose_p_value_is_at_most_the_level(n, m):
    expected = [[counted(a, n, b, m).pvalue() <= 0.05 for b in range(m + 1)] for a in range(n + 1)]
    assert np.array_equal(rejected_rates(n, m, 0.05), expected)
    x, y = stats.binom.pmf(np.arange(n + 1), n, 0.8), stats.binom.pmf(np.arange(m + 1), m, 0.3)
    assert rates_power(0.8, n, 0.3, m, 0.05) == pytest.approx(x @ np.array(expected) @ y)


@pytest.mark.parametrize(("n", "m", "rates"), [(400, 300, (0.8, 0.9)), (330, 330, (0.5, 0.5)), (900, 500, (0.0, 0.02))])
def test_the_power_of_designs_beyond_the_table_is_that_of_the_normal_tail_over_all_results(n, m, rates):
    x, y = np.meshgrid(np.arange(n + 1), np.arange(m + 1), indexing="ij")
    common = (x + y) / (n + m)
    error = np.sqrt(common * (1 - common) * (1 / n + 1 / m) * (n + m) / (n + m - 1))
    rejected = np.abs(x / n - y / m) > stats.norm.ppf(0.975) * error
    chances = stats.binom.pmf(x, n, rates[0]) * stats.binom.pmf(y, m, rates[1])
    assert rates_power(rates[0], n, rates[1], m, 0.05) == pytest.approx(chances[rejected].sum(), abs=1e-9)


@pytest.mark.parametrize("rate", [0.5, 0.8])
def test_the_power_of_one_rollout_more_than_the_table_holds_goes_on(rate):
    last, beyond = (rates_power(rate + 0.1, n, rate, n, 0.05) for n in (315, 316))
    assert beyond == pytest.approx(last, abs=0.01)


@pytest.mark.parametrize("shape", [(1, 7), (3, 5)])
def test_many_experiments_at_once_are_decided_as_one_by_one(shape):
    x, y = (np.random.default_rng(3).random((2, 60, *shape)) < np.array([0.8, 0.4])[:, None, None, None]).astype(float)
    laws = [rate_law(list(a), list(b), chance=False) for a, b in zip(x, y, strict=True)]
    assert rates_apart(x, y, 0.05).tolist() == [law.pvalue() <= 0.05 for law in laws]


def test_beyond_the_largest_table_the_tail_is_normal_and_near():
    n = int(LARGEST_TABLE**0.5) - 1
    exact, normal = counted(480, n, 440, n), counted(480, n + 1, 440, n + 1)
    assert (exact.method, normal.method) == ("exact", "asymptotic")
    assert exact.pvalue() == pytest.approx(normal.pvalue(), rel=0.02)


@pytest.mark.parametrize("seed", range(12))
def test_no_verdict_of_one_task_contradicts_its_interval_and_mirror_images_have_the_same_bits(seed):
    rng = np.random.default_rng(seed)
    for _ in range(8):
        n, m = rng.integers(1, 30, 2).tolist()
        a, b, alpha = int(rng.integers(0, n + 1)), int(rng.integers(0, m + 1)), float(rng.choice([0.05, 0.2]))
        law = counted(a, n, b, m)
        low, high = law.interval(1 - alpha)
        assert (law.pvalue() <= alpha) == (not low <= 0 <= high), (a, n, b, m)
        assert counted(b, m, a, n).interval(1 - alpha) == (-high, -low)
        assert counted(b, m, a, n).pvalue() == law.pvalue()


def test_a_task_that_all_win_and_one_that_none_wins_leave_an_interval_of_some_width():
    low, high = wilson([won(5, 5), won(0, 5)], 0.95)
    assert 0.2 < low < 0.45 < 0.55 < high < 0.8


def test_many_runs_of_one_task_do_not_make_up_for_few_of_another():
    (low, high), (one_low, one_high) = wilson([won(1, 2), won(250, 500)], 0.95), wilson([won(1, 2)], 0.95)
    assert high - low > (one_high - one_low) / 3


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


@pytest.mark.parametrize(
    ("n", "m"), [(5, 9), *(pytest.param(*nm, marks=pytest.mark.slow) for nm in ((16, 16), (24, 7)))]
)
def test_boschloos_power_is_the_chance_of_all_results_that_its_pvalue_rejects(n, m):
    x, y = stats.binom.pmf(np.arange(n + 1), n, 0.8), stats.binom.pmf(np.arange(m + 1), m, 0.3)
    expected = sum(x[a] * y[b] for a in range(n + 1) for b in range(m + 1) if boschloo(a, n, b, m) <= 0.05)
    assert boschloo_power(0.8, n, 0.3, m, 0.05) == pytest.approx(expected, rel=1e-12)


def test_one_task_of_successes_is_compared_by_the_score_of_all_results():
    pair = compared(won(9, 10), won(3, 10))
    assert (pair.test, pair.method) == ("miettinen_nurminen", "exact")
    assert pair.pvalue == counted(9, 10, 3, 10).pvalue()
    assert (pair.difference_low, pair.difference_high) == counted(9, 10, 3, 10).interval(0.95)
    assert "A has a higher success rate than B (difference of success rates 0.60 [0.16, 0.88]" in pair.sentence


def test_boschloos_test_is_there_by_name_with_the_interval_where_that_agrees():
    pair = compared(won(9, 10), won(3, 10), test="boschloo")
    assert (pair.test, pair.pvalue) == ("boschloo", pytest.approx(boschloo(9, 10, 3, 10)))
    assert (pair.low, pair.own_low) == (None, counted(9, 10, 3, 10).interval(0.95)[0])
    assert pair.spoken == (pair.own_low, pair.own_high)


def test_the_improvement_of_rates_is_half_of_their_difference_and_a_half():
    pair = compared(won(9, 10), won(3, 10))
    assert (pair.improvement, pair.improvement_low) == pytest.approx((0.8, (1 + pair.difference_low) / 2))


def test_on_several_tasks_the_score_is_stratified():
    x, y = episodes(1, 0.9, 0.4, n_tasks=6)
    cells = {"A": dict(enumerate_tasks(x)), "B": dict(enumerate_tasks(y))}
    (pair,) = ro.compare(cells).pairs
    assert (pair.test, pair.method, pair.verdict) == ("miettinen_nurminen", "asymptotic", "a_better")
    assert pair.pvalue == pytest.approx(slow.pvalue(x, y), rel=1e-4)
    assert "difference of success rates" in pair.sentence
    assert (pair.own_low, pair.own_high) == score_interval(x, y, 0.95)


def enumerate_tasks(cells):
    return ((f"task {t}", cell) for t, cell in enumerate(cells))


@pytest.mark.parametrize("test", ["auto", "jackknife"])
@pytest.mark.parametrize(
    "correction",
    ["auto", "none", *(pytest.param(c, marks=pytest.mark.slow) for c in ("holm", "bonferroni", "hommel", "bh"))],
)
def test_interval_and_p_value_of_rates_never_disagree(test, correction):
    for seed, of in product(range(2), range(2)):
        cells = episodes(seed, 0.95, 0.75, 0.3)
        scores = ro.Scores.from_dict({name: dict(enumerate_tasks(own)) for name, own in zip("ABC", cells, strict=True)})
        pvalue = ro.compare(scores, test=test).pairs[of].pvalue
        alpha = (0.999 if seed % 2 else 1.001) * min(pvalue, 0.99)  # just beside the p-value of one of the pairs
        for pair in ro.compare(scores, test=test, correction=correction, alpha=alpha).pairs:
            assert (not pair.own_low <= 0 <= pair.own_high) == (pair.pvalue <= alpha), (seed, pair.sentence)
            different = pair.verdict != "no_difference_found"
            assert (not pair.low <= 0 <= pair.high) == different == (pair.pvalue_adjusted <= alpha), seed
            assert -1 <= pair.own_low <= pair.difference <= pair.own_high <= 1
            assert not different or (pair.verdict == "a_better") == (pair.difference > 0)


def test_far_out_the_p_value_is_about_as_small_as_fishers():
    x, y = [won(5, 5)] * 3 + [won(4, 5)] * 3, [won(1, 5)] * 3 + [won(2, 5)] * 3
    fisher = stats.fisher_exact([[27, 3], [9, 21]]).pvalue
    assert fisher / 10 < compared(np.array(x).T, np.array(y).T).pvalue < 10 * fisher


@pytest.mark.parametrize("n_tasks", [1, 4])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_two_policies_that_always_end_alike_are_no_difference_found_with_an_interval(n_tasks, value):
    cells = np.full((20, n_tasks), value)
    scores = ro.Scores.from_dict({"A": cells, "B": cells}, unit="episode")
    (pair,) = ro.compare(scores, margin=0.2).pairs
    assert (pair.verdict, pair.pvalue, pair.own_low) == ("equivalent", 1.0, pytest.approx(-pair.own_high))
    mean = ro.aggregate(scores, measure=["mean"])["A", "mean"]
    assert 0 < pair.own_high < 1.3 * (mean.high - mean.low)


@pytest.mark.parametrize("metric", ["iqm", "median", "trimmed_mean_10"])
def test_no_other_metric_is_advised_for_zeros_and_ones(metric):
    cells = dict(enumerate_tasks(episodes(2, 0.5, n_tasks=5)[0]))
    result = ro.aggregate({"A": cells}, measure=[metric])
    (advice,) = (note for note in result.advice if note.code == "R018")
    assert advice.text.startswith("prefer the mean, which is the success rate")
    assert all(0 <= end <= 1 for record in result.rows for end in (record.low, record.high) if end is not None)


@pytest.mark.parametrize("rate", [0.55, 0.7])
def test_equivalence_finds_a_difference_of_rates_by_the_p_value_of_compare(rate):
    rng = np.random.default_rng(0)
    x, y = ((rng.random((5, 6)) < p) * 1.0 for p in (0.9, rate))
    scores = ro.Scores.from_dict({"A": x, "B": y})
    (pair,) = ro.equivalence(scores, margin=0.9).pairs
    assert pair.pvalue == ro.compare(scores).pairs[0].pvalue


@pytest.mark.parametrize("rate", [0.55, 0.7])
def test_the_p_value_of_equivalence_inverts_the_interval(rate):
    rng = np.random.default_rng(0)
    x, y = ((rng.random((5, 6)) < p) * 1.0 for p in (0.9, rate))
    (pair,) = ro.equivalence(ro.Scores.from_dict({"A": x, "B": y}), margin=0.4).pairs
    for factor, within in ((0.999, False), (1.001, True)):
        low, high = score_interval(x.T, y.T, 1 - 2 * factor * pair.pvalue_equivalence)
        assert (max(-low, high) < 0.4) == within


def test_too_few_runs_for_any_result_to_count_are_told():
    pair = compared(won(2, 2), won(0, 2))
    assert pair.verdict == "no_difference_found"
    assert "the smallest p-value that the Miettinen-Nurminen score test (exact) can give is 0.12" in pair.sentence


@pytest.mark.parametrize(("n_tasks", "n_runs"), [(1, 8), (2, 8), (1, 1200)])
def test_the_sentence_calls_the_test_exact_where_its_method_is(n_tasks, n_runs):
    rates = {
        name: {f"task {t}": [1.0] * wins + [0.0] * (n_runs - wins) for t in range(n_tasks)}
        for name, wins in (("A", n_runs - 1), ("B", n_runs // 4))
    }
    result = ro.compare(rates)
    (pair,) = result
    assert pair.test == "miettinen_nurminen"
    assert (pair.method == "exact") == (n_tasks == 1 and n_runs < 1000)
    for text in (pair.sentence, result.to_markdown()):
        assert ("the Miettinen-Nurminen score test (exact)" in text) == (pair.method == "exact")
        assert "the Miettinen-Nurminen score test" in text


@pytest.mark.parametrize(("x", "y"), [([1.0, 0.5], [0.0, 1.0]), ([2.0, 1.0], [0.0, 1.0])])
def test_scores_that_are_no_successes_are_refused_by_name(x, y):
    with pytest.raises(ro.DesignError, match="scores of 0 and 1"):
        compared(x, y, test="boschloo")


def test_aggregates_of_one_task_of_successes_have_wilsons_interval():
    result = ro.aggregate(ro.Scores.from_dict({"A": won(9, 10)}))
    mean, gap = result["A", "mean"], result["A", "optimality_gap"]
    assert (mean.interval, gap.interval) == ("wilson", "wilson")
    assert (mean.low, mean.high) == pytest.approx(wilson([won(9, 10)], 0.95))
    assert (gap.low, gap.high) == pytest.approx((1 - mean.high, 1 - mean.low))
    (cell,) = ro.aggregate(ro.Scores.from_dict({"A": won(3, 3)}), by="task").rows
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
    """By the sum over all results: Wilson errs where a law is lumpy, but on average over near rates it holds."""
    rates = np.clip(rate + np.linspace(-0.02, 0.02, 9), 0.01, 0.99)
    ends = [wilson([won(k, n)], 0.95) for k in range(n + 1)]
    coverage = [sum(stats.binom.pmf(k, n, p) for k in range(n + 1) if ends[k][0] <= p <= ends[k][1]) for p in rates]
    assert np.mean(coverage) > 0.93
    mass = stats.binom.pmf(np.arange(n + 1), n, rate)
    assert mass @ ~rejected_rates(n, n, 0.05) @ mass > 0.94


# ── equivalence ──────────


def test_rates_are_equivalent_where_their_score_interval_lies_within_the_margin():
    data = ro.Scores.from_dict({"A": won(10, 10), "B": won(9, 10)})
    low, high = score_interval([won(10, 10)], [won(9, 10)], 0.9)
    for margin, verdict in ((high + 0.001, "equivalent"), (high - 0.001, "no_difference_found")):
        (pair,) = ro.equivalence(data, margin=margin).pairs
        assert pair.verdict == verdict
    (pair,) = ro.compare(data, alpha=0.1).pairs
    assert (pair.own_low, pair.own_high) == pytest.approx((low, high), abs=1e-6)


def test_rates_over_tasks_have_intervals_within_zero_and_one():
    record = ro.aggregate(ro.Scores.from_dict({"A": np.array([[1.0, 1.0], [0.0, 1.0], [1.0, 1.0]])}))["A", "mean"]
    assert (record.interval, 0 < record.low < record.estimate < record.high <= 1) == ("wilson", True)


def test_a_p_value_of_exactly_the_level_leaves_zero_out():
    pair = compared(won(3, 3), won(0, 3), alpha=2 / 64)
    assert pair.pvalue == pytest.approx(2 / 64, rel=1e-12)
    assert pair.own_low > 0


def test_equal_rates_that_are_added_otherwise_are_level():
    x, y = [won(1, 10), won(3, 10)], [won(2, 10), won(2, 10)]
    (pair,) = ro.compare({"A": dict(enumerate_tasks(x)), "B": dict(enumerate_tasks(y))}).pairs
    assert (pair.difference, pair.statistic, pair.pvalue) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("runs", ["per_task", "shared"])
def test_a_task_of_rates_is_called_by_the_score_and_by_as_few_episodes_as_it_takes(runs):
    x, y = np.tile(won(9, 10)[:, None], 2), np.tile(won(3, 10)[:, None], 2)
    lead = ro.where(ro.Scores.from_dict({"A": x, "B": y}, runs=runs), "A", "B")
    assert lead.rows[0].pvalue == counted(9, 10, 3, 10).pvalue()
    assert lead.rows[0].estimate == pytest.approx(0.6)
    assert (lead.rows[0].joint_low, lead.runs_to_test) == (pytest.approx(counted(9, 10, 3, 10).interval(0.975)[0]), 4)


def test_a_gap_of_zeros_and_ones_ends_where_its_gamma_says():
    cells = {"A": {"t": won(1, 2), "u": won(2, 2), "v": won(2, 2)}}
    record = ro.aggregate(cells, measure=["optimality_gap"], gamma=2.0)["A", "optimality_gap"]
    assert 1.0 <= record.low < record.estimate < record.high <= 2.0


def test_boschloos_test_is_refused_of_several_tasks():
    x, y = np.tile(won(9, 10)[:, None], 2), np.tile(won(3, 10)[:, None], 2)
    with pytest.raises(ro.DesignError, match="use test='auto'"):
        compared(x, y, test="boschloo")


def test_the_least_pvalue_of_a_task_is_that_of_all_against_none():
    assert least_of_rates(4, 3) == counted(4, 4, 0, 3).pvalue() == counted(1, 4, 1, 3).least


@pytest.mark.parametrize(
    ("won", "of"),
    [
        (((20, 0), (19, 0)), 20),
        (((20, 20, 20), (20, 19, 19)), 20),
        (((19, 19, 19), (19, 19, 18)), 20),
        (((5, 3, 1, 4, 2), (4, 3, 2, 5, 0)), 5),
    ],
)
def test_the_detectable_difference_of_rates_is_found_as_often_as_it_says_also_near_0_and_1(won, of):
    cells = [[np.repeat([1.0, 0.0], [k, of - k]) for k in side] for side in won]
    (pair,) = ro.compare(
        {name: {f"t{i}": cell for i, cell in enumerate(side)} for name, side in zip("AB", cells, strict=True)}
    ).pairs
    middle = np.mean(won, axis=0) / of
    a = np.clip(np.where(middle < 0.5, middle + pair.detectable_difference, middle), pair.detectable_difference, 1)
    draws = np.random.default_rng(0).random((2, 4000, len(a), of))
    x, y = (side < rate[:, None] for side, rate in zip(draws, (a, a - pair.detectable_difference), strict=True))
    assert 0.75 < rates_apart(x.astype(float), y.astype(float), 0.05).mean() < 0.87


def test_whoever_is_ahead_the_detectable_difference_is_found_where_one_side_has_few_episodes():
    cells = {
        "A": {"t": np.repeat([1.0, 0.0], [19, 1]), "u": np.repeat([1.0, 0.0], [18, 2])},
        "B": {"t": [1.0, 1.0, 0.0], "u": [1.0, 1.0, 1.0]},
    }
    law = rate_law(list(cells["A"].values()), [np.array(cell) for cell in cells["B"].values()], chance=False)
    both = rates_reach(law, 0.05, 0.8), rates_reach(law.turned(), 0.05, 0.8)
    assert both[0] != pytest.approx(both[1])
    assert law.detectable(0.05) == max(both)
