"""What share of runs is above each score? One line per algorithm with its band, and what can be read off: IQM, median, optimality gap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from runoff.base.validate import check_choice
from runoff.errors import OptionError
from runoff.plots._canvas import INK, dress_plane
from runoff.plots._figure import PAGE, Marked, figure, frame_of
from runoff.plots._marks import Mark
from runoff.plots._text import LITERAL, SIZE, SMALL, labels, literal, score_words, tick_label, width_of
from runoff.results.describe import ProfileRecord, ProfileResult, ProfileSummary
from runoff.words.names import FixedMetric, ThresholdsName, metric_title
from runoff.words.numbers import counted

HEIGHT, LINE = 2.1, 0.13
"""Inches of the axes with their labels, and of a line of the legend."""
MARKED, RUG = 8, 20
"""The number of markers on a line, so that nothing rests on colour alone, and the most thresholds that ticks inside the axis show."""
SCALES = ("linear", "log")
SHARES = {"iqm": (0.25, 0.75), "median": (0.0, 0.5), "mean": (0.0, 1.0)}
"""The shares between which a line stands at the value that is read off."""
AREAS = (*SHARES, "optimality_gap")


@figure(PAGE)
def profiles(
    result: ProfileResult,
    *,
    algorithms: Sequence[str] | None = None,
    area: FixedMetric | None = None,
    xscale: ThresholdsName | None = None,
    **options: Unpack[Marked],
) -> Axes:
    """What share of runs is above each score?

    Parameters
    ----------
    result : ProfileResult
        A profile steps down at a threshold; up to twenty are shown as ticks inside the axis.
    algorithms : sequence of str, optional
        Some of them, in the order of the legend.
    area : "iqm", "median", "mean" or "optimality_gap", optional
        Show how it is read off; the legend gives its value. IQM: a line between the shares ¼ and ¾, with as much of the profile's area on either
        side; median: where the profile crosses ½; mean: a line over the whole height; optimality gap: the area above the profile, left of
        gamma. A single algorithm on a linear axis has the area itself shaded.
    xscale : "linear" or "log", optional
        None takes that of the thresholds. Areas are areas on a linear axis only.

    Raises
    ------
    OptionError
        An unknown algorithm, area or scale; a log scale with thresholds that are not positive.
    """
    chosen = [check_choice("algorithm", name, result.algorithms) for name in algorithms or result.algorithms]
    if area is not None:
        check_choice("area", area, AREAS)
    scale = check_choice("xscale", xscale or result.scale, SCALES)
    if scale == "log" and result.thresholds[0] <= 0:
        message = f"xscale='log' needs thresholds above 0, and the lowest is {result.thresholds[0]:g}; ask for thresholds='log'."
        raise OptionError(message)
    frame = frame_of(options)
    called = _called(result, chosen, area, frame.width)
    abreast = max(1, min(len(chosen), int((frame.width - 0.5) / (max(map(width_of, called)) + 0.45))))
    ax = frame.ax
    if ax is None:
        high = HEIGHT + LINE * (-(-len(chosen) // abreast) + 1)
        ax = Figure(figsize=(frame.width, high), facecolor="white", layout="constrained").add_subplot()
        ax.set_facecolor("none")
    colours = frame.marks(result.algorithms)
    ax.set_xscale(scale)
    if area == "iqm":
        ax.axhspan(0.25, 0.75, color=INK, alpha=0.06, linewidth=0, zorder=0.5)
    elif area == "median":
        ax.axhline(0.5, color=INK, linewidth=0.7, zorder=1, label="_")
    elif area == "optimality_gap":
        ax.axvline(result.summary(chosen[0]).gamma, color=INK, linewidth=0.7, zorder=1, label="_")
    for at, (name, label) in enumerate(zip(chosen, called, strict=True)):
        _line(ax, result.of(name), colours[name], label, shift=at / len(chosen))
        if area is not None:
            _read_off(ax, area, result.summary(name), colours[name], filled=len(chosen) == 1 and scale == "linear")
    _dress(ax, result)
    counts = {_counts(result.summary(name)) for name in chosen}
    place: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.2), "ncols": abreast, "frameon": False}
    sizes: dict[str, Any] = {"fontsize": SMALL, "title_fontsize": SMALL, "handlelength": 1.6, "columnspacing": 1.2}
    legend = ax.legend(title=f"N = {counts.pop()}" if len(counts) == 1 else None, **place, **sizes)
    legend.get_title().set_color(INK)
    for text in legend.get_texts():
        text.set(color=INK, **literal(text.get_text()))
    return frame.entitled(ax)


def _called(result: ProfileResult, chosen: Sequence[str], area: str | None, width: float) -> list[str]:
    """Return what the legend calls each algorithm: its name, its design if they differ, and what is read off."""
    alike = len({_counts(result.summary(name)) for name in chosen}) == 1
    rest = []
    for summary in map(result.summary, chosen):
        own = "" if alike else f" ({_counts(summary)})"
        if area is not None:
            gamma = f" (γ = {summary.gamma:g})" if area == "optimality_gap" else ""
            own += f": {metric_title(area)}{gamma} {getattr(summary, area):.3g}"
        rest.append(own)
    room = max(0.6, min(2.2, width - 0.6) - max(width_of(words) if words else 0.0 for words in rest))
    return [name + words for name, words in zip(labels(chosen, room), rest, strict=True)]


def _counts(summary: ProfileSummary) -> str:
    return f"{counted([summary.fewest, summary.most], 'run')} × {counted([summary.n_tasks], 'task')}"


def _line(ax: Axes, records: Sequence[ProfileRecord], mark: Mark, label: str, *, shift: float) -> None:
    """Draw a profile with its band; `shift` moves its markers by a part of their distance, off those of other profiles."""
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
    ax.plot(x, y, color=mark.color, marker=mark.marker, zorder=2.5, **style)


def _dress(ax: Axes, result: ProfileResult) -> None:
    x = result.thresholds
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
        ax.xaxis.set_minor_formatter(FuncFormatter(tick_label) if x[-1] < 10 * x[0] else NullFormatter())
    ax.set_ylim(-0.01, 1.01)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], labels=["0", "0.25", "0.5", "0.75", "1"], **LITERAL)
    what = "scores" if result.kind == "run_scores" else "task means"
    ax.set_ylabel(f"share of {what} above τ", fontsize=SIZE, color=INK)
    ax.set_xlabel(f"{score_words(result.reference)} τ", fontsize=SIZE, color=INK, labelpad=2)
    dress_plane(ax)


# ── what is read off ──────────


def _read_off(ax: Axes, area: FixedMetric, summary: ProfileSummary, mark: Mark, *, filled: bool) -> None:
    """Draw the reading of the profile that was drawn last: a line at its value and, `filled`, the area behind it."""
    line = next(line for line in reversed(ax.lines) if not str(line.get_label()).startswith("_"))
    x, share = (np.repeat(np.asarray(data, dtype=np.float64), 2) for data in (line.get_xdata(), line.get_ydata()))
    x, share = x[1:], share[:-1]  # the corners of the steps
    shade: dict[str, Any] = {"color": mark.color, "alpha": 0.25, "linewidth": 0, "zorder": 2}
    if area in SHARES:
        low, high = SHARES[area]
        if filled and area != "median":
            heights = np.linspace(low, high, 200)
            edge = np.interp(heights, share[::-1], x[::-1])
            ax.fill_betweenx(heights, np.clip(0.0, x[0], x[-1]), edge, **shade)
        at = getattr(summary, area)
        ax.plot([at, at], [low, high], color=mark.color, linewidth=1.0, linestyle=(0, (2, 1.5)), zorder=3, label="_")
    elif filled:
        inside = np.append(x[x < summary.gamma], min(summary.gamma, x[-1]))
        ax.fill_between(inside, np.interp(inside, x, share), 1.0, **shade)
