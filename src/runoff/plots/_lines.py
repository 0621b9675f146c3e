"""Lines along training and against numbers of runs: axes with a legend beside or under them, one panel for each task."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

from runoff.errors import OptionError
from runoff.plots._canvas import INK, dress_plane
from runoff.plots._figure import Frame
from runoff.plots._marks import Mark
from runoff.plots._text import SIZE, SMALL, labels, literal, tick_label, width_of
from runoff.words.shorten import isolated

HIGH, STRIP = 2.68, 0.09
"""Height of a figure, and of the strip of one pair under its axes, inches."""
LEGEND = 2.0
"""The width of a legend, inches."""
AXES = {"step": "steps", "time": "seconds", "episodes": "episodes"}
DASHES = ("-", "--", "-.", ":")
BESIDE: Mapping[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0}
"""Where a legend stands beside the axes."""
DASHED = (0, (4, 3))
"""The dashes of a line at a requirement or a promise."""


def labelled(names: Sequence[str], replicates: Mapping[str, str]) -> dict[str, str]:
    """Return lines of the legend: the names, shortened to what tells them apart, each with its runs where it has some."""
    room = LEGEND - 0.4 - max((width_of(words, SMALL) for words in replicates.values()), default=0.0)
    called = zip(names, labels(names, room, SMALL), strict=True)
    return {name: isolated(label) + replicates.get(name, "") for name, label in called}


def line_axes(frame: Frame, *, n_strips: int = 0) -> Axes:
    """Return the Axes that were given, or those of a new figure with a legend beside them and strips under them."""
    if frame.ax is not None:
        return frame.ax
    width, high = frame.width, HIGH + STRIP * n_strips
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
    draw_marked(ax, mark, steps, estimates, label=label)
    low, high = (np.array([np.nan if p[k] is None else p[k] for p in points], np.float64) for k in (2, 3))
    if len(points) == 1:  # a band of one step has no width
        ax.vlines(steps, low, high, color=mark.color, linewidth=2.0, alpha=0.4)
    ax.fill_between(steps, low, high, color=mark.color, alpha=0.18, linewidth=0)


def draw_marked(ax: Axes, mark: Mark, x: Any, y: Any, **style: Any) -> None:
    """Draw a line in a colour with about eight of its markers."""
    usual = {"linewidth": 1.1, "markersize": 3, "markevery": max(1, len(x) // 8)}
    ax.plot(x, y, color=mark.color, marker=mark.marker, **{**usual, **style})


def draw_to_answer(ax: Axes, mark: Mark, runs: Sequence[int], y: Sequence[float], answer: int, **style: Any) -> None:
    """Draw a line against numbers of runs, with a marker at the number that is the answer."""
    draw_marked(ax, mark, runs, y, markersize=4.5, markevery=[i for i, n in enumerate(runs) if n == answer], **style)


def dress_along(ax: Axes, axis: str, title: str) -> None:
    """Give the axes their words, thin lines and small text."""
    ax.set_xlabel(axis, fontsize=SMALL, color=INK, labelpad=1, **literal(axis))
    ax.set_ylabel(title, fontsize=SIZE, color=INK, labelpad=2, **literal(title))
    ax.xaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 2.5, 5, 10]))
    for scale in (ax.xaxis, ax.yaxis):
        scale.set_major_formatter(FuncFormatter(tick_label))
    dress_plane(ax)
    ax.margins(x=0.01)


def dress_against_runs(ax: Axes, axis: str, share: str, *, decimals: int | None = None) -> None:
    """Give axes of a share against numbers of runs their words and their scales."""
    dress_along(ax, axis, share)
    ax.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=True))
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=decimals, symbol=" %"))


def task_axes(frame: Frame, tasks: Sequence[str], *, n_lines: int, n_strips: int = 0) -> tuple[Axes, ...]:
    """Return one panel for each task: those given, or new ones with room for the legend."""
    if frame.axes is None:
        if len(tasks) == 1:
            return (line_axes(frame, n_strips=n_strips),)
        return grid_of_axes(len(tasks), n_lines, frame.width)
    if len(frame.axes) != len(tasks):
        raise OptionError(f"axes must be one for each of {len(tasks)} task(s), not {len(frame.axes)}.")
    return tuple(frame.axes)


def dress_tasks(frame: Frame, axes: Sequence[Axes], tasks: Sequence[str], axis: str, title: str) -> None:
    """Name the axes, the panels, the figure and, once, the lines."""
    for called, ax in zip(labels(tasks, 1.8), axes, strict=True):
        dress_along(ax, axis, title if len(tasks) == 1 else "")
        if len(tasks) > 1:
            ax.set_title(called, fontsize=SIZE, color=INK, pad=3, **literal(called))
    if frame.is_new and len(tasks) > 1:
        _legend(axes[0].figure, _named_lines(axes), loc="lower center", ncols=_abreast(frame.width), borderaxespad=0.1)
    else:
        legend_beside(axes[0])


def legend_beside(ax: Axes) -> None:
    """Name the lines that have markers, those of algorithms, beside the axes."""
    _legend(ax, _named_lines([ax]), **BESIDE)


def name_lines(ax: Axes) -> None:
    """Name all lines beside the axes but those labelled "_"."""
    lines = {str(line.get_label()): line for line in ax.get_lines()}
    _legend(ax, {label: line for label, line in lines.items() if not re.fullmatch(r"_(child\d+)?", label)}, **BESIDE)


def _named_lines(axes: Sequence[Axes]) -> dict[str, Line2D]:
    """Return the lines of algorithms, which alone have markers, by label."""
    return {str(line.get_label()): line for ax in axes for line in ax.get_lines() if line.get_marker() != "None"}


def _legend(of: Any, lines: Mapping[str, Line2D], **place: Any) -> None:
    """Name lines of axes or of a figure. Texts are set afterwards: matplotlib hides labels that begin with an underscore."""
    legend = of.legend(lines.values(), ["line"] * len(lines), fontsize=SMALL, frameon=False, **place)
    for text, label in zip(legend.get_texts(), lines, strict=True):
        text.set(text=label, color=INK, **literal(label))


def _abreast(width: float) -> int:
    return int(width // (LEGEND + 0.1))


def grid_of_axes(n: int, n_lines: int, width: float) -> tuple[Axes, ...]:
    """Return panels in a new figure, three abreast, with room for a legend of so many lines under them."""
    n_columns, high = min(3, n), 1.8
    wide, n_rows = width / n_columns, ceil(n / n_columns)
    foot = 0.1 + 0.15 * ceil(n_lines / _abreast(width))
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
