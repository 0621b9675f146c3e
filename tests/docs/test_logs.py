"""The pages on folders of logs: their folders are as they show them, and their commands print what they say."""

from __future__ import annotations

import re

import pytest

from runoff.reading.logs.tools import TOOLS
from tests.docs.folders import commands, laid_out, shows, trees
from tests.places import DOCS

GUIDES = DOCS / "guides" / "logs"
INDEX = GUIDES / "README.md"
PAGES = sorted(GUIDES.glob("*.md"))
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


@every_page
def test_a_page_shows_commands_with_what_they_print(page):
    """They are executed in `test_examples`."""
    pairs = list(commands(page.read_text(encoding="utf-8")))
    assert len([command for command, output in pairs if output.strip()]) >= 2


@every_page
def test_what_a_tree_shows_lies_there(page, tmp_path):
    text = page.read_text(encoding="utf-8")
    laid_out(text, tmp_path)
    shown = list(trees(text))
    assert shown
    assert [path for path in shown if not list(tmp_path.glob(path))] == []


def test_the_index_leads_to_every_page_and_names_every_tool():
    text = INDEX.read_text(encoding="utf-8")
    assert [page.name for page in PAGES if page != INDEX and f"]({page.name})" not in text] == []
    read = text.partition("## What is read")[2].partition("## What is refused")[0]
    assert [tool.title for tool in TOOLS.values() if tool.title not in read] == []


def test_an_output_that_is_not_the_one_shown_is_noticed():
    text = "a: 1\nb: 2\nc: 3\n"
    assert shows("a: 1\n  …\nc: 3", text)
    assert shows("a: …\nb: 2\nc: 3", text)
    assert not any(shows(output, text) for output in ("a: 1\nc: 3", "a: 1\nb: 2", "…\nb: 4\n…", "a: 1\n…\nb: 2"))


@every_page
def test_an_option_that_a_page_names_is_one_of_the_command_line(page):
    from runoff.cli.app import command

    options = {name for verb in command().commands.values() for parameter in verb.params for name in parameter.opts}
    named = re.findall(r"`(--[a-z][a-z-]*)", page.read_text(encoding="utf-8"))
    assert [name for name in named if name not in options] == []
