"""Every example of a docstring is executed, and so is every ```python block of the README and the docs (```py needs a cluster, say).

The blocks of a page share their names; what they print stands below them (`tools/site/shown.py`, by which the site is built).
"""

from __future__ import annotations

import re

import pytest

from tests.places import ROOT, tracked
from tools.site.docstrings import MODULES, refused
from tools.site.shown import HIDDEN, executed

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
SLOW = {
    "docs/archive.md",
    "docs/cookbook/planning.md",
    "docs/evidence/rliable.md",
    "docs/cookbook/compare.md",
    "docs/cookbook/draw.md",
    "docs/gallery.md",
    "docs/guides/a-claim-withdrawn.md",
    "docs/guides/can-i-trust-these-tests.md",
    "docs/guides/ci.md",
    "docs/guides/coming-from-rliable.md",
    "docs/guides/comparing-learning-curves.md",
    "docs/guides/from-a-sweep.md",
    "docs/guides/gate-your-agent.md",
    "docs/guides/how-many-runs.md",
    "docs/guides/logs/README.md",
    "docs/guides/published-numbers.md",
    "docs/guides/read-your-report.md",
    "docs/guides/robot-policies.md",
    "docs/guides/two-models.md",
    "docs/guides/what-the-archive-says.md",
    "docs/guides/what-to-write.md",
    "docs/guides/when-to-stop.md",
    "docs/tutorial.md",
    "docs/which-test.md",
}
"""Pages that take seconds: `make test-all` and `make docs` run them."""


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


def pages():
    """Every page of the repository, also those that are no part of the docs."""
    return {name: ROOT / name for name in tracked() if name.endswith(".md")}


def test_links_of_every_page_lead_to_files():
    assert {name: targets for name, page in pages().items() if (targets := links_to_nothing(page))} == {}


def links_to_nothing(page):
    """The targets of a page's links and pictures that are no file."""
    targets = re.findall(r"\]\(([^)#\s]+)|(?:src|href|srcset)=\"([^\"#]+)\"", page.read_text(encoding="utf-8"))
    names = [link or attribute for link, attribute in targets]
    return [name for name in names if not name.startswith(("http", "mailto")) and not (page.parent / name).exists()]


def anchors(page):
    """The anchors of a page's headings, as GitHub and the site make them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", head).lower()).replace(" ", "-") for head in heads}


def anchors_of_nothing(page):
    """The links of a page to a heading that its target does not have."""
    links = re.findall(r"\]\(([^):#\s]*)#([^)\s]+)\)", page.read_text(encoding="utf-8"))
    places = [(page.parent / target if target else page, anchor) for target, anchor in links]
    return [
        f"{place.name}#{anchor}" for place, anchor in places if place.suffix == ".md" and anchor not in anchors(place)
    ]


def test_anchors_of_links_are_headings():
    assert {name: targets for name, page in pages().items() if (targets := anchors_of_nothing(page))} == {}


def test_a_link_to_nothing_is_seen(tmp_path):
    page = tmp_path / "page.md"
    page.write_text('# Here\n[a](gone.md) [b](page.md#here) [c](#nowhere) <img src="gone.png">\n')
    assert links_to_nothing(page) == ["gone.md", "gone.png"]
    assert anchors_of_nothing(page) == ["page.md#nowhere"]
