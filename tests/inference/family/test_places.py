"""Shares of places, scores and hits against their slow twins."""

from __future__ import annotations

import numpy as np
import pytest

from runoff._inference.family import rank_sets
from tests.reference import places as slow

RNG = np.random.default_rng(5)


@pytest.mark.parametrize("values", [5, 1_000_000])
def test_shares_of_places_are_those_of_the_slow_twin(values):
    draws = RNG.integers(values, size=(50, 4)).astype(float)  # with ties, and without
    shares = rank_sets.place_shares(draws)
    assert shares == pytest.approx(slow.place_shares(draws.tolist()), abs=1e-12)
    assert shares.sum(axis=1) == pytest.approx([50] * 4)


@pytest.mark.parametrize("df", [1.0, 2.5, 8.0, np.inf])
def test_a_score_grows_with_t_and_is_that_of_the_slow_twin(df):
    t = np.linspace(-6, 6, 41)
    scores = [scored(row, df) for row in t]
    assert scores == pytest.approx([slow.score(row, df) for row in t])
    assert np.all(np.diff(scores) > 0)


def test_with_many_degrees_of_freedom_the_score_is_t_itself():
    assert [scored(t, 1e8) for t in (-4.0, 0.0, 2.5)] == pytest.approx([-4.0, 0.0, 2.5], rel=1e-6)
    assert scored(-4.0, np.inf) == -4.0


KNOWN = np.zeros((2, 2), np.bool_)


def scored(t, df):
    """The score of a pair whose t value is t."""
    return rank_sets.normal_scores(np.array([t, 0.0]), np.array([0.5, 0.5]), np.full(2, df / 2), KNOWN)[0, 1]


def test_hits_are_those_of_every_set_that_is_left():
    k, n = 3, 40
    normals, spreads = RNG.normal(size=(n, k)), RNG.chisquare(4, (n, k)) / 4
    variances, df = np.array([1.0, 4.0, 0.5]), np.array([4.0, 2.0, 9.0])
    observed = np.array([[-np.inf, 0.4, 1.2], [-0.4, -np.inf, 0.9], [-1.2, -0.9, -np.inf]])
    order = np.array([6, 7, 3, 1, 5, 2])  # of all six directed pairs, ascending
    expected = np.zeros((k, k), np.bool_)
    scores = rank_sets.normal_scores(normals * np.sqrt(variances), variances * spreads, df, expected).reshape(n, 9)
    hits = rank_sets.step_hits(scores, observed.ravel(), order)
    wanted = []
    for i in range(6):
        drawn = [score_of(normals[b], spreads[b], variances, df, order[: i + 1], k) for b in range(n)]
        wanted.append(sum(max(row) >= observed[order[i] // k, order[i] % k] for row in drawn))
    assert hits.tolist() == wanted


def score_of(normals, spreads, variances, df, codes, k):
    """The scores of some directed pairs in one draw."""
    values, errors = normals * np.sqrt(variances), variances * spreads
    pairs = [(code // k, code % k) for code in codes]
    return [
        slow.score((values[j] - values[m]) / np.sqrt(errors[j] + errors[m]), slow.pair_df(errors, df, j, m))
        for j, m in pairs
    ]


def test_pairs_that_cannot_be_compared_are_never_the_largest():
    out = rank_sets.normal_scores(np.array([1.0, 0.0]), np.array([0.0, 0.0]), np.full(2, np.nan), ~KNOWN)
    assert np.all(np.isneginf(out))
