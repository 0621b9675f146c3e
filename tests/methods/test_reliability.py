"""How steady training is, against the authors' own numbers and plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.steps.steadiness import changes, iqr, mean_below

RNG = np.random.default_rng(6)


def curves(rows, steps=None, name="A"):
    n, n_steps = np.shape(rows)
    grid = np.arange(n_steps) if steps is None else steps
    return ro.Curves.from_frame(
        {
            "algorithm": [name] * n * n_steps,
            "run": np.repeat(np.arange(n), n_steps),
            "step": np.tile(grid, n),
            "score": np.ravel(rows),
        }
    )


def estimates_of(rows, **options):
    return {r.measure: r for r in ro.reliability(curves(rows), n_resamples=300, **options).rows}


def test_changes_are_as_over_a_gap_of_the_usual_width():
    # IqrWithinRuns of rl-reliability-metrics: slopes −.5, −1, −1 and a range of .25, in units of score per step
    slopes = changes(np.array([5.0, 7, 9, 10]), np.array([[5.0, 4, 2, 1]]))
    assert slopes.tolist() == [[-1.0, -2.0, -2.0]]
    assert iqr(slopes / 2, 1).tolist() == [0.25]


@pytest.mark.parametrize(
    ("values", "tail", "expected"),
    [
        ([1, 0.5, 1], 0.51, 0.8333333333),
        ([1, 0.5, 1], 0.49, 0.5),
        ([-0.2, -0.6, 1.5], 0.51, -0.4),
        ([-0.2, -0.6, 1.5], 0.49, -0.6),
    ],
)
def test_values_at_risk_are_those_of_the_authors_tests(values, tail, expected):
    assert mean_below(np.array([values], float), tail, 1) == pytest.approx([expected])


def test_measures_are_those_of_plain_loops():
    rows = RNG.normal(size=(6, 12)).cumsum(axis=1)
    measured = estimates_of(rows, window=4)
    drops, falls, spreads = [], [], []
    for row in rows:
        change = np.diff(row)
        spreads.append(np.mean([stats.iqr(change[i : i + 4]) for i in range(8)]))
        drops.append(change[change <= np.quantile(change, 0.05)].mean())
        fall = np.array([max(row[: i + 1]) - row[i] for i in range(12)])
        falls.append(fall[fall >= np.quantile(fall, 0.95)].mean())
    over_runs = np.mean([stats.iqr(rows[:, s]) for s in range(12)])
    values = [np.mean(spreads), np.mean(drops), np.mean(falls), over_runs, rows[:, -1].min()]
    assert [r.estimate for r in measured.values()] == pytest.approx(values)


def test_no_interval_of_a_dispersion_reaches_below_0():
    few = [estimates_of(np.random.default_rng(seed).normal(size=(3, 9))) for seed in range(20)]
    rows = [own[name] for own in few for name in ("dispersion_across_time", "dispersion_across_runs")]
    assert all(0 <= row.low <= row.estimate <= row.high for row in rows)
    assert min(row.low for row in rows) == 0  # that of t alone would reach below
    # Where it does not end at 0 it is the t interval, which has its estimate in the middle.
    assert all(row.high - row.estimate == pytest.approx(row.estimate - row.low) for row in rows if row.low > 0)


def test_the_interval_of_a_measure_of_a_run_is_the_t_interval_of_its_mean():
    rows = RNG.normal(size=(5, 9))
    spreads = [np.mean([stats.iqr(np.diff(row)[i : i + 5]) for i in range(4)]) for row in rows]
    record = estimates_of(rows)["dispersion_across_time"]
    expected = stats.t.interval(0.95, 4, np.mean(spreads), stats.sem(spreads))
    assert (record.low, record.high) == pytest.approx(expected)


@pytest.mark.parametrize("n_runs", [9, 100])
def test_risks_have_no_interval_whatever_the_runs_and_are_said_to_have_none(n_runs):
    result = ro.reliability(curves(RNG.normal(size=(n_runs, 8))), n_resamples=100)
    assert {r.measure for r in result.rows if r.low is None} == {
        "short_term_risk",
        "long_term_risk",
        "risk_across_runs",
    }
    assert "R404" in {note.code for note in result.advice}
    assert result.sentence.endswith("; no interval holds for short term risk, long term risk and risk across runs.")


def test_a_steady_rise_has_no_risk_and_no_interval_of_no_width():
    measured = estimates_of(np.tile(np.arange(8.0), (4, 1)))
    assert measured["long_term_risk"].estimate == 0
    assert measured["dispersion_across_time"].estimate == pytest.approx(0)
    assert {r.low for r in measured.values()} == {None}


def test_shuffled_runs_and_other_units_change_nothing_but_the_unit():
    rows = RNG.normal(size=(6, 9)).cumsum(axis=1)
    plain, shuffled, scaled = estimates_of(rows), estimates_of(rows[::-1]), estimates_of(4 * rows)
    for name, record in plain.items():
        assert shuffled[name].low == (record.low if record.low is None else pytest.approx(record.low))
        assert scaled[name].estimate == pytest.approx(4 * record.estimate)


def test_more_changes_than_there_are_steps_are_refused():
    with pytest.raises(ro.DesignError, match="a window of 9 changes needs 10 steps, but there are 6"):
        ro.reliability(curves(RNG.normal(size=(3, 6))), window=9)


def shared_curves(n, tasks="tu"):
    """Runs that are scored on every task."""
    rows = np.random.default_rng(8).normal(size=(n, len(tasks), 6)).cumsum(axis=2)
    table = {
        "algorithm": ["A"] * rows.size,
        "task": [task for _ in range(n) for task in tasks for _ in range(6)],
        "run": [str(i) for i in range(n) for _ in range(6 * len(tasks))],
        "step": list(range(6)) * (n * len(tasks)),
        "score": rows.ravel().tolist(),
    }
    return ro.Curves.from_frame(table, runs="shared")


def test_of_shared_runs_a_measure_over_runs_has_one_degree_of_freedom_less_than_runs():
    halves, n = [], 6
    for level in (0.95, 0.99):
        result = ro.reliability(shared_curves(n), confidence_level=level, n_resamples=300, window=2)
        record = next(r for r in result.rows if r.measure == "dispersion_across_runs")
        halves.append(record.high - record.estimate)
    assert halves[1] / halves[0] == pytest.approx(stats.t.ppf(0.995, n - 1) / stats.t.ppf(0.975, n - 1))
