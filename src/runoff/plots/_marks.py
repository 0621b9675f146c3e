"""The colour and marker of each algorithm: they belong to its name, so they are the same in every figure and table.

Colours have the hues of Okabe and Ito's colour-blind safe set without black and yellow (neither reads on both light and dark pages), with the
lightness at which each has a contrast of 3:1 against white and the eight are furthest apart for every eye; extended to twelve. Each comes with a
marker of its own, so nothing rests on colour alone. What is found of two algorithms has three colours of its own. Needs no matplotlib.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from colorsys import rgb_to_hsv
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from types import MappingProxyType
from typing import TypeAlias

from runoff.archive.sets import set_of
from runoff.errors import OptionError, nearest
from runoff.words.patterns import regex


@dataclass(frozen=True, slots=True)
class Mark:
    """A colour (hex) and a matplotlib marker."""

    color: str
    marker: str


_FIRST = "#006299 o, #B04E00 s, #008561 ^, #B96E97 D, #C28600 v, #4A9BC8 P, #8F2B64 <, #857AD9 X"
FIRST = tuple(Mark(*pair.split()) for pair in _FIRST.split(", "))
HEX = regex("#[0-9a-fA-F]{6}")
PALE, DARK = 3.0, 10.0
"""Contrast of a bar against white (WCAG 2.2, 1.4.11), at least; and of what is drawn on bars."""
Color: TypeAlias = str | tuple[float, ...] | Sequence[float]
"""As matplotlib takes it: a name, "#rrggbb", "C0", (red, green, blue)."""
LONGEST_LIST = 20
"""The most colours of a colormap that is a list; longer ones are ranges."""
GREY = "#767676"
"""The colour of published runs."""
AHEAD, BEHIND, OPEN = "#0B5CAD", "#A84E06", "#858D95"
"""What is found of the first of two, on the page as in figures: ahead, behind, no difference. What was not tested is hollow."""
VERDICTS: Mapping[str, str] = MappingProxyType({"a_better": AHEAD, "b_better": BEHIND, "no_difference_found": OPEN})
"""The colours of the verdicts that have one; equivalence and no verdict are outlines."""
AHEAD_SIGN, BEHIND_SIGN = Mark(AHEAD, "o"), Mark(BEHIND, "v")
"""The signs of a found difference in a cell, those of the page."""
VERDICT_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "a_better": "blue: found ahead",
        "b_better": "orange: found behind",
        "no_difference_found": "grey: no difference found",
        "equivalent": "outlined: equivalent",
        "no_verdict": "dotted: not tested",
    }
)
MORE = (Mark("#999933", ">"), Mark("#8C5A2B", "p"), Mark("#2F8F9D", "h"), Mark("#7A7A7A", "d"))


def marks(
    names: Iterable[str], *, colors: Mapping[str, Color | Mark] | None = None, whole: Iterable[str] = ()
) -> dict[str, Mark]:
    """Which colour and marker does each algorithm have?

    A name prefers one slot (a digest of the name) and moves on only if an alphabetically earlier name holds it, or its hue, of which there
    are six. The order of `names` is
    irrelevant. A figure of some algorithms of a set keeps the colours of the whole set. Published runs beside your own ("atari_100k:SPR")
    are grey.

    Parameters
    ----------
    names : iterable of str
    colors : mapping of name to a color of matplotlib or Mark, optional
        Pinned colours, of these names or others; the remaining names take none of them.
    whole : iterable of str, optional
        The whole set that these names come from: each keeps its colour in that set, unless an earlier name has it (a set of more than twelve
        shares colours).

    Returns
    -------
    dict[str, Mark]
        Up to twelve names all differ in colour; with more, the pairs of colour and marker differ.

    Raises
    ------
    OptionError
        matplotlib does not know a colour.

    Examples
    --------
    >>> import runoff as ro
    >>> ro.plots.marks(["PPO", "SAC"], colors={"PPO": "#D00000"})["PPO"].color
    '#D00000'
    """
    wanted = sorted(set(names))
    pinned: dict[str, Mark] = {}
    for name in (name for name in wanted if name in (colors or {})):
        pinned[name] = _pin(name, (colors or {})[name], [mark.marker for mark in pinned.values()])
    published = [name for name in wanted if name not in pinned and set_of(name)]
    shapes = [mark.marker for mark in FIRST + MORE]
    # Published runs are the ground on which one's own are seen; markers tell them from each other.
    pinned |= {name: Mark(GREY, shapes[at % len(shapes)]) for at, name in enumerate(published)}
    # Some of a set keep the colours of the whole set, so that two figures of one paper agree. Names that have
    # nothing to do with the set (it was renamed) do not.
    of_all = marks({*whole, *wanted}) if (whole := set(whole)) & set(wanted) else {}
    for name, mark in ((name, of_all[name]) for name in wanted if name in of_all and name not in pinned):
        # With up to twelve names no two share a colour, whoever has to move; with more only pairs of colour and
        # marker differ.
        same = mark.color in {other.color for other in pinned.values()}
        pinned |= {} if same and len(wanted) <= len(FIRST + MORE) else {name: mark}
    colours_pinned = {mark.color for mark in pinned.values()}
    for name in (name for name in wanted if name not in pinned):
        free = [mark for mark in _wishes(name, len(pinned)) if mark not in pinned.values()]
        others = [mark for mark in free if mark.color not in colours_pinned]
        # Two shades of one hue are for more algorithms than there are hues.
        hues = {hue_of(mark.color) for mark in pinned.values() if HEX.fullmatch(mark.color)}
        of_own_hue = (mark for mark in others if mark in FIRST and hue_of(mark.color) not in hues)
        pinned[name] = next(of_own_hue, (others or free)[0])
    return pinned


def of_palette(palette: str | Sequence[Color] | Mapping[str, Color], names: Sequence[str]) -> dict[str, Color]:
    """Return a colour for each name: those of a mapping, those of a sequence or of a colormap in the order of the names, again and again.

    >>> of_palette(["red", "#00FF00"], ["A", "B", "C"])
    {'A': 'red', 'B': '#00FF00', 'C': 'red'}
    """
    if isinstance(palette, Mapping):
        return dict(palette)
    shades: Sequence[Color] = palette if not isinstance(palette, str) else _of_colormap(palette, len(names))
    if not shades:
        raise OptionError("palette names no color.")
    return {name: shades[at % len(shades)] for at, name in enumerate(names)}


def _of_colormap(name: str, n: int) -> Sequence[Color]:
    """Return the colours of a list, or n of a range that are evenly apart."""
    from matplotlib import colormaps

    if name not in colormaps:
        raise OptionError(
            f"palette must be a colormap of matplotlib, a sequence or a mapping, not {name!r}.{nearest(name, colormaps)}"
        )
    colormap = colormaps[name]
    own: Sequence[Color] = getattr(colormap, "colors", ())
    return own if 0 < len(own) <= LONGEST_LIST else [colormap(k / max(n - 1, 1)) for k in range(n)]


def _pin(name: str, color: Color | Mark, others: Sequence[str]) -> Mark:
    """Return the mark of a name with this color, and with a marker that no other has as long as there is one."""
    if isinstance(color, Mark):
        return color
    shapes = [wish.marker for wish in _wishes(name, 0)]
    shape = next((own for own in shapes if own not in others), shapes[0])
    if isinstance(color, str) and HEX.fullmatch(color):
        return Mark(color.upper(), shape)
    from matplotlib.colors import to_hex

    try:
        own = to_hex(color)  # type: ignore[arg-type]  # whatever it takes
    except ValueError:
        raise OptionError(
            f"colors has {color!r} for {name!r}, which is no color of matplotlib; for example 'red', 'C0' or '#D00000'."
        ) from None
    return Mark(own.upper(), shape)


def _wishes(name: str, n_held: int) -> Iterable[Mark]:
    # A digest and not `hash`, which differs from process to process.
    start = sha256(name.encode("utf-8", "surrogatepass")).digest()[0]
    yield from (FIRST[(start + k) % len(FIRST)] for k in range(len(FIRST)))
    yield from MORE
    every = FIRST + MORE
    for k in range(n_held + 1):  # colours again, with other markers
        shift = 1 + k // len(every)
        yield Mark(every[k % len(every)].color, every[(k + shift) % len(every)].marker)


def dash_of(mark: Mark) -> str:
    """Return the style of a line: those of the ninth colour and beyond are dashed, for some are hard to tell from the first eight."""
    return "--" if mark.color in {other.color for other in MORE} else "-"


@cache
def hue_of(color: str) -> int:
    """Return the hue of a colour, in tens of degrees.

    >>> [hue_of(mark.color) for mark in FIRST]
    [20, 3, 16, 33, 4, 20, 33, 25]
    """
    return round(36 * rgb_to_hsv(*(int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)))[0]) % 36


@cache
def toned(color: str, wanted: float) -> str:
    """Return a colour of the same hue with a contrast against white: with white in it where it has more, with black where it has less."""
    # Mixing with white lowers the contrast against white, mixing with black raises it.
    target = 255.0 if contrast(color) > wanted else 0.0
    enough = [shade for shade, own in _shades(color, target) if own >= wanted]
    # The shade that is just contrasting enough: the most of white, or the least of black.
    return enough[-1] if target else enough[0]


@cache
def _shades(color: str, target: float) -> list[tuple[str, float]]:
    """Return the shades between a colour and white or black, each with its contrast."""
    parts = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    shades = ["#" + "".join(f"{round(p + (target - p) * k / 64):02X}" for p in parts) for k in range(65)]
    return [(shade, contrast(shade)) for shade in shades]


def contrast(color: str, *, against: str = "#FFFFFF") -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2.2).

    >>> contrast("#FFFFFF"), round(contrast("#000000")), contrast("#ffffff", against="#000000")
    (1.0, 21, 21.0)
    """
    dark, light = sorted((_luminance(color), _luminance(against)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    """Return the relative luminance of a colour, from 0 to 1 (WCAG 2.2)."""
    # Undo the gamma of sRGB, then weigh the three by what the eye sees of each.
    parts = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
