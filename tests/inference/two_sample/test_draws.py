"""Randomness of the two-sample tests: seeds, threads, blocks, the +1 rule."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from runoff._inference.two_sample import run_two_sample
from runoff.base.random import streams
from runoff.errors import DesignError

DRAWING = ["permutation", "studentized_permutation", "brunner_munzel", "bootstrap"]
RNG = np.random.default_rng(8)
X, Y = RNG.normal(size=(150, 12)), RNG.normal(size=(150, 11)) + 0.5


@pytest.mark.parametrize("test", DRAWING)
def test_threads_do_not_change_the_numbers(test: str) -> None:
    single, four = (
        run_two_sample(test, X, Y, method="monte_carlo", n_resamples=200, threads=threads) for threads in (1, 4)
    )
    assert np.array_equal(single.pvalue, four.pvalue)


@pytest.mark.parametrize("test", DRAWING)
def test_the_same_seed_repeats_and_another_seed_or_key_does_not(test: str) -> None:
    first, again, other, keyed = (
        run_two_sample(test, X, Y, method="monte_carlo", n_resamples=200, streams=streams(seed), key=key).pvalue
        for seed, key in ((1, ()), (1, ()), (2, ()), (1, (5,)))
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert not np.array_equal(first, keyed)


def test_a_longer_batch_keeps_the_numbers_of_its_first_pairs() -> None:
    whole = run_two_sample("permutation", X, Y, n_resamples=100, method="monte_carlo")
    part = run_two_sample("permutation", X[:80], Y[:80], n_resamples=100, method="monte_carlo")
    assert np.array_equal(whole.pvalue[:80], part.pvalue)


@pytest.mark.parametrize("test", DRAWING)
def test_pairs_of_a_batch_are_drawn_independently(test: str) -> None:
    x, y = np.repeat(X[:1], 100, axis=0), np.repeat(Y[:1], 100, axis=0)
    outcome = run_two_sample(test, x, y, method="monte_carlo", n_resamples=400)
    assert outcome.pvalue.std() == pytest.approx(outcome.pvalue_error.mean(), rel=0.35)


@pytest.mark.parametrize("test", DRAWING)
@pytest.mark.parametrize("side", ["greater", "less", "two-sided"])
def test_a_drawn_pvalue_is_never_zero_and_counts_the_sample_itself(test: str, side: str) -> None:
    outcome = run_two_sample(test, X, Y + 50.0, alternative=side, method="monte_carlo", n_resamples=99)
    assert outcome.pvalue.min() >= 0.01
    assert (outcome.pvalue_error > 0.0).any() or side == "greater"


def test_without_the_plus_one_rule_published_pvalues_of_zero_come_back() -> None:
    outcome = run_two_sample("permutation", X, Y + 50.0, n_resamples=100, method="monte_carlo", plus_one=False)
    assert outcome.pvalue.max() == 0.0


@pytest.mark.parametrize("test", DRAWING[:3])
@pytest.mark.parametrize("side", ["greater", "less", "two-sided"])
def test_drawn_permutations_approach_the_exact_ones(test: str, side: str) -> None:
    x, y = X[:3, :6], Y[:3, :4]
    exact = run_two_sample(test, x, y, alternative=side, method="exact")
    drawn = run_two_sample(test, x, y, alternative=side, method="monte_carlo", n_resamples=20_000)
    assert (np.abs(exact.pvalue - drawn.pvalue) <= 4.0 * drawn.pvalue_error + 1e-4).all()


def test_auto_enumerates_up_to_two_hundred_thousand_relabellings_and_draws_beyond() -> None:
    small, large = (run_two_sample("permutation", X[:1, :n], Y[:1, :10], n_resamples=50) for n in (10, 11))
    assert (small.method[0], large.method[0]) == ("exact", "monte_carlo")  # C(20, 10) = 184,756; C(21, 11) = 352,716
    assert small.pvalue_error[0] == 0.0


def test_inputs_and_the_global_random_state_are_left_alone() -> None:
    before, state = X.copy(), np.random.get_state()[1].copy()  # noqa: NPY002
    run_two_sample("bootstrap", X, Y, n_resamples=50)
    run_two_sample("studentized_permutation", X, Y, n_resamples=50)
    assert np.array_equal(X, before)
    assert np.array_equal(state, np.random.get_state()[1])  # noqa: NPY002


@pytest.mark.parametrize(("x", "y"), [(X[0], Y[0]), (X, Y[:3]), (X[:0], Y[:0])])
def test_what_is_not_a_batch_of_pairs_is_refused(x: np.ndarray, y: np.ndarray) -> None:
    with pytest.raises(DesignError, match="with batch ≥ 1"):
        run_two_sample("welch", x, y)


def test_the_normal_law_of_u_is_used_for_a_variance_below_one_too() -> None:
    outcome = run_two_sample("mann_whitney", np.array([[1.0, 2.0]]), np.array([[3.0]]), method="asymptotic")
    assert outcome.pvalue[0] == pytest.approx(2 * stats.norm.sf(0.5 / np.sqrt(2 * 4 / 12)))
