"""Columns beside those of the roles, and cells beside numbers: what they leave alone, and what they are asked about."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import runoff as ro

HEAD = "algorithm,task,seed,score"


def rows(*more, tasks="xy"):
    """Return rows of two algorithms with four seeds a task; `more` are the values of further columns, in turn."""
    ends = [",".join(["", *(values[s % len(values)] for values in more)]) for s in range(4)]
    return "".join(f"{a},{t},{s},{k + s}.5{ends[s]}\n" for k, a in enumerate("AB") for t in tasks for s in range(4))


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        # Two columns of configurations without a sweep are no question.
        (f"{HEAD},config,config_id\n{rows(['base'], ['c7'])}", {}),
        # What was measured may be the same number for equally many runs.
        (f"{HEAD},num_collisions\n{rows('2442')}", {}),
        (f"{HEAD},run\n{rows(['r0', 'r1', 'r2', 'r3'])}", {}),
        (f"{HEAD}\n{rows()}", {"task": "task", "run": "task/seed"}),
    ],
    ids=["configs", "count", "seed_and_run", "part_of_a_name"],
)
def test_columns_beside_the_roles_leave_the_runs_alone(put, text, columns):
    scores = ro.read_scores(put("t.csv", text), columns=columns)
    assert (scores.algorithms, scores.tasks) == (("A", "B"), ("x", "y"))
    assert scores.cell("A", "x").tolist() == [0.5, 1.5, 2.5, 3.5]


def test_a_benchmark_that_names_the_algorithms_names_no_tasks(put):
    text = "benchmark,seed,score\n" + "".join(f"{b},{s},{s}.5\n" for b in "uv" for s in range(3))
    assert ro.read_scores(put("t.csv", text), columns={"algorithm": "benchmark"}).tasks == ("task",)


def test_lists_beside_runs_are_no_names_of_tasks(put):
    records = [{"algorithm": a, "seed": s, "score": s, "sequence": [s, 1]} for a in "AB" for s in range(4)]
    assert ro.read_scores(put("t.json", json.dumps(records))).n_runs.tolist() == [[4], [4]]


@pytest.mark.parametrize("file", ["t.parquet", ""])
def test_heads_that_pandas_numbered_are_runs_in_frames_as_in_files(tmp_path: Path, file):
    frame = pl.DataFrame({"task": ["x", "y"], "A": [1.0, 2.0], "A.1": [2.0, 3.0], "B": [4.0, 5.0], "B.1": [5.0, 6.0]})
    if file:
        frame.write_parquet(tmp_path / file)
    scores = ro.read_scores(tmp_path / file) if file else ro.load(frame)
    assert scores.cell("A", "x").tolist() == [1, 2]


@pytest.mark.parametrize("metric", ["win_rate", " return "])
def test_a_column_without_numbers_is_not_offered_as_the_score(put, recwarn, metric):
    values = [{"algorithm": a, "seed": s, metric: s, "quality_score": "good"} for a in "AB" for s in range(3)]
    ro.read_scores(put("t.json", json.dumps(values)))
    assert not recwarn.list


PROBLEMS = "".join(f"{a},p{b},i{i},{i % 2},{i}.5\n" for a in "AB" for b in "tv" for i in range(4))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"model,problem,instance,seed,score\n{PROBLEMS}", "the columns 'problem', 'instance' could each be the task"),
        ("algorithm,0.1,0.01,0.001\nA,1,2,3\nB,2,3,4\n", "no column is recognised as the score"),
        (f"{HEAD},n_steps\n{rows(['short', 'long'])}".replace("seed", "note"), "no column names the runs"),
        ("algorithm,seed,score\nA,0,0.71 (936/1319)\nB,0,0.75\n", r"'0\.71 \(936/1319\)', which is not a number"),
        ("algorithm,seed,score\nA,0,(3)\nB,0,5k\n", r"'\(3\)', which is not a number"),
        ("algorithm,seed,score\nA,0,100k\nB,0,full\n", "line 2: .* is '100k', which is not a number"),
        ("algorithm,seed,score\nA,0,5% \nB,0,7\n", "give all scores in percent"),
        (
            "algorithm,seed,final,best,gap\nA,0,90,100,0.1\nA,1,95,100,0.05\nB,0,40,50,0.2\n",
            "no column is recognised as the score",
        ),
    ],
    ids=["instances", "rates", "settings", "share", "parentheses", "amount", "percent", "gap"],
)
def test_cells_and_heads_that_may_mean_two_things_are_asked_about_as_they_stand(put, text, message):
    with pytest.raises(ro.DataError, match=message):
        ro.load(put("t.csv", text))


def test_a_history_of_records_is_no_list_of_scores(put):
    records = [{"algorithm": a, "seed": 0, "history": [{"step": 1, "gain": 2}]} for a in "AB"]
    with pytest.raises(ro.DataError, match="found 'algorithm', 'seed', 'history';"):
        ro.load(put("t.json", json.dumps(records)))


@pytest.mark.parametrize("role", ["run", "task", "score"])
def test_no_column_for_a_role_is_no_name(put, role):
    with pytest.raises(ro.OptionError, match=r"takes a text, the name of a column, not \[\]"):
        ro.load(put("t.csv", f"{HEAD}\n{rows()}"), columns={role: []})
