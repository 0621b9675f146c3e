"""Write the tables of docs/design/contract.md from signatures, row types and docstrings: `make names`.

What stands around the tables is written by hand. A contract test holds the tables to the code.
"""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Literal

import runoff as ro
from runoff.answer.base import Result

PAGE = Path(__file__).resolve().parent / "design" / "contract.md"
OTHERS = (
    "archive.list",
    "archive.load",
    "archive.info",
    "archive.matched",
    "Scores.from_frame",
    "Scores.from_dict",
    "Curves.from_frame",
    "Scores.beside",
)
"""Calls that are no functions of the top package."""


def page(text: str) -> str:
    """Return the page with the tables as the code has them now."""
    # What the page names once for all calls stands in no call.
    unsaid = {"self", *re.findall(r"`(\w+)`", text.partition("Not repeated below are")[2].partition(", which")[0])}
    functions = [name for name in ro.__all__ if inspect.isfunction(getattr(ro, name))]
    answering = [name for name in functions if _results(getattr(ro, name))]
    data = [name for name in functions if name not in answering]
    first: dict[type[Result], str] = {}
    for name in answering:
        for kind in _results(getattr(ro, name)):
            first.setdefault(kind, name)
    tables = {
        "call | what it gives or asks": ((_call(name, unsaid), _question(name)) for name in (*data, *OTHERS)),
        "call | what it asks | fields": (
            (
                _call(name, unsaid),
                _question(name),
                "; or ".join(_fields(kind, name, first[kind]) for kind in _results(_named(name))),
            )
            for name in answering
        ),
        "field | of | its values": _values(first),
    }
    for heads, rows in tables.items():
        rule = " | ".join("---" for _ in heads.split(" | "))
        table = "".join(f"| {line} |\n" for line in (heads, rule, *map(" | ".join, rows)))
        before, mark, rest = text.partition(f"| {heads} |\n")
        if not mark:
            raise SystemExit(f"{PAGE} has no table headed '{heads}', which this program writes.")
        _, _, after = rest.partition("\n\n")
        text = f"{before}{table}\n{after}"
    return text


def _named(name: str) -> Callable[..., Any]:
    thing: Any = ro
    for part in name.split("."):
        thing = getattr(thing, part)
    return thing


def _call(name: str, unsaid: Collection[str]) -> str:
    """Return a call with the names of its arguments; the star parts those that go by position from the others."""
    parts: list[str] = []
    star = False
    for parameter in inspect.signature(_named(name)).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            parts, star = [*parts, "*"], True
        if parameter.name not in unsaid:
            parts.append(f"{'**' * (parameter.kind is parameter.VAR_KEYWORD)}{parameter.name}")
    if parts[-1:] == ["*"]:
        del parts[-1]
    return f"`ro.{name}({', '.join(parts)})`"


def _question(name: str) -> str:
    """Return the first paragraph of a docstring."""
    first = (inspect.getdoc(_named(name)) or "").split("\n\n")[0]
    return " ".join(first.split()).replace("|", "\\|")


def _results(function: Callable[..., Any]) -> tuple[type[Result], ...]:
    """Return the kinds of result that a function gives."""
    given = typing.get_type_hints(function)["return"]
    kinds = typing.get_args(given) if isinstance(given, types.UnionType) else (given,)
    return tuple(kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Result))


def _fields(kind: type[Result], name: str, first: str) -> str:
    """Return the fields of a result: those of its rows first, each row type with its own; `first` is the call that they stand beside."""
    if name != first:
        return f"as of `{first}`"
    hints = typing.get_type_hints(kind)
    rows = {f.name: row for f in fields(kind) if (row := _row(hints[f.name])) is not None}
    ordered = sorted(rows, key=lambda name: name != kind._table)
    texts = [f"`{name}`: {_quoted(f.name for f in fields(rows[name]))}" for name in ordered]
    alone = _quoted(f.name for f in fields(kind) if f.name not in rows)
    return "; ".join(filter(None, [*texts, alone]))


def _row(hint: Any) -> type | None:
    """Return the type of the rows of a field that is a table; None of any other, and of advice, which all answers share."""
    row = typing.get_args(hint)[0] if typing.get_origin(hint) is tuple else None
    return row if isinstance(row, type) and is_dataclass(row) and row.__name__ != "Advice" else None


def _values(kinds: Mapping[type[Result], str]) -> Iterator[tuple[str, str, str]]:
    """Yield the fields that are one of a few words, with the calls that give them; fields of one name and one set of words share a row."""
    places: dict[tuple[str, tuple[str, ...]], dict[str, None]] = {}
    for kind, call in kinds.items():
        own = typing.get_type_hints(kind)
        for thing in (kind, *filter(None, map(_row, own.values()))):
            hints = typing.get_type_hints(thing)
            for f in fields(thing):
                if words := _words(hints[f.name]):
                    places.setdefault((f.name, words), {})[call] = None
    for (name, words), names in places.items():
        yield f"`{name}`", _quoted(names), ", ".join(f'`"{word}"`' for word in words)


def _words(hint: Any) -> tuple[str, ...]:
    """Return the words that a field is one of, None aside."""
    if typing.get_origin(hint) is Literal:
        return tuple(str(word) for word in typing.get_args(hint))
    parts = (
        typing.get_args(hint) if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union else ()
    )
    known = [part for part in parts if part is not type(None)]
    return _words(known[0]) if len(known) == 1 else ()


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
