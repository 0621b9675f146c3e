"""Figures without pyplot, laid out in inches: no backend, no global state, the same layout everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, ScalarFormatter

from runoff.plots._text import SIZE, SMALL, literal, width_of
from runoff.plots._ticks import tick_label

INK, RULE = "#222222", "#DADADA"
"""Text and lines; the report lets them follow the page's colours."""
LONGEST, MOST_PAIRS = 9.0, 28
"""Inches of the text of a page, from top to bottom; the most pairs that have rows, those of eight algorithms: more become cells."""
GAP, TITLE, FOOT, AXIS, HEAD = 0.14, 0.22, 0.22, 0.14, 0.17
"""Inches: between panels, above and below each, for the words of an axis, and for the title of a figure."""
MARGIN = 0.36
"""Inches that a label beside an upright axis may be wide."""
TICKS: dict[str, Any] = {"labelsize": SMALL, "length": 2, "width": 0.5, "pad": 2, "color": INK, "labelcolor": INK}
"""The look of ticks that have numbers."""


def drawing(width: float, height: float) -> Figure:
    """Return a new figure of so many inches."""
    # Not by pyplot, which would keep the figure alive until it is closed, and ask for a backend.
    return Figure(figsize=(width, height), facecolor="white")


def axes_at(figure: Figure, left: float, bottom: float, wide: float, high: float) -> Axes:
    """Return axes so many inches from the left and the lower edge of a figure, and of so many inches."""
    width, height = figure.get_size_inches()
    # Without a colour of their own, so that a figure on a dark page is dark.
    return figure.add_axes((left / width, bottom / height, wide / width, high / height), facecolor="none")


def panels(
    n: int, labels: Sequence[str], *, row: float, width: float, least: float, key: float = 0.0
) -> tuple[Axes, ...]:
    """Return `n` panels in a new figure, with a left margin for the labels and, `key` inches wide, for markers beside them.

    Each panel has a row of `row` inches for every label and is at least `least` inches wide; the first of each line has the labels.
    """
    left = max(width_of(label) for label in labels) + 0.13 + key
    return beside(n, left, row * len(labels), width=width, least=least)


def beside(n: int, left: float, body: float, *, width: float, least: float) -> tuple[Axes, ...]:
    """Return `n` panels of `body` inches height in a new figure, beside a margin of `left` inches, with room for an axis title."""
    # No more columns than the lines need: five panels, of which four fit abreast, stand as three and two.
    line_height, height = TITLE + body + FOOT, high_of(n, left, body, width=width, least=least)
    n_columns = ceil(n / round((height - AXIS) / line_height))
    figure = drawing(width, height)
    wide = (width - left - GAP * n_columns) / n_columns
    axes = []
    for i in range(n):
        line, column = divmod(i, n_columns)
        # Rows of panels from the top, in the coordinates of a figure, which begin at the bottom.
        x, y = left + column * (wide + GAP), height - line * line_height - TITLE - body
        axes.append(axes_at(figure, x, y, wide, body))
    return tuple(axes)


def high_of(n: int, left: float, body: float, *, width: float, least: float) -> float:
    """Return the height of a figure of so many panels."""
    return ceil(n / max(1, int((width - left) / (least + GAP)))) * (TITLE + body + FOOT) + AXIS


def dress(ax: Axes, *, title: str, labels: Sequence[str] | None, n_rows: int, key: float = 0.0) -> None:
    """Give a panel rows from the top, thin lines and small text; `labels` None leaves the rows unnamed, `key` inches lie beside them."""
    # The first row on top, and half a row of air at both ends.
    ax.set_ylim(n_rows - 0.5, -0.5)
    named = list(labels) if labels is not None else [""] * n_rows
    ax.set_yticks(range(n_rows), labels=named, **literal(*named))
    name_panel(ax, title)
    ax.tick_params(axis="y", labelsize=SIZE, length=0, pad=4 + 72 * key, labelcolor=INK)
    ax.tick_params(axis="x", **TICKS)
    ax.grid(axis="x", color=RULE, linewidth=0.5)
    ax.set_axisbelow(True)
    frame_sides(ax, "bottom")


def name_panel(ax: Axes, words: str) -> None:
    """Write what a panel shows above it."""
    ax.set_title(words, fontsize=SIZE, color=INK, pad=3, **literal(words))


def dress_plane(ax: Axes, *, grid: Literal["both", "y"] = "both") -> None:
    """Give axes with two scales thin lines and small text."""
    ax.tick_params(which="both", **TICKS)
    ax.grid(axis=grid, color=RULE, linewidth=0.5)
    ax.set_axisbelow(True)
    frame_sides(ax, "bottom", "left")


def named_on_left(axes: Sequence[Axes], called: Sequence[str]) -> list[Sequence[str] | None]:
    """Return the names of the rows of each panel: None but for the leftmost, which name those of all beside them."""
    left = [ax.get_position().x0 for ax in axes]
    # Panels of one column lie apart by what division into shares of the figure leaves.
    return [called if x <= min(left) + 1e-9 else None for x in left]


def frame_sides(ax: Axes, *shown: str) -> None:
    """Leave thin lines on these sides of the axes."""
    for side, spine in ax.spines.items():
        spine.set_visible(side in shown)
        spine.set(color=INK, linewidth=0.5)


