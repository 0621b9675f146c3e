"""The tests over several tasks for a batch: those of `rank_test`, in short forms, and those of `compare`.

In studies, `welch` and the other two-sample tests pool the tasks; their stratified forms in `compare` have names that end in `_by_task`. If
there are no more permutations than resamples, each experiment is tested by `compare`'s own procedure, which then enumerates them all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import comb

import numpy as np
from scipy import special, stats

import runoff._inference.pairs as pairs
from runoff._inference.blocked import BLOCKED, asymptotic_pvalues, exact_pvalues
from runoff._inference.bootstrap import mean_pvalues
from runoff._kernels.blocked.ranks import balanced_statistics, centred_ranks, regular_starts
from runoff._kernels.study import lanes, pooled_means
from runoff.base.arrays import Bools, Floats, GroupMask, Ints, SmallCounts
from runoff.base.random import Streams
from runoff.errors import DesignError
from runoff.lab.contenders.registry import Batch, ContenderDecision, contender
from runoff.lab.contenders.resampling import IQM_CUT, permutation_pvalues

TIED_RUNS = 10
"""With ties and more runs than this, the exact distribution costs 20 ms to a second per experiment, and differs from χ² in the third decimal."""


def of_test(name: str) -> Callable[[ContenderDecision], ContenderDecision]:
    """Register the short form of a test of `rank_test`, as given in the test's record."""
    test = BLOCKED[name]
    return contender(name, label=test.about.label, target=test.about.target, n_algorithms=test.n_algorithms)


def mack_skillings_pvalues(batch: Batch) -> Floats:
    """Return the χ² p-values of the Mack-Skillings test, computed once for all methods of the block."""
    return batch.once("mack_skillings", lambda: asymptotic_pvalues(batch.scores))


@of_test("mack_skillings")
def mack_skillings(batch: Batch) -> Bools:
    """χ² with k − 1 degrees of freedom (Casesa 2024 eq. 2.19), as the thesis' simulations use it."""
    return mack_skillings_pvalues(batch) <= batch.alpha


@contender("mack_skillings_exact", label="Mack-Skillings (exact)", target="median")
def mack_skillings_exact(batch: Batch) -> Bools:
    """All permutations within tasks; an experiment with ties has its own null distribution up to TIED_RUNS runs, and χ² beyond."""
    if batch.n_runs <= TIED_RUNS:
        return exact_pvalues(batch.scores) <= batch.alpha
    pvalues = mack_skillings_pvalues(batch).copy()
    untied = ~tied(batch.scores)
    if untied.any():
        pvalues[untied] = exact_pvalues(batch.scores[untied])
    return pvalues <= batch.alpha


def tied(scores: Floats) -> Bools:
    """Return which experiments have two equal scores on one task, (n_batch,)."""
    pooled = np.sort(scores.transpose(0, 2, 1, 3).reshape(scores.shape[0], scores.shape[2], -1), axis=2)
    return np.asarray((pooled[:, :, 1:] == pooled[:, :, :-1]).any(axis=(1, 2)))


# With as many runs on every task the weights of van Elteren's test are equal, and it is the Mack-Skillings test.
of_test("van_elteren")(mack_skillings)


@of_test("friedman")
def friedman(batch: Batch) -> Bools:
    """Friedman's test on ranks of the mean scores within tasks. With 5 tasks or fewer, two algorithms cannot differ at α = 0.05.

    For two algorithms it is exact: a sign test on the tasks that either wins. For more it uses χ² with k − 1 degrees of freedom.
    """

    def make() -> Floats:
        means = batch.scores.mean(axis=3)
        if means.shape[1] > 2:
            return np.asarray(stats.chi2.sf(balanced_statistics(means[..., None]), means.shape[1] - 1))
        won, lost = (means[:, 1] > means[:, 0]).sum(axis=1), (means[:, 1] < means[:, 0]).sum(axis=1)
        return np.asarray(np.minimum(1.0, 2.0 * stats.binom.cdf(np.minimum(won, lost), won + lost, 0.5)))

    return batch.once("friedman", make) <= batch.alpha


# It is for incomplete blocks; where no cell is missing, it is Friedman's test.
of_test("skillings_mack")(friedman)


