"""The samples under tests/data/logs: each is written by the tool itself, and what the tool's own reader finds in it lies beside it as JSON.

    python -m tests.reading.logs.make_logs [TOOL …]

needs the packages of requirements.txt beside it in an environment of its own, and for marl-eval `pip install --no-deps id-marl-eval
neptune-client tqdm` (it pins versions that the others cannot have); it needs no network. Times and names of hosts are fixed, so that a second
run changes as little as possible.
"""

from __future__ import annotations

import contextlib
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

from tests.places import LOGS
from tests.reading.logs import make_lab_logs
from tests.reading.logs.make_lab_logs import START, Oracle, curve

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

    oracle: dict[str, list[list[float]]] = {}
    for event in EventFileLoader(str(path)).Load():
        for value in event.summary.value:
            if value.metadata.plugin_data.plugin_name == "scalars":
                number = float(tensor_util.make_ndarray(value.tensor))
                oracle.setdefault(value.tag, []).append([event.step, event.wall_time, number])
    return oracle


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

    oracle: dict[str, list[list[Any]]] = {}
    for data in log_blocks(path.read_bytes()):
        record = messages.Record.FromString(data)
        for item in record.history.item:
            key = item.key or ".".join(item.nested_key)
            if key not in ("eval/mean_return", "global_step", "losses.value", "large", "infinite"):
                continue
            oracle.setdefault(key, []).append([record.history.step.num, item.value_json])
    return oracle


# ── Stable-Baselines3 ──────────


def stable_baselines3(root: Path) -> Oracle:
    import torch
    import yaml
    from stable_baselines3 import A2C, PPO
    from stable_baselines3.common.callbacks import EvalCallback
    from stable_baselines3.common.env_util import make_vec_env
    from stable_baselines3.common.logger import configure

    torch.set_num_threads(1)
    oracle: Oracle = {}
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
            oracle[f"{name}/{folder.name}"] = _stable(folder)
    return oracle


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
        oracle = {}
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
            oracle[str(folder.relative_to(root))] = {name: frame[name].tolist() for name in names}
    ray.shutdown()
    return json.loads(json.dumps(oracle))


def _without_host(text: str) -> str:
    text = re.sub(r'("(?:hostname|node_ip)": )"[^"]*"', r'\1"host"', text)
    text = re.sub(r'("pid": )\d+', r"\g<1>1", text)
    return re.sub(rf"\b(?:{re.escape(os.uname().nodename)}|\d+\.\d+\.\d+\.\d+)\b", "host", text)


# ── Sacred, marl-eval, TorchRL ──────────


def sacred(root: Path) -> Oracle:
    from sacred import SETTINGS, Experiment
    from sacred.observers import FileStorageObserver

    SETTINGS.CAPTURE_MODE, SETTINGS.HOST_INFO.CAPTURED_ENV = "no", []
    oracle = {}
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
        oracle[f"vdn/{number}"] = {
            name: [entry["steps"], entry["values"]]
            for name, entry in json.loads((folder / "metrics.json").read_text()).items()
        }
    shutil.rmtree(root / "vdn" / "_sources", ignore_errors=True)
    return oracle


def marl_eval(root: Path) -> Oracle:
    from marl_eval.json_tools import JsonLogger

    oracle: Oracle = {}
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
            oracle[f"{algorithm}/{seed}"] = [[10_000.0 * (i + 1) for i in range(6)], values.tolist()]
    return oracle


def scalar_csv(root: Path) -> Oracle:
    from torchrl.record.loggers.csv import CSVLogger

    oracle = {}
    for seed in (0, 1):
        logger = CSVLogger(exp_name=f"dqn_seed{seed}", log_dir=str(root))
        for i, value in enumerate(curve(seed)):
            logger.log_scalar("r_training", float(value), step=400 * (i + 1))
            logger.log_scalar("loss", 1.0 / (i + 1), step=400 * (i + 1))
        oracle[f"dqn_seed{seed}"] = [[400.0 * (i + 1) for i in range(12)], curve(seed).tolist()]
    return oracle


# ── MLflow ──────────


def mlflow(root: Path) -> Oracle:
    oracle = _mlflow(f"file:{root / 'mlruns'}")
    shutil.rmtree(root / "mlruns" / "0")
    return oracle


def mlflow_database(root: Path) -> Oracle:
    import sqlite3
    from contextlib import closing

    oracle = _mlflow(f"sqlite:///{root / 'mlflow.db'}")
    with closing(sqlite3.connect(root / "mlflow.db")) as base:
        base.executescript("UPDATE experiments SET artifact_location = ''; PRAGMA page_size = 512; VACUUM;")
    return oracle


