"""Words and numbers in figures: short, drawable, never parsed as mathematics."""

from __future__ import annotations

from functools import cache
from typing import TypedDict

from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.textpath import text_to_path

from runoff._inference.bootstrap import parse_metric

SIZE = 7.0
SMALL = 6.5
MISSING = "\N{WHITE VERTICAL RECTANGLE}"


class Literal(TypedDict):
    """Text properties that keep `$` and `_` what they are."""

    parse_math: bool
    usetex: bool


LITERAL: Literal = {"parse_math": False, "usetex": False}


def metric_title(metric: str) -> str:
    """Return the heading of a metric's panel or column."""
    return parse_metric(metric).title


def metric_head(metric: str) -> str:
    """Return the heading with an arrow down where lower is better."""
    return metric_title(metric) + ("" if parse_metric(metric).higher_is_better else " ↓")


def width_of(text: str, size: float = SIZE) -> float:
    """Return the width of a line of text in inches."""
    width, _, _ = text_to_path.get_text_width_height_descent(text, FontProperties(size=size), ismath=False)
    return float(width) / 72


def fit(name: str, inches: float, size: float = SIZE) -> str:
    """Return a name that is at most `inches` wide, shortened by an ellipsis in its middle."""
    text = drawable(name)
    if len(text) > 120:  # measuring is linear in length; nothing of this length fits a figure
        text = text[:60] + text[-60:]
        whole = False
    else:
        whole = width_of(text, size) <= inches
    kept = len(text)
    while not whole and kept > 2:
        kept -= 1
        head = (kept + 1) // 2
        short = f"{text[:head]}…{text[len(text) - (kept - head) :]}"
        if width_of(short, size) <= inches:
            return short
    return text


def drawable(name: str) -> str:
    """Return a name with what the font lacks (emoji, some scripts) as an empty box, and white space as single spaces."""
    known = _glyphs()
    return "".join(c if ord(c) in known else MISSING for c in " ".join(name.split())) or MISSING


@cache
def _glyphs() -> frozenset[int]:
    return frozenset(get_font(findfont(FontProperties())).get_charmap())


def tick_label(value: float, _position: object = None) -> str:
    """Return a short number: 0.25, 150, 20k, 1.5M."""
    if abs(value) < 1e-12:
        return "0"
    for unit, suffix in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= unit:
            return f"{value / (1e3 if suffix == 'k' else unit):g}{suffix}".replace("-", "−")
    return f"{value:.6g}".replace("-", "−")
