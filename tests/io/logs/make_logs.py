"""The samples under tests/data/logs: each is written by the tool itself, and what the tool's own reader finds in it lies beside it as JSON.

    python -m tests.io.logs.make_logs [TOOL …]

needs the packages of the extra `make-logs` in an environment of its own, and for marl-eval `pip install --no-deps id-marl-eval neptune-client
tqdm` (it pins versions that the others cannot have); it needs no network. Times and names of hosts are fixed, so that a second
run changes as little as possible.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import sys
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tests.io.logs import make_lab_logs
from tests.io.logs.made import START, Oracle, curve
from tests.places import LOGS

# ── TensorBoard ──────────


def tensorboard(root: Path) -> Oracle:
    from tensorboardX import SummaryWriter as WriterX
    from torch.utils.tensorboard import SummaryWriter

    for algorithm, level in (("PPO", 10.0), ("SAC", 14.0)):
        for seed in range(3):
            writer = SummaryWriter(str(root / "torch" / f"{algorithm}_Hopper-v4_{seed}"))
            _scalars(writer, seed, level, new_style=algorithm == "SAC")
    for part in ("train", "eval"):
        _scalars(WriterX(str(root / "tensorboardX" / "TD3" / "seed_7" / part), write_to_disk=True), 7, 12.0)
    _cleanrl(SummaryWriter(str(root / "cleanrl" / "Pendulum-v1__ddpg__4__1700000000")))
    restarted = root / "restarted" / "A2C_1"
    for part, (first, last) in enumerate(((0, 8), (5, 12))):
        _scalars(
            SummaryWriter(str(restarted), filename_suffix=f".{part}"),
            part,
            9.0,
            first=first,
            last=last,
            shift=100.0 * part,
        )
    return {str(path.relative_to(root)): _events(path) for path in _without_hosts(root)}


def _without_hosts(root: Path) -> list[Path]:
    """Give the event files names without host and process, in the order in which they were written; return them."""
    renamed = []
    for folder in sorted({path.parent for path in root.rglob("*tfevents*")}):
        for i, path in enumerate(sorted(folder.iterdir(), key=lambda path: path.name[-1])):
            renamed.append(path.rename(folder / f"events.out.tfevents.1700000000.host.{i}"))
    return renamed


def _scalars(
    writer: Any, seed: int, level: float, first: int = 0, last: int = 12, shift: float = 0.0, **style: bool
) -> None:
    for i in range(first, last):
        for tag, values in (("rollout/ep_rew_mean", curve(seed, 12, level)), ("train/loss", curve(seed + 50))):
            writer.add_scalar(tag, values[i], 1000 * (i + 1), walltime=START + shift + 10 * i, **style)
    writer.close()


def _cleanrl(writer: Any) -> None:
    arguments = {"exp_name": "ddpg", "seed": 4, "env_id": "Pendulum-v1", "learning_rate": 3e-4}
    rows = "\n".join(f"|{key}|{value}|" for key, value in arguments.items())
    writer.add_text("hyperparameters", f"|param|value|\n|-|-|\n{rows}", walltime=START)
    for i, value in enumerate(curve(4)):
        writer.add_scalar("charts/episodic_return", value, 200 * (i // 2 + 1), walltime=START + i)
    writer.close()


def _events(path: Path) -> dict[str, list[list[float]]]:
    """Return what TensorBoard's own loader finds: tag -> [step, wall time, value]."""
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
    from tensorboard.util import tensor_util

    found: dict[str, list[list[float]]] = {}
    for event in EventFileLoader(str(path)).Load():
        for value in event.summary.value:
            if value.metadata.plugin_data.plugin_name == "scalars":
                number = float(tensor_util.make_ndarray(value.tensor))
                found.setdefault(value.tag, []).append([event.step, event.wall_time, number])
    return found


# ── Weights & Biases ──────────


