"""Event files with a configuration that only one framework writes: HARL, ML-Agents, rsl_rl (Isaac Lab), Sample Factory, robomimic, Guild AI.

The folders alone do not name the runs: the task is a level above the date, and the algorithm an entry in the framework's own file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from runoff.reading._configured import flat
from runoff.reading._names import clues
from runoff.reading.logs.base import ClaimedRun, Folder, Happening, Log, LogPart, Series, Tool, Wish, damage, head_of
from runoff.reading.logs.config import written_config
from runoff.reading.logs.rows import log_of, log_of_series, merged
from runoff.reading.logs.tools import tensorboard
from runoff.reading.logs.wire.lines import as_dict, fields_of, json_object, table_series
from runoff.tables.values import parsed
from runoff.words.patterns import regex


def _with_config(logs: list[Log], config: Mapping[str, Any], happened: tuple[Happening, ...]) -> list[Log]:
    return [replace(log, config={**log.config, **config}, happened=(*log.happened, *happened)) for log in logs]


# ── HARL ──────────

HARL_RUN = regex(r"seed-(\d{1,10})-\d{4}(?:-\d\d){5}")
HARL_PROGRESS, HARL_CONFIG, HARL_USUAL = "progress.txt", "config.json", "installtest"
HARL_ALGORITHMS = frozenset(
    ("happo", "hatrpo", "haa2c", "haddpg", "hatd3", "hasac", "had3qn", "maddpg", "matd3", "mappo")
)


def find_harl(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder `seed-00001-DATE` with a table of steps and returns without a header."""
    if HARL_PROGRESS not in folder.files or not HARL_RUN.fullmatch(folder.path.name):
        return []
    row = [parsed(field) for field in fields_of(folder.head(HARL_PROGRESS))]
    if len(row) != 2 or None in row:
        return []
    return folder.run("harl", [HARL_PROGRESS], whole=True)


