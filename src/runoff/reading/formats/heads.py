"""Headers of two lines: names merged over several columns, and in the line below names that distinguish these; read as one row per score.

And heads in the first column of a table that lies on its side.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from runoff.errors import DataError, warn
from runoff.reading._known import is_contender, meaning_of
from runoff.reading.formats.sheets import swept
from runoff.tables.columns import NAMED, listed, playing, roles_of
from runoff.tables.likely import candidates
from runoff.tables.numerals import FRACTION
from runoff.tables.source import SourceTable
from runoff.tables.values import is_empty, parsed
from runoff.words.costs import direction
from runoff.words.labels import is_summary, run_of
from runoff.words.speech import option
from runoff.words.words import kind

TextColumns = list[tuple[str, Sequence[Any]]]
"""Names of columns, some of which may be equal, and their texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heads:
    """A header of several lines: the name of each level, the columns of labels, the names above each column of scores, and the number of
    header lines that are rows of the table."""

    levels: tuple[str, str]
    labels: dict[str, Sequence[Any]]
    names: Sequence[tuple[str, str]]
    scores: Sequence[Sequence[Any]]
    skipped: int = 1
    notes: tuple[str, ...] = ()


def of_levels(
    place: str, at: int, columns: TextColumns, starts: Sequence[int], keys: tuple[str, ...] | None
) -> SourceTable | None:
    """Return the table below a header of several lines; None for any other header. `keys`: the roles of the names in the two lines, if the
    user gives them."""
    heads = _of_pandas(columns) or _merged(place, at, columns, keys)
    if heads is None:
        return None
    rows = range(heads.skipped, len(columns[0][1]))
    lines = [starts[i] if starts else at + 1 + i for i in rows]
    # Two columns may have the same names: their rows are runs.
    scored = {f"column {i} of scores": values for i, values in enumerate(heads.scores)}
    own = {name: [values[i] for i in rows] for name, values in {**heads.labels, **scored}.items()}
    note = f"the header has {heads.skipped + 1} lines: columns are labelled by {heads.levels[0]} and {heads.levels[1]}"
    table = SourceTable(
        columns=own, place=place, row=lambda i: f"line {lines[i]}", levels=heads.levels, notes=(note, *heads.notes)
    )
    table = swept(table)
    fields: dict[str, Sequence[Any]] = {
        level: [pair[i] for pair in heads.names for _ in range(table.n_rows)] for i, level in enumerate(heads.levels)
    }
    for label in heads.labels:
        fields[label] = [value for _ in heads.names for value in table.columns[label]]
    fields["score"] = [value for name in scored for value in table.columns[name]]
    return replace(table, columns=fields, row=lambda i: table.row(i % table.n_rows))


def _of_pandas(columns: TextColumns) -> Heads | None:
    """Return the header of a pandas pivot, which has a line for each level, named in the first column."""
    (first, labels), *others = columns
    levels = (first, str(labels[0]) if len(labels) else "")
    roles = [next(iter(roles_of(name)), "") for name in levels]
    beside = {
        ("", "algorithm"): "task",
        ("", "task"): "algorithm",
        ("algorithm", ""): "task",
        ("task", ""): "algorithm",
    }
    rows = [str(label) for label in labels[1:]]
    below = bool(rows) and (bool(roles_of(rows[0])) or all(run_of(label) for label in rows))
    if all(levels) and (left := beside.get((roles[0], roles[1]))) and below:
        # `dataset` above `algo`: pandas names both levels, and the rows in a third line; or the rows are `run 1`, `run 2`.
        roles[roles.index("")] = left
        levels = (roles[0], roles[1])
    if len(labels) < 3 or "" in roles or len({*roles}) < len(roles) or not others:
        return None
    second = [str(values[0]).strip() for _, values in others]
    names = _filled([name for name, _ in others])
    # `Task` beside names of algorithms is the head of the labels below it.
    if _role(names) not in ("", roles[0]):
        return None
    # Numbers below the names of a pivot are its runs; elsewhere they are the first row of a table.
    if _heads_runs(levels[1], second, labels[1:]):
        return None
    if not all(second) or (roles[1] != "run" and any(parsed(text) is not None for text in second)):
        return None
    # A third line names the rows, and holds nothing else.
    named = bool(str(labels[1]).strip()) and not any(str(values[1]).strip() for _, values in others)
    # Below algorithms and their runs names of rows are what these two leave.
    left = next(role for role in NAMED if role not in roles)
    texts = not any(is_empty(label) or parsed(label) is not None or _measures(str(label)) for label in labels[1:])
    skipped, index = (2, str(labels[1]).strip()) if named else (1, left if texts else "run")
    pairs = list(zip(names, second, strict=True))
    return Heads(
        levels=levels, labels={index: labels}, names=pairs, scores=[values for _, values in others], skipped=skipped
    )


