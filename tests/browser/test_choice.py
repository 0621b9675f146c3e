"""What the first picture lets choose: who is compared, by what, which rows, and what is taken away; a link shows what its sender saw."""

from __future__ import annotations

import csv
import re

import pytest

pytestmark = pytest.mark.slow


def rows_of(page):
    """Return the texts of the rows that are shown, in their order: name, lead, interval, verdict and p."""
    return page.eval_on_selector_all(
        ".versus tbody tr:not([hidden])",
        """(rows) => rows.map((row) => [row.querySelector("bdi").title || row.querySelector("bdi").textContent,
          ...[...row.cells].slice(2, 4).flatMap((cell) => [...cell.children].map((part) => part.textContent))])""",
    )


def expected(data, of, by):
    versus = data["versus"]
    cells, *_ = versus["views"][of][by]
    return [[data["names"][other], lead, ends, versus["kinds"][kind][1], p] for other, kind, *_, lead, ends, p in cells]


def test_every_algorithm_by_every_measure_is_shown_as_it_was_computed(visit, page_data):
    page, data = visit(), page_data
    for of in range(len(data["names"])):
        for by, (measure, about) in enumerate(data["versus"]["by"]):
            page.locator("#of").select_option(str(of))
            page.locator("#by").select_option(str(by))
            assert rows_of(page) == expected(data, of, by)
            assert page.locator("#whose").inner_text() == data["names"][of]
            assert [page.locator(f"#{key}").inner_text() for key in ("by-what", "about")] == [measure, about]
    assert page.messages == []


DRAWN = """(rows) => rows.map((row) => { const bar = row.querySelector(".i"), box = bar.getBoundingClientRect(),
  room = row.querySelector(".bar").getBoundingClientRect(), word = row.querySelector(".called");
  return [100 * (box.left - room.left) / room.width, 100 * box.width / room.width,
    getComputedStyle(bar).fill, getComputedStyle(word).color, word.textContent]; })"""
"""Where each bar is drawn, in hundredths of its room, its colour, and the verdict beside it with its own."""


def drawn_rows(page, data):
    """Yield what is drawn of each row beside what was computed, for every algorithm by the measure that decides."""
    for of in range(len(data["names"])):
        page.locator("#of").select_option(str(of))
        drawn = page.eval_on_selector_all(".versus tbody tr", DRAWN)
        yield from zip(drawn, data["versus"]["views"][of][0][0], strict=True)


def test_bars_are_drawn_where_they_were_computed(visit, page_data):
    for (x, width, *_), (_, _, at, wide, *_) in drawn_rows(visit(), page_data):
        assert width == pytest.approx(float(wide or 0), abs=0.3)
        assert not wide or x == pytest.approx(float(at), abs=0.3)


def test_a_colour_is_one_verdict_and_a_verdict_one_colour(visit, page_data):
    of_words, of_bars = {}, {}
    for (_, _, fill, colour, word), (_, _, _, wide, *_) in drawn_rows(visit(), page_data):
        of_words.setdefault(word, set()).add(colour)
        if wide:
            of_bars.setdefault(word, set()).add(fill)
    assert all(len(own) == 1 for own in (*of_words.values(), *of_bars.values()))
    assert len({*map(tuple, of_bars.values())}) == len(of_bars) == 3
    assert all(of_words[word] == of_bars[word] for word in of_bars if word.startswith("found"))


def test_a_link_shows_what_its_sender_saw(visit, page_data):
    page = visit()
    page.locator("#of").select_option(str(len(page_data["names"]) - 1))
    page.locator("#by").select_option("2")
    page.locator(".versus th[data-k=lead] button").click()
    page.locator("#show").fill("sarsa")
    other = visit(fragment="#" + page.url.partition("#")[2])
    other.locator(".versus tbody tr[hidden]").first.wait_for(state="attached")
    assert rows_of(other) == rows_of(page)
    assert 1 < len(rows_of(page)) < len(page_data["names"]) - 1
    assert other.locator("#of").input_value() == str(len(page_data["names"]) - 1)


