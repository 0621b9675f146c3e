"""What Colas' code computes (github.com/ccolas/rl_stats, tests.py), bugs included, to repeat the printed tables.

The bootstrap is the basic interval of `bootstrapped`, 2d − q, rejected when both ends have the same sign. The permutation p-value is the
share of shuffles *strictly* more extreme than the data, without the +1 rule: it can be 0, at 2 runs in a third of null experiments.
With few runs many shuffles equal the data up to order, and rounding decides whether they count; so the sums are the paper's, in its order.
"""

from __future__ import annotations

import numpy as np

from runoff._kernels.study.permutation import shuffled_hits, strict_hits
from runoff._kernels.two_sample.words import state_of
from runoff.base.arrays import Bools
from runoff.studies.batch import Batch
from runoff.studies.contenders.registry import contender
from runoff.studies.contenders.two_sample import pvalues

SEQUENTIAL = 8
"""From this many runs on, NumPy adds up in another order, and equal samples are too rare among shuffles to matter."""


@contender("colas_bootstrap", label="bootstrap (Colas)")
def colas_bootstrap(batch: Batch) -> Bools:
    """Basic interval of the difference of means: p = 2 min(hits) / draws, no +1.

    The 97.5 % quantile of 1,000 draws lies between the 975th and the 976th, so that 25 draws beyond 2d still reject: p ≤ α.
    """
    return pvalues(batch, "bootstrap", interval="basic", plus_one=False) <= batch.alpha


@contender("colas_permutation", label="permutation (Colas)")
def colas_permutation(batch: Batch) -> Bools:
    """1 − share of |d*| ≤ |d|, compared with α by `<`."""
    pooled = np.concatenate([batch.pooled(0), batch.pooled(1)], axis=1)
    state = state_of(batch.generator("colas_permutation"))
    count = shuffled_hits if pooled.shape[1] < 2 * SEQUENTIAL else strict_hits
    hits = count(pooled, pooled.shape[1] // 2, batch.n_resamples, state)
    return hits / batch.n_resamples < batch.alpha
