"""The names on paths to runs without what their configurations, or their files, name as well: settings, tasks, seeds, hosts."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import partial

from runoff.base.grouping import distinct
from runoff.reading._configured import names_in_config
from runoff.reading._known import beyond_noise, names_setting, run_in
from runoff.reading.logs.base import Log
from runoff.words.patterns import regex


def beyond_settings(logs: Sequence[Log]) -> list[tuple[str, ...]]:
    """Return the names on the paths to runs without the settings that configurations also contain: `train_lr=0.0010,seed=0` becomes `train`.

    A setting whose values differ between folders but not between configurations stays, because the configuration is not the one that was run.
    """
    configs = distinct((name.rpartition(".")[2], repr(own)) for log in logs for name, own in log.config.items())
    # As Hydra and Ray Tune write it; the longest name first, for `lr` ends others.
    names = "|".join(map(re.escape, sorted(configs, key=len, reverse=True)))
    override = re.compile(rf"(?<![^\W_])(?:\w+\.)*({names})=([^,=/\s_]*),?")
    paths = ["/".join(log.claim.parts) for log in logs if names]
    in_folders = distinct(pair for path in paths for pair in override.findall(path))
    followed = {name for name, values in in_folders.items() if len(configs[name]) >= len(values)}
    bare = partial(override.sub, lambda match: "" if match[1] in followed else match[0])
    names_in = [names_in_config(log.config) for log in logs]
    tasks = [own.get("task", "") for own in names_in]
    tasks = tasks if all(tasks) else [""] * len(logs)
    folders = [
        _beyond_task([(followed and bare(part)) or _without_host(part, log) for part in log.claim.parts], task)
        for log, task in zip(logs, tasks, strict=True)
    ]
    folders = _beyond_seeds(folders, [own.get("run", "") for own in names_in])
    return [(*parts, *log.hints) for parts, log in zip(folders, logs, strict=True)]


def _beyond_task(parts: list[str], task: str) -> list[str]:
    """Return the names of folders without the task, which the configuration names, if another name is left: `cmp_sac_ant-v3` on Ant-v3."""
    # Of the marks on both sides one is left: `size12m-crafter_reward-0` becomes `size12m-0`.
    inside = re.compile(
        rf"(?P<before>(?<=[^\W_])[-_. ]+)?(?<![^\W_]){re.escape(task)}(?![^\W_])(?(before)[-_. ]*)", re.IGNORECASE
    )
    bare = [inside.sub(lambda match: match["before"] or "", part) for part in parts] if task else parts
    return bare if any(re.search(r"[^\W_]", part) for part in bare) else parts


NUMBERED = regex(r"(?P<name>.*[^\W_])[-_. ]+0*(?P<number>\d+)")
"""A name with a number behind it."""


def _beyond_seeds(folders: list[list[str]], seeds: Sequence[str]) -> list[list[str]]:
    """Return the names of folders without a last number that in all of them is the seed, which the configuration names: `size12m-0`."""
    result = [[*parts] for parts in folders]
    if not all(seeds):
        return result
    for back in range(1, min(map(len, folders)) + 1):
        level = [beyond_noise(parts[-back]) for parts in folders]
        numbered = [NUMBERED.fullmatch(name) for name in level]
        # `lr_1` is a setting, and `run_1` names the run itself.
        of_seeds = [
            match["name"]
            for match, seed in zip(numbered, seeds, strict=True)
            if match and match["number"] == seed and not names_setting(match["name"]) and run_in(match[0]) is None
        ]
        if len(of_seeds) == len(folders):
            for parts, name, own in zip(result, level, of_seeds, strict=True):
                parts[-back] = parts[-back].replace(name, own)
    return result


DATED = regex(r"[A-Z][a-z]{2}\d{1,2}_\d{2}-\d{2}-\d{2}_")
"""How the name begins that PyTorch gives a folder of TensorBoard; the host follows, then what the user adds."""
EVENTS = regex(r"events\.out\.tfevents\.\d+\.(.+)\.\d+\.\d+")


def _without_host(part: str, log: Log) -> str:
    """Return the name of a folder without the host that PyTorch puts behind the date, which its event files name as well."""
    match = DATED.match(part)
    if match is None or not log.claim.path.is_dir():
        return part
    hosts = {event[1] for name in os.listdir(log.claim.path) if (event := EVENTS.fullmatch(name))}
    host = next((host for host in hosts if part[match.end() :].startswith(host)), "")
    return f"{match[0]}{part[match.end() + len(host) :].lstrip('_-')}" if host else part
