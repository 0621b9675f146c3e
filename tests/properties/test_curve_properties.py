"""Laws of compare_curves and sample_efficiency over random curves: order, units of scores and steps, exchanging the two."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import runoff as ro
from runoff.errors import RunoffError, RunoffWarning
from tests.amount import examples

FEW = settings(
    settings.default,
    max_examples=examples(15, 10) if settings.default.derandomize else 1_000,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
COLUMNS = ("algorithm", "task", "run", "step", "score")
values = st.one_of(st.floats(-1e3, 1e3, width=32), st.integers(-2, 2).map(float))
metrics = st.sampled_from(["iqm", "mean", "median"])
powers = st.sampled_from([0.125, 0.5, 2.0, 1024.0])


@st.composite
def rows(draw, least_runs=1):
    """Rows of two or three algorithms on one or two tasks, evaluated at steps of their own between 0 and 30."""
    records = []
    for name in "ABC"[: draw(st.integers(2, 3))]:
        for task in "xy"[: draw(st.integers(1, 2))]:
            for run in range(draw(st.integers(least_runs, 4))):
                inner = draw(st.sets(st.integers(1, 29), max_size=3))
                records += [(name, task, run, float(step), draw(values)) for step in sorted({0, 30, *inner})]
    return records


def curves(rows):
    return ro.Curves.from_frame({c: [row[k] for row in rows] for k, c in enumerate(COLUMNS)})


def quietly(question, *given_data, **options):
    """Return the answer, or the refusal in words."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RunoffWarning)
            return question(*given_data, **{"n_resamples": 100, **options})
    except RunoffError as refusal:
        return str(refusal)


def efficiency(rows, **options):
    return quietly(ro.curves, curves(rows), steps=[0, 10, 20, 30], **options)


def comparison(rows, **options):
    return quietly(ro.compare_curves, curves(rows), steps=[0, 10, 20, 30], **options)


def moved(rows, scale=1.0, shift=0.0):
    return [(*row[:4], scale * row[4] + shift) for row in rows]


def near(value):
    return pytest.approx(value, rel=1e-9, abs=1e-9)


def in_units(value, scale, shift, size):
    """Return an estimate or end in another unit; an end that is not there is None in all."""
    return None if value is None else pytest.approx(scale * value + shift, rel=1e-9, abs=1e-9 * size)


@FEW
@given(rows(), st.sampled_from(["max_t", "holm", "colas2019"]))
def test_compare_curves_answers_fully_or_refuses_in_one_sentence(rows, correction):
    result = comparison(rows, correction=correction)
    if isinstance(result, str):
        assert "\n" not in result
        assert curves(rows).n_runs.min() < 2
        return
    for record in result.rows:
        assert 0 < record.pvalue <= 1
        assert 0 < record.pvalue_adjusted <= 1
        assert np.isfinite(record.difference)
        assert record.own_low is None or record.own_low <= record.difference <= record.own_high


@FEW
@given(rows(), metrics, st.sampled_from(["pointwise", "simultaneous"]))
def test_sample_efficiency_answers_fully(rows, metric, band):
    result = efficiency(rows, measure=metric, band=band)
    for record in result.rows:
        assert np.isfinite(record.estimate)
        assert (record.low is None) == (record.high is None)
        assert record.low is None or record.low < record.high


@FEW
@given(rows(), metrics, st.randoms(use_true_random=False))
def test_the_order_of_runs_changes_no_answer(rows, metric, random):
    runs = list(dict.fromkeys(row[:3] for row in rows))
    shuffled = [row for run in random.sample(runs, len(runs)) for row in rows if row[:3] == run]
    assert efficiency(rows, measure=metric) == efficiency(shuffled, measure=metric)
    assert comparison(rows) == comparison(shuffled)


@FEW
@given(rows(), metrics)
def test_the_order_of_algorithms_and_tasks_moves_no_estimate(rows, metric):
    given_order = curves(rows)
    turned = given_order.select(algorithms=given_order.algorithms[::-1], tasks=given_order.tasks[::-1])
    first, other = (quietly(ro.curves, c, steps=[0, 10, 20, 30], measure=metric) for c in (given_order, turned))
    for name in first.algorithms:
        for a, b in zip(first.curve(name), other.curve(name), strict=True):
            assert a.estimate == pytest.approx(b.estimate, rel=1e-9, abs=1e-9)
            assert (a.n_scores, a.n_tasks) == (b.n_scores, b.n_tasks)


