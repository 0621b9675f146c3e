"""One arrangement of the same runs, whatever the order of rows, tasks and algorithms they came in.

Draws are made along the storage, so without this a p-value by Monte Carlo would depend, within its error, on the order of a file.
"""

from __future__ import annotations

import numpy as np

from runoff._inference.blocked.design import Blocks, blocks_of
from runoff.base.arrays import Floats


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
    """Return the sorted numbers of every cell, [task][algorithm]."""
    n, k = blocks.counts.shape
    cells = [np.sort(cell) for cell in np.split(flat, np.cumsum(blocks.counts.ravel())[:-1])]
    return [cells[i * k : (i + 1) * k] for i in range(n)]
