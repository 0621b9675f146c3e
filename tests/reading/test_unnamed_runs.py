"""A number of rows is a number of runs only if nothing in the table says otherwise."""

from __future__ import annotations

import itertools
import json
import re

import pytest

import runoff as ro

DOPAMINE = [
    {"Agent": agent, "Game": "Pong", "Iteration": i, "Value": float(10 * run + i)}
    for agent in ("DQN", "C51")
    for run in range(5)
    for i in range(20)
]


def rows(*columns: str, head: str) -> str:
    lines = itertools.product(*(column.split() for column in columns))
    return head + "\n" + "".join(",".join([*line, str(i)]) + "\n" for i, line in enumerate(lines))


def test_iterations_of_published_curves_are_steps_and_not_runs(put):
    scores = ro.read_scores(put("runs.json", json.dumps(DOPAMINE)))
    assert scores.n_runs.tolist() == [[5], [5]]
    assert sorted(scores.cell("DQN", "Pong").tolist()) == [19.0, 29.0, 39.0, 49.0, 59.0]
    assert "there is no run column: a new run is assumed to begin where the steps restart" in scores.provenance.notes


def test_curves_that_are_sorted_by_step_have_the_same_end_scores_and_say_what_is_assumed(put):
    mixed = sorted(DOPAMINE, key=lambda record: record["Iteration"])
    scores = ro.read_scores(put("runs.json", json.dumps(mixed)))
    assert scores.to_dict() == ro.read_scores(put("blocks.json", json.dumps(DOPAMINE))).to_dict()
    assert any("which evaluations belong to one run is assumed" in note for note in scores.provenance.notes)


def test_steps_that_only_rise_are_one_run(put):
    curves = ro.read_curves(put("PPO.csv", "step,return\n1,5\n2,6\n3,7\n"))
    assert curves.n_runs.tolist() == [[1]]
    assert any("are taken as one run" in note for note in curves.provenance.notes)


def test_runs_of_other_steps_cannot_be_told_apart_without_a_column(put):
    content = "algo,num_steps,return\nPPO,1000123,5\nPPO,1000542,6\nPPO,1000301,4\n"
    with pytest.raises(ro.DataError, match=r"nothing says where one run ends.*columns={'run': 'NAME'}"):
        ro.read_scores(put("runs.csv", content))
    read = ro.read_scores(put("runs.csv", content), columns={"run": "row"}, incomplete="carry")
    assert read.n_runs.tolist() == [[3]]
    assert read.provenance.caveats == ()  # they end within a thousandth of each other


@pytest.mark.parametrize(
    ("head", "columns", "what"),
    [
        ("algo,budget,return", ("PPO SAC", "100k 500k"), "column 'budget' takes several values"),
        ("algo,level,return", ("PPO SAC", "1 2 3"), "column 'level' takes several values"),
        ("algo,episode,return", ("PPO SAC", "1 2 3"), "column 'episode' may number attempts"),
        ("algo,walltime,return", ("PPO SAC", "1 2 3"), "column 'walltime' rises from row to row"),
        ("algo,mode,return", ("PPO SAC", "easy hard"), "column 'mode' repeats 2 values"),
    ],
)
def test_a_column_that_tells_rows_apart_is_not_ignored(put, head, columns, what):
    file = put("runs.csv", rows(*columns, head=head))
    with pytest.raises(ro.DataError, match=what):
        ro.read_scores(file)
    assert ro.read_scores(file, columns={"run": "row"}).n_runs.sum() == file.read_text().count("\n") - 1


@pytest.mark.parametrize("head", ["algo,gpu,return", "algo,loss,return", "algo,id,return"])
def test_a_column_that_is_constant_or_never_repeats_is_ignored(put, head):
    values = {"gpu": "A100", "loss": "0.1 0.3 0.2", "id": "3 1 2"}[head.split(",")[1]]
    file = put("runs.csv", rows("PPO", values, head=head))
    assert ro.read_scores(file).n_runs.tolist() == [[len(values.split())]]


