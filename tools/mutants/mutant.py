"""A mutant: one edit of one file, with a key that survives the moving of lines."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tools.mutants.edits import Edit
from tools.mutants.operators import edits
from tools.mutants.source import Source

SHOWN = 60
"""An edit is shown in the widest expression or statement around it that is no longer than this."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault.

    Attributes
    ----------
    key : path::qualname::what::before → after, with "#2" for the second alike in one function
    lines : the lines of the statement it stands in
    runs_at_import : whether it stands outside every function body
    """

    key: str
    path: str
    edit: Edit
    line: int
    lines: range
    qualname: str
    before: str
    after: str
    runs_at_import: bool

    @property
    def what(self) -> str:
        """What kind of fault it is."""
        return self.edit.what

    @property
    def place(self) -> tuple[str, int, int]:
        """Where it is; several faults may share a place."""
        return self.path, self.edit.start, self.edit.end


def mutants(path: str, code: bytes) -> list[Mutant]:
    """Return all mutants of a file."""
    source, seen = Source(path, code), Counter[str]()
    found = []
    for node, edit in edits(source):
        before, after = _shown(source, node, edit)
        stem = f"{path}::{source.qualname(node)}::{edit.what}::{before} → {after}"
        seen[stem] += 1
        found.append(_mutant(source, node, edit, (before, after), stem + (f" #{seen[stem]}" if seen[stem] > 1 else "")))
    return found


def is_valid(mutant: Mutant, code: bytes) -> bool:
    """Return whether the mutant is Python, and another program than the original."""
    try:
        return ast.dump(ast.parse(mutant.edit.apply(code))) != ast.dump(ast.parse(code))
    except (SyntaxError, ValueError):
        return False


def _mutant(source: Source, node: ast.AST, edit: Edit, shown: tuple[str, str], key: str) -> Mutant:
    return Mutant(
        key=key,
        path=source.path,
        edit=edit,
        line=source.code[: edit.start].count(b"\n") + 1,
        lines=source.lines(node),
        qualname=source.qualname(node),
        before=shown[0],
        after=shown[1],
        runs_at_import=not source.is_in_function(node),
    )


def _shown(source: Source, node: ast.AST, edit: Edit) -> tuple[str, str]:
    """Return the code around an edit before and after it, on one line."""
    start, end = edit.start, edit.end
    for low, high in _spans(source, node):
        if low <= start and end <= high and high - low <= SHOWN:
            start, end = low, high
    local = Edit(edit.start - start, edit.end - start, edit.text, edit.what)
    before = source.code[start:end]
    return _squeezed(before), _squeezed(local.apply(before))


def _spans(source: Source, node: ast.AST) -> Iterator[tuple[int, int]]:
    """Yield the spans of the expressions around a node, and of its statement if no others stand in that."""
    for around in [node, *source.ancestors(node)]:
        if isinstance(around, ast.stmt):
            yield from [] if hasattr(around, "body") else [source.span(around)]
            return
        if isinstance(around, ast.expr | ast.keyword) and source.is_exact(around):
            yield source.span(around)


def _squeezed(code: bytes) -> str:
    return " ".join(code.decode().split())