def _filled(names: Sequence[str]) -> list[str]:
    """Return names with the name of a merged cell above each of its columns, and without the numbers that pandas gives to repeated names."""
    filled: list[str] = []
    for name in map(str.strip, names):
        before = filled[-1] if filled else ""
        merged = not name or re.fullmatch(rf"{re.escape(before)}\.\d+", name)
        filled.append(before if merged else name)
    return filled


def with_runs_below(columns: TextColumns) -> TextColumns | None:
    """Return the columns below a head of runs that is merged over several of them, `Seed` over 42 and 1337, called by it and what stands below
    it, where no other column has anything in that line; None of others."""
    names = _filled([name for name, _ in columns])
    below = [str(values[0]).strip() if len(values) else "" for _, values in columns]
    over = [i for i, text in enumerate(below) if text]
    heads = {names[i] for i in over}
    if len(over) < 2 or len(heads) > 1 or len({*below}) <= len(over) or not candidates([*heads], "run"):
        return None
    merged = [i for i, name in enumerate(names) if name in heads]
    if merged != over or any(parsed(below[i]) is None and run_of(below[i]) is None for i in over):
        return None
    called = [
        f"{name} {text}" if text and run_of(text) is None else text or name
        for name, text in zip(names, below, strict=True)
    ]
    return [(name, list(values)[1:]) for name, (_, values) in zip(called, columns, strict=True)]


def _heads_runs(below: str, second: Sequence[str], labels: Sequence[Any]) -> bool:
    """Return whether the second of two cells above labels is the head of these, `Seed` above 1, 2, 3, and says nothing of the names beside it,
    which are no runs."""
    numbered = (parsed(label) is not None or run_of(str(label)) or is_summary(str(label)) for label in labels)
    return roles_of(below) == ["run"] and _role(second) != "run" and all(numbered)


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoLines:
    """The columns of labels next to a header of two lines, the names of both lines above each other column, and the values of these."""

    lines: Sequence[tuple[str, str]]
    labels: dict[str, Sequence[Any]]
    pairs: Sequence[tuple[str, str]]
    values: Sequence[Sequence[Any]]


def _two_lines(columns: TextColumns) -> TwoLines | None:
    """Return a header whose first line has names merged over columns, and whose second distinguishes these; None for any other."""
    lines = [(name.strip(), str(values[0]).strip() if len(values) else "") for name, values in columns]
    # `Plant` above `Seed`: what the names beside it are, and what the labels below are.
    if all(lines[0]) and _heads_runs(lines[0][1], [below for _, below in lines[1:]], columns[0][1][1:]):
        lines[0] = "", lines[0][1]
    # A word for a role is no name: `Task` above `Seed` are the heads of the labels, and of the line.
    n_labels = next(
        (i for i, (above, below) in enumerate(lines) if above and below and not roles_of(above)), len(lines)
    )
    # `params (M)` behind all of them is merged over both lines, and no name.
    end = max((i for i, (_, below) in enumerate(lines) if below), default=-1) + 1
    behind = {name: values for name, values in columns[end:] if n_labels}
    if len(behind) == len(columns) - end:
        columns, lines = columns[:end], lines[:end]
    second = [below for _, below in lines[n_labels:]]
    first = _filled([above for above, _ in lines[n_labels:]])
    pairs = list(zip(first, second, strict=True))
    labels = {above or below: columns[i][1] for i, (above, below) in enumerate(lines[:n_labels])} | behind
    # Most tables have a name for each column; only of others the cells are looked at.
    if (
        len({*first}) in (0, len(first))
        or not all(second)
        or len({*pairs}) < len(pairs)
        or len(labels) < n_labels + len(behind)
    ):
        return None
    return TwoLines(lines=lines[:n_labels], labels=labels, pairs=pairs, values=[own for _, own in columns[n_labels:]])


