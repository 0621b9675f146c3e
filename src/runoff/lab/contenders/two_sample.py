"""The tests of `two_sample_test`; with several tasks, all runs of an algorithm are pooled, as Casesa (2024) appendix B.2 does.

The tests of Colas' code (github.com/ccolas/rl_stats, tests.py), including its bugs, to reproduce the printed tables.

The bootstrap is the basic interval of `bootstrapped`, 2d − q; it rejects if both ends have the same sign. The permutation p-value is the
share of shuffles *strictly* more extreme than the data, without the +1 rule: it can be 0, at 2 runs in a third of null experiments. With few
runs, many shuffles equal the data up to order, and rounding errors decide whether they count; so the sums are taken in the paper's order.
"""

from __future__ import annotations

from math import comb
from typing import Any
from zlib import crc32

import numpy as np

from runoff._inference.two_sample import TWO_SAMPLE, run_two_sample
from runoff._kernels.study import shuffled_hits, strict_hits
from runoff._kernels.two_sample.masks import state_of
from runoff.base.arrays import Bools, Floats
from runoff.lab.contenders.registry import Batch, ContenderDecision, contender


def pvalues(batch: Batch, name: str, **options: Any) -> Floats:
    """Return the p-values (n_batch,) of a two-sample test of the last algorithm against the first, tasks pooled."""
    outcome = run_two_sample(
        name,
        batch.pooled(1),
        batch.pooled(0),
        streams=batch.streams,
        # Each variant of a test draws from a stream of its own, whichever other methods the study has.
        key=(crc32(f"{name} {sorted(options.items())}".encode()), *batch.key),
        n_resamples=batch.n_resamples,
        threads=1,
        **options,
    )
    return outcome.pvalue


def affordable(name: str, n: int, n_resamples: int) -> str:
    """Return the method that costs no more than the requested resamples: enumeration for few permutations, otherwise random draws."""
    if "monte_carlo" not in TWO_SAMPLE[name].methods or name == "bootstrap":
        return "auto"
    n_relabellings = comb(2 * n, n)
    if name == "brunner_munzel" and n_relabellings > 200_000:
        return "asymptotic"
    return "exact" if n_relabellings <= n_resamples else "monte_carlo"


def decision(name: str, **options: Any) -> ContenderDecision:
    """Return the decision p ≤ α of a test."""

    def decide(batch: Batch) -> Bools:
        chosen = {"method": affordable(name, batch.pooled(0).shape[1], batch.n_resamples)} | options
        return pvalues(batch, name, **chosen) <= batch.alpha

    return decide


for _name, _test in TWO_SAMPLE.items():
    _about, _decide = _test.about, decision(_name)
    contender(_name, label=_about.label, target=_about.target, signed=_about.claim is not None)(_decide)

contender("bootstrap_basic", label="bootstrap (basic)")(decision("bootstrap", interval="basic"))
contender("bootstrap_percentile", label="bootstrap (percentile)")(decision("bootstrap", interval="percentile"))
contender("mann_whitney_normal", label="Mann-Whitney (normal)", target="median")(
    decision("mann_whitney", method="asymptotic")
)
contender("welch_one_sided", label="Welch, one-sided")(decision("welch", alternative="greater"))


# ── what Colas' code computes, bugs included ──────────


SEQUENTIAL = 8
"""From this many runs on, NumPy sums in another order, and equal samples are too rare among shuffles to matter."""


@contender("colas_bootstrap", label="bootstrap (Colas)")
def colas_bootstrap(batch: Batch) -> Bools:
    """The basic bootstrap interval of the difference of means: p = 2 min(hits) / draws, without +1.

    The 97.5 % quantile of 1,000 draws lies between the 975th and the 976th, so that 25 draws beyond 2d still reject: p ≤ α.
    """
    return pvalues(batch, "bootstrap", interval="basic", plus_one=False) <= batch.alpha


@contender("colas_permutation", label="permutation (Colas)")
def colas_permutation(batch: Batch) -> Bools:
    """The permutation test: 1 − share of |d*| ≤ |d|, compared with α by `<`."""
    pooled = np.concatenate([batch.pooled(0), batch.pooled(1)], axis=1)
    state = state_of(batch.generator("colas_permutation"))
    count = shuffled_hits if pooled.shape[1] < 2 * SEQUENTIAL else strict_hits
    hits = count(pooled, pooled.shape[1] // 2, batch.n_resamples, state)
    return hits / batch.n_resamples < batch.alpha
