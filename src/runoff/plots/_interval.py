"""An interval with its point: a bar that is thicker than the marker on it, so that it is seen however short it is."""

from __future__ import annotations

from functools import cache

from matplotlib.axes import Axes

from runoff.plots._canvas import INK

BAR, POINT = 6.0, 3.6
"""Points: the thickness of a bar, and the size of a marker on it."""
PALE, DARK = 3.0, 10.0
"""Contrast of a bar against white (WCAG 2.2, 1.4.11), at least; and of what is drawn on bars."""


def bar(ax: Axes, row: float, low: float | None, high: float | None, color: str, thickness: float = BAR) -> None:
    """Draw the interval of a row where there is one, in the colour of an algorithm, or grey where it is nobody's."""
    if low is not None and high is not None:
        ax.hlines(row, low, high, color=toned(INK, PALE) if color == INK else color, linewidth=thickness)


def point(ax: Axes, x: float, row: float, marker: str, color: str, *, full: bool = True) -> None:
    """Draw the estimate of a row: a full marker with a white edge, or a hollow one."""
    dark = toned(color, DARK)
    face, edge = (dark, "white") if full else ("white", dark)
    ax.plot(
        x, row, marker, color=dark, markersize=POINT, markerfacecolor=face, markeredgecolor=edge, markeredgewidth=0.5, zorder=3
    )  # fmt: skip


@cache
def toned(color: str, wanted: float) -> str:
    """Return a colour of the same hue with a contrast against white: with white in it where it has more, with black where it has less."""
    target = 255.0 if contrast(color) > wanted else 0.0
    parts = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    shades = ["#" + "".join(f"{round(p + (target - p) * k / 64):02X}" for p in parts) for k in range(65)]
    enough = [shade for shade in shades if contrast(shade) >= wanted]
    return enough[-1] if target else enough[0]


def contrast(color: str) -> float:
    """Return the contrast of a colour against white, from 1 to 21 (WCAG 2.2).

    >>> contrast("#FFFFFF"), round(contrast("#000000"))
    (1.0, 21)
    """
    red, green, blue = (_linear(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
