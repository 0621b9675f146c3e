"""Heads of two lines: names merged over columns, and below them seeds, tasks or algorithms; each is read, or asked with repairs that work."""

from __future__ import annotations

import shlex

import pytest

import runoff as ro
from runoff.words.speech import shell_parts

RUNS = {"PPO": {"Pong": [1, 2], "Boxing": [3, 4]}, "SAC": {"Pong": [3, 4], "Boxing": [5, 6]}}
OF_RUNS = {
    "seeds": ",PPO,,SAC,\nenv,1,2,1,2\n",
    "named seeds": "Task,PPO,,SAC,\n,seed 1,seed 2,seed 1,seed 2\n",
    "no word for rows": ",PPO,,SAC,\n,1,2,1,2\n",
    "repeated": "env,PPO,PPO,SAC,SAC\n,1,2,1,2\n",
    "numbered by pandas": "env,PPO,PPO.1,SAC,SAC.1\n,1,2,1,2\n",
    "words for rows and seeds": "Task,PPO,,SAC,\nSeed,1,2,1,2\n",
    "runs above algorithms": "env,seed 1,,seed 2,\n,PPO,SAC,PPO,SAC\n",
}
OF_TASKS = {
    "tasks below algorithms": ",PPO,,SAC,\nseed,Pong,Boxing,Pong,Boxing\n",
    "algorithms below tasks": "seed,Pong,,Boxing,\n,PPO,SAC,PPO,SAC\n",
    "no labels": "PPO,,SAC,\nPong,Boxing,Pong,Boxing\n",
}


@pytest.mark.parametrize("head", OF_RUNS.values(), ids=OF_RUNS)
def test_names_above_seeds_are_algorithms_beside_a_column_of_tasks(put, head):
    rows = "Pong,1,3,2,4\nBoxing,3,5,4,6\n" if "seed 1,," in head else "Pong,1,2,3,4\nBoxing,3,4,5,6\n"
    scores = ro.load(put("merged.csv", head + rows))
    assert scores.to_dict() == RUNS
    assert any(note.startswith("the header has 2 lines") for note in scores.provenance.notes)


@pytest.mark.parametrize("head", OF_TASKS.values(), ids=OF_TASKS)
def test_names_of_algorithms_and_tasks_in_two_lines_tell_each_other(put, head):
    rows = [["0", "1", "3", "3", "5"], ["1", "2", "4", "4", "6"]]
    labels = "seed" in head
    if "Pong,," in head:
        rows = [[row[0], row[1], row[3], row[2], row[4]] for row in rows]
    text = head + "".join(",".join(row if labels else row[1:]) + "\n" for row in rows)
    assert ro.load(put("merged.csv", text)).to_dict() == RUNS


@pytest.mark.parametrize("column", [1, 2, 3, 4])
def test_a_missing_score_below_two_lines_of_heads_is_named_by_its_line(put, column):
    row = ["1", "2", "4", "4", "6"]
    row[column] = ""
    text = OF_TASKS["tasks below algorithms"] + "0,1,3,3,5\n" + ",".join(row) + "\n2,3,5,5,7\n"
    with pytest.raises(ro.DataError, match=r"merged\.csv, line 4: the score .* is missing"):
        ro.load(put("merged.csv", text))


def test_names_above_uneven_seeds_keep_the_runs_that_they_have(put):
    text = "Task,PPO,,SAC,,\n,1,2,1,2,3\nPong,1,2,3,4,5\nBoxing,3,4,5,6,7\n"
    assert ro.load(put("merged.csv", text)).n_runs.tolist() == [[2, 2], [3, 3]]


def test_means_beside_the_seeds_of_a_merged_head_are_left_out(put):
    text = "Task,PPO,,,SAC,,\n,1,2,mean,1,2,mean\nPong,1,2,1.5,3,4,3.5\nBoxing,3,4,3.5,5,6,5.5\n"
    with pytest.warns(ro.RunoffWarning, match="left out: columns 'mean', which summarise the runs beside them"):
        scores = ro.load(put("merged.csv", text))
    assert scores.to_dict() == RUNS
    assert "left out: columns 'mean', which summarise the runs beside them" in scores.provenance.notes


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        (",Foo,,Bar,\nseed,x,y,x,y\n0,1,2,3,4\n1,3,4,5,6\n", ("algorithm/task", "task/algorithm")),
        (",PPO,,SAC,\nenv,64,128,64,128\nPong,1,2,3,4\nBoxing,3,4,5,6\n", ("algorithm/run",)),
        ("where,Foo,,Bar,\n,1,2,1,2\nx,1,2,3,4\ny,3,4,5,6\n", ("algorithm/run", "task/run")),
    ],
)
def test_names_in_two_lines_that_nothing_tells_are_asked_for_and_each_repair_works(put, text, roles):
    file = put("merged.csv", text)
    with pytest.raises(ro.DataError, match=r"lines 1 and 2: the header has two lines .* nothing says what") as refusal:
        ro.load(file)
    options = [shlex.split(part) for part in shell_parts(refusal.value.args[0])]
    assert tuple(keys for _, keys in options) == roles
    for _, keys in options:
        # Rows that a column of no known name labels are another question, with repairs of its own.
        how = {"columns": {"task" if keys.startswith("algorithm") else "algorithm": "where"}} if "where" in text else {}
        assert ro.load(file, keys=keys, **how).n_runs.sum() == 8


