"""The rows of what was given, and the episodes of each run where a row is an episode."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np

from runoff.base.arrays import Floats
from runoff.base.ports import reading
from runoff.data.provenance import Provenance
from runoff.errors import DataError, warn
from runoff.tables.columns import plays
from runoff.tables.labels import natural
from runoff.tables.nested import NestedCells
from runoff.tables.others import refuse_failed_rows
from runoff.tables.tidy import SourceTable, table_of, tidy
from runoff.words.numbers import span

CellName = tuple[str, str]
Episodes = dict[CellName, dict[str, Floats]]
"""The scores of the episodes of each run, by (algorithm, task), then run."""


def as_table(given: Any, columns: Mapping[str, str | None]) -> tuple[SourceTable, Mapping[str, str | None]] | None:
    """Return the rows of what a method was given and which columns still have to be found; None if they are scores by algorithm and task."""
    if is_path(given):
        named = {role: name for role, name in columns.items() if name is not None}
        return reading().read_rows(given, columns=named), {}
    return None if isinstance(given, Mapping) and not is_table(given, columns) else (table_of(given), columns)


def is_path(given: object) -> TypeGuard[str | Path | list[str | Path]]:
    """Return whether something names files."""
    listed = isinstance(given, list | tuple) and bool(given) and all(isinstance(entry, str | Path) for entry in given)
    return listed or isinstance(given, str | Path)


def is_table(given: Mapping[Any, Any], columns: Mapping[str, str | None]) -> bool:
    """Return whether a dictionary holds columns: one is called as scores are, one as algorithms are."""
    names = [str(name) for name in given]
    return plays(names, "score", columns) and plays(names, "algorithm", columns)


def episodes_of(
    table: SourceTable, chosen: Mapping[str, str | None]
) -> tuple[Episodes, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return the episodes at each run's final step, notes about them, of which it warns, and the column of each role."""
    stepped = plays(list(table.columns), "step", chosen)
    roles = {role: column for role, column in chosen.items() if role != "step" or stepped}
    data = tidy(table, chosen=roles, with_step=stepped)
    refuse_failed_rows(table, data.mapping)
    # Several rows of one run at its last step are the episodes of its evaluation there.
    rows: dict[CellName, dict[str, list[int]]] = {}
    for index, (a, t, r) in enumerate(zip(*(data.labels[role] for role in ("algorithm", "task", "run")), strict=True)):
        rows.setdefault((a, t), {}).setdefault(r, []).append(index)
    episodes: Episodes = {}
    for cell, runs in sorted(rows.items()):
        episodes[cell] = {}
        for r, indices in runs.items():
            at = np.array(indices)
            # Its own last step: runs of one table may have been logged to different ones.
            ends = at if data.step is None else at[data.step[at] == data.step[at].max()]
            episodes[cell][r] = data.score[ends]
    notes = (*data.notes, *_repeated(episodes))
    for note in notes:
        warn(note + ".")
    return episodes, notes, tuple(data.mapping.items())


def grid_of_means(frame: Any, chosen: Mapping[str, str | None]) -> tuple[list[str], list[str], NestedCells, Provenance]:
    """Return algorithms, tasks, the mean of each run's episodes as a grid, and where they come from."""
    rows = as_table(frame, chosen)
    if rows is None:
        message = "one row per episode is needed, with the columns algorithm, run and score, not scores by algorithm and task."
        raise DataError(message)
    episodes, notes, columns = episodes_of(*rows)
    algorithms, tasks = (sorted({cell[i] for cell in episodes}) for i in (0, 1))
    grid: NestedCells = {}
    for (a, t), runs in episodes.items():
        labels = sorted(runs, key=natural)
        grid[algorithms.index(a), tasks.index(t)] = labels, np.array([float(runs[r].mean()) for r in labels])
    origin = Provenance(format="frame", columns=columns).noting(*notes)
    averaged = any(runs.size > 1 for cell in episodes.values() for runs in cell.values())
    return algorithms, tasks, grid, origin.treating("episodes of one run are averaged") if averaged else origin


def _repeated(table: Episodes) -> list[str]:
    sizes = [episodes.size for runs in table.values() for episodes in runs.values()]
    if max(sizes) == 1:
        return []
    return [
        f"{sum(sizes)} scores belong to {len(sizes)} runs, {span(sizes)} each: they are evaluation episodes of these runs, not runs, and were "
        f"averaged by run; n is {len(sizes)}, not {sum(sizes)}"
    ]
