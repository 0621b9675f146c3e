"""One cell for each of many things: what an order survives, where runs are not normal (Casesa 2024, Figure 10), means of many tasks.

A figure of cells has no axes: it is laid out in units of its cells, on a sheet as large as they need.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes

from runoff.answer.describe import DescribeResult, DescribeRow
from runoff.answer.robustness import RobustnessResult, RobustnessRow, ahead_first
from runoff.data.scores import Scores
from runoff.plots._canvas import INK, MOST_PAIRS, RULE, inches, lay_out, sheet, write
from runoff.plots._figure import COLUMN, PAGE, Frame, Marked, Plain, figure, frame_of
from runoff.plots._marks import OPEN, contrast, toned
from runoff.plots._rows import COLUMNS_APART, pair_columns
from runoff.plots._staircases import (
    EDGE,
    MARK,
    Box,
    PairCell,
    boxes,
    fill,
    fitting,
    numbers_staircase,
    outline,
    put,
    three_digits,
)
from runoff.plots._text import SIZE, SMALL, labels, width_of
from runoff.plots._ticks import tick_label

# ── what an order survives ──────────

ORDER_ROW, ORDER_HEAD, ORDER_LABEL, KIND = 0.16, 0.3, 0.42, 0.58
"""Inches of a row and of the heads, the largest share of the width that a pair takes, inches of a column whose head is legible."""
SIDES = ("ahead", "behind")
HEADS = {
    "measure": ("other", "measures"),
    "reference": ("other", "references"),
    "last": ("other", "windows"),
    "task": ("without", "one task"),
    "run": ("without", "one run"),
}


@figure(None)
def robustness(result: RobustnessResult, **options: Unpack[Marked]) -> Axes:
    """What does the order of each pair survive?

    Parameters
    ----------
    result : RobustnessResult
        Pairs become rows, with the algorithm that is ahead first and the pairs of the best algorithm on top; kinds of variations become
        columns. A cell is filled by the share of variations that keep the order, and holds their count and the total; "·" where nothing can
        be varied. More than 28 pairs become the cells of a staircase, as in `pvalue_matrix`: the percentage of all variations that keep the
        order, grey where all do.

    Returns
    -------
    Axes
        Data units: columns, and rows from the top.
    """
    frame, kinds = frame_of(options), result.kinds
    if len(result.pairs) > MOST_PAIRS:
        return _survival_staircase(result, frame)
    colors = frame.marks(name for pair in result.pairs for name in pair)
    place = {name: at for at, name in enumerate(_by_lead(result))}
    of_pairs = {(record.a, record.b): record for record in reversed(result.rows)}
    first = sorted(of_pairs.values(), key=lambda record: [place[name] for name in ahead_first(record)])
    rows, order = [(r.a, r.b) for r in first], [ahead_first(r) for r in first]
    # Two columns of names, as in rows of pairs: the one ahead, the one behind.
    called, columns = pair_columns(order, ORDER_LABEL * (frame.inches or PAGE), SIDES)
    left = MARK + sum(columns) + COLUMNS_APART + 2 * EDGE
    needed = frame.inches or max(COLUMN, left + KIND * len(kinds) + EDGE)
    ax = frame.ax or sheet(needed, ORDER_HEAD + ORDER_ROW * len(rows) + EDGE)
    # Cells take what names leave. Where nothing was varied there are no columns, and the names stand alone.
    side = (inches(ax) - left - EDGE) / max(1, len(kinds))
    down = (-ORDER_HEAD / ORDER_ROW, len(rows) + EDGE / ORDER_ROW)
    lay_out(ax, (-left / side, max(1, len(kinds)) + EDGE / side), down)
    names_at = [at / side for at in (MARK + EDGE - left, -EDGE - columns[1])]
    for x, head in zip(names_at, SIDES, strict=True):
        write(ax, x, -0.25, head, ha="left", style="italic")
    size = fitting(side, [word for kind in kinds for word in HEADS[kind]])
    for column, kind in enumerate(kinds):
        for line, word in enumerate(HEADS[kind]):
            write(ax, column + 0.5, -0.95 + 0.7 * line, word, size=size)
    ahead = {row: colors[record.ahead] for row, record in enumerate(first) if record.ahead is not None}
    put(ax, {((EDGE + 0.4 * MARK - left) / side, row + 0.5): mark for row, mark in ahead.items()}, 3.8)
    for row, names in enumerate(called):
        for x, name in zip(names_at, names, strict=True):
            write(ax, x, row + 0.5, name, size=SIZE, ha="left", va="center_baseline")
    places = [(column, row) for row in range(len(rows)) for column in range(len(kinds))]
    _survivals(ax, {(x, y): result[*rows[y], kinds[x]] for x, y in places}, side)
    return frame.entitled(ax)


def _survival_staircase(result: RobustnessResult, frame: Frame) -> Axes:
    """Draw in which percentage of all variations the order of each pair is kept."""
    cells = []
    for a, b in result.pairs:
        records = [record for record in result.rows if (record.a, record.b) == (a, b)]
        n, kept = sum(r.n_variations for r in records), sum(r.kept for r in records)
        # Rounded down: 100 is all of them.
        text = f"{100 * kept // n}" if n else "·"
        cells.append(PairCell(a, b, None, text, shade=OPEN if n and kept == n else None))
    return numbers_staircase(cells, _by_lead(result), frame, frame.inches or PAGE)


def _by_lead(result: RobustnessResult) -> list[str]:
    """Return the algorithms by their leads over all others, the best first."""
    leads: dict[str, float] = dict.fromkeys((name for pair in result.pairs for name in pair), 0.0)
    for record in {(record.a, record.b): record for record in result.rows}.values():
        leads[record.a] += record.difference
        leads[record.b] -= record.difference
    return sorted(leads, key=lambda name: -leads[name])


def _survivals(ax: Axes, cells: Mapping[tuple[int, int], RobustnessRow], side: float) -> None:
    # Grey, for nothing is tested: the colours of verdicts would say that it is.
    shares: dict[Box, str] = {
        (x + 0.03, y + 0.08, 0.94 * record.kept / record.n_variations, 0.84): OPEN
        for (x, y), record in cells.items()
        if record.n_variations and record.ahead is not None
    }
    fill(ax, shares)
    outline(ax, ((x + 0.03, y + 0.08, 0.94, 0.84) for x, y in cells))
    for (x, y), record in cells.items():
        text = f"{record.kept}/{record.n_variations}" if record.n_variations else "·"
        weight = "bold" if record.kept < record.n_variations else "normal"
        size = fitting(side, [text + "0" if weight == "bold" else text])
        write(ax, x + 0.5, y + 0.52, text, size=size, va="center_baseline", fontweight=weight)


# ── where runs are not normal ──────────

TASK_ROW, TASK_HEAD, TASK_LABEL, LEGEND, NUMBER = 0.125, 0.08, 0.3, 0.2, 0.26
"""Inches of a row and below the names on top, the largest share of the width that a task's name takes, inches of the legend and of a number."""
CLASSES = (
    (0.05, "#F4F4F2", "≥ .05"),
    (0.01, "#BBD3E8", "< .05"),
    (0.001, "#5B97C6", "< .01"),
    (0.0, "#14507F", "< .001"),
)
"""Least p-value, colour and words of each class, from light to dark, in steps that print in grey."""
GROUPS, DARKEST = "◆", CLASSES[-1][1]
TILE: dict[str, Any] = {"edgecolors": "white", "linewidths": 0.6}


