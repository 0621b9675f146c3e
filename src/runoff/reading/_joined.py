"""Joining several files that were read in one table: how their runs are distinguished, and whether they are compatible."""

from __future__ import annotations

import hashlib
import os
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

import numpy as np

from runoff.errors import DataError, OptionError, warn
from runoff.reading._crossed import by_levels
from runoff.reading._gathered import Gathered
from runoff.reading._layout import Part
from runoff.reading._paths import File, shown
from runoff.reading._repeated import RESUMED
from runoff.tables.columns import SETTINGS, listed
from runoff.tables.labels import Labels
from runoff.tables.likely import Chosen
from runoff.tables.settings import settings_asked
from runoff.tables.source import SourceTable
from runoff.tables.summaries import without_names
from runoff.tables.tidy import joined_extras, one_array
from runoff.tables.unnamed import cells_of
from runoff.words.labels import KINDS_OF_DATA
from runoff.words.speech import option
from runoff.words.words import without_numbers

# ── several files → one table ──────────


CellKey = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A file that was read; `label` distinguishes it from the others, `unmet` are names to exclude that no column of it has."""

    file: File
    label: str
    part: Part
    format: str
    sha256: str
    unmet: frozenset[str] = frozenset()


def joined(read: Sequence[Read], place: str, has_step: bool) -> SourceTable:
    """Return one table of all files; runs that are only numbered carry the name of their file."""
    columns: dict[str, Any] = {
        role: Labels.joined([entry.part.tidy.labels[role] for entry in read]) for role in ("algorithm", "task")
    }
    columns["run"] = Labels.joined([_runs(entry, alone=len(read) == 1) for entry in read])
    if any(entry.part.tidy.configs for entry in read):
        columns["config"] = Labels.joined([entry.part.tidy.config for entry in read])
    settings = {config: own for entry in read for config, own in entry.part.tidy.settings.items()}
    columns["score"] = one_array([entry.part.tidy.score for entry in read])
    if has_step:
        columns["step"] = one_array([entry.part.tidy.step for entry in read if entry.part.tidy.step is not None])
        columns |= joined_extras([entry.part.table for entry in read])
    starts = [0, *accumulate(entry.part.tidy.score.size for entry in read)]

    def row(index: int) -> str:
        which = bisect_right(starts, index) - 1
        return f"{shown(read[which].file.path.name)} {read[which].part.table.row(index - starts[which])}"

    first = read[0].part.table
    row_of_all = first.row if len(read) == 1 else row
    levels, counted = first.levels, all(entry.part.runs_by in ("count", "row") for entry in read)
    # A path that names an algorithm names no summary of others, as a row does, unless its numbers say so.
    vouched = {role for entry in read for role in entry.part.where} - {"run"} | ({"run"} if counted else set())
    return SourceTable(
        columns=columns,
        place=place,
        row=row_of_all,
        settings=settings,
        levels=levels,
        vouched=frozenset(vouched),
        structural=True,
    )


def _runs(entry: Read, *, alone: bool) -> Labels:
    labels = entry.part.tidy.labels["run"]
    counted = not alone and entry.part.runs_by in ("count", "row")
    return labels.mapped(lambda run: f"{entry.label}:{run}") if counted else labels


def digest(read: Sequence[Read]) -> str:
    """Return the sha256 of a single file's bytes; for several files, that of their sorted lines "name, zero byte, sha256 of the bytes"."""
    if len(read) == 1:
        return read[0].sha256
    common = os.path.commonpath([os.path.abspath(entry.file.path.parent) for entry in read])
    names = {shown(os.path.relpath(os.path.abspath(entry.file.path), common)): entry.sha256 for entry in read}
    return hashlib.sha256("".join(f"{name}\0{names[name]}\n" for name in sorted(names)).encode()).hexdigest()


# ── do the files fit together? ──────────


