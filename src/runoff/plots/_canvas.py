"""Figures without pyplot, laid out in inches: no backend, no global state, the same layout everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from runoff.errors import OptionError
from runoff.plots._text import SIZE, SMALL, literal, tick_label, width_of

INK, RULE = "#222222", "#DADADA"
"""Text and lines; the report lets them follow the page's colours."""
GAP, TITLE, FOOT, AXIS, HEAD = 0.14, 0.22, 0.22, 0.14, 0.17
"""Inches: between panels, above and below each, for the words of an axis, and for the title of a figure."""


Places = Axes | Iterable[Axes] | None
"""Where to draw: Axes, several (as `plt.subplots` returns them), or on a figure that is made."""


def places(ax: Places, axes: Sequence[Axes] | None) -> Sequence[Axes] | None:
    """Return the axes of a figure of panels, of `ax` or `axes`, which say the same."""
    if ax is None:
        return axes
    if axes is not None:
        raise OptionError("ax and axes say the same: give one of them.")
    return (ax,) if isinstance(ax, Axes) else list(np.ravel(np.array(ax, dtype=object)))


def panels(n: int, labels: Sequence[str], *, row: float, width: float, least: float) -> tuple[Axes, ...]:
    """Return `n` panels in a new figure, with a left margin for the labels.

    Each panel has a row of `row` inches for every label and is at least `least` inches wide; the first of each line has the labels.
    """
    return beside(n, max(width_of(label) for label in labels) + 0.13, row * len(labels), width=width, least=least)


def beside(n: int, left: float, body: float, *, width: float, least: float) -> tuple[Axes, ...]:
    """Return `n` panels of `body` inches height in a new figure, beside a margin of `left` inches, with room for an axis title."""
    most = max(1, int((width - left) / (least + GAP)))
    n_lines = ceil(n / most)
    n_columns = ceil(n / n_lines)
    each = TITLE + body + FOOT
    height = n_lines * each + AXIS
    figure = Figure(figsize=(width, height), facecolor="white")
    wide = (width - left - GAP * n_columns) / n_columns
    axes = []
    for i in range(n):
        line, column = divmod(i, n_columns)
        x, y = left + column * (wide + GAP), height - line * each - TITLE - body
        axes.append(figure.add_axes((x / width, y / height, wide / width, body / height), facecolor="none"))
    return tuple(axes)


def dress(ax: Axes, *, title: str, labels: Sequence[str] | None, n_rows: int) -> None:
    """Give a panel rows from the top, thin lines and small text; `labels` None leaves the rows unnamed."""
    ax.set_ylim(n_rows - 0.5, -0.5)
    named = list(labels) if labels is not None else [""] * n_rows
    ax.set_yticks(range(n_rows), labels=named, **literal(*named))
    ax.set_title(title, fontsize=SIZE, color=INK, pad=3, **literal(title))
    ax.tick_params(axis="y", labelsize=SIZE, length=0, pad=4, labelcolor=INK)
    ax.tick_params(axis="x", labelsize=SMALL, length=2, width=0.5, pad=2, color=INK, labelcolor=INK)
    ax.grid(axis="x", color=RULE, linewidth=0.5)
    ax.set_axisbelow(True)
    for side, spine in ax.spines.items():
        spine.set_visible(side == "bottom")
        spine.set(color=INK, linewidth=0.5)


def name_axis(axes: Sequence[Axes], words: str, *, made: bool) -> None:
    """Say once, under all panels, what their horizontal axes are."""
    if not made:
        axes[-1].set_xlabel(words, fontsize=SMALL, color=INK, labelpad=2, **literal(words))
        return
    figure = axes[0].get_figure(root=True)
    assert figure is not None
    wide, high = figure.get_size_inches()
    ends = [(ax.get_position().x0, ax.get_position().x1) for ax in axes]
    middle, half = (min(x for x, _ in ends) + max(x for _, x in ends)) / 2, width_of(words, SMALL) / 2 / wide
    middle = min(max(middle, half + 0.005), max(0.995 - half, 0.5))
    figure.text(middle, 0.035 / high, words, ha="center", va="bottom", fontsize=SMALL, color=INK, **literal(words))


def entitle(ax: Axes, title: str | None, *, made: bool) -> None:
    """Give a figure of panels, or one without room for it, a title; a figure that was made here grows by its line."""
    if title is None:
        return
    figure = ax.get_figure(root=True)
    assert figure is not None
    style: dict[str, Any] = {"fontsize": SIZE + 0.5, "color": INK, "fontweight": "bold", **literal(title)}
    if not made or figure.get_layout_engine() is not None:
        figure.suptitle(title, **style)
        return
    wide, high = figure.get_size_inches()
    share = high / (high + HEAD)
    figure.set_size_inches(wide, high + HEAD)
    for one in figure.axes:
        x, y, across, up = one.get_position().bounds
        one.set_position((x, y * share, across, up * share))
    for text in figure.texts:
        text.set_y(text.get_position()[1] * share)
    figure.text(0.5, 1 - 0.04 / (high + HEAD), title, ha="center", va="top", **style)


def scale(ax: Axes, values: Iterable[float], *, ticks: int) -> None:
    """Fit the horizontal axis to the values, with at most `ticks` + 1 short labels."""
    seen = list(values)
    low, high = min(seen), max(seen)
    room = 0.06 * (high - low) or 0.1 * abs(high) or 0.5
    ax.set_xlim(low - room, high + room)
    ax.xaxis.set_major_locator(MaxNLocator(nbins=ticks, steps=[1, 2, 2.5, 5, 10]))
    ax.xaxis.set_major_formatter(FuncFormatter(tick_label))
