"""Rows that sum up others: a mean, a standard deviation or a total where the other rows are runs, tasks or algorithms."""

from __future__ import annotations

import warnings

import numpy as np

from runoff.base.arrays import Bools
from runoff.errors import DataError, RunoffWarning
from runoff.tables.columns import listed
from runoff.tables.tidy import Table, Tidy
from runoff.words.words import canonical, is_summary, vocabulary

WITHIN = {"run": ("algorithm", "task"), "task": ("algorithm",), "algorithm": ()}
"""Role -> the roles that rows share with those that they sum up."""

INITIALS = vocabulary("se sd ci")
"""Short for what sums up runs; of an algorithm or a task they may be the initials."""


def without_summaries(table: Table, data: Tidy) -> tuple[Table, Tidy]:
    """Return the rows that are runs, with a warning about those that sum up others; refuse summaries of what is not there.

    A name such as `mean` that all rows have in one role is the name of their algorithm or task.
    """
    kept = np.ones(data.score.size, dtype=np.bool_)
    notes = []
    for role in WITHIN:
        labels = data.labels[role]
        names = sorted(
            name
            for name in labels.names
            if not name.isdecimal() and is_summary(name) and (role == "run" or canonical(name) not in INITIALS)
        )
        summing = labels.rows(names)
        if not summing.any() or (role != "run" and summing.all()):
            continue
        _refuse_without_parts(table, data, role, summing)
        kept &= ~summing
        notes.append(
            f"left out: {int(summing.sum())} row(s) of {role} {listed(names)}, which sum up the other {role}s; give what is no summary another "
            "name"
        )
    if not notes:
        return table, data
    for note in notes:
        warnings.warn(f"{table.place}: {note}", RunoffWarning, stacklevel=4)
    rows = np.flatnonzero(kept)
    return table.some_rows(rows), data.some_rows(rows, *notes)


def _refuse_without_parts(table: Table, data: Tidy, role: str, summing: Bools) -> None:
    """Refuse summaries whose algorithm and task, or algorithm, has no other rows."""
    keys = list(zip(*(data.labels[name] for name in WITHIN[role]), strict=True)) or [()] * data.score.size
    with_parts = {key for key, sums in zip(keys, summing.tolist(), strict=True) if not sums}
    bare = next((i for i in np.flatnonzero(summing).tolist() if keys[i] not in with_parts), None)
    if bare is not None:
        whose = " on ".join(f"{name} {data.labels[name][bare]!r}" for name in WITHIN[role])
        raise DataError(
            f"{table.place}, {table.row(bare)}: {role} {data.labels[role][bare]!r} sums up {role}s of {whose} that are not there; give the "
            f"score of every {role}, or another name to what is no summary."
        )
