"""Heads of wide tables and keys of JSON: algorithms, tasks or runs by rules, else a refusal that says how to say it."""

from __future__ import annotations

import json
import re

import pytest

import runoff as ro

SCORES = [1.0, 2.0, 3.0]


def nested(outer: str, inner: str) -> str:
    return json.dumps({a: dict.fromkeys(inner.split(), SCORES) for a in outer.split()})


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        ("PPO SAC", "Pong Alien"),
        ("Pong Alien", "PPO SAC"),
        ("mine theirs", "Pong Alien"),
        ("Pong Alien", "mine theirs"),
    ],
)
def test_known_names_tell_algorithms_from_tasks_whichever_is_outside(put, outer, inner):
    scores = ro.read_scores(put("runs.json", nested(outer, inner)))
    assert "Pong" in scores.tasks
    assert scores.n_runs.tolist() == [[3, 3], [3, 3]]


def test_two_levels_of_names_that_nobody_knows_are_asked_for(put):
    file = put("runs.json", nested("a b", "x y"))
    with pytest.raises(
        ro.DataError, match=r"'a', 'b', are algorithms or tasks, .* keys='algorithm/task', or keys='task/alg"
    ):
        ro.read_scores(file)
    assert ro.read_scores(file, keys="algorithm/task").algorithms == ("a", "b")
    assert ro.read_scores(file, keys="task / algorithm").algorithms == ("x", "y")


@pytest.mark.parametrize("names", ["ours baseline", "ours(2) x", "Baseline x"])
def test_what_authors_call_their_own_and_its_rival_are_algorithms_on_either_level(put, names):
    algorithms = tuple(sorted(names.split()))
    assert ro.read_scores(put("runs.json", nested("maze-a maze-b", names))).algorithms == algorithms
    assert ro.read_scores(put("turned.json", nested(names, "maze-a maze-b"))).algorithms == algorithms


def test_amounts_of_training_are_no_algorithms_and_one_can_be_taken(put):
    for name in ("PPO", "SAC"):
        folder = put(f"{name}.json", nested("100k 500k", "Pong Alien")).parent
    with pytest.raises(ro.DataError, match=r"'100k', '500k' look like amounts of training.*keys='100k/task'"):
        ro.read_scores(folder)
    scores = ro.read_scores(folder, keys="100k/task")
    assert (scores.algorithms, scores.tasks) == (("PPO", "SAC"), ("Alien", "Pong"))
    assert any("1 other key" in note for note in scores.provenance.notes)


def test_lists_by_run_are_curves_of_an_algorithm(put):
    curves = ro.read_curves(put("runs.json", nested("PPO SAC", "seed_0 seed_1")))
    assert (curves.algorithms, curves.run_labels, curves.steps.max()) == (("PPO", "SAC"), ("seed_0", "seed_1") * 2, 3.0)


def test_lists_by_names_in_several_files_are_tasks_of_each(put):
    for name in ("foo", "bar"):
        folder = put(f"{name}.json", '{"x": [1, 2], "y": [2, 3]}').parent
    assert ro.read_scores(folder).tasks == ("x", "y")


def test_lists_by_algorithm_are_not_tasks_of_the_file(put):
    assert ro.read_scores(put("runs.json", '{"PPO": [1, 2], "SAC": [3, 4]}')).algorithms == ("PPO", "SAC")


@pytest.mark.parametrize(
    ("content", "keys", "sentence"),
    [
        (nested("a b", "x y"), "task", r"names 1 level\(s\), the file has 2"),
        (nested("a b", "x y"), "c/task", "there is no key 'c'; found 'a', 'b'"),
        (nested("a b", "x y"), "task/task", "no role may come twice"),
        (nested("a b", "x y"), "/task", "each level is"),
        ('[{"algo": "PPO", "score": 1}]', "task", "the file has no keys and is not a wide table"),
        (nested("Pong Alien", "Hopper Walker2d"), None, "both look like tasks"),
        ('{"0": [1, 2], "1": [3, 4]}', None, "are bare numbers"),
    ],
)
def test_keys_that_do_not_fit_are_refused(put, content, keys, sentence):
    with pytest.raises(ro.RunoffError, match=sentence):
        ro.read_scores(put("runs.json", content), keys=keys)


@pytest.mark.parametrize("n", [2, 4, 5, 9])
def test_keys_that_are_listed_and_those_that_are_counted_are_all_of_them(put, n):
    labels = [f"key{i}" for i in range(n)]
    with pytest.raises(ro.OptionError, match="there is no key 'other'; found") as refusal:
        ro.read_scores(put("runs.json", nested(" ".join(labels), "x y")), keys="other/task")
    words = str(refusal.value).split("found ")[1]
    shown, more = words.count("'key"), re.search(r"and (\d+) more", words)
    assert shown == min(n, 4)
    assert shown + (int(more[1]) if more else 0) == n


