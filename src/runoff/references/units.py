"""Do these scores look raw, or normalised already? A heuristic that refuses, and can be told that it errs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runoff._arrays import Floats
from runoff._speech import choice
from runoff.errors import DataError

WIDE = 50.0
"""Only tasks whose reference range is at least this wide tell raw from normalised scores."""
SMALL = 15.0
"""Normalised scores of all published agents lie mostly within ±SMALL; raw ones on wide tasks do not."""


def refuse_normalised(
    algorithms: Sequence[str], tasks: Sequence[str], cells: Sequence[Sequence[Floats]], pairs: Floats
) -> None:
    """Refuse an algorithm that on most wide tasks scores as if it had been normalised already.

    Raises
    ------
    DataError
        Naming the algorithm, the tasks and, where there is one, an algorithm in raw units.
    """
    wide = [t for t, (low, high) in enumerate(pairs) if abs(high - low) >= WIDE]
    suspects = {a: _small_tasks(cells[a], wide) for a in range(len(algorithms))}
    told = {a: found for a, found in suspects.items() if 2 * len(found) > sum(_tells(cells[a][t]) for t in wide)}
    if not told:
        return
    first = min(told)
    task = told[first][0]
    raw = [algorithms[a] for a in suspects if a not in told and any(_tells(cells[a][t]) for t in wide)]
    others = f" while algorithm {raw[0]!r} is in raw units" if raw else ""
    raise DataError(
        f"algorithm {algorithms[first]!r} looks normalised already on {len(told[first])} task(s), for example {tasks[task]!r} "
        f"(scores up to {np.abs(cells[first][task]).max():.3g}, reference {pairs[task][0]:g} to {pairs[task][1]:g}){others}; "
        f"bring all algorithms to one unit, or pass {choice('check_units=False', '--assume-raw')} if these are raw scores."
    )


def _small_tasks(cells: Sequence[Floats], wide: Sequence[int]) -> list[int]:
    return [t for t in wide if _tells(cells[t]) and bool(np.abs(cells[t]).max() <= SMALL)]


def _tells(cell: Floats) -> bool:
    """Return whether a cell can tell: one that is empty or all zero looks the same in both units."""
    return bool(cell.size and np.any(cell))
