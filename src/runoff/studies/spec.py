"""`Study`: a frozen declaration of worlds × methods × run counts × effects × repetitions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from math import isfinite
from typing import Any

import numpy as np

from runoff.base.arrays import Floats
from runoff.base.validate import check_alpha, check_choice, check_count
from runoff.errors import OptionError
from runoff.studies.contenders import CONTENDERS
from runoff.studies.worlds import World

BLOCK = 500
"""Repetitions of one block; every block has its own random stream."""
UNITS = ("absolute", "pooled_sd", "lift")
CENTRES = ("mean", "target")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One simulated situation: a world, a number of runs, an effect."""

    world: World
    n_runs: int
    effect: float

    @property
    def key(self) -> str:
        """A digest of the situation: the streams and the stored parts of a cell are found by it."""
        text = json.dumps([self.world.to_dict(), self.n_runs, self.effect], sort_keys=True)
        return sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """How do methods behave where the truth is known?

    Attributes
    ----------
    name : str
    worlds : tuple of World
    methods : tuple of str
        Keys of `runoff.studies.contenders.CONTENDERS`; all see the same simulated scores.
    n_runs : tuple of int
        Runs of each algorithm on each task.
    effects : tuple of float
        Added to the last algorithm's scores on every task; 0 is the null.
    effect_unit : "pooled_sd", "absolute", "lift" or float
        What an effect of 1 is: sqrt((σ₁² + σ₂²) / 2) of the task, 1, a doubling (scores × (1 + effect)), or this number.
    centre : "mean" or "target"
        "target" moves each world, for a method that compares medians, so that its *medians* are what its means are otherwise:
        Colas (2019) section 4.1.
    right_sign : bool
        With an effect, count a rejection only if the sample difference has the effect's sign, as Colas' code does.
    n_repeats : int
        Simulated experiments of each cell.
    n_resamples : int
        Permutations and bootstrap resamples of each experiment.
    alpha : float
    seed : int
    title, source : str
    """

    name: str
    worlds: tuple[World, ...]
    methods: tuple[str, ...]
    n_runs: tuple[int, ...]
    effects: tuple[float, ...] = (0.0,)
    effect_unit: str | float = "pooled_sd"
    centre: str = "mean"
    right_sign: bool = False
    n_repeats: int = 10_000
    n_resamples: int = 1_000
    alpha: float = 0.05
    seed: int = 0
    title: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        if not (self.worlds and self.methods and self.n_runs and self.effects):
            raise OptionError(f"study {self.name!r} needs at least one world, method, number of runs and effect.")
        for name in self.methods:
            check_choice("method", name, CONTENDERS)
        for n in self.n_runs:
            check_count("n_runs", n, 2)
        check_count("n_repeats", self.n_repeats)
        check_count("n_resamples", self.n_resamples)
        check_count("seed", self.seed, 0)
        check_alpha(self.alpha)
        check_choice("centre", self.centre, CENTRES)
        self._check_effects()
        self._check_distinct()
        for world in self.worlds:
            self._check_methods_fit(world)

    @property
    def n_blocks(self) -> int:
        """Blocks of repetitions of each cell."""
        return -(-self.n_repeats // BLOCK)

    def block_size(self, block: int) -> int:
        """Repetitions of one block; the last may be smaller."""
        return min(BLOCK, self.n_repeats - block * BLOCK)

    def cells(self) -> Iterator[Cell]:
        """Yield the situations in the order of the table."""
        for world in self.worlds:
            for effect in self.effects:
                for n in self.n_runs:
                    yield Cell(world=world, n_runs=n, effect=effect)

    def unit(self, world: World) -> Floats:
        """What an effect of 1 adds on each task, (n_tasks,)."""
        if self.effect_unit == "pooled_sd":
            return world.pooled_sd
        size = 1.0 if isinstance(self.effect_unit, str) else float(self.effect_unit)
        return np.full(world.n_tasks, size)

    def to_dict(self) -> dict[str, Any]:
        """Return the declaration in plain values; what a store compares."""
        scalars = (
            "name", "effect_unit", "centre", "right_sign", "n_repeats", "n_resamples", "alpha", "seed", "title", "source",
        )  # fmt: skip
        return {
            **{key: getattr(self, key) for key in scalars},
            **{key: list(getattr(self, key)) for key in ("methods", "n_runs", "effects")},
            "worlds": [world.to_dict() for world in self.worlds],
        }

    def _check_effects(self) -> None:
        if not all(isinstance(e, int | float) and isfinite(e) for e in self.effects):
            raise OptionError(f"effects must be finite numbers, not {self.effects!r}.")
        if isinstance(self.effect_unit, str):
            check_choice("effect_unit", self.effect_unit, UNITS)
        elif not (isfinite(self.effect_unit) and self.effect_unit > 0.0):
            raise OptionError(
                f"effect_unit must be one of {', '.join(UNITS)} or a number above 0, not {self.effect_unit!r}."
            )

    def _check_distinct(self) -> None:
        names = [world.name for world in self.worlds]
        for what, values in (
            ("world", names),
            ("method", self.methods),
            ("n_runs", self.n_runs),
            ("effect", self.effects),
        ):
            repeated = [value for value in values if list(values).count(value) > 1]
            if repeated:
                raise OptionError(f"study {self.name!r} names {what} {repeated[0]!r} twice.")

    def _check_methods_fit(self, world: World) -> None:
        for name in self.methods:
            wanted, evaluations = CONTENDERS[name].n_algorithms, CONTENDERS[name].n_evaluations
            if world.least_evaluations < evaluations:
                raise OptionError(
                    f"method {name!r} needs curves of at least {evaluations} evaluation(s), but a run of world {world.name!r} has "
                    f"{world.least_evaluations or 'no curve'}."
                )
            if wanted is not None and wanted != world.n_algorithms:
                raise OptionError(
                    f"method {name!r} is for {wanted} algorithm(s), but world {world.name!r} has {world.n_algorithms}."
                )
