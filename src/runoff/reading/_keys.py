"""The roles of JSON keys and array names: algorithms, tasks or runs.

The user decides (`keys`), otherwise known names of the field, otherwise the roles of the file names, otherwise the documented order. Names
that look like amounts of training, metrics or bare numbers are refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from runoff.errors import DataError, OptionError
from runoff.reading._known import Meaning, is_contender, meaning_of, metrics_among
from runoff.reading._name_levels import levels_of
from runoff.reading.formats.base import INNER_KEY, KEY, named_row
from runoff.tables.columns import (
    FRAME,
    NAMED,
    listed,
)
from runoff.tables.labels import Values
from runoff.tables.source import SourceTable
from runoff.words.labels import is_spread
from runoff.words.patterns import regex
from runoff.words.speech import column, option
from runoff.words.words import kind, words

NOT_NAMES: Mapping[str, str] = {
    "amount": "look like amounts of training, or levels",
    "number": "are bare numbers",
    "parts": "are kinds of data of the same runs",
    "runs_of": "name an algorithm and a run together (a table with columns for both can be read)",
}


BESIDE_IT: Mapping[str, str] = {"task": "algorithm", "algorithm": "task"}
"""The role of one of two levels of names -> that of the other."""
UNNAMED = regex(r"arr_\d+")
"""What NumPy calls arrays that were saved without names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """The context of a file: the roles of the names of all files, and whether several files have these keys."""

    files_name: Meaning | None = None
    numbered: bool = False
    shared: bool = False


def parsed_keys(keys: str | None) -> tuple[str, ...] | None:
    """Return the levels in `keys`: "task/algorithm", "100k/task"."""
    if keys is None:
        return None
    levels = tuple(level.strip() for level in keys.split("/"))
    if not all(levels) or any(levels.count(role) > 1 for role in NAMED):
        raise OptionError(
            f"{option('keys', keys)}: each level is algorithm, task, run, or the single key to read, and no role may come twice; for example "
            f"{option('keys', 'task/algorithm')}."
        )
    return levels


def with_roles(table: SourceTable, keys: tuple[str, ...] | None, around: Around) -> SourceTable:
    """Return a table of keys with the role of each: columns are renamed, or a single key is taken; refuse undecidable or unsuitable keys."""
    if not table.keys:
        refuse_keys(table, keys)
        return table
    if len(table.keys) == 1 and (keys is None or len(keys) == 2):
        table = _in_levels(table, sure=keys is None)
    if keys is not None:
        table, keys = _taken(table, keys)
    labels_of = {name: list(dict.fromkeys(table.columns[name])) for name in table.keys}
    levels, usual = list(labels_of.values()), list(table.keys.values())
    # Of one level, or where keys name the runs as well, a wrong guess shows in the notes at once; two swapped levels
    # would compare tasks as if they were algorithms.
    if keys is None and len(levels) == 2 and "run" in table.columns:
        _refuse_unknown(levels, usual, table.place)
    if len(levels) == 1:
        usual += [role for role in NAMED if role not in {*usual, *table.columns}]
    roles = decided(levels, usual, around, table.place) if keys is None else keys
    names = dict(zip(table.keys, roles, strict=True))
    columns: dict[str, Values] = {
        names.get(name, name): column for name, column in table.columns.items() if name != "run"
    }
    if "run" in table.columns:
        columns = _with_entries(columns, table)
    notes = [f"{_shown(labels)}: taken as {role}s" for labels, role in zip(labels_of.values(), roles, strict=True)]
    return table.noted(*notes, columns=columns, keys={}, levels=tuple(roles), row=named_row(columns))


def _in_levels(table: SourceTable, *, sure: bool) -> SourceTable:
    """Return a table with a key for each level if its keys name a known algorithm and a known task together: `PPO_Hopper`; not `sure`: if they
    have two parts."""
    (name,) = table.keys
    labels = list(dict.fromkeys(map(str, table.columns[name])))
    levels = levels_of(labels, NAMED[:2], depth=0 if sure else 2)
    if levels is None or len(levels.roles) > 2 or (sure and not levels.certain) or {*NAMED[:2]} & table.columns.keys():
        return table
    at = dict(zip(labels, levels.parts, strict=True))
    columns: dict[str, Values] = {KEY: [], INNER_KEY: []}
    columns = {own: [at[str(label)][i] for label in table.columns[name]] for i, own in enumerate(columns)}
    columns |= table.others(name)
    keys = dict(zip((KEY, INNER_KEY), levels.roles, strict=True))
    return replace(table, columns=columns, keys=keys)


