"""Runs whose rows go back in step, as those of a resumed training do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from runoff.base.arrays import Floats, Ints
from runoff.data.provenance import Caveat
from runoff.tables.tidy import Table


def going_back(
    table: Table, order: Ints, starts: Ints, steps: Floats, labels: Mapping[str, Sequence[str]]
) -> tuple[Caveat, ...]:
    """Return the caveat of runs whose rows go back in step now and then (R402): shuffled rows do so at every second row, sorted ones never."""
    found = []
    for start, stop in pairwise((*starts.tolist(), order.size)):
        rows = order[start:stop]
        written = np.argsort(rows, kind="stable")
        own = steps[start:stop][written]
        drops = np.flatnonzero((own[1:] < own[:-1]) & (own[1:] > np.minimum.accumulate(own)[:-1]))
        if 0 < drops.size <= max(1, own.size // 10):
            found.append((int(rows[written[drops[0] + 1]]), own[drops[0]], own[drops[0] + 1]))
    if not found:
        return ()
    row, before, after = found[0]
    a, t, r = (labels[role][row] for role in ("algorithm", "task", "run"))
    more = f", and in {len(found) - 1} more run{'s' * (len(found) > 2)}" if len(found) > 1 else ""
    text = (
        f"leave out what was trained again: steps go back from {before:.10g} to {after:.10g} in {table.row(row)} (algorithm {a!r}, task {t!r}, "
        f"run {r!r}){more}, as where a run was resumed from a checkpoint; scores of both stretches are in one curve, sorted by step."
    )
    return (
        Caveat(
            code="R402",
            severity="warning",
            text=text,
            subjects=tuple(dict.fromkeys(labels["algorithm"][i] for i, *_ in found)),
        ),
    )
