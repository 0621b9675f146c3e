"""Lines along training: axes with a legend beside or under them, one panel for each task."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import ceil

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from runoff.errors import OptionError
from runoff.plots._canvas import INK, RULE
from runoff.plots._marks import Mark
from runoff.plots._text import SIZE, SMALL, labels, literal, tick_label, width_of
from runoff.words.shorten import isolated

HIGH, STRIP = 2.68, 0.09
"""Height of a figure, and of the strip of one pair under its axes, inches."""
LEGEND = 2.0
AXES = {"step": "steps", "time": "seconds", "episodes": "episodes"}


def labelled(names: Sequence[str], replicates: Mapping[str, str]) -> dict[str, str]:
    """Return lines of the legend: the names, shortened to what tells them apart, each with its runs where it has some."""
    room = LEGEND - 0.4 - max((width_of(words, SMALL) for words in replicates.values()), default=0.0)
    called = zip(names, labels(names, room, SMALL), strict=True)
    return {name: isolated(label) + replicates.get(name, "") for name, label in called}


def axes_beside_legend(width: float, n_strips: int) -> Axes:
    """Return axes in a new figure, with room for a legend beside them and for strips under them."""
    high = HIGH + STRIP * n_strips
    figure = Figure(figsize=(width, high), facecolor="white")
    left, foot = 0.55, 0.42 + STRIP * n_strips
    return figure.add_axes(
        (left / width, foot / high, (width - left - LEGEND - 0.1) / width, (high - foot - 0.2) / high),
        facecolor="none",
    )


def draw_line(
    ax: Axes, mark: Mark, label: str, points: Sequence[tuple[float, float, float | None, float | None]]
) -> None:
    """Draw (step, estimate, low, high) as a line with a band where there are intervals."""
    steps, estimates = np.array([[p[0], p[1]] for p in points]).T
    every = max(1, len(points) // 8)
    ax.plot(
        steps,
        estimates,
        color=mark.color,
        linewidth=1.1,
        marker=mark.marker,
        markersize=3,
        markevery=every,
        label=label,
    )
    low, high = (np.array([np.nan if p[k] is None else p[k] for p in points], np.float64) for k in (2, 3))
    if len(points) == 1:
        ax.vlines(steps, low, high, color=mark.color, linewidth=2.0, alpha=0.4)
    ax.fill_between(steps, low, high, color=mark.color, alpha=0.18, linewidth=0)


def dress_along(ax: Axes, axis: str, title: str) -> None:
    """Give the axes their words, thin lines and small text, and a legend beside them."""
    ax.set_xlabel(axis, fontsize=SMALL, color=INK, labelpad=1, **literal(axis))
    ax.set_ylabel(title, fontsize=SIZE, color=INK, labelpad=2, **literal(title))
    ax.tick_params(labelsize=SMALL, length=2, width=0.5, pad=2, color=INK, labelcolor=INK)
    ax.xaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 2.5, 5, 10]))
    for one in (ax.xaxis, ax.yaxis):
        one.set_major_formatter(FuncFormatter(tick_label))
    ax.grid(color=RULE, linewidth=0.5)
    ax.set_axisbelow(True)
    ax.margins(x=0.01)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("bottom", "left"))
        spine.set(color=INK, linewidth=0.5)


def task_axes(
    axes: Sequence[Axes] | None, tasks: Sequence[str], n_lines: int, width: float, n_strips: int
) -> tuple[Axes, ...]:
    """Return one panel for each task: those given, or new ones with room for the legend."""
    if axes is None:
        made = (axes_beside_legend(width, n_strips),)
        return made if len(tasks) == 1 else grid_of_axes(len(tasks), n_lines, width)
    if len(axes) != len(tasks):
        raise OptionError(f"axes must be one for each of {len(tasks)} task(s), not {len(axes)}.")
    return tuple(axes)


def dress_tasks(
    axes: Sequence[Axes], tasks: Sequence[str], axis: str, title: str, *, legend_under: bool, width: float
) -> None:
    """Name the axes, the panels and, once, the lines."""
    for called, ax in zip(labels(tasks, 1.8), axes, strict=True):
        dress_along(ax, axis, title if len(tasks) == 1 else "")
        if len(tasks) > 1:
            ax.set_title(called, fontsize=SIZE, color=INK, pad=3, **literal(called))
    if legend_under:
        _legend_under(axes, width)
    else:
        legend_beside(axes[0])


def legend_beside(ax: Axes) -> None:
    """Name the lines that have markers, those of algorithms, beside the axes."""
    _beside(ax, _named_lines([ax]))


def name_lines(ax: Axes) -> None:
    """Name all lines beside the axes but those labelled "_"."""
    found = {str(line.get_label()): line for line in ax.get_lines()}
    _beside(ax, {label: line for label, line in found.items() if not re.fullmatch(r"_(child\d+)?", label)})


def _beside(ax: Axes, lines: Mapping[str, Line2D]) -> None:
    legend = ax.legend(
        lines.values(),
        ["line"] * len(lines),
        fontsize=SMALL,
        frameon=False,
        loc="upper left",
        bbox_to_anchor=(1.01, 1.0),
        borderaxespad=0.0,
    )
    _name(legend, list(lines))


def _legend_under(axes: Sequence[Axes], width: float) -> None:
    """Name the lines of all panels once, under them."""
    lines, n_columns = _named_lines(axes), int(width // (LEGEND + 0.1))
    legend = axes[0].figure.legend(
        lines.values(),
        ["line"] * len(lines),
        loc="lower center",
        ncols=n_columns,
        fontsize=SMALL,
        frameon=False,
        borderaxespad=0.1,
    )
    _name(legend, list(lines))


def _named_lines(axes: Sequence[Axes]) -> dict[str, Line2D]:
    """Return the lines of algorithms, which alone have markers, by label."""
    return {str(line.get_label()): line for ax in axes for line in ax.get_lines() if line.get_marker() != "None"}


def _name(legend: Legend, names: Sequence[str]) -> None:
    """Set the texts afterwards: matplotlib takes a label that begins with an underscore for one to be hidden."""
    for text, label in zip(legend.get_texts(), names, strict=True):
        text.set(text=label, color=INK, **literal(label))


def grid_of_axes(n: int, n_lines: int, width: float) -> tuple[Axes, ...]:
    """Return panels in a new figure, three abreast, with room for a legend of so many lines under them."""
    n_columns, high = min(3, n), 1.8
    wide, n_rows = width / n_columns, ceil(n / n_columns)
    foot = 0.1 + 0.15 * ceil(n_lines / int(width // (LEGEND + 0.1)))
    total = high * n_rows + foot
    figure = Figure(figsize=(width, total), facecolor="white")
    return tuple(
        figure.add_axes(
            (
                (0.45 + (i % n_columns) * wide) / width,
                (foot + 0.36 + (n_rows - 1 - i // n_columns) * high) / total,
                (wide - 0.52) / width,
                (high - 0.58) / total,
            ),
            facecolor="none",
        )
        for i in range(n)
    )
