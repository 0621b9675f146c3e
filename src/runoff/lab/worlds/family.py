"""Families of distributions: raw shapes with known moments, and functions that draw from them.

A new family is a class in this file, registered by `@family(name)`, the name that study files, worlds and the store use. Its moments must
exist, because a world enforces its mean and variance.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cache
from hashlib import sha256
from math import exp, sqrt
from typing import Any, ClassVar, NamedTuple, TypeVar, dataclass_transform

import numpy as np
import scipy
from scipy import special

from runoff.base.arrays import Floats, Ints
from runoff.base.validate import check_count, check_open_unit
from runoff.errors import OptionError

FAMILIES: dict[str, type[Family]] = {}
"""The families by name; a class registers itself with `@family`."""


class TargetMoments(NamedTuple):
    mean: float
    variance: float
    median: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Family(ABC):
    """A distribution before its mean and variance are enforced; a subclass has its shape parameters as fields.

    The moments of the raw shape must exist, with finite and positive variance. `above` in the metadata of a field is its lower limit and the
    reason.
    """

    name: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for f in fields(self):
            if "above" in f.metadata:
                check_above(self.name, f.name, getattr(self, f.name), *f.metadata["above"])

    @property
    @abstractmethod
    def raw(self) -> TargetMoments:
        """The mean, variance and median of the raw shape."""

    @abstractmethod
    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        """Return raw draws, float64 of shape `size`."""

    def shape(self) -> dict[str, Any]:
        """Return the shape parameters by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


