"""Which places are possible? One row per algorithm, place 1 on the left."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from matplotlib.axes import Axes

from runoff.plots._canvas import INK, dress, name_axis, panels
from runoff.plots._heatmap import short
from runoff.plots._interval import DARK, bar, point, toned
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._text import SMALL, labels, tick_label
from runoff.plots._widths import COLUMN, column
from runoff.results.rank import RankIntervalRecord, RankIntervalsResult
from runoff.words.names import VenueName

ROW, LABEL, CHANCE = 0.17, 0.36, 0.18
"""Inches of a row; the most of the width that a name takes; the share of the panel for the chance to be best."""
MOST_TICKS = 12
TITLE = "Possible places"


def rank_intervals(
    result: RankIntervalsResult,
    *,
    ax: Axes | None = None,
    width: float | VenueName = COLUMN,
    marks: Mapping[str, Mark] | None = None,
    title: str | None = None,
) -> Axes:
    """Which places are possible, and what is the chance to be best?

    Parameters
    ----------
    result : RankIntervalsResult
        Algorithms become rows, the best estimate first. Thick bars: places that are possible for each on its own; thin lines: for all at once.
        Markers: places of the estimates. On the right the share of draws in which it is best.
    ax : Axes, optional
        None makes a figure.
    width : float or "neurips", "icml", "jmlr", …
        Of a figure that is made: inches, `mm(88)`, or a venue of `WIDTHS`.
    marks : mapping of algorithm to Mark, optional
    title : str, optional
        Of the figure.

    Returns
    -------
    Axes
    """
    records, k = result.best_first, len(result.records)
    made, width = ax is None, column(width)
    called = labels([record.algorithm for record in records], LABEL * width if made else inf)
    if ax is None:
        (ax,) = panels(1, called, row=ROW, width=width, least=1.0)
    known = marks or marks_of(result.algorithms)
    right = 0.5 + k / (1 - CHANCE)
    dress(ax, title=TITLE if title is None else title, labels=called, n_rows=k)
    for row, record in enumerate(records):
        _draw(ax, row, record, known[record.algorithm])
        told = "–" if record.p_best is None else short(record.p_best)
        ax.text(right, row, told, ha="right", va="center", fontsize=SMALL, color=INK)
    ax.set_xlim(0.5, right)
    step = -(-k // MOST_TICKS)
    ax.set_xticks(range(1, k + 1, step), labels=[tick_label(place) for place in range(1, k + 1, step)])
    ax.text(right, -0.62, "P(best)", ha="right", va="bottom", fontsize=SMALL, color=INK)
    name_axis([ax], "place, 1 is best", made=made)
    return ax


def _draw(ax: Axes, row: int, record: RankIntervalRecord, mark: Mark) -> None:
    if record.joint_low is not None and record.joint_high is not None:
        ax.hlines(row, record.joint_low - 0.3, record.joint_high + 0.3, color=toned(mark.color, DARK), linewidth=0.9)
    bar(ax, row, record.low - 0.2, record.high + 0.2, mark.color)
    point(ax, record.place, row, mark.marker, mark.color)
