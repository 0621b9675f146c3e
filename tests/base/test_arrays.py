"""Small functions on arrays, by numpy's."""

from __future__ import annotations

import numpy as np
import pytest

from runoff.base.arrays import median_of


@pytest.mark.parametrize("size", range(1, 9))
def test_the_median_is_numpys_for_odd_and_even_numbers_of_values(size):
    values = np.random.default_rng(size).normal(size=size)
    assert median_of(values) == pytest.approx(np.median(values), rel=1e-15)


def test_the_median_of_values_near_the_largest_double_is_finite():
    assert median_of(np.array([1.6e308, 1.7e308])) == pytest.approx(1.65e308)
