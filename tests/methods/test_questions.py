"""The three questions about a lead: is it real, does it hold across tasks, does it hold by other measures."""

from __future__ import annotations

import re

import numpy as np
import pytest

import runoff as ro
from runoff._inference.pairs import PairData, few_tasks
from tests.reference.law import few

TASKS = [f"t{i}" for i in range(12)]


def normalised(cells):
    scores = ro.Scores.from_dict(cells)
    return scores.normalize(dict.fromkeys(scores.tasks, (0.0, 1.0)), assume_raw=True)


def sides(lead, seed=0, n=4):
    """A and B on twelve tasks, A ahead by `lead` on each."""
    rng = np.random.default_rng(seed)
    b = {task: rng.normal(2.0, 0.1, n) for task in TASKS}
    return {
        "A": {task: rng.normal(2.0 + ahead, 0.1, n) for task, ahead in zip(TASKS, lead, strict=True)},
        "B": b,
    }


def test_a_lead_on_all_tasks_and_by_all_measures_is_said_in_one_sentence():
    result = ro.compare(normalised(sides([1.0] * 12)))
    assert result.real.holds
    assert result.other_measures.holds
    assert result.across_tasks.holds
    assert result.across_tasks.sentence.startswith(
        "On tasks like these A is ahead by the Hodges-Lehmann difference (1.0"
    )
    assert result.across_tasks.sentence.endswith("The mean of A is higher than that of B on 12 of 12 tasks.")
    assert result.sentence.startswith("A has the higher IQM, 1.0")
    assert result.sentence.endswith("over 12 tasks.")
    assert result.other_measures.sentence == "A also leads by the mean, the median and the probability of improvement."
    assert repr(result) == f"ComparisonResult(1 pair: {result.sentence})"


def test_a_mean_lead_that_two_tasks_make_is_said_with_their_names():
    result = ro.compare(normalised(sides([9.0, 8.0] + [0.0] * 10)), measure="mean")
    assert result.pairs[0].lead_tasks == ("t0", "t1")
    assert result.across_tasks.holds is False
    assert result.sentence.endswith("2 tasks make that lead: t0 and t1.")


def test_a_measure_by_which_another_leads_is_named_in_the_headline():
    result = ro.compare(normalised(sides([0.5] * 10 + [-9.0] * 2)))
    assert result.leader == "A"
    assert result.other_measures.holds is False
    assert re.search(r"; \w+ (leads|is ahead) by the mean", result.sentence)
    assert "B leads" in result.sentence


def test_verdicts_that_form_a_circle_have_no_leader():
    rng = np.random.default_rng(3)
    places = {"A": (3, 1, 2), "B": (2, 3, 1), "C": (1, 2, 3)}
    cells = {
        name: {f"t{i}": (1000.0**i) * (at[i % 3] + rng.normal(0, 0.1, 12)) for i in range(3)}
        for name, at in places.items()
    }
    result = ro.compare(cells)
    assert result.measure == "improvement"
    assert result.leader is None
    assert result.sentence.startswith("Nobody leads: ")


@pytest.mark.parametrize("seed", range(20))
def test_the_few_tasks_are_those_of_the_written_rule(seed):
    rng = np.random.default_rng(seed)
    n_tasks = int(rng.integers(5, 30))
    lead = rng.standard_t(1.2, n_tasks) + 0.5
    x, y = rng.normal(lead[:, None], 0.5, (n_tasks, 4)), rng.normal(0.0, 0.5, (n_tasks, 4))
    if (x.mean(axis=1) - y.mean(axis=1)).mean() < 0:
        x, y = y, x
    pair = PairData.of(ro.Scores.from_dict({"A": x.T, "B": y.T}), 0, 1)
    variances = (x.var(axis=1, ddof=1) + y.var(axis=1, ddof=1)) / 4
    assert bool(few_tasks(pair, "mean")) == few(x.mean(axis=1) - y.mean(axis=1), variances)


def test_a_lead_that_is_not_found_over_all_by_any_measure_does_not_hold_by_the_others():
    rng = np.random.default_rng(0)
    runs = {name: {t: rng.normal(level, 1.0, 8) for t in "xyz"} for name, level in {"A": 3.0, "B": 2.9, "C": 0}.items()}
    result = ro.compare(normalised(runs))
    assert result.real.holds is not True
    assert result.other_measures.holds is not True
    assert "also leads" not in result.other_measures.sentence


@pytest.mark.parametrize("rival", [0.3, 0.6])
def test_a_lead_on_shared_tasks_over_the_highest_value_is_real_where_it_is_found_above_all_others(rival):
    """A has the highest IQM for it lacks the hard tasks; B is above it on the others, and above C or level with it."""
    rng = np.random.default_rng(6)
    cells = {
        name: {task: rng.normal(at - 0.6 * (task < "t3"), 0.02, 5) for task in TASKS[start:6]}
        for name, at, start in (("A", 0.5, 3), ("B", 0.6, 0), ("C", rival, 0))
    }
    result = ro.compare(ro.Scores.from_dict(cells, score_unit="shared"))
    assert result.sentence.startswith("A has the highest IQM over its own tasks, yet was found below ")
    assert result.leader != "A"
    alike = result.standing.those("no difference found")
    assert bool(alike) == (rival == 0.6)
    assert result.real.holds is (None if alike else True)


def test_an_algorithm_is_not_ahead_by_a_measure_of_equal_values():
    rows = {"A": [1.0, 4.0, 5.0, 8.4], "B": [2.0, 3.0, 6.0, 7.0], "C": [-9.0, -8.0, -7.0, -6.0]}
    three = ro.compare(rows)
    assert three.pairs[0].other_readings[0].estimate == 0.5
    assert three.other_measures.sentence == "A is level with B by the probability of improvement."
    two = ro.compare({name: rows[name] for name in "AB"})
    assert two.other_measures.sentence == "By the other measures the algorithms are level."


def test_a_chance_to_beat_others_is_that_against_those_with_a_task_in_common():
    draw = np.random.default_rng(4)
    tasks = {"A": "tu", "B": "t", "C": "u", "D": "tu"}
    runs = {name: {task: draw.normal(size=5) for task in own} for name, own in tasks.items()}

    def chance(a, b):
        shared = runs[a].keys() & runs[b].keys()
        return np.mean([np.mean(runs[a][task][:, None] > runs[b][task]) for task in shared])

    values = dict(ro.compare(runs, control="A", measure="improvement").values)
    assert values["B"] == pytest.approx(np.mean([chance("B", "A"), chance("B", "D")]))
    assert values["C"] == pytest.approx(np.mean([chance("C", "A"), chance("C", "D")]))


@pytest.mark.parametrize(("tasks", "correction"), [("tu", "shaffer"), ("t", "holm")])
def test_three_algorithms_have_shaffers_steps_where_all_have_the_same_tasks(tasks, correction):
    draw = np.random.default_rng(4)
    runs = {
        name: {task: draw.normal(size=5) for task in own} for name, own in zip("ABC", ("tu", "tu", tasks), strict=True)
    }
    assert ro.compare(runs, measure="mean").correction == correction
