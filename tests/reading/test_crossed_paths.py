"""Levels of paths that are no part of an algorithm's name: tasks, settings and runs are asked about, and what is offered reads them."""

from __future__ import annotations

import re

import pytest

import runoff as ro
from runoff.reading._crossed import is_generation, names_part, speaks_of_run
from runoff.reading._pattern import suggestions
from tests.refusals import patterns_offered

CURVE = "step,return\n1000,5\n2000,{}\n"


@pytest.fixture
def tree(put, tmp_path):
    """Write a curve for each combination of two algorithms, the given names and two seeds."""

    def write(path, names, algorithms=("ppo", "sac")):
        places = {path.format(a=a, x=x, s=s) for a in algorithms for x in names for s in range(2)}
        for i, place in enumerate(sorted(places)):
            put(f"tree/{place}.csv", CURVE.format(10 + i))
        return tmp_path / "tree"

    return write


def patterns(root):
    with pytest.raises(ro.DataError) as refusal:
        ro.read_curves(root)
    return patterns_offered(refusal.value)


@pytest.mark.parametrize(
    "names",
    [
        ("2048", "tetris"),
        ("level1", "level2", "level3"),
        ("deepsea_10", "deepsea_20"),
        ("test_1", "test_2"),
        ("eval", "reach"),
        ("reach", "reach_2"),
        ("market_2023", "market_2024"),
        ("0.001", "0.0001"),
    ],
)
@pytest.mark.parametrize("path", ["{a}/{x}/seed_{s}", "{x}/{a}/seed_{s}/progress", "runs/{a}/{x}/{s}"])
def test_names_below_each_of_several_algorithms_are_asked_about_and_may_be_tasks(tree, path, names):
    root = tree(path, names)
    pattern = next(pattern for pattern in patterns(root) if "{task}" in pattern)
    curves = ro.read_curves(root, pattern=pattern)
    assert (curves.algorithms, curves.tasks) == (("ppo", "sac"), tuple(sorted(names)))
    assert curves.n_runs.tolist() == [[2] * len(names)] * 2


@pytest.mark.parametrize("names", [("full", "no_critic"), ("exp_old", "exp_new")])
def test_variants_below_each_of_several_algorithms_are_offered_as_settings_first(tree, names):
    root = tree("{a}/{x}/seed_{s}", names)
    scores = ro.read_scores(root, pattern=patterns(root)[0])
    assert (scores.algorithms, scores.tasks) == (("ppo", "sac"), ("task",))
    assert sum(name in label for name in names for label in scores.run_labels) == 4 * len(names)


def test_settings_below_each_of_several_algorithms_are_offered_by_their_keys(tree):
    root = tree("{a}/{x}/seed_{s}", ("lr=0.1,bs=64", "lr=0.2,bs=64"))
    assert patterns(root) == ["{algorithm}/lr={config.lr},bs=64/seed_{run}"]
    scores = ro.read_scores(root, pattern=patterns(root)[0])
    assert (scores.algorithms, scores.tasks, scores.n_runs.tolist()) == (("ppo", "sac"), ("task",), [[4], [4]])


@pytest.mark.parametrize("names", [("run-a", "run-b"), ("seed_one", "seed_two"), ("node3_pid40", "node4_pid41")])
@pytest.mark.parametrize("path", ["{a}/{x}/eval", "{a}/Hopper-v4/{x}/progress"])
def test_words_that_tell_runs_apart_are_offered_as_runs(tree, path, names):
    root = tree(path, names)
    offered = patterns(root)
    assert [pattern for pattern in offered if "{run}" not in pattern or "{config" in pattern] == []
    curves = ro.read_curves(root, pattern=offered[0])
    assert (curves.algorithms, curves.n_runs.tolist()) == (("ppo", "sac"), [[2], [2]])


@pytest.mark.parametrize(
    "names",
    [
        ("rank0", "rank1"),
        ("chunk1", "chunk2"),
        ("metrics_part1", "metrics_part2"),
        ("worker_0", "worker_1"),
        ("log_1", "log_2"),
    ],
)
@pytest.mark.parametrize("algorithms", [("ppo",), ("ppo", "sac")])
def test_the_parts_of_a_run_are_refused_in_words_alone(tree, names, algorithms):
    assert patterns(tree("{a}/seed_{s}/{x}", names, algorithms)) == []