def of_measures(place: str, at: int, columns: TextColumns, starts: Sequence[int]) -> SourceTable | None:
    """Return a row for each name in the first line if the second line has the same measures below each: `Success`, `Trials`."""
    head = _two_lines(columns)
    if head is None:
        return None
    names = list(dict.fromkeys(name for name, _ in head.pairs))
    measures = [[below for name, below in head.pairs if name == own] for own in names]
    counted = any(kind(text) is not None and run_of(text) is None for text in measures[0])
    free = [role for role in NAMED[:2] if not candidates(head.labels, role)]
    role = _role(names) or (free[0] if len(free) == 1 else "")
    if not counted or any(own != measures[0] for own in measures) or role not in free:
        return None
    n_rows = len(columns[0][1]) - 1
    fields: dict[str, Sequence[Any]] = {role: [name for name in names for _ in range(n_rows)]}
    fields |= {label: [value for _ in names for value in values[1:]] for label, values in head.labels.items()}
    own = dict(zip(head.pairs, head.values, strict=True))
    fields |= {text: [value for name in names for value in own[name, text][1:]] for text in measures[0]}
    note = f"the header has 2 lines: below each {role} stand {listed(measures[0])}"
    return SourceTable(
        columns=fields,
        place=place,
        row=lambda i: f"line {starts[i % n_rows + 1] if starts else at + 2 + i % n_rows}",
        notes=(note,),
    )


def _merged(place: str, at: int, columns: TextColumns, keys: tuple[str, ...] | None) -> Heads | None:
    """Return a header whose first line has names merged over columns, and whose second distinguishes these, next to columns of labels."""
    head = _two_lines(columns)
    if head is None:
        return None
    lines, labels, pairs = head.lines, head.labels, head.pairs
    first, second = (list(side) for side in zip(*pairs, strict=True))
    n_labels = len(lines)
    below = [value for values in head.values for value in values[1:] if not is_empty(value)]
    if any(parsed(value) is None and not FRACTION.fullmatch(str(value)) for value in below):
        return None
    # Numbers below names are a row of scores, unless the cell of labels beside them is empty, or names the column.
    named = [below for _, below in lines if below]
    # Labels, or the names of two levels.
    both = [(above, below) for above, below in lines if above and below]
    if any(not roles_of(below) or _role(first) in ("", *roles_of(above)) for above, below in both):
        return None
    if any(parsed(text) is not None for text in second) and not (n_labels and all(map(roles_of, named))):
        return None
    runs, notes = _runs_beside_means(second)
    if not runs:
        return None
    for note in notes:
        warn(f"{place}: {note}")
    pairs = [pairs[i] for i in runs]
    levels = _levels(f"{place}, lines {at} and {at + 1}", pairs, list(labels), keys)
    # A column of labels without a name can only be what is missing.
    missing = next((role for role in NAMED if role not in levels), "")
    labels = {name or missing: values for name, values in labels.items()}
    return Heads(
        levels=levels, labels=labels, names=pairs, scores=[columns[n_labels + i][1] for i in runs], notes=notes
    )


