"""The first picture: what next, measure, sort, partner, zoom, and what is copied of it."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from xml.etree import ElementTree

import pytest

import runoff as ro

pytestmark = pytest.mark.slow
ROWS = ".first tbody tr"


def names(page):
    return page.locator(f"{ROWS} th").all_inner_texts()


def column(page, k):
    return page.locator(f"{ROWS} td:nth-child({k})").all_inner_texts()


def test_the_slider_tells_the_runs_that_were_computed_and_moves_by_keyboard(visit, page_data):
    page, more = visit(), page_data["more"]
    slider = page.locator("#care")
    assert int(slider.input_value()) == more["start"]
    slider.focus()
    for key, place in (("ArrowLeft", more["start"] - 1), ("End", len(more["sizes"]) - 1), ("Home", 0)):
        page.keyboard.press(key)
        words = f"{more['sizes'][place]} → {more['needs'][place]}"
        assert page.locator("#needs").inner_text() == words
        assert slider.get_attribute("aria-valuetext") == words.replace(" →", ":")


def test_a_tie_is_called_as_the_interval_allows_and_follows_the_slider(visit, page_data):
    page, more = visit(), page_data["more"]
    assert not page.locator("#tied").is_visible()
    page.locator("#tie").click()
    for key, place in (("Home", 0), ("End", -1)):
        page.locator("#care").press(key)
        words = more["tie"][more["ties"][place]]
        assert page.locator("#tied").inner_text() == words.replace("{d}", more["sizes"][place])
    assert {more["ties"][0], more["ties"][-1]} == {0, 2}
    page.locator("#tie").click()
    assert not page.locator("#tied").is_visible()


def test_the_picture_is_drawn_by_the_script_as_it_was_drawn_before(visit):
    drawn = "(all) => all.map((element) => [...element.children].map((p) => p.getAttribute('d').match(/[\\d.]+/g).map(Number)))"
    plain = visit(java_script_enabled=False).eval_on_selector_all(f"{ROWS} .bar", drawn)
    page = visit()
    page.locator("#measure").select_option("1")
    page.locator("#measure").select_option("0")
    for again, other in zip(page.eval_on_selector_all(f"{ROWS} .bar", drawn), plain, strict=True):
        for a, b in zip(again, other, strict=True):
            assert a == pytest.approx(b, abs=1.5)  # the script has the numbers as they are shown


@pytest.mark.parametrize("measure", range(4))
def test_a_measure_shows_its_numbers_best_first(visit, page_data, measure):
    page, record = visit(), page_data["measures"][measure]
    page.locator("#measure").select_option(str(measure))
    shown = dict(zip(names(page), column(page, 2), strict=True))
    assert shown == {name: " ".join(record["cells"][k]) for k, name in enumerate(page_data["names"])}
    values = [float(text.split()[0].replace("−", "-")) for text in column(page, 2)]
    assert values == sorted(values, reverse=record["up"])
    assert page.locator(".first thead th").nth(1).inner_text() == record["head"]


def test_rows_are_sorted_by_name_and_by_chance(visit):
    page = visit()
    page.locator("#sort").select_option("name")
    assert names(page) == sorted(names(page), key=str.casefold)
    page.locator("#sort").select_option("chance")
    chances = [float(text.split()[0]) for text in page.locator(f"{ROWS} .sr").all_text_contents()]
    assert chances == sorted(chances)
    assert len(chances) == len(names(page)) - 1


def test_another_partner_has_its_own_chances_and_verdicts(visit, page_data):
    page, other = visit(), len(page_data["names"]) - 1
    page.locator("#against").select_option(str(other))
    verdicts = dict(zip(names(page), column(page, 5), strict=True))
    assert verdicts.pop(page_data["names"][other]) == "compared with"
    calls = {page_data["names"][a]: verdict for a, b, *_, verdict in page_data["pairs"] if b == other}
    assert verdicts == {name: "ahead of it" if verdict == 1 else "not told apart" for name, verdict in calls.items()}
    assert f"chance that {page_data['names'][other]} beats it" in page.locator(".first thead").inner_text()


def test_zoom_shows_the_leaders_alone_on_the_whole_axis_and_the_rest_as_beyond_it(visit, page_data):
    page = visit()
    before = page.locator(".first .ends").first.inner_text()
    page.locator("#zoom").press("Enter")
    assert page.locator("#zoom").get_attribute("aria-pressed") == "true"
    assert page.locator(".first .ends").first.inner_text() != before
    behind = column(page, 5).count("behind")
    assert 0 < page.locator(f"{ROWS} .out").count() <= 2 * behind
    page.locator("#zoom").press("Enter")
    assert page.locator(".first .ends").first.inner_text() == before


def zoomed(visit, tmp_path, runs):
    """The page on these runs, after a click on the zoom."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        written = ro.write_report(ro.Scores.from_dict(runs), tmp_path / "report", n_resamples=200)
    page = visit(path=written.path)
    page.locator("#zoom").click()
    return page


