"""Access to the rows of an answer by name: `result["PPO", "mean"]`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from runoff.errors import nearest

NAMED_BY = (
    *(
        "a",
        "b",
        "algorithm",
        "candidate",
        "world",
        "contender",
        "task",
        "measure",
        "kind",
        "component",
        "test",
        "question",
        "n_runs",
    ),
    *("effect", "effect_size", "k", "step", "threshold"),
)
"""The fields that name rows."""
SHOWN = 12
"""The largest number of names that a refusal shows."""


def names_of(row: object) -> list[object]:
    """Return all names of a row."""
    return [name for field in NAMED_BY if (name := getattr(row, field, None)) is not None]


def by_name(rows: Iterable[Any]) -> dict[object, list[Any]]:
    """Return the rows of each name."""
    index: dict[object, list[Any]] = {}
    for row in rows:
        for name in dict.fromkeys(names_of(row)):
            index.setdefault(name, []).append(row)
    return index


def is_named(row: object, names: Sequence[object]) -> bool:
    """Return whether a row has all these names; for a pair, a has to come before b, because its numbers are a − b."""
    rest = names_of(row)
    for name in names:
        if name not in rest:
            return False
        rest.remove(name)
    sides = [name for name in names if name in (getattr(row, "a", None), getattr(row, "b", None))]
    return len(sides) < 2 or sides[0] == getattr(row, "a", None)


def not_named(names: Sequence[object], rows: Iterable[Any]) -> KeyError:
    """Return the refusal of names that no single row has."""
    there = list(dict.fromkeys(name for row in rows for name in names_of(row) if isinstance(name, str)))
    unknown = next((name for name in names if isinstance(name, str) and name not in there), None)
    what = (
        f"no row is of {', '.join(map(repr, names))}" if unknown is None else f"there is no {unknown!r} in this answer"
    )
    shown = ", ".join(map(repr, there[:SHOWN])) + (", …" if len(there) > SHOWN else "")
    return KeyError(f"{what}; its rows are named by {shown}.{'' if unknown is None else nearest(unknown, there)}")
