"""Curves that are one run twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from runoff.base.arrays import Floats, Ints
from runoff.data.copies import in_one_precision
from runoff.data.provenance import Caveat

WHOLE, TAIL = 4, 10
"""How many equal evaluations show that two curves are one run: all of two short curves, or the last of longer curves."""
DIFFERENT = 4
"""Least number of different scores among these evaluations: constant curves, as on a solved task, may be equal without being one run."""


def twins(
    curves: Sequence[tuple[Floats, Floats]],
    cells: Ints,
    n_tasks: int,
    named: Callable[[int], str],
    algorithms: Sequence[str],
) -> tuple[Caveat, ...]:
    """Return a caveat about curves (steps, scores) of one task that are equal, wholly or from some step on; cells: algorithm · n_tasks +
    task."""
    first_with: dict[tuple[int, bytes], int] = {}
    pairs: list[tuple[int, int]] = []
    # All tails at once: a copy may hold the same run in single precision, and one table is asked about all values.
    tails = in_one_precision(np.concatenate([values[-TAIL:] for _, values in curves]))
    starts = np.cumsum([0, *(min(values.size, TAIL) for _, values in curves)])
    for i, (steps, _) in enumerate(curves):
        tail = tails[starts[i] : starts[i + 1]]
        if tail.size < WHOLE:
            continue
        key = int(cells[i]) % n_tasks, steps[-tail.size :].tobytes() + tail.tobytes()
        other = first_with.setdefault(key, i)
        # Different scores are counted last, for few curves have the end of another.
        if other != i and np.unique(tail).size >= DIFFERENT:
            pairs.append((other, i))
    if not pairs:
        return ()
    a, b = pairs[0]
    them, more = ("of each pair", f", as in {len(pairs) - 1} more") if len(pairs) > 1 else ("of them", "")
    since = _since(curves[a], curves[b])
    subjects = tuple(dict.fromkeys(algorithms[int(cells[i]) // n_tasks] for pair in pairs for i in pair))
    text = (
        f"leave one {them} out: {named(a)} and {named(b)} are one run{since}{more}; every number of theirs{' there' * bool(since)} is equal, so "
        f"one run {'seems to be' if since else 'was'} counted twice."
    )
    return (Caveat(code="R023", severity="warning", text=text, subjects=subjects),)


def _since(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> str:
    """Return the words for the step from which two curves with the same end are equal; "" if they are equal from the start."""
    size = min(a[1].size, b[1].size)
    mine, theirs = np.split(in_one_precision(np.concatenate([a[1][-size:], b[1][-size:]])), 2)
    differ = np.flatnonzero((a[0][-size:] != b[0][-size:]) | (mine != theirs))
    if differ.size == 0 and a[1].size == b[1].size:
        return ""
    first = int(differ[-1]) + 1 if differ.size else 0
    return f" from step {a[0][-size:][first]:.10g} on"
