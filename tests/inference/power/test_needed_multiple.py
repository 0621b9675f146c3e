"""How many times as many runs find a difference: the inverse of the detectable difference."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from runoff._inference.power import detectable, needed_multiple


@pytest.mark.parametrize(("df", "n"), [(4, 3), (8, 5), (40, 5), (98, 50)])
def test_the_detectable_difference_needs_the_runs_there_are(df, n):
    assert needed_multiple(detectable(1.7, df, 0.05), 1.7, df, n, 0.05) == pytest.approx(1, abs=1e-3)


def test_with_many_runs_half_the_difference_needs_four_times_as_many():
    size = detectable(1.0, 5_000, 0.05)
    assert needed_multiple(size / 2, 1.0, 5_000, 500, 0.05) == pytest.approx(4, rel=0.01)


def test_it_is_the_multiple_at_which_simulated_experiments_find_it():
    """Runs of two algorithms with a known spread: the pilot's error is drawn, then the multiple it asks for is tried."""
    rng, n, true, hits = np.random.default_rng(0), 6, 1.0, []
    for _ in range(300):
        pilot = rng.normal(size=(2, n))
        error = np.sqrt(pilot.var(axis=1, ddof=1).sum() / n)
        multiple = needed_multiple(true, error, 2 * (n - 1), n, 0.05)
        runs = max(2, round(n * min(multiple, 50)))
        x, y = rng.normal(true, 1, (40, runs)), rng.normal(0, 1, (40, runs))
        t = (x.mean(1) - y.mean(1)) / np.sqrt((x.var(1, ddof=1) + y.var(1, ddof=1)) / runs)
        hits.append((np.abs(t) > 2.0).mean())
    assert 0.74 <= np.mean(hits) <= 0.86


def test_no_difference_is_never_found():
    assert needed_multiple(0.0, 1.0, 8, 5, 0.05) == inf
    assert needed_multiple(1e-9, 1.0, 8, 5, 0.05) == inf
