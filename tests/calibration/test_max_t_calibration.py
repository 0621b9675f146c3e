"""Strong control of max-T: where some algorithms are equal and others are not, equal ones are rarely declared different."""

import numpy as np
import pytest
from scipy import stats

from runoff._inference.family.max_t import max_t
from runoff.base.random import Streams

WORLDS = {
    "A = B != C": ((0.0, 0.0, 1.5), (1.0, 1.0, 1.0), None),
    "A = B != C of another spread": ((0.0, 0.0, 0.5), (1.0, 1.0, 4.0), None),
    "A = B != C with ties": ((0.0, 0.0, 1.0), (1.0, 1.0, 3.0), 1.0),
    "A = B != C = D": ((0.0, 0.0, 1.0, 1.0), (1.0, 1.0, 1.0, 1.0), None),
    "A = B != C = D with ties": ((0.0, 0.0, 1.0, 1.0), (1.0, 1.0, 2.0, 2.0), 1.0),
    "A = B = C": ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), 2.0),
}
ALPHA, N_TASKS, N_RUNS, N_REPEATS, N_RESAMPLES = 0.05, 4, 4, 1_000, 199


def false_rejection(world, statistic, rng, repeat):
    """Whether any pair of equal algorithms is declared different in one simulated experiment."""
    means, spreads, levels = WORLDS[world]
    k = len(means)
    data = np.reshape(means, (k, 1, 1)) + np.reshape(spreads, (k, 1, 1)) * rng.normal(size=(k, N_TASKS, N_RUNS))
    if levels:
        data = np.round(data * levels) / levels
    offsets = np.arange(k * N_TASKS + 1) * N_RUNS
    result = max_t(
        data.ravel(), offsets, k, N_TASKS, statistic=statistic, streams=Streams(repeat), n_resamples=N_RESAMPLES
    )
    same = [(means[a], spreads[a]) == (means[b], spreads[b]) for a, b in result.pairs]
    return bool((result.adjusted[same] <= ALPHA).any())


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("statistic", ["rank", "mean"])
def test_equal_algorithms_are_declared_different_at_most_at_the_nominal_rate(world, statistic):
    rng = np.random.default_rng(sorted(WORLDS).index(world))
    errors = sum(false_rejection(world, statistic, rng, repeat) for repeat in range(N_REPEATS))
    assert errors <= stats.binom.ppf(0.999, N_REPEATS, ALPHA)
    assert errors >= stats.binom.ppf(0.001, N_REPEATS, ALPHA / 5)
