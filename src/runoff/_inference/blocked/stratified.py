"""The stratified permutation test of two algorithms: labels are exchanged within every task.

Under the null the runs of both algorithms on a task have the same distribution (it may differ between tasks), so all
Π_i (q_i choose c_i) relabellings are equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb, prod

import numpy as np

from runoff._inference.blocked.design import TOLERANCE, Blocks, centred, gather
from runoff._inference.blocked.null import SIDES, BlockedOptions, BlockedOutcome, Pvalue, counted
from runoff._kernels.blocked import permute
from runoff._kernels.blocked import stratified as kernels
from runoff.answer.base import filled
from runoff.base.arrays import Bools, Floats, GroupMask
from runoff.base.random import ROWS_PER_BLOCK, Streams, in_blocks, in_threads
from runoff.errors import DesignError
from runoff.words.speech import option

LabelsReduction = Callable[[GroupMask], Floats]

TOGETHER = 64
"""Pairs whose scores are reduced side by side: as many as stay near the core."""
MAX_RELABELLINGS = 200_000
"""Up to this many relabellings, all are enumerated: one task with 10 runs of each algorithm has 184,756."""


def _mean(blocks: Blocks, studentized: bool) -> LabelsReduction:
    return lambda labels: kernels.mean_differences(blocks.values, blocks.starts, labels, studentized)


def stratified_permutation(blocks: Blocks, options: BlockedOptions) -> BlockedOutcome:
    """Return the test of the difference of means; all relabellings if there are at most 200,000, otherwise drawn ones."""
    if options.method == "asymptotic":
        raise DesignError("stratified_permutation has no asymptotic method; use auto, exact or monte_carlo.")
    scaled, exponent = _scaled(blocks)
    reduce = _mean(scaled, studentized=False)
    # Computed by the kernel of the relabellings, so that the data, as one of them, get the very same value.
    observed = float(reduce(_own(blocks))[0])
    labels = _Labels.of(blocks, options.method, options.streams, options.n_resamples)
    hits = in_blocks(
        labels.n_rows, lambda b, rows: _extreme(reduce(labels.block(b, rows)), observed, options.alternative)
    )
    outcome = _result(scaled, observed, labels.pvalue(int(hits.sum())))
    return replace(outcome, statistic=float(np.ldexp(observed, exponent)))


def permuted_together(
    many: Sequence[Blocks],
    *,
    streams: Streams,
    n_resamples: int,
    threads: int | None = None,
) -> list[BlockedOutcome]:
    """Return the two-sided studentised test of each; blocks of one design share their relabellings; cells have two runs or more."""
    alike: dict[bytes, list[int]] = {}
    for i, blocks in enumerate(many):
        alike.setdefault(blocks.counts.tobytes(), []).append(i)
    outcomes: dict[int, BlockedOutcome] = {}
    for places in alike.values():
        own = [_scaled(many[i])[0] for i in places]
        outcomes |= dict(zip(places, _of_one_design(own, streams, n_resamples, threads), strict=True))
    return [outcomes[i] for i in range(len(many))]


def _of_one_design(
    many: Sequence[Blocks], streams: Streams, n_resamples: int, threads: int | None
) -> Iterator[BlockedOutcome]:
    design = many[0]
    alone = _mean(design, studentized=True)
    reduce = _means(many) if len(many) > 1 else lambda labels: alone(labels)[:, None]
    observed = reduce(_own(design))[0]
    labels = _Labels.of(design, "auto", streams, n_resamples)
    firsts = range(0, labels.n_rows, ROWS_PER_BLOCK)
    hits = np.zeros((len(firsts), len(many)), np.int64)

    def count(b: int) -> None:
        drawn = reduce(labels.block(b, min(ROWS_PER_BLOCK, labels.n_rows - firsts[b])))
        hits[b] = _extreme(drawn, observed, "two-sided").sum(axis=0)

    in_threads(count, range(len(firsts)), threads)
    for blocks, value, reached in zip(many, observed.tolist(), hits.sum(axis=0).tolist(), strict=True):
        yield _result(blocks, value, labels.pvalue(reached))


def relabelled_pvalues(x: Floats, y: Floats, *, streams: Streams, n_resamples: int, studentized: bool) -> Floats:
    """Return the two-sided p-values (n_batch,) of experiments of one size, (n_batch, n_tasks, n_runs) each side, by the same relabellings."""
    n_batch, n_tasks, n = x.shape
    both = np.concatenate([x, y], axis=2)
    values = np.ascontiguousarray((both - np.median(both, axis=2, keepdims=True)).reshape(n_batch, -1).T)
    cells = np.arange(2 * n_tasks + 1) * n
    design = gather(np.arange(values.shape[0], dtype=np.float64), cells, 2, n_tasks)
    labels, hits = _Labels.of(design, "auto", streams, n_resamples), np.zeros(n_batch, np.int64)
    for at in range(0, n_batch, TOGETHER):
        part = np.ascontiguousarray(values[:, at : at + TOGETHER])
        # An experiment without spread is divided by 1.
        part /= np.abs(part).max(axis=0) + (np.abs(part).max(axis=0) == 0)
        scale = np.abs(part).max(axis=0)
        observed = kernels.mean_differences_together(part, design.starts, _own(design), scale, studentized)[0]
        for b, first in enumerate(range(0, labels.n_rows, ROWS_PER_BLOCK)):
            rows = labels.block(b, min(ROWS_PER_BLOCK, labels.n_rows - first))
            drawn = kernels.mean_differences_together(part, design.starts, rows, scale, studentized)
            hits[at : at + TOGETHER] += _extreme(drawn, observed, "two-sided").sum(axis=0)
    return np.array([labels.pvalue(count).pvalue for count in hits.tolist()])


def _means(many: Sequence[Blocks]) -> LabelsReduction:
    """Return the studentised differences (n_rows, n_pairs) of all pairs of a design."""
    starts = many[0].starts
    parts = [
        np.column_stack([blocks.values for blocks in many[at : at + TOGETHER]]) for at in range(0, len(many), TOGETHER)
    ]
    scales = [np.abs(part).max(axis=0) for part in parts]

    def reduce(labels: GroupMask) -> Floats:
        pairs = zip(parts, scales, strict=True)
        return np.hstack(
            [kernels.mean_differences_together(part, starts, labels, scale, True) for part, scale in pairs]
        )

    return reduce


def _scaled(blocks: Blocks) -> tuple[Blocks, int]:
    """Return the blocks with scores about the middle and below 1 in size, and the power of two that they were divided by."""
    middle = centred(blocks)
    # By a power of two, which rounds nothing: squares of scores of 1e±200 are no doubles.
    exponent = int(np.frexp(np.abs(middle).max(initial=0.0))[1])
    return replace(blocks, values=np.ldexp(middle, -exponent)), exponent


def _own(blocks: Blocks) -> GroupMask:
    return np.repeat(np.tile(np.array([0, 1], np.int8), blocks.tasks.size), blocks.counts.ravel())[None, :]


def _result(blocks: Blocks, observed: float, pvalue: Pvalue) -> BlockedOutcome:
    all_tied = not blocks.squares.any()
    return filled(BlockedOutcome, pvalue, statistic=observed, df=None, direction=observed, all_tied=all_tied)


@dataclass(frozen=True, slots=True)
class _Labels:
    """The relabellings of a design, block after block: all of them, or as many as were asked for, drawn."""

    design: Blocks
    streams: Streams
    n_rows: int
    every: GroupMask | None

    @classmethod
    def of(cls, design: Blocks, method: str, streams: Streams, n_resamples: int) -> _Labels:
        # Python's integers: the product has thousands of digits for many runs.
        relabellings = prod(comb(int(a + b), int(a)) for a, b in design.counts)
        if method in ("auto", "exact") and relabellings <= MAX_RELABELLINGS:
            return cls(design, streams, relabellings, permute.all_labels(design.counts))
        if method == "exact":
            raise DesignError(
                f"these runs have {relabellings:,} permutations, more than the {MAX_RELABELLINGS:,} that are enumerated; "
                f"use {option('method', 'monte_carlo')}, or auto."
            )
        return cls(design, streams, n_resamples, None)

    def block(self, b: int, rows: int) -> GroupMask:
        if self.every is not None:
            return self.every[b * ROWS_PER_BLOCK : b * ROWS_PER_BLOCK + rows]
        return permute.drawn_labels(self.streams.block("stratified", b), self.design.starts, self.design.counts, rows)

    def pvalue(self, hits: int) -> Pvalue:
        if self.every is None:
            return counted(hits, self.n_rows)
        # The data are one of the relabellings: the share is never 0, and needs no + 1.
        return Pvalue(hits / self.n_rows, "exact")


def _extreme(drawn: Floats, observed: float | Floats, alternative: str) -> Bools:
    """Compare with a tolerance for the rounding of sums in another order; all statistics are of scores of at most 1."""
    side = SIDES[alternative]
    # A tolerance relative to an infinite statistic is infinite, and ∞ − ∞ compares with nothing.
    slack = TOLERANCE * np.where(np.isfinite(observed), np.abs(observed), 0.0) + 1e-12
    if side == 0:
        return np.asarray(np.abs(drawn) >= np.abs(observed) - slack)
    return np.asarray(side * drawn >= side * observed - slack)
