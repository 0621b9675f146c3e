"""The true values in a world and estimates of them; the table gives their mean, its standard error, and their spread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from runoff._inference.bootstrap import ENDLESS, METRICS, Metric, estimate, parse_metric, prepare
from runoff.base.arrays import Floats
from runoff.errors import OptionError
from runoff.lab.contenders.registry import Batch, ContenderDecision, contender
from runoff.lab.contenders.resampling import iqm
from runoff.lab.worlds import Empirical, World

# ── what is true of an algorithm, the value an estimate should have with endless runs ──────────


GAMMA = 1.0
"""The threshold of the optimality gap, in units of the scores."""


def truth(world: World, metric: str, algorithm: int = 0) -> float:
    """Return the true metric of one algorithm.

    The mean and the median are those of the true task means. All other metrics are those of the distribution of all tasks' runs, which is
    known for empirical worlds only; trimmed means cut exactly their share.
    """
    row = world.grid[algorithm]
    if metric in OF_MEANS:
        return float(OF_MEANS[metric]([cell.true_mean for cell in row]))
    if metric not in METRICS:
        names = ", ".join(dict.fromkeys((*OF_MEANS, *METRICS)))
        raise OptionError(f"the true {metric} of a world is not known; known are {names}.")
    values = []
    for cell in row:
        if not isinstance(cell.family, Empirical):
            raise OptionError(f"world {world.name!r}: the true {metric} is known for empirical distributions only.")
        values.append(cell.place(np.asarray(cell.family.values)))
    return true_of_runs(values, METRICS[metric])


def true_of_runs(cells: Sequence[Floats], metric: Metric) -> float:
    """Return the metric of the distribution of all runs, task by task; trimmed means cut exactly their share."""
    pool = prepare(cells, [metric], gamma=GAMMA)
    return estimate(pool, metric)


OF_MEANS: Mapping[str, Callable[[list[float]], np.floating]] = MappingProxyType({"mean": np.mean, "median": np.median})
"""Metrics that are computed from the means of the tasks."""


QUICK: dict[str, Callable[[Batch, int], Floats]] = {
    "iqm": lambda batch, a: iqm(batch.pooled(a)),
    "median": lambda batch, a: np.median(batch.scores[:, a].mean(axis=2), axis=1),
    "mean": lambda batch, a: batch.pooled(a).mean(axis=1),
    "optimality_gap": lambda batch, a: np.maximum(GAMMA - batch.pooled(a), 0.0).mean(axis=1),
}
"""Metrics with a faster form for a whole batch."""


def estimates_of(batch: Batch, a: int, metric: Metric) -> Floats:
    """Return the estimates (n_batch,) of one algorithm, the same as those of `aggregate`."""
    if metric.name in QUICK:
        return QUICK[metric.name](batch, a)
    values = batch.scores[:, a]
    measure = metric.among(values[0].size).function
    return np.array([measure(runs, np.full_like(runs, ENDLESS)) for runs in values])


def bias(metric: str) -> ContenderDecision:
    """Return estimate − truth of the first algorithm (Agarwal 2021 section 3, figure A.17)."""
    parsed = parse_metric(metric)
    return lambda batch: estimates_of(batch, 0, parsed) - truth(batch.known_world, metric)


def lift(metric: str) -> ContenderDecision:
    """Return the last algorithm's estimate divided by the first's, minus 1 (Agarwal 2021 figure 4)."""
    parsed = parse_metric(metric)
    return lambda batch: estimates_of(batch, 1, parsed) / estimates_of(batch, 0, parsed) - 1.0


def lift_seen(metric: str) -> ContenderDecision:
    parsed = parse_metric(metric)
    return lambda batch: estimates_of(batch, 1, parsed) > estimates_of(batch, 0, parsed)


for _metric in METRICS:
    _decide = bias(_metric)
    contender(f"bias_{_metric}", label=f"bias, {_metric}", signed=False, n_algorithms=None, kind="estimate")(_decide)
for _metric in ("iqm", "median", "mean"):
    contender(f"lift_{_metric}", label=f"lift, {_metric}", signed=False, kind="estimate")(lift(_metric))
    contender(f"lift_seen_{_metric}", label=f"lift seen, {_metric}", signed=False)(lift_seen(_metric))


@contender("sample_sd", label="sample standard deviation", signed=False, n_algorithms=None, kind="estimate")
def sample_sd(batch: Batch) -> Floats:
    """Return the sample standard deviation (divisor n − 1) of the first algorithm's runs (Colas 2018 figure 7)."""
    return np.asarray(np.std(batch.pooled(0), axis=1, ddof=1))
