"""Fonts in PDF: the glyphs that are drawn, and nothing that lays out text, which matplotlib has done already.

A PDF names its glyphs by number and says by itself which letters they are. Rules of ligatures, names of glyphs and tables of characters are
then never read, and to cut them to size, figure by figure, takes longer than to draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fontTools import subset

LAYOUT = ("GSUB", "GPOS", "GDEF")
UNREAD = ("cmap", "kern", "name", "post", "OS/2")
"""Tables that fontTools may leave out only once it has chosen the glyphs."""
_load = subset.load_font


@contextmanager
def bare_fonts() -> Iterator[None]:
    """Embed fonts without what no reader of a PDF uses; pages look the same to the pixel."""
    subset.load_font = _bare
    try:
        yield
    finally:
        subset.load_font = _load


def _bare(font: Any, options: Any, *given: Any, **named: Any) -> Any:
    options.layout_features, options.legacy_kern, options.glyph_names = [], False, False
    options.drop_tables += UNREAD
    loaded = _load(font, options, *given, **{**named, "dontLoadGlyphNames": True})
    for table in LAYOUT:
        if table in loaded:
            del loaded[table]
    return loaded