def _mlflow(uri: str) -> Oracle:
    os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
    from mlflow.tracking import MlflowClient

    client = MlflowClient(tracking_uri=uri)
    oracle = {}
    for algorithm in ("ppo", "sac"):
        experiment = client.create_experiment(f"{algorithm} tuned", artifact_location="mlflow-artifacts:/demo")
        for seed in range(2):
            begin = int(1000 * START) + 10_000 * seed
            run = client.create_run(experiment, start_time=begin, run_name=f"bold-squid-{seed + 40}").info.run_id
            for name, value in (("seed", seed), ("env.id", "Hopper-v4"), ("algo", algorithm)):
                client.log_param(run, name, value)
            for i, value in enumerate(curve(seed, 6)):
                row = {"eval/mean_return": np.nan if i == 0 else value, "loss": np.inf if i == 2 else 1 / (i + 1)}
                for name, number in row.items():
                    client.log_metric(run, name, float(number), timestamp=begin + 1500 * i, step=1000 * (i + 1))
            client.set_terminated(run, end_time=begin + 9000)
            history = client.get_metric_history(run, "eval/mean_return")
            oracle[f"{algorithm}/{seed}"] = [[point.step, point.timestamp - begin, point.value] for point in history]
        deleted = client.create_run(experiment, start_time=begin).info.run_id
        client.log_metric(deleted, "eval/mean_return", 99.0, timestamp=begin, step=1000)
        client.delete_run(deleted)
    return oracle


# ── by hand, for no package on PyPI writes them ──────────
# ── Lightning, DVCLive, Hugging Face ──────────


def lightning_csv(root: Path) -> Oracle:
    from lightning.pytorch.loggers import CSVLogger

    oracle = {}
    for seed in (3, 4):
        logger = CSVLogger(str(root), name="ppo", version=seed - 3)
        logger.log_hyperparams({"seed": seed, "env_id": "Hopper-v4", "lr": 3e-4})
        values = curve(seed)
        for i, value in enumerate(values):
            logger.log_metrics({"epoch": i, "train/loss": 1.0 / (i + 1)}, step=100 * i)
            logger.log_metrics({"epoch": i, "eval/episode_return": float(value)}, step=100 * i + 99)
        logger.save()
        oracle[f"ppo/{seed}"] = [[100 * i + 99 for i in range(12)], values.tolist()]
    return oracle


def dvclive(root: Path) -> Oracle:
    with tempfile.TemporaryDirectory() as outside, contextlib.chdir(outside):  # it makes a DVC repository where it runs
        oracle = _dvclive(Path("logs"))
        shutil.copytree("logs", root, dirs_exist_ok=True)
    return oracle


def _dvclive(root: Path) -> Oracle:
    from dvclive import Live

    oracle = {}
    for algorithm in ("dqn", "ppo"):
        for seed in (0, 1):
            folder = root / f"{algorithm}_s{seed}" / "dvclive"
            values = curve(seed)
            with Live(str(folder), save_dvc_exp=False, dvcyaml=None) as live:
                live.log_params({"seed": seed, "env": {"id": "CartPole-v1"}})
                for value in values:
                    live.log_metric("eval/return", float(value))
                    live.log_metric("train/loss", 1.0 / (live.step + 1), timestamp=True)
                    live.next_step()
            oracle[f"{algorithm}/{seed}"] = [list(range(12)), values.tolist()]
    return oracle


def hf_trainer(root: Path) -> Oracle:
    """Write states as Trainer does at each checkpoint, by its own class."""
    from transformers.trainer_callback import TrainerState

    oracle = {}
    for seed in (0, 1):
        state = TrainerState(max_steps=60, num_train_epochs=1, logging_steps=5)
        for i, value in enumerate(curve(seed, 12, 1.0)):
            state.global_step = 5 * (i + 1)
            state.epoch = state.global_step / 60
            report = {"loss": 0.1, "reward": float(value), "reward_std": 0.2, "rewards/format/mean": 0.5}
            state.log_history.append({**report, "epoch": state.epoch, "step": state.global_step})
            if state.global_step % 20 == 0:
                folder = root / f"grpo_seed{seed}" / f"checkpoint-{state.global_step}"
                folder.mkdir(parents=True)
                state.save_to_json(str(folder / "trainer_state.json"))
        state = TrainerState.load_from_json(str(folder / "trainer_state.json"))
        oracle[f"grpo/{seed}"] = [
            [row["step"] for row in state.log_history],
            [row["reward"] for row in state.log_history],
        ]
    return oracle


# ── Inspect ──────────