@figure(None)
def normality(result: DescribeResult, **options: Unpack[Plain]) -> Axes:
    """In which cells are the runs not normal?

    Parameters
    ----------
    result : DescribeResult
        Tasks become rows, algorithms columns. A cell holds the p-value of D'Agostino and Pearson's test (Shapiro and Wilk's below 8 runs),
        darker where it is smaller; "·" where there are too few runs or no spread; ◆ where the runs fall into two groups.

    Returns
    -------
    Axes
        Data units: columns, and rows from the top.
    """
    frame = frame_of(options)
    ax, side, left = task_grid(frame, result.tasks, result.algorithms)
    there = {(record.algorithm, record.task): record for record in result.rows}
    cells = {
        (column, row): there.get((algorithm, task))
        for row, task in enumerate(result.tasks)
        for column, algorithm in enumerate(result.algorithms)
    }
    boxes(ax, {(*place, 1, 1): _shade(record) for place, record in cells.items()}, **TILE)
    for place, record in cells.items():
        if record is not None:
            _normality(ax, place, record, numbers=side >= NUMBER)
    _legend(ax, len(result.tasks) + 0.55, side, left, groups=any(record.bimodal for record in result.rows))
    return frame.entitled(ax)


def task_grid(frame: Frame, tasks: Sequence[str], algorithms: Sequence[str]) -> tuple[Axes, float, float]:
    """Return axes in units of cells, tasks down and algorithms across, with the inches of a cell's width and of the margin on the left."""
    rows = labels(tasks, TASK_LABEL * frame.width)
    left = max(map(width_of, rows)) + 0.1
    width = frame.inches or min(max(COLUMN, left + NUMBER * len(algorithms) + EDGE), PAGE)
    side = ((inches(frame.ax) if frame.ax else width) - left - EDGE) / len(algorithms)
    # Heads are turned by a right angle where one is wider than its column.
    upright = any(width_of(name) > side - 0.04 for name in algorithms)
    names = labels(algorithms, 1.0 if upright else side)
    head = TASK_HEAD + (max(map(width_of, names)) + EDGE if upright else 0.1)
    ax = frame.ax or sheet(width, head + TASK_ROW * len(rows) + LEGEND + EDGE)
    lay_out(ax, (-left / side, len(names) + EDGE / side), (-head / TASK_ROW, len(rows) + (LEGEND + EDGE) / TASK_ROW))
    for row, label in enumerate(rows):
        write(ax, -0.05 / side, row + 0.5, label, size=SIZE, ha="right", va="center_baseline")
    for column, name in enumerate(names):
        write(ax, column + 0.5, -0.4, name, size=SIZE, va="bottom", rotation=90 if upright else 0)
    return ax, side, left