def wandb(root: Path) -> Oracle:
    import wandb as tool

    for seed in range(2):
        settings = tool.Settings(
            mode="offline",
            silent=True,
            x_disable_meta=True,
            x_disable_stats=True,
            x_disable_machine_info=True,
            host="host",
        )
        config = {"seed": seed, "env": {"id": "Walker2d-v4"}, "algo": "ppo", "widths": [64, 64], "note": None}
        run = tool.init(
            project="demo",
            dir=str(root),
            id=f"run{seed:05d}",
            name=f"walker-{seed}",
            config=config,
            settings=settings,
            tags=["t"],
        )
        for i, value in enumerate(curve(seed, 150)):
            row = {
                "global_step": 2048 * i,
                "eval/mean_return": value,
                "losses": {"value": 1 / (i + 1)},
                "note": "text",
                "flag": True,
            }
            if i < 2:
                row["eval/mean_return"] = float("nan")
            if i == 5:
                row |= {"large": 10**18, "infinite": float("inf"), "empty": None, "list": [1, 2]}
            run.log(row)
        run.finish()
    for path in sorted(root.rglob("*")):
        if path.is_symlink() or (path.is_file() and path.suffix != ".wandb"):
            path.unlink()
    for folder in sorted((root / "wandb").iterdir()):
        if folder.is_dir():
            shutil.rmtree(folder / "files", ignore_errors=True)
            shutil.rmtree(folder / "logs", ignore_errors=True)
            folder.rename(folder.with_name(f"offline-run-20240131_102030-{folder.name[-8:]}"))
    return {path.stem: _history(path) for path in sorted(root.rglob("*.wandb"))}


def _history(path: Path) -> dict[str, Any]:
    """Return the history as the tool's own messages tell it: key -> [step of the record, value as text]."""
    from wandb.proto import wandb_internal_pb2 as messages

    from tests.reference.logs import log_blocks

    found: dict[str, list[list[Any]]] = {}
    for data in log_blocks(path.read_bytes()):
        record = messages.Record.FromString(data)
        for item in record.history.item:
            key = item.key or ".".join(item.nested_key)
            if key not in ("eval/mean_return", "global_step", "losses.value", "large", "infinite"):
                continue
            found.setdefault(key, []).append([record.history.step.num, item.value_json])
    return found


# ── Stable-Baselines3 ──────────


def stable_baselines3(root: Path) -> Oracle:
    import torch
    import yaml
    from stable_baselines3 import A2C, PPO
    from stable_baselines3.common.callbacks import EvalCallback
    from stable_baselines3.common.env_util import make_vec_env
    from stable_baselines3.common.logger import configure

    torch.set_num_threads(1)
    found: Oracle = {}
    for name, kind in (("a2c", A2C), ("ppo", PPO)):
        for run in (1, 2):
            folder = root / name / f"CartPole-v1_{run}"
            folder.mkdir(parents=True)
            env = make_vec_env("CartPole-v1", n_envs=2, seed=run, monitor_dir=str(folder))
            model = kind("MlpPolicy", env, seed=run, n_steps=64, policy_kwargs={"net_arch": [8]}, device="cpu")
            model.set_logger(configure(str(folder), ["csv", "json"]))
            evaluated = make_vec_env("CartPole-v1", n_envs=1, seed=run + 100)
            model.learn(
                1024,
                callback=EvalCallback(evaluated, log_path=str(folder), eval_freq=128, n_eval_episodes=3, verbose=0),
                log_interval=1,
            )
            arguments = OrderedDict([("algo", name), ("env", "CartPole-v1"), ("seed", 1000 + run)])
            (folder / "CartPole-v1").mkdir()
            (folder / "CartPole-v1" / "args.yml").write_text(yaml.dump(arguments))
            found[f"{name}/{folder.name}"] = _stable(folder)
    return found


def _stable(folder: Path) -> dict[str, Any]:
    from stable_baselines3.common.monitor import load_results

    episodes = load_results(str(folder))
    steps, rewards = episodes["l"].cumsum(), episodes["r"]
    with np.load(folder / "evaluations.npz") as arrays:
        evaluations = [arrays["timesteps"].tolist(), arrays["results"].mean(axis=1).tolist()]
    with open(folder / "progress.csv", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["rollout/ep_rew_mean"]]
    progress = [
        [float(row["time/total_timesteps"]) for row in rows],
        [float(row["rollout/ep_rew_mean"]) for row in rows],
    ]
    return {
        "monitor/reward": [steps.tolist(), rewards.tolist()],
        "eval/mean_reward": evaluations,
        "rollout/ep_rew_mean": progress,
    }


