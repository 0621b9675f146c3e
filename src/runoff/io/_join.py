"""Files that were read → one table: do they fit together, and how are their rows told apart?"""

from __future__ import annotations

import hashlib
import os
import re
import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from runoff.errors import DataError, RunoffWarning
from runoff.io._layout import Part
from runoff.io._paths import File, shown
from runoff.tables.columns import ROLES, listed
from runoff.tables.tidy import Table, joined_extras
from runoff.words.speech import option
from runoff.words.words import KINDS_OF_DATA

Cell = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A file that was read; `label` tells it from the others."""

    file: File
    label: str
    part: Part
    format: str
    sha256: str


def joined(read: Sequence[Read], place: str, has_step: bool) -> Table:
    """Return one table of all files; runs that are only counted carry the name of their file."""
    columns: dict[str, Any] = {
        role: [name for one in read for name in one.part.tidy.labels[role]] for role in ("algorithm", "task")
    }
    columns["run"] = [run for one in read for run in _runs(one, alone=len(read) == 1)]
    columns["score"] = np.concatenate([one.part.tidy.score for one in read])
    if has_step:
        columns["step"] = np.concatenate([one.part.tidy.step for one in read if one.part.tidy.step is not None])
        if all(one.part.table.n_rows == one.part.tidy.score.size for one in read):
            columns |= joined_extras([one.part.table for one in read])
    row = read[0].part.table.row if len(read) == 1 else _rows_of_many(read)
    return Table(columns=columns, place=place, row=row, structural=True)


def _runs(one: Read, *, alone: bool) -> list[str]:
    runs = list(one.part.tidy.labels["run"])
    return runs if alone or one.part.runs_by != "count" else [f"{one.label}:{run}" for run in runs]


def _rows_of_many(read: Sequence[Read]) -> Callable[[int], str]:
    starts = [0, *accumulate(one.part.tidy.score.size for one in read)]

    def row(index: int) -> str:
        one = bisect_right(starts, index) - 1
        return f"{shown(read[one].file.path.name)} {read[one].part.table.row(index - starts[one])}"

    return row


def digest(read: Sequence[Read]) -> str:
    """Return the sha256 of one file's bytes; of several, of their sorted lines "name, zero byte, sha256 of the bytes"."""
    if len(read) == 1:
        return read[0].sha256
    common = os.path.commonpath([os.path.abspath(one.file.path.parent) for one in read])
    names = {shown(os.path.relpath(os.path.abspath(one.file.path), common)): one.sha256 for one in read}
    whole = hashlib.sha256()
    for name in sorted(names):
        whole.update(f"{name}\0{names[name]}\n".encode())
    return whole.hexdigest()


# ── do the files fit together? ──────────


def pooled(read: Sequence[Read]) -> list[str]:
    """Return notes on runs that several files give to one algorithm on one task.

    Raises
    ------
    DataError
        Nothing says that they are different runs of one algorithm.
    """
    first: dict[Cell, Read] = {}
    shared: dict[str, list[str]] = {}
    seen: dict[tuple[Cell, str], Read] = {}
    for one in read:
        labels = one.part.tidy.labels
        for cell in dict.fromkeys(zip(labels["algorithm"], labels["task"], strict=True)):
            other = first.setdefault(cell, one)
            if other is not one and "count" in (one.part.runs_by, other.part.runs_by):
                _refuse_other_names(other, one, cell)
                shared.setdefault(cell[0], [other.file.path.name]).append(one.file.path.name)
            if one.part.runs_by == "path":
                twin = seen.setdefault((cell, labels["run"][0]), one)
                if twin is not one:
                    raise DataError(_same_run(twin, one, cell, labels["run"][0]))
    return [_noted(shared)] if shared else []


def _refuse_other_names(other: Read, one: Read, cell: Cell) -> None:
    names = [re.sub(r"\d+", "#", str(each.file.path)) for each in (other, one)]
    if names[0] != names[1]:
        raise DataError(
            f"{shown(other.file.path)} and {shown(one.file.path)} both hold runs of algorithm {cell[0]!r} on task {cell[1]!r}, and nothing says "
            f"what tells the files apart: say what their names are, for example {option('pattern', '{algorithm}')} or "
            f"{option('pattern', '{task}')}, or put the runs in a column."
        )


def _same_run(twin: Read, one: Read, cell: Cell, run: str) -> str:
    kinds = [each.file.path.stem.casefold() for each in (twin, one)]
    if twin.file.path.parent == one.file.path.parent and KINDS_OF_DATA.issuperset(kinds):
        return (
            f"{shown(twin.file.path)} and {shown(one.file.path)} would both be run {run!r} of algorithm {cell[0]!r} on task {cell[1]!r}; their "
            f"names say that they are two kinds of data of one run: give the files of one kind (…/{one.file.path.name})."
        )
    return (
        f"{shown(twin.file.path)} and {shown(one.file.path)} would both be run {run!r} of algorithm {cell[0]!r} on task {cell[1]!r}; say what "
        f"their paths name: {option('pattern', '{algorithm}/{task}/{run}')}."
    )


def _noted(shared: dict[str, list[str]]) -> str:
    names = sorted({name for names in shared.values() for name in names})
    note = (
        f"the runs of {listed(sorted(shared))} come from {len(names)} numbered files ({shown(names[0])} to {shown(names[-1])}): they are taken "
        "as batches, and pooled"
    )
    warnings.warn(note, RunoffWarning, stacklevel=5)
    return note


def agreed_on_steps(read: Sequence[Read]) -> bool:
    """Return whether the files hold learning curves.

    Raises
    ------
    DataError
        Some do, others hold one score per run.
    """
    with_step = [one for one in read if one.part.tidy.step is not None]
    if with_step and len(with_step) < len(read):
        without = next(one for one in read if one.part.tidy.step is None)
        raise DataError(
            f"{shown(with_step[0].file.path)} holds learning curves, {shown(without.file.path)} one score per run; read one kind at a time, "
            "for example with a glob."
        )
    return bool(with_step)


def noted_names(read: Sequence[Read]) -> Iterator[str]:
    """Yield a note for each role that files name differently."""
    for role in ROLES:
        names = {one.part.tidy.mapping[role]: one for one in reversed(read) if role in one.part.tidy.mapping}
        if len(names) > 1:
            calls = ", ".join(f"{name!r} in {shown(one.file.path.name)}" for name, one in names.items())
            note = f"the files name the {role} differently ({calls})"
            if role in ("step", "score"):
                note += ": make sure that they share one unit"
                warnings.warn(note, RunoffWarning, stacklevel=5)
            yield note
