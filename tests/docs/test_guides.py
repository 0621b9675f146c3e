"""The guides: one question each, all of them in the table of the first page; every page of the site in its menu."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from posixpath import dirname, join, normpath

from tests.places import DOCS
from tools.site.pages import places
from tools.site.tree import UNDER

GUIDES = DOCS / "guides"
INDEX = (DOCS / "index.md").read_text(encoding="utf-8")


def test_every_guide_has_its_question_on_the_first_page():
    assert [guide.name for guide in GUIDES.glob("*.md") if f"(guides/{guide.name})" not in INDEX] == []
    assert "(guides/logs/README.md) |" in INDEX


def test_every_page_stands_in_the_menu_once():
    menu = re.findall(r"^[\w/*-]+$", "".join(re.findall(r"^```{toctree}\n(.*?)^```", INDEX, re.DOTALL | re.M)), re.M)
    under = [normpath(join(dirname(place), name)) for place, names in UNDER.items() for name in names]
    folders = "design/*", "guides/logs/*"
    pages = [place.removesuffix(".md") for place in places().values() if place != "index.md"]
    times = {page: sum(fnmatch(page, name) for name in {*menu, *under, *folders}) for page in pages}
    own = {"design/index", "guides/logs/index"}
    assert {page for page, n in times.items() if n != 1 + (page in own)} == set()
    assert len(menu) <= 26
