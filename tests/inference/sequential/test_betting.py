"""Bets on who is ahead, against a slow twin, and what makes them fair."""

from __future__ import annotations

from itertools import combinations, product
from math import exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff._inference.sequential import MOST_BATCHES, ShiftEnds, batch, batches_left, ends, ends_of_few, log_e
from runoff._inference.sequential.betting import EFFECTS, PRIOR
from runoff.base.random import Streams

RNG = np.random.default_rng(3)
ONE_TASK = [RNG.normal(size=3)], [RNG.normal(1.0, 1, size=3)]
TWO_TASKS = [RNG.normal(size=3), RNG.normal(5, 2, size=2)], [RNG.normal(size=3), RNG.normal(6, 2, size=2)]
WITH_TIES = [np.array([0.0, 1.0, 1.0])], [np.array([1.0, 1.0, 0.0])]
CASES = {"one task": ONE_TASK, "two tasks": TWO_TASKS, "ties": WITH_TIES}


def bet_on(a, b, n_resamples=10_000):
    return batch(a, b, streams=Streams(0), key=0, n_resamples=n_resamples)


def ways(a, b, shift):
    """Every way to name the runs of each task, as (difference, variance) of the task; the data are the first."""
    for x, y in zip(a, b, strict=True):
        pooled = np.concatenate([x - shift, y])
        every = []
        for chosen in combinations(range(pooled.size), x.size):
            rest = np.delete(pooled, chosen)
            every.append(pooled[list(chosen)].mean() - rest.mean())
        yield every, pooled.var(ddof=1) * (1 / x.size + 1 / y.size)


def slow_log_e(a, b, shift, side):
    """The definition: exp(λ Z) of the data over the mean of exp(λ Z) under all names, averaged over effects."""
    tasks = list(ways(a, b, shift))
    error = sqrt(sum(variance for _, variance in tasks)) / len(tasks)
    z = [side * sum(way) / len(tasks) / error for way in product(*(every for every, _ in tasks))]
    pairs = sum(1 / x.size + 1 / y.size for x, y in zip(a, b, strict=True))
    rates = [effect * len(tasks) / sqrt(pairs) for effect in EFFECTS]
    bets = [exp(rate * z[0]) / np.mean([exp(rate * value) for value in z]) for rate in rates]
    return log(np.mean(bets))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("shift", [0.0, 0.7, -2.0])
def test_evidence_is_that_of_the_slow_twin(case, side, shift):
    a, b = CASES[case]
    assert log_e([bet_on(a, b)], shift, side)[-1] == pytest.approx(slow_log_e(a, b, shift, side), abs=1e-10)


@pytest.mark.parametrize("case", CASES)
def test_the_bet_is_fair_over_all_ways_to_name_the_runs(case):
    from dataclasses import replace

    bet = bet_on(*CASES[case])
    paid = [np.exp(replace(bet, own=i).log_evidence(0.0, 1)) for i in range(bet.differences.size)]
    assert np.mean(paid, axis=0) == pytest.approx(1.0, abs=1e-12)


def test_drawn_ways_come_near_to_all_of_them():
    exact, drawn = bet_on(*TWO_TASKS), bet_on(*TWO_TASKS, n_resamples=150)
    assert exact.differences.size == 120
    many = batch([RNG.normal(size=8)], [RNG.normal(size=8)], streams=Streams(0), key=0, n_resamples=500)
    assert many.differences.size == 501
    assert many.own == 0
    assert drawn.differences.size == 120


def test_drawn_evidence_is_near_the_exact_one():
    a, b = [RNG.normal(size=7)], [RNG.normal(0.8, 1, size=7)]
    exact, drawn = (log_e([bet_on(a, b, n)], 0.0, -1)[-1] for n in (3_432, 3_000))
    assert drawn == pytest.approx(exact, abs=0.1)


def test_products_of_batches_are_mixed_after_multiplying():
    first, two = bet_on(*ONE_TASK), bet_on(*TWO_TASKS)
    by_effect = first.log_evidence(0.0, 1) + two.log_evidence(0.0, 1)
    assert log_e([first, two], 0.0, 1)[-1] == pytest.approx(log(np.exp(by_effect).mean()))


def test_the_other_way_round_the_sides_change_places():
    a, b = TWO_TASKS
    assert log_e([bet_on(a, b)], 0.0, 1) == pytest.approx(log_e([bet_on(b, a)], 0.0, -1), abs=1e-10)


@given(st.floats(-50, 50), st.floats(0.01, 100))
def test_units_do_not_change_the_evidence(origin, unit):
    a, b = TWO_TASKS
    moved = bet_on([origin + unit * x for x in a], [origin + unit * x for x in b])
    assert log_e([moved], 0.0, 1) == pytest.approx(log_e([bet_on(a, b)], 0.0, 1), abs=1e-6)