@pytest.mark.parametrize("names", [("log", "losses"), ("returns", "reach")])
def test_logs_of_several_kinds_below_runs_make_no_algorithms(tree, names):
    assert patterns(tree("{a}/seed_{s}/{x}", names)) == []


@pytest.mark.parametrize(
    ("path", "names", "tasks"),
    [("{a}/{x}/seed_{s}", ("ant", "maze"), ("ant", "maze")), ("{x}/{a}/{s}", ("foyer", "hall"), ("foyer", "hall"))],
)
def test_plain_names_beside_algorithms_and_seeds_are_tasks_without_a_question(tree, path, names, tasks):
    assert ro.read_curves(tree(path, names)).tasks == tasks


@pytest.mark.parametrize("path", ["{a}_seed{s}", "{a}_{s}/progress", "{a}_Hopper-v4_s{s}", "{a}/seed_{s}"])
def test_an_algorithm_of_two_words_beside_others_is_no_crossing(tree, path):
    algorithms = ("cql", "iql", "td3_bc")
    assert ro.read_scores(tree(path, ("",), algorithms)).algorithms == algorithms


def test_variants_of_their_own_algorithms_are_no_crossing(put, tmp_path):
    for path in ("ppo/lr1/s0", "ppo/lr2/s0", "sac/h64/s0", "rank1/Hopper-v4/s0", "rank8/Hopper-v4/s0"):
        put(f"{path}.csv", CURVE.format(1))
    assert len(ro.read_curves(tmp_path).algorithms) == 5


@pytest.mark.parametrize(
    ("says", "names", "others"),
    [
        (names_part, ("rank0", "env1.worker2", "part-0001"), ("rank", "level1", "rank1_small", "env_1")),
        (speaks_of_run, ("run-a", "seed_one", "host 3"), ("run", "runner_a", "ant_seed")),
        (is_generation, ("exp_old", "no_critic", "full", "proj_a"), ("ant", "a", "old_town", "experimental")),
    ],
)
def test_words_of_parts_runs_and_generations(says, names, others):
    assert (list(map(says, names)), list(map(says, others))) == ([True] * len(names), [False] * len(others))


@pytest.mark.parametrize(
    ("path", "algorithms"),
    [
        ("{a}_{x}/seed_{s}", ("ppo", "sac")),
        ("{a}-{x}-{s}", ("ppo", "sac")),
        ("{a}_{x}/Hopper-v4/{s}/progress", ("td3", "sac")),
    ],
)
@pytest.mark.parametrize("names", [("h64", "h256"), ("0.001", "0.003")])
def test_numbers_behind_each_algorithm_are_offered_as_settings_with_their_runs(tree, path, algorithms, names):
    root = tree(path, names, algorithms)
    pattern = patterns(root)[0]
    curves = ro.read_curves(root, pattern=pattern)
    assert (curves.algorithms, len(curves.tasks)) == (tuple(sorted(algorithms)), 1)
    assert sum(name in label for name in names for label in curves.run_labels) == 4 * len(names)


@pytest.mark.parametrize("names", [("ppo_64", "ppo_128"), ("ppo_h64", "sac_h256"), ("drq_v2x", "sac_v3x", "sac_v4x")])
def test_numbers_of_one_algorithm_are_variants(put, tmp_path, names):
    for name in names:
        put(f"{name}/log.csv", CURVE.format(1))
    assert {*ro.read_curves(tmp_path).algorithms} == {*names}


@pytest.mark.parametrize(
    ("names", "hashed"),
    [(("a8f3e1", "09bc77", "123456"), True), (("facade", "decade"), False), (("a8f3e1", "b9c4d5e", "0c1d2e"), False)],
)
def test_folders_called_by_hashes_are_no_algorithms(put, tmp_path, names, hashed):
    for name in names:
        put(f"{name}/log.csv", CURVE.format(1))
    if hashed:
        with pytest.raises(ro.DataError, match="are hashes"):
            ro.read_curves(tmp_path)
    else:
        assert {*ro.read_curves(tmp_path).algorithms} == {*names}


