"""Who uses a name: a change of a constant or a kernel shows wherever its name is mentioned, in whatever file.

Names are followed through imports. A local variable of the same name counts as a use too: the answer may be too large, not too small.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tools.mutants.source import FUNCTIONS

Kernel = tuple[str, str]
"""Path and qualified name of a compiled function."""
Global = tuple[str, str]
"""Path of a module and a name of its top level."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A statement of a module's top level: the names it gives, those it needs at import, and those its functions need besides."""

    lines: range
    gives: frozenset[Global]
    needs: frozenset[Global]
    needs_when_called: frozenset[Global]


@dataclass(frozen=True, slots=True)
class Names:
    """All definitions of a tree, and the lines of functions that mention each name."""

    definitions: tuple[Definition, ...]
    uses: Mapping[Global, frozenset[tuple[str, int]]]

    def given_on(self, path: str, line: int) -> set[Global]:
        """Return the names that the definition on a line gives."""
        return {name for one in self.definitions if line in one.lines for name in one.gives if name[0] == path}

    def dependent(self, names: Iterable[Global], kernels: Iterable[Kernel]) -> set[Global]:
        """Return the names, and all that is defined by means of them at import, or compiled with them."""
        compiled = {(path, name.split(".")[0]) for path, name in kernels}
        found, size = set(names), -1
        while size < len(found):
            size = len(found)
            for one in self.definitions:
                if found & one.needs or (found & one.needs_when_called and compiled & one.gives):
                    found |= one.gives
        return found

    def lines(self, names: Iterable[Global]) -> set[tuple[str, int]]:
        """Return the lines of functions that mention one of the names."""
        return set().union(*(self.uses.get(name, ()) for name in names))


def names_of(files: Mapping[str, bytes]) -> Names:
    """Return the names of the files; their paths lead from the folder of the outermost package or one above it."""
    trees = {path: ast.parse(code) for path, code in files.items()}
    meaning = _Meaning(trees)
    uses: dict[Global, set[tuple[str, int]]] = defaultdict(set)
    definitions = []
    for path, tree in trees.items():
        for statement in tree.body:
            definitions.append(_definition(meaning, path, statement))
            for name, line in meaning.mentioned(path, _inside_functions(statement)):
                uses[name].add((path, line))
    return Names(tuple(definitions), {name: frozenset(lines) for name, lines in uses.items()})


class _Meaning:
    """What a word of a file means: the module and the name it was imported from, else the file's own."""

    def __init__(self, trees: Mapping[str, ast.Module]) -> None:
        self.modules = {part: path for path in trees for part in _module_names(path)}
        self.aliases = {path: dict(self._imported(tree)) for path, tree in trees.items()}

    def _imported(self, tree: ast.Module) -> Iterator[tuple[str, Global]]:
        for node in ast.walk(tree):
            for one in node.names if isinstance(node, ast.ImportFrom | ast.Import) else ():
                given = one.asname or one.name
                if isinstance(node, ast.Import):
                    yield given, (self.modules.get(one.name, ""), "")
                elif f"{node.module}.{one.name}" in self.modules:
                    yield given, (self.modules[f"{node.module}.{one.name}"], "")
                else:
                    yield given, (self.modules.get(node.module or "", ""), one.name)

    def of(self, path: str, word: str) -> Global:
        """Return where a word leads, through re-exports."""
        name, seen = (path, word), set[Global]()
        while name not in seen and name[1] in self.aliases.get(name[0], {}):
            seen.add(name)
            name = self.aliases[name[0]][name[1]]
        return name

    def mentioned(self, path: str, nodes: Iterable[ast.AST]) -> Iterator[tuple[Global, int]]:
        """Yield the names that nodes mention, with the line."""
        for node in nodes:
            match node:
                case ast.Name(id=word):
                    yield self.of(path, word), node.lineno
                case ast.Attribute(value=ast.Name(id=module), attr=word) if not self.of(path, module)[1]:
                    yield self.of(self.of(path, module)[0], word), node.lineno


def _module_names(path: str) -> list[str]:
    """Return the dotted names by which a file may be imported: src/a/b.py as src.a.b, a.b and b."""
    parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
    return [".".join(parts[i:]) for i in range(len(parts))]


def _definition(meaning: _Meaning, path: str, statement: ast.stmt) -> Definition:
    outside, inside = list(_outside_functions(statement)), list(_inside_functions(statement))
    return Definition(
        range(statement.lineno, (statement.end_lineno or statement.lineno) + 1),
        frozenset((path, word) for word in _given(outside)),
        frozenset(name for name, _ in meaning.mentioned(path, outside)),
        frozenset(name for name, _ in meaning.mentioned(path, inside)),
    )


def _given(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.FunctionDef(name=word) | ast.AsyncFunctionDef(name=word) | ast.ClassDef(name=word):
                yield word
            case ast.Name(id=word, ctx=ast.Store()):
                yield word


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what an import runs: all but the bodies of functions."""
    yield node
    for field, value in ast.iter_fields(node):
        if not (isinstance(node, FUNCTIONS) and field == "body"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _outside_functions(child)


def _inside_functions(statement: ast.stmt) -> Iterator[ast.AST]:
    outside = set(_outside_functions(statement))
    return (node for node in ast.walk(statement) if node not in outside)
