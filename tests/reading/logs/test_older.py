"""Older and small libraries: what they write in small, by hand after their files; and pipes under the names of logs, which are never opened."""

from __future__ import annotations

import io
import json
import os
from collections import Counter
from itertools import product

import numpy as np
import pytest

import runoff as ro
from tests.reading.logs.layouts import STEPS, table
from tests.reading.logs.test_layouts import ALGORITHMS, TASKS, cells

RETURNS = [step / 7 for step in STEPS]


def gym_monitor(put, algorithm, task, seed):
    folder = f"{algorithm}-{task}-{seed}"
    batch = {"timestamps": [2, 4, 6], "episode_lengths": [100] * 3, "episode_rewards": RETURNS, "episode_types": "ttt"}
    batch["episode_types"] = list(batch["episode_types"])
    put(f"{folder}/openaigym.episode_batch.0.{seed}.stats.json", json.dumps(batch))
    put(f"{folder}/openaigym.manifest.0.{seed}.manifest.json", json.dumps({"env_info": {"env_id": task}}))


def keras_rl(put, algorithm, task, seed):
    content = {
        "loss": [float("nan"), 1, 1],
        "episode_reward": RETURNS,
        "nb_steps": STEPS,
        "nb_episode_steps": [100] * 3,
    }
    put(f"{algorithm}_{task}_{seed}_log.json", json.dumps({**content, "episode": [0, 1, 2]}))


def rlpyt(put, algorithm, task, seed):
    heads = ("Diagnostics/Iteration", "Diagnostics/CumSteps", "GameScoreAverage")
    rows = "".join(f"{i},{step},{step / 7},1.0,0.5\n" for i, step in enumerate(STEPS))
    put(
        f"{algorithm}/{task}/run_{seed}/progress.csv",
        ",".join([*heads, "ReturnAverage", "RawReturnAverage"]) + "\n" + rows,
    )


def all_scalars(put, algorithm, task, seed):
    folder = f"runs/{algorithm}_{task}_seed{seed}"
    content = {
        f"./{folder}/{tag}": [[9 + i, step, step / 7] for i, step in enumerate(STEPS)]
        for tag in ("eval/return", "loss")
    }
    put(f"{folder}/all_scalars.json", json.dumps(content))


def torchbeast(put, algorithm, task, seed):
    folder = f"torchbeast/{algorithm}_{task}_{seed}"
    rows = "".join(f"{i},1665000000.5,{step},{step / 7},2.5\n" for i, step in enumerate(STEPS))
    put(f"{folder}/logs.csv", f"# _tick,_time,frames,mean_episode_return,total_loss\n{rows}")
    put(f"{folder}/meta.json", json.dumps({"args": {"env": task, "seed": seed}}))


def purejaxrl(put, algorithm, task, seed):
    if seed == 1:  # a file holds all seeds
        put(f"{algorithm}_{task}/metrics.npz", saved(np.tile(RETURNS, (2, 1)), np.tile(STEPS, (2, 1))))


def saved(returns, clock=None) -> bytes:
    with io.BytesIO() as stream:
        arrays = {"returned_episode_returns": returns} | ({} if clock is None else {"timestep": clock})
        np.savez(stream, returned_episode=np.ones(returns.shape, bool), **arrays)
        return stream.getvalue()


OLDER = {maker.__name__: maker for maker in (gym_monitor, keras_rl, rlpyt, all_scalars, torchbeast, purejaxrl)}


@pytest.mark.parametrize("kind", OLDER)
def test_an_older_library_has_the_names_steps_and_values_that_it_wrote(put, tmp_path, kind):
    for algorithm, task, seed in product(ALGORITHMS, TASKS, (1, 2)):
        OLDER[kind](put, algorithm, task, seed)
    curves = ro.read_curves(tmp_path)
    assert cells(curves) == Counter(dict.fromkeys(product(ALGORITHMS, TASKS), 2))
    assert curves.steps.tolist() == list(STEPS) * 12
    assert curves.values.tolist() == pytest.approx(RETURNS * 12)


def test_episodes_of_several_environments_of_gym_are_one_run_in_the_order_of_time(put, tmp_path):
    for i, times in enumerate(([1, 5], [3, 7])):
        batch = {
            "timestamps": times,
            "episode_lengths": [10, 10],
            "episode_rewards": times,
            "episode_types": ["t", "e"],
        }
        put(f"ppo/openaigym.episode_batch.{i}.9.stats.json", json.dumps(batch))
    train = ro.read_curves(tmp_path, series="train/episode_return").curve(0)
    held_out = ro.read_curves(tmp_path, series="eval/episode_return").curve(0)
    assert [values.tolist() for values in (*train[:2], *held_out[:2])] == [[10, 20], [1, 3], [30, 40], [5, 7]]


def test_axes_of_purejaxrl_are_told_by_its_clock_and_asked_about_without_it(put, tmp_path):
    updates = np.arange(12.0).reshape(4, 3)
    put("a/metrics.npz", saved(updates, np.repeat([[1], [2], [3], [4]], 3, axis=1)))
    curve = ro.read_curves(tmp_path / "a")
    assert (curve.n_runs.sum(), curve.values.tolist()) == (1, [1.0, 4.0, 7.0, 10.0])
    put("b/metrics.npz", saved(updates))
    with pytest.raises(ro.DataError, match="seeds or updates"):
        ro.read_curves(tmp_path / "b")