@pytest.mark.parametrize("read", [ro.load, ro.Scores.from_frame])
def test_runs_without_a_name_are_shared_by_no_tasks(read):
    frame = {"algorithm": ["a", "a", "b", "b"], "task": ["x", "y"] * 2, "score": [1.0, 2.0, 3.0, 4.0]}
    with pytest.raises(ro.DataError, match="needs a column that names the runs"):
        read(frame, runs="shared")


def test_a_frame_with_steps_is_not_a_table_of_runs():
    frame = {"algorithm": ["PPO"] * 3, "step": [1, 2, 3], "score": [1.0, 2.0, 3.0]}
    with pytest.raises(ro.DataError, match="column 'step' takes several values for one algorithm and task"):
        ro.Scores.from_frame(frame)
    assert ro.Curves.from_frame(frame).n_runs.tolist() == [[1]]


def test_a_run_with_several_scores_names_the_column_that_tells_them_apart(put):
    file = put("runs.csv", rows("PPO", "100k 500k", "0 1", head="algo,budget,seed,return"))
    with pytest.raises(
        ro.DataError, match=r"run '0' .* in line 2 and line 4, where column 'budget' is '100k' and '500k'"
    ):
        ro.read_scores(file)


def test_episodes_of_a_run_are_not_read_as_steps(put):
    file = put("runs.csv", rows("PPO", "0 1", "1 2 3", head="algo,seed,episode,return"))
    with pytest.raises(
        ro.DataError, match=r"run '0' .* use duplicates=.mean. if they are episodes of one run, or name"
    ):
        ro.read_scores(file)


def test_a_name_without_a_visible_character_is_refused(put):
    with pytest.raises(ro.DataError, match=r"line 2: the algorithm .* is '\\ufeff', which cannot be seen"):
        ro.read_scores(put("runs.csv", "algorithm,score\n\ufeff,1\nB,2\n"))


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("algo,env,n_seeds,score\nPPO,Pong,5,18\nSAC,Pong,5,19\n", "column 'n_seeds' counts runs (5 in the first row)"),
        ("algo,runs,score\nPPO,2,18\nPPO,2,18.5\nSAC,2,19\n", "column 'runs' counts runs"),
        ("algo,env,score,score_std\nPPO,Pong,18,1\nSAC,Pong,19,2\n", "column 'score_std' holds a spread"),
        ("algo,env,mean_reward,ci_low\nPPO,Pong,18,1\nSAC,Pong,19,2\n", "column 'ci_low' holds a spread"),
    ],
)
def test_rows_that_sum_up_runs_are_no_runs(put, content, what):
    file = put("runs.csv", content)
    with pytest.raises(ro.DataError, match=re.escape(what) + ".*each row summarises several runs"):
        ro.read_scores(file)
    assert ro.read_scores(file, columns={"run": "row"}).n_runs.sum() == content.count("\n") - 1


def test_a_spread_over_the_episodes_of_each_run_is_ignored(put):
    content = "algo,mean_reward,std_reward\nPPO,18,1\nPPO,19,2\nSAC,20,2\nSAC,21,1\n"
    assert ro.read_scores(put("runs.csv", content)).n_runs.tolist() == [[2], [2]]
    numbered = "algo,n_seeds,score\nPPO,1,18\nSAC,1,19\n"
    assert ro.read_scores(put("ones.csv", numbered)).n_runs.tolist() == [[1], [1]]


def test_times_that_rise_beside_a_wide_table_are_no_runs(put):
    file = put("runs.csv", "timestamp,ppo,sac\n1,10,11\n2,12,13\n3,13,15\n")
    with pytest.raises(ro.DataError, match="column 'timestamp' rises from row to row"):
        ro.read_scores(file)
    assert ro.read_scores(file, columns={"run": "row"}).n_runs.tolist() == [[3], [3]]


def test_a_column_of_few_whole_numbers_among_algorithms_must_be_told(put):
    file = put("runs.csv", "group,ppo,sac\n1,10,11\n2,12,13\n1,13,15\n2,14,18\n")
    with pytest.raises(ro.DataError, match="'group' repeats a few whole numbers, unlike the other columns"):
        ro.read_scores(file)
    assert ro.read_scores(file, keys="algorithm").algorithms == ("group", "ppo", "sac")
    assert ro.read_scores(put("rates.csv", "a,b,c\n1,0,1\n0,0,1\n1,0,0\n0,1,1\n")).algorithms == ("a", "b", "c")


