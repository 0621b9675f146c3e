"""What people read of data: how many runs there are, and the range of their scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runoff.base.arrays import Floats
from runoff.cells import Column, Name, Table
from runoff.data.base import RunData
from runoff.words.names import capital
from runoff.words.nouns import OF_RUNS
from runoff.words.numbers import counted, digits, span

FEW_TASKS = 3
"""The largest number of tasks with a column each: more would not fit beside the names of algorithms in a terminal of 80 columns."""


def of_runs(data: RunData, ends: Sequence[Sequence[Floats]], scores: str) -> Table:
    """Return a table of the number of runs (or episodes, or attempts) and the range of scores by algorithm, and by task if there are few.

    ends: one score of each run, by algorithm, then task; scores: the word for them, "score" or "last score"
    """
    algorithms, tasks, of = data.algorithms, data.tasks, data.nouns
    present = [[cell for cell in own if cell.size] for own in ends]
    # Of episodes that succeed or fail the range says nothing, and the number of successes is what people know them by.
    rates = of != OF_RUNS and all(np.isin(cell, (0.0, 1.0)).all() for own in present for cell in own)
    columns = [Column(key="algorithm", head=capital(of.algorithm), cells=[Name(name) for name in algorithms])]
    if few := len(tasks) <= FEW_TASKS:
        for task, column in zip(tasks, zip(*ends, strict=True), strict=True):
            texts = [_cell_words(cell, of.run, rates=rates) if cell.size else None for cell in column]
            columns.append(Column(key=task, head=Name(task, "task"), cells=texts, numeric=True))
    else:
        sizes = [span([cell.size for cell in own]) for own in present]
        columns += [
            Column(key="tasks", head=capital(of.tasks), cells=list(map(len, present))),
            Column(key="runs", head=f"{capital(of.runs)} per {of.task}", cells=sizes, numeric=True),
            Column(key="scores", head="Successes", cells=[_won(own) for own in present], numeric=True)
            if rates
            else Column(key="scores", head=f"{capital(scores)}s", cells=[_range(own) for own in present], numeric=True),
        ]
    if steps := dict(data.provenance.steps):
        columns.append(Column(key="steps", head="Steps", cells=list(map(steps.get, algorithms)), numeric=True))
    return Table(
        role="data",
        title=f"{capital(of.runs)} by {of.algorithm}{f' and {of.task}' if few else ''}",
        caption=f"How many {of.runs} {'succeeded' if rates else f'there are, and the range of their {scores}s'}.",
        columns=tuple(columns),
    )


def _cell_words(cell: Floats, run: str, *, rates: bool) -> str:
    """Return the number of runs with the range of their scores, or how many of them succeeded."""
    if not rates:
        return f"{counted([cell.size], run)}: {_range([cell])}"
    return f"{int(cell.sum())} of {counted([cell.size], run)}: {digits(100 * float(cell.mean()))}\u00a0%"


def _won(cells: Sequence[Floats]) -> str:
    return f"{sum(int(cell.sum()) for cell in cells)} of {sum(cell.size for cell in cells)}"


def _range(cells: Sequence[Floats]) -> str:
    """Return the range of all values in words: "12 to 20"."""
    low, high = (digits(float(end)) for end in (min(c.min() for c in cells), max(c.max() for c in cells)))
    return low if low == high else f"{low} to {high}"