@pytest.mark.parametrize(
    "text",
    [
        ",PPO,,SAC,\nPong,1,2,3,4\nBoxing,3,4,5,6\n",
        "Task,PPO,,SAC,\n,mean,std,mean,std\nPong,1,2,1.5,3\nBoxing,3,4,3.5,5\n",
        "task,PPO,,SAC,\nx,a,b,c,d\ny,3,4,5,6\n",
        ",,PPO,,SAC,\n,,1,2,1,2\nx,u,1,2,3,4\ny,v,3,4,5,6\n",
    ],
)
def test_a_row_of_scores_or_of_measures_is_no_second_line_of_a_head(put, text):
    with pytest.raises(
        ro.DataError,
        match=r"appears twice|sum up runs that the table lacks|the header has two lines .*give one row per score",
    ):
        ro.load(put("merged.csv", text))


def test_the_same_measures_below_each_name_are_columns_of_their_own(put):
    text = "Eval of May,,,,\n,Octo,,OpenVLA,\nTask,Success,Trials,Success,Trials\nPick,1,3,2,3\nPour,0,2,2,2\n"
    file = put("counts.csv", text)
    with pytest.raises(ro.DataError, match="column 'Success' counts the successes"):
        ro.read_scores(file)
    scores = ro.read_scores(file, unit="episode")
    assert scores.algorithms == ("Octo", "OpenVLA")
    assert [sorted(cell.tolist()) for cell in scores.cells(1)] == [[0, 1, 1], [1, 1]]


@pytest.mark.parametrize("word", ["model", "method", "agent", "手法"])
def test_a_word_for_algorithms_may_be_the_label_of_the_first_row(put, word):
    text = f"algo,seed,return\n{word},0,1\n{word},1,2\nPPO,0,3\nPPO,1,4\n"
    assert ro.load(put("runs.csv", text)).to_dict() == {word: {"task": [1, 2]}, "PPO": {"task": [3, 4]}}


@pytest.mark.parametrize("label", ["s{}", "run {}", "seed_{}"])
def test_labels_that_name_runs_below_the_heads_of_both_lines_are_runs(put, label):
    rows = "".join(f"{label.format(i)},{i},{i + 2},{i + 2},{i + 4}\n" for i in (1, 2))
    text = f"Task,Pong,,Boxing,\nSeed,PPO,SAC,PPO,SAC\n{rows}"
    assert ro.load(put("merged.csv", text)).to_dict() == RUNS


@pytest.mark.parametrize("head", ["run,ours,,baseline,\n,x,y,x,y", "run,x,,y,\n,ours,baseline,ours,baseline"])
def test_words_that_authors_have_for_their_methods_name_the_algorithms_of_a_line(put, head):
    scores = ro.load(put("merged.csv", f"{head}\n0,1,2,3,4\n1,3,4,5,6\n"))
    assert (scores.algorithms, scores.tasks) == (("baseline", "ours"), ("x", "y"))


@pytest.mark.parametrize("rows", ["1,2.5\n2,3.5\n", "0,1.5\n1,2.5\n2,3.5\n"])
def test_a_row_below_one_head_of_runs_is_no_second_line(put, rows):
    with pytest.raises(ro.DataError, match=r"no column is recognised as the score .*found 'trial', ''"):
        ro.load(put("runs.csv", f"trial,\n{rows}"))


def test_blanks_below_two_lines_of_heads_hold_nothing(put):
    text = "algo, PPO, PPO, SAC, SAC\ntask, Pong, Boxing, Pong, Boxing\nseed, , , , \n0,1,3,3,5\n1,2,4,4,6\n"
    scores = ro.load(put("merged.csv", text))
    assert scores.to_dict() == RUNS
    assert "the header has 3 lines: columns are labelled by algo and task" in scores.provenance.notes
