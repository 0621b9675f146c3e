"""A mixture of two normals: some runs fail, some succeed. Colas (2019) section 4.1: ½ N(−0.9, 0.45²) + ½ N(0.9, 0.45²)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from runoff.base.arrays import Floats
from runoff.base.validate import check_open_unit
from runoff.studies.worlds.family import Family, check_above, family


@family("normal_mixture")
@dataclass(frozen=True, slots=True, kw_only=True)
class NormalMixture(Family):
    """N(0, `sd_low`²) with probability 1 − `weight`, N(`separation`, `sd_high`²) with probability `weight`."""

    separation: float
    sd_low: float
    sd_high: float
    weight: float = 0.5

    def __post_init__(self) -> None:
        check_above("normal_mixture", "sd_low", self.sd_low, 0.0, "it is a standard deviation")
        check_above("normal_mixture", "sd_high", self.sd_high, 0.0, "it is a standard deviation")
        check_above("normal_mixture", "separation", self.separation, 0.0, "it is the distance of the two means")
        check_open_unit("normal_mixture: weight", self.weight)

    @property
    def raw_mean(self) -> float:
        return self.weight * self.separation

    @property
    def raw_variance(self) -> float:
        within = (1.0 - self.weight) * self.sd_low**2 + self.weight * self.sd_high**2
        return within + self.weight * (1.0 - self.weight) * self.separation**2

    @property
    def raw_median(self) -> float:
        if self.weight == 0.5 and self.sd_low == self.sd_high:
            return 0.5 * self.separation
        reach = 40.0 * (self.sd_low + self.sd_high)
        return float(optimize.brentq(lambda x: self._cdf(x) - 0.5, -reach, self.separation + reach, xtol=1e-13))

    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        high = generator.random(size) < self.weight
        values: Floats = np.where(high, self.sd_high, self.sd_low) * generator.standard_normal(size)
        return values + np.where(high, self.separation, 0.0)

    def _cdf(self, x: float) -> float:
        low, high = special.ndtr(x / self.sd_low), special.ndtr((x - self.separation) / self.sd_high)
        return float((1.0 - self.weight) * low + self.weight * high)
