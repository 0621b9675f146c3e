"""What a method of a study is: a function of a batch of simulated experiments, and a line of the registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from runoff.studies.batch import Batch

Decide = Callable[[Batch], NDArray[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """One method.

    Attributes
    ----------
    name : str
    label : str
        What it is called in figures.
    decide : function of a Batch
        Returns (n_batch,): bool, "rejected" or "covered", whose mean is a rate; or float, an estimate, whose mean is reported.
    target : "mean" or "median"
        What it compares, where a study centres each world on the method's target.
    signed : bool
        Whether it claims a direction, so that a rejection with the wrong sign does not count.
    n_algorithms : int or None
        How many it compares; None is any number.
    kind : "rejection", "coverage" or "estimate"
        What the mean over experiments is: a rate of rejections, a rate of intervals that hold the truth, or a mean estimate.
    n_evaluations : int
        Least number of evaluations of a run that it needs; 0: none, it looks at scores.
    """

    name: str
    label: str
    decide: Decide
    target: str = "mean"
    signed: bool = True
    n_algorithms: int | None = 2
    kind: str = "rejection"
    n_evaluations: int = 0

    @property
    def is_decision(self) -> bool:
        return self.kind != "estimate"


CONTENDERS: dict[str, Contender] = {}
"""Name -> method; files of this folder register theirs."""


def contender(
    name: str,
    *,
    label: str,
    target: str = "mean",
    signed: bool = True,
    n_algorithms: int | None = 2,
    kind: str = "rejection",
    n_evaluations: int = 0,
) -> Callable[[Decide], Decide]:
    """Register a function of a batch as a method of studies."""

    def register(decide: Decide) -> Decide:
        CONTENDERS[name] = Contender(
            name=name,
            label=label,
            decide=decide,
            target=target,
            signed=signed,
            n_algorithms=n_algorithms,
            kind=kind,
            n_evaluations=n_evaluations,
        )
        return decide

    return register
