"""What to do next: who needs runs and how many, and what belongs beside the claim."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import runoff as ro
from runoff.report.answers.all import standing_of
from runoff.report.words.more_runs import more_runs
from runoff.report.words.next_steps import MOST, next_steps
from tests.report.answers.test_standing import NONE, with_verdicts
from tests.report.made import answers_of


def steps_of(results):
    return [f"{step.act} {step.why}" for step in next_steps(results, standing_of(results))]


def nearest(multiple, detectable=0.5):
    results = with_verdicts(NONE, NONE, NONE)
    pairs = [replace(p, needed_multiple=multiple, detectable_difference=detectable) for p in results.comparison.pairs]
    return steps_of(replace(results, comparison=replace(results.comparison, pairs=tuple(pairs))))[0]


@pytest.mark.parametrize(
    ("multiple", "words"),
    [
        (
            2.5,
            "Train SAC and A2C to 15 runs per task (now 6). That finds a difference of means as large as the one seen",
        ),
        (
            40.0,
            "Do not add runs to separate SAC and A2C. With 6 runs per task, a true difference of means of 0.50 is found",
        ),
        (40.0, "finding that takes more than 20 times as many."),
        (0.8, "Add a few runs of SAC and A2C."),
    ],
)
def test_a_rival_needs_runs_or_none_would_help(multiple, words):
    assert words in nearest(multiple)


def test_what_cannot_be_told_is_said():
    assert nearest(None, None) == "Add runs of SAC and A2C. How many more are needed cannot be computed from so few."


def test_nothing_is_asked_of_a_lead_that_is_found():
    assert steps_of(with_verdicts("b_better", "b_better", "b_better")) == []


def spread(low, n_runs, n_tasks, seed=0):
    rng = np.random.default_rng(seed)
    return {f"t{t}": (low + rng.normal(0, 0.01, n_runs)).tolist() for t in range(n_tasks)}


def test_whoever_the_headline_names_and_has_few_runs_gets_more():
    data = {"A": spread(0.8, 5, 1), "B": spread(0.2, 3, 1), "C": spread(0.1, 3, 1)}
    (step,) = steps_of(answers_of(ro.Scores.from_dict(data)))
    assert step == (
        "Bring B to 5 runs. B has 3; with fewer than 5 on so few tasks the false positive rate of the test is not guaranteed."
    )


def test_runs_are_asked_of_the_one_that_has_few_and_no_step_speaks_against_them():
    few, hopeless = steps_of(
        answers_of(ro.Scores.from_dict({"ours": [63.2, 65.8], "baseline": [65.4, 57.2, 63, 66, 62]}))
    )
    assert few.startswith("Bring ours to 5 runs.")
    assert hopeless.startswith("Do not expect 5 runs to separate ours and baseline.")


def test_no_step_speaks_against_runs_that_another_asks_for():
    few, hopeless = steps_of(answers_of(ro.Scores.from_dict({"ours": [63.2, 65.8], "baseline": [65.4, 57.2]})))
    assert few.startswith("Bring ours and baseline to 5 runs.")
    assert hopeless.startswith("Do not expect 5 runs to separate ours and baseline.")


def test_runs_that_add_up_over_many_tasks_need_no_more():
    data = {"A": spread(0.8, 3, 12), "B": spread(0.2, 3, 12)}
    assert steps_of(answers_of(ro.Scores.from_dict(data))) == []


@pytest.mark.parametrize(("level", "real"), [(0.33, True), (0.3, None)])
def test_few_tasks_that_make_a_lead_are_to_be_named_where_there_is_one(level, real):
    rng = np.random.default_rng(1)
    tasks = [f"t{t}" for t in range(10)]
    other = {task: rng.normal(0.3, 0.02, 8).tolist() for task in tasks}
    lead = {task: rng.normal(0.9 if task == "t3" else level, 0.02, 8).tolist() for task in tasks}
    results = answers_of(ro.Scores.from_dict({"New": lead, "Old": other}))
    assert (results.comparison.real.holds, results.comparison.nearest.few) == (real, ("t3",))
    step = "Name t3 with the claim. 1 task makes the lead by the mean of New over Old."
    assert (step in steps_of(results)) == bool(real)
    assert len(steps_of(results)) <= MOST


def test_a_rate_with_a_cell_of_one_run_is_told_to_add_runs_there_and_has_no_slider():
    data = {"A": {"t0": [1, 0, 1], "t1": [1, 0, 1]}, "B": {"t0": [0, 1, 0], "t1": [0]}}
    results = answers_of(ro.Scores.from_dict(data))
    assert more_runs(results, standing_of(results)) is None
    assert steps_of(results)[-1] == (
        "Add runs of A and B where there is one. With 1 to 3 runs per task, a true difference of success rates of 1.00 is found four times "
        "in five, and the one seen is 0.50; how many runs find that is not told of a cell of one."
    )
