"""False positive rates of the two-sample tests where their null holds (the full tables come from the study engine)."""

from __future__ import annotations

import numpy as np
import pytest

from runoff._inference.two_sample import TWO_SAMPLE, run_two_sample
from runoff.base.random import streams

N_REPEATS = 4000
LIMIT = 0.05 + 3.0 * np.sqrt(0.05 * 0.95 / N_REPEATS)
LIBERAL = {
    "ranked_t": "its t law is an approximation: 10 % at 3 runs, 6 % at 5",
    "bootstrap": "with few runs (Colas et al. 2019 §4.5)",
}
"""Tests that err more often than they say with few runs, and why they are here all the same."""
VALID = [name for name in TWO_SAMPLE if name not in LIBERAL]


@pytest.mark.slow
@pytest.mark.parametrize("n_runs", [3, 5, 20])
@pytest.mark.parametrize("test", VALID)
def test_false_positive_rates_of_normal_runs_are_at_most_nominal(test: str, n_runs: int) -> None:
    x, y = streams(1).block("calibration", n_runs).normal(size=(2, N_REPEATS, n_runs))
    outcome = run_two_sample(test, x, y, n_resamples=499)
    assert (outcome.pvalue <= 0.05).mean() < LIMIT


@pytest.mark.slow
def test_studentizing_keeps_the_permutation_test_valid_under_unequal_variances_and_sizes() -> None:
    rng = streams(2).block("calibration", 0)
    x, y = 3.0 * rng.normal(size=(N_REPEATS, 10)), rng.normal(size=(N_REPEATS, 40))
    plain, studentized = (
        (run_two_sample(test, x, y, n_resamples=499).pvalue <= 0.05).mean()
        for test in ("permutation", "studentized_permutation")
    )
    assert plain > 0.2
    assert studentized < 0.075


@pytest.mark.slow
def test_the_basic_bootstrap_of_few_runs_rejects_too_often_as_colas_2019_found() -> None:
    x, y = streams(3).block("calibration", 0).normal(size=(2, N_REPEATS, 5))
    pvalue = run_two_sample("bootstrap", x, y, n_resamples=1000, interval="basic", plus_one=False).pvalue
    assert 0.08 < (pvalue <= 0.05).mean() < 0.15
