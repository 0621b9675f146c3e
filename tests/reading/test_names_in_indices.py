"""Names in the index of what pandas writes, in keys above records and below heads of two lines, are those of what is compared."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import runoff as ro

RUNS = {"ppo_0": 1.5, "ppo_1": 2.5, "ours_0": 3.5, "ours_1": 4.5}
FRAME = pd.DataFrame({"env": "door", "score": RUNS.values()}, index=[*RUNS])


@pytest.mark.parametrize("orient", ["index", "columns", "split"])
@pytest.mark.parametrize("seeded", [False, True])
def test_runs_in_the_index_of_a_frame_name_algorithms(put, orient, seeded):
    frame = FRAME.assign(seed=[0, 1, 0, 1]) if seeded else FRAME
    scores = ro.read_scores(put("r.json", frame.to_json(orient=orient)), keys="algorithm/run")
    assert scores.to_dict() == {"ours": {"door": [3.5, 4.5]}, "ppo": {"door": [1.5, 2.5]}}


@pytest.mark.parametrize("orient", ["index", "columns", "split"])
def test_algorithms_in_the_index_of_a_frame_are_not_pooled(put, orient):
    frame = pd.DataFrame({"seed": [1, 2], "score": [1.5, 2.5]}, index=["foo", "bar"])
    scores = ro.read_scores(put("r.json", frame.to_json(orient=orient)))
    assert scores.to_dict() == {"bar": {"task": [2.5]}, "foo": {"task": [1.5]}}


def test_known_tasks_above_records_are_tasks(put):
    rows = {task: {"return": value, "seed": 0} for task, value in (("Hopper-v4", 1.5), ("Ant-v4", 2.5))}
    assert ro.read_scores(put("ppo.json", json.dumps(rows))).to_dict() == {"ppo": {"Ant-v4": [2.5], "Hopper-v4": [1.5]}}


@pytest.mark.parametrize("keys", [("run_0", "run_1"), ("0", "1"), ("a", "b")])
def test_keys_above_records_of_one_algorithm_are_runs(put, keys):
    rows = {key: {"env": "door", "score": i + 0.5} for i, key in enumerate(keys)}
    assert ro.read_scores(put("ppo.json", json.dumps(rows))).to_dict() == {"ppo": {"door": [0.5, 1.5]}}


def test_levels_of_an_index_are_columns(put):
    index = pd.MultiIndex.from_product([["ppo", "sac"], ["door", "lift"]])
    frame = pd.DataFrame({"seed": [0, 0, 0, 0], "score": [1.5, 2.5, 3.5, 4.5]}, index=index)
    scores = ro.read_scores(put("r.json", frame.to_json(orient="split")))
    assert scores.to_dict() == {"ppo": {"door": [1.5], "lift": [2.5]}, "sac": {"door": [3.5], "lift": [4.5]}}


@pytest.mark.parametrize("rest", ["seed,score\n{a},0,1.5\n{a},1,2\n{b},0,2.5\n{b},1,3\n"])
def test_a_column_without_a_head_names_algorithms_that_are_known_and_is_offered_otherwise(put, rest):
    scores = ro.read_scores(put("r.csv", "," + rest.format(a="ppo", b="sac")))
    assert scores.to_dict() == {"ppo": {"task": [1.5, 2.0]}, "sac": {"task": [2.5, 3.0]}}
    path = put("o.csv", "," + rest.format(a="foo", b="bar"))
    with pytest.raises(ro.DataError, match="'algorithm': 'Unnamed: 0'"):
        ro.read_scores(path)
    assert ro.read_scores(path, columns={"algorithm": "Unnamed: 0"}).algorithms == ("bar", "foo")


@pytest.mark.parametrize("above", [{}, {"mean": 2.0, "std": 0.5}])
@pytest.mark.parametrize("tasks", [(), ("slosh", "wobble")])
def test_lists_of_seeds_beside_scores_name_the_runs(put, above, tasks):
    leaf = {"seeds": [3, 5], "scores": [1.5, 2.5], **above}
    by_name = {name: dict.fromkeys(tasks, leaf) if tasks else leaf for name in ("MBPO-x", "PETS-x")}
    scores = ro.read_scores(put("r.json", json.dumps({"meta": {"date": "2026"}, "results": by_name})))
    assert scores.to_dict() == {name: {task: [1.5, 2.5] for task in tasks or ["task"]} for name in by_name}


def test_lists_of_seeds_and_scores_of_two_lengths_are_refused(put):
    content = {name: {"seeds": [0, 1], "scores": [1.5, 2.5, 3.5]} for name in ("a", "b")}
    with pytest.raises(ro.DataError):
        ro.read_scores(put("r.json", json.dumps(content)))


def test_heads_of_two_lines_above_numbered_runs_are_those_of_both_levels(put):
    heads = "district,d 4,d 4,d 9,d 9\nmethod,Greedy,RL,Greedy,RL\n"
    scores = ro.read_scores(put("r.csv", heads + "run 1,1,2,3,4\nrun 2,5,6,7,8\n"))
    assert scores.to_dict() == {
        "Greedy": {"d 4": [1.0, 5.0], "d 9": [3.0, 7.0]},
        "RL": {"d 4": [2.0, 6.0], "d 9": [4.0, 8.0]},
    }


def test_a_printed_frame_with_levels_of_rows_is_read(put):
    index = pd.MultiIndex.from_product([["gru-sac", "mlp-sac"], [0, 1]], names=["algo", "seed"])
    frame = pd.DataFrame({"ret": [1.5, 2.5, 3.5, 4.5], "len": [7, 8, 9, 7]}, index=index)
    scores = ro.read_scores(put("r.txt", frame.to_string()))
    assert scores.to_dict() == {"gru-sac": {"task": [1.5, 2.5]}, "mlp-sac": {"task": [3.5, 4.5]}}
