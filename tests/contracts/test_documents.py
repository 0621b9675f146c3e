"""The design pages are the code's: what they promise is there, what they name exists."""

from __future__ import annotations

import inspect
import pkgutil
import re
from functools import cache

import pytest

import runoff as ro
from docs import make_contract
from tests.contracts.syntax import prose_of
from tests.places import DOCS, ROOT, SOURCE

PROMISED = (DOCS / "design" / "contract.md").read_text(encoding="utf-8")


def test_every_public_name_is_promised():
    assert [name for name in ro.__all__ if not re.search(rf"`(?:ro\.)?{name}\b", PROMISED)] == []


def test_every_public_function_has_its_row():
    calls = set(re.findall(r"^\| `ro\.([\w.]+)\(", PROMISED, re.MULTILINE))
    assert {name for name in ro.__all__ if inspect.isfunction(getattr(ro, name))} - calls == set()


def test_calls_fields_and_values_are_those_of_the_code():
    assert make_contract.page(PROMISED) == PROMISED, "run `make names`"


def test_figures_are_those_of_the_page():
    section = PROMISED.split("## Figures")[1].split("\n## ")[0]
    assert [name for name in ro.plots.__all__ if f"`{name}`" not in section] == []


def verbs_of(page: str) -> set[str]:
    """Return the verbs that a page shows as `runoff VERB`."""
    return set(re.findall(r"`runoff ([a-z]+(?:-[a-z]+)*)", page))


def test_verbs_are_those_of_the_page():
    from runoff.cli.app import command

    assert set(command().commands) == verbs_of(PROMISED)


def test_a_verb_of_two_words_is_read_whole():
    assert verbs_of("`runoff task-means PATH` beside `runoff plan`") == {"task-means", "plan"}


def test_every_advice_code_has_its_entry_and_no_entry_is_left_over():
    codes = {code for path in SOURCE.rglob("*.py") for code in re.findall(r"\bR\d{3}\b", path.read_text("utf-8"))}
    assert set(re.findall(r"^## (R\d{3}) ", (DOCS / "advice.md").read_text("utf-8"), re.MULTILINE)) == codes


PAGES = [
    *ROOT.glob("*.md"),
    *DOCS.rglob("*.md"),
    *(ROOT / "benchmarks").glob("*.md"),
    *(ROOT / "examples").rglob("*.md"),
]


COMMAND = re.compile(r"`runoff ([a-z]+)( [^`\n]*)`|^\$ runoff ([a-z]+)(.*)$", re.MULTILINE)


@pytest.mark.parametrize("page", sorted(PAGES), ids=lambda page: str(page.relative_to(ROOT)))
def test_options_that_a_page_shows_are_those_of_the_verb(page):
    from runoff.cli.app import command

    verbs = command().commands
    for inline, words, line, rest in COMMAND.findall(page.read_text(encoding="utf-8")):
        shown = re.findall(r"(?<![\w-])--[a-z][\w-]*", (words or rest).split(" #")[0])
        options = {name for option in verbs[inline or line].params for name in (*option.opts, *option.secondary_opts)}
        assert {*shown} <= options | {"--help"}, words or rest


@pytest.mark.parametrize("page", sorted(PAGES), ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_a_page_names_exist(page):
    named = re.findall(r"`((?:src|docs|tests|benchmarks|examples)/[\w./-]+)`", page.read_text(encoding="utf-8"))
    assert [path for path in named if "NAME" not in path and not (ROOT / path).exists()] == []


@cache
def prose() -> dict[str, str]:
    """Return what the files of the package say in docstrings and comments."""
    return {str(path.relative_to(SOURCE)): prose_of(path) for path in sorted(SOURCE.rglob("*.py"))}


def is_there(name: str) -> bool:
    """Whether a dotted name, from `runoff` or from a private room on, is that of a module or of something in one."""
    try:
        pkgutil.resolve_name(name if name.startswith("runoff.") else f"runoff.{name}")
    except (ImportError, AttributeError):
        return False
    return True


def named(pattern: str) -> set[tuple[str, str]]:
    """Return what the files say that fits a pattern, each with its file."""
    return {(page, name) for page, text in prose().items() for name in re.findall(pattern, text)}


def test_files_that_a_docstring_or_a_comment_names_exist():
    paths = named(r"(?<![\w./-])[\w.-]+(?:/[\w.-]+)+\.(?:py|md|json|toml)\b")
    places = {(page, name): (ROOT / name, SOURCE / name) for page, name in paths if "NAME" not in name}
    assert places
    assert [missing for missing, tried in places.items() if not any(path.exists() for path in tried)] == []


def test_modules_that_a_docstring_or_a_comment_names_are_there():
    names = named(r"(?<![\w./])(?:runoff|_inference|_kernels)(?:\.\w+)+")
    assert names
    assert [(page, name) for page, name in names if not is_there(name)] == []


@pytest.mark.parametrize("page", sorted((DOCS / "design").glob("*.md")), ids=lambda page: page.name)
def test_files_that_a_design_page_names_in_short_exist(page):
    """A page names `answer/base.py`, the end of one path of the package, of the tests or of the docs."""
    there = [
        path.as_posix() for folder in (SOURCE, ROOT / "tests", DOCS, ROOT / "tools") for path in folder.rglob("*.py")
    ]
    named = re.findall(r"`((?:[\w-]+/)+\w+\.py)`", page.read_text(encoding="utf-8"))
    assert [name for name in named if "NAME" not in name and not any(path.endswith(f"/{name}") for path in there)] == []
