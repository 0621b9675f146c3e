"""Files → one table: each is read, all names are decided together, then rows are checked and joined, and what was done is noted."""

from __future__ import annotations

import os
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from runoff.base.limits import refuse_beyond
from runoff.base.validate import check_choice
from runoff.data.provenance import Provenance
from runoff.errors import DataError, OptionError, RunoffWarning
from runoff.io._bytes import load
from runoff.io._exports import unfinished
from runoff.io._join import Read, agreed_on_steps, digest, joined, noted_names, pooled
from runoff.io._keys import Around, parsed_keys
from runoff.io._known import Said, said_by
from runoff.io._layout import AS_EVALUATIONS, NAMED, Shape, laid_out, names_in, shaped
from runoff.io._names import Names, Trail, names_of
from runoff.io._paths import STDIN, File, Found, Paths, find, shown
from runoff.io._pattern import compiled, matched
from runoff.io.formats import FORMATS, SUFFIXES, NotRuns, recognise_format
from runoff.io.logs import Tree, are_tables, is_one_history, join, tree_of_logs
from runoff.tables.columns import check_roles
from runoff.tables.tidy import Table
from runoff.words.names import UnitName
from runoff.words.speech import option

T = TypeVar("T")
R = TypeVar("R")
MANY = 8
"""More files than this that are left out are counted, not listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How the files are to be read."""

    format: str
    chosen: Mapping[str, str | None]
    with_step: bool | None
    pattern: re.Pattern[str] | None
    keys: tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """One checked table of all files, with its origin."""

    table: Table
    provenance: Provenance
    has_step: bool
    names_runs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A file's table, and once it is known what its names are, its shape and what its path names."""

    file: File
    table: Table
    format: str
    sha256: str
    shape: Shape | None = None
    names: Names = field(default_factory=Names)


def gather(
    path: Paths,
    *,
    format: str,
    columns: Mapping[str, str] | None,
    with_step: bool | None,
    pattern: str | Path | None = None,
    keys: str | None = None,
    unit: UnitName = "run",
) -> Gathered:
    """Return the table of a file, a folder with those inside it, a glob, a list of these, or standard input ("-"); of the training logs in it,
    if a tool knows any there.

    Raises
    ------
    DataError
        Anything about the paths, the bytes or the numbers.
    OptionError
        An unknown format, role, column, field of a pattern or level of keys.
    """
    check_choice("format", format, ("auto", *FORMATS))
    check_roles(columns or {})
    tree = tree_of_logs(path) if format == "auto" and keys is None else None
    if tree is not None and not are_tables(tree):
        return _of_logs(tree, columns, pattern, unit)
    if isinstance(pattern, Path):
        raise OptionError(
            f"the file {shown(pattern)} names the runs of training logs, but no log of a tool that runoff knows is there; give "
            f"{option('pattern')} as text."
        )
    asked = Asked(
        format=format,
        chosen=dict(columns or {}),
        with_step=with_step,
        pattern=None if pattern is None else compiled(pattern),
        keys=parsed_keys(keys),
    )
    found = find(path)
    try:
        read, left_out = _read_all(found, asked)
    except DataError as refusal:
        # A logger's history of one run lacks scores in some rows, and names nothing that could be taken for another.
        if tree is None or not (isinstance(refusal, NotRuns) or is_one_history(tree)):
            raise
        return _of_logs(tree, columns, pattern, unit)
    _refuse_columns_unused(read, asked.chosen)
    has_step = agreed_on_steps(read)
    _warn_of_tables(left_out)
    notes = [note for one in read for note in one.part.tidy.notes]
    if AS_EVALUATIONS in notes and asked.pattern is None:
        warnings.warn(AS_EVALUATIONS, RunoffWarning, stacklevel=3)
    notes += [*pooled(read), *_of_exports(read), *_noted_left_out(found, left_out), *noted_names(read)]
    return Gathered(
        table=joined(read, found.shown, has_step),
        provenance=_origin(found, read).noting(*dict.fromkeys(notes)),
        has_step=has_step,
        names_runs=all(one.part.runs_by != "count" or one.part.table.structural for one in read),
    )


