"""The ruler: what a made-up package of a few lines weighs, counted by hand."""

from __future__ import annotations

import inspect
import sys

import pytest

import runoff as ro
from tests.places import SOURCE
from tools.weight.__main__ import Ruler
from tools.weight.counts import branches_of, lines_of, lone_helpers, types
from tools.weight.modules import Node, read
from tools.weight.reach import graph_of, public_functions, reached

LOW = "def helper(): return 1\ndef other(): return 2\n"
LATE = {"low": LOW, "ask": "def ask():\n    from pack.low import helper\n    return helper()"}
PORT = "PORTS = []\ndef run():\n    for port in PORTS: port()"
TABLE = "TABLE = {}\ndef entry(name):\n    def store(f):\n        TABLE[name] = f\n        return f\n    return store"
SLOT = "PORT = None\ndef fill(f):\n    global PORT\n    PORT = f\ndef run(): return PORT()"
SAYING = "from pack.base import say\n"
GENERIC = "from functools import singledispatch\n@singledispatch\ndef say(x): ..."
KIND = "from pack.low import helper\nclass Kind:\n    @property\n    def size(self): return helper()"
ANNOTATED = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pack.kind import Kind\n"
ASKS_RUN = "from pack.base import run\ndef ask(): run()"
HELPED = {"ask.ask", "low.helper"}
CASES = {
    "a late import": (LATE, HELPED),
    "a module under another name": ({"low": LOW, "ask": "import pack.low as l\ndef ask(): return l.helper()"}, HELPED),
    "a name under another name": ({"low": LOW, "ask": "from pack.low import helper as h\ndef ask(): return h"}, HELPED),
    "a relative import": ({"low": LOW, "ask": "from .low import helper\ndef ask(): return helper"}, HELPED),
    "a face": (
        {
            "room.__init__": "from pack.room.low import helper",
            "room.low": LOW,
            "ask": "from pack.room import helper\ndef ask(): helper()",
        },
        {"ask.ask", "room.low.helper"},
    ),
    "a function in a function": (
        {
            "low": LOW,
            "ask": "from pack.low import helper\ndef ask():\n    def inner(): return helper()\n    return inner",
        },
        HELPED,
    ),
    "a property of a class that an annotation names": (
        {"low": LOW, "kind": KIND, "ask": f"{ANNOTATED}def ask(x: 'Kind'): return x.size"},
        HELPED | {"kind.Kind"},
    ),
    "an argument of the same name": (
        {"low": LOW, "ask": "from pack.low import helper\ndef ask(helper): helper()"},
        {"ask.ask"},
    ),
    "a variable of the same name": (
        {"low": LOW, "ask": "from pack.low import helper\ndef ask(): return [helper for helper in 'ab']"},
        {"ask.ask"},
    ),
    "a text of Literal": (
        {
            "low": LOW,
            "ask": "from typing import Literal\nfrom pack.low import helper\ndef ask(x: Literal['helper']): ...",
        },
        {"ask.ask"},
    ),
    "a module as a value": (
        {"low": LOW, "ask": "from pack import low\ndef ask(name): return getattr(low, name)"},
        HELPED | {"low.other"},
    ),
    "a table of functions": (
        {
            "low": f"{LOW}TABLE = {{'a': helper, 'b': other}}",
            "ask": "from pack.low import TABLE\ndef ask(): return TABLE['a']()",
        },
        HELPED | {"low.TABLE", "low.other"},
    ),
    "a list that a higher module fills at its top": (
        {"base": PORT, "high": "from pack.base import PORTS\ndef listen(): ...\nPORTS.append(listen)", "ask": ASKS_RUN},
        {"ask.ask", "base.run", "base.PORTS", "high.listen"},
    ),
    "a name that a function of a higher module fills": (
        {
            "base": SLOT,
            "high": "from pack.base import fill\ndef listen(): ...\ndef start(): fill(listen)",
            "ask": ASKS_RUN,
        },
        {"ask.ask", "base.run", "base.PORT", "high.listen"},
    ),
    "a table that a decorator fills": (
        {
            "base": f"{TABLE}\ndef run(): return TABLE",
            "high": "from pack.base import entry\n@entry('a')\ndef listen(): ...",
            "ask": ASKS_RUN,
        },
        {"ask.ask", "base.run", "base.TABLE", "base.entry", "high.listen"},
    ),
    "a table to which another module adds": (
        {
            "base": "TABLE = {}\ndef run(): return TABLE",
            "high": "from pack.base import TABLE\ndef listen(): ...\nTABLE |= {1: listen}",
            "ask": ASKS_RUN,
        },
        {"ask.ask", "base.run", "base.TABLE", "high.listen"},
    ),
    "a name of a lower module that another sets": (
        {
            "base": "PORT = None\ndef run(): PORT()",
            "high": "from pack import base\ndef listen(): ...\nbase.PORT = listen",
            "ask": ASKS_RUN,
        },
        {"ask.ask", "base.run", "base.PORT", "high.listen"},
    ),
    "an object with a method of its own that takes functions": (
        {
            "base": "class Hooks: ...\nHOOKS = Hooks()\ndef run(): HOOKS.call()",
            "high": "from pack.base import HOOKS\ndef listen(): ...\nHOOKS.put(listen)",
            "ask": ASKS_RUN,
        },
        {"ask.ask", "base.run", "base.HOOKS", "base.Hooks", "high.listen"},
    ),
    "a table that is filled by what a function of another module returns": (
        {
            "base": f"{TABLE}\ndef run(): return TABLE",
            "middle": "from pack.base import entry\ndef named(name): return entry(name)",
            "high": "from pack.middle import named\n@named('a')\ndef listen(): ...",
            "ask": ASKS_RUN,
        },
        {"ask.ask", "base.run", "base.TABLE", "middle.named", "base.entry", "high.listen"},
    ),
    "a face as a value": (
        {
            "room.__init__": "from pack.room.low import helper",
            "room.low": LOW,
            "ask": "from pack import room\ndef ask(name): return getattr(room, name)",
        },
        {"ask.ask", "room.low.helper"},
    ),
    "a module that is imported by a text": (
        {"low": LOW, "ask": "from importlib import import_module\ndef ask(name): import_module('pack.low')"},
        HELPED | {"low.other"},
    ),
    "a generic function": (
        {
            "base": GENERIC,
            "high": "from pack.base import say\n@say.register\ndef _(x: int): ...",
            "ask": "from pack.base import say\ndef ask(): say(1)",
        },
        {"ask.ask", "base.say", "high._"},
    ),
}


