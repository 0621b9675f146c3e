"""Thirty algorithms on 57 tasks, and two on one: the page stays small, and works."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import runoff as ro
from runoff.page.answers.all import answer
from runoff.page.sheet import tasks
from runoff.page.sheet.build import build
from tests.browser.test_tables import UNFOLD
from tests.report.made import page_content

axe = pytest.importorskip("axe_playwright_python.sync_playwright")

pytestmark = pytest.mark.slow


def scores(n_algorithms: int, n_tasks: int, n_runs: int) -> ro.Scores:
    rng = np.random.default_rng(0)
    level = rng.normal(1, 1, n_tasks)
    runs = {
        f"Agent {a:02d}": {f"Game {t:02d}": level[t] + 0.05 * a + rng.normal(0, 0.3, n_runs) for t in range(n_tasks)}
        for a in range(n_algorithms)
    }
    return ro.Scores.from_dict(runs)


@cache
def page_of(*shape: int) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        return build(answer(scores(*shape), alpha=0.05, seed=0, n_resamples=200, command="runoff report runs.csv"))


SHAPES = pytest.mark.parametrize("shape", [(30, 57, 5), (2, 1, 3)])


@pytest.fixture
def path(shape, tmp_path: Path) -> Path:
    file = tmp_path / "report.html"
    file.write_text(page_of(*shape), encoding="utf-8")
    return file


def test_a_page_of_8550_runs_weighs_at_most_700_kb():
    assert len(page_of(30, 57, 5).encode()) <= 700_000


@SHAPES
def test_it_works_without_a_word_on_the_console_and_opens_its_last_cell(visit, path, shape):
    page = visit(path)
    page.evaluate(UNFOLD)
    page.locator(f".heat tbody tr:last-child td:nth-child({shape[0] + 1})").click()
    assert f"Game {shape[1] - 1:02d}" in page.locator("#cell-title").inner_text()
    assert page.locator("#cell-run").inner_text().startswith("run ")
    assert page.messages == []


@SHAPES
@pytest.mark.parametrize("width", [390, 1440])
def test_it_is_no_wider_than_the_screen_and_axe_finds_nothing(visit, path, shape, width):
    page = visit(path, width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert axe.Axe().run(page).generate_snapshot() == ""


@SHAPES
def test_it_prints_without_cutting_a_table(visit, path, shape):
    page = visit(path, width=688)
    page.emulate_media(media="print")
    wide = "(all) => all.filter((element) => element.getBoundingClientRect().right > innerWidth + 1).length"
    assert page.eval_on_selector_all("table", wide) == 0


NAMES = ("<img src=x onerror=alert(1)>", "خوارزمية", "</script><script>alert(1)</script>", "a" * 90)


def test_names_of_any_kind_run_nothing_and_stay_names(visit, tmp_path):
    rng = np.random.default_rng(1)
    data = ro.Scores.from_dict({name: rng.normal(k, 1, (4, 2)) for k, name in enumerate(NAMES)})
    file = tmp_path / "report.html"
    file.write_text(build(answer(data, alpha=0.05, seed=0, n_resamples=200, command="runoff report")), encoding="utf-8")
    page = visit(file, width=390)
    page.evaluate(UNFOLD)
    page.locator(".heat tbody td").first.click()
    page.locator(".matrix [data-p]").first.click()
    leader = page.locator("#whose").inner_text()
    assert {*page.locator("#against option").all_text_contents(), leader} == {*NAMES, "all"}
    assert [*page.locator("#of option").all_text_contents()] == page_content(file.read_text(encoding="utf-8"))["names"]
    assert page.requests == [file.as_uri()]
    assert page.messages == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert axe.Axe().run(page).generate_snapshot() == ""


@pytest.mark.parametrize(("bound", "most", "quarters"), [("MOST_RUNS", 10, 3), ("MOST_TASKS", 1, 0)])
def test_of_very_many_runs_or_tasks_a_cell_tells_its_mean_and_where_the_runs_are(
    visit, tmp_path, monkeypatch, bound, most, quarters
):
    monkeypatch.setattr(tasks, bound, most)
    file = tmp_path / "report.html"
    answers = answer(scores(3, 2, 4), alpha=0.05, seed=0, n_resamples=200, command="runoff report")
    file.write_text(build(answers, files=("results.json",)), encoding="utf-8")
    page = visit(file)
    page.evaluate(UNFOLD)
    cell = page.locator(".heat tbody td").first
    cell.click()
    sentence = page.locator("#cell-told").inner_text()
    assert sentence.startswith(f"Mean {cell.inner_text()}")
    assert sentence.endswith("; single scores are in tables/scores/.")
    assert page.locator("#cell-runs svg .h").count() == quarters
    assert page.messages == []
