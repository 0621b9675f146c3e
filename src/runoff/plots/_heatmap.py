"""On which tasks are runs not normal? One p-value per cell (Casesa 2024, Figure 10)."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from runoff.plots._canvas import INK, RULE, entitle
from runoff.plots._text import SIZE, SMALL, labels, literal, width_of
from runoff.plots._widths import COLUMN, column
from runoff.results.describe import CellRecord, DescribeResult
from runoff.words.names import VenueName

ROW, HEAD, LEGEND, EDGE = 0.125, 0.08, 0.2, 0.04
"""Inches: a row, the space below the names on top, the legend, and the border."""
LABEL = 0.3
"""The most of the width that a task's name takes."""
CLASSES = (
    (0.05, "#F4F4F2", "≥ .05"),
    (0.01, "#BBD3E8", "< .05"),
    (0.001, "#5B97C6", "< .01"),
    (0.0, "#14507F", "< .001"),
)
"""Least p-value, colour and words of each class, from light to dark, in steps that print in grey."""
HUMPS = "◆"


def heatmap(
    result: DescribeResult, *, ax: Axes | None = None, width: float | VenueName = COLUMN, title: str | None = None
) -> Axes:
    """In which cells are the runs not normal?

    Parameters
    ----------
    result : DescribeResult
        Tasks become rows, algorithms columns. A cell holds the p-value of D'Agostino and Pearson's test (Shapiro and Wilk's below 8 runs), the
        darker the smaller; "·" where there are too few runs or no spread; ◆ where the runs fall into two groups.
    ax : Axes, optional
        None makes a figure.
    width : float or "neurips", "icml", "jmlr", …
        Of a figure that is made: inches, `mm(88)`, or a venue of `WIDTHS`.
    title : str, optional
        Of the figure.

    Returns
    -------
    Axes
        Data units: columns, and rows from the top.
    """
    width, made = column(width), ax is None
    rows = labels(result.tasks, LABEL * width)
    left = max(map(width_of, rows)) + 0.08
    inner = width if ax is None else _inches(ax)
    side = (inner - left - EDGE) / len(result.algorithms)
    upright = any(width_of(name) > side - 0.04 for name in result.algorithms)
    names = labels(result.algorithms, 1.0 if upright else side)
    head = HEAD + (max(map(width_of, names)) if upright else 0.1)
    if ax is None:
        height = head + ROW * len(result.tasks) + LEGEND + EDGE
        ax = Figure(figsize=(width, height), facecolor="white").add_axes((0, 0, 1, 1), facecolor="none")
    ax.set_xlim(-left / side, len(names) + EDGE / side)
    ax.set_ylim(len(result.tasks) + (LEGEND + EDGE) / ROW, -head / ROW)
    ax.set_axis_off()
    for row, (task, label) in enumerate(zip(result.tasks, rows, strict=True)):
        style: dict[str, Any] = {"fontsize": SIZE, "color": INK, **literal(label)}
        ax.text(-0.05 / side, row + 0.5, label, ha="right", va="center_baseline", **style)
        for at, algorithm in enumerate(result.algorithms):
            _cell(ax, row, at, result.record(algorithm, task), numbers=side >= 0.26)
    for at, name in enumerate(names):
        turned: dict[str, Any] = {"rotation": 90 if upright else 0, "fontsize": SIZE, "color": INK, **literal(name)}
        ax.text(at + 0.5, -0.4, name, ha="center", va="bottom", **turned)
    _legend(ax, len(result.tasks) + 0.55, side, left, humps=any(record.bimodal for record in result.records))
    entitle(ax, title, made=made)
    return ax


def pvalue(record: CellRecord) -> float | None:
    """Return the p-value that decided on normality."""
    return record.shapiro_pvalue if record.normality_pvalue is None else record.normality_pvalue


def short(value: float) -> str:
    """Return a p-value in at most five characters: "<.001", ".043", "1"; with a fourth digit where three would cross a class."""
    if value < 0.0005:
        return "<.001"
    digits = 3 if _class(round(value, 3)) == _class(value) else 4
    return "1" if value >= 0.9995 else f"{value:.{digits}f}".removeprefix("0")


def _class(value: float) -> str:
    return next(color for least, color, _ in CLASSES if value >= least)


def _cell(ax: Axes, row: int, column: int, record: CellRecord | None, *, numbers: bool) -> None:
    value = None if record is None else pvalue(record)
    color = "none" if value is None else _class(value)
    ax.add_patch(Rectangle((column, row), 1, 1, facecolor=color, edgecolor="white", linewidth=0.6))
    if record is None:
        return
    ink = "white" if color == CLASSES[-1][1] else INK
    if numbers:
        text = "·" if value is None else short(value)
        ax.text(column + 0.5, row + 0.52, text, ha="center", va="center_baseline", fontsize=SMALL - 0.5, color=ink)
    if record.bimodal:
        ax.text(column + 0.985, row + 0.24, HUMPS, ha="right", va="center", fontsize=3.0, color=ink)


def _legend(ax: Axes, row: float, side: float, left: float, *, humps: bool) -> None:
    x = (0.02 - left) / side
    ax.text(x, row + 0.5, "p of normality", va="center_baseline", fontsize=SMALL, color=INK)
    x += (width_of("p of normality", SMALL) + 0.1) / side
    for _, color, words in CLASSES:
        box = 0.1 / side
        ax.add_patch(Rectangle((x, row), box, 1, facecolor=color, edgecolor=RULE, linewidth=0.5))
        ax.text(x + 1.4 * box, row + 0.5, words, va="center_baseline", fontsize=SMALL, color=INK)
        x += (0.22 + width_of(words, SMALL)) / side
    if humps:
        ax.text(x, row + 0.5, f"{HUMPS} two groups", va="center_baseline", fontsize=SMALL, color=INK)


def _inches(ax: Axes) -> float:
    figure = ax.get_figure(root=True)
    return ax.get_position().width * (figure.get_figwidth() if figure is not None else COLUMN)
