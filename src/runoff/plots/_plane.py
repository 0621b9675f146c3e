"""The plane of performance and sensitivity: where algorithms lie, seen from one of them, with its regions named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np
from matplotlib.axes import Axes

from runoff.answer.sensitivity import SensitivityResult, SensitivityRow
from runoff.errors import OptionError, nearest
from runoff.plots._canvas import INK, RULE, axes_at, drawing
from runoff.plots._figure import PAGE, Marked, figure, frame_of
from runoff.plots._lines import dress_along, labelled, name_algorithms
from runoff.plots._text import SMALL

HIGH, LEGEND = 3.2, 2.0
"""Height of the figure and width of its legend, inches."""
ROOM = 1.35
"""How much farther the axes reach than the points, so that every region is seen."""
REGIONS = (
    (-1.0, 0.95, "left", "better, and no\nmore sensitive"),
    (0.45, 0.95, "left", "better, and\nmore sensitive"),
    (1.0, 0.18, "right", "better only when\ntuned per task"),
    (1.0, -0.85, "right", "worse tuned and\nwith one setting"),
    (-1.0, -0.25, "left", "better only with\none setting"),
)
"""Place of each name, from the reference to the ends of the axes, and on which side of the text it lies."""


@figure(PAGE)
def sensitivity(result: SensitivityResult, *, reference: str | None = None, **options: Unpack[Marked]) -> Axes:
    """Which algorithm is better, and how much does it need tuning per task?

    Parameters
    ----------
    result : SensitivityResult
        Points are performance tuned per task against sensitivity, bars the interval of the sensitivity. On the diagonal through the
        reference, performance with one setting is equal.
    reference : str, optional
        The algorithm from which the regions are seen; the first one by default.
    """
    frame = frame_of(options)
    names = [row.algorithm for row in result.rows]
    origin = names[0] if reference is None else reference
    if origin not in names:
        raise OptionError(f"reference {origin!r} is none of the algorithms.{nearest(origin, names)}")
    colors, called = frame.marks(result.algorithms), labelled(names, {})
    width = frame.width
    ax = frame.ax or axes_at(drawing(width, HIGH), 0.55, 0.42, width - LEGEND - 0.65, HIGH - 0.62)
    points = {row.algorithm: _place(row) for row in result.rows}
    for row in result.rows:
        x, y = points[row.algorithm]
        mark = colors[row.algorithm]
        ax.plot(
            [x], [y], color=mark.color, marker=mark.marker, linestyle="none", markersize=5, label=called[row.algorithm]
        )
        if row.low is not None and row.high is not None:
            ax.hlines(y, row.low, row.high, color=mark.color, linewidth=1.0)
    ends = [end for row in result.rows for end in (row.low, row.high) if end is not None]
    _name_regions(ax, np.array([*points.values()]), points[origin], ends)
    dress_along(ax, "sensitivity", "performance tuned per task")
    name_algorithms(frame, [ax])
    return frame.entitled(ax)


def _place(row: SensitivityRow) -> tuple[float, float]:
    return (row.plug_in if row.estimate is None else row.estimate), row.tuned


def _name_regions(ax: Axes, points: np.ndarray, origin: tuple[float, float], ends: Sequence[float]) -> None:
    """Draw the lines through the reference, and write what lies between them; both axes reach equally far, for the diagonal is one of 45°."""
    x, y = origin
    reach = ROOM * max(float(np.abs(points - origin).max()), 0.1 * max(abs(x), abs(y)), 1e-9)
    # A bar that ends at the edge would look cut off.
    reach = max(reach, *(1.06 * abs(end - x) for end in ends), 0.0)
    ax.set_xlim(x - reach, x + reach)
    ax.set_ylim(y - reach, y + reach)
    for line in (ax.axvline, ax.axhline):
        line(x if line == ax.axvline else y, color=RULE, linewidth=1.0, zorder=0)
    ax.axline(origin, slope=1.0, color=RULE, linewidth=1.0, linestyle="--", zorder=0)
    for right, up, side, words in REGIONS:
        place = x + 0.97 * right * reach, y + up * reach
        ax.text(*place, words, ha=side, va="top" if up > 0 else "bottom", fontsize=SMALL, color=INK, alpha=0.7)
