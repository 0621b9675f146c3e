"""The calibration atlas: a figure before the tables of every scenario, and no number lost."""

from __future__ import annotations

import pytest

from tests.places import DOCS
from tools.site import atlas
from tools.site.tables import read

PAGE = (DOCS / "calibration.md").read_text(encoding="utf-8")
ROWS = read("atlas")[1:]


@pytest.fixture(scope="module")
def page():
    """The page with figures in their places, none of them drawn as a picture, and these."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(atlas, "picture", lambda figure: bytes(24))
        return atlas.drawn(PAGE)


@pytest.mark.slow
def test_every_scenario_has_its_figure_before_its_tables(page):
    text, pictures = page
    names = {row[0] for row in ROWS}
    assert len(pictures) == len(names) + 1
    for name in names:
        part = text.split(f"## {name}\n")[1].split("\n## ")[0]
        assert 0 <= part.index("](/made/") < part.index("<details>")


@pytest.mark.slow
def test_no_number_of_the_table_is_lost(page):
    part = page[0].split("## 1 task: normal, sd 1 and 2\n")[1].split("\n## ")[0]
    own = [row for row in ROWS if row[0] == "1 task: normal, sd 1 and 2"]
    cells = [cell for row in part.splitlines() if row.startswith("| ") for cell in row.strip("| ").split(" | ")]
    assert sorted(c for c in cells if c.startswith(("0.", "1."))) == sorted(
        f"{float(c):.3f}" for r in own for c in r[3:] if c
    )


def test_the_highest_rate_is_that_of_the_scenario_where_a_method_errs_most():
    rows = [["1 task: a", "Welch", "5", "0.051", ""], ["1 task: b", "Welch", "5", "0.075", "0.2"]]
    assert atlas.highest([*rows, ["2 tasks: c", "Welch", "5", "0.049", ""]]) == [
        ("one task", "Welch", 5, 0.075),
        ("several tasks", "Welch", 5, 0.049),
    ]


def test_a_figure_draws_the_rates_of_its_table_and_their_errors():
    study = atlas._study([atlas.Rate("a", "Welch", 2, 0.159), atlas.Rate("a", "Welch", 10, None)])
    assert [(record.n_runs, record.rate) for record in study.rows] == [(2, 0.159), (10, None)]
    assert study.rows[0].rate_error == (0.159 * 0.841 / 5_000) ** 0.5