def roles_of_levels(columns: Any, keys: str | None) -> list[str]:
    """Return the roles of a frame's column levels, outermost first: from `keys`, otherwise from their labels."""
    parsed = parsed_keys(keys)
    if parsed is not None and (len(parsed) != columns.nlevels or not set(parsed) <= set(NAMED)):
        raise OptionError(
            f"{FRAME}: {option('keys', '/'.join(parsed))} does not name the {columns.nlevels} levels of its columns; for example "
            f"{option('keys', 'algorithm/task')}."
        )
    if columns.nlevels != 2 and parsed is None:
        raise DataError(
            f"{FRAME}: its columns are labelled in {columns.nlevels} levels without names; name them, outermost first, for example "
            f"{option('keys', 'algorithm/task/run')}."
        )
    levels = [list(dict.fromkeys(map(str, columns.get_level_values(at)))) for at in range(columns.nlevels)]
    return list(parsed or decided(levels, ("algorithm", "task"), Around(), FRAME))


def refuse_keys(table: SourceTable, keys: tuple[str, ...] | None) -> None:
    """Refuse `keys` for a table that has none."""
    if keys is not None:
        message = f"{table.place}: {option('keys', '/'.join(keys))} cannot be used, because the file has no keys and is not a wide table."
        raise OptionError(message)


def _with_entries(columns: dict[str, Values], table: SourceTable) -> dict[str, Values]:
    """Return the columns with the role of positions in lists: runs, or the evaluations of runs that keys name."""
    if "run" not in columns:
        return {**columns, "run": table.columns["run"]}
    if "step" in columns or "task" in table.columns:
        raise DataError(
            f"{table.place}: the names {_shown(list(map(str, columns['run'])))} look like runs, but each has several runs; use "
            f"{option('keys', 'algorithm')}."
        )
    return {**columns, "step": [float(entry) + 1 for entry in table.columns["run"]]}


def _taken(table: SourceTable, keys: tuple[str, ...]) -> tuple[SourceTable, tuple[str, ...]]:
    if len(keys) != len(table.keys):
        message = f"{table.place}: {option('keys', '/'.join(keys))} names {len(keys)} level(s), the file has {len(table.keys)}."
        raise OptionError(message)
    left: list[str] = []
    for level, name in zip(keys, list(table.keys), strict=True):
        if level in NAMED:
            left.append(level)
        else:
            table = _only(table, name, level)
    return table, tuple(left)


def _only(table: SourceTable, name: str, key: str) -> SourceTable:
    labels = table.columns[name]
    rows = [index for index, label in enumerate(labels) if label == key]
    if not rows:
        raise OptionError(f"{table.place}: there is no key {key!r}; found {_shown(list(dict.fromkeys(labels)))}.")
    keys = {other: role for other, role in table.keys.items() if other != name}
    left_out = len(dict.fromkeys(labels)) - 1
    note = f"only the content of {key!r} is read; {left_out} other key(s) of its level are left out"
    below = replace(table, columns=table.others(name), keys=keys).some_rows(np.array(rows), note)
    return replace(below, row=named_row(below.columns))


def decided(levels: Sequence[Sequence[str]], usual: Sequence[str], around: Around, place: str) -> tuple[str, ...]:
    """Return the role of each level of keys, outermost first; raise a `DataError` that asks for roles that cannot be decided.

    usual: the default roles of the levels; for a single level all possible roles, the likeliest first.
    """
    meanings = [meaning_of(labels) for labels in levels]
    for labels, what in zip(levels, meanings, strict=True):
        if unnamed := next(filter(UNNAMED.fullmatch, labels), ""):
            raise DataError(
                f"{place}: {_shown(labels)}: {unnamed!r} is what NumPy calls an array without a name, which may be of an algorithm, a task or "
                f"another measure; save it by name, numpy.savez(path, PPO=array), or use {option('keys', '/'.join(usual[: len(levels)]))} if "
                f"each is one, or {option('keys', unnamed)} to read it alone."
            )
        # {PPO: …, PPO_std: …}: a spread among algorithms would take part in the comparison.
        if what == "metric":
            raise DataError(_metrics(place, labels, usual[: len(levels)]))
        if what == "pair":
            raise DataError(
                f"{place}: the names {_shown(labels)} name an algorithm and a task together; make it one row per score, with columns for the "
                "algorithm, the task, the run and the score."
            )
        if what is not None and what in NOT_NAMES:
            raise DataError(_undecided(place, labels, NOT_NAMES[what], usual, single=len(levels) == 1))
    if len(levels) == 1:
        return (_single(levels[0], meanings[0], usual, around, place),)
    # of two levels, the one that is not told follows from the other
    outer, inner = (None if what is None else str(what) for what in meanings)
    # Names such as `ours` and `baseline` say that the level is one of algorithms.
    if outer is None and inner is None:
        outer, inner = ("algorithm" if any(map(is_contender, labels)) else None for labels in levels)
    if outer is None and inner is None:
        # The documented order, {algorithm: {task: …}}; the notes say that it was taken.
        return tuple(usual)
    outer = outer or BESIDE_IT.get(str(inner), usual[0])
    inner = inner or BESIDE_IT.get(outer, usual[1])
    if outer == inner:
        why = f"and {_shown(levels[1])} inside them both look like {meanings[0]}s"
        raise DataError(_undecided(place, levels[0], why, usual, single=False))
    return outer, inner


