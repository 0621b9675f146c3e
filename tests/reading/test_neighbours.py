"""Columns and rows that stand beside runs in tables that people keep: counts of runs, settings as heads, ranks, suites, remarks, costs."""

from __future__ import annotations

import polars as pl
import pytest

import runoff as ro
from tests.reading.test_repairs_of_tables import refused, run


@pytest.mark.parametrize("n", ["n", "N", "count", "num", "sample size"])
def test_a_score_beside_the_number_of_its_runs_is_no_run(put, n):
    rows = "".join(f"{a},{t},{score},5\n" for a, score in (("PPO", 1.5), ("SAC", 2.5)) for t in "xy")
    with pytest.raises(ro.DataError, match=f"column '{n}' counts runs .* so each row summarises several runs"):
        ro.load(put("runs.csv", f"algo,env,return,{n}\n{rows}"))
    assert ro.load(put("ones.csv", f"algo,env,return,{n}\n{rows.replace(',5', ',1')}")).n_runs.max() == 1


@pytest.mark.parametrize("heads", ["lr=1e-4,lr=3e-4", "gamma=0.9,gamma=0.99"])
def test_heads_of_one_setting_are_configurations_of_the_algorithms_beside_them(put, heads):
    rows = "PPO,0,1,3\nPPO,1,2,4\nSAC,0,5,7\nSAC,1,6,8\n"
    scores = ro.load(put("runs.csv", f"algo,seed,{heads}\n{rows}"))
    assert (scores.algorithms, scores.tasks) == (("PPO", "SAC"), ("task",))
    assert {config for _, config in scores.sampling.configs} == {*heads.split(",")}
    alone = ro.load(put("alone.csv", f"seed,{heads}\n0,1,3\n1,2,4\n"))
    assert alone.algorithms == tuple(sorted(heads.split(",")))


@pytest.mark.filterwarnings("ignore:.*left out. columns")
def test_a_rank_and_a_mean_beside_known_benchmarks_are_none(put):
    scores = ro.load(put("board.csv", "#,Model,MMLU,GSM8K,Avg.\n1,a,70.5,80.5,75.5\n2,b,60.5,70.5,65.5\n"))
    assert (scores.algorithms, scores.tasks) == (("a", "b"), ("GSM8K", "MMLU"))


@pytest.mark.parametrize("head", ["Improvement over PPO", "Gain vs PPO", "Δ over PPO"])
def test_what_an_algorithm_gains_over_another_is_no_algorithm(put, head):
    text = f"task,PPO (seed 0),PPO (seed 1),SAC (seed 0),SAC (seed 1),{head}\nx,1,3,4,5,.3\ny,1,2,4,6,.4\n"
    assert ro.load(put("wide.csv", text)).to_dict()["SAC"] == {"x": [4, 5], "y": [4, 6]}


def test_a_suite_that_follows_from_its_task_needs_no_word_and_another_is_asked_for(put, capsys):
    rows = ["Atari,Pong,0,1.5,2.5", "Atari,Pong,1,3.5,4.5", "MuJoCo,Hopper,0,5.5,6.5", "MuJoCo,Hopper,1,7.5,8.5"]
    text = "\n".join(["Suite,Task,Seed,PPO,SAC", *rows])
    assert ro.load(put("suites.csv", text)).to_dict()["PPO"] == {"Hopper": [5.5, 7.5], "Pong": [1.5, 3.5]}
    _, commands = refused(capsys, "aggregate", str(put("twice.csv", text.replace("Hopper", "Pong"))))
    assert commands[0][-1] == "task=Suite/Task"
    assert run(commands[0]) == 0


def test_a_remark_between_runs_is_left_out_with_a_warning_where_each_row_says_what_it_is(put):
    text = "algo,seed,score\nPPO,0,1.5\nPPO,1,2.5\n--- rerun with the fix ---,,\nSAC,0,3.5\nSAC,1,4.5\n"
    with pytest.warns(ro.RunoffWarning, match="left out: 1 row"):
        assert ro.load(put("runs.csv", text)).to_dict() == {"PPO": {"task": [1.5, 2.5]}, "SAC": {"task": [3.5, 4.5]}}


COSTS = [("A*", 1.5), ("RRT", 2.5)]


def of_costs(head: str, shift: float = 0.0, more: str = "") -> str:
    rows = "".join(f"{a},{m},{i},{score + i + shift}{more}\n" for a, score in COSTS for m in "xy" for i in (0, 1))
    return f"Planner,Map,Seed,{head}\n{rows}"


@pytest.mark.parametrize("cost", ["cost", "Time to goal (s)", "error", "path_cost", "best_val_error"])
def test_a_column_of_costs_alone_is_the_score_negated_with_a_warning(put, cost):
    file = put("plans.csv", of_costs(cost))
    with pytest.warns(
        ro.RunoffWarning, match="is named like a cost, of which less is better: it is the score, negated; use"
    ):
        scores = ro.load(file)
    assert (scores.cell("A*", "x").tolist(), scores) == ([-1.5, -2.5], ro.load(file, lower_is_better=True))
    assert ro.load(file, columns={"score": cost}).cell("A*", "x").tolist() == [1.5, 2.5]
    with pytest.warns(ro.RunoffWarning, match="it is the score, negated"):
        assert ro.load(pl.read_csv(file)).cell("RRT", "y").tolist() == [-2.5, -3.5]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (of_costs("cost", -9.0), "is named like a cost, of which less is better"),
        (of_costs("cost_eur,comfort", more=",3.25"), "or --columns score=comfort, whichever is the score"),
    ],
)
def test_costs_below_zero_or_beside_other_numbers_are_asked_about_with_their_sign(put, capsys, text, why):
    error, commands = refused(capsys, "aggregate", str(put("plans.csv", text)))
    assert why in error
    assert [commands[0][-1], run(commands[0])] == ["--lower-is-better", 0]


@pytest.mark.parametrize("text", ["regret\n1.5\n2.5\n", "seed,regret\n0,1.5\n1,2.5\n"])
def test_costs_without_a_column_of_algorithms_are_those_of_the_one_that_the_file_names(put, text):
    with pytest.warns(ro.RunoffWarning, match="'regret' is named like a cost"):
        assert ro.load(put("mine.csv", text)).to_dict() == {"mine": {"task": [-1.5, -2.5]}}


def test_a_line_that_names_the_same_scores_again_replaces_none(put):
    with pytest.raises(ro.DataError):
        ro.read_scores(put("runs.txt", "PPO Hopper: 1 2 3\nSAC Hopper: 4 5 6\nPPO Hopper: 7 8 9\n"))
