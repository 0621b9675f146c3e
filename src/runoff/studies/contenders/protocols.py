"""What is reported of a learning curve: its last score, the mean of its last ones, or its best (Agarwal 2021, figure 5 and its text)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType

import numpy as np

from runoff.base.arrays import Bools, Floats
from runoff.errors import OptionError
from runoff.studies.batch import Batch
from runoff.studies.contenders.registry import Decide, contender
from runoff.studies.contenders.shared import default_test


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """A score of each run, (…,), of its curve, (…, n_evaluations); `least` evaluations are needed."""

    label: str
    reduce: Callable[[Floats], Floats]
    least: int = 1


def last(k: int) -> Protocol:
    """Return the mean of the last k evaluations."""
    return Protocol(label=f"last {k}", reduce=lambda curves: np.asarray(curves[..., -k:].mean(axis=-1)), least=k)


PROTOCOLS: Mapping[str, Protocol] = MappingProxyType(
    {
        "final": Protocol(label="final", reduce=lambda curves: np.asarray(curves[..., -1])),
        "last_5": last(5),
        "last_10": last(10),
        "best": Protocol(label="best", reduce=lambda curves: np.asarray(curves.max(axis=-1))),
    }
)
SIDES = (("final", "final"), ("last_5", "last_5"), ("best", "best"), ("final", "best"))
"""What the first algorithm reports, and what the last."""


def reported(batch: Batch, protocol: str, algorithm: int) -> Floats:
    """Return what is reported of an algorithm, (n_batch, n_tasks, n_runs)."""
    assert batch.curves is not None  # Study refuses worlds without curves
    return PROTOCOLS[protocol].reduce(batch.curves[:, algorithm])


def bias(protocol: str) -> Decide:
    """Return reported mean − true mean of the last evaluation, of the first algorithm, in pooled standard deviations, averaged over tasks."""

    def measure(batch: Batch) -> Floats:
        truth = np.array([cell.true_mean for cell in batch.known_world.grid[0]])
        deviations: Floats = ((reported(batch, protocol, 0).mean(axis=2) - truth) / batch.known_world.pooled_sd).mean(
            axis=1
        )
        return deviations

    return measure


def turned(protocol: str) -> Decide:
    """Return the share of pairs, over tasks, whose reported means are in the other order than their true means of the last evaluation.

    A tie of reported means is half turned; pairs that are truly equal do not count.
    """

    def measure(batch: Batch) -> Floats:
        world = batch.known_world
        true = np.array([[cell.true_mean for cell in row] for row in world.grid])
        means = np.stack([reported(batch, protocol, a).mean(axis=2) for a in range(world.n_algorithms)], axis=1)
        shares = [
            0.5 - 0.5 * np.sign(true[a, t] - true[b, t]) * np.sign(means[:, a, t] - means[:, b, t])
            for a, b in combinations(range(world.n_algorithms), 2)
            for t in range(world.n_tasks)
            if true[a, t] != true[b, t]
        ]
        if not shares:
            raise OptionError(
                f"world {world.name!r} has no two algorithms whose true means differ: there is no order that could turn."
            )
        return np.asarray(np.mean(shares, axis=0))

    return measure


def compared(first: str, other: str) -> Decide:
    """Return whether the default test of `compare` tells two algorithms apart, one reported by one protocol, one by another."""
    decide = default_test(f"protocol {first} {other}")

    def decision(batch: Batch) -> Bools:
        scores = np.stack([reported(batch, first, 0), reported(batch, other, -1)], axis=1)
        return np.asarray(decide(replace(batch, scores=scores, curves=None, _cache={})))

    return decision


for _name, _protocol in PROTOCOLS.items():
    contender(
        f"protocol_bias_{_name}",
        label=f"bias, {_protocol.label}",
        signed=False,
        n_algorithms=None,
        kind="estimate",
        n_evaluations=_protocol.least,
    )(bias(_name))
    contender(
        f"protocol_turned_{_name}",
        label=f"pairs turned, {_protocol.label}",
        signed=False,
        n_algorithms=None,
        kind="estimate",
        n_evaluations=_protocol.least,
    )(turned(_name))
for _first, _other in SIDES:
    contender(
        f"protocol_compare_{_first}_{_other}",
        label=f"compare, {PROTOCOLS[_first].label} and {PROTOCOLS[_other].label}",
        signed=False,
        n_evaluations=max(PROTOCOLS[_first].least, PROTOCOLS[_other].least),
    )(compared(_first, _other))
