"""What no file that git knows holds: marks of merges, work logs, plans without an issue, paths of machines."""

from __future__ import annotations

import re

import pytest

from tests.places import ROOT, tracked

# In pieces, so that this file does not hold what it looks for.
REGISTRIES = rb"pypi\.o" + rb"rg|pythonhosted\.|conda\.(io|anaconda)|anaconda\.o" + rb"rg|index-" + rb"url"
MACHINES = rb"/(home|Users)/[A-Za-z]|/ro" + rb"ot/|/wo" + rb"rk/|[A-Z]:\\+Users"
MARKS = re.compile(r"^(<{7}|\|{7}|>{7})( .*)?$|^={7}$", re.MULTILINE)
"""Lines that git writes between the two sides of a merge."""
PLANS = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b(?!.*(?:#|issue )\d)")
LEFTOVERS = re.compile(
    r"\.(log|out|err|orig|rej|bak|tmp|swp|patch|diff|whl|pyc|pid)$|~$"
    r"|(^|/)(notes?|todo|scratch|work_?log|progress|status|handoff|plan|nohup|core)(\.(md|txt|rst))?$|(^|/)(scratch|todo|debug)\.(py|ipynb)$",
    re.IGNORECASE,
)
"""Names of what a tool or a person leaves behind. Two wheels lay in the root once."""
LOGS_OF_TOOLS = "tests/data/"
"""Where files are what a training tool wrote, under its own names."""
WORK = re.compile(
    r"^#+ (?:(?:not )?done|(?:still )?to ?do|next(?: steps)?|notes|progress|status|(?:what is )?left|(?:work )?log of work"
    r"|.*where .+ stands?(?: \(.*\))?|.*not yet \w+)$",
    re.IGNORECASE | re.MULTILINE,
)
"""Headings of pages that say how far somebody's work is. Three such pages lay in docs/design once."""
ROOT_HOLDS = {
    ".ci",
    ".github",
    ".gitignore",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "NOTICE",
    "README.md",
}
ROOT_HOLDS |= {"action.yml", "benchmarks", "docs", "examples", "pyproject.toml", "src", "tests", "tools"}
"""What the root holds: whoever adds to it says so here."""


def is_leftover(name: str) -> bool:
    """Whether a file has the name of something left behind, or lies in the root, where it is not expected."""
    return name.partition("/")[0] not in ROOT_HOLDS or (
        not name.startswith(LOGS_OF_TOOLS) and bool(LEFTOVERS.search(name))
    )


def faults(name: str, text: str) -> list[str]:
    """Return the lines of a text that no file may hold."""
    patterns = (MARKS, PLANS, WORK) if name.endswith(".md") else (MARKS, PLANS)
    return [hit.group() for pattern in patterns for hit in pattern.finditer(text)]


def test_no_host_of_a_registry_and_no_path_of_a_machine_is_tracked():
    pattern = re.compile(REGISTRIES + b"|" + MACHINES)
    hits = {name: pattern.search((ROOT / name).read_bytes()) for name in tracked()}
    assert {name: hit.group() for name, hit in hits.items() if hit} == {}


def test_no_tracked_file_is_left_behind_by_a_tool_or_by_work():
    assert [name for name in tracked() if is_leftover(name)] == []


def test_no_tracked_text_holds_marks_of_a_merge_or_plans_without_an_issue():
    contents = {name: (ROOT / name).read_bytes() for name in tracked()}
    texts = {name: content.decode(errors="replace") for name, content in contents.items() if b"\0" not in content}
    assert {name: hits for name, text in texts.items() if (hits := faults(name, text))} == {}


@pytest.mark.parametrize(
    "name",
    [
        "packaging-26.3-py3-none-any.whl",
        "run.log",
        "docs/NOTES.md",
        "src/runoff/reading/read.py.orig",
        "tools/scratch.py",
    ],
)
def test_the_name_of_a_leftover_is_refused(name):
    assert is_leftover(name)


@pytest.mark.parametrize(
    "name", ["tests/data/logs/optuna/journal.log", "docs/log.md", "src/runoff/_inference/planning/plan.csv"]
)
def test_a_name_that_only_resembles_a_leftover_is_not(name):
    assert not is_leftover(name)


@pytest.mark.parametrize(
    "text",
    [
        *(f"a\n{sign * 7} 1a2b3c\n" for sign in "<|>"),
        f"a\n{'=' * 7}\nc\n",
        f"x = 1  # TO{'DO'}: mend\n",
        "# Right numbers: where the work of issue 8 stands\n",
        "## Not done\n",
        "# Found and not yet mended\n",
    ],
)
def test_a_planted_leftover_of_work_is_seen(text):
    assert faults("page.md", text)


@pytest.mark.parametrize(
    "text",
    [f"Title\n{'=' * 8}\n", f"x = 1  # TO{'DO'} (#51): mend\n", "## What to do next\n", "## No difference found\n"],
)
def test_a_text_that_only_resembles_a_leftover_is_not(text):
    assert faults("page.md", text) == []