def test_the_interval_moves_with_the_scores():
    a, b = [RNG.normal(size=6)], [RNG.normal(size=6)]
    interval = ends([bet_on(a, b)] * 2, log(40), 5.0)
    moved = ends([bet_on([3 + a[0]], b)] * 2, log(40), 8.0)
    assert interval.low is not None
    assert (moved.low, moved.high) == pytest.approx((interval.low + 3, interval.high + 3), abs=1e-6)


def test_the_interval_ends_where_the_evidence_reaches_the_bound():
    a, b = [RNG.normal(size=6)], [RNG.normal(1, 1, size=6)]
    batches = [bet_on(a, b)] * 3
    interval = ends(batches, log(40), 6.0)
    assert log_e(batches, interval.low, 1).max() == pytest.approx(log(40), abs=1e-6)
    assert log_e(batches, interval.high, -1).max() == pytest.approx(log(40), abs=1e-6)


def test_too_few_runs_give_no_ends():
    interval = ends([bet_on(*ONE_TASK)], log(40), 5.0)
    assert (interval.low, interval.high, interval.empty) == (None, None, False)


def test_batches_that_contradict_each_other_leave_nothing():
    a, b = [RNG.normal(size=8)], [RNG.normal(size=8)]
    first, then = bet_on([50 + a[0]], b), bet_on([a[0] - 50], b)
    assert ends([first, first, then, then, then, then], log(40), 100.0).empty


def test_runs_that_do_not_vary_say_nothing():
    same = bet_on([np.full(4, 2.0)], [np.full(4, 2.0)])
    assert log_e([same], 0.0, 1) == pytest.approx(0.0)


def test_batches_left_are_those_of_the_same_batches_over_and_over():
    a, b = [RNG.normal(0.8, 1, 6)], [RNG.normal(size=6)]
    so_far = [bet_on(a, b), bet_on([a[0] + 0.1], b)]
    for bound in (log(40), log(4_000)):
        left = batches_left(so_far, bound)
        reached = [max(log_e(so_far * n, 0.0, side)[-1] for side in (1, -1)) >= bound for n in range(1, 30)]
        assert 2 * reached.index(True) < 2 + left <= 2 * (reached.index(True) + 1)
    assert batches_left([bet_on(b, a)], log(40)) == batches_left([bet_on(a, b)], log(40))


def test_batches_without_a_difference_never_decide():
    same = bet_on([np.arange(6.0)], [np.arange(6.0)])
    assert batches_left([same], log(40)) is None
    assert MOST_BATCHES == 100


RATES = [np.array([1.0, 1, 1, 1, 1])], [np.array([1.0, 0, 1, 0, 1])]


def test_the_interval_of_rates_is_where_the_mixture_of_its_bets_reaches_the_bound():
    bets, bound = [bet_on(*RATES)] * 3, log(40)
    interval = ends_of_few(bets, bound, bounded=True)
    weight, effects = 3 * bets[0].effective, np.linspace(-60, 60, 400_001)
    prior = np.exp(-PRIOR * effects**2 / 2) * sqrt(PRIOR / (2 * np.pi))
    bet = np.exp(effects * weight * (0.4 - interval.low) - effects**2 * weight / 8)
    assert (bet * prior).sum() * (effects[1] - effects[0]) == pytest.approx(exp(bound))
    assert interval.high == 1.0


def test_runs_with_two_scores_have_no_end_but_a_0_that_the_evidence_excludes():
    high, low = [np.full(5, 21.0)], [np.full(5, 20.0)]
    assert ends_of_few([bet_on(high, low)], log(400), bounded=False) == ShiftEnds(few=True)
    assert ends_of_few([bet_on(high, low)] * 2, log(40), bounded=False) == ShiftEnds(low=0.0, few=True)
    turned = [bet_on(high, low)] * 2 + [bet_on(low, high)] * 5
    assert ends_of_few(turned, log(40), bounded=False).empty


def test_ends_hold_their_estimate_or_nothing():
    assert ShiftEnds(low=0.5, high=2.0).around(3.0) == ShiftEnds(low=0.5, high=3.0)
    assert ShiftEnds(low=0.5, high=2.0).around(-0.1).empty
    assert ShiftEnds(high=-0.5).around(0.0).empty
    assert ShiftEnds(low=-1.0).around(-2.0) == ShiftEnds(low=-2.0)
    assert ShiftEnds(high=2.0).around(-1.0) == ShiftEnds(high=2.0)
    assert ShiftEnds(low=-2.0).around(1.0) == ShiftEnds(low=-2.0)


@pytest.mark.parametrize(("ends", "within"), [((-0.9, 0.9), True), ((None, 0.9), False), ((-0.9, None), False)])
def test_an_interval_without_an_end_is_within_no_margin(ends, within):
    assert ShiftEnds(low=ends[0], high=ends[1]).within(1.0) is within