LOW = [8.6, 8.7, 9.3, 8.8, 9.1, 8.5, 9.2, 8.7, 8.6, 8.9, 9.2]


def test_zoom_clips_an_interval_that_sticks_out_and_marks_its_end(visit, tmp_path):
    page = zoomed(visit, tmp_path, {"A": {"t": [9.0, 9.3] * 20}, "B": {"t": [8.6, 9.7] * 20}, "C": {"t": LOW * 2}})
    parts = {name: page.locator(f"{ROWS} td:nth-child(3)").nth(k).inner_html() for k, name in enumerate(names(page))}
    assert column(page, 5).count("behind") == 1
    assert [kind in parts["C"] for kind in ('class="out"', 'class="i"')] == [True, True]
    assert 'class="out"' not in parts["A"] + parts["B"]


def test_there_is_no_zoom_where_the_leaders_are_one_number(visit, tmp_path):
    page = zoomed(visit, tmp_path, {"A": {"t": [1.0] * 5}, "B": {"t": [0.2, 0.3, 0.4, 0.3, 0.2]}})
    assert page.locator(f"{ROWS} .out").count() == 0
    first, last = page.locator(".first .ends").first.locator("span").nth(0), page.locator(".first .ends span").nth(2)
    assert first.inner_text() != last.inner_text()


@pytest.mark.parametrize(("button", "key"), [("Copy LaTeX", "latex"), ("Copy the answer", "sentence")])
def test_what_is_copied_is_on_the_clipboard(visit, page_data, button, key):
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name=button).click()
    page.wait_for_function("document.getElementById('said').textContent")
    assert page.evaluate("navigator.clipboard.readText()") == page_data[key]
    assert page.locator("#said").inner_text() == f"Copied: {button.removeprefix('Copy ')}."


def test_the_copied_table_is_the_file_for_a_column(report, page_data):
    assert page_data["latex"] == (report.parent / "tables" / "aggregates_column.tex").read_text(encoding="utf-8")


@pytest.mark.parametrize("what", ["methods-text", "bibtex-text"])
def test_methods_and_bibtex_are_copied_whole(visit, what):
    page = visit(permissions=["clipboard-read", "clipboard-write"], fragment="#methods")
    page.locator(f'[data-copy-of="{what}"]').click()
    page.wait_for_function("document.getElementById('said').textContent")
    assert page.evaluate("navigator.clipboard.readText()") == page.locator(f"#{what}").text_content()


def saved(page, button: str) -> bytes:
    with page.expect_download() as waiting:
        page.locator(button).click()
    return Path(waiting.value.path()).read_bytes()


def test_the_svg_that_is_saved_is_a_drawing_with_every_row_as_it_stands(visit, page_data):
    page = visit()
    page.locator("#measure").select_option("2")
    svg = ElementTree.fromstring(saved(page, "#svg"))
    texts = ["".join(element.itertext()) for element in svg if element.tag.endswith("text")]
    assert set(page_data["names"]) <= set(texts)
    assert {" ".join(cell) for cell in page_data["measures"][2]["cells"]} <= set(texts)
    assert sum(element.tag.endswith("g") for element in svg) == 2 * len(page_data["names"])


def test_the_png_that_is_saved_is_an_image_twice_as_large(visit, page_data):
    image = saved(visit(), "#png")
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(image[16:20]) == 2 * 980
    assert int.from_bytes(image[20:24]) == 2 * (46 + 26 * len(page_data["names"]))
    assert re.search(rb"IDAT", image)
    assert len(image) > 10_000
