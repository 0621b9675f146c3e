"""Where a lead comes from: tasks one by one, the few that make it, and how much they differ."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro

RNG = np.random.default_rng(5)
TASKS = [f"t{i}" for i in range(8)]
LEADS = [9.0, 2.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0]
CELLS = {
    "A": {task: RNG.normal(5.0 + lead, 0.5, 5) for task, lead in zip(TASKS, LEADS, strict=True)},
    "B": {task: RNG.normal(5.0, 0.5, 5) for task in TASKS},
}


def calls(result):
    return {record.task: record.verdict for record in result.rows if record.verdict != "no_difference_found"}


def test_tasks_that_differ_are_called_with_their_side():
    result = ro.where(CELLS, "A", "B", measure="mean")
    assert calls(result) == {"t0": "a_better", "t1": "a_better", "t4": "b_better"}
    assert sum(record.share for record in result.rows) == pytest.approx(1.0)
    assert result.lead_tasks == ("t0",)
    assert result.sentence.startswith(
        "Of 8 tasks A was found above B on 2, and below it on 1. 1 task makes the lead: t0."
    )


@pytest.mark.parametrize("measure", ["mean", "improvement"])
@pytest.mark.parametrize("seed", [*range(5), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(5, 60))])
def test_a_task_is_called_exactly_where_the_decided_interval_leaves_the_even_value_out(measure, seed):
    rng = np.random.default_rng(seed)
    cells = {name: {task: rng.normal(rng.integers(0, 3), 0.4, 6) for task in TASKS[:4]} for name in "AB"}
    even = 0.5 if measure == "improvement" else 0.0
    for record in ro.where(cells, "A", "B", measure=measure).rows:
        outside = not record.low <= even <= record.high
        assert outside == (record.pvalue_adjusted <= 0.05) == (record.verdict != "no_difference_found")
        assert record.joint_low <= record.estimate <= record.joint_high


def test_the_other_side_has_the_same_calls_turned():
    there, back = ro.where(CELLS, "A", "B", measure="mean"), ro.where(CELLS, "B", "A", measure="mean")
    turned = {"a_better": "b_better", "b_better": "a_better"}
    assert {task: turned[call] for task, call in calls(there).items()} == calls(back)
    assert there.lead_tasks == back.lead_tasks
    assert there.heterogeneity.q == pytest.approx(back.heterogeneity.q)


@pytest.mark.parametrize(("shift", "measure"), [(0.0, "improvement"), (0.0, "mean"), (1e6, "mean")])
def test_leads_that_cancel_but_for_rounding_have_no_shares(shift, measure):
    ahead, behind = (
        0.1 * np.array([2.0, 3.0, 6.0]) + shift,
        0.1 * np.array([1.0, 4.0, 5.0]) + shift,
    )  # 5/9, and a mean of 1/30
    cells = {"A": {"x": behind, "y": ahead + 0.1}, "B": {"x": ahead, "y": behind + 0.1}}
    for pair in ("AB", "BA"):
        assert [record.share for record in ro.where(cells, *pair, measure=measure)] == [None, None]


def test_runs_in_two_groups_are_not_called_and_counted():
    rng = np.random.default_rng(0)
    two = np.concatenate([rng.normal(0, 1, 12), rng.normal(30, 1, 8)])
    cells = {"A": {"x": two, "y": rng.normal(3, 1, 20)}, "B": {"x": rng.normal(0, 1, 20), "y": rng.normal(0, 1, 20)}}
    record = ro.where(cells, "A", "B", measure="mean")["x"]
    assert (record.verdict, record.pvalue, record.joint_low) == ("not_tested", None, None)
    assert record.reason == "the runs of A fall into two groups, 12 low and 8 high"


def test_tasks_without_a_spread_or_with_single_runs_are_not_called():
    cells = {
        "A": {"x": [1.0, 1.0], "y": [2.0], "z": [1.0, 2.0]},
        "B": {"x": [2.0, 2.0], "y": [3.0, 4.0], "z": [5.0, 6.5]},
    }
    result = ro.where(cells, "A", "B", measure="mean")
    assert [(record.task, record.verdict == "not_tested") for record in result.rows] == [("x", True), ("z", False)]
    assert "a single run on 'y'" in result.advice[0].text
    assert result.heterogeneity is None
    single = {name: {task: runs[:1] for task, runs in row.items()} for name, row in cells.items()}
    assert {record.reason for record in ro.where(single, "A", "B", measure="mean").rows} == {
        "one of both has a single run"
    }


def test_few_runs_are_told_how_many_can_call_a_task_by_their_order():
    rng = np.random.default_rng(1)
    cells = {name: {f"t{i}": rng.normal(size=3) for i in range(26)} for name in "AB"}
    result = ro.where(cells, "A", "B", measure="improvement")
    assert result.runs_to_test == 7
    assert "With fewer than 7 runs of each none can be called." in result.sentence


def test_a_lead_that_no_number_of_runs_would_call_has_none():
    cells = {"A": {"x": [-1e6, 1e6, 1.0]}, "B": {"x": [-1e6, 1e6, 0.0]}}
    assert ro.where(cells, "A", "B", measure="mean").runs_to_test is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_runs_to_call_one_of_four_like_tasks_are_those_of_a_single_one_at_a_fourth_of_alpha(seed):
    rng = np.random.default_rng(seed)
    single = {"A": {"t": rng.normal(2.0, 1.0, 9)}, "B": {"t": rng.normal(0.0, 2.0 ** rng.normal(), 3)}}
    four = {name: {f"t{i}": runs["t"] for i in range(4)} for name, runs in single.items()}
    options = {"a": "A", "b": "B", "measure": "mean"}
    assert ro.where(four, **options, alpha=0.08).runs_to_test == ro.where(single, **options, alpha=0.02).runs_to_test


def test_success_rates_are_judged_by_the_exact_order_of_runs():
    cells = {
        "A": {"x": [1.0] * 9 + [0.0], "y": [1.0] * 5 + [0.0] * 5},
        "B": {"x": [0.0] * 10, "y": [1.0] * 5 + [0.0] * 5},
    }
    record = ro.where(cells, "A", "B")["x"]
    assert (record.estimate, record.verdict) == (pytest.approx(0.9), "a_better")
    assert -1 <= record.joint_low <= 0.9 <= record.joint_high <= 1


def test_leads_that_differ_and_leads_that_are_one_are_told_apart():
    rng = np.random.default_rng(2)
    b = {task: rng.normal(0, 1, 6) for task in TASKS}
    equal = {task: rng.normal(2.0, 1, 6) for task in TASKS}
    many = {task: rng.normal(4.0 * (i % 2), 1, 6) for i, task in enumerate(TASKS)}
    assert ro.where({"A": equal, "B": b}, "A", "B", measure="mean").heterogeneity.pvalue > 0.05
    spread = ro.where({"A": many, "B": b}, "A", "B", measure="mean").heterogeneity
    assert spread.pvalue < 0.001
    assert spread.tau_low < 2.1 < spread.tau_high


def test_an_unknown_name_or_measure_is_refused_with_what_was_meant():
    with pytest.raises(ro.DesignError, match="Did you mean 'A'"):
        ro.where(CELLS, "a", "B")
    with pytest.raises(ro.OptionError, match="measure must be one of auto, mean, improvement"):
        ro.where(CELLS, "A", "B", measure="iqm")


def test_a_number_of_runs_that_is_there_already_is_not_asked_for():
    alike = {"A": np.full((5, 6), 0.5), "B": np.full((5, 6), 0.6)}
    assert "four times in five" not in ro.where(alike, "A", "B").sentence
    few = {name: np.random.default_rng(k).normal(size=(2, 3)) for k, name in enumerate("AB")}
    assert "none can be called" in ro.where(few, "A", "B").sentence
    words = "If the clearest lead is as large as it looks, 8 runs of each call it four times in five."
    assert words in ro.where(few, "A", "B", measure="mean").sentence


@pytest.mark.parametrize("cells", [{"x": [1.0] * 3, "y": [2.0] * 6}, {"x": [1.0], "y": [2.0]}])
def test_means_without_an_error_name_no_runs_by_which_they_could_be_called(cells):
    result = ro.where(
        ro.Scores.from_dict({"A": cells, "B": {**cells, "x": [1.5, 1.5]}}, score_unit="shared"),
        "A",
        "B",
        measure="mean",
    )
    assert result.runs_to_test is None
    assert "clearest lead" not in result.sentence


def test_a_task_below_one_half_is_called_for_the_second_by_the_improvement():
    low, high = [float(i) for i in range(10)], [i + 6.5 for i in range(10)]
    scores = ro.Scores.from_dict({"A": {"up": high, "down": low}, "B": {"up": low, "down": high}})
    calls = {row.task: (row.estimate, row.verdict) for row in ro.where(scores, "A", "B", measure="improvement")}
    assert calls == {"up": (pytest.approx(0.94), "a_better"), "down": (pytest.approx(0.06), "b_better")}


def test_tasks_stand_in_the_order_of_what_they_add_to_the_lead_those_of_the_other_last():
    rng = np.random.default_rng(5)
    a = {t: rng.normal(lead, 0.1, 5) for t, lead in (("small", 1.0), ("against", -3.0), ("large", 9.0))}
    b = {t: rng.normal(0.0, 0.1, 5) for t in a}
    result = ro.where({"A": a, "B": b}, "A", "B", measure="mean", n_resamples=100)
    assert [record.task for record in result._by_share()] == ["large", "small", "against"]
