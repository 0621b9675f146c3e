"""What did each run achieve? The runs as points, task by task: here the data are the figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from runoff.base.arrays import Floats
from runoff.data.scores import Scores
from runoff.errors import OptionError
from runoff.plots._canvas import INK, Places, dress, entitle, name_axis, panels, places, scale
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._scored import score_words
from runoff.plots._text import SMALL, labels
from runoff.plots._widths import PAGE, page
from runoff.words.names import VenueName

ROOMY, TIGHT = 0.15, 0.115
"""Inches per row, for up to six algorithms and for more."""
MANY = 10_000
"""More points than this are drawn as an image inside vector figures."""
GOLDEN = (5**0.5 - 1) / 2


def tasks(
    scores: Scores,
    *,
    ax: Places = None,
    axes: Sequence[Axes] | None = None,
    width: float | VenueName = PAGE,
    marks: Mapping[str, Mark] | None = None,
    title: str | None = None,
) -> tuple[Axes, ...]:
    """What did each run achieve on each task?

    Parameters
    ----------
    scores : Scores
        Tasks become panels with scales of their own, algorithms rows, runs points; a bar marks the mean.
    ax : Axes or sequence of Axes, optional
        The same as `axes`; a single one where there is one panel.
    axes : sequence of Axes, optional
        One for each task; None makes a figure (`axes[0].figure`).
    width : float or "neurips", "icml", "jmlr", …
        Of a figure that is made: inches, `mm(88)`, or a venue of `WIDTHS`.
    marks : mapping of algorithm to Mark, optional
    title : str, optional
        Of the figure.

    Returns
    -------
    tuple of Axes

    Raises
    ------
    OptionError
        There are more or fewer `axes` than tasks.
    """
    axes = places(ax, axes)
    names, made, width = scores.algorithms, axes is None, page(width)
    called = labels(names, 0.19 * width if made else inf)
    if axes is None:
        row = ROOMY if len(names) <= 6 else TIGHT
        axes = panels(scores.n_tasks, called, row=row, width=width, least=0.95)
    if len(axes) != scores.n_tasks:
        raise OptionError(f"axes must be one for each of {scores.n_tasks} task(s), not {len(axes)}.")
    leftmost = min(ax.get_position().x0 for ax in axes) + 1e-9
    heads, known = labels(scores.tasks, min(map(_inches, axes))), marks or marks_of(names)
    for t, ax in enumerate(axes):
        _draw(ax, scores, t, known, image=made and scores.values.size > MANY)
        dress(ax, title=heads[t], labels=called if ax.get_position().x0 <= leftmost else None, n_rows=len(names))
    name_axis(axes, score_words(scores.provenance.reference), made=made)
    entitle(axes[0], title, made=made)
    return tuple(axes)


def _draw(ax: Axes, scores: Scores, task: int, marks: Mapping[str, Mark], *, image: bool) -> None:
    cells = [scores.cell(a, task) for a in range(scores.n_algorithms)]
    scale(ax, np.concatenate(cells), ticks=3)
    for row, name in enumerate(scores.algorithms):
        if not cells[row].size:
            where = ("axes fraction", "data")
            ax.annotate("no runs", (0.02, row), xycoords=where, va="center", fontsize=SMALL, color=INK)
            continue
        _points(ax, row, cells[row], marks[name], image=image)
    held = [row for row, cell in enumerate(cells) if cell.size]
    middles = [float(cells[row].mean()) for row in held]
    ax.vlines(middles, np.array(held) - 0.42, np.array(held) + 0.42, color=INK, linewidth=1.3, zorder=3)


def _points(ax: Axes, row: int, cell: Floats, mark: Mark, *, image: bool) -> None:
    points = Line2D(cell, row + spread(cell.size), linestyle="", marker=mark.marker, color=mark.color, alpha=0.65)
    points.set(markersize=2.6, markeredgewidth=0)
    figure = ax.get_figure(root=True)
    if not image or figure is None:
        ax.add_line(points).set_clip_on(False)
        return
    # Of the figure, behind all panels and next to each other: one image then holds the points of all, where each panel would have its own, of
    # the size of the page.
    points.set(transform=ax.transData, rasterized=True, zorder=-1)
    figure.add_artist(points)


def spread(n: int) -> Floats:
    """Return n heights in ±0.28, evenly filled in any order of runs (golden ratio sequence): no draw, so no seed."""
    return 0.56 * ((np.arange(n, dtype=np.float64) * GOLDEN + 0.5) % 1.0 - 0.5)


def _inches(ax: Axes) -> float:
    figure = ax.get_figure(root=True)
    return ax.get_position().width * (figure.get_figwidth() if figure is not None else PAGE)
