"""The methods of studies: functions of a batch of simulated experiments, each with a record in the registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from runoff.base.arrays import Floats
from runoff.base.random import Streams
from runoff.errors import OptionError
from runoff.lab.worlds import World

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Simulated scores, (n_batch, n_algorithms, n_tasks, n_runs), and the context that methods may use.

    key: identifies this block within the study. world: None if runs are drawn from given runs instead of distributions. curves: in worlds of
    learning curves, (n_batch, n_algorithms, n_tasks, n_runs, n_evaluations); `scores` are their last evaluations.
    """

    scores: Floats
    alpha: float
    n_resamples: int
    streams: Streams
    key: tuple[int, ...]
    world: World | None = None
    curves: Floats | None = None
    _cache: dict[str, Any] = field(default_factory=dict)

    @property
    def known_world(self) -> World:
        """Return the world, for methods that are compared with its true values."""
        if self.world is None:
            raise OptionError("these scores come from no world, so that no truth is known.")
        return self.world

    @property
    def n_batch(self) -> int:
        return int(self.scores.shape[0])

    @property
    def n_runs(self) -> int:
        return int(self.scores.shape[3])

    def pooled(self, algorithm: int) -> Floats:
        """Return all runs of an algorithm with tasks pooled, (n_batch, n_tasks * n_runs), as the thesis does for t tests."""
        return np.ascontiguousarray(self.scores[:, algorithm].reshape(self.n_batch, -1))

    def generator(self, purpose: str, *index: int) -> np.random.Generator:
        """Return this block's generator for one purpose."""
        return self.streams.block(f"study/{purpose}", *self.key, *index)

    def once(self, name: str, make: Callable[[], T]) -> T:
        """Return the result of `make`, computed once for all methods of the block."""
        if name not in self._cache:
            self._cache[name] = make()
        result: T = self._cache[name]
        return result


# ── methods ──────────


ContenderDecision = Callable[[Batch], NDArray[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """One method of studies, with the properties that a study needs to know.

    Attributes
    ----------
    name : str
    label : str
        Its name in figures.
    decide : function of a Batch
        Returns (n_batch,): bool, "rejected" or "covered", whose mean is a rate; or float, an estimate, whose mean is reported.
    target : "mean" or "median"
        The parameter that it compares, on which a study may centre each world.
    signed : bool
        Whether it claims a direction, so that a rejection with the wrong sign does not count.
    n_algorithms : int or None
        The number of algorithms that it compares; None for any number.
    kind : "rejection", "coverage" or "estimate"
        The meaning of the mean over experiments: a rate of rejections, a rate of intervals that contain the truth, or a mean estimate.
    n_evaluations : int
        The least number of evaluations of a run that it needs; 0 if it uses scores.
    """

    name: str
    label: str
    decide: ContenderDecision
    target: str = "mean"
    signed: bool = True
    n_algorithms: int | None = 2
    kind: str = "rejection"
    n_evaluations: int = 0

    @property
    def is_decision(self) -> bool:
        return self.kind != "estimate"

    @property
    def pools(self) -> bool:
        """Whether it pools the runs of all tasks into one sample."""
        return self.decide.__module__ == "runoff.lab.contenders.two_sample"


CONTENDERS: dict[str, Contender] = {}
"""The methods by name; the files of this folder register their methods when imported."""


def contender(name: str, *, label: str, **about: Any) -> Callable[[ContenderDecision], ContenderDecision]:
    """Register a function of a batch as a method of studies; `about` are other fields of `Contender`."""

    def register(decide: ContenderDecision) -> ContenderDecision:
        CONTENDERS[name] = Contender(name=name, label=label, decide=decide, **about)
        return decide

    return register
