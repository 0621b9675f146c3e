"""The record of an estimate against its slow twin, and what follows from its law."""

from __future__ import annotations

import numpy as np
import pytest

from runoff._inference.bootstrap import estimate_of, parse_metric
from runoff._inference.bootstrap.metrics import Metric
from runoff._inference.bootstrap.record import without_each
from tests.reference import record as slow

NAMES = ["iqm", "trimmed_mean_10", "mean", "median", "optimality_gap"]


def drawn(seed, n_tasks, low=2, high=7):
    rng = np.random.default_rng(seed)
    return [rng.normal(rng.normal(), rng.exponential(), rng.integers(low, high)) for _ in range(n_tasks)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n_tasks", [1, 2, 3, 11])
def test_value_and_parts_are_those_of_leaving_each_run_out(name, n_tasks):
    cells = drawn(n_tasks, n_tasks)
    record = estimate_of(cells, parse_metric(name))
    assert record.value == pytest.approx(slow.measure(cells, name), rel=1e-12)
    assert record.parts == pytest.approx(slow.variances(cells, name), rel=1e-9, abs=1e-15)
    assert record.rows == pytest.approx(np.concatenate(slow.rows(cells, name)), rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(6))
def test_the_law_of_a_difference_is_the_wider_of_two(name, seed):
    n_tasks = (1, 2, 3, 6, 10, 12)[seed]
    x, y = drawn(seed, n_tasks), drawn(seed + 100, n_tasks)
    law = estimate_of(x, parse_metric(name)).minus(estimate_of(y, parse_metric(name)))
    lead, half, pvalue = slow.difference(x, y, name, 0.9)
    assert law.value == pytest.approx(lead, rel=1e-9)
    assert law.half(0.9) == pytest.approx(half, rel=1e-9)
    assert law.pvalue() == pytest.approx(pvalue, rel=1e-8)


def test_with_equal_counts_only_welchs_law_acts():
    x, y = drawn(1, 5, 4, 5), drawn(2, 5, 4, 5)
    law = estimate_of(x, parse_metric("iqm")).minus(estimate_of(y, parse_metric("iqm")))
    (welch, df), (student, more) = law.laws
    assert welch == pytest.approx(student)
    assert df < more


def test_of_a_mean_the_parts_are_its_closed_errors():
    cells = drawn(3, 4)
    parts = estimate_of(cells, parse_metric("mean")).parts
    assert parts == pytest.approx([cell.var(ddof=1) / cell.size / 16 for cell in cells])


@pytest.mark.parametrize("name", ["iqm", "median", "mean"])
def test_a_metric_without_a_short_form_has_the_same_parts(name):
    """`Metric.function` alone, as a newcomer writes it, gives what the short forms give."""
    cells, metric = drawn(5, 4), parse_metric(name)
    plain = Metric(name="own", cited="own", function=lambda values, weights: metric.function(values, weights))
    own, short = (
        [part.var() for part in without_each([cell - 1.0 for cell in cells], kind)] for kind in (plain, metric)
    )
    assert own == pytest.approx(short, rel=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_shared_runs_are_left_out_whole(name):
    rows = np.random.default_rng(4).normal(size=(5, 3)) + np.arange(5)[:, None]
    record = estimate_of(list(rows.T), parse_metric(name), shared=True)
    left = [slow.measure(list(np.delete(rows, i, axis=0).T), name) for i in range(5)]
    assert record.parts == pytest.approx([0.8 * sum((value - np.mean(left)) ** 2 for value in left)], abs=1e-15)
    assert record.law().laws[0][1] == 4


def test_one_run_in_a_cell_or_no_spread_leaves_no_law():
    alone = estimate_of([np.array([1.0]), np.array([1.0, 2.0])], parse_metric("iqm"))
    still = estimate_of([np.full(4, 0.1 + 0.2), np.full(3, 7.0)], parse_metric("iqm"))
    for record in (alone, still):
        assert record.law().laws == ()
        assert record.law().interval(0.95) is None
        assert record.minus(record).pvalue() == 1.0


def test_one_constant_cell_is_no_obstacle():
    x, y = [np.array([1.0, 1.0, 1.0]), np.array([0.1, 0.5, 0.2])], [np.zeros(3), np.array([0.3, 0.2, 0.4])]
    law = estimate_of(x, parse_metric("mean")).minus(estimate_of(y, parse_metric("mean")))
    assert law.error > 0
    assert np.isfinite(law.half(0.95))


@pytest.mark.parametrize("name", ["mean", "iqm"])
def test_scores_of_1e12_have_the_interval_of_their_differences(name):
    small = [np.array([-1.0, 0.0, 1.0, 0.5]), np.array([0.0, 1.0, 2.0]), np.array([1.0, -1.0])]
    near, far = (estimate_of([cell + shift for cell in small], parse_metric(name)).law() for shift in (0.0, 1e12))
    assert far.half(0.95) == pytest.approx(near.half(0.95), rel=1e-3)


@pytest.mark.parametrize("scale", [1e-70, 1e70])
@pytest.mark.parametrize("name", ["mean", "iqm", "median"])
def test_the_unit_changes_no_p_value(name, scale):
    x, y = drawn(7, 4), drawn(8, 4)
    metric = parse_metric(name)
    own, scaled = (
        estimate_of([cell * s for cell in x], metric).minus(estimate_of([cell * s for cell in y], metric)).pvalue()
        for s in (1.0, scale)
    )
    assert scaled == pytest.approx(own, rel=1e-9)


@pytest.mark.parametrize("n_runs", [3, np.array([2, 5, 9, 4])])
def test_with_other_numbers_of_runs_a_mean_has_the_error_of_their_variances(n_runs):
    cells = drawn(3, 4)
    record, n = estimate_of(cells, parse_metric("mean")).at(n_runs), np.broadcast_to(n_runs, 4)
    assert record.parts == pytest.approx([cell.var(ddof=1) / k / 16 for cell, k in zip(cells, n, strict=True)])
    assert record.law().laws[0][1] == pytest.approx(slow.satterthwaite(record.parts, n - 1))


def test_no_law_has_more_degrees_of_freedom_than_its_runs():
    """Of equal spreads Welch's formula of 1947 alone would give T (n − 1 + 1) − 1 = 23, and 47 of a difference."""
    cells = [np.array([0.0, 1.0]) + t for t in range(12)]
    record = estimate_of(cells, parse_metric("mean"))
    assert record.law().laws[0][1] == pytest.approx(12)
    assert record.minus(record).laws[0][1] == pytest.approx(24)
