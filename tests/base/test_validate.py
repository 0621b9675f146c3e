"""What is refused of numbers, and where it is said to stand."""

from __future__ import annotations

import numpy as np
import pytest

from runoff.base.validate import check_finite
from runoff.errors import DataError


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([1.0, 2.0, np.inf], r"1 value\(s\) .* the first being inf at index 2;"),
        ([[1.0, 2.0], [np.nan, np.nan]], r"2 value\(s\) .* the first being nan at index \(1, 0\);"),
    ],
)
def test_a_number_that_is_not_finite_is_refused_with_its_place(values, words):
    with pytest.raises(DataError, match=words):
        check_finite("scores", np.array(values))
