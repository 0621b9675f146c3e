"""The runs themselves: as points, task by task, and as histograms with the best-fitting density (Casesa 2024, Appendix A)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from runoff._inference.fits import density
from runoff.base.arrays import Floats
from runoff.base.validate import check_choice
from runoff.data.scores import Scores
from runoff.errors import OptionError
from runoff.plots._canvas import INK, dress, entitle, frame_sides, inches, name_axis, panels, scale
from runoff.plots._figure import PAGE, Panels, Whole, figure, frame_of
from runoff.plots._marks import PALE, Mark, toned
from runoff.plots._text import SIZE, SMALL, fit, labels, literal, score_words, tick_label, width_of
from runoff.results.describe import CellRecord, DescribeResult

ROOMY, TIGHT = 0.15, 0.115
"""Inches of a row, for up to six algorithms and for more."""
MANY = 10_000
"""The most points that vector figures draw one by one; more are drawn as an image."""
GOLDEN = (5**0.5 - 1) / 2


@figure(PAGE)
def tasks(scores: Scores, **options: Unpack[Panels]) -> tuple[Axes, ...]:
    """What did each run achieve on each task?

    Parameters
    ----------
    scores : Scores
        Tasks become panels with scales of their own, algorithms rows, runs points; a bar marks the mean.

    Raises
    ------
    OptionError
        There are more or fewer `axes` than tasks.
    """
    frame, names = frame_of(options), scores.algorithms
    called = labels(names, frame.room(0.19))
    row = ROOMY if len(names) <= 6 else TIGHT
    axes = frame.axes or panels(scores.n_tasks, called, row=row, width=frame.width, least=0.95)
    if len(axes) != scores.n_tasks:
        raise OptionError(f"axes must be one for each of {scores.n_tasks} task(s), not {len(axes)}.")
    leftmost = min(ax.get_position().x0 for ax in axes) + 1e-9
    heads, colours = labels(scores.tasks, min(map(inches, axes))), frame.marks(names)
    for t, ax in enumerate(axes):
        _draw_task(ax, scores, t, colours, image=frame.is_new and scores.values.size > MANY)
        dress(ax, title=heads[t], labels=called if ax.get_position().x0 <= leftmost else None, n_rows=len(names))
    name_axis(axes, score_words(scores.provenance.reference), new=frame.is_new)
    entitle(axes[0], frame.title, new=frame.is_new)
    return tuple(axes)


def _draw_task(ax: Axes, scores: Scores, task: int, marks: Mapping[str, Mark], *, image: bool) -> None:
    cells = [scores.cell(a, task) for a in range(scores.n_algorithms)]
    scale(ax, np.concatenate(cells), ticks=3)
    for row, name in enumerate(scores.algorithms):
        if not cells[row].size:
            where = ("axes fraction", "data")
            ax.annotate("no runs", (0.02, row), xycoords=where, va="center", fontsize=SMALL, color=INK)
            continue
        _points(ax, row, cells[row], marks[name], image=image)
    rows = [row for row, cell in enumerate(cells) if cell.size]
    middles = [float(cells[row].mean()) for row in rows]
    ax.vlines(middles, np.array(rows) - 0.42, np.array(rows) + 0.42, color=INK, linewidth=1.3, zorder=3)


def _points(ax: Axes, row: int, cell: Floats, mark: Mark, *, image: bool) -> None:
    points = Line2D(cell, row + spread(cell.size), linestyle="", marker=mark.marker, color=mark.color, alpha=0.65)
    points.set(markersize=2.6, markeredgewidth=0)
    figure = ax.get_figure(root=True)
    if not image or figure is None:
        ax.add_line(points).set_clip_on(False)
        return
    # Of the figure, behind all panels and next to each other: one image then holds the points of all, where each panel would have its own, of
    # the size of the page.
    points.set(transform=ax.transData, rasterized=True, zorder=-1)
    figure.add_artist(points)


def spread(n: int) -> Floats:
    """Return n heights in ±0.28, evenly filled in any order of runs (golden ratio sequence): no draw, so no seed."""
    return 0.56 * ((np.arange(n, dtype=np.float64) * GOLDEN + 0.5) % 1.0 - 0.5)


# ── histograms ──────────

ROW, HEAD, GAP, FOOT, NAME = 0.54, 0.17, 0.1, 0.13, 0.12
"""Inches of a panel with its texts, of the names on top, between panels, of the tick labels, of the family's name."""
LABEL = 0.14
"""The largest share of the width that a task's name takes."""
FAMILIES = {
    "student_t": "t",
    "lognormal": "log-normal",
    "double_weibull": "double Weibull",
    "pareto": "Pareto",
    "normal_mixture": "two normals",
}
"""The names of families as people read them, where they have others."""


