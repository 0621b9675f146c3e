"""Names of folders that hold what configurations name as well: tasks within, seeds behind; patterns that may part a name in several ways; and
one run that two tools logged."""

from __future__ import annotations

import json
from itertools import product

import pytest

import runoff as ro
from tests.reading.logs.test_layouts import cells

TASKS = ("crafter_reward", "minihack_river")
SIZES = ("dreamerv3-size12m", "dreamerv3-size50m")
WHOLE = dict.fromkeys(product(SIZES, TASKS), 2)


def dreamer(put, name, task, seed):
    """Write a log of Dreamer, and return the folder of all."""
    scores = "".join(f'{{"step": {step}, "episode/score": {step / 7 + seed}}}\n' for step in (100, 200, 300))
    put(f"logdir/{name}/config.yaml", f"task: {task}\nseed: {seed}\n")
    return put(f"logdir/{name}/scores.jsonl", scores).parents[name.count("/") + 1]


@pytest.mark.parametrize("form", ["{}-{}-{}", "20260410T100512-{}-{}-{}", "{}_{}_{}", "{1}-{0}-{2}", "{}-{}-{:03}"])
def test_a_last_number_that_is_the_seed_of_the_configuration_is_the_run(put, form):
    for size, task, seed in product(SIZES, TASKS, (0, 1)):
        folder = dreamer(put, form.format(size, task, seed), task, seed)
    assert cells(ro.load(folder)) == WHOLE


def test_of_one_seed_the_name_has_neither_the_task_nor_the_seed(put):
    for size, task in product(SIZES, TASKS):
        folder = dreamer(put, f"{size}-{task}-0", task, 0)
    assert cells(ro.load(folder)) == dict.fromkeys(WHOLE, 1)


def test_a_last_number_that_is_no_seed_stays(put):
    for version, seed in product((1, 2), (0, 1)):
        folder = dreamer(put, f"ours-{version}/{seed}", TASKS[0], seed)
    assert ro.load(folder).algorithms == ("ours-1", "ours-2")


@pytest.mark.parametrize("pattern", ["*-{algorithm}-{task}-{run}", "*-{algorithm}-{task}-{run}/*"])
def test_a_pattern_parts_a_name_as_its_configuration_does(put, pattern):
    for size, task, seed in product(SIZES, TASKS, (0, 1)):
        folder = dreamer(put, f"20260410T100512-{size}-{task}-{seed}", task, seed)
    assert cells(ro.load(folder, pattern=pattern)) == WHOLE


def test_a_field_before_what_may_be_anything_ends_at_a_mark(put):
    for algorithm, task, run in product(("isac", "mappo"), ("balance", "sampling"), (1, 2)):
        path = put(f"{algorithm}_{task}_mlp_{run}/progress.txt", "Epoch\tAverageEpRet\n1\t2\n2\t3\n")
    curves = ro.load(path.parents[1], pattern="{algorithm}_{task}*_{run}")
    assert cells(curves) == dict.fromkeys(product(("isac", "mappo"), ("balance", "sampling")), 2)


def marl(put, algorithm, seed, *, within=True):
    """Write a log of BenchMARL whose JSON lies within the folder of its name, or in one of another, and its scalars."""
    name = f"{algorithm}_balance_mlp__{seed}beef01_26_05_0{seed}-10_22_31"
    steps = {f"step_{i}": {"step_count": 100 * i, "return": [i + seed / 8]} for i in range(4)}
    outer = name if within else f"{algorithm}_balance_job{seed}"
    put(f"{outer}/{outer}/{name}.json", json.dumps({"vmas": {"balance": {algorithm: {f"seed_{seed}": steps}}}}))
    rows = "".join(f"{100 * i},{i + seed / 8}\n" for i in range(4))
    return put(f"{outer}/{outer}/scalars/eval_reward_episode_reward_mean.csv", rows).parents[3]


def test_a_json_file_in_the_folder_of_its_name_is_of_the_run_that_this_logs(put):
    for algorithm, seed in product(("isac", "mappo"), (1, 2, 3)):
        folder = marl(put, algorithm, seed)
    curves = ro.load(folder)
    assert cells(curves) == {("isac", "balance"): 3, ("mappo", "balance"): 3}
    assert any("logged by two tools" in note for note in curves.provenance.notes)


def test_one_curve_that_two_tools_logged_in_one_folder_is_one_run(put):
    for algorithm, seed in product(("isac", "mappo"), (1, 2, 3)):
        folder = marl(put, algorithm, seed, within=False)
    curves = ro.load(folder, pattern="{algorithm}_{task}_*/*")
    assert cells(curves) == {("isac", "balance"): 3, ("mappo", "balance"): 3}
    assert any("logged by two tools" in note for note in curves.provenance.notes)
