"""What the contracts read of a Python file without running it."""

from __future__ import annotations

import ast
import gc
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file, parsed once for all contracts; a search for garbage amid its nodes takes longer than to parse it."""
    searched = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    finally:
        gc.freeze()  # the trees stay
        if searched:
            gc.enable()


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """Return all nodes of a file, walked through once for all contracts."""
    return list(ast.walk(tree_of(path)))


@cache
def functions_of(path: Path) -> list[ast.FunctionDef]:
    """Return every function of a file, nested ones too."""
    return [node for node in nodes_of(path) if isinstance(node, ast.FunctionDef)]


def calls_of(node: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Yield every call of a name below a node, and the last part of that name."""
    for below in ast.walk(node):
        match below:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                yield name, below


def prose_of(path: Path) -> str:
    """Return the comments and docstrings of a file, and what looks like one in its strings."""
    text = path.read_text(encoding="utf-8")
    return "\n".join([*re.findall(r"(?:^|\s)#.*", text, re.MULTILINE), *re.findall(r'"""(.*?)"""', text, re.DOTALL)])


def lines_of(function: ast.FunctionDef) -> int:
    """Return the lines from the first statement to the last, the docstring left out."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


BINDING = {ast.Name, ast.arg, ast.Attribute, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef}
BINDING |= {ast.alias, ast.ExceptHandler, ast.MatchAs, ast.MatchStar}


def names_of(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    """Yield every name that nodes bind, with its line: of variables, parameters, fields, functions, classes, aliases of imports."""
    for node in nodes:
        if type(node) not in BINDING:  # most are none, and patterns are slow to match
            continue
        line = getattr(node, "lineno", 0)
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name, line
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield name, line
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, line
            case ast.alias(name=name, asname=alias):
                yield alias or name, line
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name, line


def positional(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return how many arguments may be given by position, without self and cls."""
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def is_kernel(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether numba compiles a function; it takes arguments by position only."""
    return any(ast.unparse(decorator).split("(")[0].endswith("kernel") for decorator in function.decorator_list)
