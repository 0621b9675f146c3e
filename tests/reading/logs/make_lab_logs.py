"""Samples of the loggers of laboratories' code: DreamerV3, d3rlpy, Acme, bsuite, OpenAI baselines, Optuna, Trackio (run by make_logs.py),
and what all makers share: values that look like a training run."""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import sqlite3
import sys
import types
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import yaml

Oracle = dict[str, Any]
START = 1_700_000_000.0


def curve(seed: int, n: int = 12, level: float = 10.0) -> np.ndarray:
    """Return values that rise and jitter, single precision so that every tool can keep them."""
    rng = np.random.default_rng(seed)
    return (level * np.linspace(0.1, 1.0, n) + rng.normal(0, 0.3, n)).astype(np.float32).astype(np.float64)


def dreamer(root: Path) -> Oracle:
    """Write through `elements`, the loggers of DreamerV3; its configuration by hand."""
    from elements.logger import JSONLOutput

    oracle = {}
    for seed in range(2):
        folder = root / "dreamerv3" / f"2024013{seed}T102030"
        folder.mkdir(parents=True)
        outputs = [
            JSONLOutput(folder, parallel=False),
            JSONLOutput(folder, "scores.jsonl", "episode/score", parallel=False),
        ]
        values = curve(seed)
        for i, value in enumerate(values):
            step = 1000 * (i + 1)
            report = {"episode/score": value, "episode/length": 500.0, "train/ret": value / 9, "train/rew_mean": 0.5}
            summaries = [(step, name, np.asarray(number)) for name, number in report.items()]
            for output in outputs:
                output(summaries)
        config = {"seed": seed, "task": "dmc_walker_walk", "agent": {"opt": {"lr": 4e-5}}, "logdir": "~/logdir"}
        (folder / "config.yaml").write_text(yaml.safe_dump(config))
        oracle[str(seed)] = [[1000.0 * (i + 1) for i in range(12)], values.tolist()]
    return oracle


def score_archive(root: Path) -> Oracle:
    """Write what DreamerV3's repository holds under `scores/`, after its `view.py`: by hand, for no package writes it."""
    oracle = {}
    for method, level in (("dreamerv3", 12.0), ("ppo_fixhp", 8.0)):
        runs = []
        for task in ("atari_pong", "atari_alien"):
            for seed in range(2):
                xs, ys = [10_000 * (i + 1) for i in range(6)], curve(seed, 6, level).tolist()
                runs.append({"task": task, "method": method, "seed": str(seed), "xs": xs, "ys": ys})
                oracle[f"{method}/{task}/{seed}"] = [xs, ys]
        text = json.dumps(runs).encode()
        (root / f"atari100k-{method}.json.gz").write_bytes(gzip.compress(text, mtime=0))
    return oracle


def bare(*names: str) -> None:
    """Enter packages without running their `__init__`, which imports far more than the logger."""
    for name in names:
        spec = importlib.util.find_spec(name)
        module = types.ModuleType(name)
        module.__path__ = list(spec.submodule_search_locations)
        sys.modules[name] = module


def d3rlpy(root: Path) -> Oracle:
    bare("d3rlpy", "d3rlpy.logging")
    from d3rlpy.logging.file_adapter import FileAdapter

    oracle = {}
    for algorithm, level in (("CQL", 10.0), ("IQL", 12.0)):
        for seed in range(2):
            name = f"{algorithm}_2024013{seed}102030"
            adapter = FileAdapter(None, str(root / name))
            adapter.write_params(
                {"observation_shape": [3], "config": {"type": algorithm.lower(), "params": {"alpha": 1.0}}}
            )
            values = curve(seed, 6, level)
            for epoch, value in enumerate(values, start=1):
                adapter.write_metric(epoch, 1000 * epoch, "environment", value)
                adapter.write_metric(epoch, 1000 * epoch, "loss", 1 / epoch)
            oracle[name] = [[1000.0 * epoch for epoch in range(1, 7)], values.tolist()]
    return oracle


