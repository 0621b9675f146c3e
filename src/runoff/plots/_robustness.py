"""What does the order of a pair survive? One row per pair, one column per kind of variation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from runoff.plots._canvas import COLUMN, INK, RULE
from runoff.plots._improvement import pair_label
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._text import LITERAL, SIZE, SMALL, width_of
from runoff.results.robustness import RobustnessRecord, RobustnessResult

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
    width: float | None = None,
    marks: Mapping[str, Mark] | None = None,
) -> Axes:
    """What does the order of each pair survive?

    Parameters
    ----------
    result : RobustnessResult
        Pairs become rows, the one that is ahead first; kinds of variations become columns. A cell is filled as far as variations keep the order,
        in the colour of the one ahead, and holds how many of how many do; "·" where nothing can be varied.
    ax : Axes, optional
        None makes a figure.
    width : float, optional
        Inches, of a figure that is made; None takes what its columns need.
    marks : mapping of algorithm to Mark, optional

    Returns
    -------
    Axes
        Data units: columns, and rows from the top.
    """
    kinds, pairs = result.kinds, result.pairs
    known = marks or marks_of(name for pair in pairs for name in pair)
    first = {pair: next(r for r in result.records if (r.a, r.b) == pair) for pair in pairs}
    labels = [_label(record, LABEL * (width or COLUMN)) for record in first.values()]
    left = max(map(width_of, labels)) + MARK + 2 * EDGE
    if ax is None:
        height = HEAD + ROW * len(pairs) + EDGE
        given = width or max(COLUMN, left + NEEDED * len(kinds) + EDGE)
        ax = Figure(figsize=(given, height), facecolor="white").add_axes((0, 0, 1, 1), facecolor="none")
    side = (_inches(ax) - left - EDGE) / max(1, len(kinds))
    ax.set_xlim(-left / side, max(1, len(kinds)) + EDGE / side)
    ax.set_ylim(len(pairs) + EDGE / ROW, -HEAD / ROW)
    ax.set_axis_off()
    for column, kind in enumerate(kinds):
        _head(ax, column, kind, _fitting(side, [word for some in kinds for word in HEADS[some]]))
    for row, (pair, label) in enumerate(zip(pairs, labels, strict=True)):
        _name(ax, row, first[pair], label, known, side)
        for column, kind in enumerate(kinds):
            _cell(ax, row, column, result.record(*pair, kind), known, side)
    return ax


def _label(record: RobustnessRecord, inches: float) -> str:
    names = (record.b, record.a) if record.ahead == record.b else (record.a, record.b)
    return pair_label(*names, inches)


def _fitting(side: float, words: Sequence[str]) -> float:
    """Return the size at which words fit a column."""
    return min(SMALL, SMALL * (side - 0.04) / max(width_of(word, SMALL) for word in words))


def _head(ax: Axes, column: int, kind: str, size: float) -> None:
    for line, word in enumerate(HEADS[kind]):
        ax.text(column + 0.5, -0.95 + 0.7 * line, word, ha="center", va="center", fontsize=size, color=INK)


def _name(ax: Axes, row: int, record: RobustnessRecord, label: str, marks: Mapping[str, Mark], side: float) -> None:
    ax.text(-EDGE / side, row + 0.5, label, ha="right", va="center_baseline", fontsize=SIZE, color=INK, **LITERAL)
    if record.ahead is not None:
        mark = marks[record.ahead]
        at = -(width_of(label) + EDGE + 0.6 * MARK) / side
        ax.plot(at, row + 0.5, mark.marker, color=mark.color, markersize=3.8, markeredgewidth=0)


def _cell(ax: Axes, row: int, column: int, record: RobustnessRecord, marks: Mapping[str, Mark], side: float) -> None:
    box = (column + 0.03, row + 0.08)
    if record.n and record.ahead is not None:
        share = record.kept / record.n
        color = marks[record.ahead].color
        ax.add_patch(Rectangle(box, 0.94 * share, 0.84, facecolor=color, alpha=0.35, linewidth=0))
    ax.add_patch(Rectangle(box, 0.94, 0.84, facecolor="none", edgecolor=RULE, linewidth=0.5))
    text = f"{record.kept}/{record.n}" if record.n else "·"
    weight = "bold" if record.kept < record.n else "normal"
    size = _fitting(side, [text + "0" if weight == "bold" else text])
    ax.text(
        column + 0.5, row + 0.52, text, ha="center", va="center_baseline", fontsize=size, color=INK, fontweight=weight
    )


def _inches(ax: Axes) -> float:
    figure = ax.get_figure(root=True)
    return ax.get_position().width * (figure.get_figwidth() if figure is not None else COLUMN)
