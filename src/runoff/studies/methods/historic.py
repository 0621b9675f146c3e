"""What Colas' code computes (github.com/ccolas/rl_stats, tests.py), bugs included, to repeat the printed tables.

The bootstrap is the basic interval of `bootstrapped`, 2d − q, rejected when both ends have one sign. The permutation p-value is the
share of relabelings *strictly* more extreme than the data, without the +1 rule: it can be 0, at 2 runs in a third of null experiments.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runoff._kernels.study_permutation import strict_hits
from runoff._kernels.two_sample.words import state_of
from runoff.studies.batch import Batch
from runoff.studies.methods.registry import method
from runoff.studies.methods.two_sample import pvalues

Bools = NDArray[np.bool_]


@method("colas_bootstrap", label="bootstrap (Colas)")
def colas_bootstrap(batch: Batch) -> Bools:
    """Basic interval of the difference of means: p = 2 min(hits) / draws, no +1."""
    return pvalues(batch, "bootstrap", interval="basic", plus_one=False) < batch.alpha


@method("colas_permutation", label="permutation (Colas)")
def colas_permutation(batch: Batch) -> Bools:
    """1 − share of |d*| ≤ |d|, compared with α by `<`."""
    pooled = np.concatenate([batch.pooled(0), batch.pooled(1)], axis=1)
    state = state_of(batch.generator("colas_permutation"))
    hits = strict_hits(pooled, pooled.shape[1] // 2, batch.n_resamples, state)
    return hits / batch.n_resamples < batch.alpha