@of_test("iman_davenport")
def iman_davenport(batch: Batch) -> Bools:
    """The F form of Friedman's χ² (Iman & Davenport 1980), a monotone function of it: with two algorithms the exact test is the same."""
    _, k, n, _ = batch.scores.shape
    if k == 2:
        return friedman(batch)
    statistics = balanced_statistics(batch.scores.mean(axis=3, keepdims=True))
    # F = (n − 1) χ² / (n (k − 1) − χ²): where all tasks rank alike χ² has its largest value, and F is infinite.
    limit = n * (k - 1.0) - statistics
    ratio = np.full(limit.shape, np.inf)
    np.divide((n - 1.0) * statistics, limit, out=ratio, where=limit > 1e-9 * n)
    return np.asarray(stats.f.sf(ratio, k - 1, max(1, (n - 1) * (k - 1))) <= batch.alpha)


# ── stratified permutation: `_inference.blocked.stratified` for a batch ──────────


def slots_of(scores: Floats) -> Floats:
    """Return scores (n_batch, 2, n_tasks, n_runs) as (n_batch, n_slots), task by task, the first algorithm before the last."""
    return np.ascontiguousarray(scores.transpose(0, 2, 1, 3)).reshape(scores.shape[0], -1)


@contender("stratified_permutation", label="stratified permutation (mean)")
def stratified_permutation(batch: Batch) -> Bools:
    """The difference of means; it is linear in the labels, so that a group of experiments is one matrix product."""
    # Centred within tasks, where labels are exchanged: the statistic is the same but for a constant, and sums lose no
    # digits to large levels.
    slots = slots_of(batch.scores - batch.scores.mean(axis=(1, 3), keepdims=True))
    return _by_linear_statistic(batch, "stratified_mean", slots)


def _by_linear_statistic(batch: Batch, purpose: str, slots: Floats) -> Bools:
    """Return which experiments are rejected by the sum of the last algorithm's slots, (n_batch, n_slots)."""
    pvalues = permutation_pvalues(batch, purpose, lambda labels, rows: (labels.astype(np.float64) @ slots[rows].T).T)
    return pvalues <= batch.alpha


@contender("stratified_permutation_improvement", label="stratified permutation (improvement)", target="median")
def stratified_permutation_improvement(batch: Batch) -> Bools:
    """The probability of improvement: the sum of ranks within tasks, linear in the labels."""
    slots = slots_of(batch.scores)
    n_tasks, n = batch.scores.shape[2], 2 * batch.n_runs
    ranks = centred_ranks(slots.ravel(), regular_starts(batch.n_batch * n_tasks, n)).reshape(slots.shape)
    return _by_linear_statistic(batch, "stratified_ranks", ranks.astype(np.float64))


@contender("stratified_permutation_iqm", label="stratified permutation (IQM)")
def stratified_permutation_iqm(batch: Batch) -> Bools:
    """The difference of the pooled IQMs."""
    slots = slots_of(batch.scores)
    order = np.argsort(slots, axis=1)
    ordered = np.take_along_axis(slots, order, axis=1)

    def statistic(labels: GroupMask, rows: slice) -> Floats:
        last, first = (_iqms(lanes(side), order[rows], ordered[rows], len(labels)) for side in (labels, 1 - labels))
        return last - first

    return permutation_pvalues(batch, "stratified_iqm", statistic) <= batch.alpha


def _iqms(counts: SmallCounts, order: Ints, ordered: Floats, n_draws: int) -> Floats:
    size = order.shape[1] // 2
    trimmed, means = np.empty((2, order.shape[0], n_draws))
    pooled_means(counts, order, ordered, size, IQM_CUT * size, trimmed, means)
    return trimmed


# ── the tests of `compare` over tasks ──────────


FLAT = 1e-15
"""A standard error below this share of the scores counts as 0, as in `compare`."""
LABELS = 500
"""The number of permutations in one matrix product: so few that no library spreads it over threads, which would wait longer than they work."""
FLAT_SQUARES = 1e-14
"""A sum of squares within the two sides below this share of the total is rounding error."""


def pvalues_of_compare(batch: Batch, name: str) -> Floats:
    """Return the p-values (n_batch,) of `compare` for the last algorithm against the first, experiment by experiment."""
    tasks = [f"task {t}" for t in range(batch.scores.shape[2])]
    pvalues = np.empty(batch.n_batch)
    for i, (first, last) in enumerate(batch.scores):
        pair = pairs.PairData(a="last", b="first", x=list(last), y=list(first), tasks=tasks)
        streams = Streams(int(batch.generator(f"compare {name}", i).integers(2**63)))
        options = pairs.PairOptions(streams=streams, n_resamples=batch.n_resamples)
        pvalues[i] = pairs.run_pair(name, pair, options).pvalue
    return pvalues


