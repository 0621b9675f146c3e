"""The probability of improvement where tasks are a sample, or runs are shared by tasks."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from tests.reference import bootstrap, intervals

X, Y = [[0.2, 0.5, 4.0], [0.1, 2.3]], [[0.4, 0.5], [0.0, 0.3, 9.0]]
ROWS = [[0.1, 2.0], [0.6, 1.0], [3.0, 1.5]], [[0.5, 1.0], [0.2, 4.0]]
LEVEL, N = 0.9, 50_000


def improvement(x, y, **options):
    """The one record of the improvement of x over y, tasks being a sample."""
    a, b = ({f"task {t}": cell for t, cell in enumerate(cells)} for cells in (x, y))
    settings = {"confidence_level": LEVEL, "n_resamples": N, "over": "runs_and_tasks"} | options
    return ro.probability_of_improvement(ro.Scores.from_dict({"A": a, "B": b}), **settings).records[0]


def quantiles(result, law):
    """Whether the ends are quantiles of a law, within four errors of the share of draws."""
    return [
        law.has_quantile(
            end, level - intervals.error_of_a_share(level, N), level + intervals.error_of_a_share(level, N)
        )
        for end, level in ((result.low, 0.05), (result.high, 0.95))
    ]


@pytest.mark.parametrize(("x", "y"), [(X, Y), (Y, X)])
def test_percentiles_are_those_of_the_enumerated_tasks_and_runs(x, y):
    result = improvement(x, y, interval="percentile")
    assert (result.estimate, result.over) == (pytest.approx(bootstrap.improvement(x, y)), "runs_and_tasks")
    assert quantiles(result, intervals.improvement_law_over_tasks(x, y)) == [True, True]


def test_shared_runs_are_redrawn_as_a_whole():
    scores = ro.Scores.from_dict({"A": ROWS[0], "B": ROWS[1]}, runs="shared")
    options = {"interval": "percentile", "confidence_level": LEVEL, "n_resamples": N}
    result = ro.probability_of_improvement(scores, **options).records[0]
    assert quantiles(result, intervals.improvement_law_of_whole_runs(*ROWS)) == [True, True]
    wider = ro.probability_of_improvement(scores, over="runs_and_tasks", **options).records[0]
    assert wider.high - wider.low > result.high - result.low


@pytest.mark.parametrize(
    ("x", "y"), [(X, Y), (Y, X), ([[5.0, 6.0]] * 3, [[1.0, 2.0]] * 3), ([[2.0, 2.0]] * 2, [[2.0, 0.0]] * 2)]
)
def test_the_t_interval_over_tasks_ends_where_a_share_is_just_excluded(x, y):
    result = improvement(x, y)
    assert (result.interval, result.n_resamples) == ("t", 0)
    assert (result.low, result.high) == pytest.approx(intervals.placed_over_tasks(x, y, LEVEL), abs=1e-9)  # bisection


def test_shared_runs_add_the_error_of_runs_to_that_of_tasks():
    rng = np.random.default_rng(2)
    data = {"A": rng.normal(0.5, 1, (4, 6)), "B": rng.normal(0, 1, (4, 6))}
    separate, whole = (
        ro.probability_of_improvement(ro.Scores.from_dict(data, runs=runs), over="runs_and_tasks").records[0]
        for runs in ("per_task", "shared")
    )
    assert whole.low < separate.low < separate.high < whole.high


def test_where_one_side_is_always_ahead_the_bootstrap_over_tasks_gives_the_t_interval():
    x, y = [[5.0, 6.0]] * 3, [[1.0, 2.0]] * 3
    result = improvement(x, y, interval="percentile")
    assert (result.interval, result.low) == ("t", pytest.approx(improvement(x, y).low))


@pytest.mark.parametrize("interval", ["t", "percentile"])
def test_one_task_does_not_show_how_tasks_vary(interval):
    scores = ro.Scores.from_dict({"A": [1.0, 2.0, 4.0], "B": [2.0, 3.0, 1.0]})
    result = ro.probability_of_improvement(scores, interval=interval, over="runs_and_tasks", n_resamples=200)
    assert result.records[0].low is None
    assert [advice.code for advice in result.advice if advice.code == "R011"] == ["R011"]


def test_a_pair_is_the_same_beside_others_and_whatever_the_order_of_tasks():
    rng = np.random.default_rng(4)
    data = {name: rng.normal(m, 1, (4, 5)) for name, m in (("A", 0.4), ("B", 0.0), ("C", 1.0))}
    options = {"interval": "percentile", "n_resamples": 2_000}
    for over in ("runs", "runs_and_tasks"):
        alone = ro.probability_of_improvement(ro.Scores.from_dict({k: data[k] for k in "AB"}), over=over, **options)
        beside = ro.probability_of_improvement(ro.Scores.from_dict(data), over=over, **options)
        assert alone.records[0] == beside.records[0]


def test_the_other_side_has_the_rest_of_the_chance_and_the_mirrored_interval():
    there, back = improvement(X, Y), improvement(Y, X)
    assert there.estimate + back.estimate == pytest.approx(1)
    assert (there.low, there.high) == pytest.approx((1 - back.high, 1 - back.low))
