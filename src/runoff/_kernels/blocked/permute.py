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
from runoff.base.arrays import Bools, Ints, Labels, Words


@lru_cache(maxsize=8)
def subsets(n: int, k: int) -> Bools:
    """All choices of k of n, (C(n, k), n), the first k first."""
    chosen = np.fromiter(chain.from_iterable(combinations(range(n), k)), np.int64).reshape(comb(n, k), k)
    masks = np.zeros((len(chosen), n), np.bool_)
    np.put_along_axis(masks, chosen, True, axis=1)
    return masks


def all_labels(counts: Ints) -> Labels:
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


def drawn_labels(rng: np.random.Generator, starts: Ints, counts: Ints, n_rows: int) -> Labels:
    """Labels of so many random relabellings, (n_rows, total), of `shuffled_labels`."""
    words = rng.integers(0, 2**32, size=(n_rows, words_per_draw(counts)), dtype=np.uint32)
    return shuffled_labels(starts, counts, words)


def permuted_sums(scores: Ints, starts: Ints, counts: Ints, words: Words) -> Ints:
    """Sums of the scores of every algorithm over all tasks, one row per draw.

    scores: (total,) with sum 0 in every task; starts: (n_tasks + 1,); counts: (n_tasks, k); words:
    (n_draws, words_per_draw). Returns (n_draws, k). Source: partial Fisher-Yates shuffle within each task.
    """
    behind = np.cumsum(counts[:, :-1].sum(axis=1)).tolist()
    shuffles = np.empty((len(words), scores.size), np.intp)
    for i, own in enumerate(np.split(words, behind[:-1], axis=1)):
        shuffles[:, starts[i] : starts[i + 1]] = starts[i] + shuffled_places(own, int(starts[i + 1] - starts[i])).T
    sums = np.empty((len(words), counts.shape[1]), np.int64)
    ends = starts[:-1, None] + np.cumsum(counts, axis=1)
    pool = scores
    for draw, shuffle in enumerate(shuffles):
        # Never put back in order: a uniform shuffle of any order is uniform.
        pool = pool[shuffle]
        up_to = np.cumsum(pool)[ends - 1].sum(axis=0)  # 0 at the end of a task
        sums[draw, 0], sums[draw, 1:] = up_to[0], np.diff(up_to)
    return sums


def shuffled_places(words: Words, n: int) -> Ints:
    """Shuffle 0 .. n - 1 once for each row of words: (n, n_draws), of which the first places are drawn, as many as a row has words.

    The draws go side by side, a place at a time: NumPy then moves a row of numbers in the time in which Python would move one.
    """
    n_draws, n_words = words.shape
    steps = np.arange(n_words, dtype=np.uint64)[:, None]
    others = words.T.astype(np.uint64) * (np.uint64(n) - steps) >> np.uint64(32)
    others = ((others + steps) * np.uint64(n_draws) + np.arange(n_draws, dtype=np.uint64)).astype(np.intp)
    places = np.repeat(np.arange(n)[:, None], n_draws, axis=1)
    numbers = places.reshape(-1)
    for place, other in zip(places, others, strict=False):  # the last algorithm gets what is left
        chosen = numbers[other]
        numbers[other] = place
        place[:] = chosen
    return places


@kernel
def shuffled_labels(starts: Ints, counts: Ints, words: Words) -> Labels:
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
