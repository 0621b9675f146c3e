"""The success rate of one model on items: what clusters and attempts are worth, pass@k and pass^k."""

from __future__ import annotations

from fractions import Fraction
from math import comb, inf

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.pairs.accuracy import accuracy as rate_of
from runoff._inference.pairs.accuracy import passes
from tests.reference import items as slow
from tests.reference import rates


def drawn(seed, n_clusters=8):
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(n_clusters), rng.integers(1, 7, n_clusters))
    return (rng.random(codes.size) < rng.beta(2, 1, n_clusters)[codes]).astype(float), codes


def accuracy(values, codes, level, **how):
    low, high = rate_of(values, codes, **how).interval(1 - level)
    return float(low), float(high)


def expected(mean, n, df, level):
    return rates.ends(mean, n, rates.quantile(df, level))


def test_single_attempts_have_wilsons_interval():
    values, _ = drawn(1)
    wilson = stats.binomtest(int(values.sum()), values.size).proportion_ci(0.9, method="wilson")
    assert accuracy(values, None, 0.9, single=True) == pytest.approx((wilson.low, wilson.high))


@pytest.mark.parametrize("seed", range(12))
def test_clusters_are_worth_the_smaller_of_two_numbers_of_items(seed):
    values, codes = drawn(seed)
    n = slow.effective_items(values.tolist(), codes.tolist())
    assert accuracy(values, codes, 0.95) == pytest.approx(expected(values.mean(), n, 7, 0.95), abs=1e-9)


def test_where_no_cluster_differs_each_is_one_item():
    low, high = accuracy(np.ones(20), np.repeat(np.arange(5), 4), 0.95)
    assert (low, high) == pytest.approx(expected(1.0, 5, 4, 0.95))


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("every", [False, True])
def test_pass_at_k_is_the_share_of_all_choices_of_attempts(k, every):
    solved = np.arange(6)
    outcomes = [[True] * c + [False] * (5 - c) for c in solved]
    twins = [slow.pass_at(own, k, every) for own in outcomes]
    assert passes(solved, np.full(6, 5), k, every=every) == pytest.approx(twins)


