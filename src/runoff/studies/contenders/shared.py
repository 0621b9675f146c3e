"""Both readings of the same runs: every task has runs of its own, or each run is scored on all tasks; one experiment after the other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import runoff._inference.pairs as pairs
from runoff._inference.bootstrap import aggregate_with_error, improvement_of, parse_metric
from runoff.base.arrays import Bools
from runoff.base.random import Streams
from runoff.studies.batch import Batch
from runoff.studies.contenders.registry import Decide, contender
from runoff.studies.truth import truth

READINGS = {"per_task": False, "shared": True}
Question = Callable[[pairs.PairData, Batch, Streams], bool]


def _rejects(pair: pairs.PairData, batch: Batch, streams: Streams) -> bool:
    """Return whether the default test of `compare` tells the two apart."""
    options = pairs.PairOptions(streams=streams, n_resamples=batch.n_resamples, level=batch.alpha)
    return pairs.run_pair("auto", pair, options).pvalue <= batch.alpha


def _difference_holds(pair: pairs.PairData, batch: Batch, streams: Streams) -> bool:
    del streams
    ends = pair.difference.interval(1.0 - batch.alpha)
    true = truth(batch.known_world, "mean", 0) - truth(batch.known_world, "mean", 1)
    return ends is not None and ends[0] <= true <= ends[1]


def _improvement_holds(pair: pairs.PairData, batch: Batch, streams: Streams) -> bool:
    """Return whether the interval holds ½: what is true where both algorithms have the same distributions."""
    del streams
    ends = improvement_of(pair.x, pair.y, confidence_level=1.0 - batch.alpha, shared=pair.shared).ends
    return ends is not None and ends[0] <= 0.5 <= ends[1]


def _mean_holds(pair: pairs.PairData, batch: Batch, streams: Streams) -> bool:
    mean = aggregate_with_error(pair.x, parse_metric("mean"), batch.n_resamples, streams, 1, shared=pair.shared)
    ends, true = mean.interval(1.0 - batch.alpha), truth(batch.known_world, "mean", 0)
    return ends is not None and ends[0] <= true <= ends[1]


def one_by_one(question: Question, purpose: str, *, shared: bool) -> Decide:
    """Return a decision on the first two algorithms, each experiment by itself."""

    def decide(batch: Batch) -> Bools:
        tasks = [f"task {t}" for t in range(batch.scores.shape[2])]
        decisions = np.zeros(batch.n_batch, np.bool_)
        for i, experiment in enumerate(batch.scores):
            pair = pairs.PairData(
                a="first",
                b="last",
                x=list(experiment[0]),
                y=list(experiment[-1]),
                tasks=tasks,
                shared=shared and len(tasks) > 1,
            )
            decisions[i] = question(pair, batch, Streams(int(batch.generator(purpose, i).integers(2**63))))
        return decisions

    return decide


def default_test(purpose: str) -> Decide:
    """Return the decision of the default test of `compare`, every task with runs of its own."""
    return one_by_one(_rejects, purpose, shared=False)


for _name, _shared in READINGS.items():
    _words = "whole runs" if _shared else "runs per task"
    contender(f"default_{_name}", label=f"default test, {_words}")(
        one_by_one(_rejects, f"default {_name}", shared=_shared)
    )
    for _what, _question in (
        ("difference", _difference_holds),
        ("improvement", _improvement_holds),
        ("aggregate", _mean_holds),
    ):
        contender(f"{_what}_{_name}", label=f"{_what} interval, {_words}", signed=False, kind="coverage")(
            one_by_one(_question, f"{_what} {_name}", shared=_shared)
        )
