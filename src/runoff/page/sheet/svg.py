"""The parts of the page's own drawings: coordinates, bars and words, and the colour and the marker of each algorithm.

They hold numbers and names of classes alone. Colours are those of the figures, brighter on a dark page, and stand in rules of classes because
the page's content policy allows no `style` on an element.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from runoff.plots import Mark
from runoff.plots._marks import contrast
from runoff.plots._ticks import tick_label

End = float | None


def at(value: float) -> str:
    """Return a coordinate with at most one decimal.

    >>> at(12.04), at(-0.01), at(3.25)
    ('12', '0', '3.2')
    """
    # Further digits are bytes that nobody sees.
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Where values lie along a row of bars, in hundredths of its width, which the page chooses."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """Return the place of a value; what lies beyond an end is left at it.

        >>> Scale(low=0, high=4).at(1), Scale(low=0, high=4).at(-3)
        (26.0, 2.0)
        """
        # The page sets bars to any width, so that places are hundredths of it.
        share = (value - self.low) / (self.high - self.low)
        return EDGE + (100 - 2 * EDGE) * min(max(share, 0.0), 1.0)

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high


EDGE = 2.0
"""Hundredths at both ends of a scale, so that a tick there is seen whole."""
CHANCES = Scale(low=0.0, high=1.0)


def bar(values: tuple[End, float, End], scale: Scale, group: str = "") -> Markup:
    """Return an interval as a bar and its estimate as a tick, or, where it lies beyond the scale, as an arrow with its number."""
    low, estimate, high = values
    parts: list[str] = []
    if low is not None and high is not None and low <= scale.high and high >= scale.low:
        start, end = scale.at(low), scale.at(high)
        parts.append(f'<rect class="i" x="{at(start)}%" width="{at(max(end - start, 0.3))}%"/>')
    # A tick at the edge would be read as a value there.
    if scale.holds(estimate):
        parts.append(f'<rect class="e" x="{at(scale.at(estimate))}%"/>')
    else:
        left, shown = estimate < scale.low, tick_label(float(f"{estimate:.3g}"))
        parts.append(
            f'<text x="0" y="15">◂ {shown}</text>' if left else f'<text class="end" x="100%" y="15">{shown} ▸</text>'
        )
    return Markup(f'<svg class="{f"bar {group}".strip()}">{"".join(parts)}</svg>')


def ends_of(values: Iterable[End]) -> tuple[float, float]:
    """Return the lowest and the highest of these values, apart even where they are one."""
    kept = [value for value in values if value is not None]
    low, high = min(kept), max(kept)
    # An axis whose ends are one would divide by 0.
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def path(points: Sequence[tuple[float, float]], unit: float = 1) -> str:
    """Return a line through points in whole units, each relative to the one before it.

    >>> path([(1, 2), (3.2, 1), (9, 4)]), path([(2, 4), (8, 6)], 2)
    ('M1 2l2-1 6 3', 'M1 2l3 1')
    """
    # Rounded before the differences are taken: rounded steps would add up to a drift along a line of a hundred.
    whole = [(round(x / unit), round(y / unit)) for x, y in points]
    steps = [f"{x - u} {y - v}" for (u, v), (x, y) in pairwise(whole)]
    start = f"M{whole[0][0]} {whole[0][1]}"
    return (f"{start}l{' '.join(steps)}" if steps else start).replace(" -", "-")


def text(words: object, x: float | None, y: float, **attributes: Any) -> Markup:
    """Return words at a place in whole units, escaped; at the left edge where x is None."""
    given = Markup("").join(Markup(' {}="{}"').format(key.strip("_"), value) for key, value in attributes.items())
    start = Markup("") if x is None else Markup(' x="{}"').format(round(x))
    return Markup('<text{} y="{}"{}>{}</text>').format(start, round(y), given, words)


_OUTLINES = """
o 0,50A50,50 0 1 1 0,-50A50,50 0 1 1 0,50
s -50,50 50,50 50,-50 -50,-50
^ 0,-50 -50,50 50,50
D 0,71 71,0 0,-71 -71,0
v 0,50 50,-50 -50,-50
P -17,50 17,50 17,17 50,17 50,-17 17,-17 17,-50 -17,-50 -17,-17 -50,-17 -50,17 -17,17
< -50,0 50,50 50,-50
X -25,50 0,25 25,50 50,25 25,0 50,-25 25,-50 0,-25 -25,-50 -50,-25 -25,0 -50,25
> 50,0 -50,-50 -50,50
p 0,-50 -48,-15 -29,40 29,40 48,-15
h 0,-50 -43,-25 -43,25 0,50 43,25 43,-25
d 0,71 42,0 0,-71 -42,0
"""
OUTLINES: Mapping[str, str] = MappingProxyType(
    {marker: f"M{points}Z" for marker, points in (line.split(maxsplit=1) for line in _OUTLINES.strip().splitlines())}
)
"""The markers of figures as paths in a box of ±75 units: matplotlib's shapes, which a test holds, without a quarter of a second to load it."""
DARK = "#15181b"
"""The colour of the dark page, as in page.css."""
CONTRAST = 3.5
"""The least contrast of a mark with the dark page; that with the white page is a property of the figures' colours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlgorithmStyle:
    """The class of each algorithm's colour, the id of its marker, that as a drawing, the rules of the classes and the shapes of the markers."""

    classes: Mapping[str, str]
    shaped: Mapping[str, str]
    drawn: Mapping[str, Markup]
    rules: str
    shapes: Markup


def look_of(marks: Mapping[str, Mark]) -> AlgorithmStyle:
    """Return how the page shows each algorithm."""
    # More than twelve algorithms share colours: a class for each colour, a symbol for each marker.
    colors = list(dict.fromkeys(mark.color for mark in marks.values()))
    shapes = list(dict.fromkeys(mark.marker for mark in marks.values()))
    shaped = {name: f"k{shapes.index(mark.marker)}" for name, mark in marks.items()}
    classes = {name: f"c{colors.index(mark.color)}" for name, mark in marks.items()}
    light = "".join(f".c{i}{{color:{colour}}}" for i, colour in enumerate(colors))
    dark = "".join(f".c{i}{{color:{brighter(colour)}}}" for i, colour in enumerate(colors))
    symbols = "".join(
        f'<symbol id="k{i}" viewBox="-75 -75 150 150"><path d="{OUTLINES[shape]}"/></symbol>'
        for i, shape in enumerate(shapes)
    )
    return AlgorithmStyle(
        classes=classes,
        shaped=shaped,
        drawn={name: Markup(f'<svg class="{classes[name]}"><use href="#{shaped[name]}"/></svg>') for name in marks},
        rules=f"{light}@media screen and (prefers-color-scheme:dark){{{dark}}}",
        shapes=Markup(f'<svg class="sr" aria-hidden="true">{symbols}</svg>'),
    )


def brighter(colour: str) -> str:
    """Return a colour mixed with as little white as it takes to be seen on the dark page.

    >>> brighter("#C28600")
    '#c28600'
    """
    channels = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    # In twentieths towards white: the first that is seen well enough keeps the most of the hue.
    for step in range(21):
        mixed = "#" + "".join(f"{round(c + (255 - c) * step / 20):02x}" for c in channels)
        if contrast(mixed, against=DARK) >= CONTRAST:
            break
    return mixed
