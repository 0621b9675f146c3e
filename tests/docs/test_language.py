"""Words that the pages for users do without (docs/design/style.md)."""

from __future__ import annotations

import re

import pytest

from tests.places import DOCS

GENERATED = {"names.md"}
"""Pages written from the registries."""
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if page.name not in GENERATED and page.parent.name != "design"]
UNSAID = re.compile(r"\blaws?\b|\btold apart\b|\blattice\b")
SHOWN = re.compile(r"^```.*?^```|^#[^\n]*|`[^`\n]*`|^<!--.*?-->", re.DOTALL | re.MULTILINE)
"""What a page shows of code and output, and its headings, which may be titles of the code."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_distribution_is_no_law_and_what_differs_is_not_told_apart(page):
    assert UNSAID.findall(SHOWN.sub("", page.read_text(encoding="utf-8"))) == []
