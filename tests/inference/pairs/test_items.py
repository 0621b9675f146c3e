"""Two models on the same items: the score, its tail over all results, clusters and attempts."""

from __future__ import annotations

from math import comb, exp, lgamma, log

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.pairs.items import EXACT_TO, ItemLaw, cluster_moments, item_law, mcnemar, names_of
from runoff._kernels.items import discordant_rate, paired_score, paired_tail
from tests.reference import items as slow


def drawn(seed, most=24):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, most))
    won, lost, _ = rng.multinomial(n, rng.dirichlet([0.5, 0.5, 1.0])).tolist()
    shift = float(rng.choice([0.0, rng.uniform(-0.99, 0.99), (won - lost) / n]))
    return won, lost, n, shift


@pytest.mark.parametrize("seed", range(60))
def test_the_most_likely_rate_and_the_score_are_those_of_a_search(seed):
    won, lost, n, shift = drawn(seed)
    assert discordant_rate(won, lost, n, shift) == pytest.approx(slow.most_likely(won, lost, n, shift), abs=1e-6)
    assert paired_score(won, lost, n, shift) == pytest.approx(slow.score(won, lost, n, shift), rel=1e-4, abs=1e-9)


@pytest.mark.parametrize("seed", range(15))
def test_the_tail_is_the_sum_over_all_tables(seed):
    won, lost, n, shift = drawn(seed, most=11)
    assert paired_tail(won, lost, n, shift) == pytest.approx(slow.tail(won, lost, n, shift), rel=1e-5, abs=1e-12)


def test_tails_of_the_reference_tables():
    # McNemar's exact p says .125 of 4 wins to 0; from ten items on the score finds a difference.
    pvalues = [ItemLaw(4.0, 0.0, n).pvalue() for n in (9, 10, 20, 100)]
    assert pvalues == pytest.approx([0.05015738855, 0.0488513536, 0.04437093444, 0.04180732972])
    assert ItemLaw(9.0, 2.0, 40).interval(0.95) == pytest.approx((0.00755211162, 0.34127884558), abs=1e-8)
    assert ItemLaw(5.0, 0.0, 6).pvalue() < 0.05 < ItemLaw(5.0, 0.0, 5).pvalue()
    assert mcnemar(4, 0) == 0.125
    assert mcnemar(3, 8) == pytest.approx(stats.binomtest(3, 11).pvalue)
    assert mcnemar(0, 0) == 1.0


def misses(n, first, second, alpha=0.05):
    """The chance that the interval lies above the true difference: that its one-sided test rejects it."""
    shift, chance = first - second, 0.0
    for a in range(n + 1):
        for b in range(n - a + 1):
            if paired_tail(a, b, n, shift) <= alpha / 2:
                powers = a * log(first) + b * log(second) + (n - a - b) * log(1 - first - second)
                chance += exp(lgamma(n + 1) - lgamma(a + 1) - lgamma(b + 1) - lgamma(n - a - b + 1) + powers)
    return chance


@pytest.mark.parametrize(("n", "most"), [(8, 0.051), (14, 0.051), (30, 0.0495), (60, 0.0495)])
def test_the_level_is_kept_at_all_rates_of_items_that_differ(n, most):
    assert max(2 * misses(n, rate, rate) for rate in (0.01, 0.03, 0.08, 0.16, 0.18, 0.3, 0.45)) <= most


@pytest.mark.parametrize("n", [14, 30, 60])
def test_neither_side_of_the_interval_is_missed_more_often_than_it_says(n):
    rates = [(0.3, 0.01), (0.5, 0.02), (0.2, 0.1), (0.02, 0.3), (0.01, 0.15), (0.7, 0.2)]
    assert max(misses(n, *both) for both in rates) <= 0.0265


@pytest.mark.parametrize("seed", range(40))
def test_no_verdict_contradicts_its_interval_and_mirror_images_have_the_same_bits(seed):
    rng = np.random.default_rng(seed)
    for _ in range(12):
        n = int(rng.integers(2, 90))
        won, lost, _ = map(float, rng.multinomial(n, rng.dirichlet([0.4, 0.4, 1.0])))
        law, mirror = ItemLaw(won, lost, n), ItemLaw(lost, won, n)
        for alpha in (0.05, 0.01, 0.2):
            low, high = law.interval(1 - alpha)
            assert (law.pvalue() <= alpha) == (not low <= 0 <= high), (won, lost, n, alpha)
            assert mirror.interval(1 - alpha) == (-high, -low)
        assert low <= law.value <= high
        assert law.pvalue() == mirror.pvalue()


