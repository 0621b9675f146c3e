"""Tests that sort, relabel or resample the pooled sample, over a batch: pairs in fixed-size blocks, one stream and one thread per block."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import comb
from types import MappingProxyType

import numpy as np
from scipy.special import kolmogorov

from runoff._inference.two_sample import closed_form
from runoff._inference.two_sample.closed_form import TwoSampleOptions, TwoSampleOutcome, labels, moments, signed_ratio
from runoff._inference.two_sample.mann_whitney import u_pvalues
from runoff._kernels.blocked.permute import subsets
from runoff._kernels.two_sample import bootstrap as kernels
from runoff._kernels.two_sample import permutation as relabel
from runoff._kernels.two_sample import ranks
from runoff._kernels.two_sample.masks import state_of
from runoff._kernels.two_sample.ranks import gap_pvalues, largest_gap
from runoff.base.arrays import SMALLEST, Floats, Ints, Words64
from runoff.base.random import in_blocks
from runoff.errors import DesignError

ENUMERABLE = 200_000
"""Most relabellings that are all visited: 10 runs of each have 184,756."""
LARGEST_ENUMERATED = 1024
"""Most values of a pair whose relabellings are all visited."""
PAIRS_PER_BLOCK = 64
"""Pairs that draw from one stream, on one thread."""
SIGNS = MappingProxyType({"studentized": 0.0, "basic": 1.0, "percentile": -1.0})
"""Interval of the bootstrap test -> the sign of d in the bound that a deviation is compared with; 0: t* is compared with t."""
INTERVALS = tuple(SIGNS)


def of_pairs(work: Callable[[slice, int], Ints], n_pairs: int, threads: int | None) -> Ints:
    """Return work(pairs, block number) of all blocks of pairs, in order, whatever the number of threads."""
    firsts = range(0, n_pairs, PAIRS_PER_BLOCK)
    return in_blocks(n_pairs, lambda b, n: work(slice(firsts[b], firsts[b] + n), b), PAIRS_PER_BLOCK, threads)


@lru_cache(maxsize=8)
def relabellings(n: int, n_x: int) -> Words64:
    """Return all relabellings as masks (C(n, n_x), n_words) of 64 bits, computed once per design."""
    padded = np.zeros((comb(n, n_x), 64 * -(-n // 64)), np.bool_)
    padded[:, :n] = subsets(n, n_x)
    # Bit i % 64 of word i // 64 stands for value i, as the kernels read masks.
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def is_enumerated(n: int, n_x: int, method: str) -> bool:
    """Return whether all relabellings are visited: at most 200,000 of at most 1024 values."""
    few = comb(n, n_x) <= ENUMERABLE and n <= LARGEST_ENUMERATED
    if method == "exact" and not few:
        raise DesignError(
            f"{n_x} and {n - n_x} runs have more than {ENUMERABLE} permutations, or there are more than "
            f"{LARGEST_ENUMERATED} runs; ask for method='monte_carlo'."
        )
    return few and method != "monte_carlo"


def permutation_hits(x: Floats, y: Floats, options: TwoSampleOptions, *, kind: int, enumerate_all: bool) -> Ints:
    """Return (batch, 3) relabellings at least as extreme as the data: statistic ≥, ≤ and |statistic| ≥ the observed one."""
    # The smaller sample is drawn, which takes fewer steps. Sides then change places: what favours x is low for y.
    swapped = x.shape[1] > y.shape[1]
    first, second = (y, x) if swapped else (x, y)
    pooled, n_first = np.concatenate([first, second], axis=1), first.shape[1]
    masks = relabellings(pooled.shape[1], n_first) if enumerate_all else None
    order = relabel.orders(pooled, kind)

    def work(pairs: slice, block: int) -> Ints:
        if masks is not None:
            return relabel.enumerated_hits(pooled[pairs], order[pairs], n_first, masks, statistic=kind)
        state = state_of(options.streams.block("two_sample/permutation", kind, *options.key, block))
        return relabel.sampled_hits(
            pooled[pairs], order[pairs], n_first, state, n_resamples=options.n_resamples, statistic=kind
        )

    hits = of_pairs(work, x.shape[0], options.threads)
    return hits[:, [1, 0, 2]] if swapped else hits


def sampled_pvalue(hits: Ints, options: TwoSampleOptions) -> tuple[Floats, Floats]:
    """Return (1 + hits) / (1 + draws) and its Monte Carlo standard error (Phipson & Smyth 2010)."""
    extra = int(options.plus_one)
    pvalue = (hits + extra) / (options.n_resamples + extra)
    return pvalue, np.sqrt(pvalue * (1.0 - pvalue) / options.n_resamples)


def permutation_test(
    x: Floats, y: Floats, options: TwoSampleOptions, *, statistic: Floats, kind: int
) -> TwoSampleOutcome:
    """Return the permutation test of one kind of statistic, exact where all relabellings can be visited."""
    n_x, n = x.shape[1], x.shape[1] + y.shape[1]
    exact = is_enumerated(n, n_x, options.method)
    hits = permutation_hits(x, y, options, kind=kind, enumerate_all=exact)[:, options.side]
    if exact:
        pvalue, error = hits / comb(n, n_x), np.zeros(hits.size)
    else:
        pvalue, error = sampled_pvalue(hits, options)
    method = labels(hits.size, "exact" if exact else "monte_carlo")
    return TwoSampleOutcome(statistic=statistic, pvalue=pvalue, pvalue_error=error, method=method)


def welch_statistic(x: Floats, y: Floats) -> Floats:
    """Return the difference of means over its unpooled standard error."""
    (mean_x, variance_x), (mean_y, variance_y) = moments(x), moments(y)
    return signed_ratio(mean_x - mean_y, variance_x / x.shape[1] + variance_y / y.shape[1])


def mean_difference(x: Floats, y: Floats) -> Floats:
    return moments(x)[0] - moments(y)[0]


def permutation(x: Floats, y: Floats, options: TwoSampleOptions) -> TwoSampleOutcome:
    """The permutation test of the difference of means d; sums that differ by less than rounding are equal."""
    return permutation_test(x, y, options, statistic=mean_difference(x, y), kind=relabel.MEAN)


def studentized_permutation(x: Floats, y: Floats, options: TwoSampleOptions) -> TwoSampleOutcome:
    """The permutation test of Welch's t (Janssen 1997)."""
    return permutation_test(x, y, options, statistic=welch_statistic(x, y), kind=relabel.STUDENTIZED)


