"""Exponential: skewed, bounded below. Casesa (2024) eqs. 3.5-3.6."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from runoff.base.arrays import Floats
from runoff.studies.worlds.family import Family, family


@family("exponential")
@dataclass(frozen=True, slots=True, kw_only=True)
class Exponential(Family):
    """No shape parameter."""

    @property
    def raw_mean(self) -> float:
        return 1.0

    @property
    def raw_variance(self) -> float:
        return 1.0

    @property
    def raw_median(self) -> float:
        return log(2.0)

    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        return generator.standard_exponential(size)
