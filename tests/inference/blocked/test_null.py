"""What counts as extreme, and the range of normals far out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from runoff._inference.blocked import design, null, statistic
from tests.reference.blocked import flat


@pytest.mark.parametrize("n_tasks", [3, 40])
def test_the_datas_own_labels_are_as_extreme_as_the_data_and_so_is_their_mirror_image(n_tasks):
    """Whatever the sizes of the tasks are: those of forty have no common multiple, and their weights are rounded."""
    cells = [[list(range(2, t + 4)) for t in range(n_tasks)], [[0, 1, 2 * t + 8] for t in range(n_tasks)]]
    form = statistic.quadratic_form(design.gather(*flat(cells)), statistic.reciprocal(0))
    assert (form.slack > 0) == (n_tasks == 40)
    rows = np.array([form.totals, -form.totals, 0 * form.totals])
    assert null.as_extreme(rows, form, "two-sided").tolist() == [True, True, False]
    side = "greater" if form.totals[0] > 0 else "less"
    assert null.as_extreme(rows, form, side).tolist() == [True, False, False]


@pytest.mark.parametrize("value", [3.0, 9.5, 30.0])
def test_the_range_of_two_normals_is_their_difference_far_out_too(value):
    assert null.range_pvalue(value, 2) == pytest.approx(2 * stats.norm.sf(value / 2**0.5), rel=1e-6, abs=0.0)
