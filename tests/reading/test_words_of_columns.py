"""Columns that are steps, times, rates or metrics are never scores or algorithms: their names are read word by word."""

from __future__ import annotations

import pytest

import runoff as ro
from runoff.words.labels import is_amount, run_of
from runoff.words.speech import in_shell
from runoff.words.words import kind, words


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("num_steps", "step"),
        ("EnvironmentSteps", "step"),
        ("TotalEnvInteracts", "step"),
        ("Epoch", "iteration"),
        ("episodes_total", "episode"),
        ("walltime", "time"),
        ("Wall time", "time"),
        ("sps", "rate"),
        ("learning_rate", "rate"),
        ("steps_per_second", "rate"),
        ("StdEpRet", "statistic"),
        ("eval/episode_reward", "score"),
        ("success_rate", "score"),
        ("EpLen", "metric"),
        ("budget", "stage"),
        ("PPO", None),
        ("reward-shaping", None),
        ("λ", None),
    ],
)
def test_the_words_of_a_name_say_what_a_column_holds(name, meaning):
    assert kind(name) == meaning


def test_names_are_split_at_marks_and_capitals():
    assert words("Metrics/AverageEpRet_2") == ("metrics", "average", "ep", "ret", "2")
    assert words("épisode total") == ("épisode", "total")


@pytest.mark.parametrize(("label", "run"), [("seed 1", "1"), ("run_03", "03"), ("s7", "7"), ("PPO", None), ("3", None)])
def test_a_label_names_a_run_if_it_says_so(label, run):
    assert run_of(label) == run


@pytest.mark.parametrize(
    ("label", "amount"), [("100k", True), ("2.5M", True), ("step_2000", True), ("0.1", False), ("PPO 100k", False)]
)
def test_amounts_of_training_are_told_from_names(label, amount):
    assert is_amount(label) is amount


def test_average_return_and_environment_steps_are_a_curve_not_two_algorithms(put):
    table = "Metrics/EnvironmentSteps,Metrics/AverageReturn\n1000,183\n2000,155\n"
    folder = put("PPO/run0.csv", table).parents[1]
    put("PPO/run1.csv", table)
    put("SAC/run0.csv", table)
    curves = ro.read_curves(folder)
    assert (curves.algorithms, curves.n_runs.ravel().tolist()) == (("PPO", "SAC"), [2, 1])
    assert dict(curves.provenance.columns)["score"] == "Metrics/AverageReturn"


def test_logs_with_heads_in_capitals_are_read_from_a_text_file(put):
    heads = "Epoch\tAverageEpRet\tStdEpRet\tEpLen\tTotalEnvInteracts\tTime\n"
    scores = ro.read_scores(put("PPO.txt", heads + "1\t5\t9\t100\t4000\t3.1\n2\t7\t9\t100\t8000\t6.2\n"))
    assert scores.to_dict() == {"PPO": {"task": [7.0]}}
    assert dict(scores.provenance.columns) == {"score": "AverageEpRet", "step": "TotalEnvInteracts"}


def test_prose_with_commas_that_mentions_returns_is_no_table(put):
    folder = put("PPO.csv", "return\n1\n2\n").parent
    put("SOURCE.txt", "CSV columns: agent, return, score\nsee the paper, section 2, and its data, all of it\n")
    assert ro.read_scores(folder).algorithms == ("PPO",)


def test_an_evaluation_comes_before_training_and_two_evaluations_are_refused(put):
    scores = ro.read_scores(put("PPO.csv", "train/return,eval/return\n1,2\n"))
    assert scores.values.tolist() == [2.0]
    with pytest.raises(ro.DataError, match=r"'eval/return', 'test/return' could each be the score; .*'eval/return'"):
        ro.read_scores(put("SAC.csv", "eval/return,test/return\n1,2\n"))


def test_heads_that_are_metrics_are_no_algorithms(put):
    with pytest.raises(ro.DataError, match=r"'loss' is named like a setting or a metric; .*keys='algorithm'"):
        ro.read_scores(put("wide.csv", "PPO,SAC,loss\n1,2,3\n"))
    assert ro.read_scores(put("wide.csv", "PPO,SAC,loss\n1,2,3\n"), keys="algorithm").algorithms[-1] == "loss"


def test_times_and_rates_beside_algorithms_are_left_out_and_named(put):
    scores = ro.read_scores(put("wide.csv", "PPO,SAC,walltime,sps\n1,2,3,4\n"))
    assert scores.algorithms == ("PPO", "SAC")
    assert "columns not used: 'walltime', 'sps'" in scores.provenance.notes


@pytest.mark.parametrize(("heads", "score"), [("PPO,SAC", "return"), ("Ours,Theirs", "score"), ("FlowQ,Octo", "wins")])
def test_columns_headed_by_algorithms_are_asked_for_beside_a_score_and_each_repair_works(put, heads, score):
    file = put("wide.csv", f"task,seed,{heads},{score}\nx,1,1,2,3\nx,2,2,3,4\n")
    with pytest.raises(
        ro.DataError, match=f"headed by algorithms, but column '{score}' is named like a score"
    ) as refusal:
        ro.read_scores(file)
    repairs = [f"--columns unused={score}", f"--columns score={score}"]
    assert [repair in in_shell(refusal.value.args[0]) for repair in repairs] == [True, True]
    assert ro.read_scores(file, columns={"unused": score}).algorithms == tuple(sorted(heads.split(",")))
    assert ro.read_scores(file, columns={"score": score}).cell("wide", "x").tolist() == [3, 4]
