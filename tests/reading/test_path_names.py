"""What folders and file names say: algorithm, task and run, all files together; what fits two meanings is refused."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import numpy as np
import pytest

import runoff as ro
from runoff.reading._names import clues_of_all, folder_names

CURVE = "num_steps,walltime,sps,eval/episode_reward\n1000,1.5,990,5\n2000,3.1,995,7\n"


def npy(*values: float) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.array(values))
    return buffer.getvalue()


@pytest.mark.parametrize(
    "path",
    [
        "{a}/{t}/seed_{r}.csv",
        "{a}/{t}/{r}/progress.csv",
        "{t}/{a}/run-{r}/eval.csv",
        "{a}_{t}_{r}.csv",
        "{t}_{a}_s{r}.csv",
        "logs/{a}/{t}_seed{r}.csv",
    ],
)
def test_trees_of_runs_are_read_whatever_their_order_of_names(put, tmp_path, path):
    for a in ("ppo", "sac"):
        for t in ("Hopper-v4", "walker_walk"):
            for r in range(3):
                put(path.format(a=a, t=t, r=r), CURVE)
    scores = ro.read_scores(tmp_path)
    assert (scores.algorithms, scores.tasks) == (("ppo", "sac"), ("Hopper-v4", "walker_walk"))
    assert scores.n_runs.tolist() == [[3, 3], [3, 3]]
    assert {role for role, _ in scores.provenance.parts} == {"algorithm", "task", "run"}


@pytest.mark.parametrize(
    "paths",
    [
        ("2024-01-01_10-00-00/PPO/progress", "2024-01-02_10-00-00/PPO/progress"),
        ("Pong__PPO__1__1700000001", "Pong__PPO__2__1700000002"),
        ("PPO__Pong__1__1700000001", "PPO__Pong__2__1700000002"),
        ("PPO__Pong__1__2024", "PPO__Pong__2__2024-01-02"),
        ("PPO/seed_1_20240101-100000", "PPO/seed_2_20240102-100000"),
        ("PPO_1_24_03_01-10_23_31/a", "PPO_2_24_03_01-11_24_32/a"),
        ("PPO/experiment_seed_1,buffer_seed_1,train_seed_10", "PPO/experiment_seed_2,buffer_seed_2,train_seed_20"),
    ],
)
def test_dates_and_times_name_no_algorithm(put, tmp_path, paths):
    for path in paths:
        put(f"{path}.csv", CURVE)
    scores = ro.read_scores(tmp_path)
    assert (scores.algorithms, scores.n_runs.tolist()) == (("PPO",), [[2]])


def test_a_level_beside_known_algorithms_and_seeds_names_tasks(put, tmp_path):
    for path in ("PPO/maze/seed_0", "PPO/hall/seed_0", "SAC/maze/seed_0", "SAC/hall/seed_0"):
        put(f"{path}.csv", CURVE)
    assert ro.read_scores(tmp_path).tasks == ("hall", "maze")


@pytest.mark.parametrize(
    "paths",
    [
        ("foo/maze/seed_0", "foo/hall/seed_0", "bar/maze/seed_0", "bar/hall/seed_0"),
        ("mine_small", "mine_large", "yours_small", "yours_large"),
    ],
)
def test_names_that_fit_two_meanings_are_refused_and_a_pattern_decides(put, tmp_path, paths):
    for path in paths:
        put(f"{path}.csv", CURVE)
    with pytest.raises(ro.DataError, match=r"pattern='{algorithm}"):
        ro.read_scores(tmp_path)
    pattern = "{algorithm}/{task}/*" if "/" in paths[0] else "{algorithm}_{task}"
    scores = ro.read_scores(tmp_path, pattern=pattern)
    assert (len(scores.algorithms), len(scores.tasks)) == (2, 2)


@pytest.mark.parametrize(
    ("paths", "algorithms", "tasks", "runs"),
    [
        (
            ("PPO/lr1/s0", "PPO/lr2/s0", "SAC/lr1/s0"),
            ("PPO/lr1", "PPO/lr2", "SAC/lr1"),
            ("task",),
            ("0",),
        ),
        (("A2C_1", "PPO_2"), ("A2C", "PPO"), ("task",), ("1", "2")),
        (("PPO_1/progress", "PPO_2/progress"), ("PPO",), ("task",), ("1", "2")),
        (("ppo_Hopper-v4_1", "sac_Hopper-v4_1"), ("ppo", "sac"), ("Hopper-v4",), ("1",)),
        (("layers_2", "width_4"), ("layers_2", "width_4"), ("task",), ("",)),
        (("ppo_cheetah_run_1", "ppo_cheetah_run_2"), ("ppo",), ("cheetah_run",), ("1", "2")),
        (("ppo/dmc_walker_walk_s0", "sac/dmc_walker_walk_s0"), ("ppo", "sac"), ("walker_walk",), ("0",)),
        (("ours_Custom-v0_s0", "base_Custom-v0_s0"), ("base", "ours"), ("Custom-v0",), ("0",)),
        (("Isaac-Ant-v0/ppo_s0", "Isaac-Lift-v0/ppo_s0"), ("ppo",), ("Isaac-Ant-v0", "Isaac-Lift-v0"), ("0",)),
        (("default/s0", "tuned/s0"), ("default", "tuned"), ("task",), ("0",)),
        (("env_1/ours_s1", "env_2/ours_s1"), ("ours",), ("env_1", "env_2"), ("1",)),
        (
            ("mine/5b1d6a0211ee8c99aaaa0242ac120002/s3", "yours/123e4567e89b42d3a456426614174000/s3"),
            ("mine", "yours"),
            ("task",),
            ("3",),
        ),
        (("PPO", "inner/SAC"), ("PPO", "SAC"), ("task",), ("",)),
        (("PPO/3",), ("PPO",), ("task",), ("3",)),
        (("mine1_env1_s0", "mine1_env2_s0"), ("mine1",), ("env1", "env2"), ("0",)),
        (("PPO/version_0/metrics", "PPO/version_1/metrics"), ("PPO",), ("task",), ("0", "1")),
        (("PPO/s0", "SAC/extra/s0"), ("PPO", "SAC/extra"), ("task",), ("0",)),
        (
            ("PPO/31.01.2024 10.21/log", "PPO/31.01.2024 10.22/log"),
            ("PPO",),
            ("task",),
            ("31.01.2024 10.21", "31.01.2024 10.22"),
        ),
    ],
)
def test_folders_and_names_of_curves_are_read_as_those_of_logs(put, tmp_path, paths, algorithms, tasks, runs):
    for path in paths:
        put(f"{path}.csv", CURVE)
    curves = ro.read_curves(tmp_path)
    assert (curves.algorithms, curves.tasks) == (algorithms, tasks)
    assert set(runs) in ({""}, set(curves.run_labels))


@pytest.mark.parametrize(
    "names",
    [
        ("PPO/lr1/log", "PPO/lr2/log"),
        ("PPO/lr_1/log", "PPO/lr_2/log"),
        ("PPO/lr/1/s0", "PPO/lr/2/s0"),
        ("PPO/lr_1", "PPO/lr_2"),
        ("PPO/hidden 64/log", "PPO/hidden 256/log"),
        ("PPO_n-layers-2/log", "PPO_n-layers-4/log"),
        ("batch_size_32/log", "batch_size_64/log"),
        ("ppo_Hopper-v4_lr_1", "ppo_Hopper-v4_lr_2"),
        ("PPO/seed_1/lr_1", "PPO/seed_1/lr_2"),
        ("mine_1/log", "mine_2/log"),
        ("ppo_64/log", "ppo_128/log"),
        ("ppo_variant_1/log", "ppo_variant_2/log"),
    ],
)
def test_values_of_a_setting_are_variants_and_no_runs_of_one_algorithm(put, tmp_path, names):
    for name in names:
        put(f"{name}.csv", CURVE)
    scores = ro.read_scores(tmp_path)
    assert scores.n_runs.tolist() == [[1], [1]]


def test_numbers_behind_tasks_are_runs_though_nobody_counted_them(put, tmp_path):
    for name in ("PPO2_Pong-v0_2837462910", "PPO2_Pong-v0_42", "SAC_Pong-v0_7", "SAC_Pong-v0_2837462910"):
        put(f"{name}/log.csv", CURVE)
    assert ro.read_scores(tmp_path).to_dict() == {"PPO2": {"Pong-v0": [7.0, 7.0]}, "SAC": {"Pong-v0": [7.0, 7.0]}}


def test_a_word_in_which_all_names_of_files_end_is_no_part_of_a_name(put, tmp_path):
    for name in ("ppo_Pusher_0", "ppo_Pusher_1", "sac_Pusher_0", "sac_Pusher_1"):
        put(f"{name}_train.csv", CURVE)
        put(f"{name}_eval.csv", CURVE)
    with pytest.warns(ro.RunoffWarning, match="4 file.* left out for others"):
        curves = ro.read_curves(tmp_path)
    assert (curves.algorithms, curves.tasks, curves.run_labels) == (("ppo", "sac"), ("Pusher",), ("0", "1", "0", "1"))


def test_numbers_behind_several_algorithms_that_nobody_counted_are_runs_or_settings_and_asked(put, tmp_path):
    for name in ("PPO_42", "PPO_7", "SAC_123", "SAC_99"):
        put(f"{name}/log.csv", CURVE)
    with pytest.raises(ro.DataError, match=r"pattern='{algorithm}_{run}/\*' \(runs\), or .*{config}/\*' \(settings\)"):
        ro.read_scores(tmp_path)
    assert ro.read_scores(tmp_path, pattern="{algorithm}_{run}/*").n_runs.tolist() == [[2], [2]]


@pytest.mark.parametrize(
    "names", [("{a}/log (1)", "{a}/log (2)"), ("New folder/{a}", "New folder (2)/{a}"), ("0_{a}", "1_{a}")]
)
def test_numbers_that_count_copies_are_no_settings_and_are_refused(put, tmp_path, names):
    for name in names:
        for a in ("PPO", "SAC"):
            put(f"{name.format(a=a)}.csv", CURVE)
    with pytest.raises(ro.DataError, match="pattern="):
        ro.read_scores(tmp_path)


def test_a_level_beside_known_algorithms_names_tasks_where_a_column_names_the_runs(put, tmp_path):
    for path in ("PPO/foyer", "PPO/hall", "SAC/foyer", "SAC/hall"):
        put(f"{path}.csv", "seed,return\n0,1\n1,2\n")
    assert ro.read_scores(tmp_path).tasks == ("foyer", "hall")


def test_a_level_that_some_paths_lack_leaves_none_without_a_name():
    paths = clues_of_all([("lab", "tfsummary", "run0"), ("zoo", "A2C_4")])
    names, _ = folder_names(paths, with_task=True, with_run=True)
    assert [name["algorithm"] for name in names] == ["lab", "zoo/A2C"]


def test_a_grid_of_names_without_settings_is_refused_though_an_algorithm_has_a_number(put, tmp_path):
    for name in ("sac_small", "sac_large", "td3_small", "td3_large"):
        put(f"{name}.csv", CURVE)
    with pytest.raises(ro.DataError, match=r"beside each of .sac., .td3., which"):
        ro.read_scores(tmp_path)


def test_numbered_environments_without_a_seed_may_be_runs_and_are_refused(put, tmp_path):
    for name in ("env_1", "env_2"):
        put(f"{name}.csv", "return\n1\n2\n")
    with pytest.raises(ro.DataError, match="differ only in a number"):
        ro.read_scores(tmp_path)


def test_vectors_named_by_seeds_are_runs_and_their_entries_evaluations(put):
    for seed in range(3):
        folder = put(f"PPO/seed_{seed}.npy", npy(1, 2, 10 + seed)).parent
    with pytest.warns(ro.RunoffWarning, match="each file is one run by its name and has several scores"):
        scores = ro.read_scores(folder)
    assert scores.to_dict() == {"PPO": {"task": [10.0, 11.0, 12.0]}}


def test_numbered_vectors_may_be_runs_or_batches_and_the_pattern_says_which(put, tmp_path):
    for name in ("TD3_Hopper-v2_0", "TD3_Hopper-v2_1"):
        put(f"{name}.npy", npy(1, 2, 3))
    with pytest.raises(ro.DataError, match=r"pattern='{algorithm}_{task}_{run}' \(runs\), or .* \(batches\)"):
        ro.read_scores(tmp_path)
    curves = ro.read_curves(tmp_path, pattern="{algorithm}_{task}_{run}")
    assert (curves.algorithms, curves.tasks, curves.run_labels) == (("TD3",), ("Hopper-v2",), ("0", "1"))
    with pytest.warns(ro.RunoffWarning, match="taken as batches, and pooled"):
        assert ro.read_scores(tmp_path, pattern="{algorithm}_{task}_*").n_runs.tolist() == [[6]]


@pytest.mark.parametrize("numbers", [(8, 12), (12, 8), (100, 7)])
@pytest.mark.parametrize("mark", ["_", "-"])
def test_the_pattern_that_is_offered_for_numbered_files_reads_them_as_runs(put, tmp_path, numbers, mark):
    for number in numbers:
        put(f"env{mark}{number}.csv", "return\n1\n2\n")
    with pytest.raises(ro.DataError, match="differ only in a number") as refusal:
        ro.read_scores(tmp_path)
    pattern = re.search(r"pattern='(.*?)' \(runs\)", str(refusal.value))[1]
    assert set(ro.read_curves(tmp_path, pattern=pattern).run_labels) == set(map(str, numbers))


def test_arrays_with_more_axes_than_a_run_has_are_refused(put):
    buffer = io.BytesIO()
    np.save(buffer, np.ones((4, 3)))
    with pytest.raises(ro.DataError, match="an array with more axes than the evaluations of a run"):
        ro.read_scores(put("PPO/seed_0.npy", buffer.getvalue()))


def test_files_with_one_score_are_runs_without_steps(put, tmp_path):
    for path in ("PPO/seed_0", "PPO/seed_1", "SAC/seed_0"):
        put(f"{path}.csv", "return\n5\n")
    assert ro.read_scores(tmp_path).n_runs.ravel().tolist() == [2, 1]


def test_lists_of_scores_in_files_named_by_tasks_belong_to_the_folder(put):
    for task in ("Pong", "Alien"):
        folder = put(f"PPO/{task}.csv", "return\n1\n2\n").parent
    assert ro.read_scores(folder).to_dict() == {"PPO": {"Alien": [1.0, 2.0], "Pong": [1.0, 2.0]}}


def test_files_of_algorithms_named_by_known_environments_are_of_these(put, tmp_path):
    for task in ("Ant-v4", "Hopper-v4"):
        put(f"{task}.csv", "algo,seed,score\nPPO,0,1\nSAC,0,2\n")
    assert ro.read_scores(tmp_path).tasks == ("Ant-v4", "Hopper-v4")


def test_folders_of_runs_that_run_and_of_those_that_are_done_are_no_part_of_a_name(put, tmp_path):
    for path in ("done/ppo_0", "running/ppo_1", "done/sac_0", "running/sac_1"):
        put(f"{path}/log.csv", CURVE)
    with pytest.warns(ro.RunoffWarning, match="only say that runs were repeated"):
        curves = ro.read_curves(tmp_path)
    assert (curves.algorithms, curves.run_labels) == (("ppo", "sac"), ("0", "1") * 2)


def test_versions_of_an_algorithm_are_not_environments(put):
    for name in ("Mine-v1", "Mine-v2"):
        folder = put(f"{name}.csv", "return\n1\n2\n").parent
    assert ro.read_scores(folder).algorithms == ("Mine-v1", "Mine-v2")


def test_two_files_of_one_run_are_refused(put, tmp_path):
    put("a/PPO_seed1.csv", CURVE)
    put("a/SAC_seed1.csv", CURVE)
    put("a/copy/PPO_seed1.csv", CURVE)
    with pytest.raises(ro.DataError, match="would both be run '1' of algorithm 'PPO' on task 'task'"):
        ro.read_scores(tmp_path, pattern="{algorithm}_seed{run}")


def test_the_pattern_wins_over_columns_and_leaves_out_what_it_does_not_fit(put, tmp_path):
    put("PPO/s3.csv", "algo,seed,return\nx,9,1\n")
    put("other.csv", "algo,seed,return\nx,9,1\n")
    with pytest.warns(ro.RunoffWarning, match=r"other.csv: its path does not match the pattern"):
        scores = ro.read_scores(tmp_path, pattern="{algorithm}/s{run}")
    assert (scores.algorithms, scores.run_labels) == (("PPO",), ("3",))


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        ("{algo}", r"not {algo}. Did you mean 'algorithm'\?"),
        ("{run}/{run}", "has {run} twice"),
        ("{run", "a brace is not closed"),
        ("", "has no field"),
        ("{task}/nothing_like_it", "does not match"),
    ],
)
def test_a_pattern_that_cannot_be_meant_is_refused(put, pattern, sentence):
    with pytest.raises(ro.RunoffError, match=sentence):
        ro.read_scores(put("PPO/runs.csv", "return\n1\n"), pattern=pattern)


def test_the_order_of_files_and_where_they_lie_change_nothing(put, tmp_path):
    files = [put(f"{place}/{a}/seed_{s}.csv", CURVE) for place in "xy" for a in ("PPO", "SAC") for s in (0, 1)]
    first, other = ro.read_scores(files[:4]), ro.read_scores(list(reversed(files[4:])))
    assert first == other
    assert ro.read_scores(os.path.relpath(tmp_path / "x")) == first
    assert ro.read_scores(Path(files[0])).algorithms == ("PPO",)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seeds", [(0, 0, 0), (100, 200, 300)])
@pytest.mark.parametrize("tasks", [("Hopper-v4", "Walker2d-v4"), ("Hopper-v4",)])
@pytest.mark.parametrize(
    "path",
    [
        "{a}/{t}/seed_{r}",
        "{t}/{a}/{r}/progress",
        "{a}_{t}_s{r}",
        "{a}-{t}-{r}/progress",
        "algo={a},env={t},seed={r}/progress",
    ],
)
def test_a_version_of_an_algorithm_is_no_task_and_is_not_shortened(put, tmp_path, path, tasks, seeds):
    algorithms = ("sac", "td3", "td3-v2")
    for a, first in zip(algorithms, seeds, strict=True):
        for t in tasks:
            for r in range(first, first + 2):
                put(path.format(a=a, t=t, r=r) + ".csv", CURVE)
    scores = ro.read_scores(tmp_path)
    assert (scores.algorithms, scores.tasks) == (algorithms, tasks)
    assert (scores.n_runs == 2).all()


def test_a_known_environment_wins_over_a_name_that_is_only_spelled_like_one(put, tmp_path):
    for path in ("Hopper-v4/mine-v1", "Hopper-v4/mine-v2", "Ant-v4/mine-v1", "Ant-v4/mine-v2"):
        for r in range(2):
            put(f"{path}/seed_{r}.csv", CURVE)
    scores = ro.read_scores(tmp_path)
    assert (scores.algorithms, scores.tasks) == (("mine-v1", "mine-v2"), ("Ant-v4", "Hopper-v4"))


def test_a_folder_of_settings_names_what_they_name_and_the_others_stay_with_the_algorithm(put, tmp_path):
    for lr in ("0.1", "0.2"):
        for seed in range(2):
            put(f"algo=td3,env=Hopper-v4,lr={lr},seed={seed}/metrics.csv", CURVE)
    scores = ro.read_scores(tmp_path)
    assert (scores.algorithms, scores.tasks) == (("td3 lr=0.1", "td3 lr=0.2"), ("Hopper-v4",))


@pytest.mark.parametrize("others", [(), ("other",), ("other", "third")])
def test_numbers_are_runs_or_batches_only_where_every_file_has_one(put, tmp_path, others):
    for k, name in enumerate(("mine_1", "mine_2", *others)):
        put(f"tree/{name}.npy", npy(1.0 + k, 2.0 + k, 4.0))
    if others:
        assert set(ro.read_scores(tmp_path / "tree").algorithms) == {"mine_1", "mine_2", *others}
    else:
        with pytest.raises(ro.DataError, match="differ only in a number"):
            ro.read_scores(tmp_path / "tree")


@pytest.mark.parametrize(
    ("pattern", "algorithm", "task", "run"),
    [
        ("{algorithm}_{task}_s{run}", "ppo", "half_cheetah", "3"),
        ("{algorithm}-{task}_s{run}", "ppo_half", "x_y-z", "3"),
        ("{task}_{algorithm}_s{run}", "half_cheetah", "ppo", "3"),
    ],
)
def test_a_field_of_a_pattern_ends_at_the_first_mark_behind_it(put, tmp_path, pattern, algorithm, task, run):
    put(f"tree/{pattern.format(algorithm=algorithm, task=task, run=run)}.csv", CURVE)
    read = ro.read_curves(tmp_path / "tree", pattern=pattern)
    assert (read.algorithms, read.tasks) == ((algorithm,), (task,))


@pytest.mark.parametrize("setting", ["net_lr{}", "big_lr{}", "{}_lr{}"])
def test_a_level_of_known_algorithms_beside_a_level_with_settings_is_understood(setting):
    paths = [
        (name, setting.format(*[name] * (setting.count("{") - 1), rate), f"seed{seed}.csv")
        for name in ("ppo", "sac")
        for rate in (0.1, 0.2)
        for seed in range(2)
    ]
    names, roles = folder_names(clues_of_all(paths), with_task=False, with_run=False)
    assert roles.unclear == ""
    assert [own["algorithm"] for own in names] == [f"{name}/{inner}" for name, inner, _ in paths]


@pytest.mark.parametrize("n", [199, 200, 201])
def test_a_name_of_two_hundred_letters_is_a_name_and_a_longer_text_is_none(n):
    paths = [(letter * n, f"seed{seed}.csv") for letter in "xy" for seed in range(2)]
    names, _ = folder_names(clues_of_all(paths), with_task=False, with_run=False)
    assert [own.get("algorithm") for own in names] == [path[0] if n <= 200 else None for path in paths]


def test_a_seed_that_a_path_and_a_column_of_its_file_name_is_one_run(put, tmp_path):
    for a in "AB":
        for seed in (11, 12):
            put(
                f"alg_{a}/seed_{seed}/log.csv",
                f"seed,env,iteration,return\n{seed},maze,100,1\n{seed},maze,200,{seed}\n",
            )
    assert ro.read_scores(tmp_path).to_dict() == {"alg_A": {"maze": [11.0, 12.0]}, "alg_B": {"maze": [11.0, 12.0]}}


def test_files_without_a_suffix_are_looked_into(put, tmp_path):
    for n, (a, s) in enumerate((a, s) for a in ("ppo", "sac") for s in (1, 2)):
        put(f"tree/{a}/seed{s}/scores", f"step,episode_return\n1000,0\n2000,{n}.5\n")
    assert ro.read_scores(tmp_path / "tree").n_runs.tolist() == [[2], [2]]
