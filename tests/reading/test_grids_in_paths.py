"""Grids of algorithms, tasks and seeds in names of folders and files: each way to write them gives the grid, or a question."""

from __future__ import annotations

from itertools import product

import pytest

import runoff as ro
from runoff.reading._fields import matched_together
from runoff.reading._grids import grid_of
from tests.refusals import patterns_offered

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


TASKS = ("warehouse_large", "warehouse_small")


def offered(root):
    with pytest.raises(ro.DataError) as refusal:
        ro.read_scores(root)
    return patterns_offered(refusal.value)


@pytest.mark.parametrize(
    "path",
    [
        "exp1_{a}_{t}_s{s}",
        "Qwen3-0.6B_{a}_s_{s}_{t}/log",
        "final.{a}.{t}.seed{s}.17000{n:05}",
        "{t}_{a}_seed={s}_bs256/log",
        "{a},{t},rs{s}",
        "run--{t}--{a}--seed={s}",
        "{s}.{a}.{t}",
        "exp1__{a}__{t}__{s}__lr3e-4",
        "2024-03-01_10-20-{n:02}_{a}_{t}_{s}_20240301-1000{n:02}",
        "seed={s}-{a}-{t}",
        "v3/{a}-{t}/{s}-17000{n:05}",
        "{a}/{t}.seed={s}.bs256",
    ],
)
@pytest.mark.parametrize("algorithms", [("dr_grpo", "grpo"), ("iql", "td3_bc", "qdm"), ("sac", "sac_aux")])
def test_names_that_are_a_grid_are_asked_about_and_the_first_pattern_reads_them(grid, path, algorithms):
    root = grid(path, algorithms, TASKS)
    scores = ro.read_scores(root, pattern=offered(root)[0])
    cells = {frozenset(scores.cell(a, t)) for a in range(scores.n_algorithms) for t in range(scores.n_tasks)}
    assert cells == {frozenset((10.0 + n, 11.0 + n, 12.0 + n)) for n in range(0, 6 * len(algorithms), 3)}
    assert {scores.n_algorithms, scores.n_tasks} == {len(algorithms), 2}


@pytest.mark.parametrize("path", ["{a}_{t}-seed{s}", "{t}-{a}-rep{s}/log", "{a}.{t}.{s}"])
def test_of_a_grid_that_nobody_knows_both_orders_are_offered(grid, path):
    root = grid(path, ("base_aux", "base_per"), ("north_hall", "south_hall"))
    orders = set()
    for pattern in offered(root)[:2]:
        scores = ro.read_scores(root, pattern=pattern)
        assert scores.n_runs.tolist() == [[3, 3]] * 2
        orders.add(frozenset(frozenset((*scores.cell(a, 0), *scores.cell(a, 1))) for a in (0, 1)))
    runs = [10.0 + n for n in range(12)]
    halves = {frozenset(map(frozenset, (runs[:6], runs[6:])))}
    assert orders == halves | {frozenset(map(frozenset, (runs[:3] + runs[6:9], runs[3:6] + runs[9:])))}


@pytest.mark.parametrize(
    "path", ["walker-walk_{s}_{a}_lr3e-4/log", "{t},{a},{s}/log", "2024-03-01_10-20-{n:02}--{t}--{a}--{s}--17000{n:05}"]
)
def test_numbers_beside_names_are_offered_as_runs_where_no_algorithm_had_two(grid, path):
    root = grid(path, ("cql", "dr_grpo"), ("Pong",), (12, 345, 6789))
    assert (read(root, pattern=offered(root)[0])[0], read(root, pattern=offered(root)[0])[2]) == (
        ("cql", "dr_grpo"),
        [[3], [3]],
    )


