"""The fewest runs that are enough, where more are enough too."""

from __future__ import annotations

from collections.abc import Callable

LEAST, MOST_RUNS = 2, 10_000_000


def fewest(enough: Callable[[int], bool], most: int) -> int | None:
    """Return the fewest runs that are enough, from `LEAST` on, where more are enough too; None if `most` are too few."""
    high = LEAST
    # Doubled, then halved: some 2 log₂ n questions, where each may cost a simulation.
    while not enough(high):
        if high == most:
            return None
        high = min(2 * high, most)
    return halved(enough, high // 2, high)


def halved(enough: Callable[[int], bool], low: int, high: int) -> int:
    """Return the fewest runs that are enough, where `high` are and `low` are not."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
