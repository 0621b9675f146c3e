"""What the command line says names its own options: a text that shows a call of Python has a twin for the command line."""

from __future__ import annotations

import ast
import re

import pytest

import runoff as ro
from runoff.base.random import in_threads
from runoff.words.speech import option, speaking_shell
from tests.places import SOURCE

CALL = re.compile(r"\b[a-z_]+='\w+'|\b(?:scores|curves)\.\w+\(|\b(?:compare|aggregate|power)\([a-z]+=|\([a-z_]+=\)")
"""An argument, a method, a call: test='welch', scores.select(, compare(test=, (normalize=)."""
ROOMS = (
    "_inference/advice",
    "_inference/pairs",
    "_inference/blocked",
    "_inference/family",
    "_inference/steps",
    "methods",
    "data",
)
DOOR = SOURCE / "data" / "given.py"
"""Refuses what Python alone can give: the command line gives paths."""
FILES = [path for room in ROOMS for path in sorted((SOURCE / room).rglob("*.py")) if path != DOOR]


def texts(tree):
    """Every text of a module that a reader may see: no docstring, and none that is chosen by who is spoken to."""
    skipped = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            skipped.add(id(node.body[0].value))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "choice":
            skipped |= {id(part) for part in ast.walk(node)}
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
    return [
        n.value
        for n in ast.walk(tree)
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in skipped
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_text_shows_python_to_the_command_line(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert [text for text in texts(tree) if CALL.search(text)] == []


def test_what_is_said_in_a_thread_names_options_as_the_rest_does():
    with speaking_shell():
        assert in_threads(lambda _: option("measure", "mean"), range(4), 2) == ["--measure mean"] * 4


def test_where_every_algorithm_lacks_a_task_there_are_no_others():
    data = ro.Scores.from_dict({"A": {"x": [1.0, 2.0], "y": [1.0, 3.0]}, "B": {"x": [2.0, 4.0], "z": [1.0, 2.0]}})
    text = next(item.text for item in ro.compare(data).advice if item.code == "R012")
    assert text.startswith("do not compare the aggregates of 'A', 'B' with each other: ")
