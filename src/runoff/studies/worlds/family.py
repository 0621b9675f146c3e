"""What a family of distributions is: a raw shape with known moments, and a way to draw it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeVar

import numpy as np

from runoff.base.arrays import Floats
from runoff.errors import OptionError

FAMILIES: dict[str, type[Family]] = {}
"""Name -> family; a file of this folder registers itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family(ABC):
    """A shape before its mean and variance are enforced; a subclass has its shape parameters as fields.

    The moments of the raw shape must exist: `raw_variance` finite and positive.
    """

    name: ClassVar[str] = ""

    @property
    @abstractmethod
    def raw_mean(self) -> float: ...

    @property
    @abstractmethod
    def raw_variance(self) -> float: ...

    @property
    @abstractmethod
    def raw_median(self) -> float: ...

    @abstractmethod
    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        """Return raw draws, float64 of shape `size`."""

    def shape(self) -> dict[str, Any]:
        """Return the shape parameters by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


class CurveFamily(Family):
    """A family that draws whole learning curves; its moments are those of the last evaluation."""

    @property
    @abstractmethod
    def n_evaluations(self) -> int: ...

    @property
    @abstractmethod
    def least_evaluations(self) -> int:
        """Evaluations of the run that has fewest."""

    @abstractmethod
    def draw_curves(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        """Return raw draws, float64 of shape `size` + (n_evaluations,)."""

    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        return np.ascontiguousarray(self.draw_curves(generator, size)[..., -1])


FamilyType = TypeVar("FamilyType", bound=type[Family])


def family(name: str) -> Callable[[FamilyType], FamilyType]:
    """Register a family under the name that a study file uses."""

    def register(cls: FamilyType) -> FamilyType:
        cls.name = name
        FAMILIES[name] = cls
        return cls

    return register


def check_above(where: str, parameter: str, value: float, least: float, why: str) -> None:
    """Refuse a shape parameter at or below its limit."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not (np.isfinite(value) and value > least):
        raise OptionError(f"{where}: {parameter} must be a finite number above {least:g}, not {value!r}; {why}.")
