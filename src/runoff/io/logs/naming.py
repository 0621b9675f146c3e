"""The names of runs: what the user says, then what the tool knows, then the configuration, then the names of folders.

Names of folders are read over all runs together: of what is left when tasks and seeds are cut away, the folders that differ between runs name
the algorithm, so that runs of different folders are never pooled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from runoff.io._pattern import FIELDS
from runoff.io.logs.base import Happening, Log
from runoff.io.logs.directories import Clues, clues, has_algorithm
from runoff.io.logs.levels import clues_of_all, folder_names
from runoff.io.logs.mapping import Mapped
from runoff.io.logs.sources import CONFIGURATION, FOLDERS, LAST, SOURCES, refined, taken
from runoff.words.speech import option

ALGORITHM_KEYS = (
    *(
        "algorithm",
        "algo",
        "alg",
        "algo_name",
        "alg_name",
        "algorithm_name",
        "algo_class",
        "algorithm_class",
        "agent_name",
        "method",
        "learner_name",
    ),
)
TASK_KEYS = (
    *(
        "map_name",
        "env_key",
        "env_id",
        "gym_id",
        "env_name",
        "environment_id",
        "environment_name",
        "task_name",
        "task_id",
        "env",
        "environment",
        "task",
        "game",
        "scenario",
    ),
)
RUN_KEYS = ("seed", "random_seed", "rng_seed", "env_seed", "seed_id")
MAYBE_ALGORITHM_KEYS = ("exp_name", "experiment_name", "name", "agent", "run_name", "trainable_name", "run")
"""Keys whose value is an algorithm if that is what it looks like."""
LONGEST = 200
"""Letters of a name; a longer one is not taken from a configuration."""
UNKNOWN_TASK = "task"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A log with its names; `sources` says of each role where its name is from, `lacks` the role that something else names for the others."""

    log: Log
    algorithm: str
    task: str
    run: str
    sources: Mapping[str, str]
    lacks: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        return self.algorithm, self.task, self.run


@dataclass(frozen=True, slots=True, kw_only=True)
class AllNamed:
    """The runs with their names, what happened, and the sentences on what cannot be told."""

    named: tuple[Named, ...]
    happened: tuple[tuple[str, Happening], ...]
    unclear: tuple[str, ...]


def name_all(logs: Sequence[Log], mapped: Mapped, root: str) -> AllNamed:
    """Return the names of the runs; each role of all runs of a tool has one source (`sources.taken`).

    Raises
    ------
    DataError
        The user's pattern does not fit a path.
    OptionError
        The user renames what no run is called.
    """
    named: list[Named] = []
    found: list[Clues] = []
    unclear: list[str] = []
    for tool in dict.fromkeys(log.claim.tool for log in logs):
        of_tool = [log for log in logs if log.claim.tool == tool]
        of_folders = clues_of_all([(*log.claim.parts, *log.hints) for log in of_tool])
        runs, sentence = _of_tool(of_tool, of_folders, mapped, root)
        named, found = [*named, *runs], [*found, *of_folders]
        unclear += [sentence] if sentence else []
    unclear += _without_task(named)
    apart, happened = _told_apart(_renamed(named, mapped), found)
    return AllNamed(named=tuple(apart), happened=tuple(happened), unclear=tuple(unclear))


def _of_tool(logs: Sequence[Log], found: Sequence[Clues], mapped: Mapped, root: str) -> tuple[list[Named], str]:
    """Return the runs of a tool with their names, and what cannot be told of their folders if these name the algorithms."""
    said = [(mapped.names(path_of(log)), log.names, _of_config(log.config)) for log in logs]
    whole = {role: all(any(one.get(role) for one in each) for each in said) for role in FIELDS}
    folders = folder_names(found, with_task=whole["task"], with_run=whole["run"])
    runs = [
        dict(zip(SOURCES, (*each, of_folders, _last_resort(log, root)), strict=True))
        for log, each, of_folders in zip(logs, said, folders.names, strict=True)
    ]
    tasks, labels = taken("task", runs), taken("run", runs)
    algorithms = refined(taken("algorithm", runs), tasks, runs)
    named = [
        Named(
            log=log,
            algorithm=algorithms.names[i],
            task=tasks.names[i],
            run=labels.names[i],
            sources={"algorithm": algorithms.sources[i], "task": tasks.sources[i], "run": labels.sources[i]},
            lacks="algorithm" if i in algorithms.lacking else "task" if i in tasks.lacking else "",
        )
        for i, log in enumerate(logs)
    ]
    return named, folders.unclear if FOLDERS in algorithms.sources else ""


