"""Properties of the two-sample tests over random samples, with ties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from runoff._inference.two_sample import TWO_SAMPLE, run_two_sample
from tests.amount import examples

Sample = NDArray[np.float64]
ONE_SIDED = sorted(name for name, test in TWO_SAMPLE.items() if "less" in test.claims)
NO_DRAWS = sorted(set(TWO_SAMPLE) - {"bootstrap"})
BY_RANK = [name for name, test in TWO_SAMPLE.items() if test.about.by_rank or test.about.claim is None]

scores = st.lists(st.integers(-6, 6), min_size=2, max_size=6).map(lambda v: np.array([v], dtype=np.float64))
few = settings(max_examples=examples(25, 8), deadline=None)


def pvalue(test: str, x: Sample, y: Sample, side: str = "two-sided") -> float:
    return float(run_two_sample(test, x, y, alternative=side, n_resamples=200).pvalue[0])


@pytest.mark.parametrize("test", TWO_SAMPLE)
@few
@given(x=scores, y=scores)
def test_pvalues_are_probabilities_and_never_zero(test: str, x: Sample, y: Sample) -> None:
    for side in TWO_SAMPLE[test].claims:
        assert 0.0 < pvalue(test, x, y, side) <= 1.0


@pytest.mark.parametrize("test", NO_DRAWS)
@few
@given(x=scores, y=scores)
def test_exchanging_the_samples_mirrors_the_answer(test: str, x: Sample, y: Sample) -> None:
    assert pvalue(test, x, y) == pytest.approx(pvalue(test, y, x), rel=1e-9)
    if test in ONE_SIDED:
        assert pvalue(test, x, y, "greater") == pytest.approx(pvalue(test, y, x, "less"), rel=1e-9)


@pytest.mark.parametrize("test", NO_DRAWS)
@few
@given(x=scores, y=scores, seed=st.integers(0, 99))
def test_the_order_of_the_runs_does_not_matter(test: str, x: Sample, y: Sample, seed: int) -> None:
    shuffled = np.random.default_rng(seed).permuted(x, axis=1)
    assert pvalue(test, x, y) == pytest.approx(pvalue(test, shuffled, y), rel=1e-9)


@pytest.mark.parametrize("test", NO_DRAWS)
@few
@given(x=scores, y=scores)
def test_the_unit_and_origin_of_the_scores_do_not_matter(test: str, x: Sample, y: Sample) -> None:
    assert pvalue(test, x, y) == pytest.approx(pvalue(test, 1024.0 + 0.125 * x, 1024.0 + 0.125 * y), rel=1e-7)


@pytest.mark.parametrize("test", BY_RANK)
@few
@given(x=scores, y=scores)
def test_rank_tests_survive_increasing_maps(test: str, x: Sample, y: Sample) -> None:
    assert pvalue(test, x, y) == pvalue(test, np.exp(x), np.exp(y))


@pytest.mark.parametrize("test", ["mann_whitney", "permutation", "studentized_permutation", "brunner_munzel"])
@few
@given(x=scores, y=scores)
def test_exact_one_sided_pvalues_share_the_observed_value(test: str, x: Sample, y: Sample) -> None:
    assert pvalue(test, x, y, "greater") + pvalue(test, x, y, "less") >= 1.0 - 1e-12


@few
@given(x=scores, y=scores)
def test_the_statistic_of_mann_whitney_counts_each_pair_once(x: Sample, y: Sample) -> None:
    of_x, of_y = run_two_sample("mann_whitney", x, y).statistic[0], run_two_sample("mann_whitney", y, x).statistic[0]
    assert of_x + of_y == x.size * y.size
