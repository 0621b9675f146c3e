"""Files → one table: each is read, all names are decided together, then rows are checked and joined, and what was done is noted."""

from __future__ import annotations

import hashlib
import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from runoff.base.bounds import refuse_beyond
from runoff.base.garbage import uncollected
from runoff.base.validate import check_choice
from runoff.data.ends import POLICIES, SPELLED
from runoff.data.provenance import Provenance
from runoff.errors import DataError, OptionError, warn
from runoff.io._axes import parsed_axes, refuse_two_tasks, with_axes
from runoff.io._keys import Around, parsed_keys
from runoff.io._known import Meaning, meaning_of
from runoff.io._layout import AS_EVALUATIONS, Part, TableShape, laid_out, names_in, shaped
from runoff.io._names import Names, Trail, names_of
from runoff.io._parts import of_one_metric, without_tag
from runoff.io._paths import STDIN, File, Found, Paths, find, load, shown
from runoff.io._pattern import compiled, matched
from runoff.io._rows import FAILED_COUNT, counted_as, refuse_failed
from runoff.io.formats import FORMATS, SUFFIXES, NotRuns, recognise_format
from runoff.io.formats.delimited import NUMBERS
from runoff.io.logs import Gathered, are_tables, is_one_history, join, tree_of_logs
from runoff.tables.columns import NAMED, ROLES, UNUSED, check_roles, listed
from runoff.tables.labels import Labels
from runoff.tables.tidy import PERCENT, SourceTable, joined_extras, one_array, with_chosen
from runoff.tables.unnamed import cells_of
from runoff.words.names import DecimalName, Incomplete, UnitName
from runoff.words.speech import neutral, option
from runoff.words.words import KINDS_OF_DATA

# ── several files → one table ──────────


CellKey = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A file that was read; `label` tells it from the others."""

    file: File
    label: str
    part: Part
    format: str
    sha256: str


def joined(read: Sequence[Read], place: str, has_step: bool) -> SourceTable:
    """Return one table of all files; runs that are only counted carry the name of their file."""
    columns: dict[str, Any] = {
        role: Labels.joined([entry.part.tidy.labels[role] for entry in read]) for role in ("algorithm", "task")
    }
    columns["run"] = Labels.joined([_runs(entry, alone=len(read) == 1) for entry in read])
    if any(entry.part.tidy.configs for entry in read):
        columns["config"] = Labels.joined([entry.part.tidy.config for entry in read])
    columns["score"] = one_array([entry.part.tidy.score for entry in read])
    if has_step:
        columns["step"] = one_array([entry.part.tidy.step for entry in read if entry.part.tidy.step is not None])
        columns |= joined_extras([entry.part.table for entry in read])
    starts = [0, *accumulate(entry.part.tidy.score.size for entry in read)]

    def row(index: int) -> str:
        which = bisect_right(starts, index) - 1
        return f"{shown(read[which].file.path.name)} {read[which].part.table.row(index - starts[which])}"

    row_of_all = read[0].part.table.row if len(read) == 1 else row
    return SourceTable(columns=columns, place=place, row=row_of_all, structural=True)


def _runs(entry: Read, *, alone: bool) -> Labels:
    labels = entry.part.tidy.labels["run"]
    counted = not alone and entry.part.runs_by in ("count", "row")
    return labels.mapped(lambda run: f"{entry.label}:{run}") if counted else labels


def digest(read: Sequence[Read]) -> str:
    """Return the sha256 of one file's bytes; of several, of their sorted lines "name, zero byte, sha256 of the bytes"."""
    if len(read) == 1:
        return read[0].sha256
    common = os.path.commonpath([os.path.abspath(entry.file.path.parent) for entry in read])
    names = {shown(os.path.relpath(os.path.abspath(entry.file.path), common)): entry.sha256 for entry in read}
    return hashlib.sha256("".join(f"{name}\0{names[name]}\n" for name in sorted(names)).encode()).hexdigest()


# ── do the files fit together? ──────────


