"""What tests see of a figure: the lines of its data, and the markers beside its names."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from runoff.plots._rows import OF_NAMES


def lines_of(ax: Axes) -> list[Line2D]:
    return [line for line in ax.lines if line.get_label() != OF_NAMES]


def keys_of(ax: Axes) -> list[Line2D]:
    return [line for line in ax.lines if line.get_label() == OF_NAMES]
