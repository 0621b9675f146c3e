"""t intervals of aggregates against plain twins, and their coverage."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.bootstrap import parse_metric, pool, prepare
from runoff.base.random import Streams
from tests.amount import LONG
from tests.reference import record as slow

CELLS = [np.array([1.2, 3.4, 8.8]), np.array([0.7, 1.5, 1.9, 2.0, 4.4]), np.array([2.1, 2.5, 2.6, 9.1])]
ALL = ("iqm", "iqm_whole", "median", "mean", "optimality_gap", "trimmed_mean_10")


def of(cells, **options):
    data = ro.Scores.from_dict({"A": {f"t{i}": cell for i, cell in enumerate(cells)}})
    return {r.measure: r for r in ro.aggregate(data, measure=ALL, n_resamples=10_000, gamma=3.0, **options).rows}


def satterthwaite(cells):
    """Standard error and degrees of freedom of the mean of the cells' means."""
    parts = np.array([c.var(ddof=1) / c.size for c in cells])
    return np.sqrt(parts.sum()) / len(cells), parts.sum() ** 2 / sum(
        p**2 / (c.size - 1) for p, c in zip(parts, cells, strict=True)
    )


@pytest.mark.parametrize("cells", [CELLS, CELLS[:1], CELLS[1:]], ids=["three", "one", "two"])
def test_mean_and_gap_have_welch_and_satterthwaites_intervals(cells):
    result = of(cells)
    for metric, values in (("mean", cells), ("optimality_gap", [np.maximum(3.0 - c, 0) for c in cells])):
        error, df = satterthwaite(values)
        half = stats.t.ppf(0.975, df) * error
        assert (result[metric].low, result[metric].high) == pytest.approx(
            (result[metric].estimate - half, result[metric].estimate + half)
        )
    if len(cells) < 3:  # the median of one or two task means is their mean
        ends = result["mean"].low, result["mean"].high
        assert (result["median"].low, result["median"].high) == pytest.approx(ends)


@pytest.mark.parametrize("metric", ALL)
def test_the_interval_is_the_law_of_leaving_each_run_out(metric):
    shortfall = metric == "optimality_gap"
    cells = [np.maximum(3.0 - c, 0.0) for c in CELLS] if shortfall else CELLS
    name = "mean" if shortfall else metric
    parts, freedom = slow.variances(cells, name), [c.size - 1 for c in cells]
    total = sum(parts)
    df = min(max(total**2 / sum(v**2 / d for v, d in zip(parts, freedom, strict=True)), min(freedom)), sum(freedom))
    value, half = slow.measure(cells, name), stats.t.ppf(0.975, df) * np.sqrt(total)
    result = of(CELLS)[metric]
    assert (result.estimate, result.low, result.high) == pytest.approx((value, value - half, value + half))


def test_over_tasks_a_bounded_mean_has_students_interval_of_the_task_means():
    cells = list(np.random.default_rng(0).random((10, 4)))
    data = ro.Scores.from_dict({"A": {f"t{i}": cell for i, cell in enumerate(cells)}})
    result = {r.measure: r for r in ro.aggregate(data, over="runs_and_tasks").rows}
    means = np.array([c.mean() for c in cells])
    half = stats.t.ppf(0.975, 9) * means.std(ddof=1) / np.sqrt(10)
    assert (result["mean"].low, result["mean"].high) == pytest.approx((means.mean() - half, means.mean() + half))


@pytest.mark.parametrize("interval", ["auto", "percentile"])
def test_one_task_is_no_sample_of_tasks(interval):
    data = {"A": CELLS[0]}
    with pytest.warns(ro.RunoffWarning, match="one task does not show how tasks vary"):
        (record,) = ro.aggregate(data, measure=["iqm"], over="runs_and_tasks", interval=interval).rows
    assert record.low is None


def test_whole_tasks_keep_all_their_runs():
    prepared = prepare([np.array([1.0, 1.0]), np.array([5.0, 5.0, 5.0])], [parse_metric("mean")])
    assert set(pool.resample_whole_tasks(prepared, 500, Streams(0))[:, 0]) == {1.0, 3.0, 5.0}


@pytest.mark.parametrize(
    ("n_runs", "n_repeats"),
    [(3, 100), *(pytest.param(n, 2_000, marks=marks) for n, marks in ((3, LONG), (5, pytest.mark.slow)))],
)
def test_on_six_tasks_of_three_or_five_runs_iqm_mean_and_gap_are_covered_at_their_level(n_runs, n_repeats):
    rng, hits = np.random.default_rng(n_runs), dict.fromkeys(("iqm", "mean", "optimality_gap"), 0)
    shift = np.arange(6.0)
    big = np.sort(np.random.default_rng(0).normal(size=(200_000, 6)) + shift, axis=None)
    truth = {"iqm": big[300_000:900_000].mean(), "mean": 2.5, "optimality_gap": np.maximum(3.0 - big, 0).mean()}
    for _ in range(n_repeats):
        data = ro.Scores.from_dict({"A": rng.normal(size=(n_runs, 6)) + shift})
        for r in ro.aggregate(data, measure=list(hits), n_resamples=500, gamma=3.0, threads=1).rows:
            hits[r.measure] += r.low <= truth[r.measure] <= r.high
    # measured: 94 to 97 %
    least, most = stats.binom.ppf(1e-3, n_repeats, 0.94), stats.binom.ppf(1 - 1e-3, n_repeats, 0.97)
    assert all(least <= hit <= most for hit in hits.values()), hits


def test_two_trimmed_means_over_tasks_are_not_mixed_up():
    data = ro.Scores.from_dict({"A": {f"t{i}": c for i, c in enumerate(CELLS)}})
    options = {"interval": "percentile", "over": "runs_and_tasks", "n_resamples": 500}
    both, alone = (
        {r.measure: r.low for r in ro.aggregate(data, measure=metrics, **options).rows}
        for metrics in (["iqm", "trimmed_mean_10"], ["trimmed_mean_10"])
    )
    assert both["trimmed_mean_10"] == alone["trimmed_mean_10"] != both["iqm"]


def test_an_iqm_that_cuts_no_whole_run_has_the_interval_of_the_mean():
    """A quarter of three runs is no whole one."""
    whole, mean = (of([np.array([0.0, 0.1, 0.2])])[metric] for metric in ("iqm_whole", "mean"))
    assert (whole.estimate, whole.low, whole.high) == pytest.approx((mean.estimate, mean.low, mean.high))
