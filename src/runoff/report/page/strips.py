"""Every run of a task as a dot, one row for each algorithm, with its mean and its interval: small enough to stand on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from markupsafe import Markup

from runoff.base.arrays import Floats
from runoff.data.scores import Scores
from runoff.plots._runs import spread
from runoff.plots._text import tick_label
from runoff.report.page.heat import Cell
from runoff.report.page.svg import at, text

WIDE, ROW, TOP, FOOT = 720, 30, 6, 26
"""Units; two make a pixel on a narrow screen."""
LETTER = 10.6
"""The width of a character in the mean, on average."""
LABEL, GAP = 196, 16
MOST = 20_000
"""More runs than this are left to the CSV tables: the page shows where their quarters lie."""


def runs_are_drawn(scores: Scores) -> bool:
    """Return whether each run has a dot."""
    return scores.values.size <= MOST


def strips(
    scores: Scores, task: int, cells: Sequence[Cell | None], labels: Mapping[str, str], classes: Mapping[str, str]
) -> Markup:
    """Return the drawing of one task; algorithms come in the order of `scores`, and `cells` are those of the table."""
    runs = [scores.cell(a, task) for a in range(scores.n_algorithms)]
    seen = np.concatenate(runs)
    numbers = ["no runs" if cell is None else f"{cell.estimate} {cell.interval}".removesuffix(" –") for cell in cells]
    right = WIDE - LETTER * max(map(len, numbers)) - GAP
    axis = _Axis(low=float(seen.min()), high=float(seen.max()), left=LABEL + GAP, right=max(right, LABEL + 150))
    draw = _dots if runs_are_drawn(scores) else _quarters
    rows = [
        Markup('<g class="{}">{}{}{}{}</g>').format(
            classes[name],
            text(labels[name], 0, _middle(row) + 6),
            draw(runs[row], axis, row),
            _mean(runs[row], axis, row),
            text(numbers[row], WIDE, _middle(row) + 6, class_="end"),
        )
        for row, name in enumerate(scores.algorithms)
    ]
    return Markup('<svg role="img" aria-label="{}" viewBox="0 0 {} {}" data-at="{}">{}{}</svg>').format(
        f"Runs on {scores.tasks[task]}",
        WIDE,
        TOP + ROW * len(rows) + FOOT,
        f"{at(axis.left)} {at(axis.right)} {axis.low!r} {axis.high!r}",
        Markup("").join(rows),
        _ends(axis, TOP + ROW * len(rows)),
    )


class _Axis:
    """Where scores lie."""

    def __init__(self, *, low: float, high: float, left: float, right: float) -> None:
        self.low, self.high, self.left, self.right = low, high, left, right

    def x(self, scores: Floats) -> Floats:
        if self.high <= self.low:
            return np.full(scores.shape, (self.left + self.right) / 2)
        shares: Floats = (scores - self.low) / (self.high - self.low)
        return self.left + (self.right - self.left) * shares


def _middle(row: int) -> float:
    return TOP + ROW * (row + 0.5)


def _dots(runs: Floats, axis: _Axis, row: int) -> Markup:
    """Return one path of dots, each told from the one before it, from left to right."""
    xs = np.rint(axis.x(runs)).astype(int)
    ys = np.rint(_middle(row) + ROW * spread(runs.size)).astype(int)
    order = np.lexsort((ys, xs))
    steps, last = [], (0, 0)
    for x, y in zip(xs[order].tolist(), ys[order].tolist(), strict=True):
        steps.append(f"m{x - last[0]} {y - last[1]}z".replace(" -", "-"))
        last = (x, y)
    return Markup(f'<path class="d" d="{"".join(steps)}"/>') if steps else Markup("")


def _quarters(runs: Floats, axis: _Axis, row: int) -> Markup:
    """Return the range of the runs as a thin line, and the middle half of them as a thick one."""
    if not runs.size:
        return Markup("")
    low, first, third, high = axis.x(np.quantile(runs, (0.0, 0.25, 0.75, 1.0)))
    y = at(_middle(row))
    return Markup(f'<path class="r" d="M{at(low)} {y}H{at(high)}"/><path class="h" d="M{at(first)} {y}H{at(third)}"/>')


def _mean(runs: Floats, axis: _Axis, row: int) -> Markup:
    if not runs.size:
        return Markup("")
    x, y = at(float(axis.x(np.array([runs.mean()]))[0])), _middle(row)
    return Markup(f'<path class="e" d="M{x} {at(y - 12)}V{at(y + 12)}"/>')


def _ends(axis: _Axis, y: float) -> Markup:
    line = Markup(f'<path class="axis" d="M{at(axis.left)} {at(y + 2)}H{at(axis.right)}"/>')
    low, high = (tick_label(float(f"{end:.4g}")) for end in (axis.low, axis.high))
    if axis.high <= axis.low:
        return line + text(low, (axis.left + axis.right) / 2, y + 22, class_="mid")
    return line + text(low, axis.left, y + 22) + text(high, axis.right, y + 22, class_="end")
