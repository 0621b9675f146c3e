"""The kinds of data that a method accepts, and the episodes of each run if a row is an episode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np

from runoff.base.arrays import Floats
from runoff.base.ports import reading
from runoff.data.provenance import Provenance
from runoff.errors import DataError
from runoff.tables.likely import plays
from runoff.tables.naming import natural
from runoff.tables.nested import NestedCells, steps_beside

CellName = tuple[str, str]
Episodes = dict[CellName, dict[str, Floats]]
"""The scores of the episodes of each run, by (algorithm, task), then run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRows:
    """The episodes of each run at its final step, notes on them, and the column of each role."""

    episodes: Episodes
    notes: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]


def is_path(given: object) -> TypeGuard[str | Path | list[str | Path]]:
    """Return whether an argument is a path."""
    listed = isinstance(given, list | tuple) and bool(given) and all(isinstance(entry, str | Path) for entry in given)
    return listed or isinstance(given, str | Path)


def is_table(given: Mapping[Any, Any], columns: Mapping[str, str | None]) -> bool:
    """Return whether a dictionary is a table: a key is a usual name of an algorithm column, and another one of a score column, or the first
    holds texts, which are no scores; or one holds the steps of the others."""
    names = [str(name) for name in given]
    texts = any(plays([str(name)], "algorithm", columns) and _are_texts(values) for name, values in given.items())
    named = plays(names, "algorithm", columns) and (texts or plays(names, "score", columns))
    return named or steps_beside(given) is not None


def _are_texts(values: object) -> bool:
    """Return whether values are a flat sequence of texts."""
    if isinstance(values, np.ndarray):
        values = values.tolist() if values.dtype.kind in "UOT" else ()
    return isinstance(values, list | tuple) and bool(values) and all(isinstance(value, str) for value in values)


def named_if_bare(given: Any) -> Any:
    """Return the runs of one algorithm that are a flat array of numbers as those of "x", as `compare(x, y)` calls them; others as they are."""
    if isinstance(given, np.ndarray):
        return {"x": given} if given.ndim == 1 and given.size and given.dtype.kind in "fiub" else given
    numbers = isinstance(given, list | tuple) and all(isinstance(value, Real) for value in given)
    return {"x": np.array(given, dtype=float)} if numbers and given else given


def grid_of_means(frame: Any, chosen: Mapping[str, str | None]) -> tuple[list[str], list[str], NestedCells, Provenance]:
    """Return algorithms, tasks, the mean of each run's episodes as a grid, and their origin."""
    rows: EpisodeRows | None = reading().episode_rows(frame, chosen)
    if rows is None:
        message = "one row per episode is needed, with the columns algorithm, run and score, not scores by algorithm and task."
        raise DataError(message)
    algorithms, tasks = (sorted({cell[i] for cell in rows.episodes}) for i in (0, 1))
    grid: NestedCells = {}
    for (a, t), runs in rows.episodes.items():
        labels = sorted(runs, key=natural)
        grid[algorithms.index(a), tasks.index(t)] = labels, np.array([float(runs[r].mean()) for r in labels])
    origin = Provenance(format="frame", columns=rows.columns).noting(*rows.notes)
    averaged = any(runs.size > 1 for cell in rows.episodes.values() for runs in cell.values())
    return algorithms, tasks, grid, origin.treating("episodes of one run are averaged") if averaged else origin