def task_means(scores: Scores, frame: Frame) -> Axes:
    """Draw the mean of each cell, the darker the nearer it lies to the highest run of its task, and the lighter to the lowest."""
    ax, side, left = task_grid(frame, scores.tasks, scores.algorithms)
    colors: dict[Box, str] = {}
    for row in range(scores.n_tasks):
        cells = [scores.cell(a, row) for a in range(scores.n_algorithms)]
        low, high = (float(end(np.concatenate(cells))) for end in (np.min, np.max))
        for column, cell in enumerate(cells):
            # From the lowest to the highest run of the task, for tasks have units of their own.
            share = (float(cell.mean()) - low) / (high - low) if cell.size and high > low else 0.0
            color = "none" if not cell.size else toned(DARKEST, 1 + (contrast(DARKEST) - 1) * share**2)
            colors[column, row, 1, 1] = color
            text = tick_label(float(f"{cell.mean():.3g}")) if cell.size else "·"
            if side >= 0.34 or not cell.size:
                ink = "white" if share > 0.6 else INK
                write(ax, column + 0.5, row + 0.52, text, size=SMALL - 0.5, va="center_baseline", color=ink)
    boxes(ax, colors, **TILE)
    words = f"darker: nearer to the highest {scores.nouns.run} of the {scores.nouns.task}"
    write(ax, (0.02 - left) / side, scores.n_tasks + 1.05, words, ha="left", va="center_baseline")
    return frame.entitled(ax)


def short_pvalue(value: float) -> str:
    """Return a p-value in at most five characters: "<.001", ".043", "1"; with a fourth digit where three would cross a class."""
    # 0.0496 would be .050, in the colour of "< .05".
    crosses = 0.0005 <= value < 0.9995 and _class(round(value, 3)) != _class(value)
    return f"{value:.4f}".removeprefix("0") if crosses else three_digits(value)


def _class(value: float) -> str:
    return next(color for least, color, _ in CLASSES if value >= least)


def _pvalue(record: DescribeRow) -> float | None:
    return record.shapiro_pvalue if record.normality_pvalue is None else record.normality_pvalue


def _shade(record: DescribeRow | None) -> str:
    value = None if record is None else _pvalue(record)
    return "none" if value is None else _class(value)


def _normality(ax: Axes, cell: tuple[int, int], record: DescribeRow, *, numbers: bool) -> None:
    value, color = _pvalue(record), _shade(record)
    style: dict[str, Any] = {"color": "white" if color == CLASSES[-1][1] else INK}
    if numbers:
        text = "·" if value is None else short_pvalue(value)
        write(ax, cell[0] + 0.5, cell[1] + 0.52, text, size=SMALL - 0.5, va="center_baseline", **style)
    if record.bimodal:
        write(ax, cell[0] + 0.985, cell[1] + 0.24, GROUPS, size=3.0, ha="right", **style)


def _legend(ax: Axes, row: float, side: float, left: float, *, groups: bool) -> None:
    x = (0.02 - left) / side
    write(ax, x, row + 0.5, "p of normality", ha="left", va="center_baseline")
    x += (width_of("p of normality", SMALL) + 0.1) / side
    for _, color, words in CLASSES:
        box = 0.1 / side
        boxes(ax, {(x, row, box, 1): color}, edgecolors=RULE, linewidths=0.5)
        write(ax, x + 1.4 * box, row + 0.5, words, ha="left", va="center_baseline")
        x += (0.22 + width_of(words, SMALL)) / side
    if groups:
        write(ax, x, row + 0.5, f"{GROUPS} two groups", ha="left", va="center_baseline")