def counted_or(name: str, drawn: Callable[[Batch], Bools]) -> ContenderDecision:
    """Return the decision of a test of `compare`: by all permutations if they are few, otherwise by a form for batches."""

    def decide(batch: Batch) -> Bools:
        _, _, n_tasks, n = batch.scores.shape
        few = comb(2 * n, n) ** n_tasks <= batch.n_resamples
        return pvalues_of_compare(batch, name) <= batch.alpha if few else drawn(batch)

    return decide


@contender("welch_by_task", label="Welch (by task)")
def welch_by_task(batch: Batch) -> Bools:
    """Welch's t of the difference of means averaged over tasks."""
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
    # Experiments without any spread are decided by `compare` itself, whose rules for them are not repeated here.
    if not spread.all():
        pvalues[~spread] = pvalues_of_compare(replace(batch, scores=batch.scores[~spread]), "welch")
    return pvalues <= batch.alpha


@contender("jackknife_by_task", label="jackknife t (by task)")
def jackknife_by_task(batch: Batch) -> Bools:
    """The default test of `compare` with the mean as the measure."""
    return mean_pvalues(batch.scores[:, 1], batch.scores[:, 0]) <= batch.alpha


def _studentized(batch: Batch) -> Bools:
    """The permutation test, within tasks, of the difference of means over its standard error (Welch within tasks).

    Centred at the task's mean, if the n scores of one side sum to S, the other side sums to −S: the sum of squares within both is Q − 2 S² /
    n, where Q is the sum of all squares. So a group of experiments is one matrix product per task.
    """
    n_tasks, n = batch.scores.shape[2:]
    centred = batch.scores - batch.scores.mean(axis=(1, 3), keepdims=True)
    largest = np.abs(centred).max(axis=(1, 2, 3), keepdims=True)
    batch = replace(batch, scores=centred / np.where(largest > 0.0, largest, 1.0))
    values = slots_of(batch.scores)

    def statistic(labels: GroupMask, rows: slice) -> Floats:
        total, squares = np.zeros((2, rows.stop - rows.start, len(labels)))
        for start in range(0, len(labels), LABELS):
            last, at = labels[start : start + LABELS].astype(np.float64), slice(start, start + LABELS)
            for slot in range(0, n_tasks * 2 * n, 2 * n):
                sums = values[rows, slot : slot + 2 * n] @ last[:, slot : slot + 2 * n].T
                total[:, at] += sums
                squares[:, at] += np.square(sums)
        whole = np.square(values[rows]).sum(axis=1, keepdims=True)
        within = whole - 2 * squares / n
        within[within <= FLAT_SQUARES * whole] = 0.0
        # Scores are scaled to at most 1, so that 1e-12 is rounding; a lead over no spread is infinitely many errors,
        # no lead is none.
        lead = np.where(np.abs(total) > 1e-12, total, 0.0)
        flat = np.where(lead == 0, 0.0, np.copysign(np.inf, lead))
        return np.asarray(np.divide(lead, np.sqrt(within), out=flat, where=within > 0))

    return permutation_pvalues(batch, "studentized by task", statistic) <= batch.alpha


def _ranked(batch: Batch) -> Bools:
    """The exact distribution for experiments without ties, and permutations for the others."""
    with_ties = tied(batch.scores)
    try:
        decisions = np.zeros(batch.n_batch, np.bool_)
        if not with_ties.all():
            decisions[~with_ties] = exact_pvalues(batch.scores[~with_ties]) <= batch.alpha
    # The exact law is refused where it would not fit memory: all experiments are then relabelled.
    except DesignError:
        with_ties[:] = True
    if with_ties.any():
        decisions[with_ties] = stratified_permutation_improvement(batch)[with_ties]
    return decisions


for _name, _label, _target, _drawn in (
    ("studentized_permutation", "studentised permutation", "mean", _studentized),
    ("stratified_permutation", "stratified permutation", "mean", stratified_permutation),
    ("mack_skillings", "Mack-Skillings", "median", _ranked),
):
    contender(f"{_name}_by_task", label=f"{_label} (by task)", target=_target)(counted_or(_name, _drawn))
