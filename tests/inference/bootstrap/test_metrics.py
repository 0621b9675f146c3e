"""Metrics without a kernel: those that have one are computed by their functions as well, and every way to draw gives the same numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from runoff._inference.bootstrap import (
    METRICS,
    AlongSteps,
    How,
    along_steps,
    interval_ends,
    metrics,
    parse_metric,
    pool,
)
from runoff._inference.bootstrap.along import replicates
from runoff.base.random import Streams

NAMES = (*METRICS, "trimmed_mean_10")
RAGGED = [np.array([1.2, 3.4, 8.8, 2.0]), np.array([0.7, 1.5, 1.9, 2.0, 4.4]), np.array([2.1, 2.5, 2.6, 9.1])]
EVEN = [np.array([0.3, 0.5, 0.9, 1.4]), np.array([1.1, 0.2, 0.8, 2.5]), np.array([0.6, 0.7, 3.1, 0.1])]
DESIGNS = {"ragged": RAGGED, "even": EVEN, "one task": EVEN[:1]}


def plain(name):
    """A metric without its shortcut, under a name of its own."""
    metric = parse_metric(name)
    return replace(metric, name=f"plain_{name}", column=None, trim=None)


def both(cells, **options):
    """A pool with every metric twice: by kernel, and by function."""
    chosen = [parse_metric(name) for name in NAMES], [plain(name) for name in NAMES]
    prepared = pool.prepare(cells, [*chosen[0], *chosen[1]], gamma=3.0, **options)
    return prepared, *([prepared.column(metric) for metric in side] for side in chosen)


DRAWS = {
    "estimates": pool.estimates,
    "runs": lambda prepared: pool.resample_runs(prepared, 300, Streams(0)),
    "tasks and runs": lambda prepared: pool.resample_tasks(prepared, 300, Streams(0)),
    "whole tasks": lambda prepared: pool.resample_whole_tasks(prepared, 300, Streams(0)),
}


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("draw", DRAWS)
def test_a_function_gives_what_its_kernel_gives(draw, design, exact):
    prepared, compiled, plainly = both(DESIGNS[design], exact=exact)
    statistics = DRAWS[draw](prepared)
    assert statistics[..., plainly] == pytest.approx(statistics[..., compiled], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("draw", ["runs", "tasks and runs"])
def test_of_shared_runs_too(draw):
    prepared, compiled, plainly = both(EVEN, shared=True)
    statistics = DRAWS[draw](prepared)
    assert statistics[..., plainly] == pytest.approx(statistics[..., compiled], rel=1e-9, abs=1e-12)


OF_RUNS = [(interval, "runs", False) for interval in ("t", "percentile", "basic", "bca")]
OTHERS = [("t", "runs_and_tasks", False), ("percentile", "runs_and_tasks", False), ("basic", "runs_and_tasks", False)]
SHARED = [("t", "runs", True), ("t", "runs_and_tasks", True), ("percentile", "runs", True), ("basic", "runs", True)]


@pytest.mark.parametrize(("interval", "over", "shared"), [*OF_RUNS, *OTHERS, *SHARED])
def test_every_interval_of_a_function_is_nearly_that_of_its_kernel(interval, over, shared):
    chosen = [parse_metric("iqm"), parse_metric("median"), plain("iqm"), plain("median")]
    rng = np.random.default_rng(0)
    cells = [rng.normal(t, 1.0, 12) for t in range(4)]
    prepared = pool.prepare(cells, chosen, shared=shared)
    how = How(interval=interval, confidence_level=0.9, n_resamples=1000, streams=Streams(0), over=over)
    ends = interval_ends(prepared, chosen, how)
    for name in ("iqm", "median"):
        compiled, plainly = ends[parse_metric(name)], ends[plain(name)]
        assert plainly == pytest.approx(compiled, abs=1e-9)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_along_training_a_function_gives_what_its_kernel_gives(name, shared):
    rng = np.random.default_rng(3)
    cells = [rng.normal(size=(5, 4)).cumsum(axis=1) for _ in range(3)]
    drawn = {}
    for metric in (parse_metric(name), plain(name)):
        options = AlongSteps(
            metric=metric, interval="percentile", band="pointwise", confidence_level=0.9, n_resamples=200, streams=Streams(1),
            shared=shared,
        )  # fmt: skip
        pools = [pool.prepare([cell[:, s] for cell in cells], [metric], shared=shared) for s in range(4)]
        ((_, drawn[metric.name]),) = replicates(cells, pools, options)
        assert all(ends is not None for ends in along_steps(cells, options).ends)
    first, second = drawn.values()
    assert first == pytest.approx(second, rel=1e-9)


def test_two_parsings_of_a_name_are_one_metric():
    assert parse_metric("trimmed_mean_10") == parse_metric("trimmed_mean_10") != parse_metric("trimmed_mean_11")
    assert metrics.METRICS["iqm"].averages is False
