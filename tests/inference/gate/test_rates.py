"""Rates: the exact limit keeps its level, tasks of two scores are seen as rates beside any others, and constant ones hold nothing."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from scipy import stats

from runoff._inference.gate import Terms, calls_of
from runoff._inference.gate.below import SuccessCounts, _Kinds
from runoff.base.random import streams
from tests.inference.gate.pairs import pair_of

ALPHA = 0.05
NORMAL = np.random.default_rng(5).normal(size=(2, 10))


def of(successes, sizes, worth=1.0):
    return SuccessCounts(successes=successes, sizes=sizes, lowest=0.0, highest=worth)


def called(x, y, margin, **more):
    options = Terms(margin=margin, alpha=ALPHA, power=0.8, n_resamples=2_000, streams=streams(0))
    return calls_of(pair_of(x, y, **more), options)


def law(sizes, p, q):
    """Return the chance of every number of successes, of the baseline and of the candidate."""
    chances = [stats.binom.pmf(np.arange(n + 1), n, rate) for n, rate in zip(sizes, (p, q), strict=True)]
    return np.outer(*chances)


@pytest.mark.parametrize(
    "sizes", [(3, 3), (5, 5), (10, 3), *(pytest.param(n, marks=pytest.mark.slow) for n in ((20, 5), (10, 10)))]
)
@pytest.mark.parametrize("drop", [0.1, 0.36, 0.7])
def test_a_drop_of_the_margin_is_ruled_out_no_oftener_than_alpha(sizes, drop):
    n, m = sizes
    ruled_out = np.array([[of((a, b), sizes).pvalue(drop) <= ALPHA for b in range(m + 1)] for a in range(n + 1)])
    wrong = [float((law(sizes, p, p - drop) * ruled_out).sum()) for p in np.linspace(drop, 1, 83)]
    assert max(wrong) <= ALPHA
    assert max(wrong) > 0.0 or not ruled_out.any()


def test_where_all_succeed_the_limit_is_that_of_the_candidates_rate():
    assert of((20, 5), (20, 5)).limit(ALPHA) == pytest.approx(1 - ALPHA ** (1 / 5), abs=1e-3)
    assert of((20, 5), (20, 5), 100.0).limit(ALPHA) == pytest.approx(100 * (1 - ALPHA ** (1 / 5)), abs=0.1)


@pytest.mark.parametrize("successes", [(0, 0), (9, 9), (10, 3), (4, 8)])
def test_the_limit_is_where_the_test_begins_to_rule_out(successes):
    rates = of(successes, (10, 9))
    high = rates.limit(ALPHA)
    assert rates.pvalue(high + 1e-3) <= ALPHA or high == pytest.approx(1.0, abs=1e-3)
    assert rates.pvalue(high - 1e-2) > ALPHA


def test_hundreds_of_episodes_have_a_limit_from_both_ends():
    many, some = (of((9 * n, 9 * n), (10 * n, 10 * n)).limit(ALPHA) for n in (25, 5))
    assert 0.05 < many < some


@cache
def mean_end(counts):
    x, y = ([np.repeat([1.0, 0.0], [k, 4 - k]) for k in side] for side in (counts[:2], counts[2:]))
    return _Kinds(pair_of(x, y, binary=True, rates=True), 0.5, [1.0] * 2).end(ALPHA)


@pytest.mark.parametrize("margin", [0.2, 0.35, 0.5])
def test_the_mean_of_rates_is_held_no_oftener_than_alpha(margin):
    within = np.array([mean_end(c) < margin for c in product(range(5), repeat=4)]).reshape(5, 5, 5, 5)
    for p, share in product(np.linspace(margin, 1, 9), np.linspace(0, 1, 6)):
        drops = 2 * margin * share, 2 * margin * (1 - share)
        if max(drops) <= p:
            laws = [law((4, 4), p, p - drop) for drop in drops]
            assert np.einsum("ac,bd,abcd->", *laws, within) <= ALPHA


@pytest.mark.parametrize("worth", [1.0, 100.0, 3e-9])
def test_two_scores_of_any_kind_are_rates(worth):
    (call,) = called([worth * np.repeat([1.0, 0.0], [19, 1])], [np.full(5, worth)], 0.3 * worth)
    assert call.verdict != "held"
    assert call.high > 0.3 * worth


def test_two_scores_beside_many_are_rates_and_hold_the_mean_back():
    x, y = [np.repeat([100.0, 0.0], [19, 1]), NORMAL[0]], [np.full(5, 100.0), NORMAL[1]]
    first, other, mean = called(x, y, 15.0)
    assert other.verdict == "held"
    assert "held" not in (first.verdict, mean.verdict)
    assert mean.high > 15.0
    assert called(x, y, 60.0)[-1].verdict == "held"


@pytest.mark.parametrize("shared", [False, True])
def test_a_rate_without_spread_widens_the_mean_also_where_runs_are_shared(shared):
    rng = np.random.default_rng(2)
    x, y = ([np.full(6, 1.0), rng.normal(size=6) / 50] for _ in "xy")
    x[0] = np.repeat([1.0, 0.0], [5, 1])
    assert called(x, y, 0.15, shared=shared)[-1].verdict != "held"


def test_the_end_of_the_mean_adds_the_distances_of_rates_and_of_relabelled_tasks():
    """Distances are those of sums over tasks: that of the mean of two relabelled tasks counts twice."""
    x, y = ([np.repeat([1.0, 0.0], [49, 1]), *rng.normal(size=(2, 6))] for rng in map(np.random.default_rng, (3, 4)))
    difference = pair_of(x[1:], y[1:]).difference
    far = difference.interval(1 - 2 * ALPHA)[1] - difference.estimate
    kinds = _Kinds(pair_of(x, y), 0.5, [1.0] * 3)
    rate = next(iter(kinds.chosen)).distance(ALPHA)
    assert kinds.end(ALPHA) == pytest.approx(kinds.pair.difference.estimate + np.hypot(2 * far, rate) / 3)


@pytest.mark.parametrize("level", [1.0, 500.0])
def test_a_constant_task_beside_others_holds_neither_itself_nor_the_mean(level):
    first, other, mean = called([np.full(9, level), NORMAL[0]], [np.full(9, level), NORMAL[1]], 3.0)
    assert [first.high, mean.high] == [None, None]
    assert (first.verdict, other.verdict) == ("underpowered", "held")
    assert mean.verdict != "held"
    assert mean.unknown == ("task 0",)


def test_two_scores_that_are_nearer_than_the_margin_say_nothing_of_lower_ones():
    (call,) = called([np.repeat([100.0, 99.9], [19, 1])], [np.full(5, 100.0)], 30.0)
    assert (call.verdict == "held", call.high, call.unknown) == (False, None, ("task 0",))


@pytest.mark.slow
def test_no_smallest_drop_is_larger_than_the_rate_of_the_baseline():
    few = called([np.repeat([1.0, 0.0], [2, 8])], [np.repeat([1.0, 0.0], [1, 4])], 0.5, binary=True, rates=True)[0]
    assert (few.most, few.power, few.detectable, few.runs_needed) == (0.2, 0.0, np.inf, None)
    many = called([np.tile([1.0, 0.0], 50)], [np.tile([1.0, 0.0], 50)], 0.1, binary=True, rates=True)[0]
    assert 0 < many.detectable <= many.most == 0.5
