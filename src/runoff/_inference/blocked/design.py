"""What every blocked test starts from: runs and centred ranks by task.

Draws are made along the storage, so without one arrangement of the same runs (`canonical`) a p-value by Monte Carlo would depend, within its
error, on the order of a file.

Tests within tasks add up, over tasks, a number of each run: its score, or its rank on the task. Where a run is the same on every task,
these sums are one number for each run, and the test is that of one task with these numbers for scores (`by_row`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import fsum

import numpy as np

from runoff._inference.about import AboutTest
from runoff._kernels.blocked import ranks as kernels
from runoff._kernels.blocked.ranks import centred_ranks
from runoff.base.arrays import Floats, Ints
from runoff.errors import DesignError
from runoff.words.speech import choice, option

TOLERANCE = 1e-9
"""Relative tolerance of a comparison that cannot be made in integers."""
ROUNDING = 8 * np.finfo(np.float64).eps
"""Share of the largest score of a task by which rounding can part two equal means."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """Runs and centred doubled mid-ranks of the tasks on which at least two algorithms have runs, task after task.

    values, ranks: (total,); starts: (n_tasks + 1,); counts, sums: (n_tasks, n_algorithms); squares: (n_tasks,).
    tasks, algorithms: their positions in the data.
    """

    values: Floats
    ranks: Ints
    starts: Ints
    counts: Ints
    sums: Ints
    squares: Ints
    tasks: Ints
    algorithms: Ints

    @property
    def sizes(self) -> Ints:
        return np.asarray(np.diff(self.starts))

    @property
    def balanced(self) -> bool:
        """Whether within every task all algorithms have equally many runs."""
        return bool((self.counts == self.counts[:, :1]).all())


def gather(values: Floats, offsets: Ints, n_algorithms: int, n_tasks: int) -> Blocks:
    """Return the blocks of flat ragged storage sorted by (algorithm, task)."""
    counts = np.diff(offsets).reshape(n_algorithms, n_tasks).T
    tasks = np.flatnonzero((counts > 0).sum(axis=1) >= 2)
    counts = np.ascontiguousarray(counts[tasks], np.int64)
    firsts = offsets[:-1].reshape(n_algorithms, n_tasks).T[tasks].ravel()
    lengths = counts.ravel()
    ends = np.cumsum(lengths)
    # For each cell where it lay less where it will lie; with the running number that is the old place of every run.
    index = np.repeat(firsts - (ends - lengths), lengths) + np.arange(lengths.sum())
    return blocks_of(values[index].astype(np.float64), counts, tasks.astype(np.int64), np.arange(n_algorithms))


def averaged(blocks: Blocks) -> Blocks:
    """Return the blocks with every cell replaced by the mean of its runs; means of a task that differ by rounding alone are equal."""
    cells = [cell for cell in np.split(blocks.values, np.cumsum(blocks.counts.ravel())[:-1]) if cell.size]
    # Summed exactly, for the order of runs must not show; and divided first, for sums of the largest doubles have no double.
    means = np.array([fsum((cell / cell.size).tolist()) for cell in cells])
    counts = (blocks.counts > 0).astype(np.int64)
    ends = np.cumsum(counts.sum(axis=1))
    for runs, own in zip(np.split(blocks.values, blocks.starts[1:-1]), np.split(means, ends[:-1]), strict=True):
        if runs.size > own.size:
            own[:] = _levelled(own, ROUNDING * float(np.abs(runs).max()))
    return blocks_of(means, counts, blocks.tasks, blocks.algorithms)


def _levelled(means: Floats, rounding: float) -> Floats:
    """Return means of which those that follow one another by no more than rounding are equal: 0.1, 0.2 and 0.3 have the mean 0.2."""
    order = np.argsort(means)
    # Halved, for the difference of the largest doubles has no double.
    first = np.diff(means[order] / 2.0, prepend=-np.inf) > rounding / 2.0
    levelled = np.empty_like(means)
    levelled[order] = means[order][first][np.cumsum(first) - 1]
    return levelled


def blocks_of(values: Floats, counts: Ints, tasks: Ints, algorithms: Ints) -> Blocks:
    """Return the blocks of values that lie task after task, and in a task algorithm after algorithm."""
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts.sum(axis=1))])
    ranks = centred_ranks(values, starts)
    squares = np.add.reduceat(np.square(ranks), starts[:-1]) if len(counts) else np.zeros(0, np.int64)
    return Blocks(
        values=values,
        ranks=ranks,
        starts=starts,
        counts=counts,
        sums=kernels.cell_sums(ranks, counts),
        squares=squares,
        tasks=tasks,
        algorithms=algorithms,
    )


def centred(blocks: Blocks) -> Floats:
    """Return the scores about the middle of their task: differences within tasks are the same, and do not lose digits to an offset."""
    middles = [np.median(task) for task in np.split(blocks.values, blocks.starts[1:-1])]
    return np.asarray(blocks.values - np.repeat(middles, blocks.sizes))


# ── one arrangement of the same runs ──────────


def canonical(blocks: Blocks, *, by_rank: bool) -> Blocks:
    """Return the blocks rearranged by their ranks, then by their scores; `tasks` and `algorithms` say where they were.

    Rows are sorted within cells. Tasks and algorithms are sorted by what they hold: a task by its runs, an algorithm by its runs task
    by task, then tasks with the same runs by whose they are. Ranks come first, so that the unit of the scores does not show either. What is
    still equal cannot be told apart but by its name.
    """
    n, k = blocks.counts.shape
    values = _cells(blocks.values + 0.0, blocks)  # of −0.0 and 0.0, which are equal and have different bytes, one
    ranks = _cells(blocks.ranks.astype(np.float64), blocks)
    scores = ranks if by_rank else values
    # Whose ranks and scores they are does not show in these keys of a task.
    alike = [(int(blocks.sizes[i]), tuple(sorted(cell.tobytes() for cell in ranks[i]))) for i in range(n)]
    equal = [(alike[i], np.sort(np.concatenate(scores[i])).tobytes()) for i in range(n)]
    own = [
        (
            sorted((alike[i], ranks[i][a].tobytes()) for i in range(n)),
            sorted((equal[i], ranks[i][a].tobytes(), scores[i][a].tobytes()) for i in range(n)),
        )
        for a in range(k)
    ]
    order = sorted(range(k), key=lambda a: own[a])
    placed = sorted(
        range(n),
        key=lambda i: (alike[i], [ranks[i][a].tobytes() for a in order], [scores[i][a].tobytes() for a in order]),
    )
    counts = np.ascontiguousarray(blocks.counts[placed][:, order])
    flat = np.concatenate([values[i][a] for i in placed for a in order])
    return blocks_of(flat, counts, blocks.tasks[placed], blocks.algorithms[order])


def _cells(flat: Floats, blocks: Blocks) -> list[list[Floats]]:
    n, k = blocks.counts.shape
    cells = [np.sort(cell) for cell in np.split(flat, np.cumsum(blocks.counts.ravel())[:-1])]
    return [cells[i * k : (i + 1) * k] for i in range(n)]


# ── runs that are scored on all tasks ──────────


def by_row(blocks: Blocks, *, by_rank: bool = False) -> Blocks:
    """Return one block with a row for each run, row i of every cell: mean score and sum of ranks; refuse an algorithm that lacks a task."""
    counts = blocks.counts[0]
    if (blocks.counts != counts).any():
        raise DesignError(
            "shared runs are permuted as a whole, so all algorithms need the same tasks: choose those that all have, "
            f"{choice('scores.select(tasks=[…])', '--tasks')}, or compare pairs."
        )
    n_tasks, size = blocks.tasks.size, int(counts.sum())
    # Summed exactly: the order of tasks must not show in the last digits.
    values = np.array([fsum(scores) / n_tasks for scores in centred(blocks).reshape(n_tasks, size).T.tolist()])
    ranks = blocks.ranks.reshape(n_tasks, size).sum(axis=0)
    ends = np.cumsum(counts)[:-1]
    keys = (ranks,) if by_rank else (ranks, values)
    cells = [own[np.lexsort([key[own] for key in keys])] for own in np.split(np.arange(size), ends)]
    contents = [[tuple(key[cell].tolist()) for key in reversed(keys)] for cell in cells]
    order = sorted(range(len(cells)), key=contents.__getitem__)
    rows = np.concatenate([cells[a] for a in order])
    ordered = np.ascontiguousarray(counts[order])[None, :]
    return replace(
        blocks,
        values=values[rows],
        ranks=ranks[rows],
        starts=np.array([0, size], np.int64),
        counts=ordered,
        sums=kernels.cell_sums(ranks[rows], ordered),
        squares=np.array([int(np.square(ranks).sum())], np.int64),
        tasks=blocks.tasks[:1],
        algorithms=blocks.algorithms[order],
    )


def refuse_unshareable(name: str, about: AboutTest) -> None:
    """Refuse what cannot be asked of runs that are scored on all tasks."""
    if about.averages:
        raise DesignError(
            f"{name} takes tasks for independent, but these runs are shared by all tasks ({option('runs', 'shared')}); use "
            f"{option('test', 'mack_skillings')}."
        )
