"""Scores that come again: copies are told, and those that came out alike are not, whatever they are written as."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff.data.copies import FINEST, copied, in_one_precision, points
from runoff.data.twins import twins

WRITTEN = {
    "double": lambda raw: raw,
    "single": lambda raw: raw.astype(np.float32).astype(float),
    "normalised": lambda raw: (raw - 227.8) / 6899.9,
    "normalised single": lambda raw: (raw.astype(np.float32).astype(float) - 227.8) / 6899.9,
    "in single precision": lambda raw: ((raw - 227.8) / 6899.9).astype(np.float32).astype(float),
}
written = pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)


def is_copy(scores, twin=(5, 11), chances=36):
    """Whether two sets of six runs, of which one run of each has one score, share a run."""
    scores[twin[1]] = scores[twin[0]]
    return copied([float(scores[twin[0]])], scores.tolist(), chances) is not None


def runs(seed, decimals):
    raw = np.sort(np.random.default_rng(seed).normal(800, 150, 12))
    return np.round(raw[[0, 2, 4, 6, 8, 5, 1, 3, 7, 9, 11, 10]], decimals)


@written
@pytest.mark.parametrize("seed", range(3))
def test_scores_of_one_decimal_may_be_equal_by_chance(written, seed):
    assert not is_copy(written(runs(seed, 1)))


@written
@pytest.mark.parametrize("seed", range(3))
def test_scores_of_all_digits_are_copies(written, seed):
    assert is_copy(written(runs(seed, 12)))


def test_the_least_and_the_greatest_score_may_be_a_floor_and_a_ceiling():
    assert not is_copy(runs(0, 12), twin=(10, 9))


def test_a_floor_is_one_in_double_and_in_single_precision():
    floor = [(raw - 227.8) / 6899.9 for raw in (227.1, float(np.float32(227.1)))]
    assert floor[0] < floor[1]
    scores = [floor[0], floor[1], floor[1], *WRITTEN["normalised"](runs(0, 12))]
    assert copied([floor[1]], scores, 36) is None


def test_digits_are_those_of_the_algorithms_that_are_copied():
    short, long = runs(0, 1), runs(1, 6)
    short[11] = short[5]
    assert copied([short[5]], (short / 7000).tolist(), 36, [*short / 7000, *long / 7000]) is None


def test_an_equal_score_is_a_copy_only_where_chance_makes_one_in_a_thousand_comparisons():
    values = np.unique(np.random.default_rng(0).integers(100_001, 200_000, 20) / 10_000)
    long = next(value for value in values[1:-1].tolist() if round(value, 3) != value)
    chances = int(points(values, FINEST) / 1000)
    assert copied([long], [*values, long], chances) == long
    assert copied([long], [*values, long], chances + 1) is None


def test_means_of_three_episodes_in_six_digits_have_few_values_and_are_no_copies():
    thirds = np.round(np.arange(1, 13) / 3, 6)
    assert points(thirds, FINEST) == pytest.approx(11, rel=1e-4)
    assert copied([thirds[0]], [*thirds, thirds[0]], 1) is None


@pytest.mark.parametrize(
    "values", [[0.1 + 0.2, 0.3000000000001], [0.0, 1e-50, 1e60], [16777217.2, 16777217.3], [0.3, 0.30000004]]
)
def test_numbers_none_of_which_is_another_in_single_precision_stay_two(values):
    assert in_one_precision(np.array(values)).tolist() == values


def test_the_smallest_numbers_that_there_are_have_points_too():
    assert points(np.array([4.9e-324, 1e-320, 1.5e-320, 3e-320]), 1000) > 0
    assert ro.compare({"A": [0.0, 4.9e-324, 1e-323], "B": [1.0, 2.0, 4.9e-324]}, measure="improvement").pairs


@pytest.mark.parametrize("n", range(4))
def test_of_curves_that_are_one_run_a_pair_is_named_and_the_others_are_counted(n):
    rng, steps = np.random.default_rng(1), np.arange(8.0)
    single = [(steps, rng.normal(size=8)) for _ in range(n + 2)]
    curves = single + single[:n]
    caveats = twins(curves, np.zeros(len(curves), np.int64), 1, str, ["A"])
    assert len(caveats) == min(n, 1)
    for caveat in caveats:
        assert f"0 and {n + 2} are one run" in caveat.text
        assert (f"as in {n - 1} more" in caveat.text) == (n > 1)


def test_the_step_from_which_two_curves_are_one_run_is_that_after_their_last_difference():
    steps, values = np.arange(100.0, 20100.0, 100.0), np.random.default_rng(2).normal(size=200)
    other = values.copy()
    other[[0, 3]] += 1.0
    (caveat,) = twins([(steps, values), (steps, other)], np.zeros(2, np.int64), 1, str, ["A"])
    assert "from step 500 on" in caveat.text
