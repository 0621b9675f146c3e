"""Learning curves: those that climb to a level of their own and waver around it, and real ones."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from math import exp, sqrt
from typing import Any, ClassVar

import numpy as np

from runoff.base.arrays import Floats
from runoff.base.validate import check_count
from runoff.errors import OptionError
from runoff.studies.worlds.family import CurveFamily, Moments, check_above, family


@family("learning_curve")
@dataclass(frozen=True, slots=True, kw_only=True)
class LearningCurve(CurveFamily):
    """Level of the run + climb + wavering, at t = 1/n, 2/n, …, 1 of the training, n = evaluations.

    Levels are normal with standard deviation 1. The climb, the same for all runs, is exponential and ends at 0. Wavering is a stationary
    normal AR(1) process: what an evaluation measures besides the run's level, be it the policy that changes or the episodes played.

    Attributes
    ----------
    evaluations : int
    unsteadiness : float
        Standard deviation of the wavering, in standard deviations of the levels.
    memory : float
        Share of the training after which the correlation of the wavering is 1/e; 0: evaluations waver independently.
    rise : float
        From the begin of training to its end, in standard deviations of the levels.
    learning_time : float
        Share of the training after which the climb has 1/e of its way left, but for the little that is left at the end.
    """

    evaluations: int
    unsteadiness: float
    memory: float = 0.0
    rise: float = 5.0
    learning_time: float = 0.1

    def __post_init__(self) -> None:
        check_count("learning_curve: evaluations", self.evaluations)
        check_above("learning_curve", "learning_time", self.learning_time, 0.0, "it is a share of the training")
        for name in ("unsteadiness", "memory", "rise"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not (np.isfinite(value) and value >= 0):
                raise OptionError(f"learning_curve: {name} must be a finite number of at least 0, not {value!r}.")

    @property
    def n_evaluations(self) -> int:
        return self.evaluations

    @property
    def raw(self) -> Moments:
        return Moments(0.0, 1.0 + self.unsteadiness**2, 0.0)

    def climb(self) -> Floats:
        """Return what is still missing at each evaluation, (evaluations,): 0 at the last."""
        left = exp(-1.0 / self.learning_time)
        t = np.arange(1, self.evaluations + 1) / self.evaluations
        missing: Floats = self.rise * (left - np.exp(-t / self.learning_time)) / (1.0 - left)
        return missing

    def draw_curves(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        level = generator.standard_normal(size)
        wavering = generator.standard_normal((*size, self.evaluations))
        kept = exp(-1.0 / (self.evaluations * self.memory)) if self.memory else 0.0
        for j in range(1, self.evaluations) if kept else ():
            wavering[..., j] = kept * wavering[..., j - 1] + sqrt(1.0 - kept * kept) * wavering[..., j]
        return np.asarray(level[..., None] + self.climb() + self.unsteadiness * wavering)


# ── curves of real runs, resampled whole ──────────


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
    def raw(self) -> Moments:
        ends = np.array([run[-1] for run in self.runs])
        return Moments(float(ends.mean()), float(ends.var()), float(np.median(ends)))

    def draw_curves(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        return self.values[generator.integers(0, len(self.runs), size)]

    def shape(self) -> dict[str, Any]:
        """Return the number of runs and of evaluations, and a digest of the scores."""
        digest = sha256(self.values.tobytes()).hexdigest()[:16]
        return {"n_runs": len(self.runs), "n_evaluations": self.n_evaluations, "digest": digest}
