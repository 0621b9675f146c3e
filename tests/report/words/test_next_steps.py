"""What to do next: who needs runs and how many, and what belongs beside the claim."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import runoff as ro
from runoff.answer.base import Advice
from runoff.page.answers.all import standing_of
from runoff.page.words.more_runs import more_runs
from runoff.page.words.next_steps import MOST, _small, _stratum, next_steps
from tests.report.answers.test_standing import NONE, with_verdicts
from tests.report.made import answers_of


def steps_of(results):
    return [f"{step.act} {step.why}" for step in next_steps(results, standing_of(results))]


def nearest(**fields):
    results = with_verdicts(NONE, NONE, NONE)
    blank = {
        "detectable_difference": None,
        "planning_margin": 0.5,
        "needed_runs": None,
        "own_low": -0.6,
        "own_high": 0.2,
    }
    decided = {"low": None, "high": None}
    pairs = [replace(pair, **(blank | decided | fields)) for pair in results.comparison.pairs]
    return steps_of(replace(results, comparison=replace(results.comparison, pairs=tuple(pairs))))[0]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {"outlook": "one_side", "needed_runs": 15},
            "Train SAC and A2C to 15 runs per task (now 6). These runs cannot say whether SAC has a lead above 0.5 (a tenth of the range of "
            "their runs). With 15, if they spread as these do, the interval leaves out either no difference or a lead above 0.5;",
        ),
        (
            {"outlook": "one_side", "needed_runs": 15},
            "0.6. That is 36 runs more. Test again only then, or plan the looks",
        ),
        ({"outlook": "both_sides", "needed_runs": 4_000}, "Train SAC and A2C to 4000 runs per task (now 6). "),
        ({"outlook": "both_sides", "needed_runs": 15}, "has a lead above 0.5"),
        ({"outlook": "ruled_out"}, "Add no runs to separate SAC and A2C. These runs rule out that "),
        (
            {"outlook": "ruled_out", "planning_margin": 0.45, "margin": 0.45},
            "has a lead above 0.45 (the margin that was named).",
        ),
        ({"outlook": ""}, "Add runs of SAC and A2C. How many more are needed cannot be computed from so few."),
    ],
)
def test_a_rival_needs_runs_or_a_lead_is_ruled_out(fields, words):
    assert words in nearest(**fields)


@pytest.mark.parametrize(
    ("length", "words"),
    [
        ((None, None), "That is 36 runs more. "),
        ((1e6, None), "That is 36 runs more and 36 000 000 steps of training. "),
        ((2e5, 1800.0), "That is 36 runs more, 7 200 000 steps of training and 18 hours. "),
    ],
)
def test_runs_have_the_price_that_the_curves_tell(length, words):
    results = answers_of(ro.Scores.from_dict({name: spread(0.2, 6, 2, seed) for seed, name in enumerate("AB")}))
    (pair,) = results.comparison.pairs
    undecided = replace(pair, outlook="both_sides", planning_margin=0.001, needed_runs=15)
    comparison = replace(results.comparison, pairs=(undecided,))
    curves = SimpleNamespace(run_length=length, advice=())
    assert words in steps_of(replace(results, comparison=comparison, curves=curves))[0].replace("\u202f", " ")


@pytest.mark.parametrize(
    ("weights", "name", "why"),
    [
        ({"calm": 9, "wild": 1}, "calm", "Stratum calm (1 task) decides"),
        ({"calm": 1, "wild": 1}, "wild", "Stratum wild (1 task) decides"),
        ({"calm": 5, "wild": 1}, "wild", "No other stratum makes more of the width of "),
    ],
)
def test_the_stratum_that_widens_the_mean_most_by_its_weight_and_its_runs_gets_more(weights, name, why):
    rng = np.random.default_rng(0)
    data = {a: {t: rng.normal(0, sd, 4).tolist() for t, sd in (("x", 1.0), ("y", 3.0))} for a in "AB"}
    comparison = ro.compare(data, strata={"x": "calm", "y": "wild"}, weights=weights, measure="mean")
    (step,) = _stratum(comparison, comparison.nearest)
    assert step.act == f"Add runs in {name}."
    assert why in step.why


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


def test_runs_that_are_asked_for_anyway_are_enough_for_the_test_too():
    data = {"ours": [63.2, 65.8], "baseline": [65.4, 57.2, 63, 66, 62]}
    (step,) = steps_of(answers_of(ro.Scores.from_dict(data)))
    assert re.match(r"Train (ours and baseline|baseline and ours) to \d+ runs \(now 2 to 5\)", step)
    n = int(re.search(r"to (\d+) runs", step).group(1))
    assert f"That is {2 * n - 7} runs more." in step


@pytest.mark.parametrize(("shift", "near"), [(1.3, True), (4.0, False)])  # p = .027 and less
def test_a_p_value_near_alpha_and_a_caution_are_said_where_no_runs_are_needed(shift, near):
    rng = np.random.default_rng(12)
    runs = {name: np.round(rng.normal(at, 1.0, 8), 3) for name, at in (("A", shift), ("B", 0.0))}
    results = answers_of(ro.Scores.from_dict(runs))
    pvalue = results.comparison.pairs[0].pvalue
    assert (0.025 < pvalue <= 0.05) == near
    assert any("is within a factor of two of α = 0.05" in step for step in steps_of(results)) == near


@pytest.mark.parametrize(
    ("ends", "margin", "words"),
    [
        ((1.2, 2.1), None, None),
        ((1.2, 2.1), 0.5, None),
        ((1.2, 2.1), 2.0, "These runs cannot say whether it has a lead above 2 (the margin that was named)."),
        ((1.2, 2.1), 2.5, "It was found, and the interval rules out a lead above 2.5 (the margin that was named)."),
        ((-2.1, -1.2), 2.5, "one that matters. It was found, and the interval rules out a lead above 2.5"),
    ],
)
def test_a_lead_is_real_and_may_be_too_small_to_matter(ends, margin, words):
    results = with_verdicts("b_better", "b_better", "b_better")
    verdict = "a_better" if ends[0] > 0 else "b_better"
    fields = {"own_low": ends[0], "own_high": ends[1], "low": None, "high": None}
    decided = fields | {"verdict": verdict, "margin": margin, "pvalue_adjusted": 0.001}
    pairs = [replace(pair, **decided) for pair in results.comparison.pairs]
    steps = list(_small(replace(results.comparison, pairs=tuple(pairs))))
    assert [step for step in steps if words and words in f"{step.act} {step.why}"] == steps
    assert bool(steps) == bool(words)


def test_nothing_more_is_needed_only_where_no_caution_stands():
    results = with_verdicts("b_better", "b_better", "b_better")
    caution = Advice(code="R004", severity="caution", text="x", source="s")
    comparison = replace(results.comparison, advice=(caution,))
    assert steps_of(replace(results, comparison=comparison)) == [
        "Weigh this caution: R004. It may change the claim above, or how far to trust it."
    ]


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
    by_mean = answers_of(ro.Scores.from_dict({"New": lead, "Old": other}), measure="mean")
    assert (results.comparison.real.holds, results.comparison.nearest.lead_tasks) == (real, ("t3",))
    assert by_mean.comparison.real.holds
    step = "Name t3 with the claim. 1 task makes the lead of New over Old."
    assert step in steps_of(by_mean)
    # The lead of the IQM is not made by it.
    assert not any("Name t3" in step for step in steps_of(results))
    assert len(steps_of(by_mean)) <= MOST


def test_a_warning_comes_before_more_runs():
    data = {"A": [63.2, 65.8, 66.1, 63.9, 60.0], "B": [65.4, 57.2, 63, 66, 62]}
    results = answers_of(ro.Scores.from_dict(data))
    about = [Advice(code=code, severity="warning", text="x", source="s") for code in ("R023", "R001")]
    about.append(Advice(code="R004", severity="caution", text="x", source="s"))
    first, second = steps_of(replace(results, comparison=replace(results.comparison, advice=tuple(about))))
    assert first == "Weigh this caution: R023. It may change the claim above, or how far to trust it."
    assert second.startswith("Train ")


def test_a_rate_with_a_cell_of_one_run_is_told_to_add_runs_there_and_has_no_slider():
    data = {"A": {"t0": [1, 0, 1], "t1": [1, 0, 1]}, "B": {"t0": [0, 1, 0], "t1": [0]}}
    results = answers_of(ro.Scores.from_dict(data))
    assert more_runs(results, standing_of(results)) is None
    assert steps_of(results)[-1] == "Add runs of A and B. How many more are needed cannot be computed from so few."
