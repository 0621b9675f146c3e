"""Reference scores: names, files, mappings; what is normalised already is not normalised again."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import runoff as ro
from runoff.references import load_reference, registered

RAW = {"PPO": {"Pong": [18.0, 20.0], "Alien": [900.0, 1100.0]}, "A2C": {"Pong": [2.0], "Alien": [700.0]}}


def test_the_registered_benchmarks_are_there_with_a_source():
    assert {"atari", "atari_record", "procgen_easy", "procgen_hard", "dm_control"} <= set(registered())
    assert all(load_reference(name).source for name in registered())


@pytest.mark.parametrize("name", registered())
def test_no_reference_has_the_better_score_first(name):
    assert [task for task, (low, high) in load_reference(name).scores.items() if not low < high] == []


def test_normalising_maps_low_to_0_and_high_to_1():
    scores = ro.Scores.from_dict({"PPO": {"Pong": [-20.7, 14.6]}}).normalize("atari")
    assert scores.cell("PPO", "Pong").tolist() == [0.0, 1.0]
    assert scores.provenance.reference.startswith("atari")


@pytest.mark.parametrize("task", ["Pong", "PongNoFrameskip-v4", "ALE/Pong-v5", "pong"])
def test_a_task_may_be_spelled_as_environments_are(task):
    assert load_reference("atari").pair(task) == load_reference("atari").pair("Pong")


def test_a_mapping_and_a_file_do_the_same(tmp_path):
    pairs = {"Pong": (0.0, 20.0), "Alien": (100.0, 1100.0)}
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(pairs))
    scores = ro.Scores.from_dict(RAW)
    assert scores.normalize(pairs) == scores.normalize(file)
    assert np.allclose(scores.normalize(pairs).cell("PPO", "Alien"), [0.8, 1.0])


def test_an_algorithm_of_the_data_is_no_reference_and_the_call_with_its_means_is_named():
    scores = ro.Scores.from_dict(RAW)
    for name in ("A2C", "algorithm:A2C"):
        with pytest.raises(ro.OptionError, match="'A2C' is an algorithm of these data") as refusal:
            scores.normalize(name)
    call = str(refusal.value).partition("scores = ro.load(data); ")[2].removesuffix(".")
    normalised = eval(call, {"scores": scores})  # noqa: S307  # a sentence of this package
    assert [cell.mean() for cell in normalised.cells("A2C")] == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize("name", ["B2C", "A2C"])
def test_a_name_is_refused_as_unknown_where_no_mean_can_stand_for_1(name):
    with pytest.raises(ro.OptionError, match="no reference scores are registered"):
        ro.Scores.from_dict(RAW | {"A2C": {"Pong": [-2.0], "Alien": [700.0]}}).normalize(name)


def test_a_range_that_makes_scores_infinite_is_refused_without_a_warning_of_numpy():
    curves = ro.Curves.from_frame({"algorithm": ["PPO"] * 2, "step": [1, 2], "score": [1.0, 1e10]})
    for runs in (curves, curves.final(1)):
        with pytest.raises(ro.DataError, match="the largest score on task is inf"):
            runs.normalize({"task": (0, 1e-300)}, assume_raw=True)


def test_scores_are_not_normalised_twice():
    once = ro.Scores.from_dict(RAW).normalize("atari")
    with pytest.raises(ro.DataError, match="normalised already, by atari"):
        once.normalize("atari")


def test_an_algorithm_in_other_units_is_refused_by_name_unless_told_otherwise():
    mixed = ro.Scores.from_dict(RAW | {"CURL": {"Alien": [0.11, 0.07], "Pong": [0.9, 1.1]}})
    with pytest.raises(
        ro.DataError, match=r"algorithm 'CURL' looks normalised already .* while algorithm '(PPO|A2C)' is in raw units"
    ):
        mixed.normalize("atari")
    assert mixed.normalize("atari", assume_raw=True).provenance.reference is not None


@pytest.mark.parametrize(
    ("reference", "error", "sentence"),
    [
        ("atary", ro.OptionError, r"Did you mean 'atari'\?"),
        ({"Pong": (0, 1)}, ro.DataError, "task 'Alien' has no reference scores"),
        ({"Pong": (3, 3), "Alien": (0, 1)}, ro.DataError, "range of task 'Pong' is 3.0 to 3.0"),
        ({"Pong": (0, float("nan"))}, ro.DataError, "task 'Pong' is 0.0 to nan"),
        ({"Pong": "low"}, ro.DataError, "task 'Pong' must be a pair"),
        ({}, ro.DataError, "no scores"),
    ],
)
def test_bad_references_are_refused_with_the_task(reference, error, sentence):
    with pytest.raises(error, match=sentence):
        ro.Scores.from_dict(RAW).normalize(reference)


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"Pong": 3}', '{"random": {"Pong": 1}, "human": {"Alien": 2}}', "\x00"]
)
def test_bad_reference_files_are_refused(tmp_path, content):
    file = tmp_path / "reference.json"
    file.write_text(content)
    with pytest.raises(ro.DataError, match=r"reference|Pong|Alien"):
        ro.Scores.from_dict(RAW).normalize(file)


def test_a_file_of_random_and_human_scores_maps_random_to_0_and_human_to_1(tmp_path):
    file = tmp_path / "agents.json"
    file.write_text(json.dumps({"human": {"Alien": 1100, "Pong": 20}, "random": {"Pong": 18, "Alien": 700}}))
    scores = ro.Scores.from_dict(RAW).normalize(file)
    assert scores.to_dict() == {
        "A2C": {"Alien": [0.0], "Pong": [-8.0]},
        "PPO": {"Alien": [0.5, 1.0], "Pong": [0.0, 1.0]},
    }


COSTS = {"algorithm": ["A", "A", "B", "B"], "run": [0, 1, 0, 1], "task": ["x"] * 4, "loss": [0.1, 0.55, 1.0, 0.775]}


@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
@pytest.mark.parametrize("pair", [(1.0, 0.1), (-1.0, -0.1)], ids=["as costs", "negated as the scores are"])
@pytest.mark.parametrize("steps", [{}, {"step": [5] * 4}], ids=["scores", "curves"])
def test_of_costs_the_smaller_reference_is_1(pair, steps):
    data = ro.load(COSTS | steps).normalize({"x": pair})
    assert np.allclose(np.sort(data.values), [0.0, 0.25, 0.5, 1.0])
    assert ro.compare(data if not steps else data.final(), measure="mean")["A", "B"].difference > 0


@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
@pytest.mark.parametrize("pair", [(0.1, 1.0), (-0.1, 1.0)])
def test_references_by_which_more_is_better_are_refused_for_costs(pair):
    with pytest.raises(
        ro.DataError, match=r"the scores are costs, and their signs are turned, but .* more is better on task 'x'"
    ):
        ro.load(COSTS).normalize({"x": pair})


def test_one_pair_for_all_tasks_is_turned_too():
    of_all = replace(load_reference("dm_control"), every_task=(8.0, 2.0))
    assert of_all.facing(["walk"], negated=True).pair("walk") == (-8.0, -2.0)
    assert of_all.facing(["walk"], negated=False) is of_all


def test_a_reference_by_which_less_is_better_says_so():
    scores = ro.Scores.from_dict({"A": {"x": [0.1, 1.0], "y": [1.0, 2.0]}}).normalize(
        {"x": (1.0, 0.1), "y": (0.0, 2.0)}
    )
    assert scores.cell("A", "x").tolist() == [1.0, 0.0]
    assert "by 'given' less is better on 'x': what 1 stands for lies below what 0 does" in scores.provenance.notes
