"""Labellings: the data first, few of them equally often, and the size of the family of draws."""

from __future__ import annotations

import numpy as np
import pytest

from runoff._inference.gate.family import freedom, labellings, n_draws, n_labellings
from runoff.base.random import Streams


def rows_of(size, n):
    return labellings(size, n, Streams(3), 0)


@pytest.mark.parametrize(("size", "count"), [((2, 2), 6), ((3, 3), 20), ((10, 3), 286), ((10, 10), 184_756)])
def test_the_labellings_of_a_block_are_counted(size, count):
    assert n_labellings(size) == count


def test_what_nobody_could_draw_is_not_counted_to_the_end():
    assert 10**20 < n_labellings((41, 41)) < n_labellings((100_000, 100_000)) < 10**300


@pytest.mark.parametrize("size", [(3, 3), (2, 5), (10, 10)])
def test_the_first_labelling_is_that_of_the_data_and_all_have_the_same_counts(size):
    rows = rows_of(size, 400)
    assert rows[0].tolist() == [1.0] * size[0] + [0.0] * size[1]
    assert (rows.sum(axis=1) == size[0]).all()


def test_few_labellings_come_equally_often_whatever_the_seed():
    for seed in range(3):
        rows = labellings((3, 3), 60, Streams(seed), 0)
        counts = np.unique(rows, axis=0, return_counts=True)[1]
        assert counts.tolist() == [3] * 20


def test_the_order_of_few_labellings_depends_on_the_seed_and_the_block():
    first = labellings((3, 3), 400, Streams(1), 0)
    assert not np.array_equal(first, labellings((3, 3), 400, Streams(2), 0))
    assert not np.array_equal(first, labellings((3, 3), 400, Streams(1), 1))


def test_many_labellings_are_drawn_and_every_run_is_the_baselines_as_often():
    rows = labellings((8, 12), 20_001, Streams(0), 0)
    assert np.abs(rows[1:].mean(axis=0) - 0.4).max() < 4 * np.sqrt(0.24 / 20_000)


@pytest.mark.parametrize(
    ("sizes", "n"),
    [
        ([(3, 3)], 20),
        ([(5, 5)], 252),
        ([(10, 10)], 20_000),
        ([(3, 3)] * 4, 20_000),
        ([(5, 5)] * 2, 20_160),
        ([(3, 3), (5, 5)], 20_160),
    ],
)
def test_one_block_of_few_labellings_has_all_of_them_and_several_have_multiples(sizes, n):
    assert n_draws(sizes, 20_000) == n


def test_degrees_of_freedom_are_those_of_welch_with_equal_spreads():
    assert freedom([(5, 5)]) == pytest.approx(8)
    assert freedom([(3, 3)] * 4) == pytest.approx(16)
    squared = 1 / 10 + 1 / 3
    assert freedom([(10, 3)]) == pytest.approx(squared**2 / (1 / 900 + 1 / 18))
