"""The intervals of the best of k hold, and algorithms of equal configurations have no winner: slow, as docs/tuning.md has it at length."""

from __future__ import annotations

import pytest

from docs.make_tuning import coverage, errors

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("n_tasks", "n_configs", "n_runs"), [(1, 4, 3), (1, 16, 2), (1, 16, 5), (6, 4, 3)])
@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_intervals_of_the_best_of_k_hold_what_is_expected_of_it(n_tasks, n_configs, n_runs, spread):
    shares = coverage(n_tasks, n_configs, n_runs, spread, kind="normal", n=300)
    assert min(shares.values()) > 0.91


@pytest.mark.parametrize("kind", ["normal", "skewed"])
def test_algorithms_of_equal_configurations_seldom_have_a_winner(kind):
    assert errors(3, 1, 4, 3, kind=kind, n=300) < 0.08
