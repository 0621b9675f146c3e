"""`Study`: an immutable declaration of worlds × contenders × run counts × effects × repetitions, and its TOML file."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from itertools import product
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from runoff.base.arrays import Floats
from runoff.base.validate import check_alpha, check_choice, check_count
from runoff.errors import OptionError, nearest
from runoff.lab.contenders import CONTENDERS
from runoff.lab.worlds import Distribution, World, distribution
from runoff.lab.worlds.real import RealData, Sources, cell_values, real_curve_world, real_world, split_keys
from runoff.words.numbers import counted

BLOCK = 500
"""The number of repetitions in one block; every block has its own random stream."""
UNITS = ("absolute", "pooled_sd", "lift")
CENTERS = ("mean", "target")


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyCell:
    """One simulated situation: a world, a number of runs, an effect."""

    world: World
    n_runs: int
    effect: float

    @property
    def key(self) -> str:
        """A digest of the situation, which identifies the random streams and the stored parts of a cell."""
        # By content, not by place in the declaration: a study that gains worlds keeps the blocks, and the numbers, of
        # those it had.
        text = json.dumps([self.world.to_dict(), self.n_runs, self.effect], sort_keys=True)
        return sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """The declaration of a simulation study: how methods behave if the truth is known.

    Attributes
    ----------
    name : str
    worlds : tuple of World
        The simulated scenarios.
    contenders : tuple of str
        Names in `runoff.lab.contenders.CONTENDERS`; all of them see the same simulated scores.
    n_runs : tuple of int
        The numbers of runs of each algorithm on each task.
    effects : tuple of float
        The true effects, which are added to the last algorithm's scores on every task; 0 is the null hypothesis.
    effect_unit : "pooled_sd", "absolute", "lift" or float
        The size of an effect of 1: sqrt((σ₁² + σ₂²) / 2) of the task, 1, a doubling (scores × (1 + effect)), or the given number.
    center : "mean" or "target"
        "target" shifts each world for a method that compares medians, so that its *medians* have the values that its means have otherwise
        (Colas 2019, section 4.1).
    right_sign : bool
        Whether a rejection counts only if the sample difference has the sign of the effect, as in Colas' code.
    n_repeats : int
        The number of simulated experiments in each cell.
    n_resamples : int
        The number of permutations and bootstrap resamples in each experiment.
    alpha : float
    seed : int
    title, source : str
    """

    name: str
    worlds: tuple[World, ...]
    contenders: tuple[str, ...]
    n_runs: tuple[int, ...]
    effects: tuple[float, ...] = (0.0,)
    effect_unit: str | float = "pooled_sd"
    center: str = "mean"
    right_sign: bool = False
    n_repeats: int = 10_000
    n_resamples: int = 1_000
    alpha: float = 0.05
    seed: int = 0
    title: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        if not (self.worlds and self.contenders and self.n_runs and self.effects):
            raise OptionError(f"study {self.name!r} needs at least one world, contender, number of runs and effect.")
        for name in self.contenders:
            check_choice("contender", name, CONTENDERS)
        for n in self.n_runs:
            check_count("n_runs", n, 2)
        check_count("n_repeats", self.n_repeats)
        check_count("n_resamples", self.n_resamples)
        check_count("seed", self.seed, 0)
        check_alpha(self.alpha)
        check_choice("center", self.center, CENTERS)
        if not all(isinstance(e, int | float) and isfinite(e) for e in self.effects):
            raise OptionError(f"effects must be finite numbers, not {self.effects!r}.")
        if isinstance(self.effect_unit, str):
            check_choice("effect_unit", self.effect_unit, UNITS)
        elif not (isfinite(self.effect_unit) and self.effect_unit > 0.0):
            message = f"effect_unit must be one of {', '.join(UNITS)} or a number above 0, not {self.effect_unit!r}."
            raise OptionError(message)
        names = [world.name for world in self.worlds]
        listed = {"world": names, "contender": self.contenders, "n_runs": self.n_runs, "effect": self.effects}
        for what, values in listed.items():
            repeated = [value for value in values if list(values).count(value) > 1]
            if repeated:
                raise OptionError(f"study {self.name!r} names {what} {repeated[0]!r} twice.")
        self._check_contenders_fit()

    @property
    def n_blocks(self) -> int:
        """The number of blocks of repetitions in each cell."""
        return -(-self.n_repeats // BLOCK)

    def block_size(self, block: int) -> int:
        """Return the number of repetitions in one block; the last may be smaller."""
        return min(BLOCK, self.n_repeats - block * BLOCK)

    def cells(self) -> Iterator[StudyCell]:
        """Yield the situations in the order of the table."""
        for world, effect, n in product(self.worlds, self.effects, self.n_runs):
            yield StudyCell(world=world, n_runs=n, effect=effect)

    def unit(self, world: World) -> Floats:
        """Return the amount that an effect of 1 adds on each task, (n_tasks,)."""
        if self.effect_unit == "pooled_sd":
            return world.pooled_sd
        size = 1.0 if isinstance(self.effect_unit, str) else float(self.effect_unit)
        return np.full(world.n_tasks, size)

    def to_dict(self) -> dict[str, Any]:
        """Return the declaration in plain values, which a store compares."""
        scalars = (
            "name", "effect_unit", "center", "right_sign", "n_repeats", "n_resamples", "alpha", "seed", "title", "source",
        )  # fmt: skip
        return {
            **{key: getattr(self, key) for key in scalars},
            **{key: list(getattr(self, key)) for key in ("contenders", "n_runs", "effects")},
            "worlds": [world.to_dict() for world in self.worlds],
        }

    def _check_contenders_fit(self) -> None:
        for world, name in product(self.worlds, self.contenders):
            wanted, evaluations = CONTENDERS[name].n_algorithms, CONTENDERS[name].n_evaluations
            if world.least_evaluations < evaluations:
                raise OptionError(
                    f"contender {name!r} needs curves of at least {counted([evaluations], 'evaluation')}, but a run of world {world.name!r} has "
                    f"{world.least_evaluations or 'no curve'}."
                )
            if wanted is not None and wanted != world.n_algorithms:
                raise OptionError(
                    f"contender {name!r} is for {counted([wanted], 'algorithm')}, but world {world.name!r} has {world.n_algorithms}."
                )


# ── as TOML: one file, one study ──────────


STUDY_KEYS = tuple(f.name for f in fields(Study))
OTHER_KEYS = ("data", "printed", "figure", "checks", "notes")
WORLD_KEYS = ("name", "tasks", "split", "data", "algorithms", "n_algorithms", "normalize", "aligned", "run_share")
CURVE_KEYS = ("curves", "name", "algorithms", "n_algorithms", "each", "every")
TASK_KEYS = ("distributions", "times")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A study and the publication to compare it with: printed tables, the panels of a figure, and `checks`, statements of its text as rules
    on the table."""

    study: Study
    printed: tuple[Mapping[str, Any], ...] = ()
    figure: Mapping[str, Any] | None = None
    checks: tuple[Mapping[str, Any], ...] = ()
    notes: str = ""

    def changed(self, **settings: Any) -> Entry:
        """Return the same entry with other settings of the study, such as n_repeats or seed."""
        return replace(self, study=replace(self.study, **settings)) if settings else self


