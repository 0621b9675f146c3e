"""Studies as TOML: one file, one study; unknown keys are refused with the nearest known one."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from runoff.errors import OptionError, nearest
from runoff.studies.spec import Study
from runoff.studies.worlds import Distribution, World, distribution
from runoff.studies.worlds.real import real_world
from runoff.studies.worlds.real_curves import real_curve_world
from runoff.studies.worlds.sources import Data, Sources, cell_values, split_keys

STUDY_KEYS = tuple(f.name for f in fields(Study))
OTHER_KEYS = ("data", "printed", "figure", "checks", "notes")
WORLD_KEYS = ("name", "tasks", "split", "data", "algorithms", "n_algorithms", "normalize", "aligned", "run_share")
CURVE_KEYS = ("curves", "name", "algorithms", "n_algorithms", "each", "every")
TASK_KEYS = ("distributions", "times")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A study with what it is compared with.

    Attributes
    ----------
    study : Study
    printed : tuple of mappings
        Published tables: columns, rows, n_repeats.
    figure : mapping
        Panels, in the paper's layout.
    checks : tuple of mappings
        Statements of the source's text, as rules on the table.
    notes : str
    """

    study: Study
    printed: tuple[Mapping[str, Any], ...] = ()
    figure: Mapping[str, Any] | None = None
    checks: tuple[Mapping[str, Any], ...] = ()
    notes: str = ""

    def changed(self, **settings: Any) -> Entry:
        """Return the same with other settings of the study, such as n_repeats or seed."""
        return replace(self, study=replace(self.study, **settings)) if settings else self


def read_study(path: str | Path, *, data: Data = None) -> Entry:
    """Return the study of a TOML file.

    Raises
    ------
    OptionError
        The file is not TOML, has an unknown or missing key, or a value out of range; or its runs were not given.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {error.strerror}.") from error
    return parse_study(text, str(path), data=data)


def parse_study(text: str, where: str, *, name: str | None = None, data: Data = None) -> Entry:
    """Return the study of a TOML text; `where` names the text in messages, `name` the study if the text does not."""
    try:
        declared = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"{where} is not valid TOML: {error}.") from error
    _refuse_unknown(where, declared, (*STUDY_KEYS, *OTHER_KEYS))
    missing = [key for key in ("worlds", "methods", "n_runs") if key not in declared]
    if missing:
        raise OptionError(f"{where} lacks {', '.join(missing)}.")
    for key in ("worlds", "methods", "n_runs", "effects"):
        if not isinstance(declared.get(key, []), list):
            raise OptionError(f"{where}: {key} must be a list, not {declared[key]!r}.")
    sources = Sources(data, declared.get("data", {}))
    settings = {key: _frozen(value) for key, value in declared.items() if key in STUDY_KEYS and key != "worlds"}
    worlds = tuple(
        world
        for i, declaration in enumerate(declared["worlds"])
        for world in _worlds(f"{where}: world {i + 1}", declaration, sources)
    )
    printed = declared.get("printed", [])
    try:
        study = Study(**{"name": name or Path(where).stem, **settings, "worlds": worlds})
    except TypeError as error:
        raise OptionError(f"{where}: {error}.") from error
    return Entry(
        study=study,
        printed=tuple(printed if isinstance(printed, list) else [printed]),
        figure=declared.get("figure"),
        checks=tuple(declared.get("checks", ())),
        notes=declared.get("notes", ""),
    )


def _worlds(where: str, declared: Mapping[str, Any], sources: Sources) -> list[World]:
    """Return the world of a declaration; or, of curves with `each`, one for each algorithm, that algorithm against itself."""
    if "curves" not in declared:
        return [_world(where, declared, sources)]
    _refuse_unknown(where, declared, CURVE_KEYS)
    curves = sources.curves(str(declared["curves"]))
    options = {key: value for key, value in declared.items() if key not in ("curves", "each")}
    if not declared.get("each", False):
        return [real_curve_world(curves, **{"name": where, **options})]
    title = str(options.pop("name", "{algorithm}"))
    names = options.pop("algorithms", curves.algorithms)
    return [real_curve_world(curves, algorithms=a, name=title.format(algorithm=a), **options) for a in names]


def _world(where: str, declared: Mapping[str, Any], sources: Sources) -> World:
    _refuse_unknown(where, declared, WORLD_KEYS)
    if ("tasks" in declared) == ("data" in declared):
        raise OptionError(f"{where} needs either tasks or data.")
    name = str(declared.get("name", where))
    if "data" in declared:
        scores = sources.scores(declared["data"])
        if "normalize" in declared:
            scores = scores.normalize(declared["normalize"])
        _, options = split_keys(declared, "algorithms", "n_algorithms", "aligned", "split")
        world = real_world(scores, name=name, **{key: value for key, value in options.items() if value is not None})
        return replace(world, run_share=_share(where, declared))
    columns = [
        cells for i, task in enumerate(declared["tasks"]) for cells in _task(f"{where}, task {i + 1}", task, sources)
    ]
    if len({len(cells) for cells in columns}) > 1:
        raise OptionError(f"{where}: tasks differ in their number of algorithms.")
    grid = tuple(zip(*columns, strict=True))
    return World(name=name, grid=grid, split=bool(declared.get("split", False)), run_share=_share(where, declared))


def _share(where: str, declared: Mapping[str, Any]) -> float:
    share = declared.get("run_share", 0.0)
    if isinstance(share, bool) or not isinstance(share, int | float):
        raise OptionError(f"{where}: run_share must be a number, not {share!r}.")
    return float(share)


def _task(where: str, declared: Mapping[str, Any], sources: Sources) -> list[tuple[Distribution, ...]]:
    _refuse_unknown(where, declared, TASK_KEYS)
    cells = tuple(
        _distribution(f"{where}, algorithm {a + 1}", cell, sources)
        for a, cell in enumerate(declared.get("distributions", ()))
    )
    if not cells:
        raise OptionError(f"{where} has no distributions; give one for each algorithm.")
    return [cells] * int(declared.get("times", 1))


def _distribution(where: str, declared: Mapping[str, Any], sources: Sources) -> Distribution:
    if "data" not in declared:
        return distribution(where, declared)
    rest, chosen = split_keys(declared, "data", "algorithm", "task")
    values = cell_values(sources.scores(str(chosen["data"])), where, chosen["algorithm"], chosen["task"])
    return distribution(where, {"family": "empirical", **rest, "values": values})


def _refuse_unknown(where: str, declared: Mapping[str, Any], keys: Iterable[str]) -> None:
    names = list(keys)
    for key in declared:
        if key not in names:
            raise OptionError(f"{where} has an unknown key {key!r}; known are {', '.join(names)}.{nearest(key, names)}")


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
