"""The guides: one question each, all of them in their index."""

from __future__ import annotations

from tests.places import DOCS

GUIDES = DOCS / "guides"


def test_every_guide_has_its_row_in_the_index():
    index = (GUIDES / "README.md").read_text(encoding="utf-8")
    assert [
        guide.name for guide in GUIDES.glob("*.md") if guide.name != "README.md" and f"({guide.name}) |" not in index
    ] == []
    assert "(logs/README.md) |" in index
