"""Jobs of Hydra: what `.hydra` says names the run of whatever log lies inside."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import runoff as ro

CHOICES = "hydra:\n  runtime:\n    choices:\n      algo: {algo}\n      hydra/launcher: basic\n"


def job(folder: Path, *overrides: str, config: str, algo: str = "ppo") -> Path:
    """Write the folder of a job with a log two folders inside it."""
    hidden, inner = folder / ".hydra", folder / "files" / "deep"
    hidden.mkdir(parents=True)
    inner.mkdir(parents=True)
    (hidden / "overrides.yaml").write_text("".join(f"- {override}\n" for override in overrides) or "[]\n")
    (hidden / "config.yaml").write_text(config)
    (hidden / "hydra.yaml").write_text(CHOICES.format(algo=algo))
    (inner / "progress.txt").write_text("Epoch\tAverageEpRet\tTotalEnvInteracts\n0\t12.5\t4000\n1\t20.0\t8000\n")
    return folder


def keys(root: Path) -> list[tuple[str, str, str]]:
    return [(record.algorithm, record.task, record.run) for record in ro.scan(root).rows]


def test_a_multirun_names_algorithm_task_and_seed_of_logs_deep_inside_its_jobs(tmp_path):
    cells = [(algo, seed) for algo in ("ppo", "sac") for seed in (1, 2)]
    for n, (algo, seed) in enumerate(cells):
        config = f"algo: {{lr: 0.1}}\nseed: {seed}\nenv: {{id: Hopper-v4}}\n"
        job(tmp_path / "multirun" / "2026-11-22" / "02-22-45" / str(n), f"algo={algo}", f"seed={seed}", config=config)
    assert keys(tmp_path) == [(algo, "Hopper-v4", str(seed)) for algo, seed in cells]


def test_a_choice_that_was_left_to_the_defaults_is_known(tmp_path):
    for n, algo in enumerate(("ppo", "sac")):
        job(tmp_path / "outputs" / str(n), config="algo: {lr: 0.1}\nseed: 3\ntask: cheetah_run\n", algo=algo)
    assert keys(tmp_path) == [("ppo", "cheetah_run", "3"), ("sac", "cheetah_run", "3")]


def test_the_choice_of_a_suite_is_no_task_where_the_configuration_names_one(tmp_path):
    for n, task in enumerate(("hopper_hop", "walker_run")):
        job(tmp_path / str(n), "env=dmc", config=f"algo: {{lr: 1}}\nseed: {n}\nenv: {{task: {task}}}\n")
    assert [task for _, task, _ in keys(tmp_path)] == ["hopper_hop", "walker_run"]


def test_what_was_not_resolved_names_nothing(tmp_path):
    job(tmp_path / "a_3", "algo=${other}", config="seed: ${oc.env:SEED}\nenv: {id: Hopper-v4}\n")
    assert keys(tmp_path) == [("ppo", "Hopper-v4", "3")]


def test_a_job_whose_overrides_are_damaged_is_read_and_told(tmp_path):
    folder = job(tmp_path / "0", config="seed: 1\nenv: {id: Hopper-v4}\n")
    (folder / ".hydra" / "overrides.yaml").write_text("- [")
    tree = ro.scan(tmp_path)
    assert len(tree.rows) == 1
    assert any("overrides.yaml: this configuration cannot be read" in note for note in tree.notes)


@pytest.mark.parametrize("key", ["id", "name", "env_id", "task"])
def test_the_name_of_a_task_in_its_group_goes_before_the_choice_of_the_group(key, tmp_path):
    for n in (1, 2):
        config = f"algo: {{lr: 0.1}}\nseed: {n}\nenv: {{{key}: walker-walk}}\n"
        job(tmp_path / "multirun" / str(n), "env=dmc", "algo=ppo", f"seed={n}", config=config)
    assert keys(tmp_path) == [("ppo", "walker-walk", "1"), ("ppo", "walker-walk", "2")]


@pytest.mark.parametrize("other", ["agent: {name: sac}", "wandb: {id: abc}", "wandb: {name: foo}"])
def test_a_chosen_task_is_known_whatever_else_has_a_name_or_an_id(other, tmp_path):
    for n in (1, 2):
        config = f"algo: {{lr: 0.1}}\nseed: {n}\nenv: {{dim: 3}}\n{other}\n"
        job(tmp_path / "multirun" / str(n), "env=Hopper-v4", "algo=ppo", f"seed={n}", config=config)
    assert {task for _, task, _ in keys(tmp_path)} == {"Hopper-v4"}


def test_the_choice_of_an_agent_names_the_algorithm_rather_than_a_class_that_several_agents_have(put, tmp_path):
    for i, (agent, seed) in enumerate(product(("drqv2", "drqv2_crop8"), (1, 2))):
        folder = f"10000{i}_agent={agent},seed={seed}"
        put(f"{folder}/.hydra/config.yaml", f"task_name: hop\nseed: {seed}\nagent:\n  _target_: {agent}.DrQV2Agent\n")
        put(f"{folder}/.hydra/overrides.yaml", f"- agent={agent}\n- task=hop\n- seed={seed}\n")
        put(f"{folder}/eval.csv", "episode_reward,frame\n1,0\n2,100\n")
    curves = ro.read_curves(tmp_path)
    assert (curves.algorithms, curves.n_runs.tolist()) == (("drqv2", "drqv2_crop8"), [[2], [2]])
