"""The tasks: a table of shaded means, and every run of a task as a dot.

`columns` has a cell for each algorithm and task; `strips` draws one row of dots for each algorithm, with its mean and its interval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor

import numpy as np
from markupsafe import Markup

from runoff.answer.aggregate import AggregateRow
from runoff.base.arrays import Floats
from runoff.data.scores import Scores
from runoff.page.answers.all import Answers
from runoff.page.sheet.svg import at, text
from runoff.page.words.paragraph import decimals
from runoff.plots._places import spread
from runoff.plots._ticks import end_labels
from runoff.words.numbers import MOST, estimate_parts, interval, number

SHADES = 9
"""Steps from the lowest run of a task to its highest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskCell:
    """The mean of a cell as the page shows it, its interval, its shade, and whether it is the best of its task."""

    estimate: str
    interval: str
    shade: int
    best: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRow:
    """One task: its place among all, its name, a cell for each algorithm of the order (None where there are no runs) and the decimals."""

    place: int
    task: str
    cells: tuple[TaskCell | None, ...]
    places: int


def columns(answers: Answers, order: tuple[str, ...]) -> list[TaskRow]:
    """Return the column of each task; algorithms are in this order."""
    records: dict[str | None, dict[str, AggregateRow]] = {task: {} for task in answers.scores.tasks}
    for record in answers.task_means.rows:
        records[record.task][record.algorithm] = record
    return [_column(answers.scores, place, records[task], order) for place, task in enumerate(answers.scores.tasks)]


def _column(scores: Scores, place: int, records: Mapping[str, AggregateRow], order: tuple[str, ...]) -> TaskRow:
    # Shades are from the lowest to the highest run of the task, not of its means: two means close together look
    # alike.
    runs = np.concatenate([scores.cell(name, place) for name in order])
    places = decimals(records.values())
    texts = {name: _told(record, places) for name, record in records.items()}
    # By the text: means that are shown as equal are all bold, though they differ in a digit that nobody sees.
    best = texts[max(records, key=lambda name: records[name].estimate)][0]
    shades = {name: shade(record.estimate, float(runs.min()), float(runs.max())) for name, record in records.items()}
    cells = {
        name: TaskCell(estimate=shown, interval=ends, shade=shades[name], best=shown == best)
        for name, (shown, ends) in texts.items()
    }
    return TaskRow(place=place, task=scores.tasks[place], cells=tuple(map(cells.get, order)), places=places)


def _told(record: AggregateRow, places: int) -> tuple[str, str]:
    """Return the mean and its interval with these decimals, or with digits of their own where those show no width, or are too few."""
    low, high = record.low, record.high
    texts = number(record.estimate, places), interval(low, high, places)
    # A row has the decimals that most of its intervals support; one that they would show without width has
    # digits of its own.
    flat = low is not None and high is not None and low < high and number(low, places) == number(high, places)
    if not flat and places < MOST:
        return texts
    estimate, ends = estimate_parts(record.estimate, low, high)
    return estimate, ends or texts[1]


def shade(value: float, low: float, high: float) -> int:
    """Return how far a value lies from the lowest to the highest, in steps.

    >>> shade(0, 0, 1), shade(0.5, 0, 1), shade(1, 0, 1), shade(3, 3, 3)
    (0, 4, 8, 0)
    """
    # The highest value would have a step of its own beyond the last one.
    return min(SHADES - 1, floor(SHADES * (value - low) / (high - low))) if high > low else 0


WIDE, ROW, TOP, FOOT = 720, 30, 6, 26
"""Sizes of the drawing in units, two of which make a pixel on a narrow screen."""
LETTER = 10.6
"""The width of a character in the mean, on average."""
LABEL, GAP = 196, 16
MOST_RUNS = 20_000
"""The most runs that are drawn one by one; of more, the page shows the quarters, and the CSV tables have the runs."""
MOST_TASKS = 2_000
"""The most tasks whose runs are drawn: of the 14,000 questions of MMLU a browser would have to lay out 14,000 drawings."""


def tasks_are_drawn(scores: Scores) -> bool:
    return scores.n_tasks <= MOST_TASKS


def runs_are_drawn(scores: Scores) -> bool:
    return scores.values.size <= MOST_RUNS and tasks_are_drawn(scores)