def test_a_table_of_means_and_spreads_leads_to_its_claims(put):
    with pytest.raises(
        ro.DataError, match=r"'mean' and 'std' sum up runs that the table lacks; judge .* with claims, or give"
    ):
        ro.read_scores(put("means.csv", "algo,env,mean,std,n\nPPO,Ant,9,1,5\nSAC,Ant,8,1,5\n"))
    with pytest.raises(ro.DataError, match="what such a table claims with claims; or, if each row is one run, use"):
        ro.read_scores(put("returns.csv", "algo,env,mean_return,std_return,n\nPPO,Ant,9,1,5\nSAC,Ant,8,1,5\n"))


def test_means_of_the_evaluations_of_each_run_are_scores_once_named(put):
    file = put("runs.csv", "algo,seed,mean,std\nPPO,0,9,1\nPPO,1,8,1\n")
    with pytest.raises(ro.DataError, match=r"sum up the evaluations of each run; .* columns=\{'score': 'mean'\}"):
        ro.read_scores(file)
    assert ro.read_scores(file, columns={"score": "mean"}).cell("PPO", "task").tolist() == [9, 8]


def test_only_repairs_that_can_work_are_offered(put):
    text = "algo,camera,score\n" + "PPO,left,1\nPPO,right,2\n" * 2
    with pytest.raises(
        ro.DataError,
        match=r"its role: columns={'task': 'camera'} if it names tasks, columns={'algorithm': 'algo/camera'} if",
    ) as refusal:
        ro.read_scores(put("runs.csv", text))
    assert "'step'" not in str(refusal.value)
    assert ro.read_scores(put("runs.csv", text), columns={"task": "camera"}).n_runs.tolist() == [[2, 2]]


@pytest.mark.parametrize(
    ("heads", "cells"), [("n,return,sd", "5,1.5,3"), ("seeds,return", "0-4,1.5"), ("return,se", "1.5,3")]
)
def test_a_row_of_several_seeds_is_no_run(put, heads, cells):
    file = put("runs.csv", f"algo,env,{heads}\nA,x,{cells}\nA,y,{cells}\nB,x,{cells}\nB,y,{cells}\n")
    with pytest.raises(ro.DataError, match="so each row summarises several runs and is not a run"):
        ro.load(file)


def test_a_few_iterations_without_runs_are_repetitions_or_training_and_asked(put):
    rows = [f"{learner},{task},{i},{i}" for learner in ("lasso", "ranger") for task in ("a", "b") for i in range(1, 7)]
    file = put("resampled.csv", "\n".join(["learner,task,iter,score", *rows]))
    with pytest.raises(ro.DataError, match="'iter' counts 6 iterations of each algorithm on each task"):
        ro.read_scores(file)
    assert ro.read_scores(file, columns={"run": "iter"}).n_runs.tolist() == [[6, 6], [6, 6]]
    assert ro.read_curves(file, columns={"step": "iter"}).n_runs.tolist() == [[1, 1], [1, 1]]


WORDED = "run,score\nfluffy-owl-17,1\nexp_final,2\nbig_one,3\n"


def test_runs_that_are_called_by_words_are_of_no_algorithm_that_the_file_does_not_name(put):
    file = put("runs.csv", WORDED)
    with pytest.raises(ro.DataError, match="nothing says which algorithm the runs in column 'run' are of"):
        ro.load(file)
    assert ro.load(file, columns={"run": "run"}).n_runs.tolist() == [[3]]
    assert ro.load(file, columns={"algorithm": "run"}).n_runs.tolist() == [[1]] * 3


@pytest.mark.parametrize("text", ["run_a,1\nrun_b,2", "seed 1,1\nseed 2,2", "a8f3e2c1,1\nb7d2abc4,2"])
def test_numbers_and_ids_are_names_of_runs_of_one_algorithm(put, text):
    assert ro.load(put("runs.csv", f"run,score\n{text}\n")).n_runs.tolist() == [[2]]
    assert ro.load(put("ppo.csv", WORDED)).n_runs.tolist() == [[3]]
