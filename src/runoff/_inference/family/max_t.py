"""The max-T correction: the family of pairwise tests, adjusted by relabelling runs within tasks.

Relabelling the runs of *all* algorithms is only exact when all algorithms are equal. When A = B ≠ C, runs of C would
enter the null distribution of A − B. Here the error rate is controlled in the strong sense, by closed testing
(Marcus, Peritz & Gabriel 1976). A configuration of true nulls is a partition of the algorithms into classes of equal
ones; it is tested by the largest |z| of the pairs within its classes, and its null distribution comes from relabelling
within tasks **within every class only**, which is exact whatever the other algorithms do. A pair is declared different
when every partition that puts the two together is rejected, so its adjusted p-value is the largest of theirs.

The statistic of a pair is the difference of its means over its own standard error, "mean", or its rank sum, "rank". Studentising
pair by pair is what keeps the error rate where spreads differ between algorithms (Chung & Romano 2016).

Each pair is ranked on its own runs (Steel-Dwass), never on the runs of third algorithms. Without ties the law of these
ranks is the same in every population, so the within-class laws can all be read from one synchronised relabelling of all
algorithms (subset pivotality, Westfall & Young 1993). On tasks with ties, and for means, every class is relabelled on its own.

Beyond `MAX_CLOSURE` algorithms: step-down max-T, for ranks where there are no ties and for means, whose studentised law hardly depends
on the others; else Holm on the pairs' own relabelling p-values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Any

import numpy as np

from runoff._inference.blocked import TOLERANCE, Blocks, blocks_of, by_row, centred, gather, in_blocks
from runoff._inference.family.corrections import CORRECTIONS, adjust, holm
from runoff._kernels.blocked import permute, stratified
from runoff.base.arrays import Bools, Floats, Ints, Labels
from runoff.base.random import Streams
from runoff.base.validate import check_choice
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError
from runoff.words.speech import option

Class = tuple[int, ...]

MAX_CLOSURE = 7
"""The most algorithms (all pairs) for which all partitions are tested: 877 of them, in a few seconds. Eight have 4,140."""
MAX_CLOSURE_CONTROL = 9
"""The most algorithms for which all subsets of comparisons with a control are tested: 255 of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MaxT:
    """Adjusted comparisons.

    pairs: positions (a, b); z: standardised statistic, positive where a tends to be higher; pvalues, adjusted: Monte Carlo
    p-values before and after; errors: Monte Carlo standard errors of the adjusted ones; procedure: "closure", "step_down"
    or "holm".
    """

    pairs: tuple[tuple[int, int], ...]
    z: Floats
    pvalues: Floats
    adjusted: Floats
    errors: Floats
    procedure: str
    n_resamples: int


def max_t(
    values: Floats,
    offsets: Ints,
    n_algorithms: int,
    n_tasks: int,
    *,
    control: int | None = None,
    statistic: str = "rank",
    streams: Streams,
    n_resamples: int = 10_000,
    shared: bool = False,
) -> MaxT:
    """Return which pairs differ, when all of them, or all with a control, are looked at; flat ragged storage, as of `run_blocked`.

    statistic: "mean" or "rank". n_resamples: relabellings per class. shared: each run is scored on all tasks, and whole runs are
    relabelled. Refused: fewer than two algorithms, no task that two of them share, shared runs and ranks. Marcus, Peritz & Gabriel (1976),
    closed testing; Westfall & Young (1993), section 2.2, subset pivotality.
    """
    if n_algorithms < 2:
        raise DesignError(f"max_t compares at least two algorithms, but there is {n_algorithms}.")
    blocks = gather(values, offsets, n_algorithms, n_tasks)
    if not blocks.tasks.size:
        raise DesignError("no task has runs of at least two of these algorithms, so nothing can be compared.")
    if shared and blocks.tasks.size > 1:
        blocks = _whole_runs(blocks, statistic)
    family = COMPARISONS[statistic](blocks, control)
    null = Null(family, streams, n_resamples)
    procedure, adjusted = _adjusted(family, null)
    return MaxT(
        pairs=family.pairs,
        z=family.observed[tuple(np.transpose(family.pairs))],
        pvalues=_single(family, null),
        adjusted=adjusted,
        errors=np.sqrt(adjusted * (1.0 - adjusted) / n_resamples),
        procedure=procedure,
        n_resamples=n_resamples,
    )


