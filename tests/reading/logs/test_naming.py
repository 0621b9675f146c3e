"""Names of runs: what folders say, what configurations say, what the user says, and which of them counts."""

from __future__ import annotations

import json

import pytest

import runoff as ro
from runoff.reading._configured import flat
from runoff.reading._names import clues
from runoff.reading.logs.config import configuration, read_config
from tests.reading.logs.configured import events

HEAD = "Epoch\tAverageEpRet\tTotalEnvInteracts\n"


@pytest.fixture
def runs(put):
    """Write Spinning Up runs at the paths given, each with a configuration."""

    def write(paths: dict[str, dict | None]):
        for i, (path, config) in enumerate(paths.items()):
            root = put(f"tree/{path}/progress.txt", f"{HEAD}0\t{i}.5\t100\n1\t{i + 1}\t200\n").parents[
                path.count("/") + 1
            ]
            if config is not None:
                put(f"tree/{path}/config.json", json.dumps(config))
        return root

    return write


def names(root, **options) -> list[tuple[str, str, str]]:
    return [(record.algorithm, record.task, record.run) for record in ro.scan(root, **options).rows]


PATHS = {
    "IMPALA_PongNoFrameskip-v4_0_2018-11-10_00-17-220NYeDg": ("IMPALA", "PongNoFrameskip-v4", "0"),
    "stac-reg0Acrobot-v1/stac-reg0Acrobot-v1_s0": ("stac-reg0", "Acrobot-v1", "0"),
    "SAC/Reacher-v2/sac_s222": ("SAC", "Reacher-v2", "222"),
    "a2c/CartPole-v1_1": ("a2c", "CartPole-v1", "1"),
    "A2C_10": ("A2C", None, "10"),
    "HalfCheetah-v4__ppo_continuous_action__1__1700000000": ("ppo_continuous_action", "HalfCheetah-v4", "1"),
    "ALE/Breakout-v5__dqn__3__1700000000": ("dqn", "Breakout-v5", "3"),
    "wandb/offline-run-20261121_235833-0z9w1c06": (None, None, None),
    "results/dreamer_v3/dmc_walker_walk/seed_3": ("dreamer_v3", "walker_walk", "3"),
    "PPO/ms_pacman/0": ("PPO", "ms_pacman", "0"),
    "logs/td3/HopperBulletEnv-v0_2": ("td3", "HopperBulletEnv-v0", "2"),
    "multirun/2024-01-31/10-20-30/3": (None, None, "3"),
    "PPO_CartPole-v1_a1b2c_00000_0_lr=0.1_2024-01-31_10-20-30": ("PPO lr=0.1", "CartPole-v1", None),
    "MiniGrid-Empty-5x5-v0_ppo_seed1": ("ppo", "MiniGrid-Empty-5x5-v0", "1"),
    "PPO-MyEnv-v0": ("PPO", "MyEnv-v0", None),
    "runs/Jan01_12-00-00": (None, None, None),
    "g1_walk__ppo_mine__7__1700000000": ("ppo_mine", "g1_walk", "7"),
    "runs/torch/Cartpole/24-01-31_10-20-30-123456_PPO": ("PPO", "Cartpole", None),
    "runs/Ant_31-10-20-30/nn": (None, "Ant", None),
    "logs/rsl_rl/anymal_c_flat/2024-01-31_10-20-30": ("anymal_c_flat", None, None),
    "log/Ant-v4/sac/0/240131-102030": ("sac", "Ant-v4", "0"),
    "seed=5": (None, None, "5"),
    "sac_2/s0": ("sac_2", None, "0"),
    "sac_lr1e-3": ("sac_lr1e-3", None, None),
}


@pytest.mark.parametrize("path", PATHS)
def test_names_of_folders_tell_algorithm_task_and_run(path):
    algorithm, task, run = PATHS[path]
    names = clues(path.split("/"))
    assert (names.left[-1][1] if names.left else None, names.task, names.run) == (algorithm, task, run)