def test_seeds_as_heads_are_runs_and_rows_are_tasks(put):
    for name in ("PPO", "SAC"):
        folder = put(f"{name}.csv", "Game,seed 1,seed 2\nPong,1,2\nAlien,3,4\n").parent
    scores = ro.read_scores(folder)
    assert scores.to_dict()["SAC"] == {"Alien": [3.0, 4.0], "Pong": [1.0, 2.0]}


def test_seeds_as_heads_beside_steps_are_curves(put):
    curves = ro.read_curves(put("PPO.csv", "step,seed 1,seed 2\n10,1,2\n20,3,4\n"))
    assert (curves.algorithms, curves.run_labels, curves.values.tolist()) == (
        ("PPO",),
        ("seed 1", "seed 2"),
        [1.0, 3.0, 2.0, 4.0],
    )


def test_seeds_as_heads_of_rows_that_nothing_names_are_refused(put):
    with pytest.raises(
        ro.DataError, match=r"name runs, but nothing says what the 2 rows are; give them a column of tasks"
    ):
        ro.read_scores(put("PPO.csv", "seed 1,seed 2\n1,2\n3,4\n"))


@pytest.mark.parametrize(
    ("rows", "repair"),
    [
        ("0,1,2\n1,3,4", "'step': 'episode'"),
        ("1,1,2\n0,3,4", "a column of tasks or steps"),
        ("1,1,2\n1,3,4", "a column of tasks or steps"),
    ],
)
def test_a_column_that_rises_is_asked_about_beside_seeds_as_heads(put, rows, repair):
    with pytest.raises(ro.DataError, match=f"nothing says what the 2 rows are; .*{repair}"):
        ro.read_scores(put("PPO.csv", f"episode,seed 1,seed 2\n{rows}\n"))


@pytest.mark.parametrize("heads", ["Hopper,Walker2d", "maze_x,corridor"])
def test_tasks_as_heads_of_files_named_by_algorithms_are_tasks(put, heads):
    for name in ("PPO", "SAC"):
        folder = put(f"{name}.csv", f"{heads}\n1,2\n3,4\n").parent
    scores = ro.read_scores(folder)
    assert (scores.algorithms, set(scores.tasks)) == (("PPO", "SAC"), set(heads.split(",")))


def test_a_folder_that_all_files_share_does_not_say_what_their_heads_are(put):
    for name in ("PPO", "SAC"):
        folder = put(f"Hopper/{name}.csv", "gravel,ice\n1,2\n3,4\n").parent
    scores = ro.read_scores(folder)
    assert (scores.algorithms, scores.tasks) == (("PPO", "SAC"), ("gravel", "ice"))
    for name in ("first", "second"):
        folder = put(f"more/Hopper/{name}.csv", "gravel,ice\n1,2\n").parent
    with pytest.raises(ro.DataError, match="are in several files"):
        ro.read_scores(folder)


def test_algorithms_as_heads_of_files_named_by_tasks_are_algorithms(put):
    for name in ("Hopper", "Ant"):
        folder = put(f"{name}.csv", "PPO,SAC\n1,2\n3,4\n").parent
    scores = ro.read_scores(folder)
    assert (scores.algorithms, scores.tasks) == (("PPO", "SAC"), ("Ant", "Hopper"))


def test_heads_of_several_files_that_nobody_knows_are_refused_with_the_way_out(put):
    for name in ("first", "second"):
        folder = put(f"{name}.csv", "alpha,beta\n1,2\n").parent
    with pytest.raises(ro.DataError, match=r"are in several files, and may be algorithms or tasks; .*keys='task'"):
        ro.read_scores(folder)
    assert ro.read_scores(folder, keys="task").algorithms == ("first", "second")


@pytest.mark.parametrize(
    ("heads", "sentence"),
    [
        ("PPO,PPO_std,SAC", "'PPO_std' among the names .* are named like metrics"),
        ("algo,mean,std", "no column is recognised as the score"),
    ],
)
def test_heads_that_hold_more_than_a_name_are_refused(put, heads, sentence):
    with pytest.raises(ro.DataError, match=sentence):
        ro.read_scores(put("wide.csv", f"{heads}\n1,2,3\n"))


