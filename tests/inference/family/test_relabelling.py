"""The procedures over all pairs against every relabelling of runs within tasks: max-T and the critical difference."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.family.max_t import max_t
from runoff.base.random import Streams
from tests.reference import blocked, family

RAGGED = [[[5.0, 7.0], [3.0]], [[1.0], [2.0, 2.5]], [[4.0, 8.5], [9.0]]]
TIED = [[[5.0, 7.0], [3.0]], [[1.0], [2.0, 3.0]], [[5.0, 8.0], [9.0]]]
FOUR = [[[1.0, 2.0]], [[3.0, 4.5]], [[2.5, 9.0]], [[7.0, 8.0]]]
EQUAL = [[[5.0, 7.0], [3.0]], [[1.0, 7.0], [2.0]], [[4.0, 8.5], [2.0]]]
"""Equally many runs within a task, as a critical difference needs; two ties."""


def scores(cells):
    return ro.Scores.from_dict(
        {name: dict(zip("xy", row, strict=False)) for name, row in zip("ABCD", cells, strict=False)}
    )


TWICE = [[[5.0, 7.0], [3.0, 3.5]], [[1.0, 4.0], [2.0, 2.5]], [[4.0, 8.5], [9.0, 8.0]]]
RANKED, MEANS = ("mack_skillings", family.steel_dwass), ("auto", blocked.studentised_difference)


@pytest.mark.parametrize(
    ("cells", "test", "statistic"),
    [(RAGGED, *RANKED), (TIED, *RANKED), (FOUR, *RANKED), (FOUR, *MEANS), (TWICE, *MEANS)],
    ids=["ragged ranks", "tied ranks", "ranks of four", "means of four", "means"],
)
def test_max_t_is_the_closure_of_all_relabellings_within_classes_and_never_below_the_pairs_own_p(
    cells, test, statistic
):
    expected = family.closure(cells, statistic)
    result = ro.compare(scores(cells), correction="max_t", test=test, n_resamples=10_000).pairs
    for pair, p in zip(result, expected.values(), strict=True):
        error = 4 * np.sqrt(p * (1 - p) / 10_000) + 1e-4  # and (1 + hits) / (1 + draws)
        assert pair.pvalue_adjusted == pytest.approx(max(p, pair.pvalue), abs=error)


def test_the_error_of_an_adjusted_p_value_is_its_spread_over_seeds():
    storage = blocked.flat(RAGGED)
    drawn = [max_t(*storage, streams=Streams(seed), n_resamples=100) for seed in range(200)]
    spread = np.std([row.adjusted for row in drawn], axis=0)
    texts = np.mean([row.errors for row in drawn], axis=0)
    assert texts == pytest.approx(spread, rel=0.2)  # four standard errors of a spread of 200


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