def _metrics(place: str, labels: Sequence[str], usual: Sequence[str]) -> str:
    """Return the words for names that measure, among names of algorithms or tasks."""
    spreads = any(is_spread(re.split(r"[ _.:-]", label)[-1]) for label in labels)
    # Steps beside returns are a learning curve, and no task.
    curves = any(kind(label) == "step" for label in labels)
    otherwise = "give the score of every run" if spreads or curves else f"use {option('keys', '/'.join(usual))}"
    # `mean_eval`, `best_eval`: statistics of one measure
    if len(labels) > 1 and len({words(label)[-1:] for label in labels}) == 1:
        otherwise = f"name the score, {column('score', labels[0])}, if one run has them all, or {otherwise}"
    return (
        f"{place}: {_shown(metrics_among(labels))} among the names {_shown(labels)} are named like metrics, steps or times; leave them "
        f"out, or {otherwise}."
    )


def _refuse_unknown(levels: Sequence[Sequence[str]], usual: Sequence[str], place: str) -> None:
    """Refuse two levels of unknown names above runs, because either may be the algorithms."""
    if not any(meaning_of(labels) or any(map(is_contender, labels)) for labels in levels):
        raise DataError(
            f"{place}: nothing says whether the outer names, {_shown(levels[0])}, are algorithms or tasks, nor the inner ones, "
            f"{_shown(levels[1])}; use {option('keys', '/'.join(usual))}, or {option('keys', '/'.join(reversed(usual)))}."
        )


def _single(labels: Sequence[str], meaning: Meaning | None, roles: Sequence[str], around: Around, place: str) -> str:
    if meaning is not None:
        return str(meaning)
    if not around.shared and any(map(is_contender, labels)):
        return "algorithm"
    # `accuracy.json` is called by what was measured, and no algorithm.
    if around.files_name == "metric" and "algorithm" in roles:
        return "algorithm"
    # Below a task stand algorithms, whatever the shape of the file is for.
    if around.files_name == "task" and "algorithm" in roles and around.shared:
        return "algorithm"
    # `ppo.npz` of names that nobody knows: variants of it, or tasks.
    if not around.shared and around.files_name == "algorithm" and roles[0] == "algorithm":
        why = "are in a file that is called by an algorithm, and may be tasks or algorithms"
        raise DataError(_undecided(place, labels, why, ["task", "algorithm"], single=True))
    # One file, or files that differ in a number alone, say nothing more: the usual meaning. Names that come again in
    # several files are what the files do not name.
    if not around.shared or around.numbered or roles[0] == "task":
        return roles[0]
    if role := BESIDE_IT.get(str(around.files_name)):
        return role
    raise DataError(
        _undecided(place, labels, "are in several files, and may be algorithms or tasks", roles, single=True)
    )


def _undecided(place: str, labels: Sequence[str], why: str, usual: Sequence[str], *, single: bool) -> str:
    if single and why == NOT_NAMES["parts"]:
        return f"{place}: the names {_shown(labels)} {why}; name the key to read: {option('keys', sorted(labels)[0])}."
    # A mere `s1` may be a size.
    if single and why == NOT_NAMES["runs_of"] and all(re.search(r"(?i)seed|run|rep|trial", label) for label in labels):
        return (
            f"{place}: the names {_shown(labels)} {why}; if what is below a name are evaluations of this run, save their steps beside them, as "
            "'steps'."
        )
    if single:
        return f"{place}: the names {_shown(labels)} {why}; use {' or '.join(option('keys', role) for role in usual)}."
    other = f"{option('keys', 'task/algorithm')} (algorithm, task or run), or only one key: {option('keys', f'{labels[0]}/{usual[1]}')}"
    return f"{place}: the names {_shown(labels)} {why}; use {other}."


def _shown(labels: Sequence[str]) -> str:
    return listed(list(dict.fromkeys(labels)), 4)
