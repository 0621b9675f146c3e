"""The gallery shows every figure; its code is run with that of the other pages (`test_examples`)."""

from __future__ import annotations

from docs import make_gallery
from runoff.plots import PLOTS


def test_the_gallery_is_that_of_the_registry():
    assert list(make_gallery.CODE) == list(PLOTS)
    assert sorted(name for names in make_gallery.QUESTIONS.values() for name in names) == sorted(PLOTS)
    assert make_gallery.page() == make_gallery.PAGE.read_text(encoding="utf-8"), "run `python -m docs.make_gallery`"


def test_every_figure_has_its_picture_and_all_are_small():
    pictures = {path.stem: path.stat().st_size for path in make_gallery.FOLDER.glob("*.png")}
    assert set(pictures) == set(PLOTS)
    assert sum(pictures.values()) < 1_000_000
