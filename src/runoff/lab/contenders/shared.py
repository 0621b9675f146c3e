"""Experiments one at a time, by the procedures of `compare` and `aggregate`: shared runs, and protocols of learning curves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType

import numpy as np

import runoff._inference.pairs as pairs
from runoff._inference.bootstrap import estimate_of, parse_metric
from runoff.base.arrays import Bools, Floats
from runoff.base.random import Streams
from runoff.errors import OptionError
from runoff.lab.contenders.estimates import truth
from runoff.lab.contenders.registry import Batch, ContenderDecision, contender

PairQuestion = Callable[[pairs.PairData, Batch, Streams], bool]


def _rejects(pair: pairs.PairData, batch: Batch, streams: Streams) -> bool:
    """Return whether the default test of `compare` finds a difference."""
    options = pairs.PairOptions(streams=streams, n_resamples=batch.n_resamples)
    return pairs.run_pair("auto", pair, options).pvalue <= batch.alpha


def _difference_holds(pair: pairs.PairData, batch: Batch, streams: Streams) -> bool:
    del streams
    ends = pair.law("mean").interval(1.0 - batch.alpha)
    true = truth(batch.known_world, "mean", 0) - truth(batch.known_world, "mean", 1)
    return ends is not None and ends[0] <= true <= ends[1]


def _improvement_holds(pair: pairs.PairData, batch: Batch, streams: Streams) -> bool:
    """Return whether the interval contains ½, the true value if both algorithms have the same distributions."""
    del streams
    ends = pair.law("improvement").interval(1.0 - batch.alpha)
    return ends is not None and ends[0] <= 0.5 <= ends[1]


def _mean_holds(pair: pairs.PairData, batch: Batch, streams: Streams) -> bool:
    del streams
    ends = estimate_of(pair.x, parse_metric("mean"), shared=pair.shared).law().interval(1.0 - batch.alpha)
    true = truth(batch.known_world, "mean", 0)
    return ends is not None and ends[0] <= true <= ends[1]


def one_by_one(question: PairQuestion, purpose: str, *, shared: bool) -> ContenderDecision:
    """Return a decision on the first two algorithms, made separately for each experiment."""

    def decide(batch: Batch) -> Bools:
        tasks = [f"task {t}" for t in range(batch.scores.shape[2])]
        decisions = np.zeros(batch.n_batch, np.bool_)
        for i, experiment in enumerate(batch.scores):
            x, y = list(experiment[0]), list(experiment[-1])
            pair = pairs.PairData(a="first", b="last", x=x, y=y, tasks=tasks, shared=shared and len(tasks) > 1)
            decisions[i] = question(pair, batch, Streams(int(batch.generator(purpose, i).integers(2**63))))
        return decisions

    return decide


QUESTIONS = {"difference": _difference_holds, "improvement": _improvement_holds, "aggregate": _mean_holds}
for _name, _shared, _words in (("per_task", False, "runs per task"), ("shared", True, "whole runs")):
    _decide = one_by_one(_rejects, f"default {_name}", shared=_shared)
    contender(f"default_{_name}", label=f"default test, {_words}")(_decide)
    for _what, _question in QUESTIONS.items():
        _decide = one_by_one(_question, f"{_what} {_name}", shared=_shared)
        contender(f"{_what}_{_name}", label=f"{_what} interval, {_words}", signed=False, kind="coverage")(_decide)


# ── protocols: what is reported of a learning curve (Agarwal 2021, figure 5 and its text) ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreProtocol:
    """A rule that computes the score of each run, (…,), from its curve, (…, n_evaluations); it needs at least `least` evaluations."""

    label: str
    reduce: Callable[[Floats], Floats]
    least: int = 1


def last(k: int) -> ScoreProtocol:
    """Return the mean of the last k evaluations."""
    return ScoreProtocol(label=f"last {k}", reduce=lambda curves: np.asarray(curves[..., -k:].mean(axis=-1)), least=k)


PROTOCOLS: Mapping[str, ScoreProtocol] = MappingProxyType(
    {
        "final": ScoreProtocol(label="final", reduce=lambda curves: np.asarray(curves[..., -1])),
        "last_5": last(5),
        "last_10": last(10),
        "best": ScoreProtocol(label="best", reduce=lambda curves: np.asarray(curves.max(axis=-1))),
    }
)
SIDES = (("final", "final"), ("last_5", "last_5"), ("best", "best"), ("final", "best"))
"""The protocols by which the first and the last algorithm report their scores."""


def reported(batch: Batch, protocol: str, algorithm: int) -> Floats:
    """Return the reported scores of an algorithm, (n_batch, n_tasks, n_runs)."""
    assert batch.curves is not None  # Study refuses worlds without curves
    return PROTOCOLS[protocol].reduce(batch.curves[:, algorithm])


def bias(protocol: str) -> ContenderDecision:
    """Return the first algorithm's reported mean minus its true mean at the last evaluation, in pooled standard deviations, averaged over
    tasks."""

    def measure(batch: Batch) -> Floats:
        true = np.array([cell.true_mean for cell in batch.known_world.grid[0]])
        deviations = (reported(batch, protocol, 0).mean(axis=2) - true) / batch.known_world.pooled_sd
        return np.asarray(deviations.mean(axis=1))

    return measure


def turned(protocol: str) -> ContenderDecision:
    """Return the share of pairs, over tasks, whose reported means reverse the order of their true means at the end; ties count half, pairs
    with equal true means do not count."""

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
            message = f"world {world.name!r} has no two algorithms whose true means differ: there is no order that could turn."
            raise OptionError(message)
        return np.asarray(np.mean(shares, axis=0))

    return measure


def compared(first: str, other: str) -> ContenderDecision:
    """Return whether the default test of `compare` finds a difference between two algorithms that are reported by different protocols."""
    decide = one_by_one(_rejects, f"protocol {first} {other}", shared=False)

    def decision(batch: Batch) -> Bools:
        scores = np.stack([reported(batch, first, 0), reported(batch, other, -1)], axis=1)
        return np.asarray(decide(replace(batch, scores=scores, curves=None, _cache={})))

    return decision


for _name, _protocol in PROTOCOLS.items():
    for _what, _label, _measure in (("bias", "bias", bias), ("turned", "pairs turned", turned)):
        contender(
            f"protocol_{_what}_{_name}",
            label=f"{_label}, {_protocol.label}",
            signed=False,
            n_algorithms=None,
            kind="estimate",
            n_evaluations=_protocol.least,
        )(_measure(_name))
for _first, _other in SIDES:
    contender(
        f"protocol_compare_{_first}_{_other}",
        label=f"compare, {PROTOCOLS[_first].label} and {PROTOCOLS[_other].label}",
        signed=False,
        n_evaluations=max(PROTOCOLS[_first].least, PROTOCOLS[_other].least),
    )(compared(_first, _other))
