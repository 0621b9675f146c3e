"""Runs that are one run twice: learning curves that are equal, wholly or from a step on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from runoff.base.arrays import Floats, Ints
from runoff.data.provenance import Caveat

WHOLE, TAIL = 4, 10
"""Evaluations that two runs must share, as the whole of them or at their end, with 4 different scores among them."""
DIFFERENT = 4


def twins(
    curves: Sequence[tuple[Floats, Floats]],
    cells: Ints,
    n_tasks: int,
    named: Callable[[int], str],
    algorithms: Sequence[str],
) -> tuple[Caveat, ...]:
    """Return a caveat of curves (steps, scores) of one task that are equal, wholly or from a step on; cells: as algorithm · n_tasks + task."""
    found: dict[tuple[int, bytes], int] = {}
    pairs: list[tuple[int, int]] = []
    for i, (steps, values) in enumerate(curves):
        size = min(values.size, TAIL)
        if size < WHOLE or np.unique(values[-size:]).size < DIFFERENT:
            continue
        key = int(cells[i]) % n_tasks, steps[-size:].tobytes() + values[-size:].tobytes()
        other = found.setdefault(key, i)
        if other != i:
            pairs.append((other, i))
    if not pairs:
        return ()
    a, b = pairs[0]
    them, more = ("of each pair", f", as in {len(pairs) - 1} more") if len(pairs) > 1 else ("of them", "")
    subjects = tuple(dict.fromkeys(algorithms[int(cells[i]) // n_tasks] for pair in pairs for i in pair))
    text = (
        f"leave one {them} out: {named(a)} and {named(b)} are one run{_since(curves[a], curves[b])}{more}; every number of theirs is equal, so "
        "one run was counted twice."
    )
    return (Caveat(code="R023", severity="warning", text=text, subjects=subjects),)


def _since(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> str:
    """Return from where on two curves with one end are equal, in words; nothing where they are equal from their start."""
    size = min(a[1].size, b[1].size)
    differ = np.flatnonzero((a[0][-size:] != b[0][-size:]) | (a[1][-size:] != b[1][-size:]))
    if differ.size == 0 and a[1].size == b[1].size:
        return ""
    first = int(differ[-1]) + 1 if differ.size else 0
    return f" from step {a[0][-size:][first]:.10g} on"
