"""Every example of a docstring is executed, and so is every ```python block of the README and the docs (```py needs a cluster, say).

The blocks of a page share their names; what they print stands on the page.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import pkgutil
import re

import pytest

import runoff
from tests.places import ROOT

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
MODULES = [m.name for m in pkgutil.walk_packages(runoff.__path__, "runoff.") if not m.name.endswith("__main__")]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def examples(name):
    found = doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name))
    return [test for test in found if test.examples]


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_of(name):
    talk = io.StringIO()
    for test in examples(name):
        failed, _ = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=talk.write)
        assert failed == 0, talk.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_python_of(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, names = page.read_text(encoding="utf-8"), {}
    for block in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(block, str(page), "exec"), names)
        for line in filter(None, said.getvalue().splitlines()):
            assert line.strip() in text, f"{page.name} does not show what its code prints: {line}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_a_page_lead_to_files(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert target.startswith(("http", "mailto")) or (page.parent / target).exists(), target
