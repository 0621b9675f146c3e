"""Resamples of rectangular arrays (n_runs, n_tasks, …): the same draws, whether a kernel reduces them or any function of arrays.

Whole runs are redrawn within each task: what trails the task, such as steps, is drawn together. Each array is put in canonical order first,
so that the order of its runs changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff._inference.bootstrap.metrics import Metric
from runoff._inference.bootstrap.pool import Pool, acceleration, block_size, estimates, pooled, prepare, random_words
from runoff._kernels.bootstrap import profile as pair_kernels
from runoff._kernels.bootstrap import resample as kernels
from runoff.base.arrays import Floats, Ints, Words
from runoff.base.random import Streams, for_each_block

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A metric of some cells of an array: `cells` are positions in its trailing axes, laid flat; the runs of a cell are a column."""

    metric: Metric
    cells: tuple[int, ...]
    gamma: float = 1.0


def canonical(scores: Array) -> Array:
    """Return an array (n_runs, n_tasks, …) with the runs of each task in ascending order, by the first step first."""
    if scores.ndim == 2:
        return np.sort(scores, axis=0)
    sorted_runs = np.empty_like(scores)
    for t in range(scores.shape[1]):
        rows = scores[:, t].reshape(len(scores), -1)
        sorted_runs[:, t] = scores[np.lexsort(rows.T[::-1]), t]
    return sorted_runs


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """Random words (n_resamples, ≥ n_tasks · n_runs) of each array, and the drawn tasks, (n_resamples, n_tasks), where tasks are redrawn."""

    words: list[Words]
    slots: Ints | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Arrays in canonical order, and how they are redrawn: each on its own, tasks for all of them at once."""

    arrays: tuple[Array, ...]
    over_tasks: bool
    streams: Streams

    @property
    def sizes(self) -> list[int]:
        return [array.shape[0] * array.shape[1] for array in self.arrays]

    def draw(self, block: int, n: int) -> Draw:
        """Return the draws of a block of n resamples."""
        n_tasks = self.arrays[0].shape[1]
        if len(self.arrays) > 1:
            words = [
                random_words(self.streams.block("improvement", side, block), n, size)
                for side, size in enumerate(self.sizes)
            ]
            tasks = self.streams.block("improvement tasks", block).integers(n_tasks, size=(n, n_tasks))
            return Draw(words=words, slots=tasks if self.over_tasks else None)
        rng = self.streams.block("bootstrap tasks" if self.over_tasks else "bootstrap", block)
        slots = rng.integers(n_tasks, size=(n, n_tasks)) if self.over_tasks else None
        return Draw(words=[random_words(rng, n, self.sizes[0])], slots=slots)


def source(arrays: Sequence[Array], streams: Streams, *, over_tasks: bool = False) -> Source:
    """Return what is redrawn: arrays (n_runs, n_tasks, …), with their own numbers of runs, on the same tasks where tasks are redrawn."""
    return Source(arrays=tuple(canonical(array) for array in arrays), over_tasks=over_tasks, streams=streams)


def resamples(given: Source, n_resamples: int) -> Iterator[tuple[Array, ...]]:
    """Yield resamples of the arrays, new arrays each."""
    size = block_size(sum(given.sizes))
    for block in range(-(-n_resamples // size)):
        n = min(size, n_resamples - block * size)
        drawn = given.draw(block, n)
        runs = [_runs(words, array) for words, array in zip(drawn.words, given.arrays, strict=True)]
        for b in range(n):
            tasks = np.arange(runs[0].shape[1]) if drawn.slots is None else drawn.slots[b]
            yield tuple(
                array[runs_of[b].T, tasks[: runs_of.shape[1]]]
                for array, runs_of in zip(given.arrays, runs, strict=True)
            )


def _runs(words: Words, array: Array) -> Ints:
    """Return the drawn runs (n_resamples, n_tasks, n_runs) of random words, as the kernels read them."""
    n_runs, n_tasks = array.shape[:2]
    drawn = (words[:, : n_runs * n_tasks].astype(np.uint64) * np.uint64(n_runs)) >> np.uint64(32)
    return drawn.reshape(len(words), n_tasks, n_runs).astype(np.int64)


# ── metrics of one array ──────────


def reducible(given: Source, parts: Sequence[Part]) -> bool:
    """Return whether kernels reduce these parts: where tasks are redrawn, only parts that have each task once, in order."""
    return not given.over_tasks or all(_tasks(given, part) == list(range(given.arrays[0].shape[1])) for part in parts)


def reduced(given: Source, parts: Sequence[Part], n_resamples: int, threads: int | None = None) -> Floats:
    """Return replicates (n_resamples, n_parts) of `reducible` parts, all from the same draws."""
    groups = _groups(given, parts)
    along = None if given.over_tasks else _along(groups)
    out, size = np.empty((n_resamples, len(parts))), block_size(given.sizes[0])

    def work(block: int) -> None:
        rows = out[block * size : (block + 1) * size]
        drawn = given.draw(block, len(rows))
        if along is not None:
            kernels.resample_steps(drawn.words[0], along, rows)
            return
        for group in groups:
            row = np.empty((len(rows), group.pool.n_compiled))
            words = drawn.words[0] if group.take is None else np.ascontiguousarray(drawn.words[0][:, group.take])
            if drawn.slots is None:
                kernels.resample_runs(words, pooled(group.pool), row)
            else:
                kernels.resample_tasks(words, drawn.slots, pooled(group.pool), row)
            rows[:, group.places] = row[:, group.columns]

    for_each_block(work, range(-(-n_resamples // size)), threads)
    return out


def point(given: Source, parts: Sequence[Part]) -> Floats:
    """Return the estimates (n_parts,) as the kernels compute them."""
    return _of_groups(given, parts, estimates)


def accelerations(given: Source, parts: Sequence[Part]) -> Floats | None:
    """Return BCa's acceleration of each part, (n_parts,), a run of one task left out at a time; None where a run has several scores."""
    if any(len(set(tasks)) < len(tasks) for tasks in (_tasks(given, part) for part in parts)):
        return None
    return _of_groups(given, parts, acceleration)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """Parts of the same cells: their pool, the words that draw its runs (None: all, in order), their places and their columns of the kernel."""

    pool: Pool
    take: Ints | None
    places: list[int]
    columns: list[int]


