"""Names found inside a file (heads of a wide table, keys of JSON, names of arrays): algorithms, tasks or runs?

The user decides (`keys`), else names that the field knows, else what the names of the files are; else the documented order. What looks
like amounts of training, metrics or bare numbers is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from runoff.base.arrays import Floats
from runoff.errors import DataError, OptionError
from runoff.io._known import Said, metrics_among, said_by
from runoff.io.formats.base import named_row
from runoff.tables.columns import listed
from runoff.tables.tidy import Table
from runoff.words.speech import option

ROLES = ("algorithm", "task", "run")
NOT_NAMES: Mapping[str, str] = {
    "amount": "look like amounts of training, or levels",
    "number": "are bare numbers",
    "runs_of": "name an algorithm and a run together (a table with columns for both can be read)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What stands around a file: what the names of all files read are, and whether several files have these keys."""

    files_name: Said | None = None
    numbered: bool = False
    shared: bool = False


ALONE = Around()


def parsed_keys(keys: str | None) -> tuple[str, ...] | None:
    """Return the levels of `keys`: "task/algorithm", "100k/task".

    Raises
    ------
    OptionError
        A level is empty, or a role is named twice.
    """
    if keys is None:
        return None
    levels = tuple(level.strip() for level in keys.split("/"))
    if not all(levels) or any(levels.count(role) > 1 for role in ROLES):
        raise OptionError(
            f"{option('keys', keys)}: each level is algorithm, task, run, or the one key to take, and no role comes twice; for example "
            f"{option('keys', 'task/algorithm')}."
        )
    return levels


def with_roles(table: Table, keys: tuple[str, ...] | None, around: Around) -> Table:
    """Return a table of keys with the role of each: its columns of keys are renamed, or one key is taken.

    Raises
    ------
    DataError
        What the keys are cannot be told.
    OptionError
        `keys` does not fit the levels of the file.
    """
    if not table.keys:
        refuse_keys(table, keys)
        return table
    if keys is not None:
        table, keys = _taken(table, keys)
    found = {name: list(dict.fromkeys(table.columns[name])) for name in table.keys}
    roles = decided(list(found.values()), list(table.keys.values()), around, table.place) if keys is None else keys
    names = dict(zip(table.keys, roles, strict=True))
    columns: dict[str, Sequence[Any] | Floats] = {
        names.get(name, name): column for name, column in table.columns.items() if name != "run"
    }
    if "run" in table.columns:
        columns = _with_entries(columns, table)
    told = [f"{_shown(labels)}: taken as {role}s" for labels, role in zip(found.values(), roles, strict=True)]
    return replace(table, columns=columns, keys={}, row=named_row(columns), notes=(*table.notes, *told))


def refuse_keys(table: Table, keys: tuple[str, ...] | None) -> None:
    """Refuse `keys` for a table that has none."""
    if keys is not None:
        raise OptionError(
            f"{table.place}: {option('keys', '/'.join(keys))} cannot be used, because the file has no keys, and is no wide table."
        )


def _with_entries(columns: dict[str, Sequence[Any] | Floats], table: Table) -> dict[str, Sequence[Any] | Floats]:
    """Return the columns with what the positions in lists count: runs, or the evaluations of runs that keys name."""
    if "run" not in columns:
        return {**columns, "run": table.columns["run"]}
    if "step" in columns or "task" in table.columns:
        raise DataError(
            f"{table.place}: the names {_shown(list(map(str, columns['run'])))} look like runs, but each holds runs; say what they are with "
            f"{option('keys', 'algorithm')}."
        )
    return {**columns, "step": [float(entry) + 1 for entry in table.columns["run"]]}


def _taken(table: Table, keys: tuple[str, ...]) -> tuple[Table, tuple[str, ...]]:
    if len(keys) != len(table.keys):
        raise OptionError(
            f"{table.place}: {option('keys', '/'.join(keys))} names {len(keys)} level(s), the file has {len(table.keys)}."
        )
    left: list[str] = []
    for level, name in zip(keys, list(table.keys), strict=True):
        if level in ROLES:
            left.append(level)
        else:
            table = _only(table, name, level)
    return table, tuple(left)


def _only(table: Table, name: str, key: str) -> Table:
    labels = table.columns[name]
    rows = [index for index, label in enumerate(labels) if label == key]
    if not rows:
        raise OptionError(f"{table.place}: there is no key {key!r}; found {_shown(list(dict.fromkeys(labels)))}.")
    columns = {other: [column[i] for i in rows] for other, column in table.columns.items() if other != name}
    left_out = len(dict.fromkeys(labels)) - 1
    return replace(
        table,
        columns=columns,
        keys={other: role for other, role in table.keys.items() if other != name},
        row=named_row(columns),
        notes=(
            *table.notes,
            f"only what stands under {key!r} is read; {left_out} other key(s) of its level are left out",
        ),
    )


def decided(levels: Sequence[Sequence[str]], usual: Sequence[str], around: Around, place: str) -> tuple[str, ...]:
    """Return the role of each level of keys, outermost first.

    Raises
    ------
    DataError
        It cannot be told.
    """
    said = [said_by(labels) for labels in levels]
    for labels, what in zip(levels, said, strict=True):
        if what == "metric":
            raise DataError(_like_metrics(place, labels, usual))
        if what is not None and what in NOT_NAMES:
            raise DataError(_undecided(place, labels, NOT_NAMES[what], usual))
    if len(levels) == 1:
        return (_single(levels[0], said[0], usual[0], around, place),)
    roles = _pair(said, usual)
    if roles is None:
        raise DataError(
            _undecided(place, levels[0], f"and {_shown(levels[1])} inside them both look like {said[0]}s", usual)
        )
    return roles


def _single(labels: Sequence[str], said: Said | None, usual: str, around: Around, place: str) -> str:
    if said is not None:
        return str(said)
    if not around.shared or around.numbered or usual == "task":
        return usual
    if around.files_name in ("algorithm", "task"):
        return "task" if around.files_name == "algorithm" else "algorithm"
    raise DataError(_undecided(place, labels, "stand in several files, and may be algorithms or tasks", [usual]))


def _pair(said: Sequence[Said | None], usual: Sequence[str]) -> tuple[str, ...] | None:
    """Return the roles of two levels, the one that is not told following from the other; None if both look alike."""
    outer, inner = (None if what is None else str(what) for what in said)
    beside = {"task": "algorithm", "algorithm": "task"}
    if outer is None and inner is None:
        return tuple(usual)
    if outer is None:
        outer = beside.get(str(inner), usual[0])
    if inner is None:
        inner = beside.get(outer, usual[1])
    return None if outer == inner else (outer, inner)


def _like_metrics(place: str, labels: Sequence[str], usual: Sequence[str]) -> str:
    given = option("keys", "/".join(usual))
    return (
        f"{place}: {_shown(metrics_among(labels))} among the names {_shown(labels)} are named like metrics, steps or times; leave them "
        f"out, or say what all the names are: {given}."
    )


def _undecided(place: str, labels: Sequence[str], why: str, usual: Sequence[str]) -> str:
    one = len(usual) == 1
    example = option("keys", "task" if one else "task/algorithm")
    other = f", or only one key: {option('keys', labels[0] if one else labels[0] + '/' + usual[1])}" if not one else ""
    return f"{place}: the names {_shown(labels)} {why}; say what they are: {example} (algorithm, task or run){other}."


def _shown(labels: Sequence[str]) -> str:
    found = list(dict.fromkeys(labels))
    return listed(found[:4]) + (f" and {len(found) - 4} more" if len(found) > 4 else "")
