"""Laws of aggregate and compare over random data: ragged cells, ties, missing cells, extreme magnitudes."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import runoff as ro
from runoff.errors import DesignError, RunoffError, RunoffWarning
from tests.amount import examples

FEW = settings(
    settings.default,
    max_examples=examples(25, 12) if settings.default.derandomize else 2_000,
    suppress_health_check=list(HealthCheck),
)
finite = st.floats(-1e6, 1e6, allow_nan=False, width=32)
tied = st.integers(-3, 3).map(float)
cells = st.one_of(st.lists(finite, min_size=1, max_size=6), st.lists(tied, min_size=1, max_size=6))
tasks = st.dictionaries(st.sampled_from(["x", "y", "z"]), cells, min_size=1)
data = st.dictionaries(st.sampled_from(["A", "B", "C"]), tasks, min_size=1)


def compared(scores, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunoffWarning)
        return ro.compare(scores, n_resamples=100, **options)


def aggregated(scores, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunoffWarning)
        return ro.aggregate(scores, n_resamples=100, **options)


def answer_or_refusal(question):
    try:
        return question()
    except RunoffError as refusal:
        return str(refusal)


@FEW
@given(data)
def test_compare_answers_fully_or_refuses_in_one_sentence(given_scores):
    result = answer_or_refusal(lambda: compared(ro.Scores.from_dict(given_scores)))
    if isinstance(result, str):
        assert "\n" not in result
        return
    for pair in result.pairs:
        assert (
            (pair.pvalue, pair.winner) == (None, None)
            if pair.unjudged
            else 0 < pair.pvalue <= pair.pvalue_adjusted <= 1
        )
        assert 0 <= pair.improvement <= 1
        assert np.isfinite(pair.difference)
        assert not np.isnan(pair.statistic)
        assert pair.difference_low is None or pair.difference_low <= pair.difference <= pair.difference_high


@FEW
@given(data, st.randoms(use_true_random=False))
def test_shuffling_the_runs_changes_nothing(given_scores, random):
    shuffled = {a: {t: random.sample(cell, len(cell)) for t, cell in by.items()} for a, by in given_scores.items()}
    first, other = (
        answer_or_refusal(lambda d=d: aggregated(ro.Scores.from_dict(d)).to_records()) for d in (given_scores, shuffled)
    )
    assert first == other


@FEW
@given(data, st.floats(0.125, 8), st.floats(-100, 100).map(lambda shift: round(shift, 6)))
def test_iqm_and_mean_follow_location_and_scale(given_scores, scale, shift):
    moved = {a: {t: [scale * x + shift for x in cell] for t, cell in by.items()} for a, by in given_scores.items()}
    first, other = (aggregated(ro.Scores.from_dict(d), measure=["iqm", "mean"]) for d in (given_scores, moved))
    for a, b in zip(first.rows, other.rows, strict=True):
        size = max(abs(x) for by in moved.values() for cell in by.values() for x in cell) + 1e3 * scale
        assert b.estimate == pytest.approx(scale * a.estimate + shift, rel=1e-9, abs=1e-9 * size)


@FEW
@given(tasks, tasks)
def test_the_two_improvements_of_a_pair_sum_to_one(a, b):
    scores = ro.Scores.from_dict({"A": a, "B": b})
    if not a.keys() & b.keys():
        with pytest.raises(DesignError, match="no task in common"):
            ro.probability_of_improvement(scores)
        return
    pairs = [("A", "B"), ("B", "A")]
    there, back = ro.probability_of_improvement(scores, pairs=pairs).rows
    assert there.estimate + back.estimate == pytest.approx(1)


@FEW
@given(tasks, tasks)
def test_the_blocked_rank_test_survives_any_increasing_map(a, b):
    def mapped(by):
        return {t: list(np.arctan(np.array(cell) / 1e6)) for t, cell in by.items()}

    scores, bent = ro.Scores.from_dict({"A": a, "B": b}), ro.Scores.from_dict({"A": mapped(a), "B": mapped(b)})
    first, other = (answer_or_refusal(lambda s=s: compared(s, test="mack_skillings").pairs[0]) for s in (scores, bent))
    if isinstance(first, str):
        assert isinstance(other, str)
        return
    assert (first.statistic, first.pvalue) == pytest.approx((other.statistic, other.pvalue))


@FEW
@given(data)
def test_relabelling_relabels_the_result(given_scores):
    names = {"A": "zeta", "B": "eta", "C": "theta"}
    renamed = {names[a]: by for a, by in given_scores.items()}
    first, other = (
        answer_or_refusal(lambda d=d: aggregated(ro.Scores.from_dict(d)).to_records()) for d in (given_scores, renamed)
    )
    if isinstance(first, str):
        assert isinstance(other, str)
        return
    for a, b in zip(first, other, strict=True):
        assert {**a, "algorithm": names[a["algorithm"]]} == b
