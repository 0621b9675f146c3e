"""The turned pair: what is said of B and A is what is said of A and B, seen from the other side. And a rate of one run has no interval."""

from __future__ import annotations

import warnings
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runoff as ro
from runoff.errors import RunoffError, RunoffWarning
from tests.properties.test_compare_properties import FEW

scores = st.integers(-8, 8).map(lambda n: n * 0.3719)  # no mean lies where rounding to three digits turns
cells = st.lists(scores, min_size=2, max_size=5)
designs = st.fixed_dictionaries({name: st.fixed_dictionaries({"x": cells, "y": cells}) for name in "AB"})
FEWER = settings(FEW, max_examples=FEW.max_examples * 3 // 8)
ORDERS = ("A", "B"), ("B", "A")
NAMED_IN_ORDER = ("null", "alternative", "advice")
"""Texts that name a pair; they say the same in either order."""


def both(answer, data, /, **options):
    """Return the answers about (A, B) and about (B, A); None where it is refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunoffWarning)
        try:
            return [answer(data, pairs=[order], **options) for order in ORDERS]
        except RunoffError:
            return None


def approx(facts):
    return {k: pytest.approx(v, rel=1e-9, abs=1e-9) if isinstance(v, float) else v for k, v in facts.items()}


def facts(record):
    fields = asdict(record)
    others = {f"{r['measure']} {key}": value for r in fields.pop("others", ()) for key, value in r.items()}
    return others | {key: value for key, value in fields.items() if key not in NAMED_IN_ORDER}


@FEWER
@given(designs, st.sampled_from(["auto", "welch", "mack_skillings", "van_elteren"]))
def test_a_comparison_is_turned_in_every_number_and_word(data, test):
    if answers := both(ro.compare, data, test=test, n_resamples=100):
        assert facts(answers[0]["B", "A"]) == approx(facts(answers[1].pairs[0]))


@FEWER
@given(designs)
def test_an_equivalence_is_turned_in_every_number_and_word(data):
    if answers := both(ro.compare, data, margin=1.0):
        assert facts(answers[0]["B", "A"]) == approx(facts(answers[1].pairs[0]))


@FEWER
@given(designs)
def test_an_improvement_is_turned_in_every_number(data):
    answers = both(ro.probability_of_improvement, data)
    assert facts(answers[0]["B", "A"]) == approx(facts(answers[1].rows[0]))


@FEWER
@given(designs)
def test_effect_sizes_are_turned(data):
    there, back = both(ro.effect_sizes, data, effect_size=["difference", "hedges_g", "cliffs_delta", "improvement"])
    for first, other in zip(there.rows, back.rows, strict=True):
        about = 2 * first.no_effect
        turned = [None if value is None else about - value for value in (first.estimate, first.high, first.low)]
        assert approx(dict(enumerate(turned))) == dict(enumerate((other.estimate, other.low, other.high)))
        assert (first.interval, first.n_runs_a) == (other.interval, other.n_runs_b)


@FEWER
@given(designs)
def test_what_an_order_survives_is_turned(data):
    there, back = both(ro.robustness, data)
    for first, other in zip(there.rows, back.rows, strict=True):
        assert (first.ahead, first.n_variations, first.kept, set(first.reversed_by)) == (
            *(other.ahead, other.n_variations, other.kept),
            set(other.reversed_by),
        )
        assert first.difference == pytest.approx(-other.difference)
    assert there.sentence == back.sentence or "are level" in there.sentence


@FEWER
@given(*[st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=1) for _ in "ABAB"])
def test_a_rate_of_one_run_has_no_interval(a, b, c, d):
    data = {"A": {"x": a, "y": c}, "B": {"x": b, "y": d}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunoffWarning)
        answers = ro.aggregate(data, by="task"), ro.aggregate(data, measure=["mean"], n_resamples=100)
    assert {(record.low, record.high) for answer in answers for record in answer.rows} == {(None, None)}