def read_study(path: str | Path, *, data: RealData = None) -> Entry:
    """Return the study in a TOML file; refuse an unknown or missing key, a value out of range, and missing runs."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {error.strerror}.") from error
    return parse_study(text, str(path), data=data)


def parse_study(text: str, where: str, *, name: str | None = None, data: RealData = None) -> Entry:
    """Return the study in a TOML text; `where` names the text in messages, `name` is the study's name if the text has none."""
    try:
        declared = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"{where} is not valid TOML: {error}.") from error
    refuse_unknown(where, declared, (*STUDY_KEYS, *OTHER_KEYS))
    missing = [key for key in ("worlds", "contenders", "n_runs") if key not in declared]
    if missing:
        raise OptionError(f"{where} lacks {', '.join(missing)}.")
    for key in ("worlds", "contenders", "n_runs", "effects"):
        if not isinstance(declared.get(key, []), list):
            raise OptionError(f"{where}: {key} must be a list, not {declared[key]!r}.")
    sources = Sources(data, declared.get("data", {}))
    settings: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in declared.items()
        if key in STUDY_KEYS and key != "worlds"
    }
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
    """Return the world of a declaration or, for curves with `each`, one world for each algorithm, compared with itself."""
    if "curves" not in declared:
        return [_world(where, declared, sources)]
    refuse_unknown(where, declared, CURVE_KEYS)
    curves = sources.curves(str(declared["curves"]))
    options = {key: value for key, value in declared.items() if key not in ("curves", "each")}
    if not declared.get("each", False):
        return [real_curve_world(curves, **{"name": where, **options})]
    title = str(options.pop("name", "{algorithm}"))
    names = options.pop("algorithms", curves.algorithms)
    return [real_curve_world(curves, algorithms=a, name=title.format(algorithm=a), **options) for a in names]


def _world(where: str, declared: Mapping[str, Any], sources: Sources) -> World:
    refuse_unknown(where, declared, WORLD_KEYS)
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
    refuse_unknown(where, declared, TASK_KEYS)
    numbered = enumerate(declared.get("distributions", ()), start=1)
    cells = tuple(_distribution(f"{where}, algorithm {a}", cell, sources) for a, cell in numbered)
    if not cells:
        raise OptionError(f"{where} has no distributions; give one for each algorithm.")
    return [cells] * int(declared.get("times", 1))


def _distribution(where: str, declared: Mapping[str, Any], sources: Sources) -> Distribution:
    if "data" not in declared:
        return distribution(where, declared)
    rest, chosen = split_keys(declared, "data", "algorithm", "task")
    values = cell_values(sources.scores(str(chosen["data"])), where, chosen["algorithm"], chosen["task"])
    return distribution(where, {"family": "empirical", **rest, "values": values})


def refuse_unknown(where: str, declared: Mapping[str, Any], keys: Iterable[str]) -> None:
    """Refuse a key that a declaration may not have."""
    names = list(keys)
    for key in declared:
        if key not in names:
            raise OptionError(f"{where} has an unknown key {key!r}; known are {', '.join(names)}.{nearest(key, names)}")
