"""Folders of training tools with one short run in each, by hand after what the tools write: what tells algorithms, tasks, runs and settings
apart stands where the tool puts it."""

from __future__ import annotations

import io
import json
import zlib

import numpy as np

from tests.reading.logs.frameworks import cleanrl as cleanrl_events
from tests.reading.logs.frameworks import skrl as skrl_events
from tests.reading.logs.frameworks import tianshou as tianshou_events
from tests.reference import logs as twin

STEPS = (100, 200, 300)


def table(*heads: str, mark: str = ",") -> str:
    """Return a table whose columns of steps rise, and whose others are returns."""
    rows = [
        [str(step if "tep" in head or head in ("TotalEnvInteracts", "Epoch") else step / 7) for head in heads]
        for step in STEPS
    ]
    return "\n".join(mark.join(row) for row in [list(heads), *rows]) + "\n"


def date(seed: int, lr: float) -> str:
    """Return the time at which a run began, another for each."""
    return f"2024-01-{1 + seed % 28:02d}_{10 + seed // 100:02d}-{int(1e5 * lr) % 60:02d}-{seed % 60:02d}"


def number(*names) -> int:
    """Return a number for a run that names none of its parts."""
    return zlib.crc32(repr(names).encode()) % 10**6


def spinning_up(put, algorithm, task, seed, lr):
    name = f"{algorithm}_{task}"
    put(f"{name}/{name}_s{seed}/progress.txt", table("Epoch", "AverageEpRet", "TotalEnvInteracts", mark="\t"))
    put(
        f"{name}/{name}_s{seed}/config.json", json.dumps({"exp_name": name, "seed": seed, "ac_kwargs": {}, "pi_lr": lr})
    )


def stable_baselines_folders(put, algorithm, task, seed, lr):
    put(f"{algorithm}/{task}/seed_{seed}/progress.csv", table("time/total_timesteps", "rollout/ep_rew_mean"))


def stable_baselines_tasks(put, algorithm, task, seed, lr):
    put(f"{task}/{algorithm}/seed_{seed}/progress.csv", table("time/total_timesteps", "rollout/ep_rew_mean"))


def stable_baselines_tensorboard(put, algorithm, task, seed, lr):
    events = [twin.event(step, {"rollout/ep_rew_mean": step / 7}) for step in STEPS]
    put(f"tb/{task}/{algorithm}_seed{seed}_1/events.out.tfevents.1.host", twin.event_file(*events))


def zoo(put, algorithm, task, seed, lr):
    folder = f"logs/{algorithm}/{task}_{seed}"
    with io.BytesIO() as stream:
        np.savez(stream, timesteps=np.array(STEPS), results=np.ones((3, 2)) * seed, ep_lengths=np.ones((3, 2)))
        put(f"{folder}/evaluations.npz", stream.getvalue())
    put(
        f"{folder}/{task}/args.yml",
        f"!!python/object/apply:collections.OrderedDict\n- - - algo\n    - {algorithm}\n  - - env\n    - {task}\n  - - seed\n    - {seed}\n",
    )
    put(
        f"{folder}/{task}/config.yml",
        f"!!python/object/apply:collections.OrderedDict\n- - - learning_rate\n    - {lr}\n  - - policy\n    - MlpPolicy\n",
    )


def dreamer(put, algorithm, task, seed, lr):
    lines = "".join(json.dumps({"step": step, "episode/score": step / 7}) + "\n" for step in STEPS)
    folder = f"{algorithm}/{task}/{date(seed, lr)}"
    put(f"{folder}/metrics.jsonl", lines)
    put(f"{folder}/config.yaml", f"seed: {seed}\ntask: {task}\nrun:\n  train_ratio: {lr}\nlogdir: {folder}\n")


def sacred(put, algorithm, task, seed, lr):
    folder = f"sacred/{number(algorithm, task, seed, lr)}"
    series = {"return": {"steps": STEPS, "values": [step / 7 for step in STEPS], "timestamps": []}}
    put(f"{folder}/metrics.json", json.dumps(series))
    put(f"{folder}/run.json", json.dumps({"experiment": {"name": algorithm}, "status": "COMPLETED"}))
    put(f"{folder}/config.json", json.dumps({"seed": seed, "env": task, "lr": lr}))


