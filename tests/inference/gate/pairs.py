"""Pairs of runs for the tests of the gate."""

from __future__ import annotations

import numpy as np

from runoff._inference.pairs import PairData


def pair_of(x, y, **more) -> PairData:
    """Return cells as a pair."""
    cells = [[np.asarray(cell, np.float64) for cell in side] for side in (x, y)]
    return PairData(
        a="baseline", b="candidate", x=cells[0], y=cells[1], tasks=[f"task {t}" for t in range(len(x))], **more
    )


def drawn(sizes, drops, seed=0, **more) -> PairData:
    """Return normal runs, the candidate's lower by the drops."""
    rng = np.random.default_rng(seed)
    x = [rng.normal(size=sizes[0]) for _ in drops]
    return pair_of(x, [rng.normal(size=sizes[1]) - drop for drop in drops], **more)
