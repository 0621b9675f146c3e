"""Are neighbours in lines of numbers alike, as along a learning curve?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runoff.base.arrays import Floats

FEWEST = 6
"""The fewest neighbours whose order is tested."""
SHUFFLES = 2000
ROUNDING = 1e-12
SMOOTH = 0.5
"""Von Neumann's ratio, 1 for an order that means nothing, below which neighbours are alike."""


def is_smooth(lines: Sequence[Floats]) -> bool:
    """Return whether neighbours in lines of numbers are alike: by von Neumann's ratio, beside that of 2,000 orders of the places.

    All lines of one length are put in the same order, for runs share what is special of a task.

    >>> is_smooth([np.linspace(0, 1, 50) ** 2]), is_smooth([np.array([3.0, 1.0, 4.0, 1.5, 5.0, 9.0, 2.0, 6.0])])
    (True, False)
    """
    by_length: dict[int, list[Floats]] = {}
    for line in lines:
        if line.size >= FEWEST and np.ptp(line) > 0:
            by_length.setdefault(line.size, []).append((line - line.mean()) / line.std())
    return any(_smooth(np.array(group)) for group in by_length.values())


def _smooth(lines: Floats) -> bool:
    rng = np.random.default_rng(0)
    products = lines.T @ lines / lines.shape[0]  # of places: their mean product over all lines
    places = np.arange(lines.shape[1])

    def ratio(order: np.ndarray) -> float:
        here, there = order[:-1], order[1:]
        squares = products[here, here] + products[there, there] - 2 * products[here, there]
        return float(squares.mean() / 2)

    own = ratio(places)
    # the order itself, and its reverse, may come again
    return own < SMOOTH and all(own <= ratio(rng.permutation(places)) + ROUNDING for _ in range(SHUFFLES))
