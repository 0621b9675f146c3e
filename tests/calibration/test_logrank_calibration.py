"""Times to a score with few runs: the log-rank test by relabelling holds its level, its large-sample law does not."""

from __future__ import annotations

import numpy as np
import pytest

from runoff._inference.steps import Times, logrank
from runoff.base.random import streams

pytestmark = pytest.mark.slow
REPEATS = 4_000


def rejected(n_a, n_b, exact, family):
    """Rejections at 5 % of a true null: exponential times, censored at an end that 40 % do not reach."""
    rng, end = np.random.default_rng(n_a * 100 + n_b), -np.log(0.4)
    hits = 0
    for _ in range(REPEATS):
        drawn = rng.exponential(size=n_a + n_b)
        first, other = (Times(times=np.minimum(part, end), reached=part < end) for part in (drawn[:n_a], drawn[n_a:]))
        hits += logrank(first, other, exact=exact, streams=family, n_resamples=1_000).pvalue <= 0.05
    return hits / REPEATS


@pytest.mark.parametrize("sizes", [(3, 3), (5, 5), (10, 3)])
def test_relabelling_runs_holds_the_level(sizes):
    assert rejected(*sizes, True, streams(0)) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / REPEATS)


def test_the_large_sample_law_rejects_too_often_with_three_runs():
    assert rejected(3, 3, False, streams(0)) > 0.07
