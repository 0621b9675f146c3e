"""Words that the pages for users, and the screen, do without (docs/design/style.md)."""

from __future__ import annotations

import ast
import re

from tests.contracts.syntax import tree_of
from tests.places import DOCS, SOURCE

GENERATED = {"names.md"}
"""Pages written from the registries."""
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if page.name not in GENERATED and page.parent.name != "design"]
UNSAID = re.compile(r"\blaws?\b|\btold apart\b|\blattice\b")
SHOWN = re.compile(r"^```.*?^```|^#[^\n]*|`[^`\n]*`|^<!--.*?-->", re.DOTALL | re.MULTILINE)
"""What a page shows of code and output, and its headings, which may be titles of the code."""


def test_a_distribution_is_no_law_and_what_differs_is_not_told_apart():
    texts = {page.name: SHOWN.sub("", page.read_text(encoding="utf-8")) for page in PAGES}
    assert [(name, words) for name, text in texts.items() if (words := UNSAID.findall(text))] == []


MODULES = [file for file in sorted(SOURCE.rglob("*.py")) if "studies" not in file.relative_to(SOURCE).parts]
UNPRINTED = re.compile(
    r"\b(?:laws?(?! of succession)|told apart|not apart|wrong claim|false alarm|error rate|labellings?|(?:possible|first) places?)\b",
    re.I,
)
"""What has another word: distribution, found different, false positive (rate), relabelling, possible ranks."""


def texts_of(file):
    """Return the strings of a module that are no docstrings and hold more than a word."""
    tree = tree_of(file)
    unprinted = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and id(n) not in unprinted]
    return [text for text in texts if isinstance(text, str) and " " in text]


def test_what_is_printed_has_one_word_for_one_thing():
    assert [(file, text) for file in MODULES for text in texts_of(file) if UNPRINTED.search(text)] == []