def test_folders_that_differ_name_the_algorithm_and_those_that_do_not_are_passed_over(runs):
    root = runs(
        {f"paper/{a}/lr{b}/Hopper-v4/s{s}": None for a in ("SAC", "mine") for b in ("1e-3", "1e-4") for s in (0, 1)}
    )
    assert {name for name, _, _ in names(root)} == {f"{a}/lr{b}" for a in ("SAC", "mine") for b in ("1e-3", "1e-4")}


def test_the_configuration_counts_before_the_names_of_folders(runs):
    root = runs({f"x/PPO_CartPole-v1_{s}": {"algo": "ppo2", "env_id": "CartPole-v0", "seed": 7 + s} for s in (0, 1)})
    assert names(root) == [("ppo2", "CartPole-v0", "7"), ("ppo2", "CartPole-v0", "8")]


def test_a_source_that_does_not_name_all_runs_names_none(runs):
    root = runs({"sac/Ant-v4_1": {"algo": "SAC", "seed": 99}, "sac/Ant-v4_2": None})
    assert names(root) == [("sac", "Ant-v4", "1"), ("sac", "Ant-v4", "2")]


def test_a_pattern_counts_before_all_else_and_fits_the_last_folders_that_it_can(runs):
    root = runs(
        {f"logs/{a}/Task{t}_s{s}/x": {"algo": "no", "seed": 0} for a in ("A", "B") for t in (1, 2) for s in (3, 4)}
    )
    assert len(set(names(root, pattern="{algorithm}/{task}_s{run}/x"))) == 8
    assert names(root, pattern="{algorithm}/{task}_s{run}") == names(root, pattern="{algorithm}/{task}_s{run}/*")
    assert names(root, pattern="{algorithm}/{task}_s{run}")[0] == ("A", "Task1", "3")


@pytest.mark.parametrize(
    ("pattern", "error", "message"),
    [
        ("{algo}/{run}", ro.OptionError, r"not \{algo\}.*Did you mean 'algorithm'"),
        ("no/fields", ro.OptionError, "has no field; a pattern looks like"),
        ("{run}/{run}", ro.OptionError, "twice"),
        ("{algorithm}_seed{run}", ro.DataError, "does not match this path"),
    ],
)
def test_a_pattern_that_means_nothing_here_is_refused(runs, pattern, error, message):
    with pytest.raises(error, match=message):
        ro.scan(runs({"A/s1": None}), pattern=pattern)


def test_a_toml_file_names_renames_and_leaves_out(runs, put):
    root = runs({"A/Ant-v4/s1": None, "A/Ant-v4/s2": None, "B/Ant-v4/s1": None, "old/Ant-v4/s9": None})
    toml = 'pattern = "{algorithm}/{task}/s{run}"\nleave_out = ["old"]\n[algorithm]\nA = "ours"\n[runs."B/*/s1"]\nrun = 5\n'
    file = put("names.toml", toml)
    assert names(root, pattern=file) == [("B", "Ant-v4", "5"), ("ours", "Ant-v4", "1"), ("ours", "Ant-v4", "2")]


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("x = 1", "key 'x' is unknown"),
        ("= 1", "cannot be read"),
        ("leave_out = 1", "list of globs"),
        ("runs = 1", "must be a table"),
        ("[runs.a]\nseed = 1", "algorithm, task and run"),
        ("[algorithm]\nA = []", "must be a name"),
    ],
)
def test_a_toml_file_that_is_not_right_is_refused_with_its_key(runs, put, toml, message):
    with pytest.raises(ro.DataError, match=message):
        ro.scan(runs({"A/s1": None}), pattern=put("names.toml", toml))


# ── two runs with one name ──────────


def test_two_runs_with_one_seed_are_refused_with_both_places_and_the_repair(runs):
    root = runs({f"PPO/Ant-v4/{stamp}": {"seed": 1} for stamp in ("2024-01-01_10-00-00", "2024-01-02_10-00-00")})
    with pytest.raises(
        ro.DataError, match=r"algorithm 'PPO', task 'Ant-v4', run '1': .*2024-01-01.* and .*2024-01-02.*pattern="
    ):
        ro.read_curves(root)
    assert "two runs are named" in ro.scan(root).notes[-1]
    assert ro.read_curves(root, pattern="{algorithm}/{task}/{run}").n_runs.tolist() == [[2]]