@pytest.mark.parametrize(("n", "k"), [(2000, 220), (2000, 1000), (10_000, 1000), (10_000, 9999)])
def test_pass_at_k_of_thousands_of_attempts_is_that_of_exact_fractions(n, k):
    solved = np.array([0, 1, 2, 7, n // 20, n - 1, n])
    exact = {c: Fraction(comb(n - c, k), comb(n, k)) for c in (*solved.tolist(), *(n - solved).tolist())}
    fails, succeeds = ([float(exact[c]) for c in counts.tolist()] for counts in (solved, n - solved))
    attempts = np.full(solved.size, n)
    assert passes(solved, attempts, k, every=False) == pytest.approx([1 - p for p in fails], rel=1e-10)
    assert passes(solved, attempts, k, every=True) == pytest.approx(succeeds, rel=1e-10)


def test_attempts_have_the_variance_of_the_items_and_the_t_of_their_number():
    values = np.random.default_rng(2).binomial(10, 0.6, 40) / 10
    n = values.mean() * (1 - values.mean()) / (values.var(ddof=1) / 40)
    assert accuracy(values, None, 0.95) == pytest.approx(expected(values.mean(), n, 39, 0.95))


@pytest.mark.parametrize(("unlike", "k", "plain"), [(5, 1, True), (6, 1, False), (19, 5, True), (20, 5, False)])
def test_with_few_items_beside_one_each_item_is_worth_one(unlike, k, plain):
    values = np.ones(50)
    values[:unlike] = 0.9
    ends = expected(values.mean(), 50, 49, 0.95)
    assert (accuracy(values, None, 0.95, k=k) == pytest.approx(ends)) == plain


SAMPLED = ro.Scores.from_dict(
    {name: (np.random.default_rng(5).random((4, 30)) < rate) * 1.0 for name, rate in (("A", 0.7), ("B", 0.5))},
    unit="episode",
)


def test_aggregate_has_the_accuracy_and_pass_at_k_of_items():
    result = ro.aggregate(SAMPLED, over="tasks", measure=["mean", "pass@2", "pass^2"])
    row = result["A", "mean"]
    means = np.array([cell.mean() for cell in SAMPLED.cells("A")])
    assert (row.low, row.high) == accuracy(means, None, 0.95)
    assert (row.interval, row.over, row.n_tasks, row.n_scores) == ("wilson", "tasks", 30, 120)
    assert result["A", "pass^2"].estimate < row.estimate < result["A", "pass@2"].estimate


@pytest.mark.parametrize(("n_clusters", "codes"), [(4, ["R035"]), (9, ["R035"]), (12, [])])
def test_an_accuracy_says_its_clusters_and_as_how_many_items_they_count(n_clusters, codes):
    values, of = drawn(5, n_clusters)
    scores = ro.Scores.from_dict({"A": values[None, :]})
    result = ro.aggregate(scores, over="tasks", cluster=dict(zip(scores.tasks, map(str, of), strict=True)))
    row, n = result["A", "mean"], slow.effective_items(values.tolist(), of.tolist())
    assert (row.n_clusters, row.n_eff) == (n_clusters, pytest.approx(n))
    assert f"in {n_clusters} clusters, with 95" in result.tables()[0].caption
    assert f"(n_eff = {round(n)})" in result.tables()[0].caption
    assert [advice.code for advice in result.advice] == codes


def test_clusters_widen_the_interval_of_an_accuracy():
    cluster = {task: str(t // 5) for t, task in enumerate(SAMPLED.tasks)}
    alone, together = (ro.aggregate(SAMPLED, over="tasks", cluster=own)["A", "mean"] for own in (None, cluster))
    assert together.high - together.low > alone.high - alone.low


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"over": "tasks", "measure": ["iqm"]}, r"has the mean, and of attempts .* not 'iqm'"),
        ({"over": "tasks", "measure": ["pass@5"]}, "pass@5 takes 5 attempts at every item, and some item has 4"),
        ({"cluster": {}}, "use over='tasks' with it"),
        ({"over": "tasks", "cluster": dict.fromkeys(SAMPLED.tasks, "x")}, "all 30 tasks of 'A' are in one cluster"),
    ],
)
def test_what_items_cannot_answer_is_refused(options, message):
    with pytest.raises(ro.RunoffError, match=message):
        ro.aggregate(SAMPLED, **options)


@pytest.mark.parametrize("over", ["tasks", "runs"])
def test_pass_at_k_of_two_models_is_answered_with_the_call_that_has_it(over):
    with pytest.raises(ro.OptionError, match="pass@2 is of items and of each model by itself") as refusal:
        ro.compare(SAMPLED, over=over, measure="pass@2")
    assert "aggregate(over='tasks', measure='pass@2', unit='episode')" in str(refusal.value)


def test_scores_that_are_no_shares_have_no_accuracy():
    with pytest.raises(ro.OptionError, match=r"scores in \[0, 1\]; these are not"):
        ro.aggregate({"A": {"t": [3.0], "u": [4.0]}}, over="tasks")


@pytest.mark.parametrize(("rate", "n"), [(0.5, 14), (0.9, 30), (0.95, 200)])
def test_wilsons_interval_covers_as_it_says(rate, n):
    k = np.arange(n + 1)
    ends = [accuracy(np.repeat([1.0, 0.0], [i, n - i]), None, 0.95, single=True) for i in k]
    near = [rate + shift for shift in (-0.02, 0.0, 0.02)]
    covered = [
        sum(stats.binom.pmf(i, n, p) for i, (low, high) in zip(k, ends, strict=True) if low <= p <= high) for p in near
    ]
    assert np.mean(covered) > 0.93


def test_the_normal_quantile_is_that_of_no_end_of_clusters():
    assert rates.quantile(inf, 0.95) == pytest.approx(1.959964)