def pooled(read: Sequence[Read]) -> list[str]:
    """Return notes on runs that several files give to one algorithm on one task; refuse them where nothing says that they differ."""
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
            if other is not entry and "count" in (entry.part.runs_by, other.part.runs_by):
                # `PPO_1.csv`, `PPO_2.csv` are batches of one algorithm; `a.csv`, `b.csv` may be two, or two tasks.
                if len({re.sub(r"\d+", "#", str(read.file.path)) for read in (other, entry)}) > 1:
                    raise DataError(
                        f"{shown(other.file.path)} and {shown(entry.file.path)} both hold runs of algorithm {cell[0]!r} on task {cell[1]!r}, "
                        f"and nothing says what tells the files apart: say what their names are, for example {option('pattern', '{algorithm}')} "
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


RESUMED = re.compile(r"resumed?|continued", re.IGNORECASE)


def _same_run(twin: Read, entry: Read, cell: CellKey, run: str) -> str:
    paths = twin.file.path, entry.file.path
    both = f"{shown(paths[0])} and {shown(paths[1])} would both be run {run!r} of algorithm {cell[0]!r} on task {cell[1]!r}"
    if paths[0].parent == paths[1].parent and KINDS_OF_DATA.issuperset(path.stem.casefold() for path in paths):
        return f"{both}; their names say that they are two kinds of data of one run: give the files of one kind (…/{paths[1].name})."
    if any(RESUMED.search(path.stem) for path in paths):
        return f"{both}; if one resumed the other, join their rows in one file, and keep the later of two rows at one step."
    return f"{both}; say what their paths name: {option('pattern', '{algorithm}/{task}/{run}')}."


def agreed_on_steps(read: Sequence[Read]) -> bool:
    """Return whether the files hold learning curves; files of both kinds are refused together."""
    with_step = [entry for entry in read if entry.part.tidy.step is not None]
    if with_step and len(with_step) < len(read):
        without = next(entry for entry in read if entry.part.tidy.step is None)
        raise DataError(
            f"{shown(with_step[0].file.path)} holds learning curves, {shown(without.file.path)} one score per run; read one kind at a time, "
            "for example with a glob."
        )
    return bool(with_step)


def noted_names(read: Sequence[Read]) -> Iterator[str]:
    """Yield a note for each role that files name differently."""
    for role in ROLES:
        names = {entry.part.tidy.mapping[role]: entry for entry in reversed(read) if role in entry.part.tidy.mapping}
        if len(names) > 1:
            calls = ", ".join(f"{name!r} in {shown(entry.file.path.name)}" for name, entry in names.items())
            note = f"the files name the {role} differently ({calls})"
            if role in ("step", "score"):
                note += ": make sure that they share one unit"
                warn(note)
            yield note


# ── paths → what they hold ──────────


T = TypeVar("T")
R = TypeVar("R")
MANY = 8
"""How many of the files that are left out are listed; the rest are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """How the files are to be read."""

    format: str
    chosen: Mapping[str, str | None]
    unused: str | None
    with_step: bool | None
    pattern: re.Pattern[str] | None
    pattern_text: str | None
    keys: tuple[str, ...] | None
    axes: tuple[str, ...] | None
    decimal: DecimalName
    unit: UnitName
    incomplete: Incomplete | None
    sign: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A file's table; later its shape, once all files say what their names are, and what its path names."""

    file: File
    table: SourceTable
    format: str
    sha256: str
    shape: TableShape | None = None
    names: Names = field(default_factory=Names)


@uncollected
def gather(
    path: Paths,
    *,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    with_step: bool | None = None,
    pattern: str | Path | None = None,
    keys: str | None = None,
    unit: UnitName = "run",
    axes: str | None = None,
    decimal: DecimalName = "auto",
    incomplete: Incomplete | None = None,
    sign: float = 1.0,
) -> Gathered:
    """Return the table of a file, a folder, a glob, a list of these or standard input ("-"); of training logs there, if a tool knows any."""
    check_choice("format", format, ("auto", *FORMATS))
    check_choice("decimal", decimal, ("auto", *NUMBERS))
    check_roles(columns or {})
    if incomplete is not None:
        incomplete = SPELLED.get(check_choice("incomplete", incomplete, POLICIES), incomplete)
    # Who names a format, keys or axes speaks of tables.
    tree = tree_of_logs(path) if format == "auto" and keys is None and axes is None else None
    if tree is not None and (str(pattern).casefold().endswith(".toml") or not are_tables(tree)):
        return with_failed(join(tree, columns or {}, pattern, unit), with_step, incomplete, sign)
    if isinstance(pattern, Path):
        raise OptionError(
            f"the file {shown(pattern)} names the runs of training logs, but no log of a tool that runoff knows is there; give "
            f"{option('pattern')} as text."
        )
    request = Request(
        format=format,
        chosen={role: name for role, name in (columns or {}).items() if role != UNUSED},
        unused=(columns or {}).get(UNUSED),
        with_step=with_step,
        pattern=None if pattern is None else compiled(pattern),
        pattern_text=pattern,
        keys=parsed_keys(keys),
        axes=parsed_axes(axes),
        decimal=decimal,
        unit=unit,
        incomplete=incomplete,
        sign=sign,
    )
    paths = find(path)
    try:
        read, left_out = _read_all(paths, request)
    except DataError as refusal:
        # A logger's history of one run lacks scores in some rows, and names nothing that could be taken for another.
        if tree is None or not (isinstance(refusal, NotRuns) or is_one_history(tree)):
            raise
        return with_failed(join(tree, columns or {}, pattern, unit), with_step, incomplete, sign)
    return _gathered(paths, read, left_out, request)


def _gathered(
    paths: Found, read: Sequence[Read], left_out: Sequence[tuple[File, NotRuns]], request: Request
) -> Gathered:
    _refuse_columns_unused(read, request.chosen)
    has_step = agreed_on_steps(read)
    _warn_of_tables(left_out)
    _refuse_percent_beside_others(read)
    notes = [note for entry in read for note in entry.part.tidy.notes]
    if AS_EVALUATIONS in notes and request.pattern is None:
        warn(AS_EVALUATIONS)
    notes += [*pooled(read), *_noted_left_out(paths, left_out), *noted_names(read)]
    starts = [0, *accumulate(entry.part.tidy.score.size for entry in read)]
    gathered = Gathered(
        table=joined(read, paths.shown, has_step),
        provenance=_origin(paths, read).noting(*dict.fromkeys(notes)),
        has_step=has_step,
        names_runs=all(entry.part.runs_by != "count" or entry.part.table.structural for entry in read),
        failed=np.concatenate([entry.part.failed + start for entry, start in zip(read, starts, strict=False)]),
        failing=next(
            (f"{part.table.place}: {part.failing}" for part in (entry.part for entry in read) if part.failing), ""
        ),
    )
    return with_failed(gathered, request.with_step, request.incomplete, request.sign)


def _refuse_percent_beside_others(read: Sequence[Read]) -> None:
    percent = [entry for entry in read if PERCENT in entry.part.tidy.notes]
    other = next((entry for entry in read if percent and PERCENT not in entry.part.tidy.notes), None)
    if other is not None:
        raise DataError(
            f"the scores of {shown(percent[0].file.path)} are in percent and those of {shown(other.file.path)} are not; give all in percent, or "
            "none."
        )


def with_failed(gathered: Gathered, with_step: bool | None, incomplete: Incomplete | None, sign: float) -> Gathered:
    """Return what was read with failed runs counted as asked; if nothing is said, refuse them, but for learning curves, which stay."""
    table, rows = gathered.table, gathered.failed
    if not rows.size:
        if incomplete is not None and not gathered.has_step:
            raise OptionError(
                f"{option('incomplete')} is for learning curves and failed runs, but {table.place} holds one score per run."
            )
        return gathered
    if incomplete in (None, "auto", "error"):
        if not with_step:
            raise refuse_failed(gathered.failing)
        note = f"{gathered.failing}: their learning curves are as they were logged"
        warn(note)
        table = counted_as(table, rows[np.isnan(np.asarray(table.columns["score"])[rows])], "drop", sign=sign)
    else:
        note = f"{gathered.failing}: {FAILED_COUNT[incomplete]}, as asked"
        table = counted_as(table, rows, incomplete, sign=sign)
    origin = gathered.provenance.noting(note).treating(note.removeprefix(f"{table.place}: "))
    return replace(gathered, table=table, provenance=origin)


def _origin(paths: Found, read: Sequence[Read]) -> Provenance:
    return Provenance(
        path=paths.shown,
        sha256=digest(read),
        format=", ".join(sorted({entry.format for entry in read})),
        columns=tuple(dict.fromkeys(pair for entry in read for pair in entry.part.tidy.mapping.items())),
        parts=tuple(sorted({pair for entry in read for pair in entry.part.where.items()})),
    )


def _read_all(paths: Found, request: Request) -> tuple[list[Read], list[tuple[File, NotRuns]]]:
    left_out: list[tuple[File, NotRuns]] = []
    opened = _each(paths.files, lambda file: file, lambda file: _open(file, request), left_out)
    opened = _of_one_metric(_without_copies(opened, left_out), request)
    # what stands around each file: what all file names are, and whether its names stand in others too
    heads = [names_in(entry.table, request.chosen, FORMATS[entry.format].wide) for entry in opened]
    counts, files_name = Counter(heads), _files_name(opened, request)
    numbered = len({re.sub(r"\d+", "#", str(entry.file.path)) for entry in opened}) == 1
    around = [Around(files_name=files_name, numbered=numbered, shared=counts[names] > 1) for names in heads]

    def with_shape(pair: tuple[Opened, Around]) -> Opened:
        wide, table = FORMATS[pair[0].format].wide, pair[0].table
        around, keys, unit = pair[1], request.keys, request.unit
        return replace(pair[0], shape=shaped(table, request.chosen, wide=wide, keys=keys, around=around, unit=unit))

    opened = _each(zip(opened, around, strict=True), lambda pair: pair[0].file, with_shape, left_out)
    opened = _with_names(opened, request, left_out)
    stems = Counter(entry.file.stem for entry in opened)
    read = _each(opened, lambda entry: entry.file, lambda entry: _finish(entry, request, stems), left_out)
    return read, left_out


COPY = re.compile(r"(.+?)(?: \(\d+\)|[ _-]+(?:copy|kopie|copie|copia)(?: ?\(?\d+\)?)?)", re.IGNORECASE)
"""The name of a copy, as browsers and desktops make it: `PPO (1)`, `PPO - Copy`."""


def _without_copies(opened: Sequence[Opened], left_out: list[tuple[File, NotRuns]]) -> list[Opened]:
    """Return the files without those of a folder that are copies by their names and their bytes."""
    originals = {(entry.file.path.parent, entry.file.stem, entry.sha256) for entry in opened}
    kept = []
    for entry in opened:
        match = COPY.fullmatch(entry.file.stem)
        if match and entry.file.optional and (entry.file.path.parent, match[1], entry.sha256) in originals:
            left_out.append(
                (entry.file, NotRuns(f"{shown(entry.file.path)}: this is a copy of {match[1]!r}, byte for byte."))
            )
        else:
            kept.append(entry)
    return kept


def _of_one_metric(opened: Sequence[Opened], request: Request) -> list[Opened]:
    """Return the files of one metric, where files of a folder are called by several; a pattern says itself what names are."""
    if request.pattern is not None or not all(entry.file.optional for entry in opened):
        return list(opened)
    rows, note = of_one_metric([(entry.file.path.parent, entry.file.stem) for entry in opened])
    kept = [opened[i] for i in rows]
    if note:
        warn(note)
        kept[0] = replace(kept[0], table=replace(kept[0].table, notes=(*kept[0].table.notes, note)))
    return kept


def _each(
    items: Iterable[T], file: Callable[[T], File], do: Callable[[T], R], left_out: list[tuple[File, NotRuns]]
) -> list[R]:
    """Return what is made of each; files of a folder that hold no runs are left out, and there must be others."""
    results = []
    for item in items:
        try:
            results.append(do(item))
        except NotRuns as refusal:
            if not file(item).optional:
                raise
            left_out.append((file(item), refusal))
    if not results:
        others = f" ({len(left_out) - 1} more file(s) there hold no runs either)" if len(left_out) > 1 else ""
        raise NotRuns(f"{str(left_out[0][1]).removesuffix('.')}{others}.")
    return results


def _open(file: File, request: Request) -> Opened:
    source, sha256 = load(file)
    name = recognise_format(source) if request.format == "auto" else request.format
    table = with_axes(FORMATS[name].read(replace(source, axes=request.axes, decimal=request.decimal)), request.axes)
    refuse_beyond("columns", len(table.columns), f"{source.place}: the table has {len(table.columns)} columns")
    table = table if table.structural else with_chosen(table, {**request.chosen, UNUSED: request.unused})
    return Opened(file=file, table=table, format=name, sha256=sha256)


# ── what names are ──────────


def _files_name(opened: Sequence[Opened], request: Request) -> Meaning | None:
    if request.pattern is not None:
        fields = set(request.pattern.groupindex) & {"algorithm", "task"}
        return "algorithm" if "algorithm" in fields else "task" if fields else None
    levels = zip(*(reversed((*entry.file.path.parent.parts, entry.file.stem)) for entry in opened), strict=False)
    meanings = [meaning_of(level) for level in levels if len(set(level)) > 1]
    return next((role for role in ("algorithm", "task") if role in meanings), None)


def _with_names(opened: Sequence[Opened], request: Request, left_out: list[tuple[File, NotRuns]]) -> list[Opened]:
    below = _below([entry.file for entry in opened])
    if request.pattern is None:
        trails = [_trail(entry, *place) for entry, place in zip(opened, below, strict=True)]
        return [replace(entry, names=names) for entry, names in zip(opened, names_of(trails), strict=True)]
    by_pattern = partial(_by_pattern, request.pattern, f"the pattern {request.pattern_text}")
    return _each(opened, lambda entry: entry.file, by_pattern, left_out)


def _below(files: Sequence[File]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    if any(file.path == STDIN for file in files):
        return [((file.stem,), ()) for file in files]
    parents = [os.path.abspath(file.path.parent) for file in files]
    common = Path(os.path.commonpath(parents))
    above = tuple(map(shown, common.parts[1:][-3:]))
    inner = [tuple(map(shown, Path(parent).relative_to(common).parts)) for parent in parents]
    return [((*folders, without_tag(file.stem)), above) for folders, file in zip(inner, files, strict=True)]


def _trail(opened: Opened, parts: tuple[str, ...], above: tuple[str, ...]) -> Trail:
    assert opened.shape is not None  # shapes are made before names
    has = opened.shape.has
    path = Path(shown(opened.file.path))
    refuse_two_tasks(opened.shape.table, parts, str(path))
    return Trail(path=path, parts=parts, above=above, lacks=frozenset(NAMED) - has, one_run="step" in has)


def _by_pattern(expression: re.Pattern[str], words: str, opened: Opened) -> Opened:
    assert opened.shape is not None  # shapes are made before names
    path = os.path.abspath(opened.file.path)
    whole = shown(os.path.join(os.path.dirname(path), opened.file.stem)).replace(os.sep, "/")
    fields = matched(expression, whole)
    if fields is None:
        raise NotRuns(f"{shown(opened.file.path)}: its path does not fit {option('pattern')}.")
    where = dict.fromkeys(fields, words)
    named = Names(names=fields, where=where, forced=frozenset(fields))
    if "algorithm" not in opened.shape.has | fields.keys():
        above = shown(opened.file.path.resolve().parent.name) if fields.keys() & {"task", "run"} else opened.file.stem
        named = replace(named, names={**fields, "algorithm": above}, where={**where, "algorithm": "the folder"})
    return replace(opened, names=named)


def _finish(opened: Opened, request: Request, stems: Mapping[str, int]) -> Read:
    assert opened.shape is not None  # shapes are made before names
    part = laid_out(opened.shape, opened.names, with_step=request.with_step, incomplete=request.incomplete)
    stem = opened.file.stem
    label = f"{shown(opened.file.path.parent.name)}/{stem}" if stems[stem] > 1 else stem
    return Read(file=opened.file, label=label, part=part, format=opened.format, sha256=opened.sha256)


# ── what is said of it ──────────


def _refuse_columns_unused(read: Sequence[Read], chosen: Mapping[str, str | None]) -> None:
    if chosen and all(entry.part.table.structural and not FORMATS[entry.format].wide for entry in read):
        what = f"{read[0].part.table.place}: {option('columns')} cannot be used, because the file has no named columns."
        raise OptionError(what)


def _warn_of_tables(left_out: Sequence[tuple[File, NotRuns]]) -> None:
    tables = [refusal for file, refusal in left_out if file.suffix in SUFFIXES and file.suffix != ".txt"]
    if tables:
        what = f"{len(tables)} file(s) hold no runs that can be read and are left out, for example {str(tables[0]).removesuffix('.')}"
        warn(what)


def _noted_left_out(paths: Found, refused: Sequence[tuple[File, NotRuns]]) -> list[str]:
    left_out = [*paths.left_out, *(neutral(refusal).removesuffix(".") for _, refusal in refused)]
    more = [f"left out: {len(left_out) - MANY} more file(s)"] if len(left_out) > MANY else []
    return [f"left out: {entry}" for entry in left_out[:MANY]] + more