@pytest.mark.parametrize("names", [("exp0", "exp1", "exp2"), ("exp_1", "exp_20")])
def test_folders_that_number_jobs_of_one_run_are_no_algorithms(put, tmp_path, names):
    for name in names:
        put(f"{name}/log.csv", CURVE.format(1))
    with pytest.raises(ro.DataError, match="numbers of jobs"):
        ro.read_curves(tmp_path)


@pytest.mark.parametrize("names", [("exp_a0", "exp_a1"), ("trial-3x", "trial-4x"), ("net_1x", "exp0")])
def test_folders_with_a_word_of_their_own_are_algorithms(put, tmp_path, names):
    for name in names:
        put(f"{name}/log.csv", CURVE.format(1))
    assert {*ro.read_curves(tmp_path).algorithms} == {*names}


@pytest.mark.parametrize("seeds", [("seed_0",), ("seed_0", "seed_1")])
def test_workers_below_the_folder_of_a_run_are_offered_as_no_tasks(seeds):
    def offered(names):
        paths = [(a, seed, name) for a in ("ppo", "sac") for seed in seeds for name in names]
        return suggestions(paths, [dict.fromkeys(("algorithm", "task", "run"), "")] * len(paths))

    assert offered(("env0", "env1")) == []
    assert "{task}" in offered(("Hopper-v4", "Ant-v4"))[0]


@pytest.mark.parametrize(
    "names", [("final", "initial"), ("log", "linear", "cubic"), ("checkpoint", "monitor", "reactive")]
)
@pytest.mark.parametrize("path", ["{a}/Hopper-v4/{s}", "{a}/seed_{s}/eval"])
def test_a_word_without_meaning_is_a_name_beside_others(tree, path, names):
    assert {*ro.read_curves(tree(path, ("",), names)).algorithms} == {*names}


@pytest.mark.parametrize("part", ["actor", "critic", "value", "policy"])
def test_a_loss_of_a_part_of_an_agent_is_offered_as_no_score(put, tmp_path, part):
    for a in ("ppo", "sac"):
        put(f"{a}_0/losses.csv", f"step,{part}_loss,lr\n1,2,3\n2,1,3\n")
        put(f"{a}_0/config.json", f'{{"algo": "{a}", "seed": 0}}')
    with pytest.raises(ro.DataError) as refusal:
        ro.read_curves(tmp_path)
    assert "lower_is_better" not in str(refusal.value)


@pytest.mark.parametrize("names", [("2048", "tetris"), ("reach", "reach_2"), ("level1", "level2")])
@pytest.mark.parametrize(
    "path", ["{a}/{x}/seed_{s}", "{a}_{x}/seed_{s}", "{a}_{x}_seed{s}", "{a}-{x}-{s}", "{a}__{x}__{s}"]
)
@pytest.mark.parametrize("lacks", [False, True])
def test_tasks_that_two_algorithms_share_are_asked_about_though_a_cell_is_missing(put, tmp_path, path, names, lacks):
    cells = [(a, x) for a in ("ppo", "sac") for x in names if not lacks or (a, x) != ("sac", names[1])]
    for i, (a, x) in enumerate(cells):
        for s in range(2):
            put(f"tree/{path.format(a=a, x=x, s=s)}.csv", CURVE.format(10 * i + s))
    root = tmp_path / "tree"
    pattern = next(pattern for pattern in patterns(root) if "{task}" in pattern)
    scores = ro.read_scores(root, pattern=pattern)
    assert scores.to_dict() == {
        a: {x: [10.0 * i, 10.0 * i + 1] for i, (own, x) in enumerate(cells) if own == a} for a in ("ppo", "sac")
    }


