"""The guide on published tables: its commands print what it shows."""

from __future__ import annotations

import re

import pytest

from tests.docs.folders import commands, laid_out, printed, shows
from tests.places import DOCS

PAGE = (DOCS / "guides" / "check-a-published-table.md").read_text(encoding="utf-8")
ASKED = list(commands(PAGE))


@pytest.mark.parametrize(("command", "output"), ASKED, ids=[command for command, _ in ASKED])
def test_a_command_prints_what_the_guide_shows(command, output, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    laid_out(PAGE, tmp_path)
    code, text = printed(command)
    assert code == (2 if output.startswith("error: ") else 0), text
    assert shows(output, text), f"$ {command}\n{text}"


def test_the_guide_names_every_kind_of_spread_and_only_options_that_are_there():
    from runoff._inference.summaries import READ_AS, REFUSED
    from runoff.cli.app import command

    options = {name for parameter in command().commands["claims"].params for name in parameter.opts}
    assert set(re.findall(r"`(--[a-z-]+)", PAGE)) <= options
    named = set(re.findall(r"`([a-z0-9_]+)`", PAGE))
    assert set(READ_AS) - {"unknown"} <= named
    assert {"range", "iqr"} <= named & set(REFUSED)
