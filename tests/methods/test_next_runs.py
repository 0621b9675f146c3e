"""Which cells to run next: what the budget buys, and for whom."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff._inference.pairs import PairData, widest
from runoff._inference.planning import moderated
from runoff._inference.power import detectable

RNG = np.random.default_rng(0)
CELLS = {
    name: {task: RNG.normal(0, spread, n) for task, spread, n in (("Pong", 1, 4), ("Breakout", 30, 6), ("Qbert", 9, 5))}
    for name in "AB"
}
SCORES = ro.Scores.from_dict(CELLS)


def shrunk(result, variances, more):
    """Return by what share runs shrink the error of a difference of means, where cells have such variances."""
    before, after = (
        sum(v / (r.n_runs + add) for v, r, add in zip(variances, result.rows, added, strict=True))
        for added in ([0] * len(result.rows), more)
    )
    return 1 - (after / before) ** 0.5


def test_the_budget_is_spent_where_runs_spread_most_and_the_error_is_that_of_the_comparison():
    result = ro.next_runs(SCORES, budget=10, measure="mean")
    assert result.total == result.spent == 10
    assert {r.task for r in result.rows if r.more} == {"Breakout"}
    pair = ro.compare(SCORES, test="welch").pairs[0]
    assert result.error == pytest.approx(abs(pair.difference / pair.statistic), rel=1e-12)
    likely = moderated(np.array([r.std**2 for r in result.rows]), np.array([r.n_runs - 1.0 for r in result.rows]))
    promised = shrunk(result, likely, [r.more for r in result.rows])
    assert result.error_after == pytest.approx(result.error * (1 - promised), rel=1e-12)
    assert result.error_after < result.error_even < result.error
    assert result.detectable_after < result.detectable


@pytest.mark.parametrize("seed", [3, 5, 6, 8])
def test_an_even_share_that_says_more_leaves_nothing_of_the_budget(seed):
    """Two of three runs were placed, one for each side, beside the words that an even share shrinks the error more."""
    rng = np.random.default_rng(seed)
    cells = {name: {task: rng.normal(0, np.exp(0.6 * rng.normal()), 4) for task in ("Pong", "Qbert")} for name in "AB"}
    result = ro.next_runs(cells, budget=3, measure="mean")
    assert (result.total, result.error_after) == (3, result.error_even)


@pytest.mark.parametrize("measure", ["mean", "iqm", "median", "improvement"])
def test_the_difference_that_is_detected_is_that_of_compare(measure):
    cells = {name: {task: runs[:4] for task, runs in tasks.items()} for name, tasks in CELLS.items()}
    pair = ro.compare(cells, measure=measure).pairs[0]
    result = ro.next_runs(cells, budget=1, measure=measure)
    assert result.detectable == pytest.approx(pair.detectable_difference, rel=1e-9)
    assert ": this run shrinks the standard error of the " in result.sentence


@pytest.mark.parametrize(
    ("spreads", "promise", "truth"), [([1.0] * 6, 0.23, 0.22), ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 0.265, 0.26)]
)
def test_runs_bring_what_is_promised(spreads, promise, truth):
    """Placed by the spreads of three runs each they were to bring .295 and .35, and brought .17 and .23; an even share brings .225."""
    rng, promised, brought = np.random.default_rng(4), [], []
    for _ in range(40):
        cells = {name: {f"t{i}": rng.normal(0, sd, 3) for i, sd in enumerate(spreads)} for name in "AB"}
        result = ro.next_runs(cells, budget=24, measure="mean")
        promised.append(1 - result.error_after / result.error)
        brought.append(shrunk(result, 2 * [sd**2 for sd in spreads], [r.more for r in result.rows]))
    assert np.mean(promised) == pytest.approx(promise, abs=0.02)
    assert np.mean(brought) == pytest.approx(truth, abs=0.015)


def test_the_difference_that_will_be_detected_shrinks_with_the_error():
    """Spreads of 40 runs are known, and their law is nearly normal."""
    cells = {name: {task: RNG.normal(0, sd, 40) for task, sd in (("x", 1), ("y", 1.3), ("z", 9))} for name in "AB"}
    result = ro.next_runs(cells, budget=90, measure="mean")
    assert result.detectable_after / result.detectable == pytest.approx(result.error_after / result.error, abs=0.01)


def test_the_difference_that_will_be_detected_is_as_uncertain_as_the_error_that_is_promised():
    result = ro.next_runs(SCORES, budget=10, measure="mean")
    after = np.array([r.n_runs + r.more for r in result.rows])
    error, df = widest(PairData.of(SCORES, 0, 1).law_at("mean", after[:3], after[3:]), 0.95)
    own = sum(r.std**2 / n for r, n in zip(result.rows, after, strict=True)) ** 0.5 / 3
    assert result.error_after != pytest.approx(own, rel=1e-6)
    (own_df,) = {df for _, df in [widest(PairData.of(SCORES, 0, 1).law_at("mean"), 0.95)]}
    likely = detectable(error, df, 0.05, own_df=own_df)
    assert result.detectable_after == pytest.approx(likely * result.error_after / own, rel=1e-9)


def test_the_difference_that_will_be_detected_takes_those_runs_by_the_plan():
    """Two algorithms on one task that get as many runs: the two answers are about one design."""
    runs = {"A": RNG.normal(1, 1, 5), "B": RNG.normal(0, 1, 5)}
    result = ro.next_runs(runs, budget=20, measure="mean")
    assert {r.more for r in result.rows} == {10}
    assert [
        ro.plan(runs, effect=result.detectable_after * times, measure="mean").n_runs_average for times in (0.999, 1.001)
    ] == [16, 15]


def test_without_a_budget_it_is_the_pair_and_the_family_of_the_control():
    cells = {name: at + np.linspace(-1.5, 1.5, 8) for name, at in (("A", 3.0), ("B", 2.6), ("C", 0.0), ("D", 0.7))}
    with pytest.raises(ro.OptionError, match=r"between D and C .* would take"):
        ro.next_runs(cells, control="C", measure="mean")
    two = ro.plan({name: cells[name] for name in "CD"}, measure="mean", alpha=0.05 / 3)
    with pytest.raises(ro.OptionError, match=f"about {two['margin'].n_runs_average} runs"):
        ro.next_runs(cells, control="C", measure="mean")


def test_prices_by_task_are_kept():
    cost = {"Pong": 0.5, "Breakout": 40.0, "Qbert": 1.0}
    result = ro.next_runs(SCORES, budget=20, cost_per_run=cost)
    assert result.spent == pytest.approx(sum(cost[r.task] * r.more for r in result.rows))
    assert result.spent <= 20
    assert all(not r.more for r in result.rows if r.task == "Breakout")
    assert "prices differ" in " ".join(result.notes)


def test_a_control_gets_more_runs_than_those_that_are_compared_with_it():
    cells = {name: {"x": RNG.normal(size=6), "y": RNG.normal(size=6)} for name in "ABCD"}
    stretched = {n: {t: (v - v.mean()) / v.std(ddof=1) for t, v in tasks.items()} for n, tasks in cells.items()}
    result = ro.next_runs(stretched, budget=24, control="D", measure="mean")
    more = {name: sum(r.more for r in result.rows if r.algorithm == name) for name in "ABCD"}
    assert more["D"] > max(more[name] for name in "ABC")
    assert "of 3 differences" in " ".join(result.notes)
    assert len({r.more for r in ro.next_runs(stretched, budget=24, measure="mean").rows}) == 1


def test_shared_runs_are_added_whole():
    rows = {name: RNG.normal(size=(5, 4)) * spread for name, spread in (("A", 1.0), ("B", 5.0))}
    result = ro.next_runs(ro.Scores.from_dict(rows, runs="shared"), budget=6)
    assert [(r.algorithm, r.task) for r in result.rows] == [("A", None), ("B", None)]
    assert result.rows[1].more > result.rows[0].more
    assert result.rows[0].std == pytest.approx(rows["A"].mean(axis=1).std(ddof=1))
    with pytest.raises(ro.OptionError, match="one number"):
        ro.next_runs(ro.Scores.from_dict(rows, runs="shared"), budget=6, cost_per_run={"task 1": 1.0})


@pytest.mark.parametrize("n", range(3, 8))
def test_fewer_than_five_runs_are_told(n):
    cells = {"A": RNG.normal(size=n), "B": RNG.normal(size=n) * 3}
    notes = " ".join(ro.next_runs(cells, budget=2).notes)
    assert (f"a cell has {n} runs, whose spread may be off" in notes) == (n < 5)


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ({"A": [1.0, 2.0]}, {"budget": 1}, "two algorithms"),
        ({"A": [1.0, 2.0], "B": [1.0]}, {"budget": 1}, "'B' has one run on task"),
        ({"A": {"x": [1.0, 2], "y": [1.0, 2]}, "B": {"x": [1.0, 2]}}, {"budget": 1}, "no runs on task 'y'"),
        ({"A": [1.0, 1.0], "B": [2.0, 2.0]}, {"budget": 1}, "are equal, so their spread"),
        (
            {name: {"x": [0.0] * 4 + [5.0], "y": [0.0] * 4 + [1.0]} for name in "AB"},
            {"budget": 4, "measure": "iqm"},
            "no run that the budget buys",
        ),
        (SCORES, {"budget": 0}, "must buy a run"),
        (SCORES, {"budget": 3, "cost_per_run": 4}, "must buy a run"),
        (SCORES, {"budget": float("inf")}, "must buy a run"),
        (SCORES, {"budget": 1e9}, "at most 1,000,000"),
        (SCORES, {"budget": 3, "cost_per_run": 0}, "cost_per_run must be"),
        (SCORES, {"budget": 3, "cost_per_run": {"Pong": 1.0}}, "says nothing of task"),
        (SCORES, {"budget": 3, "cost_per_run": {"Pongg": 1.0}}, "no task 'Pongg'"),
        (SCORES, {"budget": 3, "control": "Z"}, "no algorithm 'Z'"),
        (SCORES, {"budget": 3, "power": 0.01}, "greater than alpha"),
        (SCORES, {"budget": 3, "measure": "optimality_gap"}, "needs normalised scores"),
    ],
)
def test_what_cannot_be_asked_is_refused(scores, options, message):
    with pytest.raises(ro.RunoffError, match=message):
        ro.next_runs(scores, **options)
