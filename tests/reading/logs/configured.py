"""Folders of frameworks whose own configuration says what their folders do not, by hand after what the tools write."""

from __future__ import annotations

import json

from tests.reading.logs.consoles import printed_lines, printed_tables
from tests.reading.logs.layouts import STEPS, date, number, table
from tests.reference import logs as twin


def events(tag: str, *others: str) -> bytes:
    """Return an event file with a series of returns, and others far above it."""
    tags = {tag: 1 / 7, **dict.fromkeys(others, 99.0)}
    return twin.event_file(*(twin.event(step, {name: step * by for name, by in tags.items()}) for step in STEPS))


def harl(put, algorithm, task, seed, lr):
    folder = f"results/mamujoco/{task}/{algorithm}/installtest/seed-{seed:05d}-{date(seed, lr).replace('_', '-')}"
    put(f"{folder}/progress.txt", "".join(f"{step},{step / 7}\n" for step in STEPS))
    put(f"{folder}/logs/train_episode_rewards/aver_rewards/events.out.tfevents.1.h", events("train_episode_rewards"))
    arguments = {"algo": algorithm, "env": "mamujoco", "exp_name": "installtest"}
    content = {"main_args": arguments, "algo_args": {"seed": {"seed": seed}, "train": {"lr": lr}}, "env_args": {}}
    put(f"{folder}/config.json", json.dumps(content))


def ml_agents(put, algorithm, task, seed, lr):
    folder = f"results/run{number(algorithm, task, seed, lr)}"
    put(f"{folder}/{task}/events.out.tfevents.1.h.1.0", events("Environment/Cumulative Reward", "Losses/Policy Loss"))
    behaviour = f"  {task}:\n    trainer_type: {algorithm}\n    hyperparameters:\n      learning_rate: {lr}\n"
    put(f"{folder}/configuration.yaml", f"behaviors:\n{behaviour}env_settings:\n  seed: {seed}\n")
    put(f"{folder}/run_logs/timers.json", "{}")


def isaac_lab(put, algorithm, task, seed, lr):
    folder = f"logs/rsl_rl/{task}/{date(seed, lr)}_{number(algorithm, task, seed, lr)}"
    put(f"{folder}/events.out.tfevents.1.h", events("Train/mean_reward", "Episode_Reward/alive"))
    put(
        f"{folder}/params/agent.yaml",
        f"seed: {seed}\nalgorithm:\n  class_name: {algorithm}\n  learning_rate: {lr}\nexperiment_name: {task}\nrun_name: ''\n",
    )
    put(f"{folder}/params/env.yaml", f"sim:\n  dt: 0.005\nseed: {seed}\nviewer:\n  eye: !!python/tuple\n  - 7.5\n")


def sample_factory(put, algorithm, task, seed, lr):
    folder = f"train_dir/{number(algorithm, task, seed, lr)}"
    put(f"{folder}/.summary/0/events.out.tfevents.1.h", events("reward/reward", "reward/reward_max"))
    put(f"{folder}/config.json", json.dumps({"algo": algorithm, "env": task, "seed": seed, "learning_rate": lr}))


def robomimic(put, algorithm, task, seed, lr):
    folder = f"{number(algorithm, task)}/{date(seed, lr)}"
    put(f"{folder}/logs/tb/events.out.tfevents.1.h", events(f"Rollout/Return/{task}", f"Rollout/Horizon/{task}"))
    content = {"algo_name": algorithm, "train": {"seed": seed, "data": "/d/ph.hdf5"}, "algo": {"learning_rate": lr}}
    put(f"{folder}/config.json", json.dumps(content))


def lightning_template(put, algorithm, task, seed, lr):
    folder = f"logs/train/multiruns/2024-03-01_10-20-30/{number(algorithm, task, seed, lr)}"
    put(f"{folder}/.hydra/overrides.yaml", f"- model={algorithm}\n- data={task}\n- seed={seed}\n")
    put(f"{folder}/.hydra/config.yaml", f"task_name: train\nseed: {seed}\nmodel:\n  optimizer:\n    lr: {lr}\n")
    put(f"{folder}/csv/version_0/metrics.csv", table("epoch", "step", "val/return"))
    put(f"{folder}/csv/version_0/hparams.yaml", "compile: false\n")