def _whole_runs(blocks: Blocks, statistic: str) -> Blocks:
    if statistic != "mean":
        raise DesignError(
            f"{option('correction', 'max_t')} ranks each pair on its own runs, task by task, which is not made for runs that are shared "
            "by tasks "
            f"({option('runs', 'shared')}); use {option('correction', 'holm')}, or {option('test', 'studentized_permutation')}."
        )
    rows = by_row(blocks)
    back = np.argsort(rows.algorithms)
    cells = np.split(rows.values, np.cumsum(rows.counts[0])[:-1])
    return blocks_of(
        np.concatenate([cells[a] for a in back]),
        np.ascontiguousarray(rows.counts[:, back]),
        rows.tasks,
        rows.algorithms[back],
    )


@dataclass(frozen=True, slots=True)
class Comparisons:
    """The pairs that are compared.

    scores, labels: (total,) task after task; counts: (n_tasks, k); weights: (n_tasks, k, k), 0 outside the family; observed: (k, k)
    standardised statistics; tied: (n_tasks,) whether the classes of a task are relabelled on their own; pivotal: whether the law of a pair
    under the null does not depend on the others, exactly or nearly; reduce: the statistics of scores, starts, labels and weights.
    """

    scores: Ints | Floats
    labels: Labels
    counts: Ints
    weights: Floats
    pairs: tuple[tuple[int, int], ...]
    control: int | None
    tied: Bools
    observed: Floats
    pivotal: bool
    reduce: Callable[[Any, Ints, Labels, Floats], Floats]

    @property
    def n_algorithms(self) -> int:
        return int(self.counts.shape[1])

    def only(self, chosen: Class, tied: bool) -> tuple[Ints | Floats, Ints, Ints, Floats]:
        """Return scores, starts, counts and weights of the runs of some algorithms on the tasks with, or without, ties."""
        members, tasks = np.asarray(chosen), self.tied == tied
        counts = np.ascontiguousarray(self.counts[tasks][:, members])
        weights = np.ascontiguousarray(self.weights[tasks][:, members][:, :, members])
        kept = np.isin(self.labels, members) & np.repeat(tasks, self.counts.sum(axis=1))
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts.sum(axis=1))])
        return self.scores[kept], starts, counts, weights


def _pairs(k: int, control: int | None) -> tuple[tuple[int, int], ...]:
    return (
        tuple(combinations(range(k), 2)) if control is None else tuple((a, control) for a in range(k) if a != control)
    )


def _labels(blocks: Blocks) -> Labels:
    k = blocks.counts.shape[1]
    return np.repeat(np.tile(np.arange(k, dtype=np.int8), blocks.tasks.size), blocks.counts.ravel())


def _by_mean(blocks: Blocks, control: int | None) -> Comparisons:
    k = blocks.counts.shape[1]
    pairs, labels = _pairs(k, control), _labels(blocks)
    together = (_weights(blocks.counts, pairs) > 0).astype(np.float64)
    values = centred(blocks)
    values = np.ldexp(values, -int(np.frexp(np.abs(values).max(initial=0.0))[1]))  # so that squares are doubles
    return Comparisons(
        scores=values,
        labels=labels,
        counts=blocks.counts,
        weights=together,
        pairs=pairs,
        control=control,
        tied=np.ones(blocks.tasks.size, np.bool_),
        observed=stratified.pair_t(values, blocks.starts, labels[None, :], together)[0],
        pivotal=True,
        reduce=stratified.pair_t,
    )


def _by_rank(blocks: Blocks, control: int | None) -> Comparisons:
    k = blocks.counts.shape[1]
    pairs = _pairs(k, control)
    # The ranks among all algorithms only sort each task: pairs and classes are counted along this order, without
    # ranks of their own.
    task_of = np.repeat(np.arange(blocks.tasks.size), blocks.sizes)
    order = np.lexsort((blocks.ranks, task_of))
    ranks = blocks.ranks[order]
    labels = _labels(blocks)[order]
    weights = _weights(blocks.counts, pairs)
    tied = np.isin(np.arange(blocks.tasks.size), task_of[1:][(np.diff(ranks) == 0) & (np.diff(task_of) == 0)])
    return Comparisons(
        scores=ranks,
        labels=labels,
        counts=blocks.counts,
        weights=weights,
        pairs=pairs,
        control=control,
        tied=tied,
        pivotal=not tied.any(),
        observed=stratified.pair_sums(ranks, blocks.starts, labels[None, :], weights)[0],
        reduce=stratified.pair_sums,
    )


COMPARISONS: Mapping[str, Callable[[Blocks, int | None], Comparisons]] = MappingProxyType(
    {"mean": _by_mean, "rank": _by_rank}
)


