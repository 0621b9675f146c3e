"""Places cover the true ones, and intervals of the improvement leave out ½ as rarely as they say: docs/ranks.md, docs/estimates.md."""

from __future__ import annotations

from math import sqrt

import pytest

from docs import make_improvement, make_ranks
from docs.make_ranks import Case

N = 300
LEAST = 0.95 - 4 * sqrt(0.95 * 0.05 / N)
"""Four standard errors below the level."""
DESIGNS = [(1, 3), (6, 3), (6, 5), (26, 10)]


@pytest.mark.slow
@pytest.mark.parametrize(("n_tasks", "n_runs"), DESIGNS)
@pytest.mark.parametrize("world", make_ranks.WORLDS)
def test_places_by_the_mean_cover_the_true_ones(world, n_tasks, n_runs):
    for truth in ("all equal",) if world == make_ranks.SKEWED else make_ranks.SHIFTS:
        own, joint = make_ranks.covered(Case(world, truth, n_tasks, n_runs, "mean"), N)
        assert min(own, joint) > LEAST


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["iqm", "median"])
def test_places_by_other_metrics_cover_the_true_ones(metric):
    for n_tasks, n_runs in ((6, 3), (26, 5)):
        assert min(make_ranks.covered(Case("normal", "all equal", n_tasks, n_runs, metric), N)) > LEAST


@pytest.mark.slow
def test_places_of_shared_runs_cover_and_those_of_resampled_ranks_do_not():
    shared = Case("normal", "all equal", 6, 5, "mean", shared=True)
    assert min(make_ranks.covered(shared, N)) > LEAST
    assert make_ranks.covered(Case("normal", "all equal", 6, 5, "mean", "bootstrap"), N)[0] < 0.85


@pytest.mark.slow
@pytest.mark.parametrize("design", [(1, 3), (1, 5), (6, 3), (26, 5)])
@pytest.mark.parametrize("world", make_improvement.WORLDS)
def test_the_interval_leaves_out_a_half_no_more_often_than_it_says(world, design):
    assert make_improvement.rate(world, design, 0.0, N) < 1 - LEAST


@pytest.mark.slow
@pytest.mark.parametrize("world", make_improvement.WORLDS)
def test_where_tasks_vary_an_interval_over_runs_leaves_out_a_half_too_often(world):
    assert make_improvement.rate(world, (26, 10), 1.0, N) > 0.1