@pytest.mark.parametrize("names", [("ppo_small_relu", "ppo_small_tanh", "ppo_big_relu", "ppo_big_tanh")])
def test_variants_of_one_algorithm_are_no_grid(names):
    own = grid_of([[f"{name}_s{s}"] for name in names for s in (0, 1)])
    assert own is not None
    assert ({*own.algorithm}, {*own.task}) == ({*names}, {""})


@pytest.mark.parametrize(
    ("pattern", "path", "fields"),
    [
        ("{algorithm}_{task}_s{run}", "{a}_{t}_s{s}", ("algorithm", "task", "run")),
        ("*-{task}-{algorithm}-*", "2024-03-01-{t}-{a}-a12b3c{s}", ("algorithm", "task")),
        ("{algorithm}_seed{run}*", "{a}_seed1{s}0-a12b3c{s}", ("algorithm", "run")),
    ],
)
def test_a_pattern_parts_names_as_all_paths_together_suggest(pattern, path, fields):
    cells = [(a, t, s) for a in ("grpo", "dr_grpo", "dr-x") for t in TASKS for s in (1, 2)]
    paths = [path.format(a=a, t=t, s=s) for a, t, s in cells]
    own = [tuple((parted or {})[field] for field in fields) for parted in matched_together(pattern, paths)]
    truth = {"algorithm": 0, "task": 1, "run": 2}
    expected = [tuple(str(cell[truth[field]]) for field in fields) for cell in cells]
    assert [tuple(text.removeprefix("1").removesuffix("0") or text for text in way) for way in own] == [
        tuple(text.removeprefix("1").removesuffix("0") or text for text in way) for way in expected
    ]


@pytest.mark.parametrize("ids", ["n2vccdh", "4012511", "f5c633a", "abcdefg"])
def test_folders_of_weights_and_biases_are_dates_whatever_their_ids_are(ids):
    names = [f"{a}_{t}_s{s}" for a in ("quux", "lumen_b") for t in ("crane", "lift") for s in (1, 2)]
    paths = [(name, f"offline-run-20261130_22383{at}-{ids}{at}") for at, name in enumerate(names)]
    grid = grid_of(paths)
    assert grid is not None
    assert set(grid.cells) == {(a, t) for a in ("quux", "lumen_b") for t in ("crane", "lift")}


def test_a_number_at_the_end_of_a_task_is_no_task_of_its_own():
    names = [
        f"{a}_{t}_{i}_s{s}" for a in ("quux", "lumen_b") for t in ("crane", "lift") for i in range(3) for s in (1, 2)
    ]
    parts = matched_together("{algorithm}_{task}_s{run}", names)
    assert {part["task"] for part in parts if part} == {f"{t}_{i}" for t in ("crane", "lift") for i in range(3)}


def test_a_letter_before_a_dot_is_no_word_for_a_seed(put, tmp_path):
    """Of `lumen-s.1` beside `lumen.1` the letter is a part of the name: runs of two algorithms were pooled."""
    for n, (t, a, s) in enumerate(product(("Acrobot-v1", "CartPole-v1"), ("lumen", "lumen-s", "lumen-xl"), range(4))):
        put(f"tree/{t}/{a}.{s}/progress.csv", f"step,episode_return\n1000,0\n2000,{n}.5\n")
    (pattern,) = offered(tmp_path / "tree")
    assert pattern == "{task}/{algorithm}.{run}/*"
    assert ro.read_scores(tmp_path / "tree", pattern=pattern).n_runs.tolist() == [[4, 4]] * 3


def test_a_beginning_with_a_number_that_all_names_share_is_no_part_of_a_task(put, tmp_path):
    for n, (t, a, s) in enumerate(product(("paris", "lyon"), ("gnn", "lstm"), range(2))):
        put(f"tree/exp12_{t}_{a}_s{s}/progress.csv", f"step,episode_return\n1000,0\n2000,{n}.5\n")
    assert offered(tmp_path / "tree")[0] in ("exp12_{task}_{algorithm}_s{run}/*", "exp12_{algorithm}_{task}_s{run}/*")