class CurveFamily(Family):
    """A family that draws whole learning curves; its moments are those of the last evaluation."""

    @property
    @abstractmethod
    def n_evaluations(self) -> int: ...

    @property
    def least_evaluations(self) -> int:
        """The number of evaluations of the run with the fewest."""
        return self.n_evaluations

    @abstractmethod
    def draw_curves(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        """Return raw draws, float64 of shape `size` + (n_evaluations,)."""

    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        return np.ascontiguousarray(self.draw_curves(generator, size)[..., -1])


FamilyType = TypeVar("FamilyType", bound=Family)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
def family(name: str) -> Callable[[type[FamilyType]], type[FamilyType]]:
    """Make a class a frozen dataclass, and register it under the name that a study file uses."""

    def register(cls: type[FamilyType]) -> type[FamilyType]:
        shape = dataclass(frozen=True, slots=True, kw_only=True)(cls)
        shape.name = name
        FAMILIES[name] = shape
        return shape

    return register


def check_above(where: str, parameter: str, value: float, least: float, why: str) -> None:
    """Refuse a shape parameter at or below its limit."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not (np.isfinite(value) and value > least):
        raise OptionError(f"{where}: {parameter} must be a finite number above {least:g}, not {value!r}; {why}.")


# ── distributions of SciPy ──────────


@cache
def _of_scipy(law: str, *shape: float) -> Any:
    from scipy import stats  # half a second, which only worlds need

    return getattr(stats, law)(*shape)


class OfScipy(Family):
    """A distribution of `scipy.stats`; the fields are its shape parameters, in its order."""

    law: ClassVar[str]

    @property
    def frozen(self) -> Any:
        return _of_scipy(self.law, *self.shape().values())

    @property
    def raw(self) -> TargetMoments:
        mean, variance = self.frozen.stats("mv")
        return TargetMoments(float(mean), float(variance), float(self.frozen.median()))

    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        return np.asarray(self.frozen.rvs(size=size, random_state=generator))


SHAPE = {"above": (0.0, "it is a shape")}
INFINITE = {"above": (2.0, "at 2 and below the variance is infinite and cannot be enforced")}


@family("normal")
class Normal(OfScipy):
    """The normal distribution. Casesa (2024) eqs. 3.1-3.2; Colas (2019) section 4.1."""

    law = "norm"


@family("exponential")
class Exponential(OfScipy):
    """The exponential distribution: skewed and bounded below. Casesa (2024) eqs. 3.5-3.6."""

    law = "expon"


@family("student_t")
class StudentT(OfScipy):
    """Student's t with `df` degrees of freedom: symmetric, heavy tails. Casesa (2024) eqs. 3.3-3.4, with the variance df / (df − 2) that eq.
    3.4 misprints."""

    law = "t"
    df: float = field(metadata=INFINITE)


@family("lognormal")
class LogNormal(OfScipy):
    """The exponential of a normal with standard deviation `s`: skewed, with a heavy upper tail.

    Casesa (2024) eqs. 3.7-3.8, with the scale sqrt(v / (e^{s²} (e^{s²} − 1))) that eq. 3.8 misprints; Colas (2019) section 4.1 has s = 0.691
    (sd 1) and 0.9712 (sd 2).
    """

    law = "lognorm"
    s: float = field(metadata=SHAPE)


@family("gamma")
class Gamma(OfScipy):
    """The gamma distribution: from exponential to nearly normal, by the shape `a`. Casesa (2024) eqs. 3.9-3.10."""

    law = "gamma"
    a: float = field(metadata=SHAPE)


@family("beta")
class Beta(OfScipy):
    """The beta distribution: bounded on both sides, like a success rate. Casesa (2024) eqs. 3.11-3.12."""

    law = "beta"
    a: float = field(metadata=SHAPE)
    b: float = field(metadata=SHAPE)


@family("double_weibull")
class DoubleWeibull(OfScipy):
    """The double Weibull distribution: symmetric, and bimodal if the shape `c` is above 1. Casesa (2024) eqs. 3.13-3.14."""

    law = "dweibull"
    c: float = field(metadata=SHAPE)


@family("pareto")
class Pareto(OfScipy):
    """A power law on x ≥ 1 with tail exponent `b`. Casesa (2024) eqs. 3.15-3.16."""

    law = "pareto"
    b: float = field(metadata=INFINITE)


# ── mixtures ──────────


@family("normal_mixture")
class NormalMixture(Family):
    """A mixture: N(0, `sd_low`²) with probability 1 − `weight` and N(`separation`, `sd_high`²) with probability `weight`; some runs fail,
    some succeed.

    Colas (2019) section 4.1: ½ N(−0.9, 0.45²) + ½ N(0.9, 0.45²).
    """

    separation: float = field(metadata={"above": (0.0, "it is the distance of the two means")})
    sd_low: float = field(metadata={"above": (0.0, "it is a standard deviation")})
    sd_high: float = field(metadata={"above": (0.0, "it is a standard deviation")})
    weight: float = 0.5

    def __post_init__(self) -> None:
        Family.__post_init__(self)
        check_open_unit("normal_mixture: weight", self.weight)

    @property
    def raw(self) -> TargetMoments:
        within = (1.0 - self.weight) * self.sd_low**2 + self.weight * self.sd_high**2
        # Law of total variance: the mean of the variances, and the variance of the two means, w (1 − w) δ².
        between = self.weight * (1.0 - self.weight) * self.separation**2
        return TargetMoments(self.weight * self.separation, within + between, self._median())

    def _median(self) -> float:
        if self.weight == 0.5 and self.sd_low == self.sd_high:
            return 0.5 * self.separation
        reach = 40.0 * (self.sd_low + self.sd_high)

        def beyond_half(x: float) -> float:
            low, high = special.ndtr(x / self.sd_low), special.ndtr((x - self.separation) / self.sd_high)
            return float((1.0 - self.weight) * low + self.weight * high) - 0.5

        return float(scipy.optimize.brentq(beyond_half, -reach, self.separation + reach, xtol=1e-13))

    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        high = generator.random(size) < self.weight
        values: Floats = np.where(high, self.sd_high, self.sd_low) * generator.standard_normal(size)
        return values + np.where(high, self.separation, 0.0)


# ── runs that somebody trained ──────────


@family("empirical")
class Empirical(Family):
    """The empirical distribution, with equal weight on each of `values`. Colas (2019) section 4.1; Agarwal (2021) section 3.

    Its variance is that of the population (divisor n, as in Colas' code); its median is NumPy's.
    """

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        values = np.asarray(self.values, np.float64)
        if values.ndim != 1 or values.size < 2 or not np.isfinite(values).all():
            what = f"empirical: values must be at least 2 finite numbers, not {np.array2string(values, threshold=5)}."
            raise OptionError(what)
        if values.min() == values.max():
            message = f"empirical: all {values.size} values are {values[0]:g}; a variance of 0 cannot be scaled."
            raise OptionError(message)

    @property
    def raw(self) -> TargetMoments:
        return TargetMoments(float(np.mean(self.values)), float(np.var(self.values)), float(np.median(self.values)))

    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        return np.asarray(self.values, np.float64)[generator.integers(0, len(self.values), size)]


def distinct_positions(generator: np.random.Generator, n_batch: int, size: int, n: int) -> Ints:
    """Return (n_batch, n) positions below `size`, in random order, without repetition within a row.

    Each row is sorted completely, because the order within the parts that `argpartition` leaves differs between processors.
    """
    keys = generator.random((n_batch, size))
    return np.argsort(keys, axis=1)[:, :n]


# ── learning curves: those that climb to a level of their own and waver around it, and real ones ──────────


@family("learning_curve")
class LearningCurve(CurveFamily):
    """A learning curve: level of the run + climb + fluctuation, at t = 1/n, 2/n, …, 1 of the training, n = evaluations.

    Levels are normal with standard deviation 1. The climb, the same for all runs, is exponential and ends at 0. The fluctuation is a
    stationary normal AR(1) process; it stands for all variation of evaluations within a run, whether the policy changes or the episodes
    differ.

    Attributes
    ----------
    evaluations : int
    unsteadiness : float
        The standard deviation of the fluctuation, in standard deviations of the levels.
    memory : float
        The share of the training after which the correlation of the fluctuation is 1/e; 0 for independent evaluations.
    rise : float
        The climb from the beginning of training to its end, in standard deviations of the levels.
    learning_time : float
        The share of the training after which 1/e of the climb remains, apart from the small remainder at the end.
    """

    evaluations: int
    unsteadiness: float
    memory: float = 0.0
    rise: float = 5.0
    learning_time: float = field(default=0.1, metadata={"above": (0.0, "it is a share of the training")})

    def __post_init__(self) -> None:
        Family.__post_init__(self)
        check_count("learning_curve: evaluations", self.evaluations)
        for name in ("unsteadiness", "memory", "rise"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not (np.isfinite(value) and value >= 0):
                raise OptionError(f"learning_curve: {name} must be a finite number of at least 0, not {value!r}.")

    @property
    def n_evaluations(self) -> int:
        return self.evaluations

    @property
    def raw(self) -> TargetMoments:
        return TargetMoments(0.0, 1.0 + self.unsteadiness**2, 0.0)

    def climb(self) -> Floats:
        """Return the remaining climb at each evaluation, (evaluations,); it is 0 at the last."""
        left = exp(-1.0 / self.learning_time)
        t = np.arange(1, self.evaluations + 1) / self.evaluations
        # −rise at t = 0 and 0 at t = 1, exponentially: the climb ends where the moments are enforced.
        return np.asarray(self.rise * (left - np.exp(-t / self.learning_time)) / (1.0 - left))

    def draw_curves(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        level = generator.standard_normal(size)
        wavering = generator.standard_normal((*size, self.evaluations))
        kept = exp(-1.0 / (self.evaluations * self.memory)) if self.memory else 0.0
        for j in range(1, self.evaluations) if kept else ():
            # An AR(1) process with variance 1 at every evaluation, so that the variance of the last is that of `raw`.
            wavering[..., j] = kept * wavering[..., j - 1] + sqrt(1.0 - kept * kept) * wavering[..., j]
        return np.asarray(level[..., None] + self.climb() + self.unsteadiness * wavering)


# ── curves of real runs, resampled whole ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class EmpiricalCurves(CurveFamily):
    """The empirical distribution of learning curves, with equal weight on each of the given runs.

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
        """The scores, float64 (n_runs, n_evaluations)."""
        n = self.n_evaluations
        # Shorter runs are filled up in front, so that the last evaluations, which protocols read, are those of all.
        return np.array([(run[0],) * (n - len(run)) + run for run in self.runs])

    @property
    def n_evaluations(self) -> int:
        return max(map(len, self.runs))

    @property
    def least_evaluations(self) -> int:
        return min(map(len, self.runs))

    @property
    def raw(self) -> TargetMoments:
        ends = np.array([run[-1] for run in self.runs])
        return TargetMoments(float(ends.mean()), float(ends.var()), float(np.median(ends)))

    def draw_curves(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        return self.values[generator.integers(0, len(self.runs), size)]

    def shape(self) -> dict[str, Any]:
        """Return the number of runs and of evaluations, and a digest of the scores."""
        digest = sha256(self.values.tobytes()).hexdigest()[:16]
        return {"n_runs": len(self.runs), "n_evaluations": self.n_evaluations, "digest": digest}