@figure(PAGE)
def densities(
    result: DescribeResult,
    *,
    algorithms: Sequence[str] | None = None,
    tasks: Sequence[str] | None = None,
    **options: Unpack[Whole],
) -> tuple[Axes, ...]:
    """Which distribution fits the runs of each cell?

    Parameters
    ----------
    result : DescribeResult
        Made with `fit=True`. Tasks become rows, algorithms columns; each panel has its own scale, from its lowest to its highest run.
    algorithms, tasks : sequence of str, optional
        Some of them, in the order drawn; a page holds about 18 tasks.

    Returns
    -------
    tuple of Axes
        One for each algorithm and task, row by row.

    Raises
    ------
    OptionError
        An unknown algorithm or task.
    """
    columns = [check_choice("algorithm", name, result.algorithms) for name in algorithms or result.algorithms]
    rows = [check_choice("task", name, result.tasks) for name in tasks or result.tasks]
    frame = frame_of(options)
    colours, width = frame.marks(result.algorithms), frame.width
    called = labels(rows, LABEL * width)
    left = max(map(width_of, called)) + 0.12
    wide = (width - left - GAP * len(columns)) / len(columns)
    height = HEAD + ROW * len(rows) + 0.04
    figure = Figure(figsize=(width, height), facecolor="white")
    axes = []
    for row, (task, label) in enumerate(zip(rows, called, strict=True)):
        bottom = height - HEAD - ROW * (row + 1) + FOOT
        at = (left - 0.07) / width, (bottom + 0.12) / height
        figure.text(*at, label, ha="right", fontsize=SIZE, color=INK, **literal(label))
        up = bottom / height, (ROW - FOOT - NAME - 0.02) / height
        for column, name in enumerate(columns):
            across = (left + column * (wide + GAP)) / width, wide / width
            ax = figure.add_axes((across[0], up[0], across[1], up[1]), facecolor="none")
            _draw_cell(ax, result.record(name, task), colours[name], wide)
            axes.append(ax)
    for column, label in enumerate(labels(columns, wide)):
        x = (left + column * (wide + GAP) + wide / 2) / width
        figure.text(x, 1 - 0.11 / height, label, ha="center", fontsize=SIZE, color=INK, **literal(label))
    entitle(axes[0], frame.title, new=True)
    return tuple(axes)


def _draw_cell(ax: Axes, record: CellRecord | None, mark: Mark, room: float) -> None:
    ax.set_yticks([])
    frame_sides(ax, "bottom")
    ax.tick_params(axis="x", labelsize=SMALL - 1, length=1.5, width=0.5, pad=1, color=INK, labelcolor=INK)
    if record is None or record.minimum == record.maximum:
        words = "no runs" if record is None else f"all {tick_label(record.minimum)}"
        ax.set_xticks([])
        ax.text(0.5, 0.3, words, ha="center", transform=ax.transAxes, fontsize=SMALL, color=INK)
        return
    counts = np.array(record.histogram, dtype=np.float64)
    edges = np.linspace(record.minimum, record.maximum, counts.size + 1)
    heights = counts / counts.sum() / np.diff(edges)
    ax.stairs(heights, edges, fill=True, color=toned(mark.color, PALE), linewidth=0)
    _fitted(ax, record, heights.max(), room)
    ax.set_xticks([record.minimum, record.maximum], labels=[_number(record.minimum), _number(record.maximum)])
    low, high = ax.get_xticklabels()
    low.set_horizontalalignment("left")
    high.set_horizontalalignment("right")


def _fitted(ax: Axes, record: CellRecord, highest: float, room: float) -> None:
    """Draw the fitted density over the runs' range and a little beyond, cut where it leaves the panel."""
    margin = 0.06 * (record.maximum - record.minimum)
    ax.set_xlim(record.minimum - margin, record.maximum + margin)
    ax.set_ylim(0, 1.1 * highest)
    if record.family is None or record.parameters is None:
        return
    x = np.linspace(record.minimum - margin, record.maximum + margin, 400)
    ax.plot(x, np.minimum(density(record.family, record.parameters, x), 9 * highest), color=INK, linewidth=0.8)
    words = fit(FAMILIES.get(record.family, record.family), room, SMALL)
    ax.text(1.0, 1.02, words, ha="right", va="bottom", transform=ax.transAxes, fontsize=SMALL, color=INK)


def _number(value: float) -> str:
    return tick_label(float(f"{value:.3g}"))
