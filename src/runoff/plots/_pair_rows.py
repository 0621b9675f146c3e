"""Rows of pairs: two columns of names, so that no script can turn who is compared with whom."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from matplotlib.axes import Axes

from runoff.plots._canvas import INK, beside
from runoff.plots._text import SIZE, SMALL, labels, literal, width_of

ROW, APART, EDGE = 0.15, 0.1, 0.06
"""Inches: a row, between the two columns, and beside them."""
SHARE = 0.5
"""The most of the width that both names take."""
HEADS = ("first", "second")

Pairs = Sequence[tuple[str, str]]


def pair_columns(pairs: Pairs, inches: float) -> tuple[list[tuple[str, str]], tuple[float, float]]:
    """Return what the two of each pair are called, and how wide the two columns are; a name is called the same in both."""
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    called = dict(zip(names, labels(names, (inches - APART) / 2), strict=True))
    rows = [(called[a], called[b]) for a, b in pairs]
    first, second = (
        max(width_of(text) for text in (head, *column))
        for head, column in zip(HEADS, zip(*rows, strict=True), strict=True)
    )
    return rows, (first, second)


def pair_axes(ax: Axes | None, pairs: Pairs, width: float) -> Axes:
    """Return axes with a row for each pair, named on the left: those given, or a new figure's."""
    made = ax is None
    rows, (first, second) = pair_columns(pairs, SHARE * width if made else inf)
    left = EDGE + first + APART + second + EDGE
    if ax is None:
        (ax,) = beside(1, left + 0.02, ROW * len(pairs), width=width, least=1.0)
    for at, texts in (
        (left - EDGE, [HEADS[0], *(a for a, _ in rows)]),
        (second + EDGE, [HEADS[1], *(b for _, b in rows)]),
    ):
        _column(ax, -72 * at, texts)
    return ax


def _column(ax: Axes, points: float, texts: Sequence[str]) -> None:
    """Write a head and a column of names, so many points beside the axes."""
    head, *names = texts
    ax.annotate(
        head, (0, 1), (points, 3), xycoords="axes fraction", textcoords="offset points", fontsize=SMALL, color=INK, style="italic"
    )  # fmt: skip
    for row, name in enumerate(names):
        ax.annotate(
            name,
            (0, row),
            (points, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            va="center",
            fontsize=SIZE,
            color=INK,
            annotation_clip=False,
            **literal(name),
        )
