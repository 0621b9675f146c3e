"""Columns as labels and numbers, and rows put in order, against the plain way to do each."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runoff as ro
from runoff.tables.labels import PEEK, Labels, RawColumn, in_order

ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=30)


@given(ROWS, st.booleans())
def test_rows_are_ordered_as_a_stable_sort_orders_them(rows, with_step):
    keys, steps = (np.array(column) for column in zip(*rows, strict=True))
    order = in_order(keys, steps.astype(float) if with_step else None)
    wanted = sorted(range(len(rows)), key=lambda i: rows[i] if with_step else rows[i][0])
    assert (list(range(len(rows))) if order is None else order.tolist()) == wanted


def test_rows_that_are_in_order_are_not_moved():
    assert in_order(np.array([0, 0, 2, 2]), np.array([1.0, 2.0, 1.0, 1.0])) is None
    assert in_order(np.array([0, 0, 1]), np.array([2.0, 1.0, 1.0])) is not None


@pytest.mark.parametrize("stretch", [1, 7, 100, 3000])
def test_labels_are_those_of_the_texts_however_they_lie_together(stretch):
    values = [f" {name} " for name in np.random.default_rng(0).integers(0, 50, 4 * PEEK // stretch + 2).tolist()]
    own = RawColumn(pl.Series(np.repeat(values, stretch))).labels()
    plain = Labels.of(np.repeat(values, stretch).tolist())
    assert (own.names, own.codes.tolist()) == (plain.names, plain.codes.tolist())


def test_numbers_are_read_with_spaces_around_them_and_the_rest_is_told():
    numbers, rows = RawColumn(pl.Series([" 1.5", "2 ", "x", None, "3"])).floats()
    assert (numbers[[0, 1, 4]].tolist(), rows.tolist()) == ([1.5, 2.0, 3.0], [2, 3])


def test_curves_of_sorted_arrays_do_not_share_their_memory():
    table = {"algorithm": ["A"] * 3, "run": [0] * 3, "step": np.arange(3.0), "score": np.arange(3.0)}
    curves = ro.Curves.from_frame(table)
    table["step"][:], table["score"][:] = 9, 9
    assert (curves.steps.tolist(), curves.values.tolist()) == ([0, 1, 2], [0, 1, 2])
    assert [curves.steps.flags.writeable, curves.values.flags.writeable] == [False, False]
