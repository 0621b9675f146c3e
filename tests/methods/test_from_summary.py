"""Published means: the interval of their difference."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import runoff as ro

DRAW = np.random.default_rng(3)
X, Y = DRAW.normal(10.0, 1.0, 5), DRAW.normal(9.0, 3.0, 8)
PUBLISHED = {
    "mean_x": X.mean(), "std_x": X.std(ddof=1), "n_x": X.size, "mean_y": Y.mean(), "std_y": Y.std(ddof=1), "n_y": Y.size
}  # fmt: skip


@pytest.mark.parametrize("test", ["welch", "student"])
@pytest.mark.parametrize("alternative", ["two-sided", "less"])
@pytest.mark.parametrize("level", [0.95, 0.8])
def test_the_interval_is_that_of_the_runs_and_of_scipy(test, alternative, level):
    expected = stats.ttest_ind(X, Y, equal_var=test == "student").confidence_interval(level)
    options = {"test": test, "alternative": alternative, "confidence_level": level}
    for result in (ro.test_from_summary(**PUBLISHED, **options), ro.two_sample_test(X, Y, **options)):
        assert (result.difference_low, result.difference_high) == pytest.approx((expected.low, expected.high), rel=1e-9)
        assert result.confidence_level == level


@pytest.mark.parametrize("scale", [1e-70, 1e70])
def test_the_interval_does_not_leave_the_range_of_numbers(scale):
    result, unscaled = ro.two_sample_test(X * scale, Y * scale), ro.two_sample_test(X, Y)
    assert result.difference_low / scale == pytest.approx(unscaled.difference_low)


def test_other_tests_and_runs_without_spread_have_no_interval():
    assert ro.two_sample_test(X, Y, test="mann_whitney").difference_low is None
    flat = ro.test_from_summary(mean_x=1, std_x=0, n_x=5, mean_y=2, std_y=0, n_y=5)
    assert (flat.difference_low, flat.difference_high) == (None, None)


def test_the_interval_leaves_out_zero_exactly_where_the_test_rejects():
    for shift in np.linspace(-6, 6, 25):
        result = ro.test_from_summary(**PUBLISHED | {"mean_x": PUBLISHED["mean_x"] + shift})
        assert (result.pvalue < 0.05) == (not result.difference_low <= 0 <= result.difference_high)
