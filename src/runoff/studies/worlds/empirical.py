"""Empirical: runs that somebody trained, resampled with replacement. Colas (2019) section 4.1; Agarwal (2021) section 3."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runoff.base.arrays import Floats, Ints
from runoff.errors import OptionError
from runoff.studies.worlds.family import Family, family


@family("empirical")
@dataclass(frozen=True, slots=True, kw_only=True)
class Empirical(Family):
    """The distribution that puts equal weight on each of `values`.

    Its variance is the population's (divided by n, as Colas' code does); its median is NumPy's.
    """

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        values = np.asarray(self.values, np.float64)
        if values.ndim != 1 or values.size < 2 or not np.isfinite(values).all():
            raise OptionError(
                f"empirical: values must be at least 2 finite numbers, not {np.array2string(values, threshold=5)}."
            )
        if values.min() == values.max():
            raise OptionError(
                f"empirical: all {values.size} values are {values[0]:g}; a variance of 0 cannot be scaled."
            )

    @property
    def raw_mean(self) -> float:
        return float(np.mean(self.values))

    @property
    def raw_variance(self) -> float:
        return float(np.var(self.values))

    @property
    def raw_median(self) -> float:
        return float(np.median(self.values))

    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        values = np.asarray(self.values, np.float64)
        return values[generator.integers(0, values.size, size)]

    def draw_without_replacement(self, generator: np.random.Generator, n_batch: int, n: int) -> Floats:
        """Return (n_batch, n) draws in which no run occurs twice within a row."""
        values = np.asarray(self.values, np.float64)
        return values[distinct_positions(generator, n_batch, values.size, n)]


def distinct_positions(generator: np.random.Generator, n_batch: int, size: int, n: int) -> Ints:
    """Return (n_batch, n) positions below `size`, in random order, none twice within a row.

    The whole of each row is sorted: the order within the parts that `argpartition` leaves differs from processor to processor.
    """
    keys = generator.random((n_batch, size))
    return np.argsort(keys, axis=1)[:, :n]
