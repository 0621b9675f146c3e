"""Event files of training frameworks: the whole reward is read, and their folders name the runs."""

from __future__ import annotations

import json
import re
from itertools import product

import pytest

import runoff as ro
from tests.reading.logs.configured import CONFIGURED
from tests.reading.logs.frameworks import VALUES, cleanrl, rl_games, rsl_rl, skrl, tianshou
from tests.reference import logs as twin

CASES = {
    cleanrl: (
        "charts/episodic_return",
        [500, 1000, 1500],
        ("Ant-v4__sac__1__1700000001", "Ant-v4__ppo__1__1700000002"),
    ),
    rl_games: ("rewards/step", [4096, 8192, 12288], ("sac/Ant_31-10-20-30", "ppo/Ant_31-10-21-30")),
    rsl_rl: ("Train/mean_reward", [0, 1, 2], ("sac/Ant-v4/2024-01-31_10-20-30", "ppo/Ant-v4/2024-01-31_10-21-30")),
    skrl: (
        "Reward / Total reward (mean)",
        [800, 1600, 2400],
        ("Ant/24-01-31_10-20-30-123456_SAC", "Ant/24-01-31_10-21-30-123457_PPO"),
    ),
    tianshou: (
        "test/returns_stat/mean",
        [1000, 2000, 3000],
        ("Ant-v4/sac/0/240131-102030", "Ant-v4/ppo/0/240131-102130"),
    ),
}


@pytest.mark.parametrize("framework", CASES, ids=lambda framework: framework.__name__)
def test_the_whole_reward_is_read_on_the_axis_of_steps_and_folders_name_the_runs(framework, put, tmp_path):
    metric, steps, folders = CASES[framework]
    for level, folder in zip((10.0, 20.0), folders, strict=True):
        framework(put, f"runs/{folder}", level)
    curves = ro.read_curves(tmp_path / "runs")
    assert dict(curves.provenance.columns)["score"] == metric
    assert [name.casefold() for name in curves.algorithms] == ["ppo", "sac"]
    assert [task.removesuffix("-v4") for task in curves.tasks] == ["Ant"]
    assert curves.steps.tolist() == [float(step) for step in steps] * 2
    assert curves.values.tolist() == [20 + value for value in VALUES] + [10 + value for value in VALUES]


def test_a_run_of_cleanrl_whose_task_nobody_knows_is_named_by_its_folder(put, tmp_path):
    data = twin.event_file(twin.event(5, {"charts/episodic_return": 2.0, "charts/episodic_length": 9.0}))
    for seed in (1, 2):
        put(f"runs/g1_walk__ppo_mine__{seed}__170000000{seed}/events.out.tfevents.1.host", data)
    (first, second) = ro.scan(tmp_path / "runs").rows
    assert (first.algorithm, first.task, first.run, second.run) == ("ppo_mine", "g1_walk", "1", "2")
    assert first.series == "charts/episodic_return"


@pytest.mark.parametrize("tool", ["ml_agents", "isaac_lab"])
def test_a_seed_that_the_tool_draws_names_no_run(put, tmp_path, tool):
    for seed in (1, 2):
        CONFIGURED[tool](put, "ppo", "Walker", seed, 0.001)
    for path in [*tmp_path.rglob("*.yaml")]:
        path.write_text(re.sub(r"seed: \d", "seed: -1", path.read_text()))
    rows = ro.scan(tmp_path).rows
    assert len({row.run for row in rows}) == 2
    assert "-1" not in {row.run for row in rows}


def test_switches_of_robomimic_are_part_of_the_algorithm_and_rollouts_that_are_cut_are_counted(put, tmp_path):
    whole = 'Epoch 5 Rollouts took 9s (avg) with results:\nEnv: Lift\n{\n "Return": 2.5,\n "Success_Rate": 0.5\n}\n'
    cut = 'Epoch 10 Rollouts took 9s (avg) with results:\nEnv: Lift\n{\n "Retu'
    for name, on in (("a", {}), ("b", {"transformer": {"enabled": True}}), ("c", {"rnn": {"enabled": True}})):
        put(f"{name}/logs/log.txt", whole + cut)
        put(f"{name}/config.json", json.dumps({"algo_name": "bc", "train": {"seed": 1}, "algo": on}))
    with pytest.warns(ro.RunoffWarning, match=r"log\.txt"):
        curves = ro.read_curves(tmp_path, series="Rollout/Return")
    assert (curves.algorithms, curves.values.tolist()) == (("bc", "bc_rnn", "bc_transformer"), [2.5] * 3)


def test_folders_named_as_those_of_harl_without_its_configuration_are_named_by_their_words(put, tmp_path):
    for name, seed in product(("ours", "theirs"), (1, 2)):
        put(f"{name}/Ant-v4/long/seed-{seed:05d}-2024-01-31-10-20-30/progress.txt", "100,1.5\n200,2.5\n")
    rows = ro.scan(tmp_path).rows
    assert {(row.algorithm, row.task) for row in rows} == {("ours", "Ant-v4"), ("theirs", "Ant-v4")}


def test_a_run_of_guild_that_ended_with_another_status_failed(put, tmp_path):
    for seed in (1, 2):
        CONFIGURED["guild"](put, "ppo", "Walker", seed, 0.001)
    next(tmp_path.rglob("exit_status")).write_text("1\n")
    assert any("1 run(s) did not finish successfully" in note for note in ro.scan(tmp_path).notes)