def acme(root: Path) -> Oracle:
    bare("acme")
    from acme.utils.loggers.csv import CSVLogger

    oracle = {}
    for seed in range(2):
        folder = root / "d4pg" / f"seed_{seed}"
        values = curve(seed, 6)
        evaluator = CSVLogger(str(folder), "evaluator", add_uid=False)
        learner = CSVLogger(str(folder), "learner", add_uid=False)
        for i, value in enumerate(values):
            counts = {"actor_steps": 1000 * (i + 1), "actor_episodes": i + 1, "learner_steps": 100 * (i + 1)}
            evaluator.write({**counts, "evaluator_steps": 50 * i, "episode_return": value, "episode_length": 50})
            learner.write({**counts, "critic_loss": 0.5, "learner_walltime": 2.0 * i})
        evaluator.close()
        learner.close()
        oracle[str(seed)] = [[1000.0 * (i + 1) for i in range(6)], values.tolist()]
    return oracle


def bsuite(root: Path) -> Oracle:
    bare("bsuite")
    from bsuite.logging.csv_logging import Logger

    oracle = {}
    for agent, level in (("dqn", 10.0), ("boot_dqn", 12.0)):
        for name, index in (("catch", 0), ("catch", 1), ("deep_sea", 0), ("deep_sea", 3)):
            logger = Logger(f"{name}/{index}", str(root / agent))
            values = curve(index, 6, level)
            for i, value in enumerate(values):
                total = float(values[: i + 1].sum())
                logger.write(
                    {
                        "steps": 9 * (i + 1),
                        "episode": i + 1,
                        "total_return": total,
                        "episode_len": 9,
                        "episode_return": value,
                    }
                )
            oracle[f"{agent}/{name}/{index}"] = [[9.0 * (i + 1) for i in range(6)], values.tolist()]
    return oracle


def baselines(root: Path) -> Oracle:
    """Write what `CSVOutputFormat` and `Monitor` of baselines 0.1.5 write, by hand: the package no longer installs."""
    oracle = {}
    for seed in range(2):
        folder = root / f"ppo2_seed{seed}"
        folder.mkdir()
        values, steps = curve(seed, 6), [2048 * (i + 1) for i in range(6)]
        rows = [f"{steps[i]},{i + 1},{values[i]},{steps[i] // 8},{1.5 * i}" for i in range(6)]
        head = "total_timesteps,nupdates,eprewmean,serial_timesteps,time_elapsed"
        (folder / "progress.csv").write_text("\n".join([head, *rows]) + "\n")
        start = json.dumps({"t_start": 1_700_000_000.0, "env_id": "Hopper-v2"})
        episodes = [f"{value},1000,{2.0 * (i + 1)}" for i, value in enumerate(values)]
        (folder / "0.0.monitor.csv").write_text("\n".join([f"#{start}", "r,l,t", *episodes]) + "\n")
        oracle[str(seed)] = [steps, values.tolist()]
    return oracle


def pfrl(root: Path) -> Oracle:
    """Write what `record_stats` and `prepare_output_dir` of PFRL write, by hand: the package needs PyTorch."""
    oracle = {}
    for seed in range(2):
        folder = root / "td3" / f"2024013{seed}T102030.{seed}"
        folder.mkdir(parents=True)
        values = curve(seed, 6)
        rows = [f"{1000 * (i + 1)}\t{i + 1}\t{2.5 * i}\t{v}\t{v}\t0.5\t{v + 1}\t{v - 1}" for i, v in enumerate(values)]
        head = "steps\tepisodes\telapsed\tmean\tmedian\tstdev\tmax\tmin"
        (folder / "scores.txt").write_text("\n".join([head, *rows]) + "\n")
        (folder / "args.txt").write_text(json.dumps({"env": "Hopper-v2", "seed": seed, "eval_n_runs": 10}))
        oracle[str(seed)] = [[1000.0 * (i + 1) for i in range(6)], values.tolist()]
    return oracle


def mushroom_rl(root: Path) -> Oracle:
    """Write the arrays of `Logger.log_numpy` of MushroomRL, by hand: the package needs PyTorch."""
    oracle = {}
    for seed in range(2):
        folder = root / "sac_Hopper-v4"
        folder.mkdir(parents=True, exist_ok=True)
        values = curve(seed, 6)
        for name, of in (("J", values / 2), ("R", values), ("E", values * 0 + 1)):
            np.save(folder / f"{name}-{seed}.npy", of)
        oracle[str(seed)] = [[float(i + 1) for i in range(6)], values.tolist()]
    return oracle