def name_axis(axes: Sequence[Axes], words: str, *, new: bool) -> None:
    """Say once, under all panels, what their horizontal axes are."""
    if not new:
        axes[-1].set_xlabel(words, fontsize=SMALL, color=INK, labelpad=2, **literal(words))
        return
    figure = axes[0].get_figure(root=True)
    assert figure is not None
    wide, high = figure.get_size_inches()
    # One text for all panels, under the middle of them; `set_xlabel` of one would lie under that one.
    ends = [(ax.get_position().x0, ax.get_position().x1) for ax in axes]
    middle, half = (min(x for x, _ in ends) + max(x for _, x in ends)) / 2, 0.52 * width_of(words, SMALL) / wide
    # Words that are wider than the panels stay on the page.
    middle = min(max(middle, half + 0.005), max(0.995 - half, 0.5))
    figure.text(middle, 0.035 / high, words, ha="center", va="bottom", fontsize=SMALL, color=INK, **literal(words))


def entitle(ax: Axes, title: str | None, *, new: bool) -> None:
    """Give a figure of panels, or one without room for it, a title; a figure that was made here grows by its line."""
    if title is None:
        return
    figure = ax.get_figure(root=True)
    assert figure is not None
    style: dict[str, Any] = {"fontsize": SIZE + 0.5, "color": INK, "fontweight": "bold", **literal(title)}
    # A figure that was given keeps its size; with a layout engine matplotlib makes the room.
    if not new or figure.get_layout_engine() is not None:
        figure.suptitle(title, **style)
        return
    wide, high = figure.get_size_inches()
    # The figure grows by the line of the title, and what is in it keeps its inches: all shares of the height
    # shrink.
    share = high / (high + HEAD)
    figure.set_size_inches(wide, high + HEAD)
    for panel in figure.axes:
        x, y, across, up = panel.get_position().bounds
        panel.set_position((x, y * share, across, up * share))
    for text in figure.texts:
        text.set_y(text.get_position()[1] * share)
    figure.text(0.5, 1 - 0.04 / (high + HEAD), title, ha="center", va="top", **style)


def scale(ax: Axes, values: Iterable[float], *, ticks: int) -> None:
    """Fit the horizontal axis to the values, with at most `ticks` + 1 short labels."""
    ends = list(values)
    low, high = min(ends), max(ends)
    # A bar that ends at the edge would look cut off. Equal values, or all 0, still need an axis of some length.
    room = 0.06 * (high - low) or 0.1 * abs(high) or 0.5
    ax.set_xlim(low - room, high + room)
    ax.xaxis.set_major_locator(Within(nbins=ticks, steps=[1, 2, 2.5, 5, 10]))
    ax.xaxis.set_major_formatter(FuncFormatter(tick_label))


class Within(MaxNLocator):
    """Places of ticks whose labels reach no further than half the gap to the next panel."""

    def tick_values(self, vmin: float, vmax: float) -> Any:
        """Return the places from the lower to the upper end of the axis."""
        ticks: list[float] = np.asarray(super().tick_values(vmin, vmax)).tolist()
        if not isinstance(self.axis, Axis) or vmax <= vmin:
            return ticks
        # A label is centred under its tick: where half of it would reach the next panel the tick is left out,
        # unless that left one alone.
        inch = (vmax - vmin) / inches(self.axis.axes)
        halves = [inch * (width_of(tick_label(tick), SMALL) - GAP) / 2 for tick in ticks]
        inside = [tick for tick, half in zip(ticks, halves, strict=True) if vmin + half <= tick <= vmax - half]
        return inside if len(inside) > 1 else ticks


class TickLabels(ScalarFormatter):
    """Short numbers; where one would be wider than its margin, what all have in common stands once at the end of the axis."""

    def set_locs(self, locs: Any) -> None:
        """Set the ticks, and with them whether the labels fit."""
        super().set_locs(locs)
        self.short = max((width_of(tick_label(float(tick)), SMALL) for tick in locs), default=0.0) < MARGIN

    def __call__(self, x: float, pos: int | None = None) -> str:
        """Return the label of a tick."""
        return tick_label(x) if self.short else super().__call__(x, pos)

    def get_offset(self) -> str:
        """Return what all labels have in common."""
        return "" if self.short else super().get_offset()


def inches(ax: Axes) -> float:
    figure = ax.get_figure(root=True)
    assert figure is not None
    return ax.get_position().width * figure.get_figwidth()


def sheet(width: float, height: float) -> Axes:
    """Return axes over a whole new figure, for what is laid out in units of its own."""
    return axes_at(drawing(width, height), 0, 0, width, height)


def lay_out(ax: Axes, across: tuple[float, float], down: tuple[float, float]) -> None:
    """Give axes units of cells, from left to right and from the top down, and hide all that axes have of their own."""
    ax.set_xlim(*across)
    ax.set_ylim(down[1], down[0])
    ax.set_axis_off()


def write(ax: Axes, x: float, y: float, words: str, *, size: float = SMALL, **style: Any) -> None:
    """Write words, taken literally, about a point."""
    ax.text(x, y, words, **{"fontsize": size, "color": INK, "ha": "center", "va": "center", **literal(words), **style})
