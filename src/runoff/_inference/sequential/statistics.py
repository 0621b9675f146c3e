"""The statistics that are compared with their bounds at every look: those of all pairs, under many labellings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from runoff._kernels import pairwise
from runoff.base.arrays import Floats, Ints, Labels

Statistic = Callable[[Floats, Ints, Labels, int], Floats]
"""Scores (total,) task after task, starts of the tasks, labels (n_rows, total), number of algorithms -> (n_rows, k, k), antisymmetric."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialTest:
    """One name of `test`."""

    title: str
    statistic: Statistic


def _studentized(values: Floats, starts: Ints, labels: Labels, k: int) -> Floats:
    together = np.ones((starts.size - 1, k, k))
    return pairwise.pair_t(values, starts, labels, together)


SEQUENTIAL_TESTS: Mapping[str, SequentialTest] = MappingProxyType(
    {
        "studentized_permutation": SequentialTest(
            title="relabelling within task and look, of the difference of means over its standard error",
            statistic=_studentized,
        ),
    }
)