@pytest.mark.parametrize("seed", range(20))
def test_equivalence_is_the_interval_at_twice_alpha_inside_the_margin(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(30, 120))
    won, lost, _ = map(float, rng.multinomial(n, [0.05, 0.05, 0.9]))
    law, margin = ItemLaw(won, lost, n), float(rng.uniform(0.03, 0.25))
    low, high = law.interval(0.9)
    assert (low > -margin and high < margin) == (law.equivalence_pvalue(margin, 0.0) <= 0.05)


def test_the_chance_is_half_more_than_half_the_difference_and_both_decide_alike():
    lead, chance = ItemLaw(9.0, 2.0, 40), ItemLaw(9.0, 2.0, 40, chance=True)
    assert chance.value == 0.5 + lead.value / 2
    assert chance.interval(0.95) == pytest.approx(tuple(0.5 + end / 2 for end in lead.interval(0.95)))
    assert chance.pvalue(0.5) == lead.pvalue(0.0)
    assert chance.equivalence_pvalue(0.2, 0.5) == pytest.approx(lead.equivalence_pvalue(0.4, 0.0))


def test_beyond_the_tables_the_tail_is_normal_and_near_the_exact_one():
    exact, normal = ItemLaw(320.0, 260.0, EXACT_TO), ItemLaw(320.0, 260.0, EXACT_TO + 1)
    assert (exact.method, normal.method) == ("exact", "asymptotic")
    assert exact.pvalue() == pytest.approx(normal.pvalue(), rel=0.02)
    assert exact.interval(0.95) == pytest.approx(normal.interval(0.95), abs=1e-4)


def test_where_no_item_differs_the_interval_says_how_far_apart_two_may_be():
    law = ItemLaw(0.0, 0.0, 40)
    low, high = law.interval(0.95)
    assert (law.pvalue(), law.least, law.spread().laws) == (1.0, 1.0, ())
    assert -low == high == pytest.approx(0.0881, abs=1e-3)
    assert (1 - high) ** 40 == pytest.approx(0.025)


def test_the_least_pvalue_is_that_of_all_differing_items_on_one_side():
    assert ItemLaw(3.0, 2.0, 40).least == ItemLaw(5.0, 0.0, 40).pvalue()


# ── clusters and attempts ──────────


@pytest.mark.parametrize("seed", range(10))
def test_the_moments_of_clusters_are_those_of_matrices(seed):
    rng = np.random.default_rng(seed)
    codes = np.unique(rng.integers(0, 6, 25), return_inverse=True)[1]
    leads = rng.choice([-1.0, 0.0, 1.0], 25)
    mean, variance, df, n_clusters = cluster_moments(leads, codes)
    assert (mean, variance, df) == pytest.approx(slow.clustered(leads, codes.tolist()))
    assert n_clusters == len(set(codes.tolist()))


def test_clusters_of_one_item_have_the_paired_t_tests_error_and_degrees_of_freedom():
    leads = np.random.default_rng(0).normal(0, 0.3, 20)
    _mean, variance, df, _ = cluster_moments(leads, np.arange(20))
    assert (variance, df) == pytest.approx((leads.var(ddof=1) / 20, 19))
    assert names_of(["x", "y", "z"]) is None
    assert names_of(["x", "y", "x"]).tolist() == [0, 1, 0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_the_scaled_interval_is_that_of_a_grid(seed):
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(8), rng.integers(1, 6, 8))
    attempts = float(rng.choice([1, 4]))
    leads = (rng.binomial(int(attempts), 0.7, codes.size) - rng.binomial(int(attempts), 0.5, codes.size)) / attempts
    law = item_law(leads, codes, attempts=np.full(codes.size, attempts))
    expected = slow.scaled_interval(leads.tolist(), codes.tolist(), 0.95, 1 / attempts)
    assert law.interval(0.95) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("seed", range(30))
