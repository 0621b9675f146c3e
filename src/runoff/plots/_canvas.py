"""Figures without pyplot, laid out in inches: no backend, no global state, the same layout everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from runoff.plots._text import LITERAL, SIZE, SMALL, tick_label, width_of

COLUMN, PAGE = 3.3, 6.8
"""Widths of one and two columns of a paper, inches."""
INK, RULE = "#222222", "#DADADA"
"""Text and lines; the report lets them follow the page's colours."""
GAP, TITLE, FOOT = 0.14, 0.22, 0.22


def panels(
    n: int, labels: Sequence[str], *, row: float, width: float, least: float, axis_label: bool = False
) -> tuple[Axes, ...]:
    """Return `n` panels in a new figure, with a left margin for the labels.

    Each panel has a row of `row` inches for every label and is at least `least` inches wide; the first of each line has the labels.
    """
    left = max(width_of(label) for label in labels) + 0.13
    most = max(1, int((width - left) / (least + GAP)))
    n_lines = ceil(n / most)
    n_columns = ceil(n / n_lines)
    body = row * len(labels)
    foot = FOOT + (0.14 if axis_label else 0.0)
    height = n_lines * (TITLE + body + foot)
    figure = Figure(figsize=(width, height), facecolor="white")
    wide = (width - left - GAP * n_columns) / n_columns
    axes = []
    for i in range(n):
        line, column = divmod(i, n_columns)
        x, y = left + column * (wide + GAP), height - line * (TITLE + body + foot) - TITLE - body
        axes.append(figure.add_axes((x / width, y / height, wide / width, body / height), facecolor="none"))
    return tuple(axes)


def dress(ax: Axes, *, title: str, labels: Sequence[str] | None, n_rows: int) -> None:
    """Give a panel rows from the top, thin lines and small text; `labels` None leaves the rows unnamed."""
    ax.set_ylim(n_rows - 0.5, -0.5)
    ax.set_yticks(range(n_rows), labels=labels if labels is not None else [""] * n_rows, **LITERAL)
    ax.set_title(title, fontsize=SIZE, color=INK, pad=3, **LITERAL)
    ax.tick_params(axis="y", labelsize=SIZE, length=0, pad=4, labelcolor=INK)
    ax.tick_params(axis="x", labelsize=SMALL, length=2, width=0.5, pad=2, color=INK, labelcolor=INK)
    ax.grid(axis="x", color=RULE, linewidth=0.5)
    ax.set_axisbelow(True)
    for side, spine in ax.spines.items():
        spine.set_visible(side == "bottom")
        spine.set(color=INK, linewidth=0.5)


def scale(ax: Axes, values: Iterable[float], *, ticks: int) -> None:
    """Fit the horizontal axis to the values, with at most `ticks` + 1 short labels."""
    seen = list(values)
    low, high = min(seen), max(seen)
    room = 0.06 * (high - low) or 0.1 * abs(high) or 0.5
    ax.set_xlim(low - room, high + room)
    ax.xaxis.set_major_locator(MaxNLocator(nbins=ticks, steps=[1, 2, 2.5, 5, 10]))
    ax.xaxis.set_major_formatter(FuncFormatter(tick_label))
