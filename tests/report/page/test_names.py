"""Names on the page and in the text of its figures: whole in a title, unique where short, isolated where they run from right to left."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from xml.etree import ElementTree

import pytest

from runoff.page import build
from runoff.page.sheet.build import SHORT
from runoff.page.sheet.drawing import Drawing, draw
from runoff.words.shorten import END, ISOLATE, short_names
from tests.report.made import HOSTILE, answers_of, few_drawn, hostile, scores

TWO = tuple(f"an algorithm of which the learning rate was set to {rate}, all else equal" for rate in ("0.001", "0.003"))
TURNED = ("خوارزمية", "שיטה")
LIKE_TAGS = ('url(#222222) id="x"', "#ffffff xmlns=", "<g id='y'>")


@cache
def page(names: tuple[str, ...]) -> str:
    return build(answers_of(scores(names, n_runs=4)))


@cache
def drawings() -> tuple[Drawing, ...]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(*few_drawn("pairs", "ranks", "profiles"))
        return draw(hostile(), ("svg",))


def texts(svg: bytes | str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(svg)
    return [element for element in root.iter() if element.tag.rsplit("}", 1)[-1] == "text"]


def test_two_long_names_have_two_labels_in_every_table_and_whole_titles():
    shown = set(re.findall(r'<bdi title="(an algorithm.*?)">(.*?)</bdi>', page((*TWO, "PPO"))))
    assert {title for title, _ in shown} == set(TWO)
    assert len({label for _, label in shown}) == len(shown) == 2
    assert max(len(label) for _, label in shown) <= 34


def test_no_sentence_of_the_page_holds_a_right_to_left_name_that_is_not_isolated():
    bare = re.sub(r"<(svg|bdi|style|pre|script).*?</\1>|<[^>]*>", " ", unescape(page(TURNED)), flags=re.DOTALL)
    bare = re.sub(f"{ISOLATE}.*?{END}", " isolated ", bare)
    assert "isolated" in bare
    assert [name for name in TURNED if name in bare] == []


def test_a_page_without_such_names_holds_no_isolates():
    assert ISOLATE not in page(("PPO", "SAC"))


@pytest.mark.slow
def test_text_of_a_figure_is_text_with_a_generic_font_at_the_end_and_the_ink_of_the_page():
    for drawing in drawings():
        elements = texts(drawing.files["svg"])
        assert len(elements) >= 3, drawing.name
        for element in elements:
            style = str(element.get("style"))
            assert re.search(r"font-family: 'DejaVu Sans', 'Verdana', sans-serif", style), style
            assert "fill: #222222" in style or "fill: #ffffff" in style, (drawing.name, element.text)


def test_text_of_a_figure_lies_inside_it():
    for drawing in drawings():
        svg = ElementTree.fromstring(drawing.files["svg"])
        width = float(str(svg.get("viewBox")).split()[2])
        assert all(-1 <= float(str(element.get("x"))) <= width + 1 for element in texts(drawing.files["svg"]))


@pytest.mark.parametrize("name", HOSTILE)
def test_names_in_the_drawings_of_a_page_are_escaped(name: str):
    drawn = re.findall(r"<svg role.*?</svg>", build(hostile()), flags=re.DOTALL)
    assert drawn
    for svg in drawn:
        ElementTree.fromstring(svg)
        assert not re.search(r"<script|<!--|<style|@import| style=", svg)


def test_a_name_that_looks_like_a_tag_or_an_attribute_stays_text_in_the_drawings_of_a_page():
    drawn = re.findall(r"<svg role.*?</svg>", page(LIKE_TAGS), flags=re.DOTALL)
    labels = {element.text for svg in drawn for element in texts(svg)}
    assert set(short_names(LIKE_TAGS, SHORT).values()) <= labels
