"""What is drawn, read back from the artists of a figure: rows, pairs, lines, points, cells, and whose they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import floor
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_hex

from runoff.plots._rows import BAR
from tests.plots.seen import cells_of, keys_of, lines_of

DIGITS = 9
"""Decimals that are compared: artists keep doubles, and only sums of places are rounded."""


def rounded(value: Any) -> Any:
    """Return nested numbers without what rounding of sums leaves."""
    if isinstance(value, dict):
        return {rounded(key): rounded(own) for key, own in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return tuple(map(rounded, value))
    if isinstance(value, set | frozenset):
        return frozenset(map(rounded, value))
    return value if value is None or isinstance(value, str | bool) else round(float(value), DIGITS) + 0.0


def hexed(color: Any) -> str:
    return to_hex(color, keep_alpha=False).upper()


def in_reading_order(axes: Sequence[Axes]) -> list[Axes]:
    """Return axes line by line from the top, each line from the left."""
    return sorted(axes, key=lambda ax: (-round(ax.get_position().y1, 6), ax.get_position().x0))


# ── rows ──────────


def bars_of(ax: Axes) -> dict[float, tuple]:
    """Return low, high and colour of the bar of each row; of an outline its dashes."""
    bars = {}
    for lines in ax.collections:
        if isinstance(lines, LineCollection) and lines.get_linewidths()[0] == BAR:
            for (low, y), (high, _) in lines.get_segments():
                bars[y] = (low, high, hexed(lines.get_colors()[0]))
    for box in ax.patches:
        y, low = box.get_y() + box.get_height() / 2, box.get_x()
        bars[round(y, 6)] = (low, low + box.get_width(), box.get_linestyle())
    return bars


def ticks_of(ax: Axes) -> dict[float, float]:
    return {line.get_ydata()[0]: line.get_xdata()[0] for line in lines_of(ax) if line.get_marker() == "|"}


def keys_by_row(ax: Axes) -> dict[float, tuple[str, str]]:
    """Return the colour of each marker beside a name, "white" where it is hollow, and its shape."""
    return {
        key.get_ydata()[0]: ("white" if key.get_markerfacecolor() == "white" else key.get_color(), key.get_marker())
        for key in keys_of(ax)
    }


def named_by(axes: Sequence[Axes], ax: Axes) -> Axes:
    """Return the panel that names the rows of another: the first of its line."""
    line = [other for other in axes if abs(other.get_position().y0 - ax.get_position().y0) < 1e-6]
    return min(line, key=lambda other: other.get_position().x0)


def rows_of(axes: Sequence[Axes]) -> list[tuple]:
    """Return (panel, name, colour and shape of its marker, estimate, bar) from the top."""
    facts = []
    for ax in axes:
        first, ticks, bars = named_by(axes, ax), ticks_of(ax), bars_of(ax)
        keys = keys_by_row(first)
        for row, label in enumerate(first.get_yticklabels()):
            facts.append((ax.get_title(), label.get_text(), *keys[row], ticks.get(row), bars.get(row)))
    return facts


def pair_rows_of(ax: Axes) -> list[tuple]:
    """Return (first, second, colour and shape of the marker, estimate, bar) from the top."""
    names = defaultdict(list)
    for text in sorted((text for text in ax.texts if text.get_style() == "normal"), key=lambda text: text.xyann[0]):
        names[text.xy[1]].append(text.get_text())
    keys, ticks, bars = keys_by_row(ax), ticks_of(ax), bars_of(ax)
    return [(*names[row], *keys[row], ticks.get(row), bars.get(row)) for row in sorted(names)]


# ── lines ──────────


def legend_of(axes: Sequence[Axes]) -> list[tuple[str, str, str]]:
    """Return (text, colour, shape) of the entries of the legend that have a marker."""
    legends = [*axes[0].figure.legends, *(ax.get_legend() for ax in axes if ax.get_legend() is not None)]
    entries = zip(legends[0].legend_handles, legends[0].get_texts(), strict=True)
    return [(t.get_text(), hexed(h.get_color()), h.get_marker()) for h, t in entries]


def lines_drawn(axes: Sequence[Axes]) -> list[tuple]:
    """Return (panel, what the legend calls the line of this colour and shape, points, corners of its band) in the order drawn."""
    called, facts = {(color, shape): text for text, color, shape in legend_of(axes)}, []
    for ax in axes:
        lines = [line for line in ax.lines if line.get_marker() not in ("None", "|", "_")]
        bands = [band for band in ax.collections if isinstance(band, PolyCollection)]
        for place, line in enumerate(lines):
            band = bands[place] if place < len(bands) else None
            corners = set() if band is None else {tuple(xy) for path in band.get_paths() for xy in path.vertices}
            assert band is None or hexed(band.get_facecolor()[0]) == hexed(line.get_color())
            name = called[hexed(line.get_color()), line.get_marker()]
            facts.append((ax.get_title(), name, [tuple(xy) for xy in line.get_xydata()], corners))
    return facts


def thin_lines_of(axes: Sequence[Axes]) -> list[tuple]:
    """Return (panel, colour, points) of lines without markers."""
    return [
        (ax.get_title(), hexed(line.get_color()), [tuple(xy) for xy in line.get_xydata()])
        for ax in axes
        for line in ax.lines
        if line.get_marker() == "None"
    ]


# ── points ──────────


def points_of(axes: Sequence[Axes]) -> list[tuple]:
    """Return (panel, name, colour and shape, runs, mean) of each row of points."""
    facts = []
    for ax in axes:
        names = [label.get_text() for label in named_by(axes, ax).get_yticklabels()]
        (means,) = ax.collections
        middle = {round((low + high) / 2): x for (x, low), (_, high) in means.get_segments()}
        for line in ax.lines:
            row = round(float(line.get_ydata().mean()))
            facts.append(
                (ax.get_title(), names[row], line.get_color(), line.get_marker(), [*line.get_xdata()], middle[row])
            )
    return facts


# ── cells ──────────


def staircase_of(ax: Axes) -> tuple[list, dict]:
    """Return (name, colour, shape) down the diagonal, and of each cell its texts from the top, its colour and its markers."""
    names = {floor(t.get_position()[1]): t.get_text() for t in ax.texts if t.get_ha() == "left"}
    keys, texts, signs = {}, defaultdict(list), defaultdict(list)
    for line in ax.lines:
        for x, y in line.get_xydata():
            own = hexed(line.get_color()), line.get_marker(), line.get_markerfacecolor() != "white"
            if floor(x) == floor(y):
                keys[floor(y)] = own[:2]
            else:
                signs[floor(x), floor(y)].append(own)
    for text in sorted(ax.texts, key=lambda text: text.get_position()[1]):
        x, y = text.get_position()
        if text.get_ha() == "center":
            texts[floor(x), floor(y)].append((text.get_text(), text.get_fontweight() == "bold"))
    fills = {(round(x), round(y)): color for (x, y, _, _), color in cells_of(ax).items()}
    outlined = {(round(x), round(y)) for x, y, _, _ in cells_of(ax, shaded=False)}
    cells = {at: (texts.get(at, []), fills.get(at), signs.get(at, [])) for at in outlined}
    return [(names[row], *keys[row]) for row in sorted(names)], cells


def tiles_of(ax: Axes) -> dict[tuple[str, str], tuple]:
    """Return the colour and the texts of each cell of a table, by the names of its row and its column."""
    rows = {
        floor(t.get_position()[1]): t.get_text() for t in ax.texts if t.get_ha() == "right" and t.get_position()[0] < 0
    }
    columns = {floor(t.get_position()[0]): t.get_text() for t in ax.texts if t.get_position()[1] == -0.4}
    texts = {
        (floor(x), floor(y)): t.get_text() for t in ax.texts for x, y in [t.get_position()] if t.get_ha() == "center"
    }
    tiles = {
        box[:2]: color for box, color in cells_of(ax, shaded=False).items() if box[2] == 1 and box[0] == int(box[0])
    }
    return {(rows[y], columns[x]): (color, texts.get((x, y))) for (x, y), color in tiles.items() if y in rows}
