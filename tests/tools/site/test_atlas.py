"""The calibration atlas: a figure before the tables of every world, and no number lost."""

from __future__ import annotations

import re

import pytest

from tests.places import DOCS
from tools.site import atlas

PAGE = (DOCS / "calibration.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page():
    """The atlas with figures in their places, none of them drawn as a picture, and these."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(atlas, "picture", lambda figure: bytes(24))
        return atlas.drawn(PAGE)


def test_every_world_has_its_figure_before_its_tables(page):
    text, pictures = page
    worlds = atlas.WORLD.findall(PAGE)
    assert len(pictures) == len(worlds) + 1
    for world in worlds:
        part = text.split(f"## {world}\n")[1].split("\n## ")[0]
        assert 0 <= part.index("](/made/") < part.index("<details>")


def test_every_table_is_folded_and_whole(page):
    text, _ = page
    inside = "".join(re.findall(r"<details>.*?</details>", text, re.DOTALL))
    rows = [line for line in PAGE.splitlines() if line.startswith("|")]
    assert [row for row in rows if row not in inside] == []
    assert len([line for line in text.splitlines() if line.startswith("|")]) == len(rows)


def test_a_figure_draws_the_rates_of_its_table():
    table = "| method | 2 | 10 |\n| --- | ---: | ---: |\n| Welch | **0.159** | – |\n| no such method | 0.1 | 0.2 |\n"
    records = list(atlas._records(table, "a world", 0.0, 100))
    assert [(record.method, record.n_runs, record.rate) for record in records] == [
        ("Welch", 2, 0.159),
        ("Welch", 10, None),
    ]
    assert records[0].rate_error == (0.159 * 0.841 / 100) ** 0.5
