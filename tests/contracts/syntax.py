"""What the contracts read of a Python file without running it."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file, parsed once for all contracts."""
    return ast.parse(path.read_text(encoding="utf-8"))


def functions_of(path: Path) -> Iterator[ast.FunctionDef]:
    """Yield every function of a file, nested ones too."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef):
            yield node


def calls_of(node: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Yield every call below a node, and the last part of what is called."""
    for below in ast.walk(node):
        if isinstance(below, ast.Call):
            yield ast.unparse(below.func).split(".")[-1], below


def prose_of(path: Path) -> str:
    """Return the comments and docstrings of a file."""
    source = path.read_text(encoding="utf-8")
    comments = [t.string for t in tokenize.generate_tokens(io.StringIO(source).readline) if t.type == tokenize.COMMENT]
    alone = [node.value for node in ast.walk(tree_of(path)) if isinstance(node, ast.Expr)]
    docstrings = [node.value for node in alone if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return "\n".join([*comments, *docstrings])


def lines_of(function: ast.FunctionDef) -> int:
    """Return the lines from the first statement to the last, the docstring left out."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
