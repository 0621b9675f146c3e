"""Whether a function is made of rliable's metrics alone, so that kernels may take its place: traced, then held to what it says of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from runoff._inference.bootstrap import METRICS, Array, Part, Source, point, reducible, resamples
from runoff.base.arrays import Floats
from runoff.compat.rliable import metrics
from runoff.compat.rliable._tracing import Token, Trace, trace

ALIKE = 1e-12
TRIED = 3
"""Resamples on which a function has to agree with the metrics that it was found to be, beside the data."""
LARGEST = 1e150
"""Larger scores could overflow in a kernel's sums."""

FORMULAS: dict[str, Callable[..., Any]] = {
    "mean": metrics.aggregate_mean,
    "median": metrics.aggregate_median,
    "iqm": metrics.aggregate_iqm,
}


@dataclass(frozen=True, slots=True)
class Recognised:
    """Metrics of one array, or, without parts, so many times the probability of improvement of two."""

    parts: tuple[Part, ...]
    n_values: int


def recognise(func: Callable[..., Any], given: Source) -> Recognised | None:
    """Return which metrics a function of float64 arrays is made of, or None.

    It has to be so in its trace, on the data and on some resamples to 1e-12 of the largest number that goes into them, and the kernels have
    to find the same of the data.
    """
    if not all(np.isfinite(array).all() and np.abs(array).max() < LARGEST for array in given.arrays):
        return None
    traced = trace(func, [array.shape for array in given.arrays])
    if traced is None or not _known(traced, given):
        return None
    scale = _scale(traced, given)
    for arrays in chain([given.arrays], resamples(given, TRIED)):
        own = np.atleast_1d(func(*(array.copy() for array in arrays)))
        if not _alike(own, _values(traced, arrays), scale):
            return None
    if len(given.arrays) > 1:
        return Recognised((), len(traced.tokens))
    parts = tuple(Part(metric=METRICS[t.metric], cells=t.cells, gamma=t.gamma) for t in traced.tokens)
    if not reducible(given, parts) or not _alike(point(given, parts), _values(traced, given.arrays), scale):
        return None
    return Recognised(parts, len(parts))


def _known(traced: Trace, given: Source) -> bool:
    """Return whether the tokens are of the kind that these arrays allow; a scale of gamma beyond that of the scores has its own rounding."""
    improvement = len(given.arrays) == 2
    return all((token.metric == "improvement") == improvement and abs(token.gamma) < LARGEST for token in traced.tokens)


def _scale(traced: Trace, given: Source) -> float:
    """Return the largest number that goes into a metric: 1 for chances, else that of the scores and of every gamma."""
    if len(given.arrays) > 1:
        return 1.0
    gammas = [abs(token.gamma) for token in traced.tokens if token.metric == "optimality_gap"]
    return max([float(np.abs(given.arrays[0]).max()), *gammas])


def _values(traced: Trace, arrays: Sequence[Array]) -> Floats:
    return np.array([_value(token, arrays) for token in traced.tokens], dtype=np.float64)


def _value(token: Token, arrays: Sequence[Array]) -> Any:
    if token.metric == "improvement":
        return metrics.probability_of_improvement(*arrays)
    columns = arrays[0].reshape(len(arrays[0]), -1)[:, list(token.cells)]
    if token.metric == "optimality_gap":
        return metrics.aggregate_optimality_gap(columns, token.gamma)
    return FORMULAS[token.metric](columns)


def _alike(one: Floats, other: Floats, scale: float) -> bool:
    return one.shape == other.shape and bool(np.all(np.abs(one - other) <= ALIKE * scale))
