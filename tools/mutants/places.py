"""Which nodes may be changed: what a program does, not how it is typed, documented or worded when it fails."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tools.mutants.source import Source

TYPING_FIELDS = ("annotation", "returns", "decorator_list", "type_params")
TYPE_MAKERS = ("TypeVar", "ParamSpec", "TypeVarTuple", "NewType", "namedtuple")
TYPE_FORMS = ("Literal", "Annotated")
MESSAGES = ("Error", "Warning", "Exception", "warn")


def name_of(node: ast.AST) -> str:
    """Return the last name of `f`, `m.f` or a call or subscript of them."""
    if isinstance(node, ast.Call):
        return name_of(node.func)
    if isinstance(node, ast.Subscript):
        return name_of(node.value)
    return getattr(node, "attr", getattr(node, "id", ""))


def mutable(source: Source) -> Iterator[ast.AST]:
    """Yield the nodes that operators may look at, in the order of the file."""
    stack: list[ast.AST] = [source.tree]
    while stack:
        node = stack.pop()
        if not _is_off_limits(node):
            yield node
            stack.extend(reversed(_children(node)))


def in_message(source: Source, node: ast.AST) -> bool:
    """Return whether a text is said when something fails: under `raise`, or in the call of an error, a warning, `warn`."""
    return any(
        isinstance(above, ast.Raise | ast.Assert) or (isinstance(above, ast.Call) and name_of(above).endswith(MESSAGES))
        for above in source.ancestors(node)
    )


def _children(node: ast.AST) -> list[ast.AST]:
    children = [
        child
        for name, value in ast.iter_fields(node)
        if name not in TYPING_FIELDS
        for child in (value if isinstance(value, list) else [value])
        if isinstance(child, ast.AST)
    ]
    # cast(type, value): only the value is run.
    return children[2:] if isinstance(node, ast.Call) and name_of(node) == "cast" else children


def _is_off_limits(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()):  # a docstring, of a constant too
            return True
        case ast.If(test=test) if name_of(test) == "TYPE_CHECKING":
            return True
        case ast.Assign(targets=[ast.Name(id=name), *_]):
            return name.startswith("__")
        case ast.Call():
            return name_of(node) in TYPE_MAKERS
        case ast.Subscript():
            return name_of(node) in TYPE_FORMS
        case ast.keyword(arg="strict"):  # zip(strict=True) is an assertion, not behaviour
            return True
        case ast.Import() | ast.ImportFrom():
            return True
    return type(node).__name__ == "TypeAlias"
