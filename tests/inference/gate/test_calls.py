"""The five calls: which wins where several hold, and what data give each of them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from runoff._inference.gate import Terms, calls_of
from runoff._inference.gate.unit import call_of
from runoff.base.random import streams
from tests.inference.gate.pairs import drawn, pair_of


def called(pair, margin=1.0, **more):
    options = {"alpha": 0.05, "power": 0.8, "n_resamples": 2_000, "streams": streams(0)}
    return calls_of(pair, Terms(margin=margin, **(options | more)))


def test_the_first_that_holds_is_the_call():
    wanted = ["improved", "held", "regressed", "suspect"]
    for holds in product((True, False), repeat=4):
        names = ("improved", "holds", "dropped", "suspected")
        first = next((name for name, applies in zip(wanted, holds, strict=True) if applies), "underpowered")
        assert call_of(**dict(zip(names, holds, strict=True))) == first


@pytest.mark.parametrize(
    ("sizes", "drop", "margin", "call"),
    [
        ((10, 10), 3.0, 1.0, "regressed"),
        ((10, 10), -3.0, 1.0, "improved"),
        ((10, 10), 0.0, 2.5, "held"),
        ((10, 10), 0.0, 0.3, "underpowered"),
        ((2, 2), 9.0, 1.0, "suspect"),
        ((2, 2), 0.0, 90.0, "underpowered"),
    ],
)
def test_runs_of_one_task_have_the_call_that_they_should(sizes, drop, margin, call):
    (only,) = called(drawn(sizes, [drop], seed=7), margin)
    assert only.verdict == call


def test_a_drop_that_is_surely_less_than_the_margin_is_held_and_told():
    (call,) = called(drawn((60, 60), [1.0], seed=3), margin=3.0)
    assert (call.verdict, call.dropped) == ("held", True)
    assert 0 < call.drop.estimate < call.high < 3.0


def test_between_a_drop_and_its_absence_is_suspect_only_with_power():
    rng = np.random.default_rng(0)
    x = rng.normal(size=12)
    x = (x - x.mean()) / x.std(ddof=1)
    pair = pair_of([x], [x - 0.6])
    (call,) = called(pair, margin=1.2)
    assert (call.verdict, call.dropped) == ("suspect", False)
    assert call.power >= 0.8
    assert called(pair, margin=0.6)[0].verdict == "underpowered"


def test_a_task_that_would_be_called_by_itself_is_suspect_among_others():
    alone = called(pair_of([[3.0, 4.0, 5.0]], [[0.0, 1.0, 2.0]]))
    beside = called(pair_of([[3.0, 4.0, 5.0], [1.0, 4.0, 2.0]], [[0.0, 1.0, 2.0], [3.9, 2.1, 1.5]]))
    assert (alone[0].verdict, beside[0].verdict) == ("regressed", "suspect")


def test_limits_agree_with_the_calls():
    for seed in range(4):
        for call in called(drawn((6, 5), [0.0, 0.8, 1.6], seed), margin=2.0):
            below = call.high is not None and call.high <= 2.0
            assert below == (call.pvalue_held <= 0.05 + 1e-9)


def test_three_runs_on_many_tasks_say_how_many_it_would_take():
    calls = called(drawn((3, 3), [0.0] * 10), margin=1.0)
    assert {call.verdict for call in calls[:-1]} <= {"underpowered", "suspect"}
    assert all(np.isinf(call.detectable) and call.runs_needed > 3 for call in calls[:-1])
    assert np.isfinite(calls[-1].detectable)


def test_success_rates_are_held_by_exact_limits_not_by_shifts():
    pair = pair_of([[1.0] * 5], [[1.0] * 5], binary=True, rates=True)
    (call,) = called(pair, margin=0.1)
    assert call.verdict == "underpowered"
    assert call.high == pytest.approx(1 - 0.05 ** (1 / 5), abs=1e-3)
    many = pair_of([[1.0] * 60], [[1.0] * 60], binary=True, rates=True)
    assert called(many, margin=0.1)[0].verdict == "held"


def test_a_success_rate_that_collapses_has_regressed():
    pair = pair_of([[1.0] * 9 + [0.0]], [[0.0] * 9 + [1.0]], binary=True, rates=True)
    assert called(pair, margin=0.2)[0].verdict == "regressed"


def test_runs_without_spread_hold_nothing_and_say_why():
    (call,) = called(pair_of([[500.0] * 5], [[500.0] * 5]), margin=50.0)
    assert (call.verdict, call.high, call.power) == ("underpowered", None, 0.0)


def test_shared_runs_are_judged_whole():
    rng = np.random.default_rng(1)
    level = rng.normal(size=(2, 6))
    cells = [[side + 0.01 * rng.normal(size=6) for _ in range(8)] for side in level]
    right, wrong = (called(pair_of(*cells, shared=shared), margin=0.5)[-1] for shared in (True, False))
    assert right.drop.error > 2 * wrong.drop.error
    assert right.pvalue > wrong.pvalue or right.verdict == "underpowered"
