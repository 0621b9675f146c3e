"""Where pages stand on the site, and where their links lead there."""

from __future__ import annotations

import re

import pytest

from tests.places import ROOT
from tools.site.pages import places, with_captions, with_links, with_pictures, with_thumbnails
from tools.site.search import phrases_of, with_metadata

KNOWN = {
    "docs/a.md": "a.md",
    "docs/guides/b.md": "guides/b.md",
    "docs/guides/logs/README.md": "guides/logs/index.md",
    "CHANGELOG.md": "project/changelog.md",
}


@pytest.mark.parametrize(
    ("path", "link", "led"),
    [
        ("docs/a.md", "[b](guides/b.md)", "[b](guides/b.md)"),
        ("docs/a.md", "[b](guides/b.md#part)", "[b](guides/b.md#part)"),
        ("docs/guides/b.md", "[`a`](../a.md)", "[`a`](../a.md)"),
        ("docs/guides/b.md", "[logs](logs/README.md)", "[logs](logs/index.md)"),
        ("docs/guides/b.md", "[logs](logs)", "[logs](logs/index.md)"),
        ("docs/guides/b.md", "[changes](../../CHANGELOG.md)", "[changes](../project/changelog.md)"),
        ("CHANGELOG.md", "[b](docs/guides/b.md)", "[b](../guides/b.md)"),
        ("docs/a.md", "[the licence](../LICENSE)", "the licence (`LICENSE`)"),
        ("docs/a.md", "[LICENSE](../LICENSE)", "`LICENSE`"),
        ("docs/a.md", "[here](#part)", "[here](#part)"),
        ("docs/a.md", "[paper](https://example.org/x)", "[paper](https://example.org/x)"),
        ("docs/a.md", "![b](b.png)", "![b](b.png)"),
        ("docs/a.md", "```text\n[b](../CHANGELOG.md)\n```", "```text\n[b](../CHANGELOG.md)\n```"),
    ],
)
def test_a_link_leads_to_where_the_page_stands(path, link, led):
    assert with_links(link, path, KNOWN) == led


def test_every_page_of_the_docs_has_one_place():
    placed = places()
    assert {f"docs/{path.relative_to(ROOT / 'docs').as_posix()}" for path in (ROOT / "docs").rglob("*.md")} <= set(
        placed
    )
    assert len(set(placed.values())) == len(placed)


def test_a_file_is_shown_under_its_name():
    shown = with_captions("```toml names.toml\n[a]\n```\n\n```csv my runs.csv\n1\n```\n\n```python\nx = 1\n```\n")
    assert "```{code-block} toml\n:caption: names.toml\n\n[a]\n```" in shown
    assert "```{code-block} text\n:caption: my runs.csv\n\n1\n```" in shown
    assert shown.endswith("```python\nx = 1\n```\n")


def test_a_picture_has_its_light_and_its_dark_side():
    sides = '<picture>\n  <source media="dark" srcset="b.png">\n  <img src="a.png" alt="the page">\n</picture>\n'
    assert with_pictures(sides) == "![the page](a.png){.only-light}\n![the page](b.png){.only-dark}\n"


def test_a_thumbnail_stands_under_its_question_and_leads_to_its_figure():
    figure = "### {0}\n\nText.\n\n```python\nax = 1\n```\n\n![{0}: a picture](/made/gallery-{1}.png){{width=9px}}\n\n"
    page = with_thumbnails(
        f"# Gallery\n\n## Who?\n\n{figure.format('one', 1)}## Where?\n\n{figure.format('two_of', 2)}"
    )
    first, _, second = page.partition("**Where?**")
    assert (
        "**Who?**\n\n::::{container} thumbnail\n[![a picture](/made/gallery-1.png)](#one)\n\na picture\n::::\n" in first
    )
    assert "[![a picture](/made/gallery-2.png)](#two_of)" in second.partition("## Who?")[0]
    assert page.count("### one") == 1


def test_words_that_readers_type_become_metadata_and_leave_no_trace_in_the_text():
    page = "# Two models\n\n<!-- search: llm accuracy, pass@k -->\n\nText.\n"
    assert phrases_of(page) == ["llm accuracy", "pass@k"]
    shown = with_metadata(page)
    assert 'keywords: "llm, accuracy, pass, k"' in shown
    assert shown.endswith("# Two models\n\n\nText.\n")
    assert with_metadata("# Alone\n") == "# Alone\n"


def test_every_page_for_users_names_words_that_readers_type():
    texts = {place: (ROOT / path).read_text(encoding="utf-8") for path, place in places().items()}
    users = {
        place: text for place, text in texts.items() if not place.startswith(("design/", "project/", "guides/logs/"))
    }
    assert [
        place for place, text in users.items() if not phrases_of(text) and place not in ("index.md", "notebook.md")
    ] == []


def test_what_programs_read_at_the_root_names_pages_that_are_there():
    text = (ROOT / "tools" / "site" / "_extra" / "llms.txt").read_text(encoding="utf-8")
    pages = {place.removesuffix(".md").replace("README", "index") for place in places().values()}
    links = re.findall(r"\]\(([\w/-]+)\.html\)", text)
    assert len(links) > 10
    assert set(links) - pages == set()