def _runs_beside_means(second: Sequence[str]) -> tuple[list[int], tuple[str, ...]]:
    """Return which columns are not means of the runs next to them, and a note on those that are; none if columns are measures of others."""
    some = [i for i, text in enumerate(second) if not is_summary(text)]
    means = list(dict.fromkeys(text for text in second if is_summary(text)))
    if means and _role([second[i] for i in some]) == "run":
        return some, (f"left out: columns {listed(means)}, which summarise the runs beside them",)
    measures = any(kind(text) is not None and run_of(text) is None for text in second)
    return [] if measures else list(range(len(second))), ()


SUITE = "suite"
"""The column of names that group tasks, or algorithms."""


def _levels(
    place: str, pairs: Sequence[tuple[str, str]], labels: Sequence[str], keys: tuple[str, ...] | None
) -> tuple[str, str]:
    """Return the roles of the names in both lines, from the user or from the names themselves, in addition to the roles of the label columns."""
    free = [role for role in NAMED if not candidates(labels, role)]
    # A name that is no role is of a group, which says nothing more of a run.
    if keys is not None and len(keys) == 2 and not {*keys} & {*NAMED} - {*free}:
        return keys[0], keys[1]
    sides = [list(dict.fromkeys(side)) for side in zip(*pairs, strict=True)]
    roles = [_role(side) for side in sides]
    for i, other in ((0, 1), (1, 0)):
        # One that says nothing is what the other leaves.
        left = [role for role in free if role not in ("run", roles[other])]
        if not roles[i] and roles[other] and len(left) == 1:
            roles[i] = left[0]
    for i, other in ((0, 1), (1, 0)):
        # `Atari` above `Pong` and `Qbert`: each name stands in one group.
        alone = len(sides[other]) == len(pairs) and roles[other] in ("task", "algorithm")
        if not roles[i] and alone and not {"task", "algorithm"} - {roles[other]} & {*free}:
            roles[i] = SUITE
    if "" in roles or roles[0] == roles[1] or not {*roles} <= {*free, SUITE}:
        every = [(a, b) for a in free for b in free if a != b and a != "run"]
        ways = [(a, b) for a, b in every if roles[0] in ("", a) and roles[1] in ("", b)] or every
        groups = [(SUITE, role) for role in free if role != "run" and len(sides[1]) == len(pairs)]
        raise DataError(
            f"{place}: the header has two lines ({listed(sides[0], 3)}; {listed(sides[1], 3)}), and nothing says what their names are; use "
            f"{' or '.join(option('keys', '/'.join(way)) for way in (*ways, *groups)) or 'give one row per score'}."
        )
    return roles[0], roles[1]


def _measures(label: str) -> bool:
    """Return whether the label of a row is that of a measure, `return` or `path cost`, and no task."""
    return not is_summary(label) and (kind(label) is not None or direction(label) is not None)


def _role(names: Sequence[str]) -> str:
    meaning = meaning_of(names)
    if meaning in ("run", "number"):
        return "run"
    return str(meaning) if meaning in NAMED else "algorithm" if any(map(is_contender, names)) else ""


# ── a table on its side ──────────

MOST_NAMES = 50
"""Rows of a table that may lie on its side."""


def upright(columns: TextColumns) -> TextColumns | None:
    """Return the columns of a table that lies on its side, whose first column holds the names of columns; None of any other."""
    (first, cells), *others = columns
    if len(cells) >= MOST_NAMES or len(others) < 2:
        return None
    names = [first, *cells]
    alike = len({*names}) < len(names) or bool(playing([head for head, _ in others], ("run", "score")))
    roles = {role: candidates(names, role) for role in ("algorithm", "run", "task", "score")}
    # Of the levels of a pivot the last is empty, or numbers stand below it.
    rest = [name for name in names if not any(name in own for own in roles.values())]
    filled = all(str(cell).strip() for _, values in others for cell in values)
    scored = roles["score"] or (len(rest) == 1 and roles["task"] and filled and parsed(names[-1]) is None)
    if alike or not scored or not (roles["algorithm"] and roles["run"]):
        return None
    return list(zip(names, map(list, zip(*([head, *values] for head, values in others), strict=True)), strict=True))
