"""What counts as extreme, and the range of normals far out."""

from __future__ import annotations

from itertools import combinations, product

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


@pytest.mark.parametrize("counts", [((2, 2), (3, 3)), ((2, 2), (2, 2)), ((2, 3), (2, 2)), ((1, 4),)])
def test_the_least_pvalue_is_that_of_all_runs_ahead_among_all_relabellings(counts):
    """Runs tie within each side, and a side is ahead by one: relabelled one by one."""
    splits = [[set(own) for own in combinations(range(n + m), n)] for n, m in counts]
    leads = [
        sum(
            np.mean([i in own for i in range(n)]) - np.mean([i in own for i in range(n, n + m)]) for own, (n, m) in both
        )
        for both in (list(zip(ways, counts, strict=True)) for ways in product(*splits))
    ]
    least = np.mean(np.abs(leads) >= max(leads) - 1e-12)
    assert null.smallest_pvalue(counts) == pytest.approx(least)


@pytest.mark.parametrize(("hits", "n"), [(0, 999), (4, 999), (10, 10)])
def test_what_was_seen_is_one_of_the_drawn_ones(hits, n):
    """Phipson and Smyth (2010): p = (b + 1) / (m + 1)."""
    drawn = null.counted(hits, n)
    assert drawn.pvalue == (hits + 1) / (n + 1)
    assert drawn.pvalue_error == pytest.approx(np.sqrt(drawn.pvalue * (1 - drawn.pvalue) / n))
