"""The first page, the cookbook, and the menu, in which every page of the site stands once."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from posixpath import dirname, join, normpath

from tests.places import DOCS
from tools.site.pages import places
from tools.site.tree import UNDER

GUIDES = {page.name: page.read_text(encoding="utf-8") for page in sorted((DOCS / "guides").glob("*.md"))}
SYMPTOMS = {"questions.md", "for-programs.md"}
"""Lists of questions and of commands, in which a reader looks for one of them."""
UNREAD = re.compile(r"^```.*?^```$|<!--.*?-->|<picture>.*?</picture>|\]\([^)]*\)", re.DOTALL | re.MULTILINE)
"""What is code, output, a picture or the target of a link."""
DRAWS = re.compile(r"^```python\n(?:(?!^```).*\n)*?.*(?:plots\.\w+\(|Figure\()|<picture>", re.MULTILINE)
CONCEPTS = ("which-test.md", "estimates.md", "comparing.md", "ranks.md", "tutorial.md")
"""Pages beside the guides that a reader meets before Evidence; names that no guide has."""
MOST_WORDS = 900
INDEX = (DOCS / "index.md").read_text(encoding="utf-8")


def test_the_first_page_has_four_doors_and_three_charts():
    doors = re.findall(r"^\*\*\[[^\]]+\]\((guides/[\w-]+\.md)\)", INDEX, re.MULTILINE)
    assert len(doors) == 4
    assert len(re.findall(r'<img src="images/proof_\w+_light\.png" alt="[^"]{20,}', INDEX)) == 3


def test_a_guide_is_short_and_has_a_picture():
    concepts = {name: (DOCS / name).read_text(encoding="utf-8") for name in CONCEPTS}
    words = {name: len(re.findall(r"[\w’'-]*\w", UNREAD.sub(" ", text))) for name, text in (GUIDES | concepts).items()}
    assert {name: n for name, n in words.items() if n > MOST_WORDS} == {}
    assert {name for name, text in GUIDES.items() if not DRAWS.search(text)} <= SYMPTOMS


def test_a_concept_has_a_figure():
    texts = {page.name: page.read_text(encoding="utf-8") for page in (DOCS / "concepts").glob("*.md")}
    assert {name for name, text in texts.items() if not DRAWS.search(text)} == {"README.md"}


def test_the_cookbook_lists_each_of_at_least_forty_recipes():
    folder = DOCS / "cookbook"
    recipes = {
        (page.name, head)
        for page in folder.glob("*.md")
        if page.name != "README.md"
        for head in re.findall(r"^## (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    }
    listed = re.findall(r"\]\((\w+\.md)#([\w-]+)\)", (folder / "README.md").read_text(encoding="utf-8"))
    assert len(recipes) >= 40
    assert {(name, re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-")) for name, head in recipes} == set(listed)


def test_every_page_stands_in_the_menu_once():
    menu = re.findall(r"^[\w/*-]+$", "".join(re.findall(r"^```{toctree}\n(.*?)^```", INDEX, re.DOTALL | re.M)), re.M)
    under = [normpath(join(dirname(place), name)) for place, names in UNDER.items() for name in names]
    folders = "design/*", "guides/logs/*", "cookbook/*", "concepts/*"
    pages = [place.removesuffix(".md") for place in places().values() if place != "index.md"]
    times = {page: sum(fnmatch(page, name) for name in {*menu, *under, *folders}) for page in pages}
    own = {"design/index", "guides/logs/index", "cookbook/index", "concepts/index"}
    assert {page for page, n in times.items() if n != 1 + (page in own)} == set()
    assert len(menu) <= 26
