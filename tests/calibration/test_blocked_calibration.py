"""False positive rates of the blocked tests where their nulls hold."""

import numpy as np
import pytest
from scipy import stats

from runoff._inference.blocked import Flat, asymptotic_pvalues, exact_pvalues, run_blocked, run_permutations
from runoff.base.random import Streams

ALPHA, N_TASKS = 0.05, 8
WORLDS = {
    "normal": lambda rng, size: rng.normal(size=size),
    "Cauchy": lambda rng, size: rng.standard_cauchy(size),
    "few levels": lambda rng, size: np.floor(4 * rng.random(size)),
}


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("n_runs", [3, 5, 10, 20])
def test_exact_mack_skillings_rejects_equal_algorithms_at_most_at_the_nominal_rate(world, n_runs):
    repeats = 500 if world == "few levels" else 20_000
    data = WORLDS[world](np.random.default_rng(n_runs), (repeats, 2, N_TASKS, n_runs))
    rejected = int((exact_pvalues(data) <= ALPHA).sum())
    assert rejected <= stats.binom.ppf(0.999, repeats, ALPHA)
    assert rejected >= stats.binom.ppf(0.001, repeats, ALPHA / 2)


@pytest.mark.slow
@pytest.mark.parametrize("n_algorithms", [2, 6])
@pytest.mark.parametrize("n_runs", [5, 10, 20])
def test_asymptotic_mack_skillings_exceeds_the_nominal_rate_by_less_than_half_a_percent(n_algorithms, n_runs):
    data = np.random.default_rng(n_runs).normal(size=(10_000, n_algorithms, N_TASKS, n_runs))
    rejected = int((asymptotic_pvalues(data) <= ALPHA).sum())
    assert rejected <= stats.binom.ppf(0.999, 10_000, ALPHA + 0.005)


def rates(studentized, repeats=800):
    """Rejections of equal means, three runs of a wide algorithm against twelve of a narrow one."""
    rng = np.random.default_rng(0)
    offsets = np.concatenate([np.arange(5) * 3, 12 + 12 * np.arange(1, 5)])
    rejected = 0
    for repeat in range(repeats):
        values = np.concatenate([3.0 * rng.normal(size=12), rng.normal(size=48)])
        options = {"streams": Streams(repeat), "n_resamples": 199}
        if studentized:
            outcome = run_permutations([Flat(values=values, offsets=offsets, n_tasks=4, shared=False)], **options)[0]
        else:
            outcome = run_blocked("stratified_permutation", values, offsets, 2, 4, **options)
        rejected += outcome.pvalue <= ALPHA
    return rejected / repeats


@pytest.mark.slow
def test_studentising_repairs_the_permutation_test_of_means_under_unequal_spread_and_counts():
    plain, studentized = rates(studentized=False), rates(studentized=True)
    assert plain > 0.12
    assert studentized < 0.09
