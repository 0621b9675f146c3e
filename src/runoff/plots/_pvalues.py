"""Which pairs differ, at a glance? Adjusted p-values as a staircase, each step in the colour of the better algorithm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from runoff.plots._canvas import INK, RULE, entitle
from runoff.plots._improvement import algorithms
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._text import SIZE, SMALL, labels, literal, width_of
from runoff.plots._widths import COLUMN, column
from runoff.results.comparison import ComparisonResult, Pair
from runoff.words.names import VenueName

LARGEST, LEGIBLE, FLAT = 0.38, 0.28, 0.8
"""Inches: the widest cell, the narrowest that holds a number; and the height of a cell over its width."""
LABEL, EDGE, MARK = 0.36, 0.04, 0.14
"""The most of the width that a name takes; inches at the border, and for the marker before a name."""


def pvalue_matrix(
    comparison: ComparisonResult,
    *,
    ax: Axes | None = None,
    width: float | VenueName = COLUMN,
    marks: Mapping[str, Mark] | None = None,
    title: str | None = None,
) -> Axes:
    """Which pairs differ, and which of the two is better?

    Parameters
    ----------
    comparison : ComparisonResult
        Algorithms stand on the diagonal, those that tend to beat the others first; a control stands last. A cell belongs to the name at the
        right end of its row and to the name at the top of its column. It holds the adjusted p-value; where a difference was found it has the
        colour and the marker of the better one, and "≈" where the two were shown to be equivalent.
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
        Data units: cells, the first row on top. Cells too narrow for numbers are drawn without.
    """
    order = order_of(comparison)
    known = marks or marks_of(order)
    made, width = ax is None, column(width)
    called = labels(order, LABEL * width)
    if ax is None:
        side = _side(called, width)
        height = side * FLAT * len(order) + 2 * EDGE
        figure = Figure(figsize=(width, height), facecolor="white")
        ax = figure.add_axes((0, 0, 1, 1), facecolor="none")
    side = _side(called, inches(ax))
    ax.set_xlim(-EDGE / side, inches(ax) / side - EDGE / side)
    ax.set_ylim(len(order) + EDGE / (side * FLAT), -EDGE / (side * FLAT))
    ax.set_axis_off()
    diagonal(ax, order, called, known, side, guides=comparison.control is not None)
    for pair in comparison.pairs:
        at, row = sorted((order.index(pair.a), order.index(pair.b)))
        _cell(ax, row, at, pair, known, numbers=side >= LEGIBLE)
    entitle(ax, title, made=made)
    return ax


def diagonal(
    ax: Axes, order: Sequence[str], called: Sequence[str], marks: Mapping[str, Mark], side: float, *, guides: bool
) -> None:
    """Write the names; guides lead down to the cells of a lone last row."""
    for place, (name, label) in enumerate(zip(order, called, strict=True)):
        mark = marks[name]
        ax.plot(
            place + 0.5 * MARK / side, place + 0.5, mark.marker, color=mark.color, markersize=4.4, markeredgewidth=0
        )
        ax.text(place + MARK / side, place + 0.5, label, va="center", fontsize=SIZE, color=INK, **literal(label))
        if guides and place + 1 < len(order):  # the only row of cells is the last
            ax.vlines(place + 0.5 * MARK / side, place + 0.8, len(order) - 1, color=RULE, linewidth=0.6)


def order_of(comparison: ComparisonResult) -> list[str]:
    """Return the algorithms by their mean probability of improvement, best first; a control last."""
    won: dict[str, list[float]] = {name: [] for name in algorithms(comparison)}
    for pair in comparison.pairs:
        won[pair.a].append(pair.improvement)
        won[pair.b].append(1 - pair.improvement)
    return sorted(won, key=lambda name: (name == comparison.control, -sum(won[name]) / len(won[name])))


def _side(called: Sequence[str], width: float) -> float:
    """Return the widest cell with which every name fits beside the cells of its row."""
    fits = [(width - 3 * EDGE - MARK - width_of(label)) / max(place, 1) for place, label in enumerate(called)]
    return max(min(LARGEST, *fits), 0.02)


def _cell(ax: Axes, row: int, column: int, pair: Pair, marks: Mapping[str, Mark], *, numbers: bool) -> None:
    better = {"a_better": pair.a, "b_better": pair.b}.get(pair.verdict)
    color = marks[better].color if better is not None else "none"
    ax.add_patch(Rectangle((column, row), 1, 1, facecolor=color, alpha=0.35, linewidth=0))
    ax.add_patch(Rectangle((column, row), 1, 1, facecolor="none", edgecolor=RULE, linewidth=0.5))
    high, low = (0.3, 0.68) if numbers else (0.5, 0.68)
    if better is not None:
        ax.plot(
            column + 0.5, row + high, marks[better].marker, color=marks[better].color, markersize=3.6, markeredgewidth=0
        )
    elif pair.verdict == "equivalent":
        ax.text(column + 0.5, row + high, "≈", ha="center", va="center", fontsize=SIZE, color=INK)
    if numbers:
        plain = better is None and pair.verdict != "equivalent"
        ax.text(
            column + 0.5,
            row + (0.52 if plain else low),
            short(pair.pvalue_adjusted),
            ha="center",
            va="center",
            fontsize=SMALL,
            color=INK,
        )


def short(pvalue: float) -> str:
    """Return a p-value in at most five characters: "<.001", ".043", "1"."""
    if pvalue < 0.0005:
        return "<.001"
    return "1" if pvalue >= 0.9995 else f"{pvalue:.3f}".removeprefix("0")


def inches(ax: Axes) -> float:
    figure = ax.get_figure(root=True)
    return ax.get_position().width * (figure.get_figwidth() if figure is not None else COLUMN)
