"""The heat of the tasks: one row for each algorithm, one column for each task, as many columns beside each other as a page holds."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

import numpy as np

from runoff.base.arrays import Floats
from runoff.report.answers.all import Answers
from runoff.report.words.numbers import decimals, interval, number
from runoff.results.aggregate import AggregateRecord
from runoff.words.numbers import MOST, estimated

SHADES = 9
"""Steps from the lowest run of a task to its highest."""
ABREAST = 12
"""Most columns of one table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The mean of a cell as the page shows it, its interval, its shade, and whether it is the best of its task."""

    estimate: str
    interval: str
    shade: int
    best: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One task: its place among all, its name, a cell for each algorithm of the order (None where there are no runs) and the decimals."""

    place: int
    task: str
    cells: tuple[Cell | None, ...]
    places: int


def columns(answers: Answers, order: tuple[str, ...]) -> list[Column]:
    """Return the column of each task; algorithms are in this order."""
    by_task: dict[str | None, dict[str, AggregateRecord]] = {}
    for record in answers.task_means.records:
        by_task.setdefault(record.task, {})[record.algorithm] = record
    return [
        _column(answers, place, task, by_task.get(task, {}), order) for place, task in enumerate(answers.scores.tasks)
    ]


def blocks(whole: list[Column]) -> list[list[Column]]:
    """Return the columns in tables that fit the page, as equal as can be.

    >>> [len(block) for block in blocks([None] * 26)]
    [9, 9, 8]
    """
    n = -(-len(whole) // ABREAST)
    sizes = [len(whole) // n + (k < len(whole) % n) for k in range(n)]
    starts = [sum(sizes[:k]) for k in range(n)]
    return [whole[start : start + size] for start, size in zip(starts, sizes, strict=True)]


def _column(
    answers: Answers, place: int, task: str, records: dict[str, AggregateRecord], order: tuple[str, ...]
) -> Column:
    runs = np.concatenate([answers.scores.cell(name, place) for name in order])
    places = decimals(records.values())
    texts = {name: _told(record, places) for name, record in records.items()}
    best = texts[max(records, key=lambda name: records[name].estimate)][0]
    cells = [_cell(records[name], texts[name], best, runs) if name in records else None for name in order]
    return Column(place=place, task=task, cells=tuple(cells), places=places)


def _told(record: AggregateRecord, places: int) -> tuple[str, str]:
    """Return the mean and its interval with these decimals, or with digits of their own where those show no width, or are too few."""
    low, high = record.low, record.high
    texts = number(record.estimate, places), interval(low, high, places)
    flat = low is not None and high is not None and low < high and number(low, places) == number(high, places)
    if not flat and places < MOST:
        return texts
    estimate, _, ends = estimated(record.estimate, low, high).partition(" ")
    return estimate, ends or texts[1]


def _cell(record: AggregateRecord, texts: tuple[str, str], best: str, runs: Floats) -> Cell:
    shown, ends = texts
    return Cell(
        estimate=shown,
        interval=ends,
        shade=shade(record.estimate, float(runs.min()), float(runs.max())),
        best=shown == best,
    )


def shade(value: float, low: float, high: float) -> int:
    """Return how far a value lies from the lowest to the highest, in steps.

    >>> shade(0, 0, 1), shade(0.5, 0, 1), shade(1, 0, 1), shade(3, 3, 3)
    (0, 4, 8, 0)
    """
    return min(SHADES - 1, floor(SHADES * (value - low) / (high - low))) if high > low else 0