@pytest.mark.parametrize("fragment", ["#of=nobody&by=nothing&sort=lead+sideways&show=", "#=", "#of=%E0%A4%A"])
def test_a_link_that_names_what_is_not_there_shows_the_page_as_it_is(visit, page_data, fragment):
    page = visit(fragment=fragment)
    assert rows_of(page) == expected(page_data, page_data["leader"], 0)
    assert page.messages == []


def test_rows_are_sorted_by_numbers_and_stay_sorted_when_another_measure_is_chosen(visit, page_data):
    page = visit()
    page.locator(".versus th[data-k=lead] button").click()
    for by in range(len(page_data["versus"]["by"])):
        page.locator("#by").select_option(str(by))
        leads = [float(re.sub(r"[^\d.-]", "", row[1].replace("\N{MINUS SIGN}", "-"))) for row in rows_of(page)]
        assert leads == sorted(leads)


def test_rows_that_are_left_out_are_said_to_count_still_with_the_call_that_compares_the_others_alone(visit, page_data):
    page = visit()
    page.locator("#show").fill("CEM")
    words = page.locator("#narrowed").inner_text()
    assert words.startswith(f"1 of {len(page_data['names']) - 1} are shown; verdicts stay corrected for all")
    assert words.endswith("--algorithms Q\\(λ\\),CEM")
    assert "runoff report classic_control --normalize classic_control" in words


def test_tasks_that_are_left_out_are_said_to_count_still_with_the_call_that_judges_the_others_alone(visit, page_data):
    page = visit(fragment="#tasks")
    page.locator("#show-tasks").fill("PEND")
    assert page.locator(".heat tbody tr:visible th").all_inner_texts() == ["Pendulum-v1"]
    assert page.eval_on_selector_all("#runs .chart", "(charts) => charts.filter((chart) => !chart.hidden).length") == 1
    words = page.locator("#narrowed-tasks").inner_text()
    assert words.startswith(f"1 of {len(page_data['tasks'])} tasks are shown; every answer is over all of them.")
    assert words.endswith("runoff report classic_control --normalize classic_control --tasks Pendulum-v1")
    other = visit(fragment="#" + page.url.partition("#")[2])
    other.locator("#narrowed-tasks:not(:empty)").wait_for(state="attached")
    assert other.locator("#narrowed-tasks").text_content() == words


def test_signs_of_other_measures_say_their_numbers_by_keyboard(visit):
    page = visit()
    sign = page.locator(".versus tbody .sign").first
    sign.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert re.search(r": (found ahead|not found|found behind), .*p [<=]", page.locator("#narrowed").inner_text())


def test_what_is_taken_away_is_what_is_shown(visit, page_data, tmp_path):
    page = visit(accept_downloads=True, permissions=["clipboard-read", "clipboard-write"])
    page.locator("#copy-lead").click()
    page.locator("#said:not(:empty)").wait_for(state="attached")
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("h1").inner_text()
    page.locator("#of").select_option("3")
    for kind in ("csv", "svg"):
        with page.expect_download() as download:
            page.locator(f"#save-{kind}").click()
        download.value.save_as(tmp_path / f"lead.{kind}")
    table = [*csv.reader((tmp_path / "lead.csv").read_text(encoding="utf-8").splitlines())]
    assert [row[:5] for row in table[1:]] == [
        [text.replace("\N{MINUS SIGN}", "-") for text in row] for row in rows_of(page)
    ]
    drawing = (tmp_path / "lead.svg").read_text(encoding="utf-8")
    assert all(f">{name}</text>" in drawing and lead in drawing for name, lead, *_ in rows_of(page))
    page.locator("#copy-lead").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"Lead of {page_data['names'][3]} (IQM) over ")
