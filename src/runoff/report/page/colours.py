"""The colour and the marker of each algorithm on the page: those of the figures, brighter on a dark page; as classes, for no tag has a style."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from runoff.plots import Mark
from runoff.report.page.svg import outline_of

DARK = "#15181b"
"""The dark page, as in page.css."""
CONTRAST = 3.5
"""Of a mark with the dark page; that with the white one is a property of the figures' colours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The class of each algorithm's colour, the id of its marker, that as a drawing, the rules of the classes and the shapes of the markers."""

    classes: Mapping[str, str]
    shaped: Mapping[str, str]
    drawn: Mapping[str, Markup]
    rules: str
    shapes: Markup


def look_of(marks: Mapping[str, Mark]) -> Look:
    """Return how the page shows each algorithm."""
    colours = list(dict.fromkeys(mark.color for mark in marks.values()))
    shapes = list(dict.fromkeys(mark.marker for mark in marks.values()))
    shaped = {name: f"k{shapes.index(mark.marker)}" for name, mark in marks.items()}
    classes = {name: f"c{colours.index(mark.color)}" for name, mark in marks.items()}
    light = "".join(f".c{i}{{color:{colour}}}" for i, colour in enumerate(colours))
    dark = "".join(f".c{i}{{color:{brighter(colour)}}}" for i, colour in enumerate(colours))
    symbols = "".join(
        f'<symbol id="k{i}" viewBox="-75 -75 150 150"><path d="{outline_of(shape)}"/></symbol>'
        for i, shape in enumerate(shapes)
    )
    return Look(
        classes=classes,
        shaped=shaped,
        drawn={name: _mark(classes[name], shaped[name]) for name in marks},
        rules=f"{light}@media screen and (prefers-color-scheme:dark){{{dark}}}",
        shapes=Markup(f'<svg class="sr" aria-hidden="true">{symbols}</svg>'),
    )


def _mark(colour: str, shape: str) -> Markup:
    return Markup(f'<svg class="{colour}"><use href="#{shape}"/></svg>')


def brighter(colour: str) -> str:
    """Return a colour mixed with as little white as it takes to be seen on the dark page.

    >>> brighter("#C28600")
    '#c28600'
    """
    channels = _channels(colour)
    for step in range(21):
        mixed = [round(c + (255 - c) * step / 20) for c in channels]
        if _contrast(mixed, _channels(DARK)) >= CONTRAST:
            break
    return "#" + "".join(f"{c:02x}" for c in mixed)


def contrast(first: str, other: str) -> float:
    """Return the contrast of two colours as WCAG 2 defines it.

    >>> contrast("#ffffff", "#000000")
    21.0
    """
    return _contrast(_channels(first), _channels(other))


def _channels(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def _contrast(first: list[int], other: list[int]) -> float:
    light, dark = sorted((_luminance(first), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(channels: list[int]) -> float:
    shares = [c / 255 for c in channels]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