@pytest.mark.parametrize("beside", [{"timesteps": np.array([10, 20, 30])}, {"seeds": np.arange(2), "steps": [1, 2, 3]}])
def test_returns_of_purejaxrl_beside_their_steps_are_a_table_whose_lengths_tell_the_axes(tmp_path, beside):
    for i, name in enumerate(("ppo_Ant-v4", "ppo_Hopper-v4")):
        np.savez(tmp_path / f"{name}.npz", returned_episode_returns=np.arange(6.0).reshape(2, 3) + i, **beside)
    assert ro.read_scores(tmp_path).to_dict() == {"ppo": {"Ant-v4": [2.0, 5.0], "Hopper-v4": [3.0, 6.0]}}


def test_four_axes_of_purejaxrl_are_seeds_updates_steps_and_environments(put, tmp_path):
    values = np.arange(48.0).reshape(2, 3, 4, 2)
    put("ppo_Hopper-v4/metrics.npz", saved(values))
    curves = ro.read_curves(tmp_path)
    assert curves.n_runs.sum() == 2
    assert curves.values.tolist() == values.mean(axis=(2, 3)).ravel().tolist()


def test_a_long_log_of_keras_rl_is_known_by_a_name_behind_its_first_lists(put, tmp_path):
    n = 20_000
    content = {"episode_reward": [1.0] * n, "nb_steps": list(range(1, n + 1)), "nb_episode_steps": [1] * n}
    put("dqn_CartPole-v0_1_log.json", json.dumps(content))
    assert ro.read_curves(tmp_path).values.size == n


# ── pipes ──────────

PIPES = {
    "params.json": ("environment.csv", "0,1,2.5\n1,2,3.5\n"),
    "metrics.jsonl": ("progress.csv", table("step", "eval/return")),
    "hparams.yaml": ("metrics.csv", table("step", "epoch", "eval/return")),
    "args.yml": ("progress.csv", table("time/total_timesteps", "rollout/ep_rew_mean")),
    "config.json": ("progress.txt", table("Epoch", "AverageEpRet", mark="\t")),
    "metadata.json": ("results.jsonl", '{"id": 1, "reward": 1.0}\n'),
    "run_spec.json": ("per_instance_stats.json", "[]"),
    "configuration.yaml": ("walker/x.csv", table("step", "eval/return")),
    "events.out.tfevents.1.h": ("progress.csv", table("step", "eval/return")),
    "x.zip": ("progress.csv", table("step", "eval/return")),
    "x.eval": ("progress.csv", table("step", "eval/return")),
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("name", PIPES)
def test_a_pipe_under_the_name_of_a_log_is_not_opened(put, tmp_path, name):
    beside, content = PIPES[name]
    put(f"ppo_s1/{beside}", content)
    os.mkfifo(tmp_path / "ppo_s1" / name)
    assert ro.scan(tmp_path) is not None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("name", [".hydra/config.yaml", ".hydra/overrides.yaml", "meta.yaml"])
def test_a_pipe_under_the_name_of_a_configuration_above_a_run_is_not_opened(put, tmp_path, name):
    put("job/1/progress.csv", table("step", "eval/return"))
    run = "job/0123456789abcdef0123456789abcdef"
    put(f"{run}/meta.yaml", "run_id: a\nlifecycle_stage: active\nstart_time: 0\nstatus: 3\n")
    put(f"{run}/metrics/eval_return", "0 1.5 10\n")
    (tmp_path / "job" / name).parent.mkdir(exist_ok=True)
    os.mkfifo(tmp_path / "job" / name)
    assert len(ro.scan(tmp_path).rows) == 2


def test_a_monitor_of_gym_without_types_is_of_training_and_its_manifest_names_the_task(put, tmp_path):
    batch = {"timestamps": [2, 4], "episode_lengths": [10, 10], "episode_rewards": [1.5, 2.5]}
    put("ppo/openaigym.episode_batch.0.9.stats.json", json.dumps(batch))
    put("ppo/openaigym.manifest.0.9.manifest.json", json.dumps({"env_info": {"env_id": "Taxi-v3"}}))
    (row,) = ro.scan(tmp_path).rows
    assert (row.algorithm, row.task, row.all_series) == ("ppo", "Taxi-v3", ("train/episode_return",))
    put("ppo/openaigym.episode_batch.0.9.stats.json", json.dumps({**batch, "episode_rewards": [1.5]}))
    with pytest.raises(ro.DataError, match="must be lists of numbers of equal length in a Gym monitor file"):
        ro.read_curves(tmp_path)


def test_two_exports_of_one_writer_are_one_run_and_tags_have_no_folder_of_this_place(put, tmp_path):
    content = {
        f"./runs/elsewhere/{tag}": [[1_700_000_000 + i, 5 * i, 1.5 * i] for i in range(3)] for tag in ("return", "loss")
    }
    for name in ("all_scalars.json", "summary.json"):
        put(f"ppo_seed1/{name}", json.dumps(content))
    (row,) = ro.scan(tmp_path).rows
    assert row.all_series == ("runs/elsewhere/return", "runs/elsewhere/loss")


def test_the_clock_of_purejaxrl_stands_at_the_end_of_each_update(put, tmp_path):
    clock = np.arange(1, 13).reshape(3, 4)[None, :, :, None] * np.ones((2, 1, 1, 2))
    put("a/ppo_Hopper-v4/metrics.npz", saved(np.arange(48.0).reshape(2, 3, 4, 2), clock))
    assert ro.read_curves(tmp_path / "a").steps.tolist() == [4, 8, 12] * 2
    put("b/ppo_Hopper-v4/metrics.npz", saved(np.arange(3.0), np.array([10, 20, 30])))
    assert ro.read_curves(tmp_path / "b").steps.tolist() == [10, 20, 30]