def package(folder, files):
    """Write the files of a package; its face lists `ask`."""
    home = folder / "pack"
    for name, text in {"__init__": "", **files}.items():
        path = home.joinpath(*name.split(".")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")
    (home / "__init__.pyi").write_text("from pack.ask import ask as ask\n")
    return home


def names(nodes):
    return {f"{node.module.removeprefix('pack.')}.{node.name}" for node in nodes if node.name}


@pytest.mark.parametrize(("files", "expected"), CASES.values(), ids=CASES)
def test_a_function_reaches_what_is_named_by_way_of(tmp_path, files, expected):
    graph = graph_of(read(package(tmp_path, files)))
    assert names(reached(graph, Node("pack.ask", "ask"))) == expected


def test_statements_at_the_top_of_a_reached_module_are_reached(tmp_path):
    files = {"low": LOW, "base": "from pack.low import helper\nhelper()\ndef run(): ...", "ask": ASKS_RUN}
    graph = graph_of(read(package(tmp_path, files)))
    assert names(reached(graph, Node("pack.ask", "ask"))) == HELPED | {"base.run"}


def test_rooms_that_read_files_are_left_out_with_what_only_they_lead_to(tmp_path):
    files = {
        "low": LOW,
        "io.read": "from pack.low import helper\ndef text(): helper()",
        "ions": "def charge(): ...",
        "ask": "from pack.io.read import text\nfrom pack.ions import charge\ndef ask(): text(charge)",
    }
    graph = graph_of(read(package(tmp_path, files)))
    assert names(reached(graph, Node("pack.ask", "ask"), ["pack.io"])) == {"ask.ask", "ions.charge"}


def test_a_reached_module_counts_with_all_its_lines_and_no_other_does(tmp_path):
    package(tmp_path, {**LATE, "io.read": "\n" * 9})
    ruler = Ruler(tmp_path / "pack")
    assert ruler.reach["ask"].modules == {"pack.ask": 3, "pack.low": 3}
    assert ruler.reach["ask"].without_files == 6


def test_lines_are_code_docstring_comment_or_blank(tmp_path):
    text = '"""What it is.\n\n# no comment\n"""\n\n# why\nX = 1  # code\nTEXT = """\n# code\n\n"""\ndef f():\n    "text"\n    return 1'
    module = read(package(tmp_path, {"ask": text}))["pack.ask"]
    assert lines_of(module) == (7, 5, 1, 1)


def test_branches_are_counted_each_once(tmp_path):
    tests = "  if x: ...\n  elif x and x and x: ...\n  else: ...\n  try: ...\n  except E: ..."
    text = f"def f(x):\n{tests}\n  return [1 if x else 2 for y in x for z in y if z]"
    module = read(package(tmp_path, {"ask": text}))["pack.ask"]
    assert branches_of(module) == 7  # if, elif, and, except, conditional expression, two loops


def test_a_type_name_of_two_modules_is_seen_and_one_of_two_branches_is_not_two(tmp_path):
    twice = "if A:\n    Like = int\nelse:\n    Like = str\nLIMIT = 3\nclass Row: ..."
    modules = read(package(tmp_path, {"low": twice, "ask": "from typing import Any\nRow = tuple[Any, ...]"}))
    assert types(modules) == {"Like": ["pack.low"], "Row": ["pack.ask", "pack.low"]}


def test_a_private_function_with_one_caller_is_named_with_it(tmp_path):
    text = "def _once(): ...\ndef _twice(): ...\ndef ask(): return _once(), _once(), _twice()\ndef other(): return _twice()"
    modules = read(package(tmp_path, {"ask": text}))
    assert lone_helpers(modules, graph_of(modules)) == {Node("pack.ask", "_once"): Node("pack.ask", "ask")}


def test_the_table_of_a_package_has_every_measure(tmp_path):
    table = dict(Ruler(package(tmp_path, {**LATE, "words": "x = 1\n", "wordsmith": ""})).table())
    assert table["lines"] == "10"
    assert table["reached by a public function, median of 1"] == "6; without files 6"
    assert table["presentation"] == "2"
    assert table["private functions with one caller"] == "0 of 0"


def ran(call):
    """The functions and classes of the package that a call runs; what modules run when they are imported is no part of it."""
    codes = set()

    def note(frame, event, _):
        if event == "call":
            codes.add((frame.f_code.co_filename, frame.f_code.co_qualname.partition(".")[0]))

    call()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return codes


@pytest.mark.slow
def test_all_that_a_comparison_runs_is_reached():
    modules = read(SOURCE)
    scores = ro.load_example("classic_control").final().normalize("classic_control")
    # The face, which hints at arguments, and the exit that prints an answer stand above it, and are not counted as its own.
    compare = inspect.unwrap(ro.compare)
    codes = ran(lambda: compare(scores))
    homes = {str(module.path): module for module in modules.values()}
    nodes = {Node(homes[path].name, name) for path, name in codes if path in homes and name in homes[path].definitions}
    assert len(nodes) > 100
    assert nodes - reached(graph_of(modules), public_functions(modules, "runoff")["compare"]) == set()
