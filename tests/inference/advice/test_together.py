"""Whether runs of one label move together over tasks, behind R022."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import runoff as ro
from runoff._inference.advice.rows import Together, together


def test_runs_that_vary_on_one_task_alone_do_not_move_together():
    """The variance of no pair of tasks is 0, and not a rounding error below it, whose root does not exist."""
    alone = np.column_stack([[1.0] * 6 + [0.0] * 5, np.ones(11)])
    assert together([alone, alone[:, ::-1]]) == together([np.ones((3, 2))]) == Together(0.0, 1.0)
    rates = {"A": {"reach": alone[:, 0].tolist(), "push": alone[:, 1].tolist()}}
    assert ro.aggregate(rates).rows[0].estimate == pytest.approx(17 / 22)


def test_the_correlation_of_runs_is_the_mean_over_algorithms_and_pairs_of_tasks_that_vary():
    rng = np.random.default_rng(3)
    matrices = [rng.normal(size=(n, 4)) + rng.normal(size=(n, 1)) for n in (5, 9)]
    pairs = [(np.corrcoef(m[:, t], m[:, u])[0, 1], len(m) - 1) for m in matrices for t, u in combinations(range(4), 2)]
    with_constant = [np.column_stack([m, np.full(len(m), 0.3)]) for m in matrices]
    correlations, weights = zip(*pairs, strict=True)
    expected = np.average(correlations, weights=weights)
    for wide in (matrices, with_constant):
        assert together(wide).correlation == pytest.approx(expected)
    assert together(matrices).pvalue == together(with_constant).pvalue < 0.01
