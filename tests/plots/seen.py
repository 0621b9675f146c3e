"""What tests see of a figure: the lines of its data, the markers beside its names, and its cells."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D

from runoff.plots._rows import OF_NAMES


def lines_of(ax: Axes) -> list[Line2D]:
    return [line for line in ax.lines if line.get_label() != OF_NAMES]


def keys_of(ax: Axes) -> list[Line2D]:
    return [line for line in ax.lines if line.get_label() == OF_NAMES]


def cells_of(ax: Axes, *, shaded: bool = True) -> dict[tuple[float, float, float, float], str]:
    """Return left, top, width and height of the cells that are shaded in pale colours, or of the others, with their colours."""
    return {
        tuple(map(float, (*corners[0], *(corners[2] - corners[0])))): to_hex(colour, keep_alpha=False).upper()
        for boxes in ax.collections
        if isinstance(boxes, PathCollection) and bool(boxes.get_alpha()) is shaded
        for path, colour in zip(boxes.get_paths(), list(boxes.get_facecolor()) or ["none"], strict=True)
        for corners in path.vertices.reshape(-1, 5, 2)
    }