def cleanrl(put, algorithm, task, seed, lr):
    cleanrl_events(put, f"runs/{task}__{algorithm}__{seed}__170{int(lr * 1e5) % 1000:03d}0{seed:03d}", float(seed), lr)


def skrl(put, algorithm, task, seed, lr):
    skrl_events(put, f"{task}/{algorithm}_seed{seed}", float(seed))


def tianshou(put, algorithm, task, seed, lr):
    tianshou_events(put, f"log/{task}/{algorithm}/{seed}/2401{seed % 28:02d}-1020{int(lr * 1e5) % 60:02d}", float(seed))


def tianshou_highlevel(put, algorithm, task, seed, lr):
    names = ",".join(f"{name}_seed_{seed}" for name in ("experiment", "buffer", "env"))
    tianshou_events(put, f"log/{task}/{algorithm}/{names}", float(seed))


def coax(put, algorithm, task, seed, lr):
    events = [twin.event(step, {"train/episode/avg_r": 1.0, "train/episode/avg_G": step / 7}) for step in STEPS]
    put(f"tensorboard/{task}/{algorithm}/2024{seed:04d}_102030/events.out.tfevents.1.host", twin.event_file(*events))


def torchrl(put, algorithm, task, seed, lr):
    rows = "".join(f"{step},{step / 7}\n" for step in STEPS)
    put(f"logs/{algorithm}_{task}_seed{seed}_24_03_01-10_{seed % 60:02d}_31/scalars/eval_reward.csv", rows)


def hydra_folders(put, algorithm, task, seed, lr):
    put(f"out/algo={algorithm},env={task},lr={lr},seed={seed}/metrics.csv", table("env_step", "eval/return"))


def hydra(put, algorithm, task, seed, lr):
    folder = f"multirun/{date(seed, lr)}/{number(algorithm, task, seed, lr)}"
    put(f"{folder}/results.csv", table("step", "episode_return"))
    put(f"{folder}/.hydra/config.yaml", f"algo: {algorithm}\nenv: {task}\nseed: {seed}\nlr: {lr}\n")


def slurm(put, algorithm, task, seed, lr):
    folder = f"slurm/4242_{number(algorithm, task, seed, lr)}"
    put(f"{folder}/metrics.csv", table("step", "eval_return"))
    put(f"{folder}/config.yaml", f"algo: {algorithm}\nenv: {task}\nseed: {seed}\nlr: {lr}\n")


def counted_folders(put, algorithm, task, seed, lr):
    put(f"{task}/{algorithm}_{seed}/metrics.csv", table("step", "eval_return"))


def sheeprl(put, algorithm, task, seed, lr):
    events = [twin.event(step, {"Rewards/rew_avg": step / 7}) for step in STEPS]
    last = twin.event(STEPS[-1], {"Test/cumulative_reward": 999.0})
    folder = f"logs/runs/{algorithm}/{task}/{date(seed, lr)}_{algorithm}_{task}_{seed}"
    put(f"{folder}/version_0/events.out.tfevents.1.host", twin.event_file(*events, last))
    put(
        f"{folder}/.hydra/config.yaml",
        f"algo:\n  name: {algorithm}\n  optimizer:\n    lr: {lr}\nenv:\n  id: {task}\nseed: {seed}\n",
    )


def omnisafe(put, algorithm, task, seed, lr):
    folder = f"runs/{algorithm}-{{{task}}}/seed-{seed:03d}-{date(seed, lr)}"
    put(f"{folder}/progress.csv", table("Train/Epoch", "Metrics/EpRet", "TotalEnvSteps"))
    put(f"{folder}/config.json", json.dumps({"algo": algorithm, "env_id": task, "seed": seed, "lr": lr}))


