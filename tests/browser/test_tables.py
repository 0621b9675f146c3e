"""Pairs are filtered and sorted; a cell of the heat opens its runs and its learning curve; everything by keyboard too."""

from __future__ import annotations

import pytest

import runoff as ro

pytestmark = pytest.mark.slow
PAIRS = ".pairs tbody tr:visible"


UNFOLD = "document.querySelectorAll('details:not([name])').forEach((element) => (element.open = true))"


@pytest.fixture
def open_page(visit):
    """The page with everything unfolded."""

    def opened(path=None, **settings):
        page = visit(path, **settings)
        page.evaluate(UNFOLD)
        return page

    return opened


def test_a_filter_keeps_the_pairs_of_a_name_and_counts_them(open_page, page_data):
    page, name = open_page(), page_data["names"][-1]
    page.locator("#filter").fill(name.lower())
    texts = page.locator(PAIRS).all_inner_texts()
    assert len(texts) == len(page_data["names"]) - 1
    assert all(name in text for text in texts)
    assert page.locator("#shown").inner_text() == f"{len(texts)} of {len(page_data['pairs'])} pairs"


def test_a_verdict_keeps_its_pairs_and_both_choices_hold_at_once(open_page, page_data):
    page = open_page()
    page.locator("#verdicts").select_option("none")
    alike = [pair for pair in page_data["pairs"] if pair[2] == 0]
    assert page.locator(PAIRS).count() == len(alike)
    page.locator("#verdicts").select_option("found")
    assert page.locator(PAIRS).count() == len(page_data["pairs"]) - len(alike)
    page.locator("#filter").fill("no such name")
    assert page.locator(PAIRS).count() == 0


def shown(page, k):
    return [text.split()[0].replace("−", "-") for text in page.locator(f"{PAIRS} > :nth-child({k})").all_inner_texts()]


def test_a_head_sorts_its_column_up_and_down_and_gives_the_order_back(open_page):
    page = open_page()
    before, head = shown(page, 3), page.locator(".pairs thead th").nth(2)
    for direction, reverse in (("ascending", False), ("descending", True)):
        head.locator("button").press("Enter")
        assert head.get_attribute("aria-sort") == direction
        assert shown(page, 3) == sorted(before, key=float, reverse=reverse)
    head.locator("button").press("Enter")
    assert head.get_attribute("aria-sort") is None
    assert shown(page, 3) == before


def test_what_has_no_number_comes_after_all_numbers_and_stays_together(open_page):
    page = open_page()
    page.locator(".pairs thead th").nth(9).locator("button").click()
    column = shown(page, 10)
    numbers = [text for text in column if text.isdigit()]
    assert numbers == sorted(numbers, key=int)
    words = column[len(numbers) :]
    assert set(words) <= {"–", "ruled"}
    assert words == sorted(words, key=words.index)


def cell(page, a, t):
    return page.locator(f".heat tbody tr:nth-child({t + 1}) td:nth-child({a + 2})")


def test_a_cell_opens_its_runs_and_its_curve(open_page, page_data):
    page = open_page()
    cell(page, 1, 4).click()
    assert page.locator("#cell-title").inner_text().strip("\u2068\u2069").split("\u2069 on \u2068") == [
        page_data["names"][1],
        page_data["tasks"][4],
    ]
    assert page.locator("#cell-runs svg").is_visible()
    assert page.locator("#cell-curve svg .l.on").get_attribute("data-a") == "1"
    assert "of 50 scores" in page.locator("#cell-told").inner_text()
    assert cell(page, 1, 4).get_attribute("aria-selected") == "true"


def test_arrow_keys_step_through_the_cells_and_enter_opens_one(open_page, page_data):
    page = open_page()
    cell(page, 0, 0).focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    title = page.locator("#cell-title").inner_text()
    assert page_data["names"][1] in title
    assert page_data["tasks"][1] in title
    assert page.evaluate("document.activeElement.id") == "cell-title"
    page.locator("#cell-close").press("Enter")
    assert not page.locator("#cell").is_visible()
    assert page.evaluate("document.activeElement.closest('td') !== null")


def test_escape_closes_the_runs_of_a_cell(open_page):
    page = open_page()
    cell(page, 0, 0).click()
    page.keyboard.press("Escape")
    assert not page.locator("#cell").is_visible()
    assert page.evaluate("document.activeElement.closest('td') !== null")


def test_a_cell_of_one_run_says_so(open_page, tmp_path):
    data = ro.Scores.from_dict({"A": {"t": [1.0], "u": [1.0, 2.0]}, "B": {"t": [2.0, 3.0], "u": [2.0, 4.0]}})
    with pytest.warns(ro.RunoffWarning, match="single run"):
        page = open_page(path=ro.report(data, tmp_path / "report", n_resamples=200).path)
    name = page.locator(".heat thead th").all_inner_texts().index("A") - 1
    cell(page, name, 0).click()
    assert page.locator("#cell-told").inner_text().endswith(" of 1 score.")


def test_one_cell_of_a_table_takes_the_tab_key(open_page):
    places = open_page().eval_on_selector_all(".heat tbody td", "(all) => all.map((element) => element.tabIndex)")
    assert sorted(places, reverse=True)[:2] == [0, -1]


def test_arrow_keys_tell_the_score_of_every_run_from_the_lowest_to_the_highest(open_page, page_data):
    page, a, t = open_page(), 2, 3
    curves = ro.load_example("classic_control").normalize("classic_control")
    expected = sorted(curves.final().cell(page_data["names"][a], page_data["tasks"][t]).tolist())
    cell(page, a, t).click()
    box, readings = page.locator("#cell-runs"), []
    box.press("Home")
    for _ in expected:
        readings.append(box.get_attribute("aria-valuetext"))
        page.keyboard.press("ArrowRight")
    values = [float(text.split(": ")[1].replace("−", "-")) for text in readings]
    assert values == pytest.approx(expected, abs=0.51 * 10 ** -page_data["places"][t])
    assert len({text.split(":")[0] for text in readings}) == len(expected)


def test_the_pointer_finds_the_run_under_it_and_another_row_opens_another_cell(open_page, page_data):
    page, a, t = open_page(reduced_motion="reduce"), 0, 0
    cell(page, a, t).click()
    box = page.locator("#cell-runs")
    box.press("Home")
    lowest, ring = box.get_attribute("aria-valuetext"), page.locator("#cell-runs .ring").bounding_box()
    box.press("End")
    page.mouse.move(ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2)
    assert box.get_attribute("aria-valuetext") == lowest
    row = page.locator("#cell-runs g").nth(3).bounding_box()
    page.mouse.move(ring["x"], row["y"] + row["height"] / 2)
    assert page_data["names"][3] in page.locator("#cell-title").inner_text()


def test_the_ring_lies_on_a_dot_of_its_run(open_page):
    page = open_page()
    cell(page, 0, 0).click()
    page.locator("#cell-runs").press("Home")
    ring = page.locator("#cell-runs .ring").evaluate(
        "(element) => [element.cx.baseVal.value, element.cy.baseVal.value]"
    )
    steps = (
        page.locator("#cell-runs g")
        .first.locator(".d")
        .evaluate("(element) => element.getAttribute('d').match(/-?\\d+/g).map(Number)")
    )
    assert [2 * step for step in steps[:2]] == pytest.approx(ring, abs=2)  # a unit of the dots is two
