"""The page is read: from a file, by itself, at any width, on paper, without its script, by everyone."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest

from runoff.page.sheet.svg import contrast

axe = pytest.importorskip("axe_playwright_python.sync_playwright")

pytestmark = pytest.mark.slow
WIDTHS = (390, 768, 1440)
SCHEMES = ("light", "dark")
UNFOLD = "document.querySelectorAll('details').forEach((element) => (element.open = true))"
TOO_WIDE = (
    "(all) => all.filter((element) => {} element.getBoundingClientRect().right > innerWidth + 1)"
    ".map((element) => element.outerHTML.slice(0, 200))"
)
ANYWHERE, OUTSIDE = TOO_WIDE.format(""), TOO_WIDE.format("!element.closest('.scroll') &&")


def test_it_loads_from_a_file_and_asks_for_nothing_else(visit, report):
    page = visit()
    page.evaluate(UNFOLD)
    page.wait_for_timeout(300)
    assert page.requests == [report.as_uri()]
    assert page.messages == []


def test_every_link_leads_to_a_place_on_the_page_or_to_a_file_beside_it(visit, report):
    links = visit().eval_on_selector_all(
        "a", "(all) => all.map((element) => new URL(element.getAttribute('href'), document.baseURI).href)"
    )
    assert len(links) > 50
    for link in links:
        path = Path(unquote(urlparse(link).path))
        assert path.is_file(), link
    for fragment in {urlparse(link).fragment for link in links} - {""}:
        assert re.search(rf'id="?{fragment}\b', report.read_text(encoding="utf-8"))


def test_it_weighs_at_most_60_kb_as_servers_send_it(report):
    assert len(gzip.compress(report.read_bytes())) <= 60_000


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing(visit, width, scheme):
    page = visit(width=width, color_scheme=scheme)
    for prepare in ("0", UNFOLD, "document.querySelector('.heat td').click()"):
        page.evaluate(prepare)
        page.wait_for_timeout(100)
        assert axe.Axe().run(page).generate_snapshot() == ""


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_screen_but_tables_in_boxes_that_scroll_and_take_the_focus(visit, width):
    page = visit(width=width)
    page.evaluate(UNFOLD)
    page.locator(".heat td").nth(2).click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.eval_on_selector_all("main *", OUTSIDE) == []
    boxes = page.eval_on_selector_all(".scroll", "(all) => all.map((element) => element.tabIndex)")
    assert set(boxes) == {0}


def test_the_first_screen_has_the_answer_the_questions_the_picture_and_the_caution_of_seven_algorithms(visit):
    page = visit()
    page.set_viewport_size({"width": 1440, "height": 900})
    bottoms = page.eval_on_selector_all(
        "h1, .tiles, .versus, .warn", "(all) => all.map((node) => node.getBoundingClientRect().bottom)"
    )
    assert len(bottoms) == 4
    assert max(bottoms) <= 900


def test_the_first_table_needs_no_scrolling_on_a_narrow_screen(visit):
    page = visit(width=390)
    assert page.evaluate(
        "(element => element.scrollWidth <= element.clientWidth)(document.querySelector('#measures .scroll'))"
    )
    drawn = page.eval_on_selector_all(
        ".versus tbody .bar", "(all) => all.map((element) => element.getBoundingClientRect().width)"
    )
    assert min(drawn) > 250


COLOURS = """(kinds) => [getComputedStyle(document.body).backgroundColor, ...kinds.flatMap((kind) =>
  [...document.querySelectorAll(kind)].map((node) => getComputedStyle(node)[node.tagName === "rect" ? "fill" : "stroke"]))]"""


def as_hex(colour: str) -> str:
    """Return "rgb(1, 2, 3)" as a colour of six digits."""
    return "#" + "".join(f"{int(channel):02x}" for channel in re.findall(r"\d+", colour)[:3])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_marks_have_a_contrast_of_three_to_one(visit, scheme):
    page = visit(color_scheme=scheme)
    colors = [
        as_hex(colour)
        for colour in page.evaluate(COLOURS, [".bar .i", ".bar .e", ".chart .d", ".chart .l", ".chart .e"])
    ]
    assert len(colors) > 100
    assert min(contrast(colour, against=colors[0]) for colour in colors[1:]) >= 3


def test_print_takes_two_to_four_pages_and_cuts_nothing(visit):
    page = visit()
    printed = page.pdf(prefer_css_page_size=True)
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 4
    page.set_viewport_size({"width": 688, "height": 1000})  # A4 without its margins, at 96 dots per inch
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= 688
    assert page.eval_on_selector_all("main *", ANYWHERE) == []


def test_print_has_the_answer_the_comparisons_and_the_methods_and_names_what_is_folded(visit):
    page = visit()
    page.emulate_media(media="print")
    for what in ("h1", ".tiles", ".versus", ".matrix", ".steps", "#methods-text"):
        assert page.locator(what).first.is_visible(), what
    for what in ("#advice dt:has(.info)", "#advice .source", "#fig-profiles svg", "nav", "#latex", "#more"):
        assert not page.locator(what).first.is_visible(), what
    for what in page.locator("#advice dt:not(:has(.info)) + dd > p:first-child").all():
        assert what.is_visible()
    assert page.locator("#advice dt:not(:has(.info))").count() > 0
    assert page.locator("#profiles > details > summary").is_visible()


def test_without_javascript_all_answers_are_there_and_no_control(visit, page_data):
    page = visit(java_script_enabled=False)
    n = len(page_data["names"])
    assert page.locator(".versus tbody tr").count() == n - 1
    assert page.locator(".versus .bar .e").count() == n - 1
    assert page.locator(".matrix [data-p]").count() == n * (n - 1) // 2
    assert page.locator(".pairs tbody tr").count() == len(page_data["pairs"])
    for control in page.locator("button, select, input").all():
        assert not control.is_visible()
    page.locator("#profiles > details > summary").click()
    assert page.locator("#fig-profiles svg").is_visible()


def test_without_javascript_the_name_of_a_task_leads_to_its_runs(visit, page_data):
    page = visit(java_script_enabled=False)
    page.locator("#tasks > details > summary").click()
    page.locator(".heat tbody a").nth(2).click()
    assert page.locator("#runs-2 svg").is_visible()
    assert page.locator("#runs-2").get_by_text("[").count() == len(page_data["names"])


def test_motion_is_reduced_where_that_is_asked_for(visit):
    reduced = visit(reduced_motion="reduce").evaluate("getComputedStyle(document.documentElement).scrollBehavior")
    plain = visit(reduced_motion="no-preference").evaluate("getComputedStyle(document.documentElement).scrollBehavior")
    assert (reduced, plain) == ("auto", "smooth")


@pytest.mark.parametrize("section", ["advice", "methods", "ranks", "files", "bibtex", "runs-3"])
def test_a_link_into_what_is_folded_unfolds_it(visit, section):
    page = visit(fragment=f"#{section}")
    assert page.locator(f"#{section} details, details#{section}, details:has(#{section})").first.evaluate(
        "(element) => element.open"
    )
