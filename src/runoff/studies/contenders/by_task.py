"""The tests of `compare` over tasks, for a batch: what `welch` and its kin are there, while in studies their names pool the tasks.

Where there are no more relabellings than resamples, each experiment is tested by `compare`'s own procedure, which then counts all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import comb

import numpy as np
from scipy import special

import runoff._inference.pairs as pairs
from runoff._inference.blocked import exact_pvalues
from runoff._kernels.blocked.ranks import regular_starts
from runoff._kernels.blocked.stratified import mean_differences
from runoff.base.arrays import Bools, Floats, Labels
from runoff.base.random import Streams
from runoff.errors import DesignError
from runoff.studies.batch import Batch
from runoff.studies.contenders.blocked import (
    slots_of,
    stratified_permutation,
    stratified_permutation_improvement,
    tied,
)
from runoff.studies.contenders.registry import Decide, contender
from runoff.studies.resampling import permutation_pvalues

FLAT = 1e-15
"""A standard error below this share of the scores is none, as `compare` has it."""


def pvalues_of_compare(batch: Batch, name: str) -> Floats:
    """Return the p-values (n_batch,) that `compare` gives the last algorithm against the first, experiment by experiment."""
    tasks = [f"task {t}" for t in range(batch.scores.shape[2])]
    pvalues = np.empty(batch.n_batch)
    for i, (first, last) in enumerate(batch.scores):
        pair = pairs.PairData(a="last", b="first", x=list(last), y=list(first), tasks=tasks)
        streams = Streams(int(batch.generator(f"compare {name}", i).integers(2**63)))
        options = pairs.PairOptions(streams=streams, n_resamples=batch.n_resamples, level=batch.alpha)
        pvalues[i] = pairs.run_pair(name, pair, options).pvalue
    return pvalues


def countable(batch: Batch) -> bool:
    """Return whether there are no more relabellings within tasks than resamples."""
    _, _, n_tasks, n = batch.scores.shape
    return bool(comb(2 * n, n) ** n_tasks <= batch.n_resamples)


def counted_or(name: str, drawn: Callable[[Batch], Bools]) -> Decide:
    """Return the decision of a test of `compare`: by all relabellings where they are few, else by a form for batches."""

    def decide(batch: Batch) -> Bools:
        return pvalues_of_compare(batch, name) <= batch.alpha if countable(batch) else drawn(batch)

    return decide


def welch_pvalues(batch: Batch) -> Floats:
    """Return the p-values (n_batch,) of the difference of means, averaged over tasks, by Welch's t."""
    _, _, n_tasks, n = batch.scores.shape
    scores = batch.scores - np.median(batch.scores, axis=(1, 3), keepdims=True)
    means = scores.mean(axis=3)
    difference = (means[:, 1] - means[:, 0]).mean(axis=1)
    parts = scores.var(axis=3, ddof=1).reshape(batch.n_batch, -1) / (n * n_tasks**2)
    scale = np.abs(scores).max(axis=(1, 2, 3)) / n_tasks
    parts[parts <= (FLAT * scale[:, None]) ** 2] = 0.0
    variance = parts.sum(axis=1)
    spread = variance > 0.0
    pvalues = np.ones(batch.n_batch)
    shares = parts[spread] / variance[spread, None]
    df = (n - 1) / np.square(shares).sum(axis=1)
    pvalues[spread] = 2.0 * special.stdtr(df, -np.abs(difference[spread]) / np.sqrt(variance[spread]))
    if not spread.all():
        pvalues[~spread] = pvalues_of_compare(replace(batch, scores=batch.scores[~spread]), "welch")
    return pvalues


@contender("welch_by_task", label="Welch (by task)")
def welch_by_task(batch: Batch) -> Bools:
    """Welch's t of the difference of means averaged over tasks."""
    return welch_pvalues(batch) <= batch.alpha


def _studentized(batch: Batch) -> Bools:
    """Relabellings within tasks of the difference of means over its standard error (Welch within tasks)."""
    n_tasks, n = batch.scores.shape[2:]
    centred = batch.scores - batch.scores.mean(axis=(1, 3), keepdims=True)
    largest = np.abs(centred).max(axis=(1, 2, 3), keepdims=True)
    batch = replace(batch, scores=centred / np.where(largest > 0.0, largest, 1.0))
    values, starts = slots_of(batch.scores), regular_starts(n_tasks, 2 * n)

    def statistic(labels: Labels, rows: slice) -> Floats:
        return np.stack([mean_differences(sample, starts, labels, True) for sample in values[rows]])

    return permutation_pvalues(batch, "studentized by task", statistic) <= batch.alpha


def _ranked(batch: Batch) -> Bools:
    """The exact law of experiments without ties, and relabellings of the others."""
    with_ties = tied(batch.scores)
    try:
        decisions = np.zeros(batch.n_batch, np.bool_)
        if not with_ties.all():
            decisions[~with_ties] = exact_pvalues(batch.scores[~with_ties]) <= batch.alpha
    except DesignError:
        with_ties[:] = True
    if with_ties.any():
        decisions[with_ties] = stratified_permutation_improvement(batch)[with_ties]
    return decisions


contender("studentized_permutation_by_task", label="studentised permutation (by task)")(
    counted_or("studentized_permutation", _studentized)
)
contender("stratified_permutation_by_task", label="stratified permutation (by task)")(
    counted_or("stratified_permutation", stratified_permutation)
)
contender("mack_skillings_by_task", label="Mack-Skillings (by task)", target="median")(
    counted_or("mack_skillings", _ranked)
)
