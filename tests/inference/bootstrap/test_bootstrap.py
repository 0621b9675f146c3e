"""The stratified bootstrap against slow twins, full enumeration and other software (tests/golden/bootstrap.json)."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

from runoff._inference.bootstrap import intervals
from runoff._inference.bootstrap import pool as bootstrap
from runoff._inference.bootstrap.metrics import parse_metric
from runoff._inference.pairs import improvement_law
from runoff._kernels.bootstrap import resample
from runoff.base.random import streams
from tests import places
from tests.reference import bootstrap as slow

GOLDEN = json.loads((places.GOLDEN / "bootstrap.json").read_text())["cases"]
AGGREGATES = [case for case in GOLDEN if case["kind"] == "aggregate"]
IMPROVEMENTS = [case for case in GOLDEN if case["kind"] == "probability_of_improvement"]
SAMPLES = [case for case in GOLDEN if case["kind"] == "one_sample"]
METRICS = [parse_metric(name) for name in ("mean", "median", "optimality_gap", "iqm")]
OF_WHOLE_RUNS = [*METRICS[:3], parse_metric("iqm_whole")]
CUTS = {True: METRICS, False: OF_WHOLE_RUNS}
"""Whether a quarter of the runs is cut exactly, or in whole runs."""
N = 20_000


def named(cases):
    return pytest.mark.parametrize("case", cases, ids=[case["name"] for case in cases])


def ragged(rng, n_tasks=4, ties=False):
    sizes = rng.integers(2, 9, size=n_tasks)
    cells = [rng.normal(0.8, 0.6, size=n) for n in sizes]
    return [np.round(cell, 1) for cell in cells] if ties else cells


@named(AGGREGATES)
def test_points_are_those_of_rliable(case):
    pool = bootstrap.prepare(list(np.array(case["scores"]).T), OF_WHOLE_RUNS)
    expected = [case["point"][metric.name] for metric in METRICS]
    assert bootstrap.estimates(pool) == pytest.approx(expected, rel=1e-12)
    assert slow.rliable_statistics(np.array(case["scores"])) == pytest.approx(expected, rel=1e-12)


@named(AGGREGATES)
def test_the_default_cut_is_the_exact_share_of_the_oracle(case):
    pool = bootstrap.prepare(list(np.array(case["scores"]).T), METRICS)
    assert bootstrap.estimates(pool)[3] == pytest.approx(case["point"]["iqm_fractional_weights"], rel=1e-12)


@pytest.mark.parametrize("n_runs", [2, 3, 5, 7, 10])
@pytest.mark.parametrize("share", [10, 25, 40])
def test_the_default_cut_is_scipys_where_every_run_is_a_hundred_and_so_no_run_is_divided(n_runs, share):
    matrix = np.random.default_rng(n_runs).normal(size=(n_runs, 3))
    pool = bootstrap.prepare(list(matrix.T), [parse_metric(f"trimmed_mean_{share}")])
    expected = stats.trim_mean(np.repeat(matrix, 100), share / 100)
    assert bootstrap.estimates(pool)[3] == pytest.approx(expected, rel=1e-12)


@named(AGGREGATES)
@pytest.mark.parametrize("kind", ["percentile", "basic"])
@pytest.mark.parametrize("n", [N, pytest.param(5 * N, marks=pytest.mark.slow)])
def test_ends_are_quantiles_of_our_replicates_within_four_monte_carlo_errors(case, kind, n):
    pool = bootstrap.prepare(list(np.array(case["scores"]).T), OF_WHOLE_RUNS)
    replicates, points = bootstrap.resample_runs(pool, n, streams(1)), bootstrap.estimates(pool)
    error = 4 * np.sqrt(0.025 * 0.975 * (1 / n + 1 / case["draws"]))
    for column, metric in enumerate(METRICS):
        low, high = case["intervals"][kind][metric.name]
        ends = (low, high) if kind == "percentile" else (2 * points[column] - high, 2 * points[column] - low)
        for end, level in zip(ends, (0.025, 0.975), strict=True):
            width = 1e-9 + 0.004 * np.ptp(replicates[:, column])  # np.percentile interpolates between atoms
            assert np.mean(replicates[:, column] < end - width) <= level + error
            assert np.mean(replicates[:, column] <= end + width) >= level - error


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("n_designs", [5, pytest.param(40, marks=pytest.mark.slow)])
def test_a_resample_is_its_slow_twin(ties, exact, n_designs):
    rng = np.random.default_rng(3)
    for _ in range(n_designs):
        cells = ragged(rng, ties=ties) if rng.random() < 0.7 else list(rng.normal(1, 1, size=(3, 5)))
        pool = bootstrap.prepare(cells, CUTS[exact])
        words = bootstrap.random_words(streams(7).block("bootstrap", 0), 30, pool.values.size)
        expected = [slow.statistics(slow.resample(cells, row), exact=exact) for row in words]
        np.testing.assert_allclose(bootstrap.resample_runs(pool, 30, streams(7)), expected, rtol=1e-12, atol=1e-12)


def test_points_of_ragged_cells_weigh_every_task_the_same():
    rng = np.random.default_rng(4)
    for exact in (False, True):
        cells = ragged(rng, n_tasks=5)
        pool = bootstrap.prepare(cells, CUTS[exact])
        assert bootstrap.estimates(pool) == pytest.approx(slow.statistics(cells, exact=exact), rel=1e-12)


@pytest.mark.parametrize("sizes", [[5] * 26, [40] * 3, [4] * 90, [3, 17, 1, 30]])
@pytest.mark.parametrize("exact", [False, True])
def test_points_are_to_the_bit_the_resample_that_draws_every_run_once(sizes, exact):
    cells = [np.random.default_rng(size + at).normal(0.5, 0.4, size) for at, size in enumerate(sizes)]
    pool = bootstrap.prepare(cells, CUTS[exact])
    words = np.concatenate([-(-np.arange(size) * 2**32 // size) for size in sizes]).astype(np.uint32)
    row = np.empty((1, pool.n_columns))
    resample.resample_runs(words[None], bootstrap.pooled(pool), row)
    assert bootstrap.estimates(pool).tolist() == row[0].tolist()


def test_the_mean_of_a_tiny_case_has_the_enumerated_distribution():
    cells = [np.array([0.1, 0.7, 0.9]), np.array([0.2, 1.5, 1.1])]
    exact = np.sort(slow.enumerate_means(cells))
    replicates = bootstrap.resample_runs(bootstrap.prepare(cells, METRICS), N, streams(0))[:, 0]
    for level in (0.05, 0.3, 0.6, 0.95):
        at = np.quantile(exact, level) + 1e-9
        share = np.mean(exact <= at)
        assert abs(np.mean(replicates <= at) - share) < 4 * np.sqrt(share * (1 - share) / N)


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("at", range(4))
def test_the_jackknife_is_its_slow_twin(at, exact):
    cells, metric = [np.sort(cell) for cell in ragged(np.random.default_rng(5))], CUTS[exact][at]
    seen = [np.maximum(1.0 - cell, 0.0) for cell in cells] if metric.shortfall else cells
    left = np.concatenate(bootstrap.without_each(seen, metric))
    pool = bootstrap.prepare(cells, CUTS[exact])
    np.testing.assert_allclose(left, slow.jackknife(cells, exact=exact)[:, pool.column(metric)], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("most", [1, 40])
def test_trimmed_means_without_each_run_are_the_same_task_by_task(most, monkeypatch):
    cells, metric = ragged(np.random.default_rng(6)), CUTS[True][1]
    together = bootstrap.without_each(cells, metric)
    monkeypatch.setattr("runoff._inference.bootstrap.record.MOST_WEIGHTS", most)
    for own, all_at_once in zip(bootstrap.without_each(cells, metric), together, strict=True):
        assert own.tolist() == all_at_once.tolist()


@named(SAMPLES)
def test_the_acceleration_of_one_sample_is_that_of_r(case):
    pool = bootstrap.prepare([np.array(case["data"])], METRICS)
    assert bootstrap.acceleration(pool, METRICS[0]) == pytest.approx(case["acceleration_jackknife"], rel=1e-9)


@named(SAMPLES)
def test_bca_of_one_sample_is_that_of_scipy_within_its_monte_carlo_error(case):
    pool = bootstrap.prepare([np.array(case["data"])], METRICS)
    metric = METRICS[0]
    column = pool.column(metric)
    replicates = bootstrap.resample_runs(pool, 200_000, streams(2))[:, column]
    result = intervals.bca(replicates, bootstrap.estimates(pool)[column], 0.95, bootstrap.acceleration(pool, metric))
    for ours, theirs, error in zip(result, case["bca"], case["bca_error"], strict=True):
        assert abs(ours - theirs) <= 4 * np.sqrt(1 + 1 / case["bca_repeats"]) * error + 1e-9


@pytest.mark.slow
def test_resampling_tasks_too_has_the_variance_of_two_stages():
    rng = np.random.default_rng(6)
    cells = [rng.normal(mean, 0.3, size=6) for mean in rng.normal(0, 1, size=8)]
    replicates = bootstrap.resample_tasks(bootstrap.prepare(cells, METRICS), N, streams(0))[:, 0]
    means = np.array([cell.mean() for cell in cells])
    expected = means.var() / 8 + np.mean([cell.var() / 6 for cell in cells]) / 8
    assert replicates.var() == pytest.approx(expected, rel=4 * np.sqrt(2 / N))


@pytest.mark.parametrize("draw", [bootstrap.resample_runs, bootstrap.resample_tasks])
def test_threads_do_not_change_a_bit(draw):
    pool = bootstrap.prepare(ragged(np.random.default_rng(9)), METRICS)
    first, three = (draw(pool, 5_750, streams(5), threads) for threads in (1, 3))
    assert np.array_equal(first, three)
    assert not np.array_equal(first, draw(pool, 5_750, streams(6), 1))


@named(IMPROVEMENTS)
def test_the_probability_of_improvement_is_that_of_rliable(case):
    x, y = (list(np.array(case[side]).T) for side in ("scores_x", "scores_y"))
    assert improvement_law(x, y).value == pytest.approx(case["point"], rel=1e-12)
    assert slow.improvement(x, y) == pytest.approx(case["point"], rel=1e-12)


@pytest.mark.parametrize("n_tasks", [3, 64, 65, 66, 101, 130])
def test_the_median_of_task_means_is_numpys_for_few_and_for_many_tasks(n_tasks):
    cells = [np.array([value, value + 2.0]) for value in np.random.default_rng(n_tasks).permutation(n_tasks) ** 1.5]
    pool = bootstrap.prepare(cells, METRICS)
    result = bootstrap.estimates(pool)[pool.column(parse_metric("median"))]
    assert result == np.median([cell.mean() for cell in cells])