def test_an_index_of_names_is_no_row_number(put):
    assert ro.read_scores(put("wide.csv", ",PPO,SAC\nPong,1,2\nAlien,3,4\n")).tasks == ("Alien", "Pong")
    with pytest.raises(ro.DataError, match=r"column '' holds names \('foo', 'bar'\), and nothing says what they are"):
        ro.read_scores(put("odd.csv", ",PPO,SAC\nfoo,1,2\nbar,3,4\n"))


def test_a_column_of_names_is_not_proposed_for_a_role_that_another_column_has(put):
    file = put("runs.csv", "solved_by,task,seed,tension,slack\nfoo,arm,0,1,3\nbar,arm,0,2,4\n")
    with pytest.raises(ro.DataError, match=r"if both name the task, or columns=\{'algorithm': 'solved_by'\}\.$"):
        ro.read_scores(file)


def test_a_chart_export_of_a_group_is_not_taken_for_runs(put):
    with pytest.raises(ro.DataError, match="chart exported by Weights & Biases"):
        ro.read_scores(put("chart.csv", '"PPO - r","PPO - r__MIN","PPO - r__MAX"\n1,2,3\n'))


def test_keys_mean_nothing_where_there_are_none(put):
    with pytest.raises(ro.OptionError, match="the file has no keys"):
        ro.read_scores(put("PPO.txt", "1\n2\n"), keys="task")


def test_a_column_of_names_beside_heads_that_are_runs_names_tasks_where_several_files_have_them(put):
    for name in ("PPO", "SAC"):
        folder = put(f"{name}.csv", "where,seed_0,seed_1\nfoyer,1,2\nhall,3,4\n").parent
    scores = ro.read_scores(folder)
    assert (scores.algorithms, scores.tasks) == (("PPO", "SAC"), ("foyer", "hall"))
    assert set(scores.run_labels) == {"seed_0", "seed_1"}


def test_a_column_for_each_seed_beside_algorithms_and_tasks_is_read(put):
    rows = "PPO,Pong,1,2,3\nPPO,Alien,4,5,6\nSAC,Pong,7,8,9\nSAC,Alien,2,3,4\n"
    scores = ro.read_scores(put("runs.csv", f"algo,env,seed_0,seed_1,seed_2\n{rows}"))
    assert (scores.n_runs.tolist(), scores.cell("SAC", "Pong").tolist()) == ([[3, 3], [3, 3]], [7.0, 8.0, 9.0])


@pytest.mark.parametrize("heads", ["foo,bar", "jitter,smoothness", "beta,gamma", "ood_gap,iid_gap", "foo,mean_bar"])
def test_columns_of_numbers_that_nothing_names_are_refused_beside_seeds_too(put, heads):
    file = put("runs.csv", f"model,seed,{heads}\nq,0,.7,.6\nq,1,.8,.6\nl,0,.5,.4\nl,1,.6,.5\n")
    with pytest.raises(ro.DataError, match="no column is recognised as the score"):
        ro.read_scores(file)


@pytest.mark.parametrize("heads", ["win_rate_vs_foo,win_rate_vs_bar", "vs foo,vs bar"])
def test_columns_that_name_opponents_beside_seeds_are_tasks(put, heads):
    file = put("runs.csv", f"model,seed,{heads}\nq,0,.7,.6\nq,1,.8,.6\nl,0,.5,.4\nl,1,.6,.5\n")
    scores = ro.read_scores(file)
    assert [task.split("vs")[1][1:] for task in scores.tasks] == ["bar", "foo"]
    assert scores.cell("l", scores.tasks[0]).tolist() == [0.4, 0.5]


def test_columns_of_numbers_without_seeds_are_refused_with_the_repair_that_works(put):
    file = put("runs.csv", "model,foo,bar\nq,.7,.6\nq,.8,.6\nl,.5,.4\nl,.6,.5\n")
    with pytest.raises(ro.DataError, match=r"If 'foo', 'bar' are tasks, or runs, use keys='task', or keys='run'"):
        ro.read_scores(file)
    assert ro.read_scores(file, keys="task").tasks == ("bar", "foo")


def test_steps_beside_returns_are_never_offered_as_tasks(put):
    run = '{"timesteps": [0, 100, 200], "returns": [1, 5, 9]}'
    assert isinstance(
        ro.load(put("curves.json", f'{{"A": {{"s0": {run}, "s1": {run}}}, "B": {{"s0": {run}}}}}')), ro.Curves
    )
    path = put("runs.json", f'{{"A": {run}, "B": {run}}}')
    with pytest.raises(
        ro.DataError, match="named like metrics, steps or times; leave them out, or give the score of every run"
    ):
        ro.load(path)