@FEW
@given(rows(least_runs=2))
def test_the_order_of_tasks_and_algorithms_moves_no_p_value_of_a_step(rows):
    given_order = curves(rows)
    turned = given_order.select(algorithms=given_order.algorithms[::-1], tasks=given_order.tasks[::-1])
    pairs = [("A", "B")]
    first, other = (quietly(ro.compare_curves, c, steps=[0, 10, 30], pairs=pairs) for c in (given_order, turned))
    assume(not isinstance(first, str))
    for a, b in zip(first.rows, other.rows, strict=True):
        assert (a.a, a.b, a.step) == (b.a, b.b, b.step)
        assert a.difference == pytest.approx(b.difference, rel=1e-9, abs=1e-9)
        assert a.pvalue == pytest.approx(b.pvalue, rel=1e-6, abs=1e-9)


@FEW
@given(rows(), metrics, powers)
def test_units_of_scores_go_through_every_estimate_and_end(rows, metric, scale):
    rows = moved(rows, shift=0.5)  # scores of 0 and 1 alone are rates: their intervals are those of a share
    first, other = efficiency(rows, measure=metric), efficiency(moved(rows, scale), measure=metric)
    for a, b in zip(first.rows, other.rows, strict=True):
        assert b.estimate == in_units(a.estimate, scale, 0.0, scale)
        assert b.low == in_units(a.low, scale, 0.0, 1e3 * scale)
        assert b.high == in_units(a.high, scale, 0.0, 1e3 * scale)


@FEW
@given(rows(), metrics, st.integers(-64, 64))
def test_a_shift_of_scores_moves_every_estimate(rows, metric, shift):
    first, other = efficiency(rows, measure=metric), efficiency(moved(rows, shift=shift), measure=metric)
    for a, b in zip(first.rows, other.rows, strict=True):
        assert b.estimate == in_units(a.estimate, 1.0, shift, 1e3)


@FEW
@given(rows(least_runs=2), powers)
def test_units_of_scores_leave_p_values_and_scale_differences(rows, scale):
    first, other = comparison(rows), comparison(moved(rows, scale))
    assume(not isinstance(first, str))
    assert first.stretches == other.stretches
    for a, b in zip(first.rows, other.rows, strict=True):
        assert (a.pvalue, a.pvalue_adjusted, a.rejected) == (b.pvalue, b.pvalue_adjusted, b.rejected)
        assert b.difference == scale * a.difference


@pytest.mark.slow
@FEW
@given(rows(), metrics, powers, st.sampled_from([0.0, 64.0, 4096.0]))
def test_units_of_steps_change_nothing_but_the_steps(rows, metric, scale, origin):
    there = curves([(*row[:3], scale * row[3] + origin, row[4]) for row in rows])
    grid = [scale * step + origin for step in (0, 15, 30)]
    for question, options in ((ro.curves, {"measure": metric}), (ro.compare_curves, {})):
        first = quietly(question, curves(rows), steps=[0, 15, 30], **options)
        other = quietly(question, there, steps=grid, **options)
        assume(not isinstance(first, str))
        for a, b in zip(first.rows, other.rows, strict=True):
            assert replace(a, step=scale * a.step + origin) == b


@FEW
@given(rows(least_runs=2))
def test_exchanging_the_two_turns_every_sign(rows):
    first, other = (comparison(rows, pairs=[pair]) for pair in (("A", "B"), ("B", "A")))
    assume(not isinstance(first, str))
    assert [s.ahead for s in first.stretches] == [s.ahead for s in other.stretches]
    for a, b in zip(first.rows, other.rows, strict=True):
        assert (a.a, a.b) == (b.b, b.a)
        assert a.difference == pytest.approx(-b.difference, rel=1e-9, abs=1e-9)
        assert a.pvalue == pytest.approx(b.pvalue, rel=1e-9)
        assert a.own_low is None or (a.own_low, a.own_high) == (near(-b.own_high), near(-b.own_low))
