"""What does the order of a pair survive? One row per pair, one column per kind of variation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from runoff.plots._canvas import INK, RULE, entitle
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._pair_rows import APART, pair_columns
from runoff.plots._text import SIZE, SMALL, literal, width_of
from runoff.plots._widths import COLUMN, PAGE, page
from runoff.results.robustness import RobustnessRecord, RobustnessResult
from runoff.words.names import VenueName

ROW, HEAD, EDGE, MARK = 0.16, 0.3, 0.04, 0.14
"""Inches: a row, the two lines of the heads, the border, and the marker before a pair."""
LABEL = 0.42
"""The most of the width that a pair takes."""
NEEDED = 0.58
"""Inches of a column whose head is legible."""
HEADS = {
    "metric": ("other", "aggregates"),
    "reference": ("other", "references"),
    "window": ("other", "windows"),
    "task": ("without", "one task"),
    "run": ("without", "one run"),
}


def robustness(
    result: RobustnessResult,
    *,
    ax: Axes | None = None,
    width: float | VenueName | None = None,
    marks: Mapping[str, Mark] | None = None,
    title: str | None = None,
) -> Axes:
    """What does the order of each pair survive?

    Parameters
    ----------
    result : RobustnessResult
        Pairs become rows, the one that is ahead first; kinds of variations become columns. A cell is filled as far as variations keep the order,
        in the colour of the one ahead, and holds how many of how many do; "·" where nothing can be varied.
    ax : Axes, optional
        None makes a figure.
    width : float or "neurips", "icml", "jmlr", …, optional
        Of a figure that is made: inches, `mm(88)`, or a venue of `WIDTHS`; None takes what its columns need.
    marks : mapping of algorithm to Mark, optional
    title : str, optional
        Of the figure.

    Returns
    -------
    Axes
        Data units: columns, and rows from the top.
    """
    kinds, pairs = result.kinds, result.pairs
    known = marks or marks_of(name for pair in pairs for name in pair)
    first = {pair: next(r for r in result.records if (r.a, r.b) == pair) for pair in pairs}
    made, asked = ax is None, None if width is None else page(width)
    rows, columns = pair_columns([_order(record) for record in first.values()], LABEL * (asked or PAGE))
    left = MARK + sum(columns) + APART + 2 * EDGE
    if ax is None:
        height = HEAD + ROW * len(pairs) + EDGE
        given = asked or max(COLUMN, left + NEEDED * len(kinds) + EDGE)
        ax = Figure(figsize=(given, height), facecolor="white").add_axes((0, 0, 1, 1), facecolor="none")
    side = (_inches(ax) - left - EDGE) / max(1, len(kinds))
    ax.set_xlim(-left / side, max(1, len(kinds)) + EDGE / side)
    ax.set_ylim(len(pairs) + EDGE / ROW, -HEAD / ROW)
    ax.set_axis_off()
    for column, kind in enumerate(kinds):
        _head(ax, column, kind, _fitting(side, [word for some in kinds for word in HEADS[some]]))
    for row, (pair, called) in enumerate(zip(pairs, rows, strict=True)):
        _name(ax, row, first[pair], known, side, left)
        for at, name in zip((MARK + EDGE - left, -EDGE - columns[1]), called, strict=True):
            style: dict[str, Any] = {"fontsize": SIZE, "color": INK, **literal(name)}
            ax.text(at / side, row + 0.5, name, ha="left", va="center_baseline", **style)
        for column, kind in enumerate(kinds):
            _cell(ax, row, column, result.record(*pair, kind), known, side)
    for at, head in zip((MARK + EDGE - left, -EDGE - columns[1]), ("ahead", "behind"), strict=True):
        ax.text(at / side, -0.25, head, va="center", fontsize=SMALL, color=INK, style="italic")
    entitle(ax, title, made=made)
    return ax


def _order(record: RobustnessRecord) -> tuple[str, str]:
    """Return the one that is ahead, and the one behind."""
    return (record.b, record.a) if record.ahead == record.b else (record.a, record.b)


def _fitting(side: float, words: Sequence[str]) -> float:
    """Return the size at which words fit a column."""
    return min(SMALL, SMALL * (side - 0.04) / max(width_of(word, SMALL) for word in words))


def _head(ax: Axes, column: int, kind: str, size: float) -> None:
    for line, word in enumerate(HEADS[kind]):
        ax.text(column + 0.5, -0.95 + 0.7 * line, word, ha="center", va="center", fontsize=size, color=INK)


def _name(ax: Axes, row: int, record: RobustnessRecord, marks: Mapping[str, Mark], side: float, left: float) -> None:
    if record.ahead is not None:
        mark, at = marks[record.ahead], (EDGE + 0.4 * MARK - left) / side
        ax.plot(at, row + 0.5, mark.marker, color=mark.color, markersize=3.8, markeredgewidth=0)


def _cell(ax: Axes, row: int, column: int, record: RobustnessRecord, marks: Mapping[str, Mark], side: float) -> None:
    box = (column + 0.03, row + 0.08)
    if record.n and record.ahead is not None:
        share = record.kept / record.n
        color = marks[record.ahead].color
        ax.add_artist(Rectangle(box, 0.94 * share, 0.84, facecolor=color, alpha=0.35, linewidth=0))
    ax.add_artist(Rectangle(box, 0.94, 0.84, facecolor="none", edgecolor=RULE, linewidth=0.5))
    text = f"{record.kept}/{record.n}" if record.n else "·"
    weight = "bold" if record.kept < record.n else "normal"
    size = _fitting(side, [text + "0" if weight == "bold" else text])
    ax.text(
        column + 0.5, row + 0.52, text, ha="center", va="center_baseline", fontsize=size, color=INK, fontweight=weight
    )


def _inches(ax: Axes) -> float:
    figure = ax.get_figure(root=True)
    return ax.get_position().width * (figure.get_figwidth() if figure is not None else COLUMN)
