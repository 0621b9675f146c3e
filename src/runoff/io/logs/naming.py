"""The names of runs: what the user says, then what the tool knows, then the configuration, then the names of folders.

Names of folders are read over all runs together: of what is left when tasks and seeds are cut away, the folders that differ between runs name
the algorithm, so that runs of different folders are never pooled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from runoff.errors import DataError
from runoff.io._pattern import FIELDS
from runoff.io.logs.base import Happening, Log
from runoff.io.logs.directories import Clues, clues, has_algorithm, is_algorithm
from runoff.io.logs.mapping import Mapped

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
SOURCES = ("pattern", "tool", "configuration", "folders", "one name")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A log with its names; `sources` says of each role where its name is from."""

    log: Log
    algorithm: str
    task: str
    run: str
    sources: Mapping[str, str]

    @property
    def key(self) -> tuple[str, str, str]:
        return self.algorithm, self.task, self.run


def name_all(logs: Sequence[Log], mapped: Mapped, root: str) -> tuple[list[Named], list[tuple[str, Happening]]]:
    """Return the logs with their names, and what happened.

    Each role of all runs of a tool has one source: the first that names it for all of them, else for each run the first that names it.

    Raises
    ------
    DataError
        The user's pattern does not fit a path.
    OptionError
        The user renames what no run is called.
    """
    of_folders = [clues((*log.claim.parts, *log.hints)) for log in logs]
    named: list[Named] = []
    found: list[Clues] = []
    for tool in dict.fromkeys(log.claim.tool for log in logs):
        of_tool = [(log, clue) for log, clue in zip(logs, of_folders, strict=True) if log.claim.tool == tool]
        depths = _telling([clue for _, clue in of_tool])
        sources = [_by_source(log, clue, depths, mapped, root) for log, clue in of_tool]
        shared = {role: _sources_of_all(role, sources) for role in FIELDS}
        for (log, clue), by_source in zip(of_tool, sources, strict=True):
            named.append(_named(log, by_source, shared))
            found.append(clue)
    return _told_apart(_renamed(named, mapped), found)


BySource = Mapping[str, Mapping[str, str]]


def _by_source(log: Log, found: Clues, depths: set[int], mapped: Mapped, root: str) -> BySource:
    """Return what each source says of a run, in order of precedence."""
    path = "/".join((*log.claim.parts, *([log.inner] if log.inner else ())))
    fallback = {"algorithm": root or log.claim.tool, "task": UNKNOWN_TASK, "run": _unique(log)}
    said = (mapped.names(path), log.names, _of_config(log.config), _of_folders(found, depths), fallback)
    return dict(zip(SOURCES, said, strict=True))


def _sources_of_all(role: str, runs: Sequence[BySource]) -> list[str]:
    """Return the sources that name a role for all runs, but for the last resort; the user's word counts for each run alone."""
    return [source for source in SOURCES[:-1] if source == SOURCES[0] or all(run[source].get(role) for run in runs)]


def _named(log: Log, by_source: BySource, shared: Mapping[str, Sequence[str]]) -> Named:
    names, sources = {}, {}
    for role in FIELDS:
        sources[role] = next(source for source in (*shared[role], *SOURCES) if by_source[source].get(role))
        names[role] = by_source[sources[role]][role]
    return Named(log=log, algorithm=names["algorithm"], task=names["task"], run=names["run"], sources=sources)


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


# ── the folders ──────────


def _telling(of_folders: Sequence[Clues]) -> set[int]:
    """Return the depths of folders whose names differ between runs, or are algorithms; the deepest one where there are none."""
    by_depth: dict[int, set[str]] = {}
    for found in of_folders:
        for depth, text in found.left:
            by_depth.setdefault(depth, set()).add(text.casefold())
    missing = {depth for found in of_folders for depth in by_depth if depth not in dict(found.left)}
    telling = {
        depth
        for depth, texts in by_depth.items()
        if len(texts) > 1 or depth in missing or any(map(is_algorithm, texts))
    }
    like = {depth for depth, texts in by_depth.items() if any(map(has_algorithm, texts))}
    return telling or like or set(sorted(by_depth)[-1:])


def _of_folders(found: Clues, depths: set[int]) -> dict[str, str]:
    names: dict[str, str] = {}
    if found.task:
        names["task"] = found.task
    if found.run is not None:
        names["run"] = found.run
    telling = [text for depth, text in found.left if depth in depths]
    if telling:
        names["algorithm"] = "/".join(telling)
    return {role: name for role, name in names.items() if len(name) <= LONGEST}


# ── two runs with one name ──────────


def _told_apart(named: Sequence[Named], of_folders: Sequence[Clues]) -> tuple[list[Named], list[tuple[str, Happening]]]:
    """Return the runs, those of a cell that share a seed in their configuration named by the numbers of their folders, if these differ."""
    groups: dict[tuple[str, str, str], list[int]] = {}
    for i, one in enumerate(named):
        groups.setdefault(one.key, []).append(i)
    result, happened = list(named), []
    for places in groups.values():
        runs = [of_folders[i].run for i in places]
        weak = all(named[i].sources["run"] == "configuration" and not of_folders[i].loose for i in places)
        if len(places) > 1 and weak and len({run for run in runs if run}) == len(places):
            for i, run in zip(places, runs, strict=True):
                sources = {**named[i].sources, "run": "folders"}
                result[i] = replace(named[i], run=str(run), sources=sources)
                happened.append((named[i].log.place, Happening(policy="seed_repeated")))
    return result, happened


def refuse_repeats(named: Sequence[Named], root: str) -> None:
    """Refuse two runs with one algorithm, task and run.

    Raises
    ------
    DataError
        With both places and the repair.
    """
    seen: dict[tuple[str, str, str], Named] = {}
    for one in named:
        other = seen.setdefault(one.key, one)
        if other is not one:
            raise DataError(f"{_short(root)}: {repeated(other, one)}")


def repeated(first: Named, second: Named) -> str:
    """Return the sentence for two runs with one name."""
    a, t, r = (name if len(name) <= 60 else f"{name[:28]}…{name[-28:]}" for name in first.key)
    return (
        f"two runs are named algorithm {a!r}, task {t!r}, run {r!r}: {_short(first.log.place)} and {_short(second.log.place)}; if both count, "
        "tell them apart by their folders, pattern='{algorithm}/{task}/{run}'; if one is a copy or a restart, leave it out."
    )


def _short(place: str) -> str:
    return place if len(place) <= 100 else f"{place[:30]}…{place[-69:]}"
