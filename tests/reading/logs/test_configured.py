"""Frameworks whose configuration says what their folders do not: right names, variants told apart, and numbers of jobs that are asked about."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runoff as ro
from runoff.reading.logs.tools import TOOLS
from tests.amount import examples
from tests.reading.logs.configured import CONFIGURED, SAMPLES, events, isaac_lab, lerobot, robomimic, sample_factory
from tests.reading.logs.layouts import STEPS, table
from tests.reading.logs.test_fuzz import DAMAGE, QUICK, assert_sound, damaged
from tests.reading.logs.test_layouts import ALGORITHMS, TASKS, cells


@pytest.mark.filterwarnings("error::runoff.RunoffWarning")
@pytest.mark.parametrize("other_seeds", [False, True], ids=["same seeds", "other seeds"])
@pytest.mark.parametrize("layout", CONFIGURED)
def test_no_framework_pools_or_renames_algorithms(put, tmp_path, layout, other_seeds):
    for (i, algorithm), task, seed in product(enumerate(ALGORITHMS), TASKS, (1, 2)):
        CONFIGURED[layout](put, algorithm, task, seed + 100 * i * other_seeds, 0.001)
    curves = ro.read_curves(tmp_path)
    assert cells(curves) == Counter(dict.fromkeys(product(ALGORITHMS, TASKS), 2))
    assert curves.values.tolist() == pytest.approx([step / 7 for step in STEPS] * 12)


@pytest.mark.parametrize("layout", [name for name in CONFIGURED if name != "wandb_group"])
def test_no_framework_pools_values_of_a_hyperparameter(put, tmp_path, layout):
    for task, (seed, lr) in product(TASKS, ((1, 0.001), (2, 0.001), (3, 0.0003), (4, 0.0003))):
        CONFIGURED[layout](put, "td3", task, seed, lr)
    n_runs = cells(ro.read_curves(tmp_path).variants())
    assert sorted(n_runs.values()) == [2, 2, 2, 2]
    assert all("0.001" in name or "0.0003" in name for name, _ in n_runs)


@pytest.mark.parametrize("layout", ["lists", "records"])
def test_a_configuration_without_scores_beside_runs_is_a_run_that_is_missing(put, tmp_path, layout):
    for algorithm, seed in product(("ppo", "sac"), (1, 2, 3)):
        CONFIGURED[layout](put, algorithm, "Hopper-v4", seed, 0.001)
    put("common/config.json", '{"gamma": 0.99}')
    crashed = sorted(tmp_path.glob("exp_*"))[0]
    for path in crashed.iterdir():
        if path.stem in ("results", "log"):
            path.unlink()
    with pytest.warns(
        ro.RunoffWarning, match="1 folder\\(s\\) have the configuration of a run and no scores.*" + crashed.name
    ):
        curves = ro.read_curves(tmp_path)
    assert sorted(cells(curves).values()) == [2, 3]


def test_an_evaluation_beside_a_curve_is_asked_about_and_two_files_of_one_kind_are_refused(put, tmp_path):
    for algorithm, seed in product(("ppo", "sac"), (1, 2, 3)):
        CONFIGURED["lists"](put, algorithm, "Hopper-v4", seed, 0.001)
    for path in tmp_path.glob("exp_*/results.json"):
        path.write_text(path.read_text().replace("eval_return", "train_return"))
        path.with_name("eval.json").write_text('{"return": 5.0}')
    with pytest.raises(ro.DataError, match="'score': 'eval/return'"):
        ro.load(tmp_path)
    assert {*ro.read_scores(tmp_path, columns={"score": "eval/return"}).to_frame()["score"]} == {5.0}
    for path in tmp_path.glob("exp_*/results.json"):
        path.with_name("eval_results.json").write_text('{"eval_return": 5.0}')
    with pytest.raises(ro.DataError, match="exp_"):
        ro.load(tmp_path)


def test_a_folder_of_a_job_is_no_algorithm_beside_a_configuration_that_names_another(put, tmp_path):
    for i, (algorithm, seed) in enumerate(product(("ppo", "sac"), (1, 2, 3))):
        put(f"exp_{i}/config.json", json.dumps({"algo": algorithm, "env": "Hopper-v4", "seed": seed}))
        put(f"exp_{i}/returns.txt", "1.5\n2.5\n")
    with pytest.raises(ro.DataError, match="'exp_0', and the configuration beside it 'ppo'"):
        ro.load(tmp_path)
    named = ro.load(tmp_path, pattern="{algorithm}/returns")
    assert named.algorithms == tuple(f"exp_{i}" for i in range(6))


@pytest.mark.parametrize("tool", SAMPLES)
def test_a_folder_that_a_tool_leaves_is_claimed_by_it_alone(put, tmp_path, tool):
    SAMPLES[tool](put, "td3", "Hopper-v4", 1, 0.001)
    assert {row.tool for row in ro.scan(tmp_path).rows} == {TOOLS[tool].title}


@pytest.mark.parametrize("tool", SAMPLES)
@settings(QUICK, max_examples=examples(6, most=4))
@given(kind=st.integers(0, 11), damage=DAMAGE)
def test_a_damaged_folder_is_read_as_far_as_it_goes_or_refused(tmp_path_factory, tool, kind, damage):
    root = tmp_path_factory.mktemp("damaged")
    SAMPLES[tool](writer(root), "td3", "Hopper-v4", 1, 0.001)
    files = sorted(path for path in root.rglob("*") if path.is_file())
    path = files[kind % len(files)]
    path.write_bytes(damaged(path.read_bytes(), damage))
    assert_sound(root)


def writer(root):
    def put(name, content):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    return put


def test_the_name_of_a_run_of_rsl_rl_is_part_of_the_algorithm_unless_it_is_a_seed(put, tmp_path):
    for name, seed in (("symmetry", 1), ("seed2", 2)):
        isaac_lab(put, "PPO", "anymal", seed, 0.001)
        (path,) = (path for path in tmp_path.rglob("agent.yaml") if f"seed: {seed}\n" in path.read_text())
        path.write_text(path.read_text().replace("run_name: ''", f"run_name: {name}"))
    assert cells(ro.read_curves(tmp_path)) == {("PPO symmetry", "anymal"): 1, ("PPO", "anymal"): 1}


def test_the_experiment_of_harl_is_part_of_the_algorithm_unless_it_is_the_usual_one(put, tmp_path):
    for experiment, seed in (("installtest", 1), ("wide", 2)):
        folder = f"mpe/spread/mappo/{experiment}/seed-0000{seed}-2024-03-01-10-20-30"
        put(f"{folder}/progress.txt", "100,1.5\n200,2.5\n")
    assert cells(ro.read_curves(tmp_path)) == {("mappo", "spread"): 1, ("mappo wide", "spread"): 1}


def test_a_seed_that_ml_agents_drew_itself_names_no_run(put, tmp_path):
    for seed in (1, 2):
        CONFIGURED["ml_agents"](put, "ppo", "Walker", seed, 0.001)
    for path in tmp_path.rglob("configuration.yaml"):
        path.write_text(path.read_text().replace("seed: 1", "seed: -1").replace("seed: 2", "seed: -1"))
    assert cells(ro.read_curves(tmp_path)) == {("ppo", "Walker"): 2}


def test_switches_of_an_algorithm_of_robomimic_are_part_of_its_name_and_each_task_is_a_run(put, tmp_path):
    robomimic(put, "bc", "Can", 1, 0.001)
    (path,) = tmp_path.rglob("config.json")
    path.write_text(path.read_text().replace('"algo": {', '"algo": {"rnn": {"enabled": true}, '))
    put(str(path.parent.relative_to(tmp_path) / "logs/tb/events.out.tfevents.2.h"), events("Rollout/Return/Lift"))
    assert cells(ro.read_curves(tmp_path)) == {("bc_rnn", "Can"): 1, ("bc_rnn", "Lift"): 1}


def test_of_several_policies_of_one_run_of_sample_factory_the_first_is_read_with_a_warning(put, tmp_path):
    sample_factory(put, "APPO", "doom", 1, 0.001)
    (folder,) = tmp_path.rglob(".summary")
    put(f"{folder.relative_to(tmp_path)}/1/events.out.tfevents.1.h", events("reward/reward"))
    with pytest.warns(ro.RunoffWarning, match="equally likely"):
        curves = ro.read_curves(tmp_path)
    assert dict(curves.provenance.columns)["score"] == "policy_0/reward/reward"


def test_the_folders_of_lerobot_name_task_policy_and_run(put, tmp_path):
    for policy, task, seed in product(("act", "diffusion"), ("pusht", "aloha"), (1, 2, 3)):
        lerobot(put, policy, task, seed, 0.0)
    scores = ro.read_scores(tmp_path)
    assert (scores.algorithms, scores.tasks) == (("act", "diffusion"), ("aloha", "pusht"))
    assert sorted(scores.cell("act", "pusht")) == pytest.approx([1 / 9, 2 / 9, 3 / 9])


# ── what nothing names ──────────


@pytest.mark.parametrize("form", ["slurm_81234{}", "812345_{}"])
@pytest.mark.parametrize("kind", ["events", "table"])
def test_numbers_of_jobs_are_no_algorithms_and_are_asked_about(put, tmp_path, form, kind):
    for i in range(4):
        folder = form.format(i)
        if kind == "events":
            put(f"{folder}/events.out.tfevents.1.h", events("eval/return"))
        else:
            put(f"{folder}/progress.csv", table("step", "eval_return"))
    with pytest.raises(ro.DataError, match="numbers of jobs"):
        ro.read_scores(tmp_path)


def test_the_repair_for_numbers_of_jobs_is_a_file_of_globs(put, tmp_path):
    for i in range(4):
        put(f"runs/81234{i}_{i}/events.out.tfevents.1.h", events("eval/return"))
    put("names.toml", '[runs."81234[01]*"]\nalgorithm = "ppo"\n[runs."81234[23]*"]\nalgorithm = "sac"\n')
    curves = ro.read_curves(tmp_path / "runs", pattern=tmp_path / "names.toml")
    assert cells(curves) == {("ppo", "task"): 2, ("sac", "task"): 2}


@pytest.mark.parametrize("kind", ["events", "table"])
def test_runs_of_which_nothing_is_named_are_taken_as_one_algorithm_with_a_warning(put, tmp_path, kind):
    for i in range(3):
        folder = f"logs/version_{i}"
        if kind == "events":
            put(f"{folder}/events.out.tfevents.1.h", events("eval/return"))
        else:
            put(f"{folder}/metrics.csv", table("step", "eval/return"))
    with pytest.warns(ro.RunoffWarning, match="nothing names the algorithm or the task of 3 runs"):
        assert ro.read_scores(tmp_path).n_runs.sum() == 3


@pytest.mark.parametrize("before", ["", " ", "\n"])
def test_what_argparse_prints_is_a_configuration_whatever_blanks_stand_before_it(put, tmp_path, before):
    put("first/args.txt", f"{before}Namespace(algo='ppo', seed=0, lr=0.1)\n")
    put("first/progress.csv", "step,return\n1,1\n2,2\n3,4\n")
    assert ro.load(tmp_path).final().to_dict() == {"ppo": {"task": [4]}}
