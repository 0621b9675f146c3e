"""All pairs at a glance: lead, chance of a win, tasks won, p and adjusted p, as a staircase of cells that other algorithms do not change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from runoff.plots._canvas import INK, RULE, entitle
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._pvalues import EDGE, LABEL, MARK, diagonal, inches, order_of, short
from runoff.plots._text import SIZE, SMALL, labels, tick_label, width_of
from runoff.plots._widths import COLUMN, page
from runoff.results.comparison import ComparisonResult, Pair
from runoff.words.names import VenueName

LARGEST, LEGIBLE, LINE = 0.72, 0.4, 0.105
"""Inches: the widest cell, the narrowest that holds numbers, and a line of text."""
KEY = ("lead in means", "chance of a win", "tasks won/even/lost", "p", "p adjusted")


def pairs(
    comparison: ComparisonResult,
    *,
    ax: Axes | None = None,
    width: float | VenueName | None = None,
    marks: Mapping[str, Mark] | None = None,
    title: str | None = None,
) -> Axes:
    """How do all pairs stand, each by itself?

    Parameters
    ----------
    comparison : ComparisonResult
        Algorithms stand on the diagonal, those that tend to beat the others first; a control stands last. A cell belongs to the name at the
        right end of its row and to the name at the top of its column. Its marker is that of the one with the higher mean; what follows is told
        from its side: by how much it leads, the chance that a run of it wins, tasks on which its mean is higher, equal and lower; then p, and
        p adjusted over the family. A full marker and colour: a difference was found, the colour being that of the better one; "≈": equivalent.
    ax : Axes, optional
        None makes a figure.
    width : float or "neurips", "icml", "jmlr", …, optional
        Of a figure that is made: inches, `mm(88)`, or a venue of `WIDTHS`; None takes what its cells need.
    marks : mapping of algorithm to Mark, optional
    title : str, optional
        Of the figure.

    Returns
    -------
    Axes
        Data units: cells, the first row on top. Cells too narrow for numbers are drawn with markers only.

    Notes
    -----
    Of a cell only the adjusted p-value depends on other algorithms (and with test="auto" the test, which is chosen by how many pairs there
    are: name one to keep p the same). Mean ranks do: they can turn the order of two algorithms when a third is added.
    """
    order = order_of(comparison)
    known = marks or marks_of(order)
    made, given = ax is None, _width(order) if width is None else page(width)
    called = labels(order, LABEL * given)
    if ax is None:
        tall = _tall(_side(called, given)) * len(order) + 2 * EDGE
        ax = Figure(figsize=(given, tall), facecolor="white").add_axes((0, 0, 1, 1), facecolor="none")
    wide = inches(ax)
    side = _side(called, wide)
    ax.set_xlim(-EDGE / side, (wide - EDGE) / side)
    ax.set_ylim(len(order) + EDGE / _tall(side), -EDGE / _tall(side))
    ax.set_axis_off()
    diagonal(ax, order, called, known, side, guides=comparison.control is not None)
    for pair in comparison.pairs:
        column, row = sorted((order.index(pair.a), order.index(pair.b)))
        _cell(ax, row, column, pair, known, side)
    if side >= LEGIBLE:
        _key(ax, wide, side)
    entitle(ax, title, made=made)
    return ax


def _width(order: Sequence[str]) -> float:
    """Return a column's width if all cells are legible in it, else what they need, at most a page."""
    label = max(map(width_of, labels(order, LABEL * COLUMN)))
    needed = LARGEST * (len(order) - 1) + label + MARK + 3 * EDGE
    return min(max(COLUMN, needed), 6.8)


def _side(called: Sequence[str], width: float) -> float:
    """Return the widest cell with which every name fits beside the cells of its row."""
    fits = [(width - 3 * EDGE - MARK - width_of(label)) / max(place, 1) for place, label in enumerate(called)]
    return max(min(LARGEST, *fits), 0.02)


def _tall(side: float) -> float:
    return LINE * (len(KEY) + 0.5) if side >= LEGIBLE else 0.8 * side


def _cell(ax: Axes, row: int, column: int, pair: Pair, marks: Mapping[str, Mark], side: float) -> None:
    better = {"a_better": pair.a, "b_better": pair.b}.get(pair.verdict)
    color = marks[better].color if better is not None else "none"
    ax.add_patch(Rectangle((column, row), 1, 1, facecolor=color, alpha=0.35, linewidth=0))
    ax.add_patch(Rectangle((column, row), 1, 1, facecolor="none", edgecolor=RULE, linewidth=0.5))
    if side < LEGIBLE:
        if better is not None:
            ax.plot(column + 0.5, row + 0.5, marks[better].marker, color=color, markersize=3.4, markeredgewidth=0)
        return
    size = SMALL if side >= 0.5 else SMALL - 1.0
    for line, text in enumerate(cell_lines(pair)):
        ax.text(column + 0.5, row + _at(line), text, ha="center", va="center", fontsize=size, color=INK)
    ahead = marks[pair.a if pair.difference >= 0 else pair.b]
    at = column + 0.5 - (0.5 * width_of(cell_lines(pair)[0], size) + 0.06) / side
    if pair.difference != 0:
        face = ahead.color if better is not None else "white"
        ax.plot(
            at, row + _at(0), ahead.marker, color=ahead.color, markerfacecolor=face, markersize=3.2, markeredgewidth=0.7
        )
    if pair.verdict == "equivalent":
        ax.text(column + 0.92, row + _at(0), "≈", ha="right", va="center", fontsize=SIZE, color=INK)


def cell_lines(pair: Pair) -> tuple[str, ...]:
    """Return the lines of a cell, from the side of the one with the higher mean."""
    turned = pair.difference < 0
    chance = 1 - pair.improvement if turned else pair.improvement
    won, lost = (pair.losses, pair.wins) if turned else (pair.wins, pair.losses)
    return (
        tick_label(float(f"{abs(pair.difference):.3g}")),
        f"{chance:.2f}",
        f"{won}/{pair.ties}/{lost}",
        short(pair.pvalue),
        short(pair.pvalue_adjusted),
    )


def _at(line: int) -> float:
    return (line + 0.75) / (len(KEY) + 0.5)


def _key(ax: Axes, wide: float, side: float) -> None:
    """Say what the lines are, in the corner that the staircase leaves free."""
    right = (wide - 2 * EDGE) / side
    for line, text in enumerate(KEY):
        ax.text(right, _at(line), text, ha="right", va="center", fontsize=SMALL, color=INK, style="italic")