def elegantrl(root: Path) -> Oracle:
    """Write the recorder of `Evaluator` of ElegantRL, by hand: the package needs PyTorch."""
    oracle = {}
    for seed in range(2):
        folder = root / f"Hopper-v4_SAC_{seed}"
        folder.mkdir(parents=True)
        values = curve(seed, 6)
        np.save(folder / "recorder.npy", [(1000 * (i + 1), v, 0.5, 0.1, 2.0, -1.0) for i, v in enumerate(values)])
        oracle[str(seed)] = [[1000.0 * (i + 1) for i in range(6)], values.tolist()]
    return oracle


def small(path: Path) -> None:
    """Make a database small: its pages hold 4 KB, most of them nearly empty."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA page_size = 512")
        connection.execute("VACUUM")


def trackio(root: Path) -> Oracle:
    os.environ |= {"TRACKIO_DIR": str(root), "HF_HUB_OFFLINE": "1"}
    import trackio as tool

    oracle = {}
    for algorithm, level in (("ppo", 10.0), ("sac", 12.0)):
        for seed in range(2):
            config = {"seed": seed, "env": {"id": "Walker2d-v4"}, "algo": algorithm}
            tool.init(project="walker", name=f"{algorithm}-{seed}", config=config, embed=False, auto_log_cpu=False)
            values = curve(seed, 6, level)
            for i, value in enumerate(values):
                tool.log(
                    {
                        "eval/mean_return": float(value),
                        "global_step": 2048 * i,
                        "losses": {"value": 0.5},
                        "bad": float("nan"),
                    }
                )
            tool.finish()
            oracle[f"{algorithm}/{seed}"] = [[2048.0 * i for i in range(6)], values.tolist()]
    small(root / "walker.db")
    (root / "walker.lock").unlink(missing_ok=True)
    return oracle


def optuna(root: Path) -> Oracle:
    """Grids of learning rates and seeds in a database and in a journal, of which a trial is pruned and another fails; a table of trials."""
    import optuna as tool
    from optuna.storages import JournalStorage
    from optuna.storages.journal import JournalFileBackend

    tool.logging.disable_default_handler()
    storages = {
        "study.db": f"sqlite:///{root / 'study.db'}",
        "journal.log": JournalStorage(JournalFileBackend(str(root / "journal.log"))),
    }
    oracle = {}
    for file, storage in storages.items():
        for algorithm in ("sac", "td3"):
            sampler = tool.samplers.GridSampler({"lr": [0.001, 0.003], "seed": [0, 1], "act": ["relu"]}, seed=0)
            study = tool.create_study(
                storage=storage, study_name=f"{algorithm}_Hopper-v4", sampler=sampler, direction="maximize"
            )
            study.optimize(lambda trial, name=algorithm: _tried(trial, name), n_trials=4, catch=(ValueError,))
            trials = [
                [t.state.name, t.params, t.user_attrs, t.value, list(t.intermediate_values.items())]
                for t in study.trials
            ]
            oracle[f"{file}/{study.study_name}"] = trials
    study.trials_dataframe().to_csv(root / "trials.csv")
    small(root / "study.db")
    return oracle


def _tried(trial: Any, algorithm: str) -> float:
    import optuna as tool

    rate, seed = trial.suggest_float("lr", 1e-4, 1e-2), trial.suggest_int("seed", 0, 1)
    trial.suggest_categorical("act", ["relu", "tanh"])
    trial.set_user_attr("algorithm", algorithm)
    trial.set_user_attr("env", "Hopper-v4")
    for i in (1, 2, 3):
        trial.report(i * (1000 * rate + seed + (algorithm == "sac")), 100 * i)
        if (algorithm, rate, seed, i) == ("td3", 0.001, 1, 2):
            raise tool.TrialPruned
    if (algorithm, rate, seed) == ("td3", 0.003, 1):
        raise ValueError(algorithm)
    return float(3 * (1000 * rate + seed + (algorithm == "sac")))


MAKERS = {
    maker.__name__: maker
    for maker in (
        *(dreamer, score_archive, d3rlpy, acme, bsuite, baselines, pfrl, mushroom_rl, elegantrl),
        *(trackio, optuna),
    )
}
PACKAGES = ("elements", "d3rlpy", "dm-acme", "bsuite", "trackio", "optuna")
