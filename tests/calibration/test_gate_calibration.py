"""The gate calls no more that is wrong than it may, whatever the runs, their numbers and the tasks; and what it says of its power is so."""

from __future__ import annotations

import pytest
from scipy import stats

from docs.make_gate_calibration import COUNTS, DRAWS, false_drops, false_holds, false_holds_of_rates, power_found

ALPHA, N_REPEATS, FEW = 0.05, 1_000, 120
slow = pytest.mark.slow
tasks = pytest.mark.parametrize("n_tasks", [1, 5, 10])
draws = pytest.mark.parametrize("draw", DRAWS)


def highest(alpha=ALPHA, repeats=N_REPEATS):
    """Return a rate above which one of alpha is once in 10,000 times; there are some hundred tests."""
    return stats.binom.ppf(0.9999, repeats, alpha) / repeats


@pytest.mark.parametrize(("counts", "n_tasks"), [((3, 3), 1), ((10, 3), 2)])
def test_runs_of_one_algorithm_rarely_regress_and_not_never(counts, n_tasks):
    rate = false_drops(counts, [0.0] * n_tasks, draw="skewed", repeats=FEW)
    assert 0 < rate <= highest(repeats=FEW)


@slow
@draws
@tasks
@pytest.mark.parametrize("counts", COUNTS)
def test_a_thousand_pairs_of_one_algorithm_stay_under_alpha(draw, counts, n_tasks):
    assert false_drops(counts, [0.0] * n_tasks, draw=draw, repeats=N_REPEATS) <= highest()


@slow
@tasks
@pytest.mark.parametrize("counts", [(5, 5), (10, 3)])
def test_runs_of_one_algorithm_improve_half_as_often(counts, n_tasks):
    rate = false_drops(counts, [0.0] * n_tasks, sign=-1, alpha=ALPHA / 2, repeats=N_REPEATS)
    assert rate <= highest(ALPHA / 2)


@slow
@pytest.mark.parametrize("counts", [(5, 5), (10, 10), (10, 3)])
@pytest.mark.parametrize("n_tasks", [2, 5, 10])
def test_tasks_that_have_not_dropped_are_rarely_called_beside_others_that_have(counts, n_tasks):
    assert false_drops(counts, [3.0 * (t % 2) for t in range(n_tasks)], repeats=N_REPEATS) <= highest()


@slow
@draws
@tasks
@pytest.mark.parametrize("counts", [(3, 3), (5, 5), (10, 3)])
def test_a_drop_of_just_the_margin_is_rarely_held(draw, counts, n_tasks):
    assert false_holds(counts, n_tasks, draw=draw, repeats=N_REPEATS) <= highest()


@slow
@pytest.mark.parametrize("counts", [(5, 5), (20, 5), (10, 3), (20, 20)])
@pytest.mark.parametrize("margin", [0.1, 0.36, 0.6])
def test_a_success_rate_that_drops_by_just_the_margin_is_rarely_held(counts, margin):
    assert false_holds_of_rates(counts, margin) <= ALPHA


@slow
@pytest.mark.parametrize(("counts", "n_tasks"), [((3, 3), 1), ((5, 5), 1), ((5, 5), 5), ((10, 10), 5), ((10, 10), 10)])
def test_the_power_that_is_stated_for_a_task_is_found(counts, n_tasks):
    assert 0.74 <= power_found(counts, n_tasks, overall=False, repeats=N_REPEATS) <= 0.9


@slow
@pytest.mark.parametrize("n_tasks", [5, 10])
@pytest.mark.parametrize("counts", [(3, 3), (5, 5), (10, 10)])
def test_the_power_that_is_stated_for_the_mean_is_found(counts, n_tasks):
    assert 0.76 <= power_found(counts, n_tasks, overall=True, repeats=N_REPEATS) <= 0.88
