"""Aggregate metrics by name: each is one record with its function; four of them, and trimmed means, have a compiled shortcut.

A function takes values and weights, both (…, n_tasks, most runs) with leading axes that broadcast, and returns (…,). A weight says how many runs
a score stands for: those of a sample of N runs sum to N, every task has the same share of them, and a place without a run weighs 0. So one
function serves the data, resamples, samples without a run, and redrawn tasks (`runoff._inference.bootstrap.weighted`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Protocol, TypeVar

import numpy as np

from runoff._kernels.bootstrap import resample as kernels
from runoff.base.arrays import Floats
from runoff.errors import OptionError, nearest
from runoff.words.names import metric_title


def task_means(values: Floats, weights: Floats) -> Floats:
    """Return the weighted mean of each task, (…, n_tasks)."""
    means: Floats = (values * weights).sum(axis=-1) / weights.sum(axis=-1)
    return means


def mean(values: Floats, weights: Floats) -> Floats:
    """Return the mean of task means."""
    means: Floats = task_means(values, weights).mean(axis=-1)
    return means


def median(values: Floats, weights: Floats) -> Floats:
    """Return the median of task means."""
    return np.asarray(np.median(task_means(values, weights), axis=-1))


def ascending(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return the scores of all tasks in ascending order, and their weights, (…, n_tasks · most runs) each."""
    pooled = values.reshape(*values.shape[:-2], -1)
    order = np.argsort(pooled, axis=-1, kind="stable")
    mass = weights.reshape(*weights.shape[:-2], -1)
    if order.ndim == 1:  # one order for all samples of the same values
        return pooled[order], mass[..., order]
    order, mass = np.broadcast_arrays(order, mass)
    return np.take_along_axis(pooled, order, axis=-1), np.take_along_axis(mass, order, axis=-1)


def trimmed_mean(values: Floats, weights: Floats, *, cut: float) -> Floats:
    """Return the mean of the pool without int(cut · N) runs at each end, N being all runs; a score at the cut counts in part."""
    pooled, mass = ascending(values, weights)
    total = np.rint(mass.sum(axis=-1, keepdims=True))
    units, above = np.floor(cut * total), np.cumsum(mass, axis=-1)
    inside = np.maximum(np.minimum(above, total - units) - np.maximum(above - mass, units), 0.0)
    means: Floats = (inside * pooled).sum(axis=-1) / inside.sum(axis=-1)
    return means


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A metric.

    Attributes
    ----------
    name : str
    cited : str
        In a methods paragraph: "the interquartile mean".
    function : function of values and weights
        As the module says; `mean` is known to have a closed standard error.
    higher_is_better : bool
    shortfall : bool
        Whether the function is taken of max(gamma − score, 0) rather than of scores.
    smooth : bool
        Whether a run less changes it little, so that the jackknife has its error; that of a median fails (Efron 1979).
    column : int, optional
        Its column of the kernels (`runoff._kernels.bootstrap.resample`), a shortcut for the function.
    trim : float, optional
        Of a trimmed mean the share cut from each end of the pool, for which the kernels have further columns.
    """

    name: str
    cited: str
    function: Callable[[Floats, Floats], Floats] = field(compare=False)
    higher_is_better: bool = True
    shortfall: bool = False
    smooth: bool = True
    column: int | None = None
    trim: float | None = None

    @property
    def title(self) -> str:
        """Return what heads columns and panels."""
        return metric_title(self.name)

    @property
    def averages(self) -> bool:
        """Return whether it is a mean of scores, or of shortfalls, whose error is known in closed form."""
        return self.function is mean

    @property
    def compiled(self) -> bool:
        """Return whether kernels compute it."""
        return self.column is not None or self.trim is not None


METRICS: Mapping[str, Metric] = MappingProxyType(
    {
        metric.name: metric
        for metric in (
            Metric(name="iqm", cited="the interquartile mean", function=partial(trimmed_mean, cut=0.25), trim=0.25),
            Metric(name="mean", cited="the mean", function=mean, column=kernels.MEAN),
            Metric(
                name="median",
                cited="the median of task means",
                function=median,
                smooth=False,
                column=kernels.MEDIAN,
            ),
            Metric(
                name="optimality_gap",
                cited="the optimality gap",
                function=mean,
                higher_is_better=False,
                shortfall=True,
                column=kernels.GAP,
            ),
        )
    }
)
"""The fixed names; "trimmed_mean_10" (any whole per cent below 50) is the pooled mean without the lowest and highest 10 %."""


class Estimated(Protocol):
    """A record with an estimate."""

    @property
    def estimate(self) -> float: ...


R = TypeVar("R", bound=Estimated)


def parse_metric(name: str) -> Metric:
    """Return the metric of a name.

    Raises
    ------
    OptionError
        The name is none of METRICS or trimmed_mean_P.
    """
    if name in METRICS:
        return METRICS[name]
    match = re.fullmatch(r"trimmed_mean_(\d{1,2})", str(name))
    if match and int(match[1]) < 50:
        cut = int(match[1]) / 100
        cited = f"the {int(match[1])}\u00a0% trimmed mean"
        return Metric(name=name, cited=cited, function=partial(trimmed_mean, cut=cut), trim=cut)
    names = [*METRICS, "trimmed_mean_10"]
    raise OptionError(
        f"metrics are {', '.join(METRICS)} and trimmed_mean_P with P per cent (below 50) cut from each end, not {name!r}.{nearest(name, names)}"
    )


def best_first(records: Iterable[R], metric: str) -> list[R]:
    """Return records of one metric, the best estimate first."""
    sign = -1.0 if parse_metric(metric).higher_is_better else 1.0
    return sorted(records, key=lambda record: sign * record.estimate)
