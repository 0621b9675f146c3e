"""The metrics of the drop-in, as rliable's own tests have them, against a slow twin, and on what is no score."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from runoff.compat.rliable import metrics
from runoff.errors import DataError, DesignError
from tests.amount import examples
from tests.reference import bootstrap

X = np.array([[1, 2], [2, 2], [1, 1], [2, 1]])
Y = np.array([[1, 1], [2, 2], [3, 3]])
ONE = (metrics.aggregate_mean, metrics.aggregate_median, metrics.aggregate_optimality_gap, metrics.aggregate_iqm)
MATRICES = arrays.arrays(
    np.float64, st.tuples(st.integers(1, 7), st.integers(1, 6)), elements=st.floats(-1e6, 1e6, allow_subnormal=False)
)


def test_small_matrices_of_integers_have_the_values_of_rliables_own_tests():
    for matrix, value in ((X, 1.5), (Y, 2)):
        for metric in (metrics.aggregate_median, metrics.aggregate_mean, metrics.aggregate_iqm):
            assert metric(matrix) == value
    assert metrics.probability_of_improvement(X, Y) == pytest.approx(1 / 3)


@given(MATRICES)
@settings(max_examples=examples(30))
def test_metrics_are_those_of_numpy_and_scipy(matrix):
    results = [float(metric(matrix)) for metric in ONE]
    scale = max(1.0, float(np.abs(matrix).max()))
    np.testing.assert_allclose(results, bootstrap.rliable_statistics(matrix), rtol=0, atol=1e-12 * scale)


@given(MATRICES, st.integers(0, 2**32 - 1))
@settings(max_examples=examples(40))
def test_the_order_of_runs_and_tasks_changes_no_metric(matrix, seed):
    rng = np.random.default_rng(seed)
    turned = rng.permuted(matrix, axis=0)[:, rng.permutation(matrix.shape[1])]
    scale = max(1.0, float(np.abs(matrix).max()))
    for metric in ONE:
        assert metric(turned) == pytest.approx(metric(matrix), abs=1e-12 * scale)


@given(MATRICES, MATRICES)
@settings(max_examples=examples(30))
def test_either_side_is_ahead_with_chances_that_sum_to_one(x, y):
    n = min(x.shape[1], y.shape[1])
    ahead, behind = (metrics.probability_of_improvement(*pair) for pair in ((x[:, :n], y[:, :n]), (y[:, :n], x[:, :n])))
    assert ahead + behind == pytest.approx(1)
    assert ahead == pytest.approx(bootstrap.improvement(x[:, :n].T.tolist(), y[:, :n].T.tolist()))


def test_gamma_is_where_the_optimality_gap_counts_from():
    assert metrics.aggregate_optimality_gap(Y, gamma=3) == pytest.approx(1)
    assert metrics.aggregate_optimality_gap(Y) == 0


def test_a_step_axis_is_kept_by_means_and_pooled_by_the_iqm():
    curves = np.stack([X, 2 * X], axis=-1)
    assert metrics.aggregate_mean(curves).tolist() == metrics.aggregate_median(curves).tolist() == [1.5, 3.0]
    assert metrics.aggregate_iqm(curves) == np.sort(curves.ravel())[4:12].mean()


def test_a_score_that_is_no_number_makes_every_metric_none():
    broken = np.array([[1.0, np.nan], [2.0, 3.0], [4.0, 5.0]])
    assert all(np.isnan(metric(broken)) for metric in ONE)
    assert np.isnan(metrics.probability_of_improvement(broken, np.ones((2, 2))))


@pytest.mark.parametrize(("x", "y"), [(X, Y[:, :1]), (X[:, 0], Y[:, 0]), (np.stack([X, X], -1), np.stack([Y, Y], -1))])
def test_improvement_needs_two_matrices_on_the_same_tasks(x, y):
    with pytest.raises(DesignError, match=r"two matrices .* on the same tasks, but their shapes are"):
        metrics.probability_of_improvement(x, y)


def test_an_empty_array_has_no_interquartile_mean():
    with pytest.raises(DataError, match="needs a score"):
        metrics.aggregate_iqm(np.empty((0, 2)))