def test_a_seed_that_all_configurations_share_gives_way_to_numbered_folders(runs):
    root = runs({f"PPO/Ant-v4/seed_{s}": {"seed": 1} for s in (3, 4)})
    curves = ro.read_curves(root)
    assert curves.run_labels == ("3", "4")
    assert any("share a seed" in note for note in curves.provenance.notes)


def test_folders_without_a_seed_are_runs_of_their_own_names(runs):
    root = runs({f"PPO/Ant-v4/{name}": None for name in ("2024-01-01_10-00-00", "2024-01-02_10-00-00")})
    assert names(root) == [("PPO", "Ant-v4", "2024-01-01_10-00-00"), ("PPO", "Ant-v4", "2024-01-02_10-00-00")]


def test_folders_that_name_nothing_but_themselves_are_algorithms_with_a_warning(runs):
    root = runs(dict.fromkeys(("alpha", "beta", "gamma")))
    with pytest.warns(ro.RunoffWarning, match="an algorithm of its own"):
        assert ro.read_curves(root).algorithms == ("alpha", "beta", "gamma")


# ── configurations ──────────


def test_hostile_names_in_a_configuration_are_labels_or_nothing(runs):
    config = {"algo": "../../x<script>", "env_id": "e" * 10_000, "seed": "\x1b[31m"}
    assert names(runs({"PPO/Ant-v4/s1": config})) == [("../../x<script>", "Ant-v4", "1")]


def test_nested_lists_of_pairs_and_the_least_nested_key_count(runs):
    config = {"agent": {"algo": "inner"}, "env": {"id": "Ant-v4"}, "trainer": {"seed": 3}, "algo": "outer"}
    assert names(runs({"x/y": config})) == [("outer", "Ant-v4", "3")]
    assert flat([[["algo", "a2c"], ["seed", 5]]]) == {"algo": "a2c", "seed": 5}


def test_objects_of_python_in_yaml_are_read_as_plain_lists(put):
    path = put(
        "args.yml", "!!python/object/apply:collections.OrderedDict\n- - - algo\n    - ppo\n  - - seed\n    - 5\n"
    )
    assert flat(read_config(path)) == {"algo": "ppo", "seed": 5}
    assert read_config(put("evil.yml", "!!python/object/apply:os.system ['echo never']")) == ["echo never"]


def test_hydra_names_the_run_whatever_log_lies_inside(put, runs):
    root = runs({"multirun/2024-01-31/10-20-30/0": None})
    put(
        "tree/multirun/2024-01-31/10-20-30/0/.hydra/config.yaml",
        "agent:\n  name: sac\nalgo: sac\ntask: cheetah_run\nseed: 4\n",
    )
    assert names(root) == [("sac", "cheetah_run", "4")]


def test_a_configuration_that_cannot_be_read_is_told_and_the_next_is_read(put):
    folder = put("config.json", "{").parent
    put("args.yml", "seed: 1\n")
    put("params.json", "[" * 100_000)
    put("hparams.yaml", "x" * (1 << 21))
    config, unread = configuration([folder])
    assert (config, len(unread)) == ({"seed": 1}, 3)


# ── sources that disagree ──────────


def test_a_run_without_a_configuration_does_not_change_the_names_of_the_others(runs):
    paths = {str(i): {"algo": "vdn" if i < 4 else "qmix", "seed": i} for i in range(1, 7)}
    root = runs({**paths, "7": None})
    assert [name for name, _, _ in names(root)][:6] == ["qmix"] * 3 + ["tree"] + ["vdn"] * 2
    with pytest.warns(ro.RunoffWarning, match="1 run.s. lack the settings that name the other runs"):
        scores = ro.read_scores(root)
    assert dict(zip(scores.algorithms, scores.n_runs[:, 0].tolist(), strict=True)) == {"qmix": 3, "vdn": 3}


