"""The triples test of symmetry, behind R006, against its definition."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from runoff._inference.advice.pairs import symmetry_pvalue


def triple(a, b, c):
    return (np.sign(a + b - 2 * c) + np.sign(a + c - 2 * b) + np.sign(b + c - 2 * a)) / 3


def by_definition(x):
    """Randles et al. 1980: every triple, one after the other."""
    n = len(x)
    f = {frozenset(t): triple(*(x[i] for i in t)) for t in combinations(range(n), 3)}
    eta = np.mean(list(f.values()))
    alone = [np.mean([v for t, v in f.items() if i in t]) for i in range(n)]
    pairs = [np.mean([v for t, v in f.items() if i in t and j in t]) for i, j in combinations(range(n), 2)]
    parts = np.mean((np.array(alone) - eta) ** 2), np.mean((np.array(pairs) - eta) ** 2), 1 / 9 - eta**2
    weights = 3 * (n - 3) * (n - 4) / 2, 3 * (n - 3), 1
    variance = np.dot(weights, parts) / (n * (n - 1) * (n - 2) / 6)
    return 2 * stats.t.sf(abs(eta) / np.sqrt(variance), n - 3)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("levels", [None, 3])
def test_the_p_value_is_that_of_every_triple(seed, levels):
    x = np.random.default_rng(seed).lognormal(size=9)
    x = x if levels is None else np.round(levels * x)
    assert symmetry_pvalue(x) == pytest.approx(by_definition(x))
    assert symmetry_pvalue(7 - 2 * x) == pytest.approx(symmetry_pvalue(x))


@pytest.mark.parametrize(
    "draw", [lambda rng: rng.normal(size=20), lambda rng: rng.standard_t(3, 20), lambda rng: rng.random(20)]
)
@pytest.mark.parametrize("n_samples", [250, pytest.param(4_000, marks=pytest.mark.slow)])
def test_symmetric_runs_are_called_skewed_in_one_case_of_twenty_whatever_their_tails(draw, n_samples):
    rng = np.random.default_rng(0)
    wrong = sum(symmetry_pvalue(draw(rng)) < 0.05 for _ in range(n_samples))
    assert wrong / n_samples <= 0.055 + 3 * np.sqrt(0.055 * 0.945 / n_samples)  # measured: 3 to 5.5 %


def test_log_normal_runs_are_called_skewed():
    rng = np.random.default_rng(0)
    assert sum(symmetry_pvalue(rng.lognormal(size=20)) < 0.05 for _ in range(200)) > 160


def test_runs_without_spread_are_symmetric():
    assert symmetry_pvalue(np.ones(8)) > 0.9
