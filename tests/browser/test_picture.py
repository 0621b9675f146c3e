"""The open part of the page: the slider, the leads, the matrix, and what is copied."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow


def test_the_slider_tells_the_runs_that_were_computed_and_moves_by_keyboard(visit, page_data):
    page, more = visit(), page_data["more"]
    slider = page.locator("#care")
    assert int(slider.input_value()) == more["start"]
    slider.focus()
    for key, place in (("ArrowLeft", more["start"] - 1), ("End", len(more["sizes"]) - 1), ("Home", 0)):
        page.keyboard.press(key)
        words = f"{more['sizes'][place]}: {more['needs'][place]}"
        assert [page.locator("#needs").inner_text(), slider.get_attribute("aria-valuetext")] == [words] * 2


def test_the_tab_key_leaves_the_matrix_and_arrows_move_in_it(visit):
    page = visit()
    cells = page.locator(".matrix [data-p]")
    cells.nth(0).focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.p") == cells.nth(1).get_attribute("data-p")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.matrix')") is None


def test_the_dots_of_any_pair_are_shown_with_their_numbers_in_place_of_the_first(visit, page_data):
    page = visit()
    first = page.locator(".lead").inner_html()
    place = len(page_data["leads"]) - 1
    page.locator("#over").select_option(index=place)
    a, b = (page_data["names"][name] for name in page_data["leads"][place])
    assert page.locator(".lead figcaption").first.inner_text() == f"{a} over {b}: {page_data['part']}"
    marks, titles = page_data["moved"][place - 1][2].split("|"), page.locator(".lead circle title").all_text_contents()
    shown = [f"{task}: {mark.split(' ', 3)[3]}" for task, mark in zip(page_data["tasks"], marks, strict=True)]
    assert sorted(titles) == sorted(shown)
    assert page.locator(".lead svg[role=img]").get_attribute("aria-label").endswith(f"the lead of {a} over {b}")
    page.locator("#over").select_option(index=0)
    assert page.locator(".lead").inner_html() == first


def test_a_cell_of_the_matrix_shows_the_tasks_of_its_pair_by_keyboard(visit, page_data):
    page = visit()
    cell = page.locator(".matrix [data-p]").last
    cell.press("Enter")
    pair = page_data["pairs"][int(cell.get_attribute("data-p"))]
    place = int(page.locator("#over").input_value())
    assert page_data["leads"][place] == pair[:2]
    assert page.locator("#pair a").get_attribute("href") == "#where"


def test_a_dot_leads_to_the_runs_of_its_task(visit):
    page = visit(reduced_motion="reduce")
    dot = page.locator(".lead:visible .dots a").nth(1)
    target = dot.get_attribute("href")
    dot.click()
    assert page.locator(f"{target} svg").is_visible()
    assert page.locator(f"{target} figcaption").inner_text() in dot.locator("title").text_content()


def test_a_cell_of_the_matrix_says_its_sentence_by_pointer_and_by_keyboard(visit, page_data):
    page = visit()
    cell = page.locator(".matrix [data-p]")
    cell.nth(3).click()
    assert (
        page.locator("#pair").inner_text().startswith(page_data["pairs"][int(cell.nth(3).get_attribute("data-p"))][3])
    )
    cell.nth(0).press("Enter")
    assert (
        page.locator("#pair").inner_text().startswith(page_data["pairs"][int(cell.nth(0).get_attribute("data-p"))][3])
    )


def test_the_sentence_follows_the_opponent_and_the_measure(visit, page_data):
    page, rows = visit(), page_data["sentences"]
    assert page.locator("#sentence").inner_text() == rows[0][2]
    page.locator("#against").select_option("1")
    rival = rows[1][0]
    own = [row for row in rows if row[0] == rival]
    assert page.locator("#measure option").all_inner_texts() == [measure for _, measure, _ in own]
    assert rival in page.locator("#sentence").inner_text()
    page.locator("#measure").select_option(str(len(own) - 1))
    assert page.locator("#sentence").inner_text() == own[-1][2]


@pytest.mark.parametrize("what", ["sentence", "latex", "methods-text", "bibtex-text"])
def test_what_is_copied_is_on_the_clipboard_whole(visit, what):
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    page.evaluate(f"document.getElementById('{what}').closest('details').open = true")
    page.locator(f'[data-copy-of="{what}"]').click()
    page.locator("#said:not(:empty)").wait_for(state="attached")
    assert page.evaluate("navigator.clipboard.readText()") == page.locator(f"#{what}").text_content()


def test_the_copied_table_is_the_file_for_a_column(visit, report):
    file = report.parent / "tables" / "aggregates_column.tex"
    assert visit().locator("#latex").text_content().strip() == file.read_text(encoding="utf-8").strip()


def test_on_a_telephone_headline_tiles_and_the_first_rows_stand_on_the_first_screen(visit):
    page = visit(width=390)
    page.set_viewport_size({"width": 390, "height": 844})
    ends = page.eval_on_selector_all(
        "h1, .tiles, .versus tbody tr:nth-child(2)", "(all) => all.map((node) => node.getBoundingClientRect().bottom)"
    )
    assert len(ends) == 3
    assert max(ends) <= 844
