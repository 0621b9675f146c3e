"""Tests of many algorithms on many tasks, task by task: one name, one procedure on flat ragged storage.

mack_skillings           all runs, weights 1 / q                   Mack & Skillings (1980)
van_elteren              two algorithms, weights 1 / (q + 1)       van Elteren (1960)
friedman, iman_davenport one value per cell, all cells present     Friedman (1937), Iman & Davenport (1980)
skillings_mack           one value per cell, cells may be missing  Skillings & Mack (1981)
stratified_permutation   two algorithms, a statistic of choice     `runoff._inference.blocked.stratified`
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from math import exp, lgamma
from types import MappingProxyType

import numpy as np

from runoff._inference.about import AboutTest
from runoff._inference.blocked import design, null, statistic
from runoff._inference.blocked.design import Blocks
from runoff._inference.blocked.null import BlockedOptions, BlockedOutcome
from runoff._inference.blocked.statistic import QuadraticForm
from runoff._inference.blocked.stratified import permuted_together, stratified_permutation
from runoff.answer.base import filled
from runoff.base.arrays import SMALLEST, Floats, Ints
from runoff.base.random import Streams
from runoff.base.validate import check_choice, check_count
from runoff.errors import DesignError
from runoff.words.speech import option

NULL_METHODS = ("auto", "exact", "monte_carlo", "asymptotic")
SWAPPED = MappingProxyType({"two-sided": "two-sided", "less": "greater", "greater": "less"})
"""Every alternative, and the same seen from the other algorithm."""
N_RESAMPLES = 10_000
SEED_ZERO = Streams(0)


BlockedProcedure = Callable[[Blocks, BlockedOptions], BlockedOutcome]


@dataclass(frozen=True, slots=True)
class BlockedTest:
    """One test over tasks: what readers and rules know about it, and its procedure, on prepared `Blocks` in canonical order.

    prepare: what of the runs it uses. null: the null hypothesis in words. n_algorithms: how many it compares; None is any number. complete:
    whether every algorithm needs runs on every task. pairwise: whether `compare` offers it for a pair. signed: whether its statistic changes its
    sign when the two algorithms change places.
    """

    about: AboutTest
    run: BlockedProcedure
    _: KW_ONLY
    prepare: Callable[[Blocks], Blocks] = lambda blocks: blocks
    null: str = "on every task the runs of all algorithms have the same distribution"
    n_algorithms: int | None = None
    complete: bool = False
    pairwise: bool = False
    signed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Flat:
    """The runs of two algorithms in flat ragged storage, as `run_blocked` takes them."""

    values: Floats
    offsets: Ints
    n_tasks: int
    shared: bool


def run_blocked(
    name: str,
    values: Floats,
    offsets: Ints,
    n_algorithms: int,
    n_tasks: int,
    *,
    method: str = "auto",
    streams: Streams = SEED_ZERO,
    n_resamples: int = N_RESAMPLES,
    alternative: str = "two-sided",
    shared: bool = False,
) -> BlockedOutcome:
    """Do these algorithms differ at all, task by task?

    Cell (a, t) is ``values[offsets[a * n_tasks + t] : offsets[a * n_tasks + t + 1]]``. `method` says how the null distribution is found: "auto"
    takes the first of "exact", "monte_carlo" and "asymptotic" that is affordable. `alternative` is for two algorithms: "greater" means that the
    first tends to have higher scores. With `shared`, row i of an algorithm is the same run in each of its cells, and whole runs are relabelled.
    """
    options = BlockedOptions(
        method=method,
        streams=streams,
        n_resamples=n_resamples,
        alternative=alternative,
    )
    test = _checked(name, n_algorithms, options)
    blocks = design.gather(values, offsets, n_algorithms, n_tasks)
    if not blocks.tasks.size:
        raise DesignError("no task has runs of at least two of these algorithms, so nothing can be compared.")
    ranked = test.prepare(blocks)
    if shared and ranked.tasks.size > 1:
        design.refuse_unshareable(name, test.about)
    blocks = _arranged(ranked, shared, by_rank=test.about.by_rank)
    swapped = _swapped(blocks)
    if swapped:
        options = replace(options, alternative=SWAPPED[alternative])
    outcome = test.run(blocks, options)
    return _with_ranks(ranked, _turned(outcome, signed=test.signed) if swapped else outcome)


def run_permutations(
    many: Sequence[Flat],
    *,
    streams: Streams,
    n_resamples: int,
    threads: int | None = None,
) -> list[BlockedOutcome]:
    """Return the studentised permutation test of many pairs; pairs with the same numbers of runs share their relabellings."""
    given = [design.gather(flat.values, flat.offsets, 2, flat.n_tasks) for flat in many]
    blocks = [_arranged(own, flat.shared, by_rank=False) for own, flat in zip(given, many, strict=True)]
    outcomes = permuted_together(blocks, streams=streams, n_resamples=n_resamples, threads=threads)
    return [
        _with_ranks(own, _turned(outcome, signed=True) if _swapped(placed) else outcome)
        for own, placed, outcome in zip(given, blocks, outcomes, strict=True)
    ]


def _arranged(blocks: Blocks, shared: bool, *, by_rank: bool) -> Blocks:
    return (design.by_row if shared and blocks.tasks.size > 1 else design.canonical)(blocks, by_rank=by_rank)


def _swapped(blocks: Blocks) -> bool:
    return blocks.algorithms.size == 2 and int(blocks.algorithms[0]) == 1


def _turned(outcome: BlockedOutcome, *, signed: bool) -> BlockedOutcome:
    return replace(outcome, statistic=-outcome.statistic if signed else outcome.statistic, direction=-outcome.direction)


def _checked(name: str, n_algorithms: int, options: BlockedOptions) -> BlockedTest:
    """Return the test of a name; refuse unknown words, and what it cannot compare."""
    check_choice("test", name, BLOCKED)
    check_choice("method", options.method, NULL_METHODS)
    check_choice("alternative", options.alternative, SWAPPED)
    check_count("n_resamples", options.n_resamples)
    if n_algorithms < 2:
        raise DesignError(f"{name} compares at least two algorithms, but there is {n_algorithms}.")
    if options.alternative != "two-sided" and n_algorithms > 2:
        raise DesignError(f"alternative={options.alternative!r} needs two algorithms, but there are {n_algorithms}.")
    if BLOCKED[name].n_algorithms not in (None, n_algorithms):
        raise DesignError(
            f"{name} compares two algorithms, but there are {n_algorithms}; use {option('test', 'mack_skillings')}."
        )
    return BLOCKED[name]


def _with_ranks(blocks: Blocks, outcome: BlockedOutcome) -> BlockedOutcome:
    sums, means = statistic.mean_ranks(blocks)
    return replace(
        outcome,
        rank_sums=tuple(sums.tolist()),
        mean_ranks=tuple(means.tolist()),
        n_tasks=int(blocks.tasks.size),
        n_runs=tuple(blocks.counts.sum(axis=0).tolist()),
    )


# ── rank tests ──────────


def _ranked(weights: statistic.Weights) -> BlockedProcedure:
    return lambda blocks, options: _outcome(blocks, statistic.quadratic_form(blocks, weights), options)


def _van_elteren(blocks: Blocks, options: BlockedOptions) -> BlockedOutcome:
    form = statistic.quadratic_form(blocks, statistic.reciprocal(1))
    return replace(_outcome(blocks, form, options), statistic=form.z)


def _iman_davenport(cells: Blocks, options: BlockedOptions) -> BlockedOutcome:
    form = statistic.quadratic_form(cells, statistic.reciprocal(0))
    n, k = cells.counts.shape
    # F = (n − 1) χ²/(n (k − 1) − χ²). χ² reaches n (k − 1) where all tasks rank alike, and F has no end.
    limit = n * (k - 1.0) - form.statistic
    ratio = (n - 1.0) * form.statistic / limit if limit > 1e-9 * n else np.inf
    outcome = _outcome(cells, form, options)
    if outcome.method == "asymptotic":
        from scipy import stats

        perfect = not np.isfinite(ratio)
        # One task leaves (n − 1)(k − 1) = 0 degrees of freedom, and no claim.
        law = 1.0 if n == 1 else max(float(stats.f.sf(ratio, k - 1, (n - 1) * (k - 1))), SMALLEST)
        outcome = replace(outcome, pvalue=_same_order(cells) if perfect and n > 1 else law)
    return replace(outcome, statistic=float(ratio), df=(float(k - 1), float((n - 1) * (k - 1))))


def _same_order(cells: Blocks) -> float:
    """Return the probability that all tasks rank alike by chance, where the F ratio is infinite."""
    ranks = cells.ranks[: cells.starts[1]]
    tied = np.unique(ranks, return_counts=True)[1].tolist()
    log_ways = lgamma(ranks.size + 1) - sum(lgamma(t + 1) for t in tied)
    return max(exp(-log_ways * (cells.tasks.size - 1)), SMALLEST)


BLOCKED: Mapping[str, BlockedTest] = MappingProxyType(
    {
        "mack_skillings": BlockedTest(
            AboutTest(
                "mack_skillings",
                "Mack-Skillings",
                "the Mack-Skillings rank test with tasks as blocks (Mack & Skillings 1980; Casesa 2024)",
                "order",
                relabels=True,
            ),
            _ranked(statistic.reciprocal(0)),
            pairwise=True,
        ),
        "skillings_mack": BlockedTest(
            AboutTest(
                "skillings_mack",
                "Skillings-Mack",
                "the Skillings-Mack test of incomplete blocks (Skillings & Mack 1981)",
                "order",
                relabels=True,
                averages=True,
            ),
            _ranked(statistic.inverse_root),
            prepare=design.averaged,
        ),
        "friedman": BlockedTest(
            AboutTest("friedman", "Friedman", "Friedman's test (Friedman 1937)", "order", relabels=True, averages=True),
            _ranked(statistic.reciprocal(0)),
            prepare=design.averaged,
            complete=True,
        ),
        "iman_davenport": BlockedTest(
            AboutTest(
                "iman_davenport",
                "Iman-Davenport",
                "the Iman-Davenport form of Friedman's test (Iman & Davenport 1980)",
                "order",
                relabels=True,
                averages=True,
            ),
            _iman_davenport,
            prepare=design.averaged,
            complete=True,
        ),
        "van_elteren": BlockedTest(
            AboutTest(
                "van_elteren",
                "van Elteren",
                "the van Elteren rank test with tasks as strata (van Elteren 1960)",
                "order",
                relabels=True,
            ),
            _van_elteren,
            n_algorithms=2,
            pairwise=True,
            signed=True,
        ),
        "stratified_permutation": BlockedTest(
            AboutTest(
                "stratified_permutation",
                "stratified permutation",
                "a permutation test of the difference of means, stratified by task",
                "means",
                relabels=True,
            ),
            stratified_permutation,
            signed=True,
            null="on every task the runs of both algorithms have the same distribution",
            n_algorithms=2,
            pairwise=True,
        ),
    }
)


# ── from ranks to an outcome ──────────


def _outcome(blocks: Blocks, form: QuadraticForm, options: BlockedOptions) -> BlockedOutcome:
    """Return the p-value by the first affordable of the methods asked for."""
    pvalue = None
    if options.method in ("auto", "exact"):
        pvalue = null.exact(blocks, form, options.alternative)
        if pvalue is None and options.method == "exact":
            raise DesignError(
                "the exact null distribution of this design does not fit the memory or time that runoff allows; "
                f"use {option('method', 'monte_carlo')}, or auto."
            )
    drawable = options.method == "auto" and blocks.ranks.size * options.n_resamples <= null.MAX_DRAWS
    if pvalue is None and (options.method == "monte_carlo" or drawable):
        pvalue = null.monte_carlo(blocks, form, options.alternative, options.streams, options.n_resamples)
    pvalue = pvalue or null.asymptotic(form, options.alternative)
    floored, df = max(pvalue.pvalue, SMALLEST), float(form.df)
    own = {"statistic": form.statistic, "pvalue": floored, "df": df, "direction": form.z, "all_tied": form.df == 0}
    return filled(BlockedOutcome, pvalue, **own)
