"""The files of figures: fonts of a PDF, one layout for all formats, the pixels of a PNG."""

import re

import matplotlib
import pytest
from matplotlib.figure import Figure

import runoff as ro
from runoff import plots
from runoff.page.files.folder import write_answer
from runoff.page.sheet.drawing import DPI, PIXELS, figure_of, plain_style, render
from tests.report.made import answers


def drawn(kind: str, size: tuple[float, float] = (2, 1)) -> bytes:
    with plain_style():
        figure = Figure(figsize=size)
        figure.text(0.1, 0.5, "runs λ")
        return render(figure, kind)


def test_letters_of_a_pdf_are_outlines_that_no_reader_has_to_have():
    assert b"/FontFile2" in drawn("pdf")
    assert b"/Type3" not in drawn("pdf")


@pytest.mark.slow
def test_a_pdf_that_a_verb_writes_has_no_letters_of_type_3_or_1_whatever_the_users_settings(tmp_path):
    scores = ro.load_example("classic_control").final().select(tasks=["Acrobot-v1"], algorithms=["Q(λ)", "ARS"])
    compared = ro.compare(scores)
    with matplotlib.rc_context({"pdf.fonttype": 3, "pdf.use14corefonts": True}):
        write_answer(tmp_path / "out", "curves", {}, lambda: {"chances": plots.improvement(compared)}, formats=("pdf",))
    content = (tmp_path / "out" / "chances.pdf").read_bytes()
    assert b"/FontFile2" in content
    assert re.findall(rb"/Type3|/Type1\b", content) == []


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
