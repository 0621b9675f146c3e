"""Error rates of equivalence and coverage of effect sizes, in worlds where the truth is known."""

import numpy as np
import pytest
from scipy import stats

import runoff as ro

pytestmark = pytest.mark.slow


def worlds(shift, n_runs, n_tasks, n_repeats, spread=1.0):
    rng = np.random.default_rng(n_runs)
    for _ in range(n_repeats):
        a, b = rng.normal(shift, spread, (n_runs, n_tasks)), rng.normal(0, 1, (n_runs, n_tasks))
        yield ro.Scores.from_dict({"A": a, "B": b})


def at_most(hits, n, rate):
    """Whether this many hits are plausible at `rate` or less."""
    return stats.binomtest(int(hits), n, rate, alternative="greater").pvalue > 0.001


@pytest.mark.parametrize("n_runs", [3, 5, 10, 20])
@pytest.mark.parametrize("spread", [1.0, 3.0])
def test_a_difference_of_the_margin_is_called_equivalent_in_at_most_alpha(n_runs, spread):
    verdicts = [
        ro.equivalence(scores, margin=1.0, measure="mean").pairs[0].verdict == "equivalent"
        for scores in worlds(1.0, n_runs, 3, 2000, spread)
    ]
    assert at_most(sum(verdicts), 2000, 0.05)


@pytest.mark.parametrize("n_tasks", [1, 6])
@pytest.mark.parametrize("n_runs", [5, 10, 20])
def test_intervals_of_g_cover_the_true_effect(n_tasks, n_runs):
    covered = 0
    for scores in worlds(0.8, n_runs, n_tasks, 1500):
        record = ro.effect_sizes(scores, effect_size=["hedges_g"]).rows[0]
        covered += record.low <= 0.8 <= record.high
    assert at_most(1500 - covered, 1500, 0.06)


@pytest.mark.parametrize("n_runs", [5, 20])
def test_fiellers_interval_covers_the_true_ratio(n_runs):
    rng = np.random.default_rng(0)
    covered = bounded = 0
    for _ in range(2000):
        data = {"A": rng.normal(12, 2, (n_runs, 2)), "B": rng.normal(10, 1, (n_runs, 2))}
        record = ro.effect_sizes(ro.Scores.from_dict(data), effect_size=["ratio"]).rows[0]
        bounded += record.low is not None
        covered += record.low is not None and record.low <= 1.2 <= record.high
    assert at_most(bounded - covered, bounded, 0.055)
