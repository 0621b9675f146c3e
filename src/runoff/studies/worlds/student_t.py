"""Student's t: heavy symmetric tails. Casesa (2024) eqs. 3.3-3.4, with the variance df / (df − 2) that eq. 3.4 misprints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runoff.base.arrays import Floats
from runoff.studies.worlds.family import Family, check_above, family


@family("student_t")
@dataclass(frozen=True, slots=True, kw_only=True)
class StudentT(Family):
    """`df` degrees of freedom, above 2."""

    df: float

    def __post_init__(self) -> None:
        check_above("student_t", "df", self.df, 2.0, "with df ≤ 2 the variance is infinite and cannot be enforced")

    @property
    def raw_mean(self) -> float:
        return 0.0

    @property
    def raw_variance(self) -> float:
        return self.df / (self.df - 2.0)

    @property
    def raw_median(self) -> float:
        return 0.0

    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        return generator.standard_t(self.df, size)
