"""A world (simulated scenario): every (algorithm, task) has a distribution with enforced centre and variance, so that the truth is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from math import isfinite, sqrt
from typing import Any

import numpy as np

from runoff.base.arrays import Floats
from runoff.base.validate import check_choice
from runoff.errors import OptionError, nearest
from runoff.lab.worlds.family import FAMILIES, CurveFamily, Empirical, Family, distinct_positions

# ── one algorithm on one task ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """A family shifted and scaled so that its mean is `mean` and its variance `variance`.

    Attributes
    ----------
    family : Family
    mean, variance : float
        None keeps the family's own value (for empirical worlds of real runs).
    """

    family: Family
    mean: float | None = 0.0
    variance: float | None = 1.0

    def __post_init__(self) -> None:
        if self.mean is not None and not isfinite(self.mean):
            raise OptionError(f"{self.family.name}: mean must be finite, not {self.mean!r}.")
        if self.variance is not None and not (isfinite(self.variance) and self.variance > 0.0):
            raise OptionError(f"{self.family.name}: variance must be a finite number above 0, not {self.variance!r}.")

    @property
    def scale(self) -> float:
        """The factor of raw draws, Casesa's `sca`."""
        return 1.0 if self.variance is None else sqrt(self.variance / self.family.raw.variance)

    @property
    def location(self) -> float:
        """The shift of scaled raw draws, Casesa's `loc`."""
        return 0.0 if self.mean is None else self.mean - self.scale * self.family.raw.mean

    @property
    def true_mean(self) -> float:
        return self.location + self.scale * self.family.raw.mean

    @property
    def true_median(self) -> float:
        return self.location + self.scale * self.family.raw.median

    @property
    def true_variance(self) -> float:
        return self.scale**2 * self.family.raw.variance

    def draw(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        """Return draws with the enforced mean and variance."""
        return self.place(self.family.draw(generator, size))

    def draw_curves(self, generator: np.random.Generator, size: tuple[int, ...]) -> Floats:
        """Return whole curves, float64 `size` + (n_evaluations,), whose last scores have the enforced mean and variance."""
        assert isinstance(self.family, CurveFamily)
        return self.place(self.family.draw_curves(generator, size))

    def place(self, raw: Floats) -> Floats:
        """Return raw draws, shifted and scaled."""
        return self.location + self.scale * raw

    def to_dict(self) -> dict[str, Any]:
        """Return the declaration as in a study file."""
        return {"family": self.family.name, "mean": self.mean, "variance": self.variance, **self.family.shape()}


def distribution(where: str, declared: Mapping[str, Any]) -> Distribution:
    """Return the distribution of a declaration such as `{family = "gamma", a = 2.0, mean = 0.0, variance = 1.0}`.

    Raises
    ------
    OptionError
        An unknown family or parameter (the nearest is suggested), a missing parameter, a variance of 0, or moments that do not exist.
    """
    if "family" not in declared:
        raise OptionError(f"{where} names no family; known are {', '.join(FAMILIES)}.")
    cls = FAMILIES[check_choice(f"{where}: family", declared["family"], FAMILIES)]
    shape = {key: value for key, value in declared.items() if key not in ("family", "mean", "variance")}
    _refuse_unknown(f"{where}: {cls.name}", cls, shape)
    if "values" in shape:
        shape["values"] = tuple(float(value) for value in shape["values"])
    # Real runs keep the mean and variance that they have, unless a declaration says otherwise.
    real = cls.name == "empirical"
    enforced: dict[str, float | None] = {}
    for name, default in (("mean", 0.0), ("variance", 1.0)):
        value = declared.get(name, None if real else default)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise OptionError(f"{where}: {name} must be a number, not {value!r}.")
        enforced[name] = None if value is None else float(value)
    return Distribution(family=cls(**shape), **enforced)


def _refuse_unknown(where: str, cls: type[Family], shape: Mapping[str, Any]) -> None:
    parameters = {f.name: f for f in fields(cls)}
    for key in shape:
        if key not in parameters:
            names = ["mean", "variance", *parameters]
            raise OptionError(f"{where} has no parameter {key!r}; it has {', '.join(names)}.{nearest(key, names)}")
    missing = [name for name, f in parameters.items() if f.default is MISSING and name not in shape]
    if missing:
        raise OptionError(f"{where} needs {', '.join(missing)}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Distributions by algorithm and task.

    Attributes
    ----------
    name : str
    grid : tuple (n_algorithms,) of tuple (n_tasks,) of Distribution
    split : bool
        Draw all algorithms' runs of a task from one list without replacement, as Colas (2018) section 5.1 splits one set of
        runs into two; needs the same empirical distribution for all algorithms.
    run_share : float
        The correlation, from 0 to 1, between tasks of the normal scores of a run that is scored on all of them; 0 means that every task has
        runs of its own. It does not change the distribution on each task (a Gaussian copula).
    """

    name: str
    grid: tuple[tuple[Distribution, ...], ...]
    split: bool = False
    run_share: float = 0.0

    def __post_init__(self) -> None:
        if not self.grid or not self.grid[0] or len({len(row) for row in self.grid}) > 1:
            raise OptionError(f"world {self.name!r}: every algorithm needs a distribution on every task.")
        tasks = zip(*self.grid, strict=True)
        if self.split and not all(isinstance(row[0].family, Empirical) and len(set(row)) == 1 for row in tasks):
            message = f"world {self.name!r}: split needs one empirical distribution for all algorithms of a task."
            raise OptionError(message)
        if not 0.0 <= self.run_share <= 1.0 or (self.split and self.run_share):
            raise OptionError(
                f"world {self.name!r}: run_share, the correlation of a run's scores over tasks, lies between 0 and 1, and is 0 where runs are "
                f"split; it is {self.run_share!r}."
            )
        if self.has_curves and (self.split or self.run_share):
            raise OptionError(f"world {self.name!r}: curves can be drawn neither split nor with a run_share.")

    @property
    def n_algorithms(self) -> int:
        return len(self.grid)

    @property
    def n_tasks(self) -> int:
        return len(self.grid[0])

    @property
    def least_evaluations(self) -> int:
        """The number of evaluations of the run with the fewest; 0 if a distribution is one of scores."""
        cells = [cell.family for row in self.grid for cell in row]
        return min(cell.least_evaluations if isinstance(cell, CurveFamily) else 0 for cell in cells)

    @property
    def has_curves(self) -> bool:
        return self.least_evaluations > 0

    @property
    def pooled_sd(self) -> Floats:
        """The square root of the algorithms' mean variance on each task, (n_tasks,): Colas (2019) section 2.2."""
        return np.array([sqrt(np.mean([row[t].true_variance for row in self.grid])) for t in range(self.n_tasks)])

    def median_shift(self) -> Floats:
        """Median − mean, (n_algorithms, n_tasks), which centring on the median subtracts."""
        return np.array([[cell.true_median - cell.true_mean for cell in row] for row in self.grid])

    def draw(self, generator: np.random.Generator, n_batch: int, n_runs: int) -> Floats:
        """Return simulated scores, float64 (n_batch, n_algorithms, n_tasks, n_runs)."""
        scores = np.empty((n_batch, self.n_algorithms, self.n_tasks, n_runs))
        if self.run_share:
            for a, row in enumerate(self.grid):
                scores[:, a] = self._together(generator, row, n_batch, n_runs)
            return scores
        for t in range(self.n_tasks):
            if self.split:
                scores[:, :, t] = self._split(generator, t, n_batch, n_runs)
                continue
            for a, row in enumerate(self.grid):
                scores[:, a, t] = row[t].draw(generator, (n_batch, n_runs))
        return scores

    def draw_curves(self, generator: np.random.Generator, n_batch: int, n_runs: int) -> Floats:
        """Return simulated curves, (n_batch, n_algorithms, n_tasks, n_runs, n_evaluations), drawn as in `draw`; short ones repeat their
        first score."""
        size = n_batch, n_runs
        drawn = [[cell.draw_curves(generator, size) for cell in tasks] for tasks in zip(*self.grid, strict=True)]
        n_evaluations = max(cell.shape[-1] for row in drawn for cell in row)
        curves = np.empty((n_batch, self.n_algorithms, self.n_tasks, n_runs, n_evaluations))
        for t, row in enumerate(drawn):
            for a, cell in enumerate(row):
                curves[:, a, t, :, -cell.shape[-1] :] = cell
                curves[:, a, t, :, : -cell.shape[-1]] = cell[..., :1]
        return curves

    def to_dict(self) -> dict[str, Any]:
        """Return the declaration."""
        share = {"run_share": self.run_share} if self.run_share else {}
        cells = [[cell.to_dict() for cell in row] for row in self.grid]
        return {"name": self.name, "split": self.split, "grid": cells, **share}

    def _together(
        self, generator: np.random.Generator, row: tuple[Distribution, ...], n_batch: int, n_runs: int
    ) -> Floats:
        """Return scores (n_batch, n_tasks, n_runs): the draws of each task, in the order of normals that are correlated between tasks."""
        scores = np.empty((n_batch, len(row), n_runs))
        run = generator.standard_normal((n_batch, n_runs))
        for t, cell in enumerate(row):
            own = generator.standard_normal((n_batch, n_runs))
            # A Gaussian copula: normals with correlation `run_share` give the ranks, the distribution of each task
            # the values.
            order = np.argsort((sqrt(self.run_share) * run + sqrt(1.0 - self.run_share) * own).ravel())
            placed = np.empty(order.size)
            placed[order] = np.sort(cell.draw(generator, (n_batch, n_runs)), axis=None)
            scores[:, t] = placed.reshape(n_batch, n_runs)
        return scores

    def _split(self, generator: np.random.Generator, t: int, n_batch: int, n_runs: int) -> Floats:
        cell = self.grid[0][t]
        assert isinstance(cell.family, Empirical)
        runs, needed = np.asarray(cell.family.values), n_runs * self.n_algorithms
        if needed > runs.size:
            message = f"world {self.name!r} has {runs.size} runs to split; {self.n_algorithms} × {n_runs} are too many."
            raise OptionError(message)
        raw = runs[distinct_positions(generator, n_batch, runs.size, needed)]  # no run twice within a row
        return cell.place(raw).reshape(n_batch, self.n_algorithms, n_runs)
