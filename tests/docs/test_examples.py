"""Every example of a docstring is executed, and so is every ```python block of the README and the docs (```py needs a cluster, say).

The blocks of a page share their names; what they print stands below them (`tools/site/shown.py`, by which the site is built).
"""

from __future__ import annotations

import re

import pytest

from tests.places import ROOT
from tools.site.docstrings import MODULES, refused
from tools.site.shown import HIDDEN, executed

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
SLOW = {
    "docs/gallery.md",
    "docs/guides/a-claim-withdrawn.md",
    "docs/guides/can-i-trust-these-tests.md",
    "docs/guides/coming-from-rliable.md",
    "docs/guides/comparing-learning-curves.md",
    "docs/guides/gate-your-agent.md",
    "docs/guides/how-many-runs.md",
    "docs/guides/logs/README.md",
    "docs/guides/published-numbers.md",
    "docs/guides/read-your-report.md",
    "docs/guides/what-to-write.md",
    "docs/guides/when-to-stop.md",
    "docs/tutorial.md",
}
"""Pages that take seconds: `make test-all` and `make docs` run them."""
every_page = pytest.mark.parametrize("page", PAGES, ids=NAMES)


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_of(name):
    assert list(refused(name)) == []


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=pytest.mark.slow if name in SLOW else ())
        for page, name in zip(PAGES, NAMES, strict=True)
    ],
    ids=NAMES,
)
def test_what_ran_is_what_is_shown_by(page):
    assert not HIDDEN.search(executed(page.read_text(encoding="utf-8"), page.name).text)


@every_page
def test_links_of_a_page_lead_to_files(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert target.startswith(("http", "mailto")) or (page.parent / target).exists(), target


def anchors(page):
    """The anchors of a page's headings, as GitHub and the site make them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", head).lower()).replace(" ", "-") for head in heads}


@every_page
def test_anchors_of_links_are_headings(page):
    for target, anchor in re.findall(r"\]\(([^):#\s]*)#([^)\s]+)\)", page.read_text(encoding="utf-8")):
        other = page.parent / target if target else page
        if other.suffix == ".md":
            assert anchor in anchors(other), f"{target}#{anchor}"
