"""The files of a package, and what each name in them stands for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class Node(NamedTuple):
    """A definition: a name at the top of a module; the name "" is that of the statements that define nothing."""

    module: str
    name: str


class Import(NamedTuple):
    """What an imported name stands for: a module, or a name in one."""

    module: str
    name: str = ""


@dataclass(slots=True)
class Module:
    """A file: its definitions, each with its statements; its imports, early or late; the statements that define nothing."""

    name: str
    path: Path
    text: str
    tree: ast.Module
    nodes: list[ast.AST]
    definitions: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imports: dict[str, Import] = field(default_factory=dict)
    loose: list[ast.stmt] = field(default_factory=list)

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    @property
    def package(self) -> str:
        return self.name if self.path.stem == "__init__" else self.name.rpartition(".")[0]


def read(folder: Path) -> dict[str, Module]:
    """Return the modules of a package by name; where a face has a .pyi beside it, its names are those of the .pyi too."""
    modules = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        modules[name] = module = Module(name, path, text, tree, list(ast.walk(tree)))
        _sort(module, module.tree.body)
        contents = path.with_suffix(".pyi")
        if contents.exists():
            module.imports |= imports_of(ast.parse(contents.read_text(encoding="utf-8")), module.package)
    return modules


def _sort(module: Module, statements: list[ast.stmt]) -> None:
    for statement in statements:
        names = [name for name in defined(statement) if not _is_import(module, name, statement)]
        if isinstance(statement, ast.Import | ast.ImportFrom):
            module.imports |= imports_of(statement, module.package)
        elif isinstance(statement, ast.If | ast.Try | ast.With):
            _sort(module, list(inner_statements(statement)))
        elif names:
            for name in names:
                module.definitions.setdefault(name, []).append(statement)
        elif not is_text(statement):
            module.loose.append(statement)


def _is_import(module: Module, name: str, statement: ast.stmt) -> bool:
    """Whether `TABLE |= ...` adds to the table of another module."""
    return isinstance(statement, ast.AugAssign) and name in module.imports


def inner_statements(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yield the statements of all branches of a compound statement."""
    for name in ("body", "orelse", "finalbody"):
        yield from getattr(statement, name, [])
    for handler in getattr(statement, "handlers", []):
        yield from handler.body


def defined(statement: ast.stmt) -> list[str]:
    """Return the names that a top-level statement defines."""
    if isinstance(statement, Function | ast.ClassDef):
        return [statement.name]
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign | ast.AugAssign):
        targets = [statement.target]
    parts = [
        part for target in targets for part in (target.elts if isinstance(target, ast.Tuple | ast.List) else [target])
    ]
    return [part.id for part in parts if isinstance(part, ast.Name)]


def is_text(statement: ast.AST) -> bool:
    """Whether a statement is a text alone, as docstrings are."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def imports_of(tree: ast.AST, package: str) -> dict[str, Import]:
    """Return what the import statements of a tree bind; package: whose relative imports they are."""
    bound = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                bound[alias.asname or top] = Import(alias.name if alias.asname else top)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = parts[: len(parts) - node.level + 1] if node.level else []
            home = ".".join([*base, *([node.module] if node.module else [])])
            bound |= {alias.asname or alias.name: Import(home, alias.name) for alias in node.names}
    return bound


def resolved(modules: Mapping[str, Module], target: Import, seen: frozenset[Import] = frozenset()) -> Node | str | None:
    """Return the definition or the module (its name) for which an import stands, through all faces; None if it is not the package's."""
    if not target.name:
        return target.module if target.module in modules else None
    module = modules.get(target.module)
    if module is None:
        return None
    if target.name in module.definitions:
        return Node(module.name, target.name)
    bound = module.imports.get(target.name)
    if bound and bound not in seen | {target}:  # `from runoff import plots` in runoff itself is the room below
        return resolved(modules, bound, seen | {target})
    inner = f"{target.module}.{target.name}"
    return inner if inner in modules else None
