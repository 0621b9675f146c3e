"""An aggregate along training: at every step its estimate and its interval, from whole runs that are drawn once for all steps.

Pointwise intervals by t and BCa are those of one step. A simultaneous band is estimate ± u errors: u is the
quantile, at the level, of the largest of normal variables that are correlated from step to step as resamples of whole runs are; for t
intervals, the quantile of t that has u's tail under the normal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from types import MappingProxyType

import numpy as np
from scipy import special

from runoff._inference.bootstrap import intervals, pool
from runoff._inference.bootstrap.intervals import Ends, of_two_values, usable
from runoff._inference.bootstrap.metrics import Metric
from runoff._inference.bootstrap.pool import Pool
from runoff._inference.bootstrap.registry import AUTO, How, interval_ends, interval_kind, record_of
from runoff._kernels.bootstrap import resample as kernels
from runoff.base.arrays import Floats, Words
from runoff.base.random import for_each_block, in_threads
from runoff.errors import OptionError

CHUNK = 32
"""Steps that are reduced together: replicates of more would not stay in memory."""
CORRELATED = 2000
"""Resamples from which the correlation of steps is taken; normal variables of a block."""
CURVE_BANDS = ("pointwise", "simultaneous")
FROM_REPLICATES: Mapping[str, Callable[[Floats, float, float], Ends | None]] = MappingProxyType(
    {"percentile": intervals.percentile, "basic": intervals.basic}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlongSteps(How):
    """What is asked along training: of one metric, by which interval, and how to draw."""

    metric: Metric
    band: str
    gamma: float = 1.0
    shared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """The answer: estimates (n_steps,), and at each step the ends (None where there is no honest interval) and how they were made."""

    estimates: Floats
    ends: list[Ends | None]
    kinds: list[str]


def check_band(band: str, interval: str) -> None:
    """Refuse a simultaneous band of an interval that has none."""
    if band == "simultaneous" and interval not in (AUTO, *FROM_REPLICATES):
        raise OptionError(f"interval={interval!r} has no simultaneous band; use {AUTO!r} or 'percentile'.")


def along_steps(cells: Sequence[Floats], options: AlongSteps) -> Curve:
    """Return an aggregate at every step; cells: the algorithm's, (n_runs, n_steps) each, run i the same at all steps."""
    # Runs in an order that is theirs, by their last scores, then those before: the order of the data changes nothing.
    ordered = cells if options.shared else [cell[np.lexsort(cell.T)] for cell in cells]
    # Of all steps: at one of them all runs may happen to score 0.
    rates = of_two_values([cell.ravel() for cell in cells])
    pools = [
        pool.prepare(
            [cell[:, s] for cell in ordered], [options.metric], gamma=options.gamma, shared=options.shared, rates=rates
        )
        for s in range(cells[0].shape[1])
    ]
    columns = [prepared.column(options.metric) for prepared in pools]
    points = np.array([pool.estimates(prepared)[column] for prepared, column in zip(pools, columns, strict=True)])
    kinds = [interval_kind(prepared, options.metric, options.interval, "runs") for prepared in pools]
    if min(cell.shape[0] for cell in cells) < 2:
        return Curve(estimates=points, ends=[None] * points.size, kinds=kinds)
    if options.band == "simultaneous":
        return Curve(
            estimates=points,
            ends=_simultaneous(ordered, pools, points, options),
            kinds=[options.interval] * points.size,
        )
    if options.interval in FROM_REPLICATES:
        return Curve(estimates=points, ends=_from_replicates(ordered, pools, points, options), kinds=kinds)
    ends = [interval_ends(prepared, [options.metric], options)[options.metric] for prepared in pools]
    return Curve(estimates=points, ends=ends, kinds=kinds)


def _from_replicates(
    cells: Sequence[Floats], pools: Sequence[Pool], points: Floats, options: AlongSteps
) -> list[Ends | None]:
    make, ends = FROM_REPLICATES[options.interval], []
    for at, drawn in replicates(cells, pools, options):
        columns = list(zip(np.ascontiguousarray(drawn.T), points[at], strict=True))
        ends += in_threads(
            lambda pair: make(pair[0], float(pair[1]), options.confidence_level), columns, options.threads
        )
    return ends


def _simultaneous(
    cells: Sequence[Floats], pools: Sequence[Pool], points: Floats, options: AlongSteps
) -> list[Ends | None]:
    few = replace(options, n_resamples=min(options.n_resamples, CORRELATED))
    drawn = np.concatenate([part for _, part in replicates(cells, pools, few)], axis=1)
    spread = drawn.std(axis=0)
    varies = spread > 1e-12 * np.abs(drawn).max(axis=0)
    # What n runs say of the correlation of steps is uncertain by 1 / n, and ends that rest on it alone are too near: so much of each is its own.
    own = 1.0 / (len(cells[0]) if options.shared else sum(len(cell) for cell in cells))
    u = _largest(drawn[:, varies], spread[varies], own, options)
    if options.interval != AUTO:
        return [usable(point - u * error, point + u * error) for point, error in zip(points, spread, strict=True)]
    return [_widened(prepared, u, options) for prepared in pools]


