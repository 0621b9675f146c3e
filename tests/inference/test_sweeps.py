"""Sweeps beside slow twins: errors of the best of all settings, folds, draws of the surface, dimension, importance, units."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from runoff._inference.tuning import (
    CellMeans,
    best_of,
    chosen_for_all,
    chosen_per_task,
    cross_fitted,
    dimensions,
    is_grid,
    levels_of,
    orders_of,
    region,
    shares,
    smallest_set,
    surfaces,
    tuned,
    with_one,
)
from runoff._inference.tuning.folds import rank_weights
from runoff._inference.tuning.importance import effects
from runoff._inference.tuning.sweep import in_one_unit
from runoff.data.scores import Scores
from tests.reference import sweeps as twin

GRID = np.array(np.unravel_index(np.arange(12), (3, 2, 2))).T


def runs_of(*shape: int, seed: int = 0) -> np.ndarray:
    """Return runs about means of settings, (n_tasks, K, n_runs)."""
    draw = np.random.default_rng(seed)
    return draw.normal(size=(*shape[:-1], 1)) + draw.normal(size=shape)


@pytest.mark.slow
@pytest.mark.parametrize("n_runs", [3, 4, 6])
def test_errors_of_the_best_of_all_are_half_of_leaving_runs_out_and_at_least_those_of_folds(n_runs):
    (cells,) = runs_of(1, 5, n_runs)
    best, own = best_of(list(cells)), twin.left_out(cells) * (1 + 1 / 5) / 2
    least = twin.fold_variance(cells, orders_of([list(cells)])[:, 0])
    assert best.judged[-1] == pytest.approx(twin.best_of_all(cells), abs=1e-12)
    assert best.parts[:, -1] == pytest.approx(own * max(1.0, least / own.sum()), rel=1e-9)


def test_the_floor_of_folds_is_what_counts_where_the_winner_is_sure():
    cells = [np.array([9.0, 10.0, 11.5]), np.array([0.0, 1.0, 2.2])]
    assert best_of(cells).parts[:, -1].sum() == pytest.approx(np.var(cells[0], ddof=1) / 3)


def test_pooled_errors_are_those_of_all_settings_weighed_by_chances_of_ranks():
    (cells,) = runs_of(1, 6, 4)
    variance = cells.var(axis=1, ddof=1).mean() / 4
    weights = [[comb(6 - r, k - 1) / comb(6, k) for r in range(1, 7)] for k in range(1, 7)]
    assert np.allclose(rank_weights(6), weights)
    assert best_of(list(cells)).pooled == pytest.approx([variance * np.square(w).sum() for w in weights])


def test_the_order_of_runs_says_nothing():
    (cells,) = runs_of(1, 4, 5)
    shuffled = [np.random.default_rng(i).permutation(cell) for i, cell in enumerate(cells)]
    assert np.allclose(best_of(list(cells)).parts, best_of(shuffled).parts)
    assert np.array_equal(orders_of([list(cells)]), orders_of([shuffled]))


def test_the_order_of_configurations_and_of_tasks_says_nothing():
    runs = [list(cells) for cells in runs_of(3, 4, 5)]
    there, back = orders_of(runs), orders_of([task[::-1] for task in runs[::-1]])
    assert np.array_equal(there, back[:, ::-1, ::-1])


def test_run_j_judges_what_the_others_choose_on_each_task_and_over_all():
    runs = runs_of(3, 4, 5, seed=2)
    for j in range(5):
        others = np.delete(runs, j, axis=2).mean(axis=2)
        best = [runs[t, others[t].argmax(), j] for t in range(3)]
        assert chosen_per_task(runs)[:, j].tolist() == best
        assert chosen_for_all(runs)[:, j].tolist() == runs[:, others.mean(axis=0).argmax(), j].tolist()


def test_a_cross_fitted_error_allows_for_folds_that_choose_by_each_other():
    orders = orders_of([list(cells) for cells in runs_of(3, 4, 5)])
    value, parts, freedom = cross_fitted(orders, chosen_for_all)
    judged = np.array([chosen_for_all(order) for order in orders])
    assert value == pytest.approx(judged.mean())
    assert parts == pytest.approx(judged.var(axis=2, ddof=1).mean(axis=0) / 9 * (1 / 5 + 1 / 4))
    assert freedom.tolist() == [4, 4, 4]


def test_runs_of_unequal_cells_are_drawn_as_many_as_the_smallest_has():
    orders = orders_of([[np.arange(3.0), np.arange(7.0) + 10]], n_orders=50)
    assert orders.shape == (50, 1, 2, 3)
    assert set(orders[:, 0, 1].ravel()) == set(np.arange(7.0) + 10)


def test_draws_without_noise_are_the_surface_and_with_noise_they_are_about_its_shrunken_means():
    runs = runs_of(4, 6, 3)
    still = runs.mean(axis=2, keepdims=True) + 1e-9 * runs
    exact = surfaces(CellMeans.of(list(map(list, still))), 50, np.random.default_rng(0))
    assert np.allclose(exact, still.mean(axis=2), atol=1e-4)
    noisy = surfaces(CellMeans.of(list(map(list, runs))), 4000, np.random.default_rng(0))
    means, tasks = runs.mean(axis=2), runs.mean(axis=(1, 2))[:, None]
    assert (np.abs(noisy.mean(axis=0) - tasks).sum() < np.abs(means - tasks).sum()).all()
    assert np.allclose(noisy.mean(axis=(0, 2)), tasks[:, 0], atol=0.1)


def test_draws_of_equal_settings_have_sensitivities_near_zero_where_means_have_none():
    runs = np.random.default_rng(3).normal(size=(5, 16, 3))
    drawn = surfaces(CellMeans.of(list(map(list, runs))), 1000, np.random.default_rng(0))
    plug_in = tuned(runs.mean(axis=2)) - with_one(runs.mean(axis=2))
    phi = tuned(drawn) - with_one(drawn)
    assert phi.mean() < 0.5 * plug_in
    assert np.quantile(phi, 0.025) < 0.01


def dimension_by_subsets(means: np.ndarray, levels: np.ndarray, share: float) -> int:
    """Return the fewest settings that have to be tuned per task, subset by subset."""
    base, n = levels[means.mean(axis=0).argmax()], levels.shape[1]
    curve = []
    for size in range(n + 1):
        best = []
        for free in combinations(range(n), size):
            kept = [c for c, own in enumerate(levels) if all(own[s] == base[s] for s in range(n) if s not in free)]
            best.append(means[:, kept].max(axis=1).mean())
        curve.append(max(best))
    return next(d for d, value in enumerate(curve) if value >= share * curve[-1])


@pytest.mark.parametrize("seed", range(6))
def test_the_dimension_is_that_of_all_subsets_of_settings(seed):
    means = np.random.default_rng(seed).normal(size=(4, 12)) + 2
    for share in (0.8, 0.95):
        assert dimensions(means[None], GRID, share)[0] == dimension_by_subsets(means, GRID, share)


def test_a_set_holds_its_share_of_the_chances_with_the_fewest_values():
    assert smallest_set(np.array([0.02, 0.6, 0.36, 0.02])) == (1, 2)
    assert smallest_set(np.array([0.0, 0.95, 0.05])) == (1,)


def test_effects_of_settings_add_up_to_every_mean_and_shares_of_no_noise_to_one():
    means = np.random.default_rng(1).normal(size=12)
    parts = effects(means, GRID, 3)
    assert np.allclose(sum(parts.values()), means)
    still = [np.array([m - 1e-9, m + 1e-9]) for m in means]
    assert sum(s.share for s in shares(still, GRID, alpha=0.05, order=3)) == pytest.approx(1.0)


def test_noise_alone_has_no_share_on_average():
    draw, values = np.random.default_rng(0), []
    for _ in range(200):
        own = shares(list(draw.normal(size=(12, 4)) + 3.0 * (GRID[:, :1] == 0)), GRID, alpha=0.05, order=1)
        values.append([share.share for share in own])
    first, *others = np.mean(values, axis=0)
    assert first > 0.9
    assert max(others) < 0.02


def test_levels_are_of_the_settings_that_differ_and_one_that_is_not_set_is_a_level():
    settings = [{"lr": "0.1", "width": "8"}, {"lr": "0.1", "width": "16"}, {"lr": "0.2", "width": "8"}]
    names, levels = levels_of([{"gamma": "0.9", **own} for own in settings])
    assert (names, levels.tolist()) == (("lr", "width"), [[0, 1], [0, 0], [1, 1]])
    assert levels_of([{}, {}]) is None
    assert levels_of([{"lr": "0.1"}, {"lr": "0.1", "clip": "8"}])[1].tolist() == [[0], [1]]
    assert (is_grid(GRID), is_grid(GRID[:-1])) == (True, False)


@pytest.mark.parametrize(
    ("tuned_lead", "sensitivity_lead", "where"),
    [
        (1.0, 0.5, "better, and more sensitive"),
        (0.2, 0.1, "better, and more sensitive"),
        (1.0, -1.0, "better, and no more sensitive"),
        (0.2, 0.5, "better only when tuned per task"),
        (-1.0, 0.5, "worse tuned and with one setting"),
        (-1.0, -2.0, "better only with one setting"),
    ],
)
def test_regions_of_the_plane_have_the_names_of_their_leads(tuned_lead, sensitivity_lead, where):
    assert region(tuned_lead, sensitivity_lead) == where


def test_more_runs_of_a_setting_make_its_draws_narrower():
    means = np.random.default_rng(0).normal(size=(4, 8))
    spreads = []
    for n_runs in (4.0, 400.0):
        cells = CellMeans(means=means, variances=np.ones(4), freedom=np.full(4, 400.0), n_runs=np.full(4, n_runs))
        spreads.append(surfaces(cells, 500, np.random.default_rng(1)).std(axis=0).mean())
    assert spreads[1] == pytest.approx(0.05, rel=0.2)
    assert spreads[0] > 5 * spreads[1]


def test_what_settings_share_over_tasks_is_shrunken_by_its_own_variance():
    draw = np.random.default_rng(0)
    worth = draw.normal(size=(1, 400))
    cells = CellMeans(
        means=worth + 2.0 * draw.normal(size=(4, 400)),
        variances=np.full(4, 4.0),
        freedom=np.full(4, 1e4),
        n_runs=np.ones(4),
    )
    drawn = surfaces(cells, 200, np.random.default_rng(1)).mean(axis=(0, 1))
    # Variance 1 between settings, and 4 / 4 of noise in a mean over four tasks: half of what is seen is kept.
    slope = np.polyfit(cells.means.mean(axis=0), drawn, 1)[0]
    assert slope == pytest.approx(0.5, abs=0.1)


def test_the_noise_of_runs_is_taken_out_of_a_share():
    draw = np.random.default_rng(2)
    cells = list(draw.normal(size=(12, 3)) + 2.0 * GRID[:, :1])
    means, noise = np.mean(cells, axis=1), np.var(cells, axis=1, ddof=1).mean() / 3
    whole = means.var() - 11 / 12 * noise
    raw = []
    for setting in range(GRID.shape[1]):
        levels = [means[GRID[:, setting] == level].mean() - means.mean() for level in np.unique(GRID[:, setting])]
        raw.append((np.square(levels).mean() - (len(levels) - 1) / 12 * noise) / whole)
    # what came out below 0 was taken from the whole
    most = max(0.0, 1 - sum(raw)) + sum(max(0.0, share) for share in raw)
    of_setting = {own.settings: own.share for own in shares(cells, GRID, alpha=0.05, order=1)}
    assert [of_setting[setting,] for setting in range(GRID.shape[1])] == pytest.approx(
        [max(0.0, share) / most for share in raw]
    )


@pytest.mark.parametrize("seed", range(20))
def test_shares_are_no_more_than_the_whole_together(seed):
    draw = np.random.default_rng(seed)
    terms = shares(list(draw.normal(size=(12, 3)) + 0.5 * GRID[:, :1]), GRID, alpha=0.05)
    assert sum(term.share for term in terms) <= 1 + 1e-12
    assert all(term.low <= term.share <= term.high for term in terms)


def test_a_share_of_runs_counts_those_strictly_below_in_each_algorithm():
    scores = Scores.from_dict({"A": {"t": [0.0, 0.0, 1.0]}, "B": {"t": [0.0, 2.0]}})
    shares_below = in_one_unit(scores, "cdf").to_dict()
    assert shares_below["A"]["t"] == pytest.approx([0, 0, (2 / 3 + 1 / 2) / 2])
    assert shares_below["B"]["t"] == pytest.approx([0, (1 + 1 / 2) / 2])


def test_the_noise_of_means_is_that_of_their_own_numbers_of_runs():
    draw = np.random.default_rng(5)
    cells = CellMeans.of([[draw.normal(size=n) for n in (2, 3, 30)] for _ in range(500)])
    assert (cells.variances / cells.n_runs).mean() == pytest.approx(np.square(cells.means).mean(), rel=0.1)


def test_a_setting_that_follows_from_another_is_no_dimension_and_of_two_that_do_so_the_first_is():
    grid = [{"lr": lr, "width": width, "name": f"lr {lr}", "small": str(lr < "2")} for lr in "123" for width in "12"]
    names, levels = levels_of(grid)
    assert names == ("lr", "width")
    assert levels.tolist() == [[k // 2, k % 2] for k in range(6)]