def _origin(found: Found, read: Sequence[Read]) -> Provenance:
    return Provenance(
        path=found.shown,
        sha256=digest(read),
        format=", ".join(sorted({one.format for one in read})),
        columns=tuple(dict.fromkeys(pair for one in read for pair in one.part.tidy.mapping.items())),
        parts=tuple(sorted({pair for one in read for pair in one.part.where.items()})),
    )


def _of_logs(tree: Tree, columns: Mapping[str, str] | None, pattern: str | Path | None, unit: UnitName) -> Gathered:
    logs = join(tree, columns or {}, pattern, unit)
    return Gathered(table=logs.table, provenance=logs.provenance, has_step=True, names_runs=True)


def _read_all(found: Found, asked: Asked) -> tuple[list[Read], list[tuple[File, NotRuns]]]:
    left_out: list[tuple[File, NotRuns]] = []
    opened = _each(found.files, lambda file: file, lambda file: _open(file, asked), left_out)
    around = _around(opened, asked)
    opened = _each(
        opened, lambda one: one.file, lambda one: replace(one, shape=_shape(one, asked, around(one))), left_out
    )
    opened = _with_names(opened, asked, left_out)
    stems = Counter(one.file.stem for one in opened)
    read = _each(opened, lambda one: one.file, lambda one: _finish(one, asked, stems), left_out)
    return read, left_out


def _each(
    items: Iterable[T], file: Callable[[T], File], do: Callable[[T], R], left_out: list[tuple[File, NotRuns]]
) -> list[R]:
    """Return what is made of each; files of a folder that hold no runs are left out, and there must be others."""
    made = []
    for item in items:
        try:
            made.append(do(item))
        except NotRuns as refusal:
            if not file(item).optional:
                raise
            left_out.append((file(item), refusal))
    if not made:
        others = f" ({len(left_out) - 1} more file(s) there hold no runs either)" if len(left_out) > 1 else ""
        raise NotRuns(f"{str(left_out[0][1]).removesuffix('.')}{others}.")
    return made


def _open(file: File, asked: Asked) -> Opened:
    source, sha256 = load(file)
    name = recognise_format(source) if asked.format == "auto" else asked.format
    table = FORMATS[name].read(source)
    refuse_beyond("columns", len(table.columns), f"{source.place}: the table has {len(table.columns)} columns")
    return Opened(file=file, table=table, format=name, sha256=sha256)


# ── what names are ──────────


def _around(opened: Sequence[Opened], asked: Asked) -> Callable[[Opened], Around]:
    """Return what stands around each file: what all file names are, and whether its names stand in others too."""
    heads = [names_in(one.table, asked.chosen, FORMATS[one.format].wide) for one in opened]
    counts = Counter(heads)
    by_file = dict(zip((id(one.table) for one in opened), heads, strict=True))
    files_name, numbered = _files_name(opened, asked), _numbered([one.file for one in opened])
    return lambda one: Around(files_name=files_name, numbered=numbered, shared=counts[by_file[id(one.table)]] > 1)


def _files_name(opened: Sequence[Opened], asked: Asked) -> Said | None:
    if asked.pattern is not None:
        fields = set(asked.pattern.groupindex) & {"algorithm", "task"}
        return "algorithm" if "algorithm" in fields else "task" if fields else None
    levels = zip(*(reversed((*one.file.path.parent.parts, one.file.stem)) for one in opened), strict=False)
    said = [said_by(level) for level in levels if len(set(level)) > 1]
    return next((role for role in ("algorithm", "task") if role in said), None)


def _numbered(files: Sequence[File]) -> bool:
    return len({re.sub(r"\d+", "#", str(file.path)) for file in files}) == 1


def _shape(one: Opened, asked: Asked, around: Around) -> Shape:
    return shaped(one.table, asked.chosen, wide=FORMATS[one.format].wide, keys=asked.keys, around=around)


