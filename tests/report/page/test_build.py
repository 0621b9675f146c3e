"""The page: complete, self-contained, escaped, the same for the same answers."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from html.parser import HTMLParser

import matplotlib
import pytest

from runoff.report import build
from tests.report.made import HOSTILE, answers, answers_of, hostile, scores

SECTIONS = ("answer", "data", "aggregates", "pairs", "ranks", "tasks", "advice", "methods", "reproduce")
VOID = {"meta", "link", "br", "img", "path", "use"}


@cache
def page() -> str:
    return build(answers(), title="A title")


@cache
def hostile_page() -> str:
    return build(hostile(), title="<b>bold</b>")


class Outline(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        found = dict(attrs)
        self.ids += [found["id"]] if found.get("id") else []
        self.links += [found[key] or "" for key in ("src", "href", "xlink:href", "action") if key in found]


def outline(text: str) -> Outline:
    parser = Outline()
    parser.feed(text)
    return parser


def test_every_section_is_there_and_linked_from_the_contents():
    found = outline(page())
    for section in SECTIONS:
        assert section in found.ids
        assert f"#{section}" in found.links


def test_one_run_per_cell_is_told_in_the_singular():
    words = unescape(re.sub(r"<svg.*?</svg>", "", build(answers_of(scores(n_runs=1))), flags=re.DOTALL))
    assert "3 algorithms × 2 tasks × 1 run</p>" in words
    assert "<p>3 algorithms × 2 tasks, 1 run per cell, 6 scores in all." in words
    assert re.findall(r"\b1 (?:\w+ )?(?:runs|tasks|pairs|scores|cells|algorithms)\b", words) == []


def test_ids_are_unique_and_every_reference_has_its_target():
    found = outline(page())
    assert len(found.ids) == len(set(found.ids))
    targets = {link[1:] for link in found.links} | set(re.findall(r"url\(#([^)]+)\)", page()))
    assert targets <= set(found.ids)


def test_nothing_is_loaded_from_anywhere():
    found = outline(page())
    assert all(link.startswith(("#", "data:image/png")) for link in found.links)
    assert not {"script", "link", "iframe", "object", "embed", "img"} & set(found.tags)
    assert "@import" not in page()
    assert not re.search(r"url\((?!#)", page())


def test_the_same_answers_give_the_same_bytes():
    assert build(answers_of(scores()), title="A title") == page()


def test_the_users_matplotlib_settings_change_nothing_and_stay():
    with matplotlib.rc_context({"font.size": 30, "svg.fonttype": "none", "lines.linewidth": 9}):
        assert build(answers(), title="A title") == page()
        assert matplotlib.rcParams["font.size"] == 30


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_escaped_and_intact(name: str):
    assert name in unescape(hostile_page())
    assert "<script" not in hostile_page()
    assert "<b>bold" not in hostile_page()


def test_figures_are_drawings_with_titles_and_captions():
    found = outline(page())
    assert found.tags.count("figure") == found.tags.count("figcaption") == 9
    assert page().count('role="img"') == 9
    assert page().count("<title") == 1 + 9
    assert "<!--" not in page()


def test_figures_follow_the_colors_of_the_page():
    drawn = re.findall(r"<figure.*?</figure>", page(), re.DOTALL)
    assert all("currentColor" in one and "#222222" not in one for one in drawn)
    assert "prefers-color-scheme: dark" in page()
    assert "@media print" in page()


def test_every_table_has_a_caption_and_heads_with_scopes():
    found = outline(page())
    assert found.tags.count("table") == found.tags.count("caption") >= 4
    assert "<th>" not in page()


def test_ragged_data_show_the_runs_of_every_cell():
    import runoff as ro

    data = ro.Scores.from_dict({"A": {"t": [1.0, 2, 3], "u": [1.0, 2, 4]}, "B": {"t": [2.0, 3, 5], "u": [3.0, 4.5]}})
    text = build(answers_of(data))
    assert "Runs by task and algorithm" in text
    assert "Runs by task and algorithm" not in page()


def test_a_drawing_for_one_column_is_shown_narrow_and_one_for_the_page_is_not():
    page = build(answers())
    narrow = dict(re.findall(r'<figure id="fig-(\w+)"( class="narrow")?', page))
    assert narrow["places"]
    assert not narrow["inferential"]


def test_nine_algorithms_have_a_matrix_of_p_values_as_wide_as_the_page_and_eight_have_cells_that_say_more():
    eight, nine = (
        dict(re.findall(r'<figure id="fig-(\w+)"( class="narrow")?', build(answers_of(scores(names, 1, 3)))))
        for names in (tuple("ABCDEFGH"), tuple("ABCDEFGHI"))
    )
    assert ("pairs" in eight, "pvalues" in eight) == (True, False)
    assert ("pairs" in nine, nine["pvalues"]) == (False, "")
