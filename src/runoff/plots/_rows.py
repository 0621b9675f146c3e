"""Rows of algorithms: an estimate with its interval each, one panel for each group of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from matplotlib.axes import Axes

from runoff.errors import OptionError
from runoff.plots._canvas import dress, panels, scale
from runoff.plots._marks import Mark
from runoff.plots._text import fit

ROW = 0.17
"""Inches of a row."""


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


def draw_groups(
    axes: Sequence[Axes] | None,
    groups: Mapping[str, Sequence[Row]],
    marks: Mapping[str, Mark],
    *,
    width: float,
    what: str,
) -> tuple[Axes, ...]:
    """Draw each titled group in a panel, the same algorithms in the same order in all; only panels on the left name them."""
    labels: Sequence[str] = [row.algorithm for row in next(iter(groups.values()))]
    if axes is None:
        labels = [fit(name, 0.25 * width) for name in labels]
        axes = panels(len(groups), labels, row=ROW, width=width, least=0.9)
    if len(axes) != len(groups):
        raise OptionError(f"axes must be one for each of {len(groups)} {what}(s), not {len(axes)}.")
    left = min(ax.get_position().x0 for ax in axes) + 1e-9
    for (title, rows), ax in zip(groups.items(), axes, strict=True):
        draw_rows(ax, rows, marks)
        dress(ax, title=title, labels=labels if ax.get_position().x0 <= left else None, n_rows=len(labels))
    return tuple(axes)


def draw_rows(ax: Axes, rows: Sequence[Row], marks: Mapping[str, Mark]) -> None:
    """Draw intervals and estimates, one algorithm under the other."""
    for place, row in enumerate(rows):
        mark = marks[row.algorithm]
        if row.low is not None and row.high is not None:
            ax.hlines(place, row.low, row.high, color=mark.color, linewidth=5.0, alpha=0.35)
        ax.plot(row.estimate, place, mark.marker, color=mark.color, markersize=3.4, markeredgewidth=0, zorder=3)
    scale(ax, [end for row in rows for end in (row.low, row.estimate, row.high) if end is not None], ticks=4)
