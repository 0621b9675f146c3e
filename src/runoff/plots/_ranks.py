"""Which ranks differ? Average ranks on a line, best on the right as in Demšar 2006; bars join algorithms that do not differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from runoff.answer.rank import CriticalDifferenceResult
from runoff.plots._canvas import INK, inches, lay_out, sheet
from runoff.plots._figure import COLUMN, Marked, figure, frame_of
from runoff.plots._marks import Mark
from runoff.plots._text import SIZE, SMALL, labels, literal, width_of
from runoff.plots._ticks import tick_label

ROW, BAR, FIRST = 0.16, 0.075, 0.1
"""Inches of a line of names, of a bar that joins a group, and between the axis and the first bar."""
ABOVE, LABEL, EDGE = 0.5, 0.3, 0.06
"""Inches above the axis (ticks and critical difference), the largest share of the width that a name takes, inches of the margin."""
OVER, GAP, KEY = 0.04, 0.07, 0.1
"""Inches of a bar beyond its group, between bars on one level, and for the marker beside a name."""


@dataclass(frozen=True, slots=True)
class _Bar:
    """A bar that joins the ranks from `low` to `high`, on its own level."""

    low: float
    high: float
    level: int


@figure(COLUMN)
def critical_difference(result: CriticalDifferenceResult, **options: Unpack[Marked]) -> Axes:
    """Which average ranks differ by more than the critical difference?

    Parameters
    ----------
    result : CriticalDifferenceResult
        Average ranks, from 1 to k, lie on a line, the best on the right. Bars join the largest groups of algorithms that do not differ; with
        a control, one bar covers the algorithms that do not differ from it.

    Returns
    -------
    Axes
        Data units: average rank across, inches below the axis down.

    References
    ----------
    Demšar 2006, JMLR 7, figure 1. Casesa 2024, eq. 2.23 and figure 12.
    """
    ranks = dict(zip(result.algorithms, result.average_ranks, strict=True))
    order = sorted(ranks, key=lambda name: ranks[name])
    frame, reach = frame_of(options), result.critical_average_difference
    wide = inches(frame.ax) if frame.ax else frame.width
    called = labels(order, LABEL * wide)
    # Names stand beside the axis, so that its length depends on them: measured first, then drawn.
    low, high, unit = _scale(called, list(ranks.values()), reach, wide)
    bars = _bars(result, ranks, reach, unit)
    top = FIRST + BAR * (1 + max((bar.level for bar in bars), default=-1)) + 0.06
    depth = top + ROW * len(_sides(order)[0]) + 0.02
    ax = frame.ax or sheet(wide, ABOVE + depth)
    right, left = _margins(called)
    # From the worst on the left to the best on the right, as in Demšar 2006.
    lay_out(ax, (high + left * unit, low - right * unit), (-ABOVE, depth))
    ax.hlines(0, low, high, color=INK, linewidth=0.7)
    for tick in MaxNLocator(nbins=6, steps=[1, 2, 5, 10]).tick_values(low, high):
        if low <= tick <= high:
            ax.vlines(tick, -0.04, 0, color=INK, linewidth=0.7)
            ax.text(tick, -0.06, tick_label(float(tick)), ha="center", va="bottom", fontsize=SMALL, color=INK)
    if reach > 0:
        _ruler(ax, low, high, reach)
    for bar in bars:
        ends = max(bar.low, low), min(bar.high, high)
        ax.hlines(FIRST + BAR * bar.level, *ends, color=INK, linewidth=2.6, zorder=3)
    _names(ax, dict(zip(order, called, strict=True)), ranks, frame.marks(order), top=top)
    return frame.entitled(ax)


def _bars(result: CriticalDifferenceResult, ranks: Mapping[str, float], reach: float, unit: float) -> list[_Bar]:
    """Return the bars; none is longer than the critical difference, and those on one level keep a gap. `unit`: ranks in an inch."""
    if result.control is not None:
        # Against a control one bar of both sides: who lies under it does not differ from the control.
        middle = ranks[result.control]
        return [_Bar(middle - reach, middle + reach, 0)]
    bars: list[_Bar] = []
    for group in result.groups:
        low, high = min(ranks[name] for name in group), max(ranks[name] for name in group)
        if len(group) > 1:
            # A bar goes a little beyond its group to be seen at its ends, but never so far that it is longer
            # than the critical difference, which would deny it.
            room = min(OVER * unit, max(reach - (high - low), 0.0) / 2)
            low, high, gap = low - room, high + room, GAP * unit
            # The lowest level on which no earlier bar lies in the way.
            levels = {bar.level for bar in bars if bar.low - gap <= high and low <= bar.high + gap}
            bars.append(_Bar(low, high, next(level for level in range(len(bars) + 1) if level not in levels)))
    return bars


def _scale(called: Sequence[str], ranks: Sequence[float], reach: float, wide: float) -> tuple[float, float, float]:
    """Return the ends of the axis, and how many ranks an inch has, so that names fit beside it."""
    low, high = min(ranks), max(ranks)
    # The critical difference has to fit on the axis, also where all ranks lie closer together; equal ranks need
    # some length.
    spare = max(reach - (high - low), 0.05 * (high - low), 0.05 if high == low else 0.0)
    low, high = max(low - spare / 2, 1.0), min(high + spare / 2, float(len(ranks)))
    high = max(high, low + reach)
    right, left = _margins(called)
    return low, high, (high - low) / max(wide - left - right, 0.2 * wide)


def _margins(called: Sequence[str]) -> tuple[float, float]:
    right, left = (max(width_of(label) for label in side) + KEY + 0.12 + EDGE for side in _sides(called))
    return right, left


def _sides(order: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    # The better half is named on the right, the rest on the left; lines to the names then do not cross.
    half = (len(order) + 1) // 2
    return order[:half], order[half:]


def _ruler(ax: Axes, low: float, high: float, reach: float) -> None:
    """Draw the critical difference as a ruler above the axis, from its left end; beside it stands the number, and the name of the axis where
    both have room, else the number says of what it is."""
    y, caps, name, room = -0.3, 0.03, "average rank", high - reach - low
    ax.hlines(y, high - reach, high, color=INK, linewidth=0.9)
    ax.vlines([high - reach, high], y - caps, y + caps, color=INK, linewidth=0.9)
    named = room > _units(ax, width_of(f"CD = {reach:.3g}") + 0.12 + width_of(name))
    text = f"CD{'' if named else f' of {name}s'} = {reach:.3g}"
    beside = room > _units(ax, width_of(text) + 0.06)
    at = (high - reach, y) if beside else (high - reach / 2, y - 0.11)
    where: dict[str, Any] = {"textcoords": "offset points", "ha": "left" if beside else "center", "va": "center"}
    ax.annotate(text, at, (4 if beside else 0, 0), fontsize=SMALL, color=INK, **where)
    if named:
        ax.text(low, y, name, ha="right", va="center", fontsize=SMALL, color=INK)


def _names(
    ax: Axes, called: Mapping[str, str], ranks: Mapping[str, float], marks: Mapping[str, Mark], *, top: float
) -> None:
    half = len(_sides(list(called))[0])
    left, right = ax.get_xlim()
    for place, (name, label) in enumerate(called.items()):
        better = place < half
        # The outermost rank has the uppermost name on both sides.
        row = place if better else len(called) - 1 - place
        y = top + ROW * (row + 0.5)
        mark, inward = marks[name], _units(ax, EDGE + width_of(label) + KEY + 0.1)
        end = right + inward if better else left - inward
        ax.plot([ranks[name], ranks[name], end], [0, y, y], color=mark.color, linewidth=0.8, zorder=2)
        outward = _units(ax, 0.06) * (-1 if better else 1)
        # Beside the name, not on the axis: algorithms of equal rank lie on one another there.
        ax.plot(end + outward, y, mark.marker, color=mark.color, markersize=4, markeredgewidth=0, zorder=4)
        at, side = end + 2 * outward, "left" if better else "right"
        ax.text(at, y, label, ha=side, va="center", fontsize=SIZE, color=INK, **literal(label))


def _units(ax: Axes, length: float) -> float:
    left, right = ax.get_xlim()
    return length * (left - right) / inches(ax)
