"""A source file as bytes and tree: the bytes of a node, what encloses it, and whether its position can be trusted."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
NAMED = (*FUNCTIONS, ast.ClassDef)


@dataclass(frozen=True)
class Source:
    """One file. Offsets are bytes: `ast` counts columns in UTF-8, and our sources hold λ, σ and −."""

    path: str
    code: bytes

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree."""
        return ast.parse(self.code)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node around each node."""
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset of the first byte of each line."""
        return [0, *accumulate(len(line) for line in self.code.splitlines(keepends=True))]

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Return the first byte of a node and the one behind its last."""
        assert isinstance(node, ast.expr | ast.stmt | ast.keyword)
        start, end = self.line_starts[node.lineno - 1], self.line_starts[(node.end_lineno or node.lineno) - 1]
        return start + node.col_offset, end + (node.end_col_offset or 0)

    def text(self, node: ast.AST) -> str:
        """Return the source of a node."""
        start, end = self.span(node)
        return self.code[start:end].decode()

    def ancestors(self, node: ast.AST) -> list[ast.AST]:
        """Return what encloses a node, the nearest first."""
        found = []
        while node in self.parents:
            node = self.parents[node]
            found.append(node)
        return found

    def is_exact(self, node: ast.AST) -> bool:
        """Return whether the bytes of a node are the node: inside f-strings, Python 3.11 may tell wrong columns."""
        if not any(isinstance(above, ast.JoinedStr) for above in self.ancestors(node)):
            return True
        try:
            found = ast.parse(self.text(node), mode="eval").body
        except (SyntaxError, ValueError):
            return False
        return ast.dump(found) == ast.dump(node)

    def is_in_function(self, node: ast.AST) -> bool:
        """Return whether a call runs the node, not the import: defaults and decorators are no body."""
        chain = [node, *self.ancestors(node)]
        return any(isinstance(above, FUNCTIONS) and below in above.body for below, above in pairwise(chain))

    def qualname(self, node: ast.AST) -> str:
        """Return the dotted name of the functions and classes around a node, as `__qualname__` without '<locals>'."""
        names = [above.name for above in self.ancestors(node) if isinstance(above, NAMED)]
        return ".".join(reversed(names)) or "<module>"

    def lines(self, node: ast.AST) -> range:
        """Return the lines from the start of the statement to the end of the node: some of them run when the node does."""
        around = next(above for above in [node, *self.ancestors(node)] if isinstance(above, ast.stmt))
        return range(around.lineno, (getattr(node, "end_lineno", None) or around.lineno) + 1)
