"""Error rates of the corrections over steps, and coverage of bands, where the truth is known: the tables of the guide."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from docs.make_curves import CASES, coverage, covered, wrong_claims

pytestmark = pytest.mark.slow
N = 600
FAIR = [case for case in CASES if case.spread == 1.0 or case.n_a == case.n_b]


def upper(rate: float, n: int = N) -> float:
    """The rate that a method of a true `rate` exceeds once in a thousand times."""
    return float(stats.binom.ppf(0.999, n, rate)) / n


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.n_a}+{case.n_b} {case.words}")
def test_a_correction_claims_some_step_in_error_as_rarely_as_it_says(case):
    rates = wrong_claims(case, N, n_resamples=500, seed=11)
    for name in ("max_t", "holm", "colas2019") if case in FAIR else ("max_t",):
        assert rates[name] <= upper(0.06), name
    assert rates["none"] > rates["holm"]


def saturating(rng, n, n_steps=20):
    """Runs that climb and agree at the end, but for one of ten that fails there."""
    climb = np.minimum(np.linspace(0, 1.5, n_steps) + 0.2 * rng.normal(size=(n, 1)), 1.0)
    fails = rng.random((n, 1)) < 0.1
    return np.where(fails & (np.arange(n_steps) > 12), 0.3, climb) + 0.01 * rng.normal(size=(n, n_steps))


@pytest.mark.parametrize(("n_runs", "n_tasks"), [(5, 6), (10, 6), (5, 1)])
def test_bands_of_curves_whose_runs_agree_at_some_steps_hold(n_runs, n_tasks):
    rng, truth = np.random.default_rng(5), saturating(np.random.default_rng(6), 200_000).mean(axis=0)
    bands = [
        covered([saturating(rng, n_runs) for _ in range(n_tasks)], truth, "mean", "t", repeat)[1]
        for repeat in range(300)
    ]
    assert 1 - np.mean(bands) <= upper(0.07, 300)


@pytest.mark.parametrize(("n_runs", "n_tasks"), [(3, 6), (5, 1), (5, 6), (10, 1)])
def test_t_intervals_and_their_bands_hold_the_truth_as_often_as_they_say(n_runs, n_tasks):
    point, band = coverage(n_runs, n_tasks, "mean", "t", 300, seed=7)
    assert point > 0.93
    assert 1 - band <= upper(0.07, 300)
