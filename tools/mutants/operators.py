"""What may be wrong with a program, as edits: each operator looks at one kind of node and yields small faults."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Any

from tools.mutants.edits import Edit
from tools.mutants.places import in_message, mutable, name_of
from tools.mutants.source import Source

Operator = Callable[[Source, Any], Iterator[Edit]]

COMPARISONS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<", "<=", ">="),
    ast.LtE: ("<=", "<", ">"),
    ast.Gt: (">", ">=", "<="),
    ast.GtE: (">=", ">", "<"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
# Each becomes one of its own precedence, so that the brackets around it may stay as they are.
ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"),
    ast.Pow: ("**", "*"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
OPPOSITES = {"min": "max", "minimum": "maximum", "argmin": "argmax", "fmin": "fmax", "nanmin": "nanmax"}
OPPOSITES |= {after: before for before, after in OPPOSITES.items()}
SYMMETRIC = (*OPPOSITES, "hypot", "isclose", "allclose", "array_equal", "gcd", "lcm")
LARGE = 20
"""A whole number above this is doubled: one more resample or column of text is no fault."""
PHRASE = re.compile(r"[A-Za-z][A-Za-z ,;-]*[A-Za-z]")


def edits(source: Source) -> Iterator[tuple[ast.AST, Edit]]:
    """Yield every fault of a file with the node it stands at."""
    for node in mutable(source):
        for operator in OPERATORS.get(type(node), ()):
            if source.is_exact(node):
                yield from ((node, edit) for edit in operator(source, node))


def comparison(source: Source, node: ast.Compare) -> Iterator[Edit]:
    """Compare otherwise: with or without equality, and the opposite."""
    operands = [node.left, *node.comparators]
    for op, left, right in zip(node.ops, operands, node.comparators, strict=False):
        before, *others = COMPARISONS[type(op)]
        for after in others:
            yield from _between(source, (left, right), (before, after), "comparison")


def arithmetic(source: Source, node: ast.BinOp | ast.AugAssign) -> Iterator[Edit]:
    """Calculate otherwise. Outside functions and in isinstance, `|` joins types."""
    before, after = ARITHMETIC.get(type(node.op), ("", ""))
    above = source.parents[node]
    types = before == "|" and (not source.is_in_function(node) or name_of(above) in ("isinstance", "issubclass"))
    if not before or types:
        return
    ends = (node.target, node.value) if isinstance(node, ast.AugAssign) else (node.left, node.right)
    yield from _between(source, ends, (before, after), "arithmetic")


def junction(source: Source, node: ast.BoolOp) -> Iterator[Edit]:
    """Take `or` for `and`."""
    words = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    for pair in zip(node.values, node.values[1:], strict=False):
        yield from _between(source, pair, words, "and/or")


def sign(source: Source, node: ast.UnaryOp) -> Iterator[Edit]:
    """Drop `not` or a minus."""
    word = {ast.Not: "not", ast.USub: "-"}.get(type(node.op))
    if word is not None:
        start, _ = source.span(node)
        gap = re.match(rb"\s*", source.code[start + len(word) :])
        yield Edit(start, start + len(word) + len(gap.group() if gap else b""), "", f"drop {word}")


def constant(source: Source, node: ast.Constant) -> Iterator[Edit]:
    """Take another truth value or number."""
    start, end = source.span(node)
    for after in _other(node.value):
        yield Edit(start, end, after, "constant")


def _other(value: object) -> tuple[str, ...]:
    if isinstance(value, bool):
        return (str(not value),)
    if isinstance(value, int):
        return (str(2 * value),) if value > LARGE else (str(value + 1), *([str(value - 1)] if value > 0 else []))
    if isinstance(value, float):
        return ("1.0",) if value == 0.0 else (repr(2 * value), repr(value / 2))
    return ()


def sentence(source: Source, node: ast.Constant) -> Iterator[Edit]:
    """Say something else, where a text of several words is not about a failure."""
    if not isinstance(node.value, str) or " " not in node.value.strip() or in_message(source, node):
        return
    if not isinstance(source.parents[node], ast.JoinedStr):
        yield from _reworded(source, node, node.value)


def f_sentence(source: Source, node: ast.JoinedStr) -> Iterator[Edit]:
    """Say something else in a literal piece of an f-string."""
    if in_message(source, node):
        return
    for piece in node.values:
        if isinstance(piece, ast.Constant):
            yield from _reworded(source, node, str(piece.value))


def extreme(source: Source, node: ast.Call) -> Iterator[Edit]:
    """Take the largest for the smallest."""
    after = OPPOSITES.get(name_of(node.func))
    if after is not None:
        _, end = source.span(node.func)
        yield Edit(end - len(name_of(node.func)), end, after, "min/max")


def arguments(source: Source, node: ast.Call) -> Iterator[Edit]:
    """Exchange two names that are passed side by side."""
    if name_of(node.func) in SYMMETRIC:
        return
    for a, b in zip(node.args, node.args[1:], strict=False):
        if isinstance(a, ast.Name) and isinstance(b, ast.Name):
            yield from _exchanged(source, a, b, "exchange arguments")


def pair(source: Source, node: ast.Return) -> Iterator[Edit]:
    """Return a pair the other way round."""
    if isinstance(node.value, ast.Tuple) and len(node.value.elts) == 2:
        yield from _exchanged(source, *node.value.elts, "exchange returned")


def arm(source: Source, node: ast.IfExp) -> Iterator[Edit]:
    """Ask no condition: always the one arm, or always the other."""
    start, end = source.span(node)
    for kept in (node.body, node.orelse):
        yield Edit(start, end, source.text(kept), "one arm")


def _between(source: Source, ends: tuple[ast.AST, ast.AST], words: tuple[str, str], what: str) -> Iterator[Edit]:
    """Replace the operator between two operands; a comment between them could hold one too, so there nothing is done."""
    (_, start), (end, _) = source.span(ends[0]), source.span(ends[1])
    gap = source.code[start:end].decode()
    found = re.search(re.escape(words[0]).replace(r"\ ", r"\s+"), gap)
    if found and "#" not in gap:
        yield Edit(start + found.start(), start + found.end(), words[1], what)


def _exchanged(source: Source, a: ast.AST, b: ast.AST, what: str) -> Iterator[Edit]:
    first, second = source.text(a), source.text(b)
    (start, a_end), (b_start, end) = source.span(a), source.span(b)
    if first != second and not (isinstance(a, ast.Starred) or isinstance(b, ast.Starred)):
        yield Edit(start, end, second + source.code[a_end:b_start].decode() + first, what)


def _reworded(source: Source, node: ast.AST, value: str) -> Iterator[Edit]:
    """Replace the longest phrase of a literal, if it stands once in the source of the text."""
    text = source.text(node)
    phrase = max(PHRASE.findall(value), key=len, default="")
    if len(phrase) > 2 and text.count(phrase) == 1:
        start = source.span(node)[0] + len(text[: text.index(phrase)].encode())
        yield Edit(start, start + len(phrase.encode()), "other words", "sentence")


OPERATORS: dict[type[ast.AST], tuple[Operator, ...]] = {
    ast.Compare: (comparison,),
    ast.BinOp: (arithmetic,),
    ast.AugAssign: (arithmetic,),
    ast.BoolOp: (junction,),
    ast.UnaryOp: (sign,),
    ast.Constant: (constant, sentence),
    ast.JoinedStr: (f_sentence,),
    ast.Call: (extreme, arguments),
    ast.Return: (pair,),
    ast.IfExp: (arm,),
}