def pooled(read: Sequence[Read]) -> list[str]:
    """Return notes on runs of an algorithm on a task that come from several files; refuse them if nothing distinguishes the files."""
    if len(read) == 1:
        return []
    first: dict[CellKey, Read] = {}
    shared: dict[str, list[str]] = {}
    seen: dict[tuple[CellKey, str], Read] = {}
    for entry in read:
        labels = entry.part.tidy.labels
        rows = np.unique(cells_of(labels["algorithm"], labels["task"]), return_index=True)[1].tolist()
        for cell in ((labels["algorithm"][i], labels["task"][i]) for i in rows):
            other = first.setdefault(cell, entry)
            ways = {entry.part.runs_by, other.part.runs_by}
            # Rows without a number beside numbered ones may be the same attempts again.
            if other is not entry and ("count" in ways or ("row" in ways and len(ways) > 1)):
                # `PPO_1.csv`, `PPO_2.csv` are batches of one algorithm; `a.csv`, `b.csv` may be two, or two tasks.
                if len({without_numbers(str(read.file.path)) for read in (other, entry)}) > 1:
                    raise DataError(
                        f"{shown(other.file.path)} and {shown(entry.file.path)} both hold runs of algorithm {cell[0]!r} on task {cell[1]!r}, "
                        f"and nothing shows how the files differ: name the parts of their paths, for example {option('pattern', '{algorithm}')} "
                        f"or {option('pattern', '{task}')}, or put the runs in a column."
                    )
                shared.setdefault(cell[0], [other.file.path.name]).append(entry.file.path.name)
            if entry.part.runs_by == "path":
                twin = seen.setdefault((cell, f"{entry.part.tidy.config[0]} {labels['run'][0]}"), entry)
                if twin is not entry:
                    raise DataError(_same_run(twin, entry, cell, labels["run"][0]))
    if not shared:
        return []
    names = sorted({name for names in shared.values() for name in names})
    note = (
        f"the runs of {listed(sorted(shared))} come from {len(names)} numbered files ({shown(names[0])} to {shown(names[-1])}): they are taken "
        "as batches, and pooled"
    )
    warn(note)
    return [note]


def _same_run(twin: Read, entry: Read, cell: CellKey, run: str) -> str:
    paths = twin.file.path, entry.file.path
    both = f"{shown(paths[0])} and {shown(paths[1])} would both be run {run!r} of algorithm {cell[0]!r} on task {cell[1]!r}"
    if paths[0].parent == paths[1].parent and KINDS_OF_DATA.issuperset(path.stem for path in paths):
        return f"{both}; by their names they are two kinds of data of one run: give only the files of one kind (…/{paths[1].name})."
    if any(RESUMED.search(path.stem) for path in paths):
        return f"{both}; if one resumed the other, join their rows in one file, and keep the later of two rows at one step."
    levels = by_levels(tuple(map(shown, paths[1].with_suffix("").parts[-3:])))
    return f"{both}; leave one file for each run, or use {levels}."


def agreed_on_steps(read: Sequence[Read]) -> bool:
    """Return whether the files contain learning curves; refuse a mix of both kinds."""
    with_step = [entry for entry in read if entry.part.tidy.step is not None]
    if with_step and len(with_step) < len(read):
        without = next(entry for entry in read if entry.part.tidy.step is None)
        raise DataError(
            f"{shown(with_step[0].file.path)} has learning curves, {shown(without.file.path)} one score per run; read one kind at a time, "
            "for example with a glob."
        )
    return bool(with_step)


def as_asked(gathered: Gathered, read: Sequence[Read], keys: tuple[str, ...] | None) -> Gathered:
    """Return the table without excluded names; `keys` confirm the roles of the others."""
    unmet = sorted(frozenset.intersection(*(entry.unmet for entry in read)))
    vouched = gathered.table.vouched | {*(keys or ())} - {"run"}
    table = without_names(replace(gathered.table, vouched=vouched), unmet)
    origin = gathered.provenance.noting(*(f"left out by request: {name!r}" for name in unmet))
    return replace(gathered, table=table, provenance=origin)


def refuse_columns_unused(read: Sequence[Read], chosen: Chosen) -> None:
    """Refuse columns that the user names if no file has named columns."""
    wanted = [role for role in chosen if role != SETTINGS or any(settings_asked(chosen).values())]
    if wanted and all(entry.part.table.structural and not entry.part.table.melted for entry in read):
        raise OptionError(
            f"{read[0].part.table.place}: {option('columns')} cannot be used, because the file has no named columns."
        )
