"""What share of runs is above each score? One line per algorithm with its band."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from runoff.answer.describe import ProfileResult, ProfileRow, ProfileSummary
from runoff.base.validate import check_choice
from runoff.plots._canvas import INK, dress_plane
from runoff.plots._figure import PAGE, Marked, figure, frame_of
from runoff.plots._lines import WITHIN
from runoff.plots._marks import GREY, Mark, dash_of
from runoff.plots._text import LITERAL, SIZE, SMALL, labels, literal, width_of
from runoff.plots._ticks import tick_label
from runoff.plots._words import ALL, NAMED, axes_words
from runoff.words.numbers import counted
from runoff.words.shorten import isolated

HEIGHT, LINE = 2.1, 0.13
"""Inches of the axes with their labels, and of a line of the legend."""
MARKED, RUG = 8, 20
"""The number of markers on a line, so that nothing rests on colour alone, and the most thresholds that ticks inside the axis show."""


@figure(PAGE)
def profiles(
    result: ProfileResult,
    *,
    algorithms: Sequence[str] | None = None,
    **options: Unpack[Marked],
) -> Axes:
    """What share of runs is above each score?

    Parameters
    ----------
    result : ProfileResult
        A profile steps down at a threshold; up to twenty are shown as ticks inside the axis. With more than twelve algorithms, the first
        eight have colours, bands and names, and the others are grey lines.
    algorithms : sequence of str, optional
        The algorithms to draw, in the order of the legend; None takes all, the highest IQM first.

    Raises
    ------
    OptionError
        An algorithm is unknown.
    """
    # By the IQM, which is twice the area left of a profile between ¼ and ¾: the order of the lines in their
    # middle.
    best_first = sorted(result.algorithms, key=lambda name: -result.summary(name).iqm)
    chosen = [check_choice("algorithm", name, result.algorithms) for name in algorithms or best_first]
    frame = frame_of(options)
    named = chosen if len(chosen) <= ALL else chosen[:NAMED]
    others = chosen[len(named) :]
    called = _called(result, named, frame.width)
    # 0.45 inches are the line of an entry and the gap after it.
    abreast = max(1, min(len(named) + bool(others), int((frame.width - 0.5) / (max(map(width_of, called)) + 0.45))))
    ax = frame.ax
    if ax is None:
        high = HEIGHT + LINE * (-(-(len(named) + bool(others)) // abreast) + 1)
        ax = Figure(figsize=(frame.width, high), facecolor="white", layout="constrained").add_subplot()
        ax.set_facecolor("none")
    colors = frame.marks(result.algorithms)
    ax.set_xscale(result.scale)
    rows = {name: [row for row in result.rows if row.algorithm == name] for name in chosen}
    for at, (name, label) in enumerate(zip(named, called, strict=True)):
        _line(ax, rows[name], colors[name], label, shift=at / len(named))
    for at, name in enumerate(others):
        x, y = zip(*((row.threshold, row.estimate) for row in rows[name]), strict=True)
        label = f"the other {len(others)}" if at == 0 else "_"
        ax.plot(x, y, color=GREY, linewidth=0.5, alpha=0.7, drawstyle="steps-post", label=label, zorder=1.4)
    _dress(ax, result)
    # Once above the legend, or behind each name where they differ.
    counts = {_counts(result.summary(name)) for name in named}
    under: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.2), "ncols": abreast}
    # The figure of axes that were given may have no room under them.
    place = (under if frame.ax is None else dict(WITHIN)) | {"frameon": False}
    sizes: dict[str, Any] = {"fontsize": SMALL, "title_fontsize": SMALL, "handlelength": 1.6, "columnspacing": 1.2}
    legend = ax.legend(title=f"N = {counts.pop()}" if len(counts) == 1 else None, **place, **sizes)
    legend.get_title().set_color(INK)
    for text in legend.get_texts():
        text.set(color=INK, **literal(text.get_text()))
    return frame.entitled(ax)


def _called(result: ProfileResult, chosen: Sequence[str], width: float) -> list[str]:
    """Return what the legend calls each algorithm: its name, and its design if they differ."""
    counts = [_counts(result.summary(name)) for name in chosen]
    rest = [f" ({words})" if len(set(counts)) > 1 else "" for words in counts]
    room = max(0.6, min(2.2, width - 0.6) - max(width_of(words) if words else 0.0 for words in rest))
    return [isolated(name) + words for name, words in zip(labels(chosen, room), rest, strict=True)]


def _counts(summary: ProfileSummary) -> str:
    return f"{counted([summary.fewest, summary.most], 'run')} × {counted([summary.n_tasks], 'task')}"


def _line(ax: Axes, records: Sequence[ProfileRow], mark: Mark, label: str, *, shift: float) -> None:
    """Draw a profile with its band; `shift` moves its markers by a part of their distance, off those of other profiles."""
    # Profiles lie on each other at both ends: markers of each are shifted by a part of their distance.
    every = max(1, len(records) // MARKED)
    x, y, low, high = np.array([(r.threshold, r.estimate, r.low, r.high) for r in records], dtype=np.float64).T
    ax.fill_between(x, low, high, step="post", color=mark.color, alpha=0.18, linewidth=0, zorder=1.5)
    style: dict[str, Any] = {
        "markersize": 3,
        "markevery": (int(shift * every), every),
        "linewidth": 1.0,
        "label": label,
        "drawstyle": "steps-post",
    }
    ax.plot(x, y, color=mark.color, marker=mark.marker, linestyle=dash_of(mark), zorder=2.5, **style)


def _dress(ax: Axes, result: ProfileResult) -> None:
    x = result.thresholds
    # A single threshold is a point, with half a unit around it.
    room = 0 if len(x) > 1 else 0.5
    if len(x) <= RUG:
        rug: dict[str, Any] = {"marker": "|", "markersize": 5, "markeredgewidth": 0.6, "label": "_"}
        ax.plot(x, [0.02] * len(x), color=INK, linestyle="", transform=ax.get_xaxis_transform(), **rug)
    if ax.get_xscale() == "linear":
        ax.set_xlim(x[0] - room, x[-1] + room)
        ax.xaxis.set_major_formatter(FuncFormatter(tick_label))
    elif len(x) > 1:
        ax.set_xlim(x[0], x[-1])
        ax.xaxis.set_major_formatter(FuncFormatter(tick_label))
        # Over less than a power of ten a logarithmic axis may have no major tick at all.
        ax.xaxis.set_minor_formatter(FuncFormatter(tick_label) if x[-1] < 10 * x[0] else NullFormatter())
    ax.set_ylim(-0.01, 1.01)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], labels=["0", "0.25", "0.5", "0.75", "1"], **LITERAL)
    across, up = axes_words(result)
    ax.set_ylabel(up, fontsize=SIZE, color=INK)
    ax.set_xlabel(across, fontsize=SIZE, color=INK, labelpad=2)
    dress_plane(ax)