def _without_task(named: Sequence[Named]) -> list[str]:
    """Return the sentence on runs whose task nothing names, where something names that of others."""
    bare = [one for one in named if one.sources["task"] == LAST and not one.lacks]
    others = [one for one in named if one.sources["task"] != LAST]
    if not bare or not others:
        return []
    return [
        f"nothing names the task of {len(bare)} of {len(named)} runs (for example {short(bare[0].log.place)}), while others are on "
        f"{others[0].task!r}; are these other logs of the same runs? Read the folders one by one, or name the tasks: "
        f"{option('pattern', '{algorithm}/{task}/{run}')} ('*' stands for what names nothing)."
    ]


def path_of(log: Log) -> str:
    return "/".join((*log.claim.parts, *([log.inner] if log.inner else ())))


def _last_resort(log: Log, root: str) -> dict[str, str]:
    return {"algorithm": root or log.claim.tool, "task": UNKNOWN_TASK, "run": _unique(log)}


def _renamed(named: Sequence[Named], mapped: Mapped) -> list[Named]:
    """Return the runs under the names that the user gives to algorithms and tasks."""
    mapped.refuse_unknown({role: {str(getattr(one, role)) for one in named} for role in mapped.renamed})
    new = mapped.renamed
    return [
        replace(
            one,
            algorithm=new.get("algorithm", {}).get(one.algorithm, one.algorithm),
            task=new.get("task", {}).get(one.task, one.task),
        )
        for one in named
    ]


def _unique(log: Log) -> str:
    return log.inner or (log.claim.parts[-1] if log.claim.parts else log.claim.path.name)


# ── the configuration ──────────


def _of_config(config: Mapping[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    task = _first(config, TASK_KEYS)
    domain = _first(config, ("domain", "domain_name", "suite_domain"))
    if task:
        found["task"] = f"{domain}_{task}" if domain and domain not in task else task
    run = _first(config, RUN_KEYS)
    if run:
        found["run"] = run
    algorithm = _first(config, ALGORITHM_KEYS) or _maybe_algorithm(config)
    if algorithm:
        found["algorithm"] = algorithm
    return found


def _first(config: Mapping[str, Any], keys: Sequence[str]) -> str | None:
    """Return the value of the first key, at the top of the configuration or nested, the least nested first."""
    by_last: dict[str, list[tuple[int, str]]] = {}
    for name in config:
        pieces = name.casefold().replace("-", "_").split(".")
        by_last.setdefault(pieces[-1], []).append((len(pieces), name))
        if len(pieces) > 1 and pieces[-1] in ("id", "name", "key"):
            by_last.setdefault(f"{pieces[-2].removesuffix('_args')}_{pieces[-1]}", []).append((len(pieces), name))
    for key in keys:
        for _, name in sorted(by_last.get(key, [])):
            text = _as_name(config[name])
            if text:
                return text
    return None


def _as_name(value: Any) -> str | None:
    """Return a scalar as a name; None for what is none: nothing, objects, texts that are too long."""
    if value is None or isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()
    sound = (
        text
        and len(text) <= LONGEST
        and text.isprintable()
        and not text.startswith("<")
        and text.casefold() not in ("none", "null", "nan")
    )
    return text if sound else None


def _maybe_algorithm(config: Mapping[str, Any]) -> str | None:
    for key in MAYBE_ALGORITHM_KEYS:
        text = _first(config, (key,))
        if text:
            found = clues(text.split("__"))
            said = [rest for _, rest in found.left]
            if said and (has_algorithm(said[-1]) or key == "exp_name"):
                return said[-1]
    return None


# ── two runs with one name ──────────


def _told_apart(named: Sequence[Named], of_folders: Sequence[Clues]) -> tuple[list[Named], list[tuple[str, Happening]]]:
    """Return the runs, those of a cell that share a seed in their configuration named by the numbers of their folders, if these differ."""
    groups: dict[tuple[str, str, str], list[int]] = {}
    for i, one in enumerate(named):
        groups.setdefault(one.key, []).append(i)
    result, happened = list(named), []
    for places in groups.values():
        runs = [of_folders[i].run for i in places]
        weak = all(named[i].sources["run"] == CONFIGURATION and not of_folders[i].loose for i in places)
        if len(places) > 1 and weak and len({run for run in runs if run}) == len(places):
            for i, run in zip(places, runs, strict=True):
                sources = {**named[i].sources, "run": "folders"}
                result[i] = replace(named[i], run=str(run), sources=sources)
                happened.append((named[i].log.place, Happening(policy="seed_repeated")))
    return result, happened


def short(place: str) -> str:
    return place if len(place) <= 100 else f"{place[:30]}…{place[-69:]}"
