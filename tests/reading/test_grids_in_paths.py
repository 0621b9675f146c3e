"""Grids of algorithms, tasks and seeds in names of folders and files: each way to write them gives the grid, or a question."""

from __future__ import annotations

import pytest

import runoff as ro

CURVE = "step,return\n1000,5\n2000,{}\n"


@pytest.fixture
def grid(put, tmp_path):
    """Write a curve for each algorithm, task and seed; `n` counts them."""

    def write(path, algorithms, tasks, seeds=(0, 1, 2)):
        cells = [(a, t, s) for a in algorithms for t in tasks for s in seeds]
        for n, (a, t, s) in enumerate(cells):
            put(f"tree/{path.format(a=a, t=t, s=s, n=n)}.csv", CURVE.format(10 + n))
        return tmp_path / "tree"

    return write


def read(root, **options):
    scores = ro.read_scores(root, **options)
    return scores.algorithms, scores.tasks, scores.n_runs.tolist()


@pytest.mark.parametrize(
    "path",
    [
        "{t},{a},s{s},17000{n:05}",
        "{t},{a},rs{s},20240301-1000{n:02}",
        "2024-03-01_10-20-{n:02},{t},{a},rep{s}",
        "{a}/{t}/seed-{s},a{n:06}3",
        "algo={a},env={t},seed={s},bs256",
        "exp1,seed={s},method={a},env_id={t},a{n:06}3",
        "{a}/seed={s}_{t}",
        "seed={s}-{t}/{a}/log",
    ],
)
def test_dates_hashes_seeds_and_keys_behind_any_mark_are_no_part_of_other_names(grid, path):
    algorithms, tasks = ("SAC", "TD3"), ("Ant-v4", "Hopper-v4")
    own, of, n_runs = read(grid(path, algorithms, tasks))
    assert [name.removeprefix("exp1").strip(" ,").removesuffix("bs256").strip() for name in own] == [*algorithms]
    assert (of, n_runs) == (tasks, [[3, 3]] * 2)


@pytest.mark.parametrize("path", ["s{s}_{t}/{a}/log", "seed{s}-{a}-{t}/log"])
def test_an_id_of_nobody_begins_behind_the_run_and_the_algorithm_before_it(grid, path):
    assert read(grid(path, ("SAC", "TD3"), ("crane-v3", "lift-v1"))) == (
        ("SAC", "TD3"),
        ("crane-v3", "lift-v1"),
        [[3, 3]] * 2,
    )


def test_a_name_behind_a_date_is_no_end_of_it(grid):
    root = grid("2024-03-01_10-20-{n:02}__{a}__{t}__run{s}", ("mappo", "qmix", "vdn"), ("Ant-v4", "Hopper-v4"))
    assert read(root) == (("mappo", "qmix", "vdn"), ("Ant-v4", "Hopper-v4"), [[3, 3]] * 3)


@pytest.mark.parametrize("path", ["{a}_{t}_s{s}", "{t}.{a}.s{s}"])
def test_the_ball_in_the_cup_is_a_task_under_its_short_name(grid, path):
    tasks = ("cup_catch", "finger_spin", "walker_walk")
    assert read(grid(path, ("iql", "bc"), tasks)) == (("bc", "iql"), tasks, [[3, 3, 3]] * 2)