def _weights(counts: Ints, pairs: tuple[tuple[int, int], ...]) -> Floats:
    """Return 1 / (c_a + c_b), divided by each pair's standard deviation without ties; 0 where a cell is missing.

    The variance of 2 U − c_a c_b is c_a c_b (c_a + c_b + 1) / 3. It depends on the counts alone, so every relabelling
    has the same and the test stays exact with ties.
    """
    wanted = np.zeros((counts.shape[1],) * 2, np.bool_)
    wanted[tuple(np.transpose(pairs))] = True
    wanted |= wanted.T
    a, b = counts[:, :, None].astype(np.float64), counts[:, None, :].astype(np.float64)
    weights = np.where((a > 0) & (b > 0) & wanted, 1.0 / np.maximum(a + b, 1.0), 0.0)
    variance = (weights**2 * a * b * (a + b + 1.0) / 3.0).sum(axis=0)
    return np.asarray(weights / np.sqrt(np.where(variance > 0.0, variance, 1.0)))


# ── drawing ──────────


class Null:
    """Null draws of the largest |z| of any class; tasks without ties are relabelled once, for all classes."""

    def __init__(self, family: Comparisons, streams: Streams, n_resamples: int) -> None:
        self.family, self.streams, self.n_resamples = family, streams, n_resamples
        # Seven algorithms have 877 partitions but only 120 classes of two or more; each class is drawn and reduced
        # once.
        self.maxima: dict[Class, Floats] = {}
        self.all = tuple(range(family.n_algorithms))
        self.joint = None if family.tied.all() else self.relabelled(self.all, tied=False)

    def largest(self, chosen: Class) -> Floats:
        """Return the draws (n_resamples,) of the largest |z| of the pairs of a class."""
        if chosen not in self.maxima:
            parts = [] if self.joint is None else [self.joint[:, chosen][:, :, chosen]]
            if self.family.tied.any():
                parts.append(self.relabelled(chosen, tied=True))
            self.maxima[chosen] = np.abs(np.add.reduce(parts)).max(axis=(1, 2))
        return self.maxima[chosen]

    def everyone(self) -> Floats:
        """Return the draws (n_resamples, k, k) of all algorithms relabelled together."""
        return self.relabelled(self.all, tied=True) if self.joint is None else self.joint

    def pvalue(self, classes: list[Class]) -> float:
        """Return (1 + hits) / (1 + draws) of the largest |z| within these classes."""
        # The classes of a partition share no runs. Whether their draws are independent (tasks with ties) or read from
        # one relabelling (tasks without), the largest has the same law.
        null = np.maximum.reduce([self.largest(members) for members in classes])
        observed = max(float(np.abs(self.family.observed[np.ix_(members, members)]).max()) for members in classes)
        # z adds up rounded weights, and the draws add tasks with and without ties separately: equal values may differ
        # in their last bits, and have to count as hits.
        return (1.0 + float((null >= observed * (1.0 - TOLERANCE)).sum())) / (1.0 + self.n_resamples)

    def relabelled(self, chosen: Class, *, tied: bool) -> Floats:
        """Return z (n_resamples, size, size) of the tasks with, or without, ties, a class relabelled within them."""
        scores, starts, counts, weights = self.family.only(chosen, tied)
        # Keyed by its members, a class has the same draws whatever was asked before it.
        key = sum(1 << a for a in chosen)

        def draw(b: int, rows: int) -> Floats:
            rng = self.streams.block("max_t", key, int(tied), b)
            return self.family.reduce(scores, starts, permute.drawn_labels(rng, starts, counts, rows), weights)

        return in_blocks(self.n_resamples, draw)


# ── procedures ──────────


def _adjusted(family: Comparisons, null: Null) -> tuple[str, Floats]:
    limit = MAX_CLOSURE if family.control is None else MAX_CLOSURE_CONTROL
    if family.n_algorithms <= limit:
        return "closure", _closure(family, null)
    if family.pivotal:
        return "step_down", _step_down(family, np.abs(null.everyone()))
    return "holm", holm(_single(family, null))


def _closure(family: Comparisons, null: Null) -> Floats:
    """Return, for every pair, the largest p-value of the configurations that contain it."""
    best = dict.fromkeys(family.pairs, 0.0)
    for classes in _configurations(family):
        p = null.pvalue(classes)
        for a, b in family.pairs:
            if p > best[a, b] and any(a in members and b in members for members in classes):
                best[a, b] = p
    return np.array([best[pair] for pair in family.pairs])


