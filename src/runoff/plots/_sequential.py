"""The statistic of each pair against the runs so far, with the bounds that it has to exceed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from math import copysign, isfinite

from matplotlib.axes import Axes

from runoff.plots._canvas import INK, entitle
from runoff.plots._lines import LEGEND, axes_beside_legend, dress_along, name_lines
from runoff.plots._marks import FIRST
from runoff.plots._text import SMALL, labels, width_of
from runoff.plots._widths import PAGE, page
from runoff.results.sequential import SequentialPair, SequentialPoint, SequentialResult
from runoff.words.names import VenueName
from runoff.words.shorten import isolated

ENDS = {
    "a_better": "{a} is better",
    "b_better": "{b} is better",
    "equivalent": "equivalent",
    "inconclusive": "inconclusive",
    "go_on": "goes on",
}
"""A decision -> what the legend says of it."""
ROOM = 1.15


def sequential(
    result: SequentialResult,
    *,
    ax: Axes | None = None,
    width: float | VenueName = PAGE,
    title: str | None = None,
) -> Axes:
    """Where do the statistics stand, and what would they have to exceed?

    Parameters
    ----------
    result : SequentialResult
        One line for each pair, up to the look of its decision; a bar at each look is the bound on the side of its statistic. Dashed: the
        bounds of a normal statistic of a single pair.
    ax : Axes, optional
        None makes a figure.
    width : float or "neurips", "icml", "jmlr", …
        Of a figure that is made: inches, `mm(88)`, or a venue of `WIDTHS`.
    title : str, optional
        Of the figure.

    Returns
    -------
    Axes
    """
    made = ax is None
    if ax is None:
        ax = axes_beside_legend(page(width), 0)
    runs = {look.look: look.n_runs for look in result.looks}
    _design(ax, result)
    top = ROOM * max([abs(p.statistic) for p in result.path if isfinite(p.statistic)] + _bounds(result), default=1.0)
    words = _words(result.pairs)
    for pair, mark in zip(result.pairs, cycle(FIRST), strict=False):
        points = [point for point in result.path if (point.a, point.b) == (pair.a, pair.b)]
        heights = [_shown(point.statistic, top) for point in points]
        at = [runs[point.look] for point in points]
        ax.plot(
            at,
            heights,
            color=mark.color,
            marker=mark.marker,
            markersize=4.5,
            linewidth=1.1,
            label=words[pair.a, pair.b],
        )
        _critical(ax, points, at, mark.color)
    ax.axhline(0.0, color=INK, linewidth=0.5)
    ax.set_ylim(-1.05 * top, 1.05 * top)
    dress_along(ax, "runs of each algorithm on each task", "difference over its standard error")
    ax.set_xticks(list(runs.values()))
    beside = 0.08 * runs[len(runs)]
    ax.set_xlim(runs[1] - beside, runs[len(runs)] + beside)
    name_lines(ax)
    entitle(ax, title, made=made)
    return ax


def _design(ax: Axes, result: SequentialResult) -> None:
    known = [(look.n_runs, look.boundary) for look in result.looks if look.boundary is not None]
    runs, bounds = [n for n, _ in known], [bound for _, bound in known]
    for side in (1.0, -1.0):
        label = f"bounds of the design, α = {result.alpha:g}" if side > 0 else "_"
        ax.plot(runs, [side * b for b in bounds], color=INK, linewidth=0.8, linestyle=(0, (4, 3)), label=label)


def _critical(ax: Axes, points: Sequence[SequentialPoint], at: Sequence[int], color: str) -> None:
    for point, x in zip(points, at, strict=True):
        if point.critical is not None:
            ax.plot([x], [copysign(point.critical, point.statistic)], marker="_", markersize=14, color=color, label="_")


def _bounds(result: SequentialResult) -> list[float]:
    own = [point.critical for point in result.path if point.critical is not None]
    return [*own, *(look.boundary for look in result.looks if look.boundary is not None and look.boundary < 10.0)]


def _shown(statistic: float, top: float) -> float:
    return statistic if isfinite(statistic) else copysign(top, statistic)


def _words(pairs: Sequence[SequentialPair]) -> dict[tuple[str, str], str]:
    """Return the lines of the legend: which difference, and what was decided."""
    names = list(dict.fromkeys(name for pair in pairs for name in (pair.a, pair.b)))
    told = {pair.decision: ENDS[pair.decision].format(a="", b="") for pair in pairs}
    n_names = 2 + any(decision.endswith("_better") for decision in told)
    room = (LEGEND - 0.4 - max((width_of(f" − : {words}", SMALL) for words in told.values()), default=0.0)) / n_names
    called = {name: isolated(label) for name, label in zip(names, labels(names, room, SMALL), strict=True)}
    return {
        (pair.a, pair.b): f"{called[pair.a]} − {called[pair.b]}: "
        + ENDS[pair.decision].format(a=called[pair.a], b=called[pair.b])
        for pair in pairs
    }