def _groups(given: Source, parts: Sequence[Part]) -> list[_Group]:
    alike: dict[tuple[tuple[int, ...], float], list[int]] = {}
    for place, part in enumerate(parts):
        alike.setdefault((part.cells, part.gamma), []).append(place)
    return [_group(given, [parts[i] for i in places], places) for places in alike.values()]


def _group(given: Source, parts: list[Part], places: list[int]) -> _Group:
    array = given.arrays[0]
    n_runs, cells = len(array), list(parts[0].cells)
    columns = array.reshape(n_runs, -1)[:, cells].T.astype(np.float64)
    values = columns.ravel()
    order = np.argsort(values, kind="stable")
    position = np.empty(values.size, dtype=np.int64)
    position[order] = np.arange(values.size)
    # A pool of its own would sort each cell, and run i of one step would no longer be run i of the next.
    pool = replace(
        prepare(list(columns), [part.metric for part in parts], gamma=parts[0].gamma),
        values=values,
        order=order.astype(np.uint32),
        position=position,
    )
    tasks = _tasks(given, parts[0])
    take = None
    if tasks != list(range(array.shape[1])):
        take = (np.array(tasks)[:, None] * n_runs + np.arange(n_runs)).ravel()
    return _Group(pool=pool, take=take, places=places, columns=[pool.column(part.metric) for part in parts])


def _along(groups: list[_Group]) -> kernels.Along | None:
    """Return the parts as steps of training, if each is one metric, the same, of all tasks: then one count of the draws serves all."""
    first = groups[0].pool
    alike = {(tuple(group.columns), group.pool.gamma, group.take is None) for group in groups}
    if len(groups) == 1 or len(alike) > 1 or len(groups[0].columns) > 1 or groups[0].take is not None:
        return None
    pools = [group.pool for group in groups]
    return kernels.Along(
        values=np.array([pool.values for pool in pools]),
        shortfall=np.array([pool.shortfall for pool in pools]),
        offsets=first.offsets,
        order=np.array([pool.order for pool in pools]),
        ranked=np.array([pool.sorted_values for pool in pools]),
        weights=np.array([pool.weights for pool in pools]),
        cut=float(first.cuts[0]) if first.cuts.size else 0.0,
        column=groups[0].columns[0],
        whole=first.whole,
        rows=np.zeros(1, np.int64),
        n_shared=0,
    )


def _tasks(given: Source, part: Part) -> list[int]:
    """Return the task of each cell."""
    trailing = int(np.prod(given.arrays[0].shape[2:]))
    return [cell // trailing for cell in part.cells]


def _of_groups(given: Source, parts: Sequence[Part], what: Callable[[Pool], Floats]) -> Floats:
    values = np.empty(len(parts))
    for group in _groups(given, parts):
        values[group.places] = what(group.pool)[group.columns]
    return values


# ── the probability of improvement ──────────


def reduced_improvement(given: Source, n_resamples: int, threads: int | None = None) -> Floats:
    """Return replicates (n_resamples,) of the probability of improvement of the first of two matrices over the second."""
    x, y = given.arrays
    beaten = [pair_kernels.beaten(a, b) for a, b in zip(x.T, y.T, strict=True)]
    below, not_above = (np.concatenate(part) for part in zip(*beaten, strict=True))
    sides = np.arange(x.shape[1] + 1) * len(x), np.arange(y.shape[1] + 1) * len(y)
    out, size = np.empty(n_resamples), block_size(sum(given.sizes))

    def work(block: int) -> None:
        rows = out[block * size : (block + 1) * size]
        drawn = given.draw(block, rows.size)
        slots = np.tile(np.arange(x.shape[1]), (rows.size, 1)) if drawn.slots is None else drawn.slots
        words_x, words_y = drawn.words
        pair_kernels.improvements_over_tasks(words_x, words_y, slots, below, not_above, *sides, rows)

    for_each_block(work, range(-(-n_resamples // size)), threads)
    return out
