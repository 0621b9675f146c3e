"""One (algorithm, task) of a world: a family whose centre and variance are enforced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from math import isfinite, sqrt
from typing import Any

import numpy as np

from runoff.base.arrays import Floats
from runoff.base.validate import check_choice
from runoff.errors import OptionError, nearest
from runoff.studies.worlds.family import FAMILIES, CurveFamily, Family


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """A family moved and scaled so that its mean is `mean` and its variance `variance`.

    Attributes
    ----------
    family : Family
    mean, variance : float
        None keeps what the family has by itself (the empirical worlds of real runs).
    """

    family: Family
    mean: float | None = 0.0
    variance: float | None = 1.0

    def __post_init__(self) -> None:
        if self.mean is not None and not isfinite(self.mean):
            raise OptionError(f"{self.family.name}: mean must be finite, not {self.mean!r}.")
        if self.variance is not None and not (isfinite(self.variance) and self.variance > 0.0):
            raise OptionError(f"{self.family.name}: variance must be a finite number above 0, not {self.variance!r}.")

    @property
    def scale(self) -> float:
        """What raw draws are multiplied by: Casesa's `sca`."""
        return 1.0 if self.variance is None else sqrt(self.variance / self.family.raw_variance)

    @property
    def location(self) -> float:
        """What is added to scaled raw draws: Casesa's `loc`."""
        return 0.0 if self.mean is None else self.mean - self.scale * self.family.raw_mean

    @property
    def true_mean(self) -> float:
        return self.location + self.scale * self.family.raw_mean

    @property
    def true_median(self) -> float:
        return self.location + self.scale * self.family.raw_median

    @property
    def true_variance(self) -> float:
        return self.scale**2 * self.family.raw_variance

    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        """Return draws with the enforced mean and variance."""
        return self.place(self.family.draw(generator, size))

    def draw_curves(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        """Return whole curves, float64 `size` + (n_evaluations,), whose last scores have the enforced mean and variance."""
        assert isinstance(self.family, CurveFamily)
        return self.place(self.family.draw_curves(generator, size))

    def place(self, raw: Floats) -> Floats:
        """Return raw draws moved and scaled."""
        return self.location + self.scale * raw

    def to_dict(self) -> dict[str, Any]:
        """Return the declaration, as a study file has it."""
        return {"family": self.family.name, "mean": self.mean, "variance": self.variance, **self.family.shape()}


def distribution(where: str, declared: Mapping[str, Any]) -> Distribution:
    """Return the distribution of a declaration such as `{family = "gamma", a = 2.0, mean = 0.0, variance = 1.0}`.

    Raises
    ------
    OptionError
        An unknown family or parameter (the nearest is suggested), a missing one, a variance of 0, moments that do not exist.
    """
    if "family" not in declared:
        raise OptionError(f"{where} names no family; known are {', '.join(FAMILIES)}.")
    cls = FAMILIES[check_choice(f"{where}: family", declared["family"], FAMILIES)]
    shape = {key: value for key, value in declared.items() if key not in ("family", "mean", "variance")}
    _refuse_unknown(f"{where}: {cls.name}", cls, shape)
    if "values" in shape:
        shape["values"] = tuple(float(value) for value in shape["values"])
    kept = None if cls.name == "empirical" else 0.0, None if cls.name == "empirical" else 1.0
    mean, variance = declared.get("mean", kept[0]), declared.get("variance", kept[1])
    numbers = {"mean": mean, "variance": variance}
    for name, value in numbers.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise OptionError(f"{where}: {name} must be a number, not {value!r}.")
    return Distribution(
        family=cls(**shape),
        mean=None if mean is None else float(mean),
        variance=None if variance is None else float(variance),
    )


def _refuse_unknown(where: str, cls: type[Family], shape: Mapping[str, Any]) -> None:
    parameters = {f.name: f for f in fields(cls)}
    for key in shape:
        if key not in parameters:
            names = ["mean", "variance", *parameters]
            raise OptionError(f"{where} has no parameter {key!r}; it has {', '.join(names)}.{nearest(key, names)}")
    missing = [name for name, f in parameters.items() if f.default is MISSING and name not in shape]
    if missing:
        raise OptionError(f"{where} needs {', '.join(missing)}.")
