"""Empirical curves: learning curves of real runs, whole runs resampled with replacement."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar

import numpy as np

from runoff.base.arrays import Floats
from runoff.studies.worlds.family import CurveFamily


@dataclass(frozen=True, slots=True, kw_only=True)
class EmpiricalCurves(CurveFamily):
    """The distribution that puts equal weight on each of some runs.

    Attributes
    ----------
    runs : tuple of tuple of float
        The scores of each run at its evaluations, in their order; a run with fewer evaluations than another begins with its first one
        repeated, which changes neither its best nor its last scores.
    """

    name: ClassVar[str] = "empirical_curves"
    runs: tuple[tuple[float, ...], ...]

    @property
    def values(self) -> Floats:
        """Scores, float64 (n_runs, n_evaluations)."""
        n = self.n_evaluations
        return np.array([(run[0],) * (n - len(run)) + run for run in self.runs])

    @property
    def n_evaluations(self) -> int:
        return max(map(len, self.runs))

    @property
    def least_evaluations(self) -> int:
        return min(map(len, self.runs))

    @property
    def ends(self) -> Floats:
        return np.array([run[-1] for run in self.runs])

    @property
    def raw_mean(self) -> float:
        return float(self.ends.mean())

    @property
    def raw_variance(self) -> float:
        return float(self.ends.var())

    @property
    def raw_median(self) -> float:
        return float(np.median(self.ends))

    def draw_curves(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        return self.values[generator.integers(0, len(self.runs), size)]

    def shape(self) -> dict[str, Any]:
        """Return the number of runs and of evaluations, and a digest of the scores."""
        digest = sha256(self.values.tobytes()).hexdigest()[:16]
        return {"n_runs": len(self.runs), "n_evaluations": self.n_evaluations, "digest": digest}