# ── RLlib and Ray Tune ──────────


def rllib(root: Path) -> Oracle:
    os.environ |= {
        "RAY_AIR_NEW_OUTPUT": "0",
        "TUNE_DISABLE_AUTO_CALLBACK_LOGGERS": "0",
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_memory_monitor_refresh_ms": "0",
    }
    import ray
    from ray import tune

    def train(config: dict[str, Any]) -> None:
        for i, value in enumerate(curve(config["seed"], 8)):
            returns = {
                "episode_return_mean": float("nan") if i == 0 else value,
                "episode_return_max": value + 1,
                "num_episodes_lifetime": 3 * i,
            }
            tune.report({"env_runners": returns, "num_env_steps_sampled_lifetime": 4000 * (i + 1)})

    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, configure_logging=False)
    space = {"seed": tune.grid_search([0, 1]), "env": "CartPole-v1", "algo": "PPO"}
    with tempfile.TemporaryDirectory() as storage:
        results = tune.Tuner(
            train, param_space=space, run_config=tune.RunConfig(name="cartpole", storage_path=storage, verbose=0)
        ).fit()
        found = {}
        for seed, result in enumerate(sorted(results, key=lambda result: result.config["seed"])):
            folder = root / "cartpole" / f"PPO_CartPole-v1_a1b2c_{seed:05d}_{seed}_seed={seed}_2024-01-31_10-20-30"
            folder.mkdir(parents=True)
            for name in ("result.json", "progress.csv", "params.json"):
                text = (Path(result.path) / name).read_text()
                (folder / name).write_text(_without_host(text))
            frame = result.metrics_dataframe
            names = (
                "num_env_steps_sampled_lifetime",
                "env_runners/episode_return_mean",
                "env_runners/num_episodes_lifetime",
                "time_total_s",
            )
            found[str(folder.relative_to(root))] = {name: frame[name].tolist() for name in names}
    ray.shutdown()
    return json.loads(json.dumps(found))


def _without_host(text: str) -> str:
    text = re.sub(r'("(?:hostname|node_ip)": )"[^"]*"', r'\1"host"', text)
    text = re.sub(r'("pid": )\d+', r"\g<1>1", text)
    return re.sub(rf"\b(?:{re.escape(os.uname().nodename)}|\d+\.\d+\.\d+\.\d+)\b", "host", text)


# ── Sacred, marl-eval, TorchRL ──────────


def sacred(root: Path) -> Oracle:
    from sacred import SETTINGS, Experiment
    from sacred.observers import FileStorageObserver

    SETTINGS.CAPTURE_MODE, SETTINGS.HOST_INFO.CAPTURED_ENV = "no", []
    found = {}
    for seed in (11, 12):
        experiment = Experiment("demo", save_git_info=False)
        experiment.observers.append(FileStorageObserver(root / "vdn", copy_sources=False))
        experiment.add_config({"name": "vdn", "env_args": {"map_name": "3m"}, "seed": seed})
        values = curve(seed)

        @experiment.main
        def main(_run: Any) -> None:
            for i, value in enumerate(values):  # noqa: B023 - it runs before the next is made
                _run.log_scalar("return_mean", float(value), 500 * i)
                if i % 2:
                    _run.log_scalar("test_return_mean", np.float64(value + 1), 500 * i)

        number = experiment.run(options={"--force": True})._id
        folder = root / "vdn" / str(number)
        for name in ("run.json", "cout.txt"):
            (folder / name).unlink(missing_ok=True)
        found[f"vdn/{number}"] = {
            name: [one["steps"], one["values"]]
            for name, one in json.loads((folder / "metrics.json").read_text()).items()
        }
    shutil.rmtree(root / "vdn" / "_sources", ignore_errors=True)
    return found