def read_harl(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run: the returns of its evaluations, or of its training if it was not evaluated."""
    returns = merged(table_series(part, wish, names=("step", "episode_return")) for part in claim.files)
    config, happened = written_config(claim.path / HARL_CONFIG)
    # ENVIRONMENT/TASK/ALGORITHM/EXPERIMENT/seed-00001-DATE; the last part of the task's name may look like a
    # setting (HalfCheetah-6x1), and the environment alone is no task.
    *_, task, algorithm, experiment, folder = claim.path.parts
    algorithm = str(as_dict(config.get("main_args")).get("algo") or algorithm)
    if algorithm not in HARL_ALGORITHMS and not config:
        return [replace(log_of(claim, returns), happened=(*returns.happened, *happened))]
    match = HARL_RUN.fullmatch(folder)
    own = "" if experiment == HARL_USUAL else f" {experiment}"
    names = {"algorithm": f"{algorithm}{own}", "task": task, "run": str(int(match[1])) if match else folder}
    settings = {key: value for key, value in flat(config.get("algo_args")).items() if not key.startswith("seed.")}
    return [replace(log_of(claim, returns, settings), names=names, happened=(*returns.happened, *happened))]


HARL = Tool(
    title="HARL",
    layout="`ENV/TASK/ALGORITHM/EXPERIMENT/seed-N-DATE/progress.txt` (step, return; no head) beside `config.json`",
    find=find_harl,
    read=read_harl,
)


# ── ML-Agents ──────────

ML_AGENTS_CONFIG = "configuration.yaml"
TRAINER = "trainer_type"


def find_ml_agents(folder: Folder) -> list[ClaimedRun]:
    """Return a run for each behaviour in a training: a folder of event files next to the configuration."""
    if not folder.signed([ML_AGENTS_CONFIG], b"behaviors:"):
        return []
    runs = []
    for name in folder.folders:
        files = tuple(LogPart(path) for path in tensorboard.event_files_in(folder.path / name))
        path, parts = folder.path / name, (*folder.parts, name)
        runs += [ClaimedRun(tool="ml_agents", path=path, parts=parts, files=files)] if files else []
    return runs


def read_ml_agents(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run: its task is the behaviour, its algorithm the trainer."""
    content, happened = written_config(claim.path.parent / ML_AGENTS_CONFIG)
    behaviour = as_dict(as_dict(content.get("behaviors")).get(claim.path.name))
    seed = parsed(as_dict(content.get("env_settings")).get("seed"))
    config = {"algorithm": behaviour.get(TRAINER), "env_name": claim.path.name}
    # -1 lets the tool draw a seed, so that it names no run.
    config |= {"seed": int(seed)} if seed is not None and seed >= 0 else {}
    config |= flat({key: behaviour.get(key) for key in ("hyperparameters", "network_settings", "reward_signals")})
    return _with_config(list(tensorboard.read(claim, wish)), config, happened)


ML_AGENTS = Tool(
    title="ML-Agents",
    layout="`results/RUN_ID/BEHAVIOUR/events.out.tfevents.*` beside `configuration.yaml` (behaviours, their trainers, the seed)",
    find=find_ml_agents,
    read=read_ml_agents,
)


# ── rsl_rl ──────────

RSL_RL_CONFIG = Path("params", "agent.yaml")


def find_rsl_rl(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with event files and the configuration that Isaac Lab gives rsl_rl's runner."""
    if "params" not in folder.folders or not any("tfevents" in name for name in folder.files):
        return []
    head = folder.head(str(RSL_RL_CONFIG))
    if b"experiment_name:" not in head or b"class_name:" not in head:
        return []
    return [replace(claim, tool="rsl_rl") for claim in tensorboard.find(folder)]


def read_rsl_rl(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run: the name of its experiment is the task, the name of its run belongs to the algorithm."""
    content, happened = written_config(claim.path / RSL_RL_CONFIG)
    config = flat(content)
    # `--run_name seed3` names a run, `--run_name symmetry` a variant of the algorithm.
    variant = " ".join(text for _, text in clues([str(config.get("run_name") or "")]).left)
    algorithm = as_dict(content.get("algorithm")).get("class_name")
    names = {"algorithm": f"{algorithm} {variant}".strip(), "task": str(config.get("experiment_name") or "")}
    seed = parsed(config.get("seed"))
    if seed is not None and seed < 0:  # the tool draws one
        del config["seed"]
    names |= {"run": str(int(seed))} if seed is not None and seed >= 0 else {}
    logs = _with_config(list(tensorboard.read(claim, wish)), config, happened)
    return [replace(log, names=names) for log in logs] if algorithm else logs


RSL_RL = Tool(
    title="rsl_rl",
    layout="`rsl_rl/TASK/DATE_NAME/events.out.tfevents.*` beside `params/agent.yaml`, as Isaac Lab leaves it",
    find=find_rsl_rl,
    read=read_rsl_rl,
)


# ── Sample Factory ──────────

SUMMARIES = ".summary"


def find_sample_factory(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with a configuration and event files of each policy in a hidden folder."""
    if "config.json" not in folder.files or not (folder.path / SUMMARIES).is_dir():
        return []
    policies = sorted(path for path in (folder.path / SUMMARIES).iterdir() if path.name.isdecimal())
    several = len(policies) > 1
    files = [
        LogPart(path, f"policy_{policy.name}/" if several else "")
        for policy in policies
        for path in tensorboard.event_files_in(policy)
    ]
    return folder.run("sample_factory", files)


SAMPLE_FACTORY = Tool(
    title="Sample Factory",
    layout="`train_dir/EXPERIMENT/.summary/POLICY/events.out.tfevents.*` beside `config.json`",
    find=find_sample_factory,
    read=tensorboard.read,
)


# ── robomimic ──────────

ROLLOUT = regex(r"Rollout/([^/]+)/(.+)")
"""Series of a task: Rollout/METRIC/TASK."""


PRINTED = "log.txt"
BEGUN = regex(rb"^Epoch (\d+) Rollouts took .*$", re.MULTILINE)
ROLLED = regex(rb"^Epoch (\d+) Rollouts took .*\s+Env: (\S+)\s+(\{[^{}]*\})", re.MULTILINE)
"""The rollouts of an epoch in a task, as a run prints them."""


def find_robomimic(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with robomimic's configuration and event files in `logs/tb`."""
    if "logs" not in folder.folders or not folder.signed(["config.json"], b'"algo_name"'):
        return []
    files = [LogPart(path) for path in tensorboard.event_files_in(folder.path / "logs" / "tb")]
    text = folder.path / "logs" / PRINTED
    return folder.run("robomimic", files or ([LogPart(text)] if ROLLED.search(head_of(text)) else []))


def _of_text(claim: ClaimedRun, wish: Wish) -> Log:
    """Return the rollouts that a run printed, under the names that event files have."""
    text = claim.files[0].path.read_bytes()
    points: dict[str, list[tuple[int, float]]] = {}
    rolled = [*ROLLED.finditer(text)]
    for match in rolled:
        for name, value in (json_object(match[3]) or {}).items():
            if (number := parsed(value)) is not None:
                points.setdefault(f"Rollout/{name}/{match[2].decode()}", []).append((int(match[1]), number))
    columns = {name: np.array(own, dtype=np.float64).T for name, own in points.items()}
    series = {name: Series(step=step, value=value) for name, (step, value) in columns.items()}
    happened = damage(malformed=len(BEGUN.findall(text)) - len(rolled), where=PRINTED)
    return log_of_series(claim, wish, series, happened=happened)


def read_robomimic(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return a log for each task that the policy was rolled out on, whose series have the same names."""

    def keep(name: str) -> bool:
        match = ROLLOUT.fullmatch(name)
        return wish.keep(f"Rollout/{match[1]}" if match else name)

    printed = claim.files[0].path.name == PRINTED
    (log,) = (
        [_of_text(claim, replace(wish, keep=keep))] if printed else tensorboard.read(claim, replace(wish, keep=keep))
    )
    content, happened = written_config(claim.path / "config.json")
    algorithm = as_dict(content.get("algo"))
    # BC-RNN and BC-Transformer are switches of BC.
    switches = [name for name in ("rnn", "transformer") if as_dict(algorithm.get(name)).get("enabled")]
    seed = parsed(as_dict(content.get("train")).get("seed"))
    names = {"algorithm": "_".join(filter(None, [str(content.get("algo_name") or ""), *switches]))}
    names |= {} if seed is None else {"run": str(int(seed))}
    logs = []
    for task, own in _by_task(log.extents).items():
        extents = {short: log.extents[name] for short, name in own.items()}
        series = {short: log.series[name] for short, name in own.items() if name in log.series}
        of_task = {**names, "task": task} if task else names
        logs.append(replace(log, extents=extents, series=series, config=flat(algorithm), names=of_task, inner=task))
    return [replace(log, happened=(*log.happened, *happened)) for log in logs]


def _by_task(names: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Return the series of each task, {name without the task: name}; series without a task belong to all tasks."""
    shared = {name: name for name in names if not ROLLOUT.fullmatch(name)}
    tasks = sorted({match[2] for match in map(ROLLOUT.fullmatch, names) if match})
    return {task: {**shared, **dict(_of_task(names, task))} for task in tasks} or {"": shared}


def _of_task(names: Mapping[str, Any], task: str) -> Iterator[tuple[str, str]]:
    for name in names:
        match = ROLLOUT.fullmatch(name)
        if match and match[2] == task:
            yield f"Rollout/{match[1]}", name


ROBOMIMIC = Tool(
    title="robomimic",
    layout="`EXPERIMENT/DATE/logs/tb/events.out.tfevents.*` (Rollout/METRIC/TASK), or `logs/log.txt`, beside `config.json`",
    find=find_robomimic,
    read=read_robomimic,
)


# ── Guild AI ──────────

GUILD, GUILD_TRASH = ".guild", "trash"


def find_guild(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with flags in the hidden `.guild`: its event files are there, in the folder, or in folders of it."""
    if GUILD_TRASH in folder.parts or not (folder.path / GUILD / "attrs" / "flags").is_file():
        return []
    inside = [LogPart(path) for name in (GUILD, "") for path in tensorboard.event_files_in(folder.path / name)]
    deeper = [
        LogPart(path, f"{name}/") for name in folder.folders for path in tensorboard.event_files_in(folder.path / name)
    ]
    return folder.run("guild", [*inside, *deeper], whole=True)


def read_guild(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run, named by its flags; one whose process ended with another status than 0 failed."""
    attributes = claim.path / GUILD / "attrs"
    flags, happened = written_config(attributes / "flags")
    status = head_of(attributes / "exit_status").decode("utf-8", "replace").strip()
    failed = (Happening(policy="failed", where=f"exit status {status}"),) if status not in ("", "0") else ()
    return _with_config(tensorboard.read(claim, wish), flat(flags), (*happened, *failed))


GUILD_AI = Tool(
    title="Guild AI",
    layout="`runs/ID/.guild/`: event files, and the flags of a run in `attrs/flags`",
    find=find_guild,
    read=read_guild,
)
