"""Words that the pages for users, and the screen, do without (docs/design/style.md)."""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from pkgutil import walk_packages

import pytest

import runoff as ro
from runoff import answer
from runoff.cli.app import command
from runoff.cli.help import parts_of
from tests.contracts.syntax import nodes_of
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


MODULES = [file for file in sorted(SOURCE.rglob("*.py")) if "lab" not in file.relative_to(SOURCE).parts]
UNPRINTED = re.compile(
    r"\b(?:laws?(?! of succession)|told apart|not apart|wrong claim|false alarm|error rate|(?:re)?labellings?|relabelled"
    r"|(?:possible|first) places?)\b",
    re.I,
)
"""What has another word: distribution, found different, false positive (rate), permutation, possible ranks."""


def texts_of(file):
    """Return the strings of a module that are no docstrings and hold more than a word."""
    unprinted = {id(node.value) for node in nodes_of(file) if isinstance(node, ast.Expr)}
    texts = [n.value for n in nodes_of(file) if isinstance(n, ast.Constant) and id(n) not in unprinted]
    return [text for text in texts if isinstance(text, str) and " " in text]


def test_what_is_printed_has_one_word_for_one_thing():
    assert [(file, text) for file in MODULES for text in texts_of(file) if UNPRINTED.search(text)] == []


# ── no fragments ──────────

FRAGMENT = re.compile(
    r"(?:of|as|what|so|how|where|when|which|whose|who|that|than|by|to|with|in|from|for|also|only|and|or|if)\b", re.I
)
"""How a text begins that leans on another one, or on a question that nobody asked."""
REFUSALS = {"DataError", "DesignError", "OptionError", "OutputError", "RunoffError", "RunoffWarning", "BadParameter"}


def is_fragment(text):
    """Whether a text is neither a sentence nor a noun phrase; a question is a sentence."""
    return bool(FRAGMENT.match(text)) and not re.match(r"[^.?]*\?", text)


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("Of --save-baseline, as --force is.", True),
        ("So many runs of each.", True),
        ("What --new writes.", True),
        ("What changed between two results?", False),
        ("Offset of the first run.", False),
        ("Number of runs of each algorithm.", False),
    ],
)
def test_a_fragment_is_seen_by_its_beginning(text, fragment):
    assert is_fragment(text) == fragment


def test_every_text_of_the_help_stands_alone():
    verbs = command().commands
    options = [(f"{name} {option.opts[-1]}", option.help) for name, verb in verbs.items() for option in verb.params]
    more = [(name, paragraph) for name, verb in verbs.items() for paragraph in parts_of(verb.help).more.split("\n\n")]
    texts = [*options, *[(place, text) for place, text in more if text]]
    assert [
        (place, text) for place, text in texts if is_fragment(text) or not re.match("[A-Z].*[.…]$", text, re.S)
    ] == []


def public():
    """Yield the names that are promised, the types of all results, and what is public in them."""
    rooms = [ro, ro.plots, ro.archive]
    things = {f"{room.__name__}.{name}": getattr(room, name) for room in rooms for name in room.__all__}
    for module in walk_packages(answer.__path__, "runoff.answer."):
        named = vars(import_module(module.name)).items()
        own = {name: thing for name, thing in named if getattr(thing, "__module__", "") == module.name}
        things |= {f"{module.name}.{name}": thing for name, thing in own.items() if inspect.isclass(thing)}
    yield from things.items()
    for name, thing in things.items():
        if inspect.isclass(thing) and thing.__module__.startswith("runoff."):
            yield from ((f"{name}.{own}", value) for own, value in vars(thing).items() if not own.startswith("_"))


def test_every_summary_of_a_docstring_is_a_sentence_or_a_noun_phrase():
    of_code = {
        name: thing
        for name, thing in public()
        if callable(thing) or isinstance(thing, property | classmethod | staticmethod)
    }
    summaries = {name: (inspect.getdoc(thing) or "").split("\n\n")[0] for name, thing in of_code.items()}
    assert len(summaries) > 200
    assert [(name, text) for name, text in summaries.items() if is_fragment(text)] == []


def beginning(node):
    """Return the words that a text of the code begins with; "" where a value stands first."""
    if isinstance(node, ast.JoinedStr):
        return beginning(node.values[0])
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def texts_given(file):
    """Yield what is raised, and what advice says, by its first words: the text of a call, or the `text` or `message` bound before it."""
    for node in nodes_of(file):
        if isinstance(node, ast.Call) and node.args:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in REFUSALS or name == "advise":
                yield beginning(node.args[-1] if name == "advise" else node.args[0])
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in ("text", "message"):
            yield beginning(node.value)


def test_no_refusal_and_no_advice_begins_with_a_fragment():
    given = {(file.relative_to(SOURCE), text) for file in sorted(SOURCE.rglob("*.py")) for text in texts_given(file)}
    assert len(given) > 500
    # "at" and "in" may be the name of an argument, "in set x" a place: what leans on nothing is left alone.
    leaning = re.compile(r"(?:of|as|what|so|how|where|when|which|whose|who|that|than)\b")
    assert [(file, text) for file, text in given if leaning.match(text)] == []
