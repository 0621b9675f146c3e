"""Confidence sets for ranks by step-down, and by the bootstrap of ranks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from runoff._inference.bootstrap import Mean
from runoff._inference.family import bootstrap_sets, law_of, rank_sets, step_down
from runoff.base.random import streams
from tests.reference import places as slow

ORDER = np.arange(4)
MEANS = [Mean(3.0, 0.5, 4.0), Mean(2.2, 0.4, 8.0), Mean(0.0, 0.7, 2.5), Mean(-0.1, 0.2, 30.0)]


def sets_of(means, alpha=0.05, n=2_000, seed=0):
    return step_down(law_of(means), alpha, n, streams(seed), order=np.arange(len(means)))


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.3])
def test_sets_are_those_of_stepping_down_one_pair_at_a_time(alpha):
    law, n = law_of(MEANS), 300
    result = sets_of(MEANS, alpha, n)
    normals, spreads = rank_sets._drawn(law, n, streams(0).block("rank sets", 0), ORDER)
    first = {(j, m): scored(law.estimates, law.variances, law.df, j, m) for j in range(4) for m in range(4) if j != m}
    draws = [
        {(j, m): scored(z * np.sqrt(law.variances), law.variances * s, law.df, j, m) for j, m in first}
        for z, s in zip(normals, spreads, strict=True)
    ]
    own, joint = slow.sets(first, draws, 4, alpha)
    assert list(zip(result.low.tolist(), result.high.tolist(), strict=True)) == own
    assert list(zip(result.joint_low.tolist(), result.joint_high.tolist(), strict=True)) == joint


def scored(values, variances, df, j, m):
    t = (values[j] - values[m]) / np.sqrt(variances[j] + variances[m])
    return slow.score(t, slow.pair_df(variances, df, j, m))


@pytest.mark.parametrize(("n", "m"), [(5, 5), (10, 10)])
def test_two_algorithms_are_apart_if_the_t_test_of_equal_runs_rejects(n, m):
    """With equal errors the drawn law is nearly that of t with 2 (n − 1) degrees of freedom, whose quantile is known."""
    df, draws = 2.0 * (n - 1), 40_000
    t = stats.t.ppf(0.975, df)
    for factor, separate in ((0.93, False), (1.07, True)):
        lead = factor * t * np.sqrt(2)
        result = sets_of([Mean(lead, 1.0, n - 1.0), Mean(0.0, 1.0, m - 1.0)], n=draws)
        assert (result.high[0] == 1, result.low[1] == 2) == (separate, separate)


def test_all_at_once_is_never_narrower_than_each_on_its_own():
    rng = np.random.default_rng(3)
    for seed in range(30):
        means = [Mean(rng.normal(0, 2), rng.uniform(0.2, 1), rng.uniform(2, 20)) for _ in range(5)]
        result = sets_of(means, n=500, seed=seed)
        assert np.all(result.joint_low <= result.low)
        assert np.all(result.high <= result.joint_high)


def test_what_has_no_known_error_may_take_any_place_and_moves_no_other():
    result, alone = sets_of([*MEANS[:3], None]), sets_of(MEANS[:3])
    assert (result.low[3], result.high[3], result.shares) == (1, 4, None)
    assert (result.high[:3] - alone.high).tolist() == [1, 1, 1]
    assert result.low[:3].tolist() == alone.low.tolist()


def test_two_without_spread_are_not_told_apart_and_one_is():
    still = [Mean(1.0, 0.0, None), Mean(0.0, 0.0, None)]
    assert sets_of(still).high.tolist() == [2, 2]
    mixed = sets_of([Mean(9.0, 0.0, None), Mean(0.0, 0.5, 4.0)])
    assert (mixed.low.tolist(), mixed.high.tolist()) == ([1, 2], [1, 2])


def test_bootstrap_sets_are_quantiles_of_the_places():
    draws = np.array([[3.0, 2.0, 1.0]] * 90 + [[2.0, 3.0, 1.0]] * 6 + [[1.0, 2.0, 3.0]] * 4)
    wide, narrow = bootstrap_sets(draws, 0.05), bootstrap_sets(draws, 0.2)
    assert (wide.low.tolist(), wide.high.tolist()) == ([1, 1, 1], [3, 2, 3])
    assert (narrow.low.tolist(), narrow.high.tolist()) == ([1, 2, 3], [1, 2, 3])
    assert wide.shares[0].tolist() == pytest.approx([0.9, 0.06, 0.04])
