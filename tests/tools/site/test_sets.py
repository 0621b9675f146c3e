"""The archive on the site: a page for each set, and links that lead there."""

from __future__ import annotations

from runoff import archive
from tests.places import DOCS
from tools.site import sets

TEXT = (DOCS / "archive.md").read_text(encoding="utf-8")


def test_each_set_has_a_page_and_a_row_that_leads_to_it():
    pages, head = dict(sets.pages(TEXT)), sets.head(TEXT)
    names = [card.name for card in archive.listed()]
    assert list(pages) == [f"archive/{name}.md" for name in names]
    assert [name for name in names if f"| [{name}](archive/{name}.md) |" not in head] == []
    assert head.count("{container} filterable") == 1
    assert "## " not in head


def test_the_page_of_a_set_shows_what_the_section_says_unfolded():
    page = dict(sets.pages(TEXT))["archive/atari_100k.md"]
    assert page.startswith("# atari_100k\n")
    assert "- Licence: none of its own" in page
    assert "@inproceedings{agarwal2021deep" in page
    assert "<details>" not in page


def test_a_link_to_a_section_leads_to_the_page_of_the_set():
    assert (
        sets.led("[a](../archive.md#bro) [b](archive.md) [c](archive.md#alm)")
        == "[a](../archive/bro.md) [b](archive.md) [c](archive/alm.md)"
    )
