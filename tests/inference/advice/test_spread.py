"""R005, unequal spread under a rank test: told where the Brown-Forsythe test rejects, at 5 % shared out over the tasks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import runoff as ro

RUNS = np.array([-3.1, -2.4, -1.9, 0.3, 1.7, 2.2, 3.6])
"""Seven runs: with fewer than eight R005 looks at spread alone."""


def task(scale):
    """Two samples of equal size, the second `scale` times as wide."""
    return RUNS, 10 + scale * RUNS


def advice_of(*scales):
    """The tasks that R005 names, where the second algorithm's spread is so many times the first's."""
    cells = {f"task {t}": task(scale) for t, scale in enumerate(scales)}
    data = ro.Scores.from_dict({name: {t: both[i] for t, both in cells.items()} for i, name in enumerate("AB")})
    pair = ro.compare(data, test="mack_skillings", n_resamples=200).pairs[0]
    texts = [note.text for note in pair.advice if note.code == "R005"]
    return [t for t in cells if any(repr(t) in text for text in texts)]


def brown_forsythe(scale):
    """The larger p-value of its pooled form and of Welch's test of the distances from the medians."""
    x, y = (np.abs(runs - np.median(runs)) for runs in task(scale))
    return max(stats.levene(*task(scale), center="median").pvalue, stats.ttest_ind(x, y, equal_var=False).pvalue)


def wide_with(pvalue):
    """The scale at which the two-sided p-value is so small."""
    scales = np.geomspace(1, 50, 400)
    return next(scale for scale in scales if brown_forsythe(scale) < pvalue)


def test_it_is_told_exactly_where_the_two_sided_brown_forsythe_test_rejects():
    for scale in [1.0, *np.linspace(1.5, 5.0, 15), 1 / 2, 1 / 4, 1 / 6]:
        assert advice_of(scale) == (["task 0"] if brown_forsythe(scale) < 0.05 else [])


def test_a_spread_that_only_a_one_sided_test_would_find_is_not_told():
    scale = wide_with(0.09)
    assert 0.05 < brown_forsythe(scale) < 0.1
    assert advice_of(scale) == []


@pytest.mark.parametrize("n_tasks", [pytest.param(2, marks=pytest.mark.slow), 3])
def test_its_level_is_shared_out_over_the_tasks(n_tasks):
    alone, shared = wide_with(0.045), wide_with(0.9 * 0.05 / n_tasks)
    assert advice_of(alone) == ["task 0"]
    assert advice_of(alone, *[1.0] * (n_tasks - 1)) == []
    assert advice_of(shared, *[1.0] * (n_tasks - 1)) == ["task 0"]
