"""Runs go where the error falls most: no other allocation does better."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, special

from runoff._inference.planning import AllocationCells, cheapest_gain, evenly, moderated
from tests.reference.planning import best_allocation


def cells(seed, n_cells=4, prices=None):
    rng = np.random.default_rng(seed)
    return AllocationCells(
        weights=rng.exponential(size=n_cells) ** 2,
        sizes=rng.integers(2, 9, n_cells),
        prices=np.ones(n_cells) if prices is None else np.asarray(prices, float),
    )


@pytest.mark.parametrize("seed", range(12))
def test_no_allocation_of_as_many_runs_has_a_smaller_error(seed):
    pilot, total = cells(seed), 7
    more = cheapest_gain(pilot, total)
    assert more.sum() == total
    assert pilot.error(more) ** 2 == pytest.approx(best_allocation(pilot.weights, pilot.sizes, total), rel=1e-12)
    assert pilot.error(more) <= pilot.error(evenly(pilot, total))


def test_dear_cells_get_fewer_runs_and_the_budget_is_kept():
    prices = [1.0, 1.0, 10.0, 10.0]
    pilot = cells(3, prices=prices)
    more = cheapest_gain(pilot, 25.5)
    assert 24.5 < more @ np.array(prices) <= 25.5
    dear = AllocationCells(weights=np.ones(2), sizes=np.array([5, 5]), prices=np.array([1.0, 3.0]))
    assert cheapest_gain(dear, 12).tolist() == [6, 2]


def test_sums_of_prices_that_no_double_holds_are_spent_to_the_end():
    pilot = AllocationCells(weights=np.ones(2), sizes=np.array([3, 3]), prices=np.full(2, 0.1))
    assert cheapest_gain(pilot, 0.6).tolist() == [3, 3]
    assert evenly(pilot, 0.6).tolist() == [3, 3]


def test_a_cell_without_spread_gets_nothing():
    pilot = AllocationCells(weights=np.array([0.0, 1.0]), sizes=np.array([2, 50]), prices=np.ones(2))
    assert cheapest_gain(pilot, 3).tolist() == [0, 3]


# ── moderated variances ──────────


@pytest.mark.parametrize("seed", range(4))
def test_moderated_variances_are_those_of_smyths_equations(seed):
    rng = np.random.default_rng(seed)
    df = rng.integers(2, 9, 12).astype(float)
    variances = np.exp(2 * rng.normal(size=12)) * rng.chisquare(df) / df
    logs = np.log(variances) - special.psi(df / 2) + np.log(df / 2)
    beyond = np.var(logs, ddof=1) - special.polygamma(1, df / 2).mean()
    prior = 2 * optimize.brentq(lambda y: special.polygamma(1, y) - beyond, 1e-3, 1e3)
    common = np.exp(logs.mean() + special.psi(prior / 2) - np.log(prior / 2))
    assert moderated(variances, df) == pytest.approx((prior * common + df * variances) / (prior + df), rel=1e-9)


def test_variances_that_differ_no_more_than_equal_ones_become_one():
    assert np.unique(moderated(np.array([1.0, 1.2, 0.9, 1.1]), np.full(4, 2.0))).size == 1


def test_a_variance_of_zero_is_drawn_to_the_others_and_tells_nothing_of_them():
    others = np.array([1e-3, 1.0, 50.0, 4.0])
    drawn = moderated(np.append(others, 0.0), np.full(5, 4.0))
    assert drawn[:4] == pytest.approx(moderated(others, np.full(4, 4.0)), rel=1e-12)
    assert 0 < drawn[4] < drawn[0]


def test_a_single_variance_has_nothing_to_be_drawn_to():
    assert moderated(np.array([0.0, 3.0]), np.full(2, 4.0)).tolist() == [0.0, 3.0]
