import warnings

import numpy as np
import pytest
from scipy import stats

from runoff._inference.shape import bimodality, flat, shape_of, skew_score, standardised

RNG = np.random.default_rng(3)
CELLS = [draw(n) for n in (8, 9, 20, 100, 3000) for draw in (RNG.standard_normal, RNG.standard_exponential)]


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.size)
def test_tests_of_normality_are_scipys(cell):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = stats.normaltest(cell).pvalue, stats.shapiro(cell).pvalue
    shape = shape_of(50 + 3 * cell)
    assert (shape.normality_pvalue, shape.shapiro_pvalue) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.size)
def test_moments_are_scipys_bias_corrected_ones(cell):
    shape = shape_of(cell)
    assert shape.skewness == pytest.approx(stats.skew(cell, bias=False))
    assert shape.kurtosis == pytest.approx(stats.kurtosis(cell, bias=False))


def test_a_skewness_of_zero_scores_zero_where_scipy_scores_one():
    assert skew_score(standardised(np.array([-3.0, -2, -1, -1, 1, 1, 2, 3]))) == pytest.approx(0.0, abs=1e-12)


def test_sarles_coefficient_is_low_for_the_normal_and_one_for_two_points():
    assert bimodality(standardised(RNG.standard_normal(20_000))) == pytest.approx(1 / 3, abs=0.02)
    assert bimodality(standardised(RNG.uniform(size=20_000))) == pytest.approx(5 / 9, abs=0.02)
    assert bimodality(standardised(np.repeat([0.0, 1.0], 5000))) == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("cell", [[1.0], [2.0, 2.0, 2.0], [0.1 + 0.2, 0.3, 0.3], [1.0, 2.0]])
def test_few_or_equal_runs_have_no_shape_and_no_nan(cell):
    shape = shape_of(np.array(cell))
    assert shape.normality_pvalue is shape.bimodality is shape.skewness is None
    assert flat(np.array([0.1 + 0.2, 0.3]))


def test_each_number_appears_from_the_runs_it_needs():
    expected = {n: shape_of(np.arange(n) ** 2.0) for n in (3, 4, 7, 8)}
    assert [expected[n].skewness is None for n in expected] == [False] * 4
    assert [expected[n].bimodality is None for n in expected] == [True, False, False, False]
    assert [expected[n].normality_pvalue is None for n in expected] == [True, True, True, False]


def test_shapiro_is_not_told_beyond_5000_runs():
    assert shape_of(RNG.standard_normal(5001)).shapiro_pvalue is None