def strips(
    scores: Scores, task: int, cells: Sequence[TaskCell | None], labels: Mapping[str, str], classes: Mapping[str, str]
) -> Markup:
    """Return the drawing of one task; algorithms come in the order of `scores`, and `cells` are those of the table."""
    runs = [scores.cell(a, task) for a in range(scores.n_algorithms)]
    seen = np.concatenate(runs)
    numbers = ["no scores" if cell is None else f"{cell.estimate} {cell.interval}".removesuffix(" –") for cell in cells]
    right = WIDE - LETTER * max(map(len, numbers)) - GAP
    axis = _Axis(low=float(seen.min()), high=float(seen.max()), left=LABEL + GAP, right=max(right, LABEL + 150))
    draw = _dots if runs_are_drawn(scores) else _quarters
    rows = [
        Markup('<g class="{}">{}{}{}</g>').format(
            classes[name],
            text(labels[name], None, _middle(row) + 6),
            draw(runs[row], axis, row) + _mean(runs[row], axis, row) if runs[row].size else "",
            text(numbers[row], WIDE, _middle(row) + 6),
        )
        for row, name in enumerate(scores.algorithms)
    ]
    return Markup('<svg role="img" aria-label="{}" viewBox="0 0 {} {}" data-at="{}">{}{}</svg>').format(
        f"Runs on {scores.tasks[task]}",
        WIDE,
        TOP + ROW * len(rows) + FOOT,
        f"{at(axis.left)} {at(axis.right)} {axis.low:.9g} {axis.high:.9g}",
        Markup("").join(rows),
        _ends(axis, TOP + ROW * len(rows)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Axis:
    """The horizontal axis: where on the drawing a score lies."""

    low: float
    high: float
    left: float
    right: float

    def x(self, scores: Floats) -> Floats:
        # All runs of the task are one score: its dots stand in the middle.
        if self.high <= self.low:
            return np.full(scores.shape, (self.left + self.right) / 2)
        shares: Floats = (scores - self.low) / (self.high - self.low)
        return self.left + (self.right - self.left) * shares


def _middle(row: int) -> float:
    return TOP + ROW * (row + 0.5)


def _dots(runs: Floats, axis: _Axis, row: int) -> Markup:
    """Return the runs as dots in steps of two units across and four upright; of neighbours one above the other, the line that they make."""
    xs, ys = axis.x(runs), _middle(row) + ROW * spread(runs.size)
    lines: list[list[int]] = []
    # Two units are a pixel on a narrow screen. Dots on each other are drawn once, and those above each other as
    # one line: thousands of runs of success rates are a few marks.
    places = np.stack([np.rint(xs / 2), 2 * np.rint(ys / 4)], axis=1).astype(int)
    for x, y in np.unique(places, axis=0).tolist():
        if lines and lines[-1][0] == x and lines[-1][2] >= y - 2:
            lines[-1][2] = y
        else:
            lines.append([x, y, y])
    # Relative moves have fewer digits. A line of no length ("z") is a round dot by the cap of its stroke.
    steps, at_x, at_y = [], 0, 0
    for x, low, high in lines:
        steps.append(f"m{x - at_x} {low - at_y}{f'v{high - low}' if high > low else 'z'}".replace(" -", "-"))
        at_x, at_y = x, high
    return Markup(f'<path class="d" d="{"".join(steps)}"/>')


def _quarters(runs: Floats, axis: _Axis, row: int) -> Markup:
    """Return the range of the runs as a thin line, and the middle half of them as a thick one."""
    low, first, third, high = axis.x(np.quantile(runs, (0.0, 0.25, 0.75, 1.0)))
    y = at(_middle(row))
    return Markup(f'<path class="r" d="M{at(low)} {y}H{at(high)}"/><path class="h" d="M{at(first)} {y}H{at(third)}"/>')


def _mean(runs: Floats, axis: _Axis, row: int) -> Markup:
    x, y = at(float(axis.x(np.array([runs.mean()]))[0])), _middle(row)
    return Markup(f'<path class="e" d="M{x} {at(y - 12)}v24"/>')


def _ends(axis: _Axis, y: float) -> Markup:
    line = Markup(f'<path class="axis" d="M{at(axis.left)} {at(y + 2)}H{at(axis.right)}"/>')
    low, high = end_labels(axis.low, axis.high, least=4) or ("", "")
    if axis.high <= axis.low:
        return line + text(low, (axis.left + axis.right) / 2, y + 22, class_="mid")
    return line + text(low, axis.left, y + 22) + text(high, axis.right, y + 22, class_="end")
