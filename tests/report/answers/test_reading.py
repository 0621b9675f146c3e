"""Inferential intervals made of the report's own results are those that the library makes."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

import runoff as ro
from runoff.report.answers.ranking import _decision, intervals_of, reusable
from tests.report.made import scores

TIED = ro.Scores.from_dict(
    {a: {t: np.random.default_rng(s + 7 * i).integers(0, 4 + i, 6).astype(float) for s, t in enumerate("xyz")}
     for i, a in enumerate("ABCD")}
)  # fmt: skip
RAGGED = ro.Scores.from_dict(
    {"A": {"t": [1.0, 2, 3, 4, 2, 6]}, "B": {"t": [2.0, 3, 5, 4, 1]}, "C": {"t": [4.0, 4.5, 9, 7, 3, 5]}}
)
SINGLE = ro.Scores.from_dict({"A": {"t": [1.0, 2], "u": [2.0, 3]}, "B": {"t": [3.0], "u": [5.0, 6]}})
DATA = {"plain": scores(), "two": scores(("A", "B")), "ties": TIED, "one task, ragged": RAGGED, "a single run": SINGLE}


@pytest.mark.parametrize("data", DATA.values(), ids=DATA.keys())
def test_they_equal_those_of_inferential_intervals_but_for_advice_already_given(data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        aggregates = ro.aggregate(data, metrics=["iqm"], n_resamples=300)
        pairs = ro.compare(data, measure="iqm", n_resamples=300)
        expected = ro.inferential_intervals(data, measure="iqm", n_resamples=300, test=pairs.pairs[0].test)
    assert reusable(data, aggregates, pairs)
    assert intervals_of(data, aggregates, pairs) == replace(expected, advice=())


def test_results_on_other_tasks_or_pairs_are_not_reused():
    data = scores()
    aggregates, pairs = ro.aggregate(data, n_resamples=100), ro.compare(data, n_resamples=100)
    assert reusable(data, aggregates, pairs)
    assert not reusable(data, aggregates, ro.compare(data, control="PPO", n_resamples=100))
    gaps = ro.Scores.from_dict({"A": {"t": [1.0, 2], "u": [1.0, 3]}, "B": {"t": [2.0, 4]}})
    assert not reusable(gaps, aggregates, ro.compare(gaps, n_resamples=100))


def test_a_pair_that_the_test_rejects_without_a_direction_favours_nobody():
    pair = replace(ro.compare(scores(("PPO", "A2C"))).pairs[0], verdict="no_difference_found", pvalue_adjusted=0.01)
    assert _decision(pair, ("PPO", "A2C"), 0.05).direction == 0.0
