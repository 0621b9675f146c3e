"""Resamples of rectangular arrays (n_runs, n_tasks, …) for any function of arrays: the draws that the kernels make of the same seed.

Whole runs are redrawn within each task: what trails the task, such as steps, is drawn together. Each array is put in canonical order first,
so that the order of its runs changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff._inference.bootstrap.pool import block_size, random_words
from runoff.base.arrays import Ints, Words
from runoff.base.random import Streams

Array = NDArray[Any]


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