def omnisafe_events(put, algorithm, task, seed, lr):
    """The same series as event files, whose records count epochs."""
    events = [twin.event(i, {"Metrics/EpRet": step / 7, "TotalEnvSteps": step}) for i, step in enumerate(STEPS)]
    put(
        f"runs/{algorithm}-{{{task}}}/seed-{seed:03d}-{date(seed, lr)}/tb/events.out.tfevents.1.host",
        twin.event_file(*events),
    )


def wandb_table(put, algorithm, task, seed, lr):
    rows = "".join(json.dumps({"_step": step, "eval/return": step / 7}) + "\n" for step in STEPS)
    put(f"wandb/{algorithm}/{task}/s{seed}/history.jsonl", rows)


def tdmpc(put, algorithm, task, seed, lr):
    put(f"logs/{task}/{seed}/{algorithm}/eval.csv", table("step", "episode_reward"))


def fabric(put, algorithm, task, seed, lr):
    put(f"logs/{algorithm}_{task}/version_{seed}/metrics.csv", table("step", "epoch", "eval/return"))


def dowel(put, algorithm, task, seed, lr):
    put(
        f"data/local/experiment/{algorithm}_{task}_{seed}/progress.csv",
        table("TotalEnvSteps", "Evaluation/AverageReturn"),
    )


def drqv2(put, algorithm, task, seed, lr):
    folder = f"exp_local/{date(seed, lr)}_algo={algorithm},seed={seed},task={task}"
    put(f"{folder}/eval.csv", table("step", "episode_reward"))
    put(f"{folder}/train.csv", table("step", "episode_reward", "fps"))
    put(f"{folder}/.hydra/config.yaml", f"algo: {algorithm}\ntask_name: {task}\nseed: {seed}\nagent:\n  lr: {lr}\n")


def benchmarl(put, algorithm, task, seed, lr):
    name = f"{algorithm}_{task}_mlp__{seed:04x}beef_24_03_01-10_{seed % 60:02d}_31"
    measured = {f"step_{i}": {"step_count": step, "return": [step / 7]} for i, step in enumerate(STEPS)}
    content = {"vmas": {task: {algorithm: {f"seed_{seed}": {**measured, "absolute_metrics": {"return": [1.0]}}}}}}
    put(f"{name}/{name}/{name}.json", json.dumps(content))
    put(f"{name}/{name}/{name}/scalars/collection_reward.csv", "".join(f"{step},{step / 7}\n" for step in STEPS))


def pfrl(put, algorithm, task, seed, lr):
    folder = f"results/{algorithm}/{task}/{date(seed, lr)}"
    put(
        f"{folder}/scores.txt",
        table("steps", "episodes", "elapsed", "mean", "median", "stdev", "max", "min", mark="\t"),
    )
    put(f"{folder}/args.txt", json.dumps({"env": task, "seed": seed, "lr": lr}))


def mushroom_rl(put, algorithm, task, seed, lr):
    put(f"logs/{algorithm}_{task}/R-{seed}.npy", saved(np.array(STEPS) / 7))
    put(f"logs/{algorithm}_{task}/J-{seed}.npy", saved(np.array(STEPS) / 9))


def elegantrl(put, algorithm, task, seed, lr):
    put(f"{task}_{algorithm}_{seed}/recorder.npy", saved(np.array([[step, step / 7, 1, 0, 0, 0] for step in STEPS])))


def torchrl_parts(put, algorithm, task, seed, lr):
    """Series whose names have slashes."""
    rows = "".join(f"{step},{step / 7}\n" for step in STEPS)
    folder = f"logs/{algorithm}_{task}_seed{seed}_ba624f95_24_03_01-10_{seed % 60:02d}_31/scalars"
    for name in ("eval/reward", "train/loss", "collection/time/frames"):
        put(f"{folder}/{name}.csv", rows)


def stable_baselines_json(put, algorithm, task, seed, lr):
    records = ({"time/total_timesteps": step, "rollout/ep_rew_mean": step / 7} for step in STEPS)
    put(f"logs/{task}/{algorithm}/seed{seed}/progress.json", "".join(json.dumps(record) + "\n" for record in records))