def test_folders_that_agree_with_the_configurations_name_the_others(runs):
    paths = {f"{a}/s{s}": {"algo": a.lower(), "seed": s} for a in ("PPO", "SAC") for s in (0, 1)}
    root = runs({**paths, "SAC/s2": None})
    assert {name for name, _, _ in names(root)} == {"PPO", "SAC"}


def test_folders_tell_variants_of_a_configured_algorithm_apart(runs):
    root = runs({f"vdn_lr{lr}/s{s}": {"algo": "vdn", "seed": s} for lr in (0.1, 0.01) for s in (0, 1)})
    assert {name for name, _, _ in names(root)} == {"vdn_lr0.1", "vdn_lr0.01"}
    root = runs({f"other/{host}/s{s}": {"algo": "vdn", "seed": s} for s, host in enumerate("ab")})
    assert [name for name, _, _ in names(root / "other")] == ["vdn", "vdn"]


@pytest.mark.parametrize("setting", ["lr", "agent.opt.learning_rate", "run.train_ratio", "width"])
@pytest.mark.parametrize("same_seeds", [True, False])
def test_settings_of_an_algorithm_are_its_configurations_and_never_pooled(runs, setting, same_seeds):
    root = runs(
        {
            f"PPO/s{s}": {"algo": "ppo", "seed": s // 2 if same_seeds else s, setting: (0.1, 0.3)[s % 2]}
            for s in range(4)
        }
    )
    last = setting.rpartition(".")[2]
    scores = ro.read_scores(root)
    assert any(f"(ppo: 2 of {setting})" in note for note in scores.provenance.notes)
    with pytest.raises(ro.DesignError, match="ppo has 2 configurations"):
        ro.aggregate(scores)
    assert scores.variants().algorithms == (f"ppo ({last} 0.1)", f"ppo ({last} 0.3)")
    assert scores.variants().n_runs.tolist() == [[2], [2]]


def test_trials_of_a_search_are_no_runs_of_one_algorithm_and_tasks_may_have_settings_of_their_own(runs):
    trials = runs({str(s): {"algo": "ppo", "seed": s, "lr": 0.1 * (s + 1)} for s in range(3)})
    assert ro.read_scores(trials).variants().n_runs.tolist() == [[1], [1], [1]]


def test_the_experiment_of_sacred_names_the_algorithm(tmp_path):
    for i, name in enumerate(("td3", "td3-v2", "sac") * 2):
        folder = tmp_path / str(i + 1)
        folder.mkdir()
        series = {"steps": [1, 2], "values": [1.0, i], "timestamps": ["2024-01-01T00:00:00", "2024-01-01T00:00:01"]}
        (folder / "metrics.json").write_text(json.dumps({"return": series}))
        (folder / "run.json").write_text(json.dumps({"experiment": {"name": name}}))
        (folder / "config.json").write_text(json.dumps({"seed": i, "env": "Hopper-v4"}))
    scores = ro.read_scores(tmp_path)
    assert (scores.algorithms, scores.n_runs.tolist()) == (("sac", "td3", "td3-v2"), [[2], [2], [2]])


def test_a_setting_that_tunes_nothing_and_that_one_run_alone_has_makes_no_variant(runs):
    root = runs({str(s): {"algo": "ppo", "seed": s, "flavour": "sour" if s == 0 else "sweet"} for s in range(4)})
    assert ro.read_scores(root).n_runs.tolist() == [[4]]


def test_settings_that_tasks_fix_make_no_variants(runs):
    root = runs(
        {
            f"{task}{s}": {"algo": "ppo", "env": task, "seed": s, "lr": lr}
            for task, lr in (("Hopper-v4", 0.1), ("Ant-v4", 0.2))
            for s in (0, 1)
        }
    )
    assert ro.read_scores(root).algorithms == ("ppo",)


def test_settings_of_one_run_make_no_configurations_and_a_pattern_pools(runs):
    root = runs(
        {str(s): {"algo": "ppo", "seed": s, "wandb.mode": s % 2, "log_dir": s % 2, "lr": s % 2} for s in range(4)}
    )
    scores = ro.read_scores(root)
    assert len(scores.variants().algorithms) == 2
    assert any("(ppo: log_dir, wandb.mode, seed; " in note for note in scores.provenance.notes)
    root.with_suffix(".toml").write_text('[runs."*"]\nalgorithm = "ppo"\n')
    assert ro.read_scores(root, pattern=root.with_suffix(".toml")).n_runs.tolist() == [[4]]


@pytest.mark.parametrize(
    ("levels", "what"),
    [
        (
            ["room_small room_large", "shaped baseline"],
            "vary on 2 levels .'room_large', 'room_small'; 'baseline', 'shaped'",
        ),
        (["gamma0.9 gamma0.99", "shaped baseline"], "vary on 2 levels .'gamma0.9', 'gamma0.99'; 'baseline', 'shaped'"),
        (["gamma0.9 gamma0.99", "ours baseline"], r"hold values of a setting \(gamma\), each"),
        (["maze_a maze_b lake_c", "level1 level2"], "vary on 2 levels"),
        (["ppo_roomA ppo_roomB sac_roomA sac_roomB"], "hold .roomA., .roomB. beside each of .ppo., .sac., which"),
    ],
)
def test_levels_of_which_nothing_is_known_are_refused_and_scanned_with_the_repair(runs, levels, what):
    first, *rest = [level.split() for level in levels]
    paths = [
        "/".join([a, *b, f"s{s}"]) for a in first for b in ([[x] for x in rest[0]] if rest else [[]]) for s in (0, 1)
    ]
    root = runs(dict.fromkeys(paths))
    with pytest.raises(ro.DataError, match=f"{what}.*pattern="):
        ro.read_scores(root)
    assert any("pattern=" in note for note in ro.scan(root).notes)
    pattern = "{task}/{algorithm}/s{run}" if rest else "{algorithm}_{task}/s{run}"
    assert set(ro.read_scores(root, pattern=pattern).n_runs.ravel().tolist()) == {2}


@pytest.mark.parametrize("algorithms", [("ppo", "sac"), ("ours", "baseline")])
def test_a_level_beside_known_algorithms_is_the_task(runs, algorithms):
    root = runs({f"{a}/room_{t}/seed{s}": None for a in algorithms for t in ("small", "large") for s in (0, 1)})
    assert {(a, t) for a, t, _ in names(root)} == {(a, f"room_{t}") for a in algorithms for t in ("small", "large")}


def test_single_words_are_tasks_only_if_every_path_names_one(runs):
    root = runs({f"{a}/s{s}": None for a in ("hero", "baseline") for s in (0, 1)})
    assert {(a, t) for a, t, _ in names(root)} == {("hero", "task"), ("baseline", "task")}


def test_beside_known_algorithms_the_plain_level_is_the_task_where_configurations_name_the_runs(runs):
    root = runs({f"{a}/{task}": {"seed": i} for a in ("PPO", "SAC") for i, task in enumerate(("left", "right"))})
    assert set(names(root)) == {(a, task, run) for a in ("PPO", "SAC") for task, run in (("left", "0"), ("right", "1"))}


def test_tasks_that_only_some_runs_name_are_refused(runs):
    root = runs({f"{t}/{a}/s{s}": None for t in ("Ant-v4", "mine") for a in ("ppo", "sac") for s in (0, 1)})
    with pytest.raises(ro.DataError, match="nothing names the task of 4 of 8 runs"):
        ro.read_scores(root)


def test_a_seed_counts_before_the_number_of_an_attempt(runs):
    root = runs({f"{a}/seed_{s}/{a}_1": None for a in ("PPO", "SAC") for s in (3, 4)})
    assert names(root) == [(a, "task", s) for a in ("PPO", "SAC") for s in ("3", "4")]
    with pytest.raises(ro.DataError, match=r"two runs are named .* distinguish them by globs"):
        ro.read_scores(runs({"PPO/seed_3/PPO_9": None}))


@pytest.mark.parametrize("setting", ["lr_{}", "lr/{}", "batch_size_{}", "n-layers-{}"])
def test_values_of_a_setting_are_no_runs(runs, setting):
    root = runs(dict.fromkeys(f"PPO/{setting.format(value)}" for value in (1, 2)))
    assert ro.read_scores(root).n_runs.tolist() == [[1], [1]]


@pytest.mark.parametrize("uuid", ["5b1d6a02-11ee-8c99-aaaa-0242ac120002", "123e4567-e89b-42d3-a456-426614174000"])
def test_a_uuid_names_nothing(uuid):
    assert clues(["d4pg", uuid]).left == ((0, "d4pg"),)


def test_a_hydra_job_names_the_runs_of_plain_tables(put):
    for i, name in enumerate(("ppo", "ppo", "sac", "sac")):
        put(f"multirun/2024-01-31/10-20-30/{i}/.hydra/overrides.yaml", f"- algo={name}\n- seed={i}\n- env=Hopper-v4\n")
        root = put(f"multirun/2024-01-31/10-20-30/{i}/progress.csv", f"step,eval_return\n1,2\n2,{i}\n").parents[3]
    scores = ro.read_scores(root)
    assert (scores.algorithms, scores.tasks, scores.n_runs.tolist()) == (("ppo", "sac"), ("Hopper-v4",), [[2], [2]])


def test_beside_known_algorithms_with_settings_the_plain_level_is_the_task(runs):
    root = runs(
        dict.fromkeys(f"ppo_lr{lr}/{task}/s{s}" for lr in (0.1, 0.01) for task in ("one", "two") for s in (0, 1))
    )
    assert {(a, t) for a, t, _ in names(root)} == {(f"ppo_lr{lr}", t) for lr in (0.1, 0.01) for t in ("one", "two")}


def test_a_name_that_says_it_is_a_task_is_one_whole(runs):
    root = runs(dict.fromkeys(f"{a}/maze_{t}/s{s}" for a in ("ppo", "sac") for t in "ab" for s in (0, 1)))
    assert {(a, t) for a, t, _ in names(root)} == {(a, f"maze_{t}") for a in ("ppo", "sac") for t in "ab"}


def test_two_runs_of_one_name_with_other_settings_are_refused_with_the_settings(runs):
    root = runs({str(i): {"algo": "ppo", "seed": 0, "flavour": 0.1 * i} for i in range(2)})
    with pytest.raises(ro.DataError, match=r"their settings differ \(flavour: 0.0 and 0.1\).*TOML"):
        ro.read_scores(root)


SAME = {"algo": "ppo", "seed": 1}


def test_the_pattern_of_the_repair_tells_all_runs_apart(runs):
    root = runs({f"2024-01-0{day}_10-00-00": SAME for day in (1, 2, 3)})
    with pytest.raises(ro.DataError, match=r"two runs are named .* pattern='\{run\}'"):
        ro.read_scores(root)
    assert ro.read_scores(root, pattern="{run}").n_runs.tolist() == [[3]]


def test_where_no_pattern_tells_all_runs_apart_none_is_given(runs):
    root = runs({f"2024-01-0{day}_10-00-00/{name}": SAME for day in (1, 2) for name in ("default", "final")})
    with pytest.raises(ro.DataError, match=r"two runs are named .* distinguish them by globs .*TOML"):
        ro.read_scores(root)


@pytest.mark.parametrize(
    "pairs", [[["seed", 5]], [["algo", "a2c"], ["seed", 5]], [["algo", "a2c"], ["seed", 5], ["lr", 0.1]]]
)
def test_a_list_of_pairs_is_a_mapping_however_many_pairs_and_whether_in_a_list_or_not(pairs):
    assert flat(pairs) == flat([pairs]) == dict(pairs)
    assert flat([pairs, pairs]) == {}


def test_a_folder_is_named_without_the_task_that_its_configuration_names(runs):
    paths = {
        f"cmp_{a}_{t.casefold()}/cmp_{a}_{t.casefold()}_s{s}": {"env_name": t, "seed": s}
        for a in ("sac", "td3")
        for t in ("Ant-v3", "Hopper-v3")
        for s in (0, 10)
    }
    assert {(a, t) for a, t, _ in names(runs(paths))} == {
        (a, t) for a in ("cmp_sac", "cmp_td3") for t in ("Ant-v3", "Hopper-v3")
    }


def test_a_folder_that_is_the_task_of_the_configuration_names_no_algorithm(runs):
    paths = {
        f"{t}/{a}/seed{s}": {"task": t, "seed": s}
        for t in ("crafter_reward", "dmc_walk")
        for a in ("A", "B")
        for s in (0, 1)
    }
    assert {(a, t) for a, t, _ in names(runs(paths))} == {
        (a, t) for a in ("A", "B") for t in ("crafter_reward", "dmc_walk")
    }


@pytest.mark.parametrize("job", ["job_48213_{}", "slurm-48213_{}"])
def test_a_job_of_an_array_names_no_algorithm(runs, job):
    configs = [{"algorithm": a, "env_name": "Ant-v3", "seed": s} for a in ("CQL", "BC") for s in (0, 1)]
    root = runs({job.format(k): config for k, config in enumerate(configs)})
    assert sorted(names(root)) == [(a, "Ant-v3", s) for a in ("BC", "CQL") for s in ("0", "1")]


@pytest.mark.parametrize(
    ("host", "algorithms"), [("gpu11", {"PPO", "mine"}), ("elsewhere", {"gpu11_PPO", "gpu11_mine"})]
)
def test_the_host_that_pytorch_writes_behind_the_date_is_no_name_where_the_event_files_say_so(put, host, algorithms):
    for a in ("PPO", "mine"):
        for s in (0, 1):
            put(
                f"runs/Nov28_12-50-16_gpu11_{a}_Hopper-v4_seed{s}/events.out.tfevents.1795870216.{host}.16783.{s}",
                events("eval/reward"),
            )
    assert {a for a, _, _ in names(put("runs/note.md", "-").parent)} == algorithms


def test_jobs_of_an_array_are_runs_where_nothing_else_names_these(runs):
    assert sorted(names(runs({f"{a}/job_5_{k}": None for a in ("PPO", "SAC") for k in (0, 1)}))) == [
        (a, "task", f"5_{k}") for a in ("PPO", "SAC") for k in (0, 1)
    ]


def test_a_method_called_name_is_a_default_that_says_nothing(put, tmp_path):
    for a, s in ((a, s) for a in ("dreamerv3", "dreamerv3_small") for s in (0, 1)):
        put(f"dmc_walker_run/{a}/{s}/config.yaml", f"method: name\nseed: {s}\ntask: dmc_walker_run\n")
        put(f"dmc_walker_run/{a}/{s}/progress.csv", f"step,eval/return\n10,{s}.5\n20,{s + 5}.5\n")
    assert ro.load(tmp_path).algorithms == ("dreamerv3", "dreamerv3_small")


@pytest.mark.parametrize(
    "command",
    [
        *("python -u -W ignore train.py", "python3 -m rl.train", "torchrun --nproc_per_node 4 train.py"),
        *("accelerate launch --mixed_precision=fp16 train.py", "deepspeed train.py", "SEED=3 uv run train.py"),
    ],
)
def test_the_options_of_what_calls_a_script_are_no_settings_of_its_run(put, command):
    folder = put("run.sh", f"# {command} --algo sac\n{command} --algo ppo --lr 0.5 \\\n  --seed $SEED\n").parent
    assert configuration([folder]) == ({"algo": "ppo", "lr": "0.5"}, [])


def test_models_of_which_one_is_a_known_algorithm_are_all_algorithms(runs):
    models = ("REINFORCE-topK", "SlateQ-XL", "bandit_mlp")
    cells = [(model, task, seed) for model in models for task in ("retail_rocket", "kuairand") for seed in (7, 8)]
    root = runs(
        {f"version_{i}": {"model": m, "dataset": t, "seed": s, "lr": 0.001} for i, (m, t, s) in enumerate(cells)}
    )
    scores = ro.read_scores(root)
    assert ({*scores.algorithms}, {*scores.tasks}) == ({*models}, {"retail_rocket", "kuairand"})
    assert scores.n_runs.tolist() == [[2, 2]] * 3
