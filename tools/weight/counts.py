"""Lines, branches, type names, private functions with one caller, lines of presentation."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from tools.weight.modules import Function, Module, Node, is_text
from tools.weight.reach import Graph

BRANCHES = (
    *(ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case),
    *(ast.BoolOp, ast.comprehension),
)
TYPE = re.compile(r"_?[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*")
"""A name in capital and small letters: constants have capitals alone, functions and modules none."""


class Lines(NamedTuple):
    """How many lines of a text are code, docstring, comment alone, blank."""

    code: int
    docstring: int
    comment: int
    blank: int

    @property
    def all(self) -> int:
        return sum(self)


def lines_of(module: Module) -> Lines:
    """Sort the lines of a file: a line within a docstring is docstring, one within another text is code, whatever stands there."""
    docstrings: set[int] = set()
    texts: set[int] = set()
    for node in module.nodes:
        if is_text(node):
            docstrings |= span(node)
        elif isinstance(node, ast.Constant | ast.JoinedStr) and len(span(node)) > 1:
            texts |= span(node)
    kinds = {"code": 0, "docstring": 0, "comment": 0, "blank": 0}
    for number, line in enumerate(module.text.splitlines(), 1):
        stripped = line.strip()
        if number in docstrings:
            kinds["docstring"] += 1
        elif number in texts or (stripped and not stripped.startswith("#")):
            kinds["code"] += 1
        else:
            kinds["comment" if stripped else "blank"] += 1
    return Lines(**kinds)


def span(node: ast.AST) -> set[int]:
    """Return the numbers of the lines on which a piece of code stands."""
    first = min([node.lineno, *(part.lineno for part in getattr(node, "decorator_list", []))])  # type: ignore[attr-defined]
    return set(range(first, node.end_lineno + 1))  # type: ignore[attr-defined]


def branches_of(module: Module) -> int:
    """Count the places where the way through a file parts."""
    return sum(isinstance(node, BRANCHES) for node in module.nodes)


def types(modules: Mapping[str, Module]) -> dict[str, list[str]]:
    """Return the modules in which each type name is defined."""
    places: dict[str, dict[str, None]] = defaultdict(dict)
    for module in modules.values():
        classes = [node.name for node in module.nodes if isinstance(node, ast.ClassDef)]
        aliases = [
            name
            for name, codes in module.definitions.items()
            if TYPE.fullmatch(name) and not isinstance(codes[0], Function)
        ]
        for name in (*classes, *aliases):
            places[name][module.name] = None
    return {name: list(homes) for name, homes in sorted(places.items())}


def lone_helpers(modules: Mapping[str, Module], graph: Graph) -> dict[Node, Node]:
    """Return each private function that one other definition names, with that definition."""
    callers: dict[Node, list[Node]] = defaultdict(list)
    for caller, names in graph.items():
        for name in names:
            callers[name].append(caller)
    return {node: callers[node][0] for node in private_functions(modules) if len(callers[node]) == 1}


def private_functions(modules: Mapping[str, Module]) -> list[Node]:
    """Return the top-level functions whose name begins with an underscore."""
    return [
        Node(module.name, name)
        for module in modules.values()
        for name, statements in module.definitions.items()
        if name.startswith("_") and not name.startswith("__") and any(isinstance(code, Function) for code in statements)
    ]


def room_lines(modules: Mapping[str, Module], package: str, rooms: Iterable[str]) -> dict[str, int]:
    """Return the lines of rooms, or of files, of the package."""
    return {room: sum(m.lines for m in in_rooms(modules, package, [room])) for room in rooms}


def in_rooms(modules: Mapping[str, Module], package: str, rooms: Collection[str]) -> list[Module]:
    """Return the modules of these rooms."""
    homes = [f"{package}.{room}" for room in rooms]
    return [m for m in modules.values() if any(m.name == home or m.name.startswith(f"{home}.") for home in homes)]