def _configurations(family: Comparisons) -> Iterator[list[Class]]:
    """Yield the classes with more than one member of every configuration of true nulls of the family."""
    if family.control is None:
        for partition in partitions(list(range(family.n_algorithms))):
            classes = [members for members in partition if len(members) > 1]
            if classes:
                yield classes
    else:
        others = [a for a in range(family.n_algorithms) if a != family.control]
        for size in range(1, len(others) + 1):
            for some in combinations(others, size):
                yield [tuple(sorted((*some, family.control)))]


def partitions(members: list[int]) -> Iterator[list[Class]]:
    if not members:
        yield []
        return
    first, rest = members[0], members[1:]
    for size in range(len(rest) + 1):
        for mates in combinations(rest, size):
            left = [m for m in rest if m not in mates]
            for others in partitions(left):
                yield [(first, *mates), *others]


def _single(family: Comparisons, null: Null) -> Floats:
    return np.array([null.pvalue([(min(pair), max(pair))]) for pair in family.pairs])


def _step_down(family: Comparisons, joint: Floats) -> Floats:
    """Return Westfall & Young's free step-down p-values, which are valid where the statistics are pivotal for every subset."""
    # Strong control: at the first true null in the order, all other true nulls are still among the pairs whose
    # maximum is taken, and by subset pivotality the joint draws have the law of that maximum. So a false rejection
    # needs the largest |z| of the true nulls to exceed its own 1 − α quantile.
    first, second = np.transpose(family.pairs)
    null, observed = joint[:, first, second], np.abs(family.observed[first, second])
    order = np.argsort(-observed, kind="stable")
    largest = np.maximum.accumulate(null[:, order[::-1]], axis=1)[:, ::-1]
    hits = (largest >= observed[order] * (1.0 - TOLERANCE)).sum(axis=0)
    adjusted = np.empty(observed.size)
    # A pair is reached only when all before it are rejected, so its p-value is at least theirs.
    adjusted[order] = np.maximum.accumulate((1.0 + hits) / (1.0 + null.shape[0]))
    return adjusted


# ── the p-values of a family, by either way ──────────


MAX_T_TESTS = MappingProxyType({"studentized_permutation": "mean", "mack_skillings": "rank"})
"""Tests whose statistic `max_t` relabels; "auto" is the first."""


def check_correction(correction: str, test: str, pairs: object) -> str:
    """Return the correction; `max_t` relabels runs, for all pairs or all against a control."""
    check_choice("correction", correction, ("auto", *CORRECTIONS))
    if correction == "max_t" and test != "auto" and test not in MAX_T_TESTS:
        raise OptionError(
            f"{option('correction', 'max_t')} relabels runs under {option('test', 'studentized_permutation')} or mack_skillings, not {test!r}; "
            f"use one of them, or {option('correction', 'holm')}."
        )
    if correction == "max_t" and not (isinstance(pairs, str) and pairs == "all"):
        raise OptionError(
            f"{option('correction', 'max_t')} is for all pairs, or all against a control; use 'holm' for chosen pairs."
        )
    return correction


def can_relabel_jointly(test: str, pairs: object, scores: Scores) -> bool:
    """Return whether `max_t` could adjust these pairs."""
    statistic, shared = MAX_T_TESTS.get(max_t_test(test)), scores.sampling.shared and scores.n_tasks > 1
    return isinstance(pairs, str) and pairs == "all" and statistic is not None and not (shared and statistic == "rank")


def max_t_test(test: str) -> str:
    """Return the test of the pairs that `max_t` adjusts."""
    return next(iter(MAX_T_TESTS)) if test == "auto" else test


def adjusted_over_family(
    scores: Scores,
    chosen: Sequence[tuple[int, int]],
    pvalues: Sequence[float],
    correction: str,
    *,
    test: str,
    control: str | None,
    streams: Streams,
    n_resamples: int,
) -> list[float]:
    """Return the adjusted p-values of the chosen pairs, each at least its own p-value."""
    if correction != "max_t":
        return [float(p) for p in adjust(pvalues, correction)]
    comparisons = max_t(
        scores.values,
        scores.offsets,
        scores.n_algorithms,
        scores.n_tasks,
        control=None if control is None else scores.algorithms.index(control),
        statistic=MAX_T_TESTS[test],
        streams=streams,
        n_resamples=min(n_resamples, 10_000),
        shared=scores.sampling.shared,
    )
    by_pair = {frozenset(pair): float(p) for pair, p in zip(comparisons.pairs, comparisons.adjusted, strict=True)}
    return [max(p, by_pair[frozenset(pair)]) for p, pair in zip(pvalues, chosen, strict=True)]
