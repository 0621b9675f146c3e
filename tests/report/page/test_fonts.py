"""Fonts in the PDF figures of the report."""

import re
import zlib
from io import BytesIO

import pytest
from fontTools import subset
from fontTools.ttLib import TTFont
from matplotlib.figure import Figure

from runoff import plots
from runoff.report.page.drawing import DPI, PIXELS, bare_fonts, figure_of, plain_style, render
from tests.report.made import answers


def drawn(kind: str, size: tuple[float, float] = (2, 1)) -> bytes:
    with plain_style():
        figure = Figure(figsize=size)
        figure.text(0.1, 0.5, "runs λ")
        return render(figure, kind)


def embedded(pdf: bytes) -> list[TTFont]:
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    bodies = [zlib.decompress(stream) for stream in streams if stream[:1] == b"x"]
    return [TTFont(BytesIO(body)) for body in bodies if body[:4] == b"\x00\x01\x00\x00"]


def test_an_embedded_font_has_the_outlines_of_its_letters_and_no_rules_of_layout():
    fonts = embedded(drawn("pdf"))
    for font in fonts:
        assert {"glyf", "loca", "hmtx", "head", "hhea", "maxp", "cvt ", "fpgm", "prep"} <= set(font.keys())
        assert not {"GSUB", "GPOS", "GDEF", "kern"} & set(font.keys())
    outlines = [font["glyf"][name].numberOfContours > 0 for font in fonts for name in font.getGlyphOrder()]
    assert sum(outlines) >= len(set("runsλ"))


def test_fonts_are_loaded_as_before_once_a_figure_is_written():
    before = subset.load_font
    with bare_fonts():
        assert subset.load_font is not before
    assert subset.load_font is before
    with pytest.raises(KeyError):
        drawn("gif")
    assert subset.load_font is before


@pytest.mark.slow
def test_a_format_is_the_same_whichever_others_are_written():
    profile = answers().profiles.result
    with plain_style():
        alone, together = (figure_of(plots.profiles(profile)) for _ in range(2))
        before = [render(together, kind) for kind in ("svg", "pdf", "png")]
        assert [render(alone, "png"), render(alone, "pdf")] == before[:0:-1]


def test_a_very_tall_figure_has_fewer_dots_per_inch_rather_than_more_pixels():
    def pixels(png: bytes) -> tuple[int, int]:
        return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")

    assert pixels(drawn("png")) == (2 * DPI, DPI)
    wide, high = pixels(drawn("png", (4, 60)))
    assert 0.98 * PIXELS < wide * high <= PIXELS