def marl_eval(root: Path) -> Oracle:
    from marl_eval.json_tools import JsonLogger

    found: Oracle = {}
    for algorithm in ("ippo", "mappo"):
        for seed in range(3):
            logger = JsonLogger(
                path=str(root), algorithm_name=algorithm, task_name="2s3z", environment_name="SMAX", seed=seed
            )
            values = curve(seed, 6, 8.0)
            for i, value in enumerate(values):
                logger.write(10_000 * (i + 1), "mean_episode_return", float(value), evaluation_step=i)
                logger.write(10_000 * (i + 1), "steps_per_second", 1e4, evaluation_step=i)
            logger.write(60_000, "mean_episode_return", float(values.max()), is_absolute_metric=True)
            found[f"{algorithm}/{seed}"] = [[10_000.0 * (i + 1) for i in range(6)], values.tolist()]
    return found


def scalar_csv(root: Path) -> Oracle:
    from torchrl.record.loggers.csv import CSVLogger

    found = {}
    for seed in (0, 1):
        logger = CSVLogger(exp_name=f"dqn_seed{seed}", log_dir=str(root))
        for i, value in enumerate(curve(seed)):
            logger.log_scalar("r_training", float(value), step=400 * (i + 1))
            logger.log_scalar("loss", 1.0 / (i + 1), step=400 * (i + 1))
        found[f"dqn_seed{seed}"] = [[400.0 * (i + 1) for i in range(12)], curve(seed).tolist()]
    return found


# ── by hand, for no package on PyPI writes them ──────────


def spinningup(root: Path) -> Oracle:
    """Write what `EpochLogger` of Spinning Up prints: a header with tabs, a row an epoch, `config.json`. The package is not on PyPI."""
    found = {}
    for algorithm in ("sac", "td3"):
        for seed in (0, 10):
            folder = root / f"{algorithm}_ant" / f"{algorithm}_ant_s{seed}"
            folder.mkdir(parents=True)
            values = curve(seed, 6)
            rows = [(i, values[i] - 2, 1.5, values[i], 1000.0, 4000 * (i + 1), 12.5 * (i + 1)) for i in range(6)]
            head = ("Epoch", "AverageEpRet", "StdEpRet", "AverageTestEpRet", "EpLen", "TotalEnvInteracts", "Time")
            lines = ["\t".join(map(str, row)) for row in (head, *rows)]
            (folder / "progress.txt").write_text("\n".join(lines) + "\n")
            config = {
                "exp_name": f"{algorithm}_ant",
                "env_fn": "<function <lambda>>",
                "seed": seed,
                "logger_kwargs": {"exp_name": "x"},
            }
            (folder / "config.json").write_text(json.dumps(config, indent=4))
            found[str(folder.relative_to(root))] = [[row[5] for row in rows], values.tolist()]
    return found


MAKERS: dict[str, Callable[[Path], Oracle]] = {
    maker.__name__: maker
    for maker in (tensorboard, wandb, stable_baselines3, rllib, sacred, marl_eval, scalar_csv, spinningup)
} | make_lab_logs.MAKERS
PACKAGES = (
    "tensorboard",
    "tensorboardX",
    "torch",
    "wandb",
    "stable_baselines3",
    "ray",
    "sacred",
    "id-marl-eval",
    "torchrl",
    "numpy",
    *make_lab_logs.PACKAGES,
)


def versions() -> Iterator[tuple[str, str]]:
    """Yield the packages that are installed, and their versions."""
    from importlib.metadata import PackageNotFoundError, version

    for name in PACKAGES:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue


def main(names: list[str]) -> None:
    """Make the samples again, all or those named."""
    for name in names or MAKERS:
        root = LOGS / name
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        oracle = {"software": dict(versions()), "found": MAKERS[name](root)}
        (LOGS / f"{name}.json").write_text(json.dumps(oracle, indent=1, allow_nan=True) + "\n")
        print(f"{name}: {sum(path.is_file() for path in root.rglob('*'))} files")


if __name__ == "__main__":
    main(sys.argv[1:])
