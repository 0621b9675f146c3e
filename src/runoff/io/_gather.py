"""Files → one table: each is read, laid out and checked by itself, then all are joined and what was done is noted."""

from __future__ import annotations

import hashlib
import os
import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from runoff._columns import ROLES
from runoff._provenance import Provenance
from runoff._tidy import Table, joined_extras
from runoff._validate import check_choice
from runoff.errors import DataError, OptionError, RunoffWarning, nearest
from runoff.io._bytes import load
from runoff.io._layout import Part, lay_out
from runoff.io._paths import File, Found, Paths, find, shown
from runoff.io.formats import FORMATS, SUFFIXES, NotRuns, recognise_format
from runoff.io.logs import join, tree_of_logs


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """One checked table of all files, with its origin."""

    table: Table
    provenance: Provenance
    has_step: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A file that was read."""

    file: File
    part: Part
    format: str
    sha256: str


def gather(
    path: Paths,
    *,
    format: str,
    columns: Mapping[str, str] | None,
    with_step: bool | None,
    pattern: str | Path | None = None,
) -> Gathered:
    """Return the table of a file, a folder, a glob or a list of these; of the training logs in it, if a tool knows any there.

    Raises
    ------
    DataError
        Anything about the paths, the bytes or the numbers.
    OptionError
        An unknown format, role or column.
    """
    check_choice("format", format, ("auto", *FORMATS))
    chosen = _checked(columns or {})
    tree = tree_of_logs(path) if format == "auto" else None
    if tree is not None:
        joined = join(tree, columns or {}, pattern)
        return Gathered(table=joined.table, provenance=joined.provenance, has_step=True)
    if pattern is not None:
        raise OptionError("pattern= names the runs of training logs, but no log of a tool that runoff knows is there.")
    found = find(path)
    read, left_out = _read_all(found, format, chosen, with_step)
    _refuse_one_name(read)
    _refuse_columns_unused(read, chosen)
    has_step = _agreed_on_steps(read)
    notes = [note for one in read for note in one.part.tidy.notes]
    notes += [*_noted_left_out(left_out), *_noted_names(read)]
    origin = Provenance(
        path=found.shown,
        sha256=_digest(read),
        format=", ".join(sorted({one.format for one in read})),
        columns=tuple(dict.fromkeys(pair for one in read for pair in one.part.tidy.mapping.items())),
    ).noting(*dict.fromkeys(notes))
    return Gathered(table=_joined(read, found.shown, has_step), provenance=origin, has_step=has_step)


def _checked(columns: Mapping[str, str]) -> dict[str, str | None]:
    for role in columns:
        if role not in ROLES:
            raise OptionError(f"columns= knows {', '.join(ROLES)}, not {role!r}.{nearest(str(role), ROLES)}")
    return dict(columns)


def _read_all(
    found: Found, format: str, chosen: Mapping[str, str | None], with_step: bool | None
) -> tuple[list[Read], list[str]]:
    read, left_out, refusals = [], list(found.left_out), []
    for file in found.files:
        try:
            read.append(_read_one(file, format, chosen, with_step))
        except NotRuns as refusal:
            if not file.optional:
                raise
            refusals.append(refusal)
            left_out.append(str(refusal).removesuffix("."))
    if not read:
        others = f" ({len(refusals) - 1} more file(s) there hold no runs either)" if len(refusals) > 1 else ""
        raise DataError(f"{str(refusals[0]).removesuffix('.')}{others}.")
    return read, left_out


def _read_one(file: File, format: str, chosen: Mapping[str, str | None], with_step: bool | None) -> Read:
    source, sha256 = load(file)
    name = recognise_format(source) if format == "auto" else format
    known = FORMATS[name]
    part = lay_out(known.read(source), stem=source.stem, chosen=chosen, with_step=with_step, wide=known.wide)
    return Read(file=file, part=part, format=name, sha256=sha256)


# ── do the files fit together? ──────────


def _refuse_one_name(read: Sequence[Read]) -> None:
    by_stem: dict[str, Read] = {}
    for one in read:
        if not one.part.named_by_file:
            continue
        other = by_stem.setdefault(one.part.stem, one)
        if other is not one:
            raise DataError(
                f"{shown(other.file.path)} and {shown(one.file.path)} would both name an algorithm {one.part.stem!r}; rename one of the files, "
                "or put the algorithm in a column."
            )


def _refuse_columns_unused(read: Sequence[Read], chosen: Mapping[str, str | None]) -> None:
    if chosen and all(one.part.table.structural and not FORMATS[one.format].wide for one in read):
        raise OptionError(
            f"{read[0].part.table.place}: columns= cannot be used, because the file has no named columns."
        )


def _agreed_on_steps(read: Sequence[Read]) -> bool:
    with_step = [one for one in read if one.part.tidy.step is not None]
    if with_step and len(with_step) < len(read):
        without = next(one for one in read if one.part.tidy.step is None)
        raise DataError(
            f"{shown(with_step[0].file.path)} holds learning curves, {shown(without.file.path)} one score per run; read one kind at a time, "
            "for example with a glob."
        )
    return bool(with_step)


def _noted_left_out(left_out: Sequence[str]) -> list[str]:
    like_data = [entry for entry in left_out if any(f"{suffix}:" in entry for suffix in SUFFIXES - {".txt"})]
    if like_data:
        what = f"{len(left_out)} file(s) or folder(s) hold no runs that can be read and are left out, for example {like_data[0]}"
        warnings.warn(what, RunoffWarning, stacklevel=4)
    return [f"left out: {entry}" for entry in left_out]


def _noted_names(read: Sequence[Read]) -> Iterator[str]:
    for role in ROLES:
        names = {one.part.tidy.mapping[role]: one for one in reversed(read) if role in one.part.tidy.mapping}
        if len(names) > 1:
            calls = ", ".join(f"{name!r} in {shown(one.file.path.name)}" for name, one in names.items())
            note = f"the files name the {role} differently ({calls})"
            if role in ("step", "score"):
                note += ": make sure that they share one unit"
                warnings.warn(note, RunoffWarning, stacklevel=4)
            yield note


# ── joining ──────────


def _joined(read: Sequence[Read], place: str, has_step: bool) -> Table:
    columns: dict[str, Any] = {
        role: [name for one in read for name in one.part.tidy.labels[role]] for role in ("algorithm", "task")
    }
    columns["run"] = [run for one in read for run in _runs(one.part, alone=len(read) == 1)]
    columns["score"] = np.concatenate([one.part.tidy.score for one in read])
    if has_step:
        columns["step"] = np.concatenate([one.part.tidy.step for one in read if one.part.tidy.step is not None])
        columns |= joined_extras([one.part.table for one in read])
    row = read[0].part.table.row if len(read) == 1 else _rows_of_many(read)
    return Table(columns=columns, place=place, row=row, structural=True)


def _runs(part: Part, *, alone: bool) -> list[str]:
    """Return the labels of runs; those that only count the rows of one file of many carry the file's name."""
    runs = list(part.tidy.labels["run"])
    return runs if alone or part.names_runs else [f"{part.stem}:{run}" for run in runs]


def _rows_of_many(read: Sequence[Read]) -> Callable[[int], str]:
    starts = [0, *accumulate(one.part.tidy.score.size for one in read)]

    def row(index: int) -> str:
        one = bisect_right(starts, index) - 1
        return f"{shown(read[one].file.path.name)} {read[one].part.table.row(index - starts[one])}"

    return row


def _digest(read: Sequence[Read]) -> str:
    """Return the sha256 of one file's bytes; of several, of their sorted lines "name, zero byte, sha256 of the bytes"."""
    if len(read) == 1:
        return read[0].sha256
    common = os.path.commonpath([os.path.abspath(one.file.path.parent) for one in read])
    names = {shown(os.path.relpath(os.path.abspath(one.file.path), common)): one.sha256 for one in read}
    whole = hashlib.sha256()
    for name in sorted(names):
        whole.update(f"{name}\0{names[name]}\n".encode())
    return whole.hexdigest()
