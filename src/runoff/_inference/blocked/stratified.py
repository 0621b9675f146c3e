"""The stratified permutation test of two algorithms: labels are exchanged within every task.

Under the null the runs of both algorithms on a task have the same distribution (it may differ between tasks), so all
Π_i (q_i choose c_i) relabellings are equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import comb, prod
from types import MappingProxyType

import numpy as np

from runoff._arrays import Bools, Floats, Labels
from runoff._inference.blocked.design import TOLERANCE, Blocks, centred
from runoff._inference.blocked.null import SIDES, Pvalue, counted, in_blocks
from runoff._inference.blocked.outcome import StepTests
from runoff._kernels.blocked import permute
from runoff._kernels.blocked import stratified as kernels
from runoff._kernels.blocked.ranks import order_within
from runoff._random import Streams
from runoff._speech import option
from runoff.errors import DesignError

Reduce = Callable[[Labels], Floats]

IN_UNITS = ("mean", "iqm")
"""Statistics in units of the scores, unless they are studentised."""
MAX_RELABELLINGS = 200_000
"""Up to this many relabellings, all are enumerated: one task with 10 runs of each algorithm has 184,756."""


def _mean(blocks: Blocks, studentized: bool) -> Reduce:
    return lambda labels: kernels.mean_differences(blocks.values, blocks.starts, labels, studentized)


def _improvement(blocks: Blocks, studentized: bool) -> Reduce:
    order = order_within(blocks.ranks, blocks.starts)
    return lambda labels: kernels.improvement_differences(blocks.ranks, blocks.starts, order, labels, studentized)


def _iqm(blocks: Blocks, studentized: bool) -> Reduce:
    order = np.argsort(blocks.values, kind="stable")
    task_of = np.repeat(np.arange(blocks.tasks.size), blocks.sizes)
    # Every task weighs the same in both algorithms, however many runs it has: else more runs on an easy task look like merit.
    weights = np.ascontiguousarray((blocks.counts.sum(axis=0) / (blocks.counts * blocks.tasks.size)).T)
    return lambda labels: kernels.iqm_differences(blocks.values, order, task_of, weights, labels, studentized)


STATISTICS: Mapping[str, Callable[[Blocks, bool], Reduce]] = MappingProxyType(
    {"mean": _mean, "iqm": _iqm, "improvement": _improvement}
)


def stratified_permutation(
    blocks: Blocks,
    *,
    statistic: str,
    studentized: bool,
    alternative: str,
    method: str,
    streams: Streams,
    n_resamples: int,
) -> StepTests:
    """Return the test of one statistic; all relabellings if there are at most 200,000, otherwise drawn ones."""
    if studentized and (blocks.counts < 2).any():
        task = int(blocks.tasks[np.argwhere((blocks.counts < 2).any(axis=1))[0, 0]])
        raise DesignError(
            f"a studentised statistic needs at least two runs in every cell, but task number {task} (counted from 0) has a cell "
            "with one; use studentized=False."
        )
    # The pooled IQM sees the distances between tasks, so these stay.
    middle = blocks.values - np.median(blocks.values) if statistic == "iqm" else centred(blocks)
    # By a power of two, which rounds nothing: squares of scores of 1e±200 are no doubles.
    exponent = int(np.frexp(np.abs(middle).max(initial=0.0))[1])
    blocks = replace(blocks, values=np.ldexp(middle, -exponent))
    reduce = STATISTICS[statistic](blocks, studentized)
    own = np.repeat(np.tile(np.array([0, 1], np.int8), blocks.tasks.size), blocks.counts.ravel())
    # Computed by the kernel of the relabellings, so that the data, as one of them, get the very same value.
    observed = float(reduce(own[None, :])[0])
    in_units = statistic in IN_UNITS and not studentized
    pvalue = _pvalue(blocks, reduce, observed, alternative, method, streams, n_resamples)
    return StepTests(
        statistic=float(np.ldexp(observed, exponent)) if in_units else observed,
        pvalue=pvalue.value,
        pvalue_error=pvalue.error,
        method=pvalue.method,
        df=None,
        n_resamples=pvalue.n_resamples,
        direction=observed,
        all_tied=not blocks.squares.any(),
    )


def _pvalue(
    blocks: Blocks,
    reduce: Reduce,
    observed: float,
    alternative: str,
    method: str,
    streams: Streams,
    n_resamples: int,
) -> Pvalue:
    relabellings = prod(comb(int(a + b), int(a)) for a, b in blocks.counts)
    if method in ("auto", "exact") and relabellings <= MAX_RELABELLINGS:
        labels = kernels.all_labels(blocks.starts, blocks.counts, relabellings)
        # The data are one of the relabellings: the share is never 0, and needs no + 1.
        share = _extreme(reduce(labels), observed, alternative).mean()
        return Pvalue(float(share), 0.0, "exact")
    if method == "exact":
        raise DesignError(
            f"there are {relabellings:,} relabellings of these runs, more than the {MAX_RELABELLINGS:,} that are enumerated; "
            f"use {option('method', 'monte_carlo')}, or auto."
        )

    def draw(b: int, rows: int) -> Floats:
        shape = (rows, permute.words_per_draw(blocks.counts))
        words = streams.block("stratified", b).integers(0, 2**32, size=shape, dtype=np.uint32)
        return reduce(permute.shuffled_labels(blocks.starts, blocks.counts, words))

    drawn = in_blocks(n_resamples, draw)
    return counted(int(_extreme(drawn, observed, alternative).sum()), n_resamples)


def _extreme(drawn: Floats, observed: float, alternative: str) -> Bools:
    """Compare with a tolerance for the rounding of sums in another order; all statistics are of scores of at most 1."""
    side = SIDES[alternative]
    # A tolerance relative to an infinite statistic is infinite, and ∞ − ∞ compares with nothing.
    slack = TOLERANCE * abs(observed) + 1e-12 if np.isfinite(observed) else 0.0
    if side == 0:
        return np.abs(drawn) >= abs(observed) - slack
    return side * drawn >= side * observed - slack