def inspect_ai(root: Path) -> Oracle:
    with tempfile.TemporaryDirectory() as outside, contextlib.chdir(outside):
        return _inspect_ai(root)


def _inspect_ai(root: Path) -> Oracle:
    """Ask two models that are no models; their answers are made by a solver."""
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import Sample
    from inspect_ai.log import read_eval_log
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import match
    from inspect_ai.solver import solver

    @solver
    def answer(every: int) -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            number = int(state.sample_id[1:])
            right = (number + state.epoch) % every
            state.output = ModelOutput.from_content("mockllm/model", str(number + 1 if right else 0))
            return state

        return solve

    questions = [Sample(id=f"q{i}", input=f"{i} + 1?", target=str(i + 1)) for i in range(4)]
    oracle = {}
    for name, every in (("mockllm/llama-2", 2), ("mockllm/llama-3", 3)):
        task = Task(dataset=questions, solver=answer(every), scorer=match(), name="sums")
        (log,) = evaluate(task, model=name, log_dir=str(root), log_format="json", display="none", epochs=2)
        read = read_eval_log(log.location)
        by_question: dict[str, list[float]] = {}
        for sample in read.samples:
            by_question.setdefault(sample.id, []).append(float(sample.scores["match"].value == "C"))
        oracle[name] = {
            "accuracy": read.results.scores[0].metrics["accuracy"].value,
            "questions": {question: float(np.mean(values)) for question, values in by_question.items()},
        }
    return oracle


# ── by hand, for no package on PyPI writes them, or only with a model ──────────


def lm_eval(root: Path) -> Oracle:
    """Write what `lm_eval --output_path --log_samples` writes. It needs a model and data from the network: by hand after its layout."""
    oracle = {}
    date = "2024-01-31T10-20-30.123456"
    for model in ("org/grpo-seed0", "org/grpo-seed1", "org/llama-3"):
        folder = root / model.replace("/", "__")
        folder.mkdir(parents=True)
        rng = np.random.default_rng(len(oracle))
        tasks = {task: rng.integers(0, 2, 6).tolist() for task in ("arc_easy", "winogrande")}
        for task, answers in tasks.items():
            rows = [
                {"doc_id": i, "target": "0", "filter": "none", "metrics": ["acc"], "acc": a}
                for i, a in enumerate(answers)
            ]
            lines = "".join(json.dumps(row) + "\n" for row in rows)
            (folder / f"samples_{task}_{date}.jsonl").write_text(lines)
        results = {
            task: {"alias": task, "acc,none": float(np.mean(answers)), "acc_stderr,none": 0.2}
            for task, answers in tasks.items()
        }
        content = {
            "results": {**results, "both": {"alias": "both", "acc,none": 0.5}},
            "group_subtasks": {"both": list(tasks), **{task: [] for task in tasks}},
            "n-samples": {task: {"original": 6, "effective": 6} for task in tasks},
            "model_name": model,
        }
        (folder / f"results_{date}.json").write_text(json.dumps(content, indent=2))
        oracle[model] = tasks
    return oracle


def lerobot(root: Path) -> Oracle:
    """Write what `lerobot-eval` writes at its end, and what older versions did. It needs a trained policy: by hand after its layout."""
    oracle = {}
    for policy in ("act", "diffusion"):
        for seed in (0, 1):
            folder = root / f"{policy}_seed{seed}"
            folder.mkdir()
            rng = np.random.default_rng(len(oracle))
            tasks = {i: (rng.random(5) < 0.6).tolist() for i in range(2)}
            entries = [
                {
                    "task_group": "libero_goal",
                    "task_id": i,
                    "metrics": {"sum_rewards": list(map(float, wins)), "max_rewards": [1.0] * 5, "successes": wins},
                }
                for i, wins in tasks.items()
            ]
            content = {"per_task": entries, "per_group": {}, "overall": {"n_episodes": 10}}
            (folder / "eval_info.json").write_text(json.dumps(content, indent=2))
            oracle[f"{policy}/{seed}"] = {f"libero_goal_{i}": wins for i, wins in tasks.items()}
    return oracle


