"""Centre and spread of the runs at every step."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff.words.names import metric_words

RNG = np.random.default_rng(4)
ROWS = RNG.normal(size=(7, 5)) + 3


def curves(rows=ROWS):
    n, n_steps = rows.shape
    table = {
        "algorithm": ["A"] * rows.size,
        "run": np.repeat(np.arange(n), n_steps),
        "step": np.tile(np.arange(n_steps), n),
    }
    return ro.Curves.from_frame(table | {"score": rows.ravel()})


SPREAD = ROWS.std(axis=0, ddof=1)
HALF = {
    "sd": SPREAD,
    "se": SPREAD / np.sqrt(7),
    "interval": stats.t.ppf(0.975, 6) * SPREAD / np.sqrt(7),
    "tolerance": stats.norm.ppf(0.95) * np.sqrt(6 * (1 + 1 / 7) / stats.chi2.ppf(0.05, 6)) * SPREAD,
}


@pytest.mark.parametrize("spread", HALF)
def test_a_spread_about_the_mean_is_that_of_its_formula(spread):
    records = ro.curves(curves(), errorbar=spread, by="task").rows
    assert [r.high - r.estimate for r in records] == pytest.approx(HALF[spread].tolist())
    assert [r.estimate for r in records] == pytest.approx(ROWS.mean(axis=0).tolist())


CENTRES = {
    "median": np.median(ROWS, axis=0),
    "iqm": stats.trim_mean(np.repeat(ROWS, 4, axis=0), 0.25),  # of four copies a quarter is whole
    "iqm_whole": stats.trim_mean(ROWS, 0.25),
}


@pytest.mark.parametrize(("centre", "expected"), CENTRES.items())
def test_other_centres_go_with_percentiles(centre, expected):
    records = ro.curves(curves(), measure=centre, errorbar="percentiles", by="task").rows
    assert [r.estimate for r in records] == pytest.approx(expected.tolist())
    assert [r.low for r in records] == pytest.approx(np.quantile(ROWS, 0.05, axis=0).tolist())
    with pytest.raises(ro.OptionError, match=f"errorbar='sd' is made about the mean, not the {metric_words(centre)}"):
        ro.curves(curves(), measure=centre, errorbar="sd", by="task")


@pytest.mark.parametrize("n_repeats", [40, pytest.param(4_000, marks=pytest.mark.slow)])
def test_a_tolerance_interval_holds_most_runs_as_often_as_it_says(n_repeats):
    enough = 0
    for _ in range(n_repeats):
        (record, *_) = ro.curves(curves(RNG.normal(size=(8, 2))), errorbar="tolerance", by="task").rows
        enough += stats.norm.cdf(record.high) - stats.norm.cdf(record.low) >= 0.9
    assert enough >= stats.binom.ppf(0.001, n_repeats, 0.95)


def test_a_single_run_has_no_spread_and_is_shown_itself():
    result = ro.curves(curves(ROWS[:1]), by="task")
    assert {r.low for r in result.rows} == {None}
    assert result.run_curves[0].scores == tuple(ROWS[0].tolist())


@pytest.mark.parametrize("binary", ["", "t", "u", "tu"])
def test_an_interval_is_called_one_of_success_rates_only_where_all_tasks_have_them(binary):
    rows = [(task, run, step) for task in "tu" for run in range(4) for step in (1, 2, 3)]
    columns = {
        "algorithm": ["A"] * len(rows),
        "task": [task for task, _, _ in rows],
        "run": [str(run) for _, run, _ in rows],
        "step": [step for _, _, step in rows],
        "score": [float((run * step) % 2) if task in binary else run * 0.37 + step for task, run, step in rows],
    }
    words = ro.curves(ro.Curves.from_frame(columns), by="task").spread_words
    assert ("success rate" in words) == (binary == "tu")
    assert ("t interval of the mean" in words) == (binary != "tu")


def test_each_task_has_its_own_grid():
    table = {"algorithm": ["A"] * 8, "task": ["s"] * 4 + ["l"] * 4, "run": [0, 0, 1, 1] * 2}
    table |= {"step": [0, 5, 0, 5, 0, 90, 0, 90], "score": list(range(8))}
    result = ro.curves(ro.Curves.from_frame(table), by="task")
    assert [r.step for r in result.curve("A", "l")] == [0, 90]
    assert [r.step for r in result.curve("A", "s")] == [0, 5]


def test_the_level_is_that_of_the_error_bars():
    rows = {"algorithm": ["A"] * 8, "run": [r for r in range(4) for _ in range(2)], "step": [0, 5] * 4}
    data = ro.Curves.from_frame(rows | {"score": np.random.default_rng(1).normal(size=8)})
    (last,) = [row for row in ro.curves(data, by="task", confidence_level=0.8) if row.step == 5]
    (mean,) = ro.aggregate(data.final(), by="task", confidence_level=0.8)
    assert (last.low, last.high) == pytest.approx((mean.low, mean.high))


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"by": "task", "band": "simultaneous"}, "band= is of the curves over all tasks"),
        ({"by": "task", "rng": 3}, "rng= is of the curves over all tasks"),
        ({"errorbar": "sd"}, "errorbar= is of the curves of a task"),
        ({"by": "run"}, "by must be one of task"),
    ],
)
def test_an_option_of_the_other_kind_of_curves_is_refused(how, words):
    data = ro.load_example("classic_control").select(algorithms="CEM", tasks="CartPole-v1")
    with pytest.raises(ro.OptionError, match=words):
        ro.curves(data, **how)
