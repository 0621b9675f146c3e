"""Rules of the code that no linter knows: sizes, names, and what is never called."""

from __future__ import annotations

import ast
import re

from tests.contracts.syntax import calls_of, functions_of, is_kernel, lines_of, names_of, nodes_of, positional, tree_of
from tests.places import ROOT, SOURCE

LONGEST_FILE, LONGEST_FUNCTION = 500, 40
"""Lines; of a function without its docstring."""
MOST_POSITIONAL = 5
NO_NAMES = frozenset(
    ["found", "one", "known", "told", "asked", "said", "made", "held", "whom", "each", "taken", "apart"]
)
"""Participles and pronouns that were names of variables once."""
SOURCES = {str(path.relative_to(SOURCE)): path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))}


def test_no_file_is_long():
    assert [name for name, text in SOURCES.items() if text.count("\n") > LONGEST_FILE] == []


def test_no_function_is_long():
    functions = [(name, function) for name in SOURCES for function in functions_of(SOURCE / name)]
    assert [f"{name}:{f.name}" for name, f in functions if lines_of(f) > LONGEST_FUNCTION] == []


def test_names_are_nouns():
    """Names say what a thing is, not what happened to it (docs/design/style.md)."""
    files = [path for folder in (SOURCE, ROOT / "tests") for path in sorted(folder.rglob("*.py"))]
    bound = [(path, name, line) for path in files for name, line in names_of(nodes_of(path)) if name in NO_NAMES]
    assert [f"{path.relative_to(ROOT)}:{line}: {name}" for path, name, line in bound] == []


def test_functions_take_at_most_five_arguments_by_position():
    ours = [name for name in SOURCES if not name.startswith("compat/rliable/")]  # which has rliable's signatures
    functions = [(name, f) for name in ours for f in functions_of(SOURCE / name) if not is_kernel(f)]
    assert [f"{name}:{f.lineno}: {f.name}" for name, f in functions if positional(f) > MOST_POSITIONAL] == []


def test_what_is_no_noun_is_seen_wherever_a_name_is_bound():
    code = """
import numpy as found
from typing import one
def told(said, *, known): made = [each for each in said]
class Record: held: int
def first(a, b, c, d, e, f): ...
class Method:
    def call(self, a, b, c, d, e): ...
"""
    tree, participles = ast.parse(code), {"found", "one", "told", "said", "known", "made", "each", "held"}
    assert {name for name, _ in names_of(ast.walk(tree))} >= participles
    functions = {node.name: positional(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert functions == {"told": 1, "first": 6, "call": 5}


def test_arrays_are_never_unpickled():
    trees = [tree_of(SOURCE / name) for name, text in SOURCES.items() if "load(" in text]
    loads = [ast.unparse(call) for tree in trees for name, call in calls_of(tree) if name == "load"]
    numpys = [call for call in loads if call.startswith(("np.", "numpy."))]
    assert numpys
    assert [call for call in numpys if "allow_pickle=False" not in call] == []


def test_no_figure_opens_a_window_or_changes_settings_for_others():
    # Callers of rliable find the figure that it makes as pyplot's current one, so the drop-in makes it there.
    importers = [name for name, text in SOURCES.items() if re.search(r"import.*pyplot|matplotlib\.use", text)]
    assert importers == ["compat/rliable/plot_utils.py"]
    changes = re.compile(r"rcParams(\[[^]]*\]\s*=[^=]|\.update|\.pop|\.clear|\.setdefault)|\brc\(|rcdefaults")
    assert [name for name, text in SOURCES.items() if changes.search(text) and "rc_context" not in text] == []
