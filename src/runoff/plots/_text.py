"""Words and numbers in figures: short, drawable, never parsed as mathematics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from math import inf
from typing import Any, NotRequired, TypedDict
from unicodedata import category

from matplotlib import ft2font, rcParams
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font
from matplotlib.textpath import text_to_path

from runoff.words.shorten import distinct_labels, one_line, short_names, turns

SIZE = 7.0
SMALL = 6.5
MISSING = "\N{WHITE VERTICAL RECTANGLE}"
_FURTHER = """Noto Sans CJK SC, Noto Sans CJK JP, Noto Sans CJK KR, Noto Sans SC, Noto Sans JP, Noto Sans KR, Source Han Sans SC,
Droid Sans Fallback, WenQuanYi Micro Hei, IPAGothic, PingFang SC, Hiragino Sans, Apple SD Gothic Neo, Microsoft YaHei, Yu Gothic, Malgun Gothic,
Noto Sans Arabic, Noto Sans Hebrew, Noto Sans Devanagari, Noto Sans Thai, Arial Unicode MS, Noto Sans Symbols2, Noto Emoji, Symbola,
Segoe UI Emoji, Segoe UI Symbol"""
FALLBACKS = tuple(name.strip() for name in _FURTHER.split(","))
"""Fonts that have what the usual one lacks: Chinese, Japanese, Korean, other scripts, emoji drawn as outlines."""


class Literal(TypedDict):
    """Text properties that keep `$` and `_` what they are, and the fonts if not the usual one."""

    parse_math: bool
    usetex: bool
    fontfamily: NotRequired[list[str]]


LITERAL: Literal = {"parse_math": False, "usetex": False}


def width_of(text: str, size: float = SIZE) -> float:
    """Return the width of a line of text in inches."""
    # Widths depend on the user's fonts, which may change between two figures: the settings are part of the
    # cache's key.
    settings: Any = rcParams  # typed by the names of all settings, of which a family need not be one
    family = tuple(literal(text).get("fontfamily", settings["font.family"]))
    generic = [settings.get(f"font.{name}", ()) for name in family]
    return _width(text, size, family, (*map(tuple, generic), *map(settings.__getitem__, FACE)))


FACE = ("font.style", "font.variant", "font.weight", "font.stretch")


@lru_cache(maxsize=4096)
def _width(text: str, size: float, family: tuple[str, ...], found_by: tuple[Any, ...]) -> float:
    """Return the width in inches; `found_by`, what settings mean by "sans-serif" and their weight, is part of the cache's key."""
    del found_by
    font = FontProperties(family=list(family), size=size)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width) / 72


def fit(name: str, inches: float, size: float = SIZE) -> str:
    """Return a single word or name that is at most `inches` wide."""
    return labels([name], inches, size)[0]


def labels(names: Sequence[str], inches: float = inf, size: float = SIZE) -> list[str]:
    """Return the names as a figure shows them: at most `inches` wide, shortened so that they stay distinct."""
    short = short_names(names, inches, lambda text: width_of(text, size), shown=drawable)
    return [short[name] for name in names]


def stand_ins(names: Iterable[str]) -> dict[str, str]:
    """Return the names that no font here can draw as they are, with what figures call them."""
    # Two names of letters that no font has would be the same row of boxes: each is told from the others by a
    # number.
    drawn = distinct_labels(names, drawable)
    return {name: text for name, text in drawn.items() if text != one_line(name)}


def drawable(name: str) -> str:
    """Return a name with an empty box for each letter that no font here has; nothing if hardly a letter would be left."""
    text = one_line(name)
    lacking = {character for character in text if not _draws(character)}
    drawn = "".join(MISSING if character in lacking else character for character in text)
    # A name of boxes alone is no name; the caller numbers it.
    return drawn if not lacking or any(map(str.isalnum, drawn)) else ""


def literal(*texts: str) -> Literal:
    """Return the properties of a text that is taken literally; further fonts where the usual one lacks a letter of it."""
    # The usual font has all of ASCII, so that no font is opened for most names.
    if all(map(str.isascii, texts)):
        return LITERAL
    further = [name for name, glyphs in fallbacks() if any(ord(c) in glyphs for t in texts for c in lacks(t))]
    return {**LITERAL, "fontfamily": [*FontProperties().get_family(), *further]} if further else LITERAL


def lacks(text: str) -> set[str]:
    """Return the characters that the usual font lacks."""
    return set() if text.isascii() else {c for c in text if ord(c) not in _glyphs() and category(c) != "Cf"}


def shapes_text() -> bool:
    """Return whether this matplotlib joins letters and orders them from right to left (3.11 and later)."""
    return hasattr(ft2font, "__libraqm_version__")


def _draws(character: str) -> bool:
    if character.isascii():
        return character.isprintable()
    # Letters that join or run from right to left come out wrong where matplotlib does not shape text.
    if turns(character) and not shapes_text():
        return False
    return ord(character) in _glyphs() or any(ord(character) in glyphs for _, glyphs in fallbacks())


@cache
def _glyphs(family: str | None = None) -> frozenset[int]:
    return frozenset(get_font(findfont(FontProperties(family=family and [family]))).get_charmap())


@cache
def fallbacks() -> tuple[tuple[str, frozenset[int]], ...]:
    """Return the further fonts that are installed, with the characters they have."""
    installed = {font.name for font in fontManager.ttflist}
    present = [name for name in FALLBACKS if name in installed]
    return tuple((name, _glyphs(name)) for name in present)