def dvclive(put, algorithm, task, seed, lr):
    folder = f"exps/{algorithm}_{task}_{seed}/dvclive"
    rows = "".join(f"{step}\t{step / 7}\n" for step in STEPS)
    put(f"{folder}/plots/metrics/eval/return.tsv", f"step\treturn\n{rows}")
    put(f"{folder}/params.yaml", f"algo: {algorithm}\nenv: {task}\nseed: {seed}\nlr: {lr}\n")


def mlflow(put, algorithm, task, seed, lr):
    run = f"mlruns/1/{number(algorithm, task, seed, lr):032x}"
    put(f"{run}/meta.yaml", "run_id: a\nlifecycle_stage: active\nstart_time: 0\nstatus: 3\n")
    put(f"{run}/metrics/eval_return", "".join(f"0 {step / 7} {step}\n" for step in STEPS))
    for name, value in (("algo", algorithm), ("env", task), ("seed", seed), ("lr", lr)):
        put(f"{run}/params/{name}", str(value))


def wandb_offline(put, algorithm, task, seed, lr):
    config = {"algo": json.dumps(algorithm), "env_id": json.dumps(task), "seed": str(seed), "lr": str(lr)}
    rows = [twin.history(i, {"global_step": str(step), "eval/return": str(step / 7)}) for i, step in enumerate(STEPS)]
    name = f"{number(algorithm, task, seed, lr):08d}"
    records = twin.wandb_file(twin.run_record(config), *rows, twin.chunk(18, b""))
    put(f"wandb/offline-run-20240131_102030-{name}/run-{name}.wandb", records)


def hf_trainer(put, algorithm, task, seed, lr):
    history = [{"step": step, "reward": step / 7, "loss": 1.0} for step in STEPS]
    state = {"global_step": STEPS[-1], "log_history": history}
    put(f"out/{algorithm}_{task}_seed{seed}/checkpoint-{STEPS[-1]}/trainer_state.json", json.dumps(state))


def brax(put, algorithm, task, seed, lr):
    put(f"logs/{algorithm}/{task}/seed_{seed}/progress.csv", table("steps", "eval/episode_reward", "training/sps"))


def saved(array) -> bytes:
    with io.BytesIO() as stream:
        np.save(stream, array)
        return stream.getvalue()


def rllte(put, algorithm, task, seed, lr):
    put(
        f"logs/{algorithm}_{task}_seed{seed}/{date(seed, lr)}/eval.log",
        table("step", "episode", "episode_length", "episode_reward", "total_time"),
    )


def rllib(put, algorithm, task, seed, lr):
    folder = f"ray_results/{algorithm}_{task}_{seed:05d}"
    lines = "".join(
        json.dumps({"timesteps_total": step, "training_iteration": i, "episode_reward_mean": step / 7}) + "\n"
        for i, step in enumerate(STEPS)
    )
    put(f"{folder}/result.json", lines)
    put(f"{folder}/params.json", json.dumps({"env": task, "seed": seed, "lr": lr}))


def acme(put, algorithm, task, seed, lr):
    put(
        f"{task}/{algorithm}/seed_{seed}/logs/evaluator/logs.csv",
        table("actor_steps", "evaluator_steps", "episode_return"),
    )


LAYOUTS = {
    maker.__name__: maker
    for maker in (
        *(
            spinning_up,
            stable_baselines_folders,
            stable_baselines_tasks,
            stable_baselines_tensorboard,
            zoo,
            dreamer,
            sacred,
            cleanrl,
            skrl,
        ),
        *(
            tianshou,
            tianshou_highlevel,
            coax,
            torchrl,
            hydra_folders,
            hydra,
            slurm,
            counted_folders,
            sheeprl,
            omnisafe,
            wandb_table,
            tdmpc,
        ),
        *(fabric, dowel, drqv2, benchmarl, pfrl, rllte, rllib, acme),
        *(
            mushroom_rl,
            elegantrl,
            torchrl_parts,
            stable_baselines_json,
            dvclive,
            mlflow,
            wandb_offline,
            hf_trainer,
            brax,
        ),
    )
}
