"""Average ranks from 1 to k: the place of a run in a draw of one run of each algorithm."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import runoff as ro

EQUAL = {"A": {"t": [1, 4, 4], "u": [5, 6]}, "B": {"t": [2, 4, 0], "u": [7, 1]}, "C": {"t": [9, 1, 1], "u": [5, 5]}}
UNEQUAL = {"A": {"t": [1, 4, 4], "u": [5]}, "B": {"t": [2, 4], "u": [7, 1]}, "C": {"t": [9], "u": [5, 5, 6]}}


def places(data, task):
    """The mean place of each algorithm over every draw of one run of each."""
    drawn = np.array(list(product(*(runs[task] for runs in data.values()))))
    above = (drawn[:, :, None] < drawn[:, None, :]).sum(axis=2)
    level = (drawn[:, :, None] == drawn[:, None, :]).sum(axis=2) - 1
    return (1 + above + level / 2).mean(axis=0)


@pytest.mark.parametrize("data", [EQUAL, UNEQUAL])
def test_they_are_the_mean_places_over_every_draw(data):
    weights = {task: np.mean([len(runs[task]) for runs in data.values()]) for task in ("t", "u")}
    expected = sum(weights[task] * places(data, task) for task in weights) / sum(weights.values())
    assert ro.rank_test(ro.Scores.from_dict(data)).average_ranks == pytest.approx(expected)


def test_their_critical_difference_is_that_of_rank_sums():
    result = ro.critical_difference(ro.Scores.from_dict(EQUAL))
    sums, averages = np.array(result.rank_sums), np.array(result.average_ranks)
    scale = result.critical_difference / result.critical_average_difference
    assert np.subtract.outer(sums, sums) == pytest.approx(scale * np.subtract.outer(averages, averages))


def test_an_algorithm_that_is_missing_from_a_task_has_no_place_there():
    data = {"A": {"t": [1, 2], "u": [3]}, "B": {"t": [3, 4], "u": [1]}, "C": {"t": [5, 6]}}
    ranks = ro.rank_test(ro.Scores.from_dict(data), test="mack_skillings").average_ranks
    assert ranks == pytest.approx(((2 * 3 + 1 * 1) / 3, (2 * 2 + 1 * 3) / 3, 1))
