"""What stands for a name that pdflatex cannot print, or that is too long for a table: one text for each name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from runoff.report.latex.glyphs import printable, tex

LONGEST = 48


def shown_names(names: Iterable[str], word: str) -> dict[str, str]:
    """Return the text that a table prints for each name, no two alike; `word` is what a name is of that leaves nothing."""
    known = list(names)
    as_is = {tex(name): name for name in reversed(known) if _as_is(name)}
    taken = set(as_is)
    shown: dict[str, str] = {}
    for place, name in enumerate(known, 1):
        kept = as_is.get(tex(name)) == name
        shown[name] = name if kept else _free(_short(printable(name)) or f"{word} {place}", taken)
        taken.add(tex(shown[name]))
    return shown


def stand_ins(shown: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return (text, name) wherever they differ."""
    return tuple((text, name) for name, text in shown.items() if text != name)


def natural_order(names: Iterable[str]) -> list[str]:
    """Return names that stand in the order of the alphabet with numbers by their value, Algo2 before Algo10; others as they stand."""
    given = list(names)
    return sorted(given, key=_by_value) if given == sorted(given) else given


def _as_is(name: str) -> bool:
    return bool(name) and name == printable(name) and len(name) <= LONGEST


def _short(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    head = LONGEST // 2
    return f"{text[:head].rstrip()}…{text[head + 1 - LONGEST :].lstrip()}"


def _free(text: str, taken: set[str]) -> str:
    count = 1
    told = text
    while tex(told) in taken:
        count += 1
        told = f"{text} ({count})"
    return told


def _by_value(name: str) -> list[tuple[int, int, str]]:
    return [(0, int(part), part) if part.isdecimal() else (1, 0, part) for part in re.split(r"(\d+)", name) if part]