def bootstrap_hits(x: Floats, y: Floats, options: TwoSampleOptions) -> Ints:
    """Return (batch, 2): resamples that speak against "greater" and against "less", for the interval asked for.

    With δ* = d* - d, of the basic interval δ* ≥ d and δ* ≤ d, of the percentile interval δ* ≤ -d and δ* ≥ -d, of the
    studentised interval t* ≥ t and t* ≤ t.
    """

    def work(pairs: slice, block: int) -> Ints:
        number = INTERVALS.index(options.interval)
        state = state_of(options.streams.block("two_sample/bootstrap", number, *options.key, block))
        sign = SIGNS[options.interval]
        if sign == 0.0:
            return kernels.studentized_hits(x[pairs], y[pairs], options.n_resamples, state)
        return kernels.deviation_hits(x[pairs], y[pairs], sign, options.n_resamples, state)

    hits = of_pairs(work, x.shape[0], options.threads)
    return hits[:, ::-1] if SIGNS[options.interval] < 0.0 else hits


def bootstrap(x: Floats, y: Floats, options: TwoSampleOptions) -> TwoSampleOutcome:
    """1 - p is the level of the widest equal-tailed interval that leaves out 0."""
    side, hits = options.side, bootstrap_hits(x, y, options)
    pvalue, error = sampled_pvalue(hits.min(axis=1) if side == 2 else hits[:, side], options)
    if side == 2:
        # Equal tails: each side of the interval that just leaves out 0 has half of p.
        pvalue, error = np.minimum(1.0, 2.0 * pvalue), 2.0 * error
    t, method = welch_statistic(x, y), labels(x.shape[0], "monte_carlo")
    flat = (moments(x)[1] == 0.0) & (moments(y)[1] == 0.0)
    method[flat] = "exact"
    return TwoSampleOutcome(
        statistic=t if options.interval == "studentized" else mean_difference(x, y),
        pvalue=np.where(flat, closed_form.separation_pvalue(t, x.shape[1], y.shape[1], side), pvalue),
        pvalue_error=np.where(flat, 0.0, error),
        method=method,
    )


WALKABLE = 1_000_000
"""Largest n_x · n_y whose paths are counted, for Kolmogorov-Smirnov: their number is linear in it (1000 × 1000: 0.1 s)."""


def mann_whitney(x: Floats, y: Floats, options: TwoSampleOptions) -> TwoSampleOutcome:
    """U = #(x > y) + #(x = y)/2, exact given the ties where that is affordable."""
    doubled_u, pvalue, exact = u_pvalues(x, y, options.side, options.method)
    return TwoSampleOutcome.computed(doubled_u / 2.0, pvalue, exact)


def brunner_munzel(x: Floats, y: Floats, options: TwoSampleOptions) -> TwoSampleOutcome:
    """t of the placements, or its permutation distribution (Brunner & Munzel 2000; Neubert & Brunner 2007)."""
    n_x, n_y = sizes = x.shape[1], y.shape[1]
    sums = ranks.placement_sums(*ranks.sort_pooled(x, y))
    variance_x, variance_y = ranks.placement_variances(sums, n_x, n_y)
    product = n_x * n_y
    # p̂ is the mean placement of x over n_y, so Var p̂ = s_x²/(n_x n_y²) + s_y²/(n_y n_x²), s² being of placements (Brunner & Munzel 2000).
    errors = variance_x * n_x / product**2, variance_y * n_y / product**2
    t = closed_form.welch_t(sums[:, 0] / (2.0 * product) - 0.5, *errors, n_x - 1, n_y - 1)
    few = comb(sum(sizes), sizes[0]) <= ENUMERABLE
    if options.method == "asymptotic" or (options.method == "auto" and not few):
        return closed_form.t_outcome(t, sizes, options.side)
    return permutation_test(x, y, options, statistic=t[0], kind=relabel.BRUNNER_MUNZEL)


def kolmogorov_smirnov(x: Floats, y: Floats, options: TwoSampleOptions) -> TwoSampleOutcome:
    """D = max |F_x - F_y|; exact by counting paths, conditional on ties."""
    product = x.shape[1] * y.shape[1]
    is_x, last = ranks.sort_pooled(x, y)
    gaps = largest_gap(is_x, last, x.shape[1])
    exact = options.method == "exact" or (options.method == "auto" and product <= WALKABLE)
    statistic = gaps / product
    # √(n m/(n + m)) D has Kolmogorov's law in the limit.
    scaled = np.sqrt(product / (x.shape[1] + y.shape[1])) * statistic
    pvalue = gap_pvalues(gaps, last, x.shape[1]) if exact else np.asarray(kolmogorov(scaled))
    return TwoSampleOutcome.computed(statistic, np.maximum(pvalue, SMALLEST), np.array(exact))