def wandb_group(put, algorithm, task, seed, lr):
    rows = [twin.history(i, {"global_step": str(step), "eval/return": str(step / 7)}) for i, step in enumerate(STEPS)]
    name = f"{number(algorithm, task, seed, lr):08d}"
    run = twin.chunk(17, twin.chunk(6, f"{algorithm}-{task}".encode()))
    # A second record of the run says what changed, and nothing of its group.
    records = twin.wandb_file(run, *rows, twin.run_record({}), twin.chunk(18, b""))
    put(f"wandb/offline-run-20240131_102030-{name}/run-{name}.wandb", records)


def lerobot(put, algorithm, task, seed, lr):
    folder = f"outputs/eval/2025-01-{seed % 28 + 1:02d}/10-{seed // 100:02d}-00_{task}_{algorithm}"
    rows = [{"episode_ix": i, "sum_reward": 1.0, "max_reward": 1.0, "success": i < seed % 9} for i in range(9)]
    put(f"{folder}/eval_info.json", json.dumps({"per_episode": rows, "aggregated": {"eval_s": 3.0}}))


def guild(put, algorithm, task, seed, lr):
    folder = f"guild_home/runs/{number(algorithm, task, seed, lr):032x}/.guild"
    put(f"{folder}/events.out.tfevents.1.h", events("eval/return"))
    put(f"{folder}/attrs/flags", f"algo: {algorithm}\nenv: {task}\nlr: {lr}\nseed: {seed}\n")
    put(f"{folder}/attrs/exit_status", "0")
    put("guild_home/locks/run-status", "")
    put("guild_home/trash/runs/1/.guild/attrs/flags", "algo: deleted\n")
    put("guild_home/trash/runs/1/.guild/events.out.tfevents.1.h", events("eval/return"))


def _own(algorithm, task, seed, lr, **more):
    return {
        "agent": {"type": algorithm, "optimizer": {"lr": lr}},
        "env": {"id": task},
        "training": {"seed": seed},
        **more,
    }


def lists(put, algorithm, task, seed, lr):
    folder = f"exp_{number(algorithm, task, seed, lr)}"
    put(f"{folder}/config.json", json.dumps(_own(algorithm, task, seed, lr)))
    curve = {"steps": [*STEPS], "eval_return": [step / 7 for step in STEPS], "best": [99.0]}
    put(f"{folder}/results.json", json.dumps({"host": "a", "curve": curve}))


def records(put, algorithm, task, seed, lr):
    folder = f"exp_{number(algorithm, task, seed, lr)}"
    put(f"{folder}/cfg.yaml", json.dumps(_own(algorithm, task, seed, lr)))
    rows = [{"step": step, "eval": {"return": step / 7}} for step in STEPS]
    put(f"{folder}/log.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


def parts(put, algorithm, task, seed, lr):
    folder = f"exp_{number(algorithm, task, seed, lr)}"
    put(f"{folder}/settings.json", json.dumps(_own(algorithm, task, seed, lr)))
    for kind, scale in (("train", 5), ("eval", 7)):
        rows = [{"step": step, "return": step / scale} for step in STEPS]
        put(f"{folder}/log_{kind}.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


def whole(put, algorithm, task, seed, lr):
    rows = [{"step": step, "return": step / 7} for step in STEPS]
    content = {"args": _own(algorithm, task, seed, lr), "history": rows, "final": {"return": 99.0}}
    put(f"exp_{number(algorithm, task, seed, lr)}.json", json.dumps(content))


CONFIGURED = {
    maker.__name__: maker
    for maker in (
        *(harl, ml_agents, isaac_lab, sample_factory, robomimic, lightning_template, wandb_group),
        *(lists, records, parts, whole, guild),
    )
}
SAMPLES = {
    "harl": harl,
    "ml_agents": ml_agents,
    "rsl_rl": isaac_lab,
    "sample_factory": sample_factory,
    "robomimic": robomimic,
    "records": records,
    "parts": parts,
    "guild": guild,
    "printed_tables": printed_tables,
    "printed_lines": printed_lines,
}
"""Tools whose samples tests write themselves."""
