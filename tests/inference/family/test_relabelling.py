"""The critical difference against every relabelling of runs within tasks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from tests.reference import family

EQUAL = [[[5.0, 7.0], [3.0]], [[1.0, 7.0], [2.0]], [[4.0, 8.5], [2.0]]]
"""Equally many runs within a task, as a critical difference needs; two ties."""


def scores(cells):
    return ro.Scores.from_dict(
        {name: dict(zip("xy", row, strict=False)) for name, row in zip("ABCD", cells, strict=False)}
    )


def test_the_critical_difference_has_the_spread_of_all_relabellings():
    result = ro.critical_difference(scores(EQUAL))
    unit = family.spread_of_a_difference(EQUAL) / np.sqrt(2)
    assert result.critical_difference == pytest.approx(result.critical_value * unit)
    assert result.rank_sums == pytest.approx(family.rank_sums(EQUAL))


def test_the_difference_of_a_pair_is_positive_where_the_first_ranks_better_and_has_the_tail_of_a_range():
    result, sums = ro.critical_difference(scores(EQUAL)), family.rank_sums(EQUAL)
    unit = family.spread_of_a_difference(EQUAL) / np.sqrt(2)
    for pair in result.pairs:
        a, b = sums["ABC".index(pair.a)], sums["ABC".index(pair.b)]
        assert pair.difference == pytest.approx(b - a)
        tail = stats.studentized_range.sf(abs(b - a) / unit, 3, np.inf)
        assert pair.pvalue_adjusted == pytest.approx(tail, abs=1e-6)  # SciPy integrates


BEST_TO_WORST = {"A": [9.0, 8.0, 7.0], "C": [5.0, 4.0, 3.0], "B": [2.0, 1.0, 0.0]}


def differences(names, **options):
    data = ro.Scores.from_dict({name: BEST_TO_WORST[name] for name in names})
    return {(pair.a, pair.b): pair.difference for pair in ro.critical_difference(data, **options).pairs}


def test_the_best_is_ahead_of_the_worst_and_listing_them_backwards_turns_the_sign():
    assert differences("ABC") == {("A", "B"): 6.0, ("A", "C"): 3.0, ("B", "C"): -3.0}
    assert differences("CBA") == {("B", "A"): -6.0, ("C", "A"): -3.0, ("C", "B"): 3.0}


def test_against_a_control_the_better_are_ahead_of_it_and_the_worse_behind():
    assert differences("ABC", control="C") == {("A", "C"): 3.0, ("B", "C"): -3.0}
