"""Rows of algorithms: an estimate with its interval each, one panel for each group of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import Protocol

from matplotlib.axes import Axes

from runoff.errors import OptionError
from runoff.plots._canvas import INK, dress, entitle, name_axis, panels, scale
from runoff.plots._interval import bar, point
from runoff.plots._marks import Mark
from runoff.plots._text import SMALL, labels, tick_label

ROW = 0.17
"""Inches of a row."""
LEADERS, SQUEEZED = 2 / 3, 1 / 4
"""At least this share of the algorithms is drawn in full; others are cut off if the rest would take less than this share of the axis."""


class Row(Protocol):
    """A record with an estimate, and an interval where there is one."""

    @property
    def algorithm(self) -> str: ...
    @property
    def estimate(self) -> float: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of a panel, and whether lower estimates are better."""

    title: str
    rows: Sequence[Row]
    lower: bool = False


def draw_groups(
    axes: Sequence[Axes] | None,
    groups: Sequence[Group],
    marks: Mapping[str, Mark],
    *,
    width: float,
    what: str,
    words: str,
    title: str | None,
) -> tuple[Axes, ...]:
    """Draw each group in a panel, the same algorithms in the same order in all; only panels on the left name them."""
    names, made = [row.algorithm for row in groups[0].rows], axes is None
    called = labels(names, 0.25 * width if made else inf)
    if axes is None:
        axes = panels(len(groups), called, row=ROW, width=width, least=0.9)
    if len(axes) != len(groups):
        raise OptionError(f"axes must be one for each of {len(groups)} {what}(s), not {len(axes)}.")
    left = min(ax.get_position().x0 for ax in axes) + 1e-9
    for group, ax in zip(groups, axes, strict=True):
        draw_rows(ax, group.rows, marks, lower=group.lower)
        dress(ax, title=group.title, labels=called if ax.get_position().x0 <= left else None, n_rows=len(names))
    name_axis(axes, words, made=made)
    entitle(axes[0], title, made=made)
    return tuple(axes)


def draw_rows(ax: Axes, rows: Sequence[Row], marks: Mapping[str, Mark], *, lower: bool = False) -> None:
    """Draw intervals and estimates, one algorithm under the other; what lies beyond the axis has an arrow and its number."""
    shown = leaders(rows, lower=lower)
    scale(ax, _ends(shown), ticks=4)
    limits = ax.get_xlim()
    for place, row in enumerate(rows):
        mark = marks[row.algorithm]
        bar(ax, place, row.low, row.high, mark.color)
        if limits[0] <= row.estimate <= limits[1]:
            point(ax, row.estimate, place, mark.marker, mark.color)
        for beyond in _beyond(row, limits):
            _arrow(ax, place, beyond, left=beyond < limits[0])
    ax.set_xlim(limits)


def leaders(rows: Sequence[Row], *, lower: bool = False) -> Sequence[Row]:
    """Return the rows that an axis has to hold: all, or the better ones where the others would leave them a sliver of it.

    The best are never cut off, and at most a third of the rows is.
    """
    order = sorted(rows, key=lambda row: row.estimate if lower else -row.estimate)
    whole = _span(order)
    for kept in range(len(order) - 1, max(1, ceil(LEADERS * len(order)) - 1), -1):
        if _span(order[:kept]) < SQUEEZED * whole:
            return order[:kept]
    return rows


def cut_off(groups: Sequence[Group]) -> bool:
    """Return whether a panel leaves something beyond its axis."""
    return any(len(leaders(group.rows, lower=group.lower)) < len(group.rows) for group in groups)


def _ends(rows: Sequence[Row]) -> list[float]:
    return [end for row in rows for end in (row.low, row.estimate, row.high) if end is not None]


def _span(rows: Sequence[Row]) -> float:
    ends = _ends(rows)
    return max(ends) - min(ends)


def _beyond(row: Row, limits: tuple[float, float]) -> list[float]:
    """Return what of a row lies beyond the axis: the estimate, or else the ends of the interval."""
    if not limits[0] <= row.estimate <= limits[1]:
        return [row.estimate]
    return [end for end in (row.low, row.high) if end is not None and not limits[0] <= end <= limits[1]]


def _arrow(ax: Axes, place: int, value: float, *, left: bool) -> None:
    number = tick_label(float(f"{value:.3g}"))
    ax.annotate(
        f"◂ {number}" if left else f"{number} ▸",
        (0 if left else 1, place),
        (2 if left else -2, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        ha="left" if left else "right",
        va="center",
        fontsize=SMALL,
        color=INK,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4},
    )