@pytest.mark.parametrize(
    "path",
    [
        "ppo/debug",
        "failed/ppo/seed_3",
        "ppo/x/seed_3",
        "ppo/seed_0_try2",
        "ppo_rerun/seed_0",
        "ppo copy/s1",
        "ppo (1)/s1",
    ],
)
def test_an_algorithm_that_is_another_and_more_is_warned_of(tree, put, path):
    root = tree("{a}/seed_{s}", ("",))
    put(f"tree/{path}.csv", CURVE.format(9))
    with pytest.warns(ro.RunoffWarning, match="read as an algorithm of its own beside 'ppo'") as warnings:
        assert len(ro.read_scores(root).algorithms) == 3
    left_out = re.search(r"exclude='(.*?)'", str(warnings[0].message))
    with pytest.warns(ro.RunoffWarning):
        assert len(ro.compare(root, exclude=left_out[1]).pairs) == 1


def test_a_file_beside_the_folders_of_algorithms_is_warned_of(tree, put):
    root = tree("{a}/seed_{s}", ("",))
    put("tree/results.csv", CURVE.format(9))
    with pytest.warns(ro.RunoffWarning, match="nothing in its path names an algorithm"):
        assert ro.read_scores(root).algorithms == ("ppo", "sac", "tree")


@pytest.mark.parametrize(
    ("path", "names", "tasks"),
    [
        ("{a}/fold{s}/log", ("",), ("task",)),
        ("fold{s}/{a}", ("",), ("task",)),
        ("{a}/{x}_{s}", ("mapA", "mapB"), ("mapA", "mapB")),
    ],
)
def test_folds_are_runs_and_runs_no_part_of_tasks(tree, path, names, tasks):
    scores = ro.read_scores(tree(path, names))
    assert (scores.algorithms, scores.tasks, scores.n_runs.ravel().tolist()) == (
        ("ppo", "sac"),
        tasks,
        [2] * 2 * len(tasks),
    )


def test_names_that_may_be_runs_are_offered_as_tasks_too_where_nothing_names_the_runs(put, tmp_path):
    for i, (a, x) in enumerate((a, x) for a in ("ppo", "sac") for x in ("foyer", "hall")):
        put(f"tree/{a}/{x}.csv", CURVE.format(i))
    assert patterns(tmp_path / "tree") == ["{algorithm}/{run}", "{algorithm}/{task}"]


@pytest.mark.parametrize("path", ["10-0{s}-00_{x}_{a}_seed{s}/eval", "2025-01-02/{x}_{a}_seed{s}_10-0{s}-00"])
def test_tasks_of_names_beside_dates_are_asked_about(tree, path):
    root = tree(path, ("foyer", "hall"), ("diffusion", "imitate"))
    read = [ro.read_curves(root, pattern=pattern) for pattern in patterns(root)[:2]]
    assert [(curves.algorithms, curves.tasks) for curves in read] == [
        (("foyer", "hall"), ("diffusion", "imitate")),
        (("diffusion", "imitate"), ("foyer", "hall")),
    ]


def test_variants_below_the_folders_of_runs_are_offered_with_names_of_all_levels(tree):
    root = tree("{a}/{s}/{x}/eval", ("default", "no_norm"), ("dog-run", "yak-hammer"))
    read = [ro.read_scores(root, pattern=pattern) for pattern in patterns(root)]
    assert [(scores.algorithms, scores.tasks) for scores in read][-1] == (
        ("default", "no_norm"),
        ("dog-run", "yak-hammer"),
    )


def test_a_date_within_names_is_no_part_of_what_they_hold(put, tmp_path):
    for task in ("Cheetah", "Joystick"):
        for i, name in enumerate(("mine_s0", "mine_s1", "yours_s0", "yours_s1")):
            put(f"{task}-20250104-13120{i}-{name}/eval.csv", "step,return\n1,1\n2,2\n")
    with pytest.raises(
        ro.DataError,
        match=r"pattern='{task}-\*-\*-{algorithm}_s{run}/\*' or pattern='{algorithm}-\*-\*-{task}_s{run}/\*'",
    ):
        ro.read_curves(tmp_path)
    curves = ro.read_curves(tmp_path, pattern="{task}-*-*-{algorithm}_s{run}/*")
    assert (curves.algorithms, curves.tasks) == (("mine", "yours"), ("Cheetah", "Joystick"))
