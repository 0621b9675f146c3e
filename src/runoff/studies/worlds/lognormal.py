"""Log-normal: skewed with a heavy upper tail. Casesa (2024) eqs. 3.7-3.8, with the scale sqrt(v / (e^{s²} (e^{s²} − 1))) that
eq. 3.8 misprints; Colas (2019) section 4.1 has s = 0.691 (sd 1) and 0.9712 (sd 2)."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1

import numpy as np

from runoff.base.arrays import Floats
from runoff.studies.worlds.family import Family, check_above, family


@family("lognormal")
@dataclass(frozen=True, slots=True, kw_only=True)
class LogNormal(Family):
    """exp of a normal with standard deviation `s`, above 0."""

    s: float

    def __post_init__(self) -> None:
        check_above("lognormal", "s", self.s, 0.0, "s is the standard deviation of the logarithm")

    @property
    def raw_mean(self) -> float:
        return exp(self.s**2 / 2.0)

    @property
    def raw_variance(self) -> float:
        return exp(self.s**2) * expm1(self.s**2)

    @property
    def raw_median(self) -> float:
        return 1.0

    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        values: Floats = np.exp(self.s * generator.standard_normal(size))
        return values
