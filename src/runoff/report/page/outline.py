"""The outline of a marker, as a path that a page can draw."""

from __future__ import annotations

from typing import Any


def outline_of(marker: str) -> str:
    """Return a matplotlib marker as a path in a box of ±75 units, the same shape as in the figures.

    >>> outline_of("^")[:6]
    'M0,-50'
    """
    from matplotlib.markers import MarkerStyle
    from matplotlib.transforms import Affine2D

    style = MarkerStyle(marker)
    large = style.get_transform() + Affine2D().scale(100)  # so that curves are flattened finely
    polygons: list[Any] = style.get_path().transformed(large).to_polygons(closed_only=True)
    return "".join("M" + " ".join(f"{x:.0f},{-y:.0f}" for x, y in polygon) + "Z" for polygon in polygons)