def _largest(drawn: Floats, spread: Floats, own: float, options: AlongSteps) -> float:
    """Return the quantile of the largest |z| of normal steps that are correlated as replicates are, and of one step where none varies."""
    pointwise = float(special.ndtri((1 + options.confidence_level) / 2))
    if not spread.size:
        return pointwise
    standard = (drawn - drawn.mean(axis=0)) / spread
    correlation = (1.0 - own) * (standard.T @ standard) / len(drawn) + own * np.eye(spread.size)
    sizes, directions = np.linalg.eigh(correlation)
    factor = directions * np.sqrt(np.maximum(sizes, 0.0))
    largest = np.empty(options.n_resamples)
    for block in range(-(-largest.size // CORRELATED)):
        rows = largest[block * CORRELATED : (block + 1) * CORRELATED]
        normal = options.streams.block("band", block).standard_normal((rows.size, spread.size))
        rows[:] = np.abs(normal @ factor.T).max(axis=1)
    return max(float(np.quantile(largest, options.confidence_level)), pointwise)


def _widened(prepared: Pool, u: float, options: AlongSteps) -> Ends | None:
    law = record_of(prepared, options.metric).law()
    if not law.laws:
        return None
    (error, df), tail = law.laws[0], max(float(special.ndtr(-u)), 1e-300)
    freedom = df if options.shared else min(df, _freedom_of_counts(prepared))
    half = -float(special.stdtrit(freedom, tail)) * error
    return usable(law.value - half, law.value + half) if half < inf else None


def _freedom_of_counts(prepared: Pool) -> float:
    """Return Satterthwaite's degrees of freedom of cells that vary alike.

    Those of the data are large where a small cell happens to vary little, which is where the error is too small: at one step that is little, in
    a band it adds up (10 + 3 runs on two tasks: .83 of bands held at .95 without this bound, .96 with it).
    """
    shares = 1.0 / prepared.n_runs
    return float(shares.sum() ** 2 / (shares**2 / (prepared.n_runs - 1)).sum())


def replicates(cells: Sequence[Floats], pools: Sequence[Pool], options: AlongSteps) -> Iterator[tuple[slice, Floats]]:
    """Yield replicates (n_resamples, steps) of some steps after others, all from the same draws of whole runs."""
    n_scores, n_shared = pools[0].values.size, int(pools[0].n_runs[0]) if options.shared and len(cells) > 1 else 0
    size = pool.block_size(n_scores)
    flat = np.ascontiguousarray(np.concatenate(cells).T)
    reducer = _kernel_reduction if options.metric.compiled else _function_reduction
    for start in range(0, len(pools), CHUNK):
        at = slice(start, start + CHUNK)
        reduce = reducer(flat[at], pools[at], options.metric, n_shared)
        out = np.empty((options.n_resamples, len(pools[at])))

        def fill(block: int, reduce: Reduce = reduce, out: Floats = out) -> None:
            rows = out[block * size : (block + 1) * size]
            key = (n_shared, block) if n_shared else (block,)
            stream = options.streams.block("shared" if n_shared else "bootstrap", *key)
            reduce(pool.random_words(stream, rows.shape[0], n_shared or n_scores), rows)

        for_each_block(fill, range(-(-options.n_resamples // size)), options.threads)
        yield at, out


Reduce = Callable[[Words, Floats], None]
"""Fills replicates (block, n_steps) from random words."""


def _function_reduction(values: Floats, pools: Sequence[Pool], metric: Metric, n_shared: int) -> Reduce:
    """Return how a metric without a kernel is reduced at some steps; values (n_steps, n_scores)."""
    steps = [replace(prepared.weighted, values=row) for prepared, row in zip(pools, values, strict=True)]
    rows_of = np.tile(np.arange(n_shared), pools[0].n_tasks)

    def reduce(words: Words, out: Floats) -> None:
        counts = steps[0].counts_of_rows(words, rows_of, n_shared) if n_shared else steps[0].counts(words)
        for s, step in enumerate(steps):
            out[:, s] = step.of_counts([metric], counts)[:, 0]

    return reduce


def _kernel_reduction(values: Floats, pools: Sequence[Pool], metric: Metric, n_shared: int) -> Reduce:
    first = pools[0]
    order = np.argsort(values, axis=1, kind="stable")
    of_cell = np.repeat(first.values.size / (first.n_tasks * first.n_runs), first.n_runs)
    if np.all(first.n_runs == first.n_runs[0]):
        of_cell = np.ones(first.values.size)
    along = kernels.Along(
        values=values,
        shortfall=np.maximum(first.gamma - values, 0.0) / (first.n_tasks * np.repeat(first.n_runs, first.n_runs)),
        offsets=first.offsets,
        order=order.astype(np.uint32),
        ranked=np.take_along_axis(values, order, axis=1),
        weights=of_cell[order],
        cut=float(first.cuts[0]) if first.cuts.size else 0.0,
        column=first.column(metric),
        whole=first.whole,
        rows=np.tile(np.arange(n_shared), first.n_tasks) if n_shared else np.zeros(1, np.int64),
        n_shared=n_shared,
    )
    return lambda words, out: kernels.resample_steps(words, along, out)
