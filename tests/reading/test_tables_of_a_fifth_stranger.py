"""Tables of a stranger who had not seen the readers: each law is a kind that was misread, refused, or asked about with a wrong first answer."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import runoff as ro
from runoff.errors import DataError

TRIALS = "task,method,Trial 1,Trial 2,Trial 3\ncup,a,✓,✗,✓\ncup,b,✗,✗,✓\ndoor,a,✗,✗,✓\ndoor,b,✓,✗,✓\n"
"""Marks of attempts, in whose second column nobody succeeded."""


def wide(first: str, heads: list[str], cell: str = "{}") -> str:
    """Return a table of two methods, three rows each, under heads of tasks, whose cells are written by a template."""
    rows = [
        [m, seed, *(cell.format((7 * i + 3 * seed + len(m)) % 19 + 0.25) for i in range(len(heads)))]
        for m, seed in product(("ours", "bc"), range(3))
    ]
    return "\n".join(",".join(map(str, row)) for row in [["method", first, *heads], *rows]) + "\n"


@pytest.mark.parametrize("head", ["run", "step", "fold", "trial"])
def test_a_task_that_is_called_like_a_run_or_a_step_is_no_run_and_no_step(put, head):
    file = put("scores.csv", wide("seed", ["lift", head, "stand"]))
    scores = ro.load(file, keys="task")
    assert {*scores.tasks} == {"lift", head, "stand"}
    assert scores.n_runs.tolist() == [[3] * 3] * 2


def test_counts_of_successes_are_the_names_of_no_runs(put):
    file = put("robots.csv", "policy,cups,fold,door\npi0,18/20,13/20,6/20\nocto,2/20,3/20,9/20\n")
    with pytest.raises(ro.DataError, match="counts the successes of several attempts"):
        ro.load(file)
    episodes = ro.load(file, unit="episode")
    assert {task: sum(episodes.cell("pi0", task)) for task in episodes.tasks} == {"cups": 18, "fold": 13, "door": 6}


def test_attempts_in_which_nobody_succeeded_are_attempts(put):
    episodes = ro.load(put("marks.csv", TRIALS), unit="episode")
    assert episodes.cell("a", "cup").tolist() == [1, 0, 1]
    assert episodes.n_runs.tolist() == [[3, 3], [3, 3]]


@pytest.mark.parametrize("marks", [("✓", "✗"), ("1", "0"), ("success", "failure")])
def test_outcomes_below_heads_of_trials_are_asked_about_as_those_of_a_column_are(put, marks):
    file = put("marks.csv", TRIALS.replace("✓", marks[0]).replace("✗", marks[1]))
    with pytest.raises(
        ro.DataError, match=r"'Trial 1', 'Trial 2', 'Trial 3' may number attempts.*unit='episode'.*keys='run'"
    ):
        ro.load(file)
    assert ro.load(file, unit="episode").to_dict() == ro.load(file, keys="run").to_dict()


@pytest.mark.parametrize("of_all", [1, 100])
def test_a_rate_beside_the_runs_of_which_it_is_the_mean_is_no_score(put, of_all):
    head, *lines = TRIALS.replace("✓", "1").replace("✗", "0").splitlines()
    rates = [round(of_all * sum(map(int, line.split(",")[2:])) / 3, 3) for line in lines]
    rows = [f"{line},{rate}" for line, rate in zip(lines, rates, strict=True)]
    file = put("rates.csv", "\n".join([f"{head},Success rate", *rows, ""]))
    assert ro.load(file, unit="episode").cell("b", "door").tolist() == [1, 0, 1]


NAMES = {"exp_name": "{t}-{a}", "run": "{a}/{t}"}


@pytest.mark.parametrize("head", NAMES)
def test_names_of_a_known_algorithm_and_task_beside_seeds_are_of_both(put, head):
    cells = list(product(("PPO", "SAC"), ("Hopper-v4", "Ant-v4"), range(3)))
    rows = [f"{NAMES[head].format(a=a, t=t)},{s},{i}" for i, (a, t, s) in enumerate(cells)]
    scores = ro.load(put("runs.csv", "\n".join([f"{head},seed,return", *rows, ""])))
    assert scores.to_dict()["SAC"] == {"Hopper-v4": [6, 7, 8], "Ant-v4": [9, 10, 11]}


def test_labels_of_runs_are_read_as_names_of_runs_are(put):
    rows = [f"{a} {t} seed={s},{s}" for a, t, s in product(("PPO", "SAC"), ("Hopper-v4", "Ant-v4"), range(3))]
    scores = ro.load(put("runs.csv", "\n".join(["label,value", *rows, ""])))
    assert scores.to_dict()["PPO"] == {"Hopper-v4": [0, 1, 2], "Ant-v4": [0, 1, 2]}


def test_of_the_best_and_the_last_return_the_last_is_offered(put):
    file = put("runs.csv", "algo,env,seed,best_return,final_return\nA,x,0,2,1\nB,x,0,4,3\n")
    with pytest.raises(ro.DataError, match=r"score=final_return|'score': 'final_return'"):
        ro.load(file)


def test_values_of_a_setting_in_a_table_of_no_algorithm_are_offered_as_what_is_compared(put):
    rows = [f"{e},{on},{s},{s}" for e, on, s in product(("x", "y"), ("True", "False"), range(3))]
    file = put("ablation.csv", "\n".join(["env,use_aux_loss,seed,return", *rows, ""]))
    with pytest.raises(
        ro.DataError, match=r"'algorithm': 'use_aux_loss'\} if it names algorithms, or use columns=\{'settings'"
    ):
        ro.load(file)
    assert ro.load(file, columns={"algorithm": "use_aux_loss"}).n_runs.tolist() == [[3, 3], [3, 3]]


def test_two_algorithms_that_are_called_like_summaries_are_offered_as_algorithms(put):
    rows = [f"{a},x,{s},{(5 * i + s) % 7}" for i, a in enumerate(("mean", "max", "attention")) for s in range(3)]
    file = put("runs.csv", "\n".join(["algo,env,seed,return", *rows, ""]))
    with pytest.raises(ro.DataError, match=r"use keys='algorithm' if each name is an algorithm, or .*unused"):
        ro.load(file)
    assert ro.load(file, keys="algorithm").n_runs.tolist() == [[3], [3], [3]]


def test_a_file_of_no_bytes_is_left_out_of_its_folder_with_a_warning(put):
    for name in ("ppo", "sac"):
        file = put(f"runs/{name}.csv", f"env,seed,return\nx,0,{len(name)}\nx,1,2\n")
    empty = put("runs/notes.csv", "")
    with pytest.warns(ro.RunoffWarning, match=r"1 file\(s\) .* left out, for example .*notes\.csv: the file is empty"):
        assert ro.load(file.parent).algorithms == ("ppo", "sac")
    with pytest.raises(ro.DataError, match=r"notes\.csv: the file is empty \(0 bytes\)"):
        ro.load(empty)


@pytest.mark.parametrize("word", ["results", "eval", "Metrics", "scores"])
def test_the_word_for_what_all_files_hold_is_in_the_name_of_no_algorithm(put, word):
    for name in ("ppo", "mine", "mine_b"):
        file = put(f"runs/{word}_{name}.csv", "seed,return\n0,1\n1,2\n")
    assert {*ro.load(file.parent).algorithms} == {"ppo", "mine", "mine_b"}


def test_the_version_of_an_environment_of_pettingzoo_is_in_its_name(put):
    for name, seed in product(("maddpg", "mine"), range(2)):
        file = put(f"runs/{name}_simple_spread_v3_seed{seed}.csv", "step,return\n1,2\n2,3\n")
    scores = ro.load(file.parent)
    assert ({*scores.algorithms}, scores.tasks) == ({"maddpg", "mine"}, ("simple_spread_v3",))


NEW = ["Ant-v4-foo", "Ant-v4-bar", "Hopper-v4-foo", "Hopper-v4-bar"]


@pytest.mark.parametrize("turned", [False, True])
def test_names_that_stand_beside_each_of_several_tasks_are_algorithms_though_nobody_knows_them(turned):
    names = ["-".join([name[-3:], name[:-4]]) if turned else name for name in NEW]
    table = {"exp_name": np.repeat(names, 3).tolist(), "seed": [0, 1, 2] * 4, "score": list(range(12))}
    scores = ro.read_scores(table)
    assert (scores.algorithms, scores.tasks) == (("bar", "foo"), ("Ant-v4", "Hopper-v4"))
    assert scores.cell("foo", "Hopper-v4").tolist() == [6.0, 7.0, 8.0]
    with pytest.raises(DataError, match="may be of an algorithm and a task"):
        ro.read_scores({"algorithm": table.pop("exp_name"), **table})
    for written in (
        ["mine-v1", "mine-v2", "other-v1", "other-v2"],
        ["mine_fast", "mine_slow", "other_fast", "other_slow"],
    ):
        kept = ro.read_scores({"algorithm": np.repeat(written, 3).tolist(), **table})
        assert list(kept.algorithms) == written
