"""Runs that are scored on all tasks: each becomes one row of one block, so that relabelling moves it as a whole.

Tests within tasks add up, over tasks, a number of each run: its score, or its rank on the task. Where a run is the same on every task,
these sums are one number a run, and the test is that of one task with these numbers for scores.
"""

from __future__ import annotations

from dataclasses import replace
from math import fsum

import numpy as np

from runoff._inference.about import AboutTest
from runoff._inference.blocked.design import Blocks, centred
from runoff._kernels.blocked import sums as kernels
from runoff.errors import DesignError
from runoff.words.speech import choice, option


def by_row(blocks: Blocks, *, by_rank: bool = False) -> Blocks:
    """Return one block of a row a run, its mean score about the task's middle and its sum of ranks, in an order that shows no order of a file.

    Row i of an algorithm is the same run in each of its cells.

    Raises
    ------
    DesignError
        An algorithm lacks a task.
    """
    counts = blocks.counts[0]
    if (blocks.counts != counts).any():
        task, algorithm = np.argwhere(blocks.counts != counts)[0].tolist()
        raise DesignError(
            "shared runs are relabelled as a whole, so all algorithms need the same tasks; algorithm number "
            f"{int(blocks.algorithms[algorithm])} has other runs on task number {int(blocks.tasks[task])} (counted from 0); use "
            f"{choice('scores.select(tasks=...)', '--tasks')}, or compare pairs."
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


def refuse_unshareable(name: str, about: AboutTest, statistic: str) -> None:
    """Refuse what cannot be asked of runs that are scored on all tasks."""
    if about.averages:
        raise DesignError(
            f"{name} takes tasks for independent, but these runs are shared by all tasks ({option('runs', 'shared')}); use "
            f"{option('test', 'mack_skillings')}."
        )
    if statistic != "mean":
        raise DesignError(
            f"statistic={statistic!r} is not made for runs that are shared by all tasks ({option('runs', 'shared')}); use "
            f"{option('statistic', 'mean')}, or "
            f"{option('test', 'mack_skillings')}, which asks who tends to be ahead."
        )
