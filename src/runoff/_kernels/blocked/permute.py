"""Relabelling the runs of every task, in all ways or at random: NumPy draws the words, these kernels shuffle and reduce.

A word is a uniform 32-bit integer; word · n >> 32 is an index below n whose probabilities differ from 1/n by less than
n / 2³² (a task of 1,000 runs: 2·10⁻⁷ of 1/n's size in the worst case).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, combinations
from math import comb

import numpy as np

from runoff._kernels._jit import kernel
from runoff.base.arrays import Bools, GroupMask, Ints, Words


@lru_cache(maxsize=8)
def subsets(n: int, k: int) -> Bools:
    """All choices of k of n, (C(n, k), n), the first k first."""
    chosen = np.fromiter(chain.from_iterable(combinations(range(n), k)), np.int64).reshape(comb(n, k), k)
    masks = np.zeros((len(chosen), n), np.bool_)
    np.put_along_axis(masks, chosen, True, axis=1)
    return masks


def all_labels(counts: Ints) -> GroupMask:
    """Every arrangement of two labels within every task, (Π C(n_t, c_t0), total); the first has all runs as they are. counts: (n_tasks, 2)."""
    labels = np.zeros((1, 0), np.int8)
    for first, second in counts.tolist():
        own = np.logical_not(subsets(first + second, first)).astype(np.int8)
        labels = np.hstack([np.repeat(labels, len(own), axis=0), np.tile(own, (len(labels), 1))])
    return labels


def words_per_draw(counts: Ints) -> int:
    """Words that one relabelling of all tasks takes: the last algorithm gets what is left.

    counts: (n_tasks, n_algorithms).
    """
    return int(counts[:, :-1].sum())


def drawn_labels(rng: np.random.Generator, starts: Ints, counts: Ints, n_rows: int) -> GroupMask:
    """Labels of so many random relabellings, (n_rows, total), of `shuffled_labels`."""
    words = rng.integers(0, 2**32, size=(n_rows, words_per_draw(counts)), dtype=np.uint32)
    return shuffled_labels(starts, counts, words)


def permuted_sums(rng: np.random.Generator, scores: Ints, starts: Ints, counts: Ints, n_draws: int) -> Ints:
    """Sums of the scores of every algorithm over all tasks, one row per draw: the runs of each task are shuffled, and dealt out in order.

    scores: (total,); starts: (n_tasks + 1,); counts: (n_tasks, k), 0 where an algorithm has no run. Returns (n_draws, k).
    """
    sums = np.zeros((n_draws, counts.shape[1]), np.int64)
    for own, dealt in zip(np.split(scores, starts[1:-1]), counts, strict=True):
        shuffled = rng.permuted(np.broadcast_to(own, (n_draws, own.size)), axis=1)
        present = np.flatnonzero(dealt)  # `reduceat` has no sum of nothing
        first = (np.cumsum(dealt) - dealt)[present]
        sums[:, present] += np.add.reduceat(shuffled, first, axis=1)
    return sums


@kernel
def shuffled_labels(starts: Ints, counts: Ints, words: Words) -> GroupMask:
    """Labels of all runs, one row per draw: within each task every arrangement of the counts is equally likely.

    starts: (n_tasks + 1,); counts: (n_tasks, k), k ≤ 127; words: (n_draws, words_per_draw). Returns (n_draws, total).
    Source: partial Fisher-Yates shuffle within each task, never put back in order: a uniform shuffle of any order is uniform.
    """
    n, k = counts.shape
    labels = np.empty((words.shape[0], starts[n]), np.int8)
    position = np.arange(labels.shape[1])
    for draw in range(words.shape[0]):
        labels[draw] = k - 1
        word = 0
        for i in range(n):
            at, end = starts[i], starts[i + 1]
            for j in range(k - 1):
                for _ in range(counts[i, j]):
                    other = at + np.int64((np.uint64(words[draw, word]) * np.uint64(end - at)) >> np.uint64(32))
                    chosen = position[other]
                    position[other] = position[at]
                    position[at] = chosen
                    labels[draw, chosen] = j
                    at += 1
                    word += 1
    return labels
