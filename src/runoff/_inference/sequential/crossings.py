"""Which paths of a statistic over the looks cross, so that by each look at most the share that may have been spent has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, isfinite

import numpy as np

from runoff._inference.blocked import TOLERANCE
from runoff.base.arrays import Floats, Ints

NOT_YET = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossings:
    """When the paths cross.

    look: of the path of the data, from 0; -1: not yet. critical: (n_looks,) what a path has to exceed, inf where none may cross. crossed:
    (n_looks,) how many paths have by each look.
    """

    look: int
    critical: Floats
    crossed: Ints

    def by(self, look: int) -> bool:
        """Return whether the path of the data has crossed by a look."""
        return NOT_YET < self.look <= look


def above(bound: float) -> float:
    """Return a bound with room for the rounding of sums in another order; all scores are at most 1."""
    return bound + TOLERANCE * abs(bound) + 1e-12 if isfinite(bound) else bound


def crossings(values: Floats, spent: Sequence[float]) -> Crossings:
    """Return which paths (n_paths, n_looks) cross where, so that at most a share `spent` of them has by each look."""
    n, n_looks = values.shape
    alive, look = np.ones(n, np.bool_), NOT_YET
    critical, crossed = np.full(n_looks, np.inf), np.zeros(n_looks, np.int64)
    for j in range(n_looks):
        may_cross = floor(spent[j] * n + 1e-9) - (crossed[j - 1] if j else 0)
        if may_cross > 0:
            # The first that may not cross: it and all that tie with it stay.
            bound = float(np.partition(values[alive, j], -(may_cross + 1))[-(may_cross + 1)])
            crosses = alive & (values[:, j] > above(bound))
            critical[j] = bound if crosses.any() else np.inf
            alive &= ~crosses
            look = j if crosses[0] else look
        crossed[j] = n - int(alive.sum())
    return Crossings(look=look, critical=critical, crossed=crossed)
