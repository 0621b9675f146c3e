"""Confidence sets for ranks by the tests of pairs, and by the bootstrap of ranks."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from runoff._inference.rank_sets import letter, place_shares, sets_of_pairs
from tests.reference import places as slow

RNG = np.random.default_rng(5)


@pytest.mark.parametrize("values", [5, 1_000_000])
def test_shares_of_places_are_those_of_the_slow_twin(values):
    draws = RNG.integers(values, size=(50, 4)).astype(float)  # with ties, and without
    shares = place_shares(draws)
    assert shares == pytest.approx(slow.place_shares(draws.tolist()), abs=1e-12)
    assert shares.sum(axis=1) == pytest.approx([50] * 4)


def drawn(seed, k=5):
    """P-values and favoured algorithms of all pairs, as matrices and by pair."""
    rng = np.random.default_rng(seed)
    pvalues, ahead, by_pair, better = np.ones((k, k)), np.zeros((k, k), bool), {}, {}
    for a, b in combinations(range(k), 2):
        p, first = float(rng.beta(0.2, 1)), bool(rng.random() < 0.7)
        pvalues[a, b] = pvalues[b, a] = by_pair[a, b] = p
        ahead[a, b], ahead[b, a], better[a, b] = first, not first, a if first else b
    return pvalues, ahead, by_pair, better


@pytest.mark.parametrize("seed", range(20))
def test_sets_are_those_of_stepping_down_one_pair_at_a_time(seed):
    pvalues, ahead, by_pair, better = drawn(seed)
    result = sets_of_pairs(pvalues, ahead, 0.05, None)
    own, joint = slow.sets(by_pair, better, 5, 0.05)
    assert list(zip(result.low.tolist(), result.high.tolist(), strict=True)) == own
    assert list(zip(result.joint_low.tolist(), result.joint_high.tolist(), strict=True)) == joint


@pytest.mark.parametrize("correction", ["holm", "bh", "none"])
@pytest.mark.parametrize("seed", range(20))
def test_all_at_once_is_never_narrower_than_each_on_its_own(seed, correction):
    result = sets_of_pairs(*drawn(seed, 7)[:2], 0.05, None, correction)
    assert np.all(result.joint_low <= result.low)
    assert np.all(result.high <= result.joint_high)


def test_letters_go_on_behind_z():
    assert [letter(i) for i in (0, 25, 26, 52)] == ["a", "z", "a1", "a2"]