def neptune(root: Path) -> Oracle:
    """Write what neptune-exporter leaves of a project. It is not on PyPI and needs Neptune: written by hand after its documented columns."""
    import polars as pl

    schema = {
        **dict.fromkeys(("project_id", "run_id", "attribute_path", "attribute_type"), pl.String),
        "step": pl.Decimal(18, 6),
        "timestamp": pl.Datetime("ms", "UTC"),
        "int_value": pl.Int64,
        "float_value": pl.Float64,
        "string_value": pl.String,
        "bool_value": pl.Boolean,
    }
    oracle = {}
    (root / "lab_walker_1a2b").mkdir(parents=True)
    for run, (algorithm, seed) in enumerate((("sac", 0), ("sac", 1), ("td3", 0))):
        values = curve(seed, 8).tolist()
        same = {"project_id": "lab/walker", "run_id": f"WAL-{run + 1}"}
        parameters = [("string", "parameters/algo", algorithm), ("int", "parameters/seed", seed)]
        rows = [{"attribute_type": t, "attribute_path": p, f"{t}_value": v} for t, p, v in parameters]
        rows += [
            {
                "attribute_type": "float_series",
                "attribute_path": "eval/return",
                "step": str(1000 * (i + 1)),
                "timestamp": int(1000 * START) + 500 * i,
                "float_value": value,
            }
            for i, value in enumerate(values)
        ]
        columns = {name: [{**same, **row}.get(name) for row in rows] for name in schema}
        columns["timestamp"] = pl.Series(columns["timestamp"], dtype=pl.Int64).cast(schema["timestamp"])
        columns["step"] = pl.Series(columns["step"], dtype=pl.String).cast(schema["step"])
        frame = pl.DataFrame(columns, schema=schema)
        for part, piece in enumerate((frame[:6], frame[6:])):
            piece.write_parquet(root / "lab_walker_1a2b" / f"WAL-{run + 1}_part_{part}.parquet", compression="snappy")
        oracle[f"{algorithm}/{seed}"] = [[1000 * (i + 1) for i in range(8)], values]
    return oracle


def verl(root: Path) -> Oracle:
    """Write what the logger `file` of verl writes, a line a step. Its trainer needs several GPUs: written by hand after its layout."""
    oracle = {}
    for experiment, level in (("grpo", 0.5), ("rloo", 0.7)):
        for seed in (0, 1):
            (root / "gsm8k_math").mkdir(exist_ok=True)
            values = curve(seed, 6, level)
            with open(root / "gsm8k_math" / f"qwen_{experiment}_seed{seed}.jsonl", "w") as stream:
                for i in range(11):
                    data = {"critic/score/mean": 0.1 * i, "actor/entropy": 1.0, "training/global_step": i}
                    if i % 2 == 0:
                        data |= {"val-core/openai/gsm8k/reward/mean@1": values[i // 2]}
                        data |= {"val-aux/openai/gsm8k/score/mean@1": values[i // 2]}
                    stream.write(json.dumps({"step": i, "data": data}) + "\n")
            oracle[f"qwen_{experiment}/{seed}"] = [list(range(0, 11, 2)), values.tolist()]
    return oracle


def spinningup(root: Path) -> Oracle:
    """Write what `EpochLogger` of Spinning Up prints: a header with tabs, a row an epoch, `config.json`. The package is not on PyPI."""
    oracle = {}
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
            oracle[str(folder.relative_to(root))] = [[row[5] for row in rows], values.tolist()]
    return oracle


def wandb_chart(root: Path) -> Oracle:
    """Write what the web page of Weights & Biases exports of a chart: all quoted, three columns a run, empty where a run has no value."""
    names = [f"Hopper-v4__{algorithm}__{seed}__170000000{seed}" for algorithm in ("ppo", "sac") for seed in (1, 2)]
    series = "charts/episodic_return"
    head = ["global_step"]
    rows = {step: {} for step in range(100, 1300, 50)}
    oracle = {}
    for i, name in enumerate(names):
        steps = [100 * (k + 1) + 50 * (i % 2) for k in range(6)]
        values = curve(i, 6).tolist()
        head += [f"{name} - {series}{end}" for end in ("", "__MIN", "__MAX")]
        for step, value in zip(steps, values, strict=True):
            rows[step][i] = [value, value, value]
        oracle[name] = [steps, values]
    with open(root / "wandb_export_2024-01-31T10_20_30.123+01_00.csv", "w", newline="") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(head)
        for step, own in rows.items():
            if own:
                writer.writerow([step, *(cell for i in range(len(names)) for cell in own.get(i, ["", "", ""]))])
    return oracle


MAKERS: dict[str, Callable[[Path], Oracle]] = {
    maker.__name__: maker
    for maker in (
        tensorboard,
        wandb,
        stable_baselines3,
        rllib,
        sacred,
        marl_eval,
        scalar_csv,
        spinningup,
        mlflow,
        mlflow_database,
        wandb_chart,
        lightning_csv,
        dvclive,
        hf_trainer,
        verl,
        inspect_ai,
        lm_eval,
        lerobot,
        neptune,
    )
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
    "mlflow-skinny",
    "lightning",
    "dvclive",
    "transformers",
    "inspect_ai",
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
