"""Published means: the interval of their difference, and a whole table line by line."""

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
LINES = {
    "mean_x": [19.0, 80.0, 3.0],
    "std_x": [1.0, 9.0, 0.5],
    "n_x": 5,
    "mean_y": [17.0, 78.0, 3.5],
    "std_y": 1.5,
    "n_y": [5, 5, 6],
}


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


def test_a_table_has_a_row_per_line_and_each_is_that_of_its_line():
    table = ro.test_from_summary(**LINES, names=["Pong", "Boxing", "Hero"])
    assert table.to_polars()["line"].to_list() == ["Pong", "Boxing", "Hero"]
    alone = ro.test_from_summary(mean_x=80.0, std_x=9.0, n_x=5, mean_y=78.0, std_y=1.5, n_y=5)
    assert table.results[1] == alone
    assert table.to_records()[1] == {"line": "Boxing", **alone.to_records()[0]}


def test_lines_without_names_are_numbered():
    assert ro.test_from_summary(**LINES).lines == ("line 1", "line 2", "line 3")


def test_a_line_that_lacks_a_number_is_refused():
    with pytest.raises(ro.DataError, match="mean_x has 3, mean_y has 2"):
        ro.test_from_summary(**LINES | {"mean_y": [17.0, 78.0]})


def test_a_bad_number_of_a_line_is_refused_as_it_is_alone():
    with pytest.raises(ro.DataError, match="std_x must be a finite number of at least 0, not -1"):
        ro.test_from_summary(**LINES | {"std_x": [1.0, -1.0, 2.0]})
