"""Do these scores look raw, or normalised already? A heuristic that refuses, and can be told that it errs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runoff.base.arrays import Floats
from runoff.errors import DataError
from runoff.words.speech import choice

WIDE = 50.0
"""Only tasks whose reference range is at least this wide tell raw from normalised scores."""
SMALL = 15.0
"""Normalised scores of all published agents lie mostly within ±SMALL; raw ones on wide tasks do not."""
VERY_WIDE = 1000.0
"""Only tasks whose reference range is wider tell raw scores from percentages of the reference."""
PERCENT = 30.0, 150.0
"""Percentages of agents that learned something lie mostly below the second, and one of them above the first."""


def refuse_normalised(
    algorithms: Sequence[str], tasks: Sequence[str], cells: Sequence[Sequence[Floats]], pairs: Floats
) -> None:
    """Refuse an algorithm that on most wide tasks scores as if it had been normalised already.

    Raises
    ------
    DataError
        Naming the algorithm, the tasks and, where there is one, an algorithm in raw units.
    """
    ranges = np.abs(pairs[:, 1] - pairs[:, 0])
    small = _told(cells, np.flatnonzero(ranges >= WIDE).tolist(), SMALL)
    percent = {
        a: tasks
        for a, tasks in _told(cells, np.flatnonzero(ranges > VERY_WIDE).tolist(), PERCENT[1]).items()
        if a not in small and max(np.abs(cells[a][t]).max() for t in tasks) >= PERCENT[0]
    }
    if not small and not percent:
        return
    told = small or percent
    first = min(told)
    task = told[first][0]
    raw = [
        name for a, name in enumerate(algorithms) if a not in small and a not in percent and any(map(_tells, cells[a]))
    ]
    others = f" while algorithm {raw[0]!r} is in raw units" if raw else ""
    how = "" if small else " in percent (0-100)"
    repair = "" if small or raw else "take --normalize percent, which maps 0-100 to 0-1, "
    raise DataError(
        f"algorithm {algorithms[first]!r} looks normalised already{how} on {len(told[first])} task(s), for example {tasks[task]!r} "
        f"(scores up to {np.abs(cells[first][task]).max():.3g}, reference {pairs[task][0]:g} to {pairs[task][1]:g}){others}; {repair}"
        f"bring all algorithms to one unit, or pass {choice('check_units=False', '--assume-raw')} if these are raw scores."
    )


def _told(cells: Sequence[Sequence[Floats]], wide: Sequence[int], limit: float) -> dict[int, list[int]]:
    """Return, for each algorithm that stays below the limit on most of the wide tasks that tell, those tasks."""
    found = {}
    for a, row in enumerate(cells):
        telling = [t for t in wide if _tells(row[t])]
        below = [t for t in telling if np.abs(row[t]).max() <= limit]
        if 2 * len(below) > len(telling):
            found[a] = below
    return found


def _tells(cell: Floats) -> bool:
    """Return whether a cell can tell: one that is empty or all zero looks the same in both units."""
    return bool(cell.size and np.any(cell))
