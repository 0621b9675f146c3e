"""Metrics: what the kernels compute of data and of every kind of resample is what the functions of the metrics say of the same draws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from runoff._inference.bootstrap import METRICS, AlongSteps, How, along_steps, described, metrics, parse_metric, pool
from runoff.base.random import Streams
from runoff.errors import OptionError
from tests.reference import bootstrap as slow

NAMES = (*METRICS, "trimmed_mean_10")
RAGGED = [np.array([1.2, 3.4, 8.8, 2.0]), np.array([0.7, 1.5, 1.9, 2.0, 4.4]), np.array([2.1, 2.5, 2.6, 9.1])]
EVEN = [np.array([0.3, 0.5, 0.9, 1.4]), np.array([1.1, 0.2, 0.8, 2.5]), np.array([0.6, 0.7, 3.1, 0.1])]
DESIGNS = {"ragged": RAGGED, "even": EVEN, "one task": EVEN[:1], "three runs": [cell[:3] for cell in EVEN[:2]]}
GAMMA, N = 3.0, 100


def measure(cells, name, n):
    """A metric by its function, of cells (n_runs,) of any sizes that are drawn from n runs."""
    metric, most = parse_metric(name).among(n), max(map(len, cells))
    seen = [np.maximum(GAMMA - np.array(cell), 0.0) if metric.shortfall else np.array(cell) for cell in cells]
    values, weights = np.zeros((2, len(cells), most))
    for t, cell in enumerate(seen):
        values[t, : cell.size] = cell
        weights[t, : cell.size] = sum(map(len, cells)) / (len(cells) * cell.size)
    return float(metric.function(values, weights * metrics.ENDLESS))


def of_runs(cells):
    words = pool.random_words(Streams(0).block("bootstrap", 0), N, sum(map(len, cells)))
    return [slow.resample(cells, row) for row in words]


def of_tasks(cells):
    rng = Streams(0).block("bootstrap tasks", 0)
    slots = rng.integers(len(cells), size=(N, len(cells)))
    words = pool.random_words(rng, N, len(cells) * max(map(len, cells)))
    return [slow.resample([cells[t] for t in own], row) for own, row in zip(slots, words, strict=True)]


def of_whole_tasks(cells):
    slots = Streams(0).block("whole tasks", 0).integers(len(cells), size=(N, len(cells)))
    return [[cells[t] for t in own] for own in slots]


DRAWS = {
    "the data": (lambda prepared: pool.estimates(prepared)[None], lambda cells: [cells]),
    "runs": (lambda prepared: pool.resample_runs(prepared, N, Streams(0)), of_runs),
    "tasks and runs": (lambda prepared: pool.resample_tasks(prepared, N, Streams(0)), of_tasks),
    "whole tasks": (lambda prepared: pool.resample_whole_tasks(prepared, N, Streams(0)), of_whole_tasks),
}


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("draw", DRAWS)
def test_a_kernel_gives_what_the_function_gives(draw, design):
    kernel, drawn = DRAWS[draw]
    prepared = pool.prepare(DESIGNS[design], [parse_metric(name) for name in NAMES], gamma=GAMMA)
    statistics, samples = kernel(prepared), drawn(DESIGNS[design])
    for name in NAMES:
        expected = [measure(sample, name, prepared.values.size) for sample in samples]
        assert statistics[:, prepared.column(parse_metric(name))] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def rows_drawn(n):
    words = pool.random_words(Streams(0).block("shared", n, 0), N, n)
    return [[int(word) * n // 2**32 for word in row[:n]] for row in words]


@pytest.mark.parametrize("name", NAMES)
def test_shared_runs_are_drawn_as_a_whole(name):
    prepared = pool.prepare(EVEN, [parse_metric(name)], gamma=GAMMA, shared=True)
    statistics = pool.resample_runs(prepared, N, Streams(0))[:, prepared.column(parse_metric(name))]
    expected = [measure([cell[rows] for cell in EVEN], name, 12) for rows in rows_drawn(4)]
    assert statistics == pytest.approx(expected, rel=1e-9)


def newcomer(name):
    """A metric with nothing but its function."""
    metric = parse_metric(name)
    return replace(metric, name="own", function=lambda values, weights: metric.function(values, weights), trim=None)


@pytest.mark.parametrize("name", ["iqm", "median"])
def test_a_metric_without_a_column_has_the_default_interval_and_no_bootstrap(name):
    own, prepared = newcomer(name), pool.prepare(EVEN, [parse_metric(name)])
    how = How(interval="t", confidence_level=0.9, n_resamples=0, streams=Streams(0))
    both = described(prepared, [own, parse_metric(name)], how)
    (value, ends), (expected, expected_ends) = both[own], both[parse_metric(name)]
    assert (value, *ends) == pytest.approx((expected, *expected_ends))
    with pytest.raises(OptionError, match="is not resampled"):
        described(prepared, [own], replace(how, interval="percentile", n_resamples=10))


def test_along_training_it_has_the_default_interval_too():
    cells = list(np.random.default_rng(3).normal(size=(3, 4, 5)))
    how = {"interval": "t", "band": "pointwise", "confidence_level": 0.9, "n_resamples": N, "streams": Streams(0)}
    first, second = (
        along_steps(cells, AlongSteps(metric=kind, **how)) for kind in (newcomer("iqm"), parse_metric("iqm"))
    )
    assert first.estimates == pytest.approx(second.estimates)
    assert np.array(first.ends) == pytest.approx(np.array(second.ends))


def test_two_parsings_of_a_name_are_one_metric():
    assert parse_metric("trimmed_mean_10") == parse_metric("trimmed_mean_10") != parse_metric("trimmed_mean_11")
    assert metrics.METRICS["iqm"].averages is False


@pytest.mark.parametrize("shared", [False, True])
def test_no_block_of_resamples_repeats_the_draws_of_another(shared):
    prepared = pool.prepare(EVEN, [parse_metric("mean")], gamma=GAMMA, shared=shared)
    means = pool.resample_runs(prepared, 2 * 2048, Streams(0))[:, prepared.column(parse_metric("mean"))]
    assert not np.array_equal(means[:2048], means[2048:])