def test_no_verdict_of_clusters_contradicts_its_interval(seed):
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(9), rng.integers(1, 8, 9))
    leads = np.round(rng.uniform(-1, 1.0, codes.size) + 0.1 * (seed % 4), 2).clip(-1, 1)
    law, mirror = (item_law(side * leads, codes) for side in (1, -1))
    low, high = law.interval(0.95)
    assert (law.pvalue() <= 0.05) == (not low <= 0 <= high)
    assert (mirror.interval(0.95), mirror.pvalue()) == ((-high, -low), law.pvalue())
    shuffled = rng.permutation(codes.size)
    assert item_law(leads[shuffled], codes[shuffled]).interval(0.95) == (low, high)


def test_attempts_that_all_agree_leave_an_error_of_one_attempt_in_k():
    leads = np.full(20, 0.2)
    assert item_law(leads, None, attempts=np.full(20, 5.0)).deff == 1.0
    nearly = np.concatenate([np.full(19, 0.2), [0.0]])
    assert item_law(nearly, None, attempts=np.full(20, 5.0)).deff == pytest.approx(0.2)
    assert item_law(np.full(20, 0.2), np.repeat(np.arange(4), 5)).deff == 5.0


def test_one_attempt_each_is_counted_and_several_or_other_scores_are_scaled():
    leads = np.array([1.0, 0.0, -1.0, 0.0, 1.0, 1.0])
    assert item_law(leads, None, attempts=np.ones(6)).counts
    assert not item_law(leads, None, attempts=np.array([1.0, 2, 1, 1, 1, 1])).counts
    several = item_law(leads, None, attempts=np.full(6, 3.0))
    assert (several.counts, several.df, several.least) == (False, pytest.approx(7.5), 0.0)


def test_items_of_unequal_attempts_have_the_mean_of_what_one_in_k_leaves():
    leads, attempts = np.array([1.0, 0.5, -0.25, 0.0, 1.0, 0.5]), np.array([1.0, 2, 4, 4, 1, 2])
    assert item_law(leads, None, attempts=attempts).df == pytest.approx(5 / (1 - np.mean(1 / attempts)))
    agreed = item_law(np.full(6, 0.5), None, attempts=attempts)
    nearly = item_law(np.array([0.2] * 19 + [0.0]), None, attempts=np.tile([2.0, 10], 10))
    assert (agreed.deff, nearly.deff) == (1.0, pytest.approx(0.3))


# ── what compare says ──────────


def items_of(first, second, n_clusters=None):
    first, second = (np.asarray([side], float) for side in (first, second))
    cluster = None if n_clusters is None else {f"task {i + 1}": str(i % n_clusters) for i in range(first.size)}
    return ro.compare({"A": first, "B": second}, over="tasks", cluster=cluster)["A", "B"]


def test_two_models_are_compared_by_tangos_score_from_two_items_on():
    pair = items_of([1] * 8 + [0], [0] * 6 + [1, 1, 1])
    assert (pair.test, pair.method, pair.measure) == ("tango", "exact", "mean")
    assert pair.pvalue == ItemLaw(6.0, 1.0, 9).pvalue()
    assert (pair.low, pair.high) == ItemLaw(6.0, 1.0, 9).interval(0.95)
    assert items_of([1, 0], [1, 1]).own_high > 0


def test_from_fewer_than_five_clusters_no_verdict_is_given_and_the_interval_is_shown():
    first, second = np.ones(40), np.arange(40) % 2
    pair = items_of(first, second, n_clusters=4)
    assert (pair.verdict, pair.pvalue) == ("no_verdict", None)
    assert "there are 4 clusters, and fewer than 5 cannot tell which is ahead" in pair.sentence
    assert pair.sentence.endswith("Add clusters.")
    assert pair.own_low < 0.5 < pair.own_high


@pytest.mark.parametrize(("n_clusters", "advised"), [(5, True), (9, True), (10, False)])
def test_five_to_nine_clusters_are_few(n_clusters, advised):
    pair = items_of(np.ones(40), np.arange(40) % 3 > 0, n_clusters=n_clusters)
    assert ("R035" in {advice.code for advice in pair.advice}) == advised
    assert f"the scaled score test of {n_clusters} clusters" in pair.sentence
    assert pair.df is not None


def test_a_share_of_all_tables_adds_up_to_one():
    # The lowest score of all is reached by every table.
    assert paired_tail(0, 12, 12, 0.1) == pytest.approx(1.0)
    assert sum(comb(12, a) * comb(12 - a, b) for a in range(13) for b in range(13 - a)) == 3**12
