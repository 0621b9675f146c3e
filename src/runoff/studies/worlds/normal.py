"""Normal: Casesa (2024) eqs. 3.1-3.2; Colas (2019) section 4.1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runoff.base.arrays import Floats
from runoff.studies.worlds.family import Family, family


@family("normal")
@dataclass(frozen=True, slots=True, kw_only=True)
class Normal(Family):
    """The bell."""

    @property
    def raw_mean(self) -> float:
        return 0.0

    @property
    def raw_variance(self) -> float:
        return 1.0

    @property
    def raw_median(self) -> float:
        return 0.0

    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        return generator.standard_normal(size)
