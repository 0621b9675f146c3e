"""Which distribution do the runs of each cell follow? Histograms with the best-fitting density (Casesa 2024, Appendix A)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from runoff._inference.fits import density
from runoff.base.validate import check_choice
from runoff.plots._canvas import INK, entitle
from runoff.plots._interval import PALE, toned
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._text import SIZE, SMALL, fit, labels, literal, tick_label, width_of
from runoff.plots._widths import PAGE, page
from runoff.results.describe import CellRecord, DescribeResult
from runoff.words.names import VenueName

ROW, HEAD, GAP, FOOT, NAME = 0.54, 0.17, 0.1, 0.13, 0.12
"""Inches: a panel with its texts, the names on top, between panels, the tick labels, the family's name."""
LABEL = 0.14
FAMILIES = {
    "normal": "normal",
    "student_t": "t",
    "exponential": "exponential",
    "lognormal": "log-normal",
    "gamma": "gamma",
    "beta": "beta",
    "double_weibull": "double Weibull",
    "pareto": "Pareto",
    "normal_mixture": "two normals",
}
"""What families are called where people read them."""


def densities(
    result: DescribeResult,
    *,
    algorithms: Sequence[str] | None = None,
    tasks: Sequence[str] | None = None,
    width: float | VenueName = PAGE,
    marks: Mapping[str, Mark] | None = None,
    title: str | None = None,
) -> tuple[Axes, ...]:
    """Which distribution fits the runs of each cell?

    Parameters
    ----------
    result : DescribeResult
        Made with `fit=True`. Tasks become rows, algorithms columns; each panel has its own scale, from its lowest to its highest run.
    algorithms, tasks : sequence of str, optional
        Some of them, in the order drawn; a page holds about 18 tasks.
    width : float or "neurips", "icml", "jmlr", …
        Of the figure that is made (`axes[0].figure`): inches, `mm(88)`, or a venue of `WIDTHS`.
    marks : mapping of algorithm to Mark, optional
    title : str, optional
        Of the figure.

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
    known = marks or marks_of(result.algorithms)
    width = page(width)
    called = labels(rows, LABEL * width)
    left = max(map(width_of, called)) + 0.12
    wide = (width - left - GAP * len(columns)) / len(columns)
    height = HEAD + ROW * len(rows) + 0.04
    figure = Figure(figsize=(width, height), facecolor="white")
    axes = []
    for row, (task, label) in enumerate(zip(rows, called, strict=True)):
        bottom = height - HEAD - ROW * (row + 1) + FOOT
        figure.text(
            (left - 0.07) / width,
            (bottom + 0.12) / height,
            label,
            ha="right",
            fontsize=SIZE,
            color=INK,
            **literal(label),
        )
        for column, name in enumerate(columns):
            place = (
                (left + column * (wide + GAP)) / width,
                bottom / height,
                wide / width,
                (ROW - FOOT - NAME - 0.02) / height,
            )
            ax = figure.add_axes(place, facecolor="none")
            _draw(ax, result.record(name, task), known[name], wide)
            axes.append(ax)
    for column, label in enumerate(labels(columns, wide)):
        x = (left + column * (wide + GAP) + wide / 2) / width
        figure.text(x, 1 - 0.11 / height, label, ha="center", fontsize=SIZE, color=INK, **literal(label))
    entitle(axes[0], title, made=True)
    return tuple(axes)


def _draw(ax: Axes, record: CellRecord | None, mark: Mark, inches: float) -> None:
    ax.set_yticks([])
    for side, spine in ax.spines.items():
        spine.set_visible(side == "bottom")
        spine.set(color=INK, linewidth=0.5)
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
    _fitted(ax, record, heights.max(), inches)
    ax.set_xticks([record.minimum, record.maximum], labels=[_number(record.minimum), _number(record.maximum)])
    low, high = ax.get_xticklabels()
    low.set_horizontalalignment("left")
    high.set_horizontalalignment("right")


def _fitted(ax: Axes, record: CellRecord, highest: float, inches: float) -> None:
    """Draw the fitted density over the runs' range and a little beyond, cut where it leaves the panel."""
    room = 0.06 * (record.maximum - record.minimum)
    ax.set_xlim(record.minimum - room, record.maximum + room)
    ax.set_ylim(0, 1.1 * highest)
    if record.family is None or record.parameters is None:
        return
    x = np.linspace(record.minimum - room, record.maximum + room, 400)
    ax.plot(x, np.minimum(density(record.family, record.parameters, x), 9 * highest), color=INK, linewidth=0.8)
    words = fit(FAMILIES[record.family], inches, SMALL)
    ax.text(1.0, 1.02, words, ha="right", va="bottom", transform=ax.transAxes, fontsize=SMALL, color=INK)


def _number(value: float) -> str:
    """Return a number in at most three significant digits."""
    return tick_label(float(f"{value:.3g}"))
