"""The names in paths of tables, and in configurations beside them: these name what a path does not, and contradict it nowhere."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from runoff.data.reference import stem
from runoff.errors import DataError
from runoff.reading._configured import names_in_config
from runoff.reading._jobs import refuse_jobs
from runoff.reading._known import has_algorithm
from runoff.reading._names import names_of
from runoff.reading._parts import without_tag
from runoff.reading._paths import STDIN, File, shown
from runoff.reading._trails import Names, Trail
from runoff.reading.logs.config import configuration, configured_places
from runoff.reading.logs.settings import swept
from runoff.tables.columns import NAMED
from runoff.words.labels import run_of
from runoff.words.patterns import regex
from runoff.words.speech import option
from runoff.words.words import canonical, without_numbers

CONFIGURED = "the configuration beside it"


def names_of_paths(trails: Sequence[Trail]) -> list[Names]:
    """Return the names in the paths of files, and in the configurations beside them; refuse an algorithm, or a task, that a path names beside
    a configuration with another: folders of jobs, `exp_017`, would be algorithms, and each a sample of one run. Refuse runs of one name whose
    configurations differ, which would be pooled."""

    @cache
    def configured(places: tuple[Path, ...]) -> Mapping[str, Any]:
        return configuration(places)[0]

    # A table that names its algorithms holds the runs of many configurations.
    configs = [
        configured(tuple(configured_places(trail.path.parent, trail.parts[:-1]))) if "algorithm" in trail.lacks else {}
        for trail in trails
    ]
    configs_name = _named_by_configurations(trails, [names_in_config(config) for config in configs])
    names = configs_name or [
        _with_configured(trail, own, names_in_config(config))
        for trail, own, config in zip(trails, names_of(trails), configs, strict=True)
    ]
    _refuse_pooled(trails, names, configs)
    alone = [(trail, own) for trail, own in zip(trails, names, strict=True) if "algorithm" in trail.lacks]
    if alone and all("run" in trail.lacks and "run" not in own.names for trail, own in alone):
        refuse_jobs(
            [own.names.get("algorithm", "") for _, own in alone], [trail.path for trail, _ in alone], short=True
        )
    for trail, own in zip(trails, names, strict=True):
        _refuse_runs_of_a_run(trail, own.names.get("algorithm", ""))
    return names


EXPERIMENT = regex(r"exp[-_ ]?\d+", re.IGNORECASE)
"""A folder that numbers experiments, and is no bandit of the name EXP3."""


def _named_by_configurations(trails: Sequence[Trail], configs: Sequence[Mapping[str, str]]) -> list[Names] | None:
    """Return the names of learning curves in folders that only number them, `exp_0/train.log`, as the configuration in each has them; None where
    one lacks the algorithm or the run, where two have the same, and where paths differ in more than numbers."""
    numbered = {without_numbers("/".join(trail.parts)) for trail in trails}
    whole = all({"algorithm", "run"} <= trail.lacks and trail.one_run and len(trail.parts) > 1 for trail in trails)
    if not whole or len(numbered) > 1 or not all({"algorithm", "run"} <= own.keys() for own in configs):
        return None
    if len({tuple(own.get(role, "") for role in NAMED) for own in configs}) < len(trails):
        return None
    parts = {part for trail in trails for part in (*trail.above[-1:], *trail.parts[:-1])}
    folders = [part for part in parts if has_algorithm(part) and not EXPERIMENT.fullmatch(part)]
    if any(canonical(own["algorithm"]) not in canonical(part) for own in configs for part in folders):
        return None
    return [
        Names(names=own, where=dict.fromkeys(own, CONFIGURED))
        for trail, config in zip(trails, configs, strict=True)
        for own in [{role: name for role, name in config.items() if role in trail.lacks}]
    ]


def _with_configured(trail: Trail, names: Names, configured: Mapping[str, str]) -> Names:
    """Return the names of a path with those of its configuration for what it does not name."""
    path = canonical("/".join(trail.path.parts))
    for role in ("algorithm", "task"):
        named, own = names.names.get(role, ""), configured.get(role, "")
        # `hopper` of a path is `Hopper-v4`.
        if named and own and canonical(stem(own)) not in path + canonical(stem(named)):
            raise DataError(
                f"{trail.path}: its path names {role} {named!r}, and the configuration beside it {own!r}, which is not read for tables: "
                f"{_way_out()}."
            )
    more = {role: own for role, own in configured.items() if role in trail.lacks and role not in names.names}
    if "algorithm" in trail.lacks and _only_numbers(names.names.get("algorithm", ""), configured):
        more["algorithm"] = configured["algorithm"]
    return replace(names, names={**names.names, **more}, where={**names.where, **dict.fromkeys(more, CONFIGURED)})


def _refuse_runs_of_a_run(trail: Trail, algorithm: str) -> None:
    """Refuse several runs in a file below a folder called `seed_2`: they would be those of an algorithm called `sac/seed_2`."""
    named = next((part for part in algorithm.split("/")[1:] if run_of(part) is not None), "")
    if named and "run" not in trail.lacks:
        raise DataError(
            f"{trail.path}: its path names a run, {named!r}, and it holds several scores, which may be those of episodes, or of evaluations: "
            f"{_way_out()}, in which {{run}} stands for the number of a run."
        )


def _only_numbers(named: str, configured: Mapping[str, str]) -> bool:
    """Return whether a name in a path is that of the configured algorithm with a number behind it, `ppo_3`; `ppo_noclip` is a variant."""
    rest, own = canonical(named), canonical(configured.get("algorithm", ""))
    if not own or own not in rest or rest == own:
        return False
    task = canonical(stem(configured.get("task", "")))
    return re.fullmatch(r"(?:s|seed|run|job|exp)?\d*", rest.replace(own, "", 1).replace(task, "", 1)) is not None


def _refuse_pooled(trails: Sequence[Trail], names: Sequence[Names], configs: Sequence[Mapping[str, Any]]) -> None:
    """Refuse runs of one algorithm and task whose configurations differ in what is tuned."""
    runs: dict[str, dict[str, list[int]]] = {}
    for i, (own, config) in enumerate(zip(names, configs, strict=True)):
        if config:
            runs.setdefault(own.names.get("algorithm", ""), {}).setdefault(own.names.get("task", ""), []).append(i)
    for algorithm, tasks in runs.items():
        differing = swept([[configs[i] for i in cell] for cell in tasks.values()]).settings
        first = next(
            (cell for cell in tasks.values() if len({str(configs[i].get(d)) for i in cell for d in differing}) > 1), []
        )
        if first:
            values = list(dict.fromkeys(str(configs[i].get(differing[0])) for i in first))
            raise DataError(
                f"{trails[first[0]].path}: the configurations beside the runs of {algorithm!r} differ in {differing[0]!r} "
                f"({', '.join(values[:3])}), and they are not read for tables: {_way_out()}."
            )


def _way_out() -> str:
    return (
        "keep one file of results for each run, an object or lines of JSON with its score or with steps and scores, or name the runs by "
        f"{option('pattern')}"
    )


def places_below(files: Sequence[File]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the names of folders and file below the folder that all files share, and those of this folder and of two above."""
    if any(file.path == STDIN for file in files):
        return [((file.stem,), ()) for file in files]
    parents = [os.path.abspath(file.path.parent) for file in files]
    common = Path(os.path.commonpath(parents))
    above = tuple(map(shown, common.parts[1:][-3:]))
    inner = [tuple(map(shown, Path(parent).relative_to(common).parts)) for parent in parents]
    return [((*folders, without_tag(file.stem)), above) for folders, file in zip(inner, files, strict=True)]