def _with_names(opened: Sequence[Opened], asked: Asked, left_out: list[tuple[File, NotRuns]]) -> list[Opened]:
    below = _below([one.file for one in opened])
    if asked.pattern is None:
        trails = [_trail(one, *place) for one, place in zip(opened, below, strict=True)]
        return [replace(one, names=names) for one, names in zip(opened, names_of(trails), strict=True)]
    expression = asked.pattern
    return _each(opened, lambda one: one.file, lambda one: replace(one, names=_by_pattern(one, expression)), left_out)


def _below(files: Sequence[File]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the names of each path below the folder that all share, and those above it."""
    if any(file.path == STDIN for file in files):
        return [((file.stem,), ()) for file in files]
    parents = [os.path.abspath(file.path.parent) for file in files]
    common = Path(os.path.commonpath(parents))
    above = tuple(map(shown, common.parts[1:][-3:]))
    inner = [tuple(map(shown, Path(parent).relative_to(common).parts)) for parent in parents]
    return [((*folders, file.stem), above) for folders, file in zip(inner, files, strict=True)]


def _trail(one: Opened, parts: tuple[str, ...], above: tuple[str, ...]) -> Trail:
    assert one.shape is not None  # shapes are made before names
    has = one.shape.has
    return Trail(
        path=Path(shown(one.file.path)),
        parts=parts,
        above=above,
        lacks=frozenset(NAMED) - has,
        one_run="step" in has or None,
    )


def _by_pattern(one: Opened, expression: re.Pattern[str]) -> Names:
    assert one.shape is not None  # shapes are made before names
    path = os.path.abspath(one.file.path)
    whole = shown(os.path.join(os.path.dirname(path), one.file.stem)).replace(os.sep, "/")
    fields = matched(expression, whole)
    if fields is None:
        raise NotRuns(f"{shown(one.file.path)}: its path does not fit {option('pattern')}.")
    where = dict.fromkeys(fields, "the path, by the pattern")
    named = Names(**fields, where=where, forced=frozenset(fields))
    if "algorithm" in one.shape.has or "algorithm" in fields:
        return named
    above = shown(one.file.path.resolve().parent.name) if "task" in fields or "run" in fields else one.file.stem
    return replace(named, algorithm=above, where={**where, "algorithm": "the folder"})


def _finish(one: Opened, asked: Asked, stems: Mapping[str, int]) -> Read:
    assert one.shape is not None  # shapes are made before names
    part = laid_out(one.shape, one.names, with_step=asked.with_step)
    label = f"{shown(one.file.path.parent.name)}/{one.file.stem}" if stems[one.file.stem] > 1 else one.file.stem
    return Read(file=one.file, label=label, part=part, format=one.format, sha256=one.sha256)


# ── what is said of it ──────────


def _refuse_columns_unused(read: Sequence[Read], chosen: Mapping[str, str | None]) -> None:
    if chosen and all(one.part.table.structural and not FORMATS[one.format].wide for one in read):
        raise OptionError(
            f"{read[0].part.table.place}: {option('columns')} cannot be used, because the file has no named columns."
        )


def _of_exports(read: Sequence[Read]) -> list[str]:
    said = [sentence for one in read if (sentence := unfinished(one.part.table)) is not None]
    for sentence in said:
        warnings.warn(sentence, RunoffWarning, stacklevel=4)
    return said


def _warn_of_tables(left_out: Sequence[tuple[File, NotRuns]]) -> None:
    """Warn of files that hold no runs, though they are called as tables are."""
    tables = [refusal for file, refusal in left_out if file.suffix in SUFFIXES and file.suffix != ".txt"]
    if tables:
        what = f"{len(tables)} file(s) hold no runs that can be read and are left out, for example {str(tables[0]).removesuffix('.')}"
        warnings.warn(what, RunoffWarning, stacklevel=4)


def _noted_left_out(found: Found, refused: Sequence[tuple[File, NotRuns]]) -> list[str]:
    left_out = [*found.left_out, *(str(refusal).removesuffix(".") for _, refusal in refused)]
    more = [f"left out: {len(left_out) - MANY} more file(s)"] if len(left_out) > MANY else []
    return [f"left out: {entry}" for entry in left_out[:MANY]] + more
