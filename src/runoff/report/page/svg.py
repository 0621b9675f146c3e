"""The parts of the page's own drawings: coordinates with one decimal, bars, marks; all of them numbers and names of classes alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from markupsafe import Markup

WIDE, HIGH, MARGIN = 240, 20, 6
"""Units of a bar; it scales with the page."""

End = float | None


def at(value: float) -> str:
    """Return a coordinate with at most one decimal.

    >>> at(12.04), at(-0.01), at(3.25)
    ('12', '0', '3.2')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def bar(values: tuple[End, float, End], ends: tuple[float, float], group: str = "", *, middle: End = None) -> Markup:
    """Return an interval as a bar and its estimate as a line across it; `middle` is a line of reference."""
    low, estimate, high = (None if value is None else _along(value, ends) for value in values)
    parts = [] if middle is None else [f'<path d="M{at(_along(middle, ends))} 0V{HIGH}"/>']
    if low is not None and high is not None:
        parts.append(f'<path class="i" d="M{at(low)} 10H{at(max(high, low + 0.8))}"/>')
    parts.append(f'<path class="e" d="M{at(estimate or 0)} 2V18"/>')
    name = f"bar {group}".strip()
    return Markup(f'<svg class="{name}" viewBox="0 0 {WIDE} {HIGH}">{"".join(parts)}</svg>')


def ends_of(values: Iterable[End]) -> tuple[float, float]:
    """Return the lowest and the highest of these values, apart even where they are one."""
    kept = [value for value in values if value is not None]
    low, high = min(kept), max(kept)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def path(points: Sequence[tuple[float, float]]) -> str:
    """Return a line through points in whole units, each told from the one before it.

    >>> path([(1, 2), (3.2, 1), (9, 4)])
    'M1 2l2-1 6 3'
    """
    whole = [(round(x), round(y)) for x, y in points]
    steps = [f"{x - u} {y - v}" for (u, v), (x, y) in pairwise(whole)]
    start = f"M{whole[0][0]} {whole[0][1]}"
    return (f"{start}l{' '.join(steps)}" if steps else start).replace(" -", "-")


def text(words: object, x: float, y: float, **attributes: Any) -> Markup:
    """Return words at a place in whole units, escaped."""
    given = Markup("").join(Markup(' {}="{}"').format(key.strip("_"), value) for key, value in attributes.items())
    return Markup('<text x="{}" y="{}"{}>{}</text>').format(round(x), round(y), given, words)


def _along(value: float, ends: tuple[float, float]) -> float:
    low, high = ends
    return MARGIN + (WIDE - 2 * MARGIN) * min(max((value - low) / (high - low), 0.0), 1.0)


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
