"""An aggregate along training: the interval of each step, and the band of all of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from runoff._inference.bootstrap import (
    AlongSteps,
    along,
    along_steps,
    estimate_of,
    interval_ends,
    largest_of,
    parse_metric,
    prepare,
)
from runoff.base.random import streams


def wanted_of(metric, **options):
    expected = {
        "interval": "percentile",
        "band": "pointwise",
        "confidence_level": 0.9,
        "n_resamples": 60,
        "streams": streams(4),
    }
    return AlongSteps(metric=parse_metric(metric), **expected | options)


def cells_of(*sizes, n_steps=3):
    rng = np.random.default_rng(sum(sizes))
    return [rng.normal(size=(n, n_steps)) for n in sizes]


@pytest.mark.parametrize("n_steps", [1, along.ROWS - 1, along.ROWS, along.ROWS + 1, 2 * along.ROWS + 7])
def test_the_largest_of_many_steps_is_that_of_the_whole_product(n_steps):
    rng = np.random.default_rng(n_steps)
    factor, normal = np.tril(rng.normal(size=(n_steps, n_steps))), rng.normal(size=(n_steps + 3, 20))
    assert along._largest(factor, normal) == pytest.approx(np.abs(factor @ normal[:n_steps]).max(axis=0), rel=1e-12)


@pytest.mark.parametrize("interval", ["t", "percentile", "basic", "bca"])
def test_a_pointwise_interval_is_that_of_one_step(interval):
    cells, wanted = cells_of(4, 4, 5), wanted_of("iqm", interval=interval)
    of_steps = [
        interval_ends(prepare([cell[:, s] for cell in cells], [wanted.metric]), [wanted.metric], wanted)[wanted.metric]
        for s in range(3)
    ]
    assert along_steps(cells, wanted).ends == of_steps


def test_steps_that_are_alike_have_the_same_draws():
    (cell,) = cells_of(5, n_steps=1)
    assert len(set(along_steps([np.repeat(cell, 4, axis=1)], wanted_of("mean")).ends)) == 1


def test_a_simultaneous_band_is_wider_than_the_pointwise_interval_and_equals_it_at_one_step():
    wide = along_steps(
        cells_of(6, 6, n_steps=10), wanted_of("iqm", band="simultaneous", interval="t", n_resamples=2000)
    )
    narrow = along_steps(cells_of(6, 6, n_steps=10), wanted_of("iqm", interval="t", n_resamples=2000))
    assert all(w[0] < n[0] and n[1] < w[1] for w, n in zip(wide.ends, narrow.ends, strict=True))


def test_steps_that_say_the_same_widen_a_band_far_less_than_bonferroni_would():
    (cell,) = cells_of(30, n_steps=1)
    low, high = along_steps([cell], wanted_of("mean", interval="t")).ends[0]
    least, most = along_steps([np.repeat(cell, 50, axis=1)], wanted_of("mean", interval="t", band="simultaneous")).ends[
        0
    ]
    level = 1 - 0.1 / 50
    bonferroni = along_steps([cell], wanted_of("mean", interval="t", confidence_level=level)).ends[0]
    assert high - low < most - least < 0.85 * (bonferroni[1] - bonferroni[0])


def test_shared_runs_are_drawn_once_for_all_tasks():
    (cell,) = cells_of(8, n_steps=2)
    doubled = along_steps([cell, cell], wanted_of("mean", shared=True, n_resamples=4000))
    alone = along_steps([cell], wanted_of("mean", shared=True, n_resamples=4000))
    widths = [[high - low for low, high in result.ends] for result in (doubled, alone)]
    assert widths[0] == pytest.approx(widths[1], rel=0.1)


def test_the_band_of_runs_that_tasks_share_is_that_of_their_means():
    (cell,) = cells_of(8, n_steps=4)
    wanted = wanted_of("mean", interval="t", band="simultaneous", shared=True)
    doubled, alone = (along_steps(cells, wanted).ends for cells in ([cell + 1, cell - 1], [cell]))
    assert np.array(doubled) == pytest.approx(np.array(alone))


@pytest.mark.parametrize("interval", ["t", "percentile"])
def test_a_step_without_spread_has_no_interval_but_a_band_by_the_spread_of_the_others(interval):
    (cell,) = cells_of(5, n_steps=3)
    cell[:, 0] = 7.0
    result = along_steps([cell], wanted_of("mean", interval=interval))
    assert result.ends[0] is None
    assert result.ends[1] is not None
    low, high = along_steps([cell], wanted_of("mean", interval="t", band="simultaneous")).ends[0]
    assert low < 7.0 < high
    assert along_steps([np.full((4, 2), 3.0)], wanted_of("mean", interval="t", band="simultaneous")).ends == [
        None,
        None,
    ]


@pytest.mark.parametrize("wins", [[(1, 3), (2, 2), (3, 1), (3, 3)], [(0, 3)]])
def test_the_band_of_a_rate_is_its_exact_interval_at_the_level_of_all_steps(wins):
    cell = np.zeros((6, 5))
    for at in wins:
        cell[at] = 1.0
    wanted = wanted_of("mean", interval="t", band="simultaneous")
    rows = [estimate_of([column], wanted.metric).rows for column in cell.T]
    (largest,) = largest_of([rows], wanted, every=True)
    level, band = 1 - largest.critical(0.1), along_steps([cell], wanted)
    assert set(band.kinds) == {"clopper_pearson"}
    for column, ends in zip(cell.T, band.ends, strict=True):
        exact = stats.binomtest(int(column.sum()), 6).proportion_ci(level)
        assert ends == pytest.approx((exact.low, exact.high))
    # Steps at which all runs agree count too: without them the level of all would be that of one step.
    assert largest.critical(0.1) < 0.1 / 2


def test_the_band_of_a_mean_rate_is_wilsons_interval_at_the_level_of_all_steps():
    cells = [(np.random.default_rng(n).random((n, 4)) < 0.6).astype(float) for n in (6, 5)]
    wanted = wanted_of("mean", interval="t", band="simultaneous")
    rows = [estimate_of([cell[:, s] for cell in cells], wanted.metric).rows for s in range(4)]
    (largest,) = largest_of([rows], wanted, every=True)
    own = along_steps(cells, wanted_of("mean", interval="t", confidence_level=1 - largest.critical(0.1)))
    assert along_steps(cells, wanted).ends == own.ends


@pytest.mark.parametrize("metric", ["mean", "median", "optimality_gap", "iqm"])
def test_a_band_is_the_interval_of_steadied_errors_at_the_level_that_holds_all_steps(metric):
    cells = [cell.cumsum(axis=1) for cell in cells_of(6, 4, n_steps=5)]
    wanted = wanted_of(metric, interval="t", band="simultaneous", n_resamples=5000)
    records = [estimate_of([cell[:, s] for cell in cells], wanted.metric) for s in range(5)]
    assert records[0].parts == pytest.approx([(records[0].rows[:6] ** 2).sum(), (records[0].rows[6:] ** 2).sum()])
    parts, freedom = np.array([record.parts for record in records]), np.array([5, 3])
    steady = np.maximum(parts, (8 * parts.mean(axis=0) + freedom * parts) / (8 + freedom))
    (largest,) = largest_of([[record.rows for record in records]], wanted)
    half = stats.t.isf(largest.critical(0.1) / 2, (steady.sum(1) ** 2) / (steady**2 / freedom).sum(axis=1)) * np.sqrt(
        steady.sum(1)
    )
    band = np.array(along_steps(cells, wanted).ends)
    assert (band[:, 1] - band[:, 0]) / 2 == pytest.approx(half)


@pytest.mark.parametrize(
    ("n_tasks", "metric", "banded"), [(1, "median", True), (2, "median", True), (3, "median", False), (3, "mean", True)]
)
def test_rates_have_a_band_unless_the_measure_moves_in_steps_as_the_median_of_three_does(n_tasks, metric, banded):
    cells = [(np.random.default_rng(n).random((n + 5, 3)) < 0.5).astype(float) for n in range(n_tasks)]
    ends = along_steps(cells, wanted_of(metric, interval="t", band="simultaneous")).ends
    assert [pair is not None for pair in ends] == [banded] * 3
