"""Figures inside a page: SVG without scripts, styles, comments or addresses, in the page's own colours."""

from __future__ import annotations

import re
from html import escape
from math import inf
from typing import Any

from runoff.plots._canvas import INK, RULE

COLORS = {INK.lower(): "currentColor", RULE.lower(): "var(--rule)", "#ffffff": "var(--page)"}
_TAG = re.compile(r"<[^>]*>")
_LEFT_OUT = re.compile(
    r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>| xmlns(:xlink)?=\"[^\"]*\"",
    re.DOTALL,
)


def inline_svg(svg: bytes, *, name: str, title: str) -> str:
    """Return an SVG drawing for an HTML page.

    Text is text, escaped by matplotlib; only tags are changed, so that a name that looks like a colour or an id stays as it is.
    Ids are prefixed by `name`, so that drawings do not clash.
    """
    text = _TAG.sub(lambda tag: _in_page(tag[0], name), _LEFT_OUT.sub("", svg.decode()))
    text = re.sub(r">\s*\n\s*<", "> <", text).strip()
    label = f'role="img" aria-labelledby="{name}-title"><title id="{name}-title">{escape(title)}</title>'
    return text.replace(">", f" {label}", 1)


def _in_page(tag: str, name: str) -> str:
    """Return a tag with its ids prefixed and its colours those of the page."""
    tag = re.sub(r'(\bid="|xlink:href="#|url\(#)', rf"\g<1>{name}-", tag).replace("xlink:href", "href")
    tag = re.sub("|".join(COLORS), lambda found: COLORS[found[0]], tag)
    return re.sub(r"\s*\n\s*", " ", tag)


def width_of_svg(svg: bytes) -> float:
    """Return the width of a drawing in points, infinite if it does not say."""
    found = re.search(rb'<svg[^>]*? width="([0-9.]+)pt"', svg)
    return float(found[1]) if found else inf


def inline_marker(marker: str, color: str) -> str:
    """Return a marker as a small drawing, the same shape as in the figures."""
    return f'<svg class="mark" viewBox="-75 -75 150 150" aria-hidden="true"><path d="{_outline(marker)}" fill="{color}"/></svg>'


def _outline(marker: str) -> str:
    from matplotlib.markers import MarkerStyle
    from matplotlib.transforms import Affine2D

    style = MarkerStyle(marker)
    shape = style.get_path().transformed(
        style.get_transform() + Affine2D().scale(100)
    )  # large, so that curves are flattened finely
    polygons: list[Any] = shape.to_polygons(closed_only=True)
    return "".join("M" + " ".join(f"{x:.0f},{-y:.0f}" for x, y in polygon) + "Z" for polygon in polygons)
