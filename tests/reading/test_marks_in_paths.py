"""What parts the names in those of folders and files: keys of settings, dots, and marks behind what all names begin with."""

from __future__ import annotations

import re

import pytest

import runoff as ro
from runoff.reading._overrides import overrides_in

CURVE = "step,return\n1000,5\n2000,{}\n"
TASKS, METHODS = ("AntMaze_U", "PointRooms"), ("director", "flat_sac", "hiro")


@pytest.fixture
def grid(put, tmp_path):
    """Write a curve for each task, algorithm and seed."""

    def write(path, tasks, algorithms):
        cells = [(t, a, s) for t in tasks for a in algorithms for s in (1, 2, 3)]
        for i, (t, a, s) in enumerate(cells):
            put(f"tree/{path.format(t=t, a=a, s=s)}.csv", CURVE.format(10 + i))
        return tmp_path / "tree"

    return write


@pytest.mark.parametrize(
    "path",
    [
        "lr=0.0003_env={t}_method={a}_seed={s}_hidden=256/log",
        "batch_size=3_algo={a}_seed={s}_env_name={t}/progress",
        "agent={a}-task={t}-random_seed={s}/log",
        "run7_scenario={t};alg={a};seed={s}",
        "seed={s}&game={t}&policy_lr=1e-3&algorithm={a}",
    ],
)
def test_keys_of_settings_name_what_stands_up_to_the_next_key(grid, path):
    scores = ro.read_scores(grid(path, TASKS, METHODS))
    assert [name.removeprefix("run7 ") for name in scores.algorithms] == [*METHODS]
    assert (scores.tasks, scores.n_runs.tolist()) == (TASKS, [[3, 3]] * 3)


@pytest.mark.parametrize("name", ["x_lr=0.1", "a=b=c", "=1_b=2", "a=1_b=", "mine_seed1", "a=1 b"])
def test_names_without_a_list_of_keys_name_no_settings_with_a_role(name):
    assert all(setting.role == "" for setting in overrides_in(name))


@pytest.mark.parametrize("path", ["{t}.{a}.rs{s}/progress", "{a}.{t}.seed{s}", "rs{s}/{t}/{a}", "{a}/{t}/rs_{s}/log"])
def test_a_random_seed_is_a_run_in_names_with_dots(grid, path):
    scores = ro.read_scores(grid(path, ("highway-fast-v0", "roundabout-v0"), ("a2c", "dqn", "ppo")))
    assert (scores.algorithms, scores.tasks) == (("a2c", "dqn", "ppo"), ("highway-fast-v0", "roundabout-v0"))
    assert scores.n_runs.tolist() == [[3, 3]] * 3


@pytest.mark.parametrize(
    ("path", "tasks", "algorithms"),
    [
        ("{t}.{a}.{s}", ("connect4", "hex7", "othello6"), ("ebt", "az_plain", "mctx_gumbel")),
        ("{a}.{t}.{s}", ("connect4", "hex7", "othello6"), ("ebt", "az_plain", "mctx_gumbel")),
        ("{t}.{a}.k{s}/log", ("foyer", "hall_2"), ("ppo", "dr_ppo")),
        ("runs/Qwen3-0.6B-{a}-{t}-seed{s}/log", ("countdown", "sudoku4"), ("dr_grpo", "grpo", "rloo")),
        ("Qwen3-0.6B-{t}-{a}-{s}", ("countdown", "sudoku4"), ("dr_grpo", "grpo", "rloo")),
        ("exp2_{a}_{t}_s{s}", ("foyer", "hall"), ("ppo", "sac")),
        ("{a}-{t}-seed{s}/log", ("big_foyer", "hall"), ("td3_bc", "iql")),
    ],
)
def test_names_that_cross_within_other_names_are_asked_about_and_the_first_pattern_reads(grid, path, tasks, algorithms):
    root = grid(path, tasks, algorithms)
    with pytest.raises(ro.DataError, match="beside each of") as refusal:
        ro.read_scores(root)
    pattern = re.findall(r"pattern='(.*?)'", str(refusal.value))[0]
    scores = ro.read_scores(root, pattern=pattern)
    assert ({*scores.algorithms}, {*scores.tasks}) == ({*algorithms}, {*tasks})


@pytest.mark.parametrize(
    "names",
    [
        ("Qwen2.5-7b", "Qwen2.5-3b", "Llama3.1-8b"),
        ("ppo_small_relu", "ppo_small_tanh", "ppo_big_relu", "ppo_big_tanh"),
        ("ours.v2", "ours.v3", "td3.v2"),
        ("td3_bc", "td3_cql", "iql"),
    ],
)
def test_versions_sizes_and_variants_of_an_algorithm_are_names_of_it(put, tmp_path, names):
    for name in names:
        for s in range(2):
            put(f"tree/{name}/seed_{s}.csv", CURVE.format(s))
    assert {*ro.read_scores(tmp_path / "tree").algorithms} == {*names}


@pytest.mark.parametrize("names", [("mine", "yours"), ("ppo", "td3-bc")])
def test_numbers_behind_a_dot_are_runs(put, tmp_path, names):
    for i, name in enumerate(f"{own}.{s}" for own in names for s in range(3)):
        put(f"tree/{name}.jsonl", "".join(f'{{"step": {k}, "return": {i + k}}}\n' for k in range(3)))
    scores = ro.read_scores(tmp_path / "tree")
    assert (scores.algorithms, scores.n_runs.tolist()) == (names, [[3], [3]])
