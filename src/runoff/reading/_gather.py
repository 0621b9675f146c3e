"""Joining files in one table: each is read, all names are decided together, then rows are checked and joined, with notes on each step."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from runoff.base.bounds import refuse_beyond
from runoff.base.garbage import uncollected
from runoff.base.validate import check_choice
from runoff.base.waiting import ticking
from runoff.data.ends import spelled_policy
from runoff.data.provenance import Provenance
from runoff.errors import DataError, OptionError, warn
from runoff.reading._archives import unpacked
from runoff.reading._axes import parsed_axes, refuse_two_tasks, with_axes
from runoff.reading._fields import compiled, matched_together
from runoff.reading._files_alike import refuse_alike
from runoff.reading._gathered import Gathered, with_failed
from runoff.reading._jobs import named_jobs
from runoff.reading._joined import Read, agreed_on_steps, as_asked, digest, joined, pooled, refuse_columns_unused
from runoff.reading._keys import Around, parsed_keys
from runoff.reading._known import Meaning, is_algorithm_itself, meaning_of
from runoff.reading._layout import AS_EVALUATIONS, TableShape, laid_out, names_in, shaped
from runoff.reading._left_out import Superseded, lesser, noted_left_out, unchosen, warn_of_tables
from runoff.reading._measures import with_sign, without_lengths, without_unmeasured
from runoff.reading._named_costs import refuse_file_of_no_score, with_costs_of_files, with_measured_keys
from runoff.reading._parts import of_one_metric, refuse_joined, without_corner
from runoff.reading._path_names import names_of_paths, places_below
from runoff.reading._paths import File, Found, Paths, find, load, shown
from runoff.reading._repeated import continued, copies, extent_of, renamed, superseded, without_common_end
from runoff.reading._tracked import unfolded
from runoff.reading._trails import Names, Trail
from runoff.reading._units import noted_names, noted_steps, refuse_unlike_units, warn_of_cost
from runoff.reading.formats import FORMATS, OF_SEVERAL, NotRuns, recognise_format
from runoff.reading.formats.base import refuse_answer
from runoff.reading.formats.encodings import as_utf8, guessed
from runoff.reading.logs import SeveralRuns, are_tables, is_one_history, tree_of_logs
from runoff.tables.chosen import refuse_absent, refuse_rows, some_names, unused_in, with_chosen
from runoff.tables.columns import BESIDE, NAMED, ROWS, SETTINGS, UNUSED, check_roles, columns_of
from runoff.tables.labels import labelled
from runoff.tables.likely import Chosen
from runoff.tables.missing import warn_of_less
from runoff.tables.numerals import NUMBERS
from runoff.tables.runs import DUPLICATES
from runoff.tables.settings import settings_of_files, with_settings_of_files
from runoff.tables.source import SourceTable
from runoff.words.names import DecimalName, DuplicatesName, Incomplete, UnitName
from runoff.words.scoring import is_metric
from runoff.words.speech import neutral, option
from runoff.words.words import without_numbers

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options for reading files; `before` are those of rows and columns that are left out before roles are assigned."""

    format: str
    chosen: Chosen
    before: Mapping[str, str]
    beside: frozenset[str]
    with_step: bool | None
    pattern: re.Pattern[str] | None
    pattern_text: str | None
    keys: tuple[str, ...] | None
    axes: tuple[str, ...] | None
    decimal: DecimalName
    sheet: str | None
    table: str | None
    duplicates: DuplicatesName
    unit: UnitName
    incomplete: Incomplete | None
    only: Mapping[str, Sequence[str]]
    sign: float
    episodes: bool

    @property
    def of_tables(self) -> bool:
        """Whether any of the given options applies to tables only; training logs have no format, keys or axes."""
        return self.format != "auto" or self.keys is not None or self.axes is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A file's table and, once the names of all files are known, its shape and the names in its path."""

    file: File
    table: SourceTable
    format: str
    sha256: str
    unmet: frozenset[str]
    shape: TableShape | None = None
    names: Names = field(default_factory=Names)


@uncollected
def gather(path: Paths, *, pattern: str | Path | None = None, **how: Any) -> Gathered:
    """Return the table in a file, an archive, a folder, a glob, a list of these or standard input ("-"), or in training logs there.

    `how` are the arguments of `request_of`; a pattern that is a path is a TOML file, which names the runs of training logs.
    """
    in_file = isinstance(pattern, Path) or str(pattern).casefold().endswith(".toml")
    request = request_of(pattern=pattern if isinstance(pattern, str) and not in_file else None, **how)
    with unpacked(path) as places:
        tree = None if request.of_tables else tree_of_logs(places)
        logs = partial(_logged, tree, how.get("columns") or {}, pattern, request)
        several = None
        if tree is not None and (in_file or not are_tables(tree)):
            try:
                return logs()
            except SeveralRuns as refusal:  # rows that name several runs are those of a table
                if in_file:
                    raise
                tree, several = None, refusal
        if in_file:
            what = "names the runs of training logs, but there is no log of a tool that runoff knows"
            raise OptionError(f"the file {pattern} {what}; give {option('pattern')} as text.")
        paths = find(places)
        try:
            read, left_out, request = read_all(paths, request)
        except DataError as refusal:
            of_rows = type(several) is SeveralRuns and str(refusal).startswith(str(several).partition(":")[0])
            if several and isinstance(refusal, NotRuns) and not of_rows:
                raise several from None  # what a configuration beside the rows lacks is not what is wrong
            # A logger's history of one run lacks scores in some rows, and names nothing that could be taken for another.
            if tree is None or not (isinstance(refusal, NotRuns) or is_one_history(tree)):
                raise
            return logs()
        return _gathered(paths, read, left_out, request)


def _logged(tree: Any, columns: Mapping[str, str], pattern: str | Path | None, request: Request) -> Gathered:
    refuse_rows(columns, "these are training logs")
    roles = {role: name for role, name in columns.items() if role not in BESIDE}
    from runoff.reading.logs import join

    gathered = join(tree, roles, pattern, request.unit)
    return with_failed(gathered, request.with_step, request.incomplete, request.sign)


def request_of(
    *,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    with_step: bool | None = None,
    pattern: str | None = None,
    keys: str | None = None,
    unit: UnitName = "run",
    dims: str | None = None,
    decimal: DecimalName = "auto",
    sheet: str | None = None,
    table: str | None = None,
    duplicates: DuplicatesName = "auto",
    incomplete: Incomplete | None = None,
    only: Mapping[str, Sequence[str]] | None = None,
    sign: float = 1.0,
    episodes: bool = False,
) -> Request:
    """Return the checked options for reading files; the others follow from the files. `episodes`: rows of one run stay what they are."""
    columns = columns or {}
    check_choice("format", format, ("auto", *FORMATS))
    check_choice("decimal", decimal, ("auto", *NUMBERS))
    check_choice("duplicates", duplicates, DUPLICATES)
    check_roles(columns)
    return Request(
        format=format,
        chosen={role: name for role, name in columns.items() if role not in (ROWS, UNUSED, *BESIDE)},
        beside=frozenset(columns[role] for role in BESIDE if role in columns),
        before={role: name for role, name in columns.items() if role in (ROWS, UNUSED)},
        with_step=with_step,
        pattern=None if pattern is None else compiled(pattern),
        pattern_text=pattern,
        keys=parsed_keys(keys),
        axes=parsed_axes(dims),
        decimal=decimal,
        sheet=sheet,
        table=table,
        duplicates=duplicates,
        unit=unit,
        incomplete=spelled_policy(incomplete),
        only=only or {},
        sign=sign,
        episodes=episodes,
    )


def _gathered(
    paths: Found, read: Sequence[Read], left_out: Sequence[tuple[File, NotRuns]], request: Request
) -> Gathered:
    refuse_columns_unused(read, request.chosen)
    has_step = agreed_on_steps(read)
    warn_of_tables(left_out, [entry.file for entry in read], paths)
    if request.duplicates == "auto" and request.pattern is None:
        refuse_alike(read, paths.shown)
    refuse_unlike_units(read, request.chosen.get("score"))
    notes = [note for entry in read for note in entry.part.tidy.notes]
    warn_of_cost(read, request.sign)
    if AS_EVALUATIONS in notes and request.pattern is None:
        warn(AS_EVALUATIONS)
    notes += [*pooled(read), *noted_left_out(paths, left_out), *noted_names(read), *noted_steps(read)]
    starts = [0, *accumulate(entry.part.tidy.score.size for entry in read)]
    gathered = Gathered(
        table=replace(joined(read, paths.shown, has_step), duplicates=request.duplicates),
        provenance=_origin(paths, read).noting(*dict.fromkeys(notes)),
        has_step=has_step,
        sign=request.sign,
        names_runs=all(entry.part.runs_by != "count" or entry.part.table.structural for entry in read),
        failed=np.concatenate([entry.part.failed + start for entry, start in zip(read, starts, strict=False)]),
        failing=next(
            (f"{part.table.place}: {part.failing}" for part in (entry.part for entry in read) if part.failing), ""
        ),
    )
    return as_asked(with_failed(gathered, request.with_step, request.incomplete, request.sign), read, request.keys)


def _origin(paths: Found, read: Sequence[Read]) -> Provenance:
    return Provenance(
        path=paths.shown,
        sha256=digest(read),
        format=", ".join(sorted({entry.format for entry in read})),
        columns=tuple(dict.fromkeys(pair for entry in read for pair in entry.part.tidy.mapping.items())),
        parts=tuple(sorted({pair for entry in read for pair in entry.part.where.items()})),
    )


def read_all(paths: Found, request: Request) -> tuple[list[Read], list[tuple[File, NotRuns]], Request]:
    """Return the content of each table, the files without one, each with the reason, and the request with what all files say."""
    left_out: list[tuple[File, NotRuns]] = []
    opened = _each(paths.files, lambda file: file, lambda own: _open(own, request), left_out)
    opened = named_jobs(continued(opened, by_pattern=request.pattern is not None))
    refuse_absent([entry.table for entry in opened])
    _refuse_parts(opened, request)
    copied = copies([(entry.file, entry.sha256) for entry in opened], folders=request.pattern is None)
    opened = _without_repeats(opened, copied, left_out)
    if request.pattern is None:
        opened = _without_repeats(opened, lesser([(own.file, own.table) for own in opened], left_out), left_out)
    opened = _of_chosen(_of_one_metric(opened, request), request, left_out)
    opened, request = _with_settings_of_files(opened, request)
    opened, request = (opened, request) if request.episodes else _turned(opened, request, paths)
    for table in (entry.table for entry in opened if request.episodes and entry.table.less):
        warn_of_less(table.place, table.less)
    # what stands around each file: what all file names are, and whether its names stand in others too
    n = len(opened)
    heads = [names_in(entry.table, request.chosen, FORMATS[entry.format].wide_among(n)) for entry in opened]
    counts, files_name = Counter(heads), _files_name(opened, request)
    numbered = len({without_numbers(str(entry.file.path)) for entry in opened}) == 1
    around = [Around(files_name=files_name, numbered=numbered, shared=counts[names] > 1) for names in heads]

    def with_shape(pair: tuple[Opened, Around]) -> Opened:
        wide, table = FORMATS[pair[0].format].wide_among(n), replace(pair[0].table, duplicates=request.duplicates)
        around, keys, unit = pair[1], request.keys, request.unit
        shape = shaped(table, request.chosen, wide=wide, keys=keys, around=around, unit=unit)
        if keys is None and not request.chosen.get("algorithm"):
            refuse_joined(shape.table, shape.has, shape.chosen)
        return replace(pair[0], shape=shape)

    opened = _each(list(zip(opened, around, strict=True)), lambda pair: pair[0].file, with_shape, left_out)
    if request.pattern is None:
        shapes = [(entry.file, extent_of(entry.table, entry.shape.chosen)) for entry in opened if entry.shape]
        opened = _without_repeats(opened, superseded(shapes), left_out)
    opened = _called(_with_names(opened, request, left_out), request, left_out)
    stems = Counter(entry.file.stem for entry in opened)
    read = _each(opened, lambda entry: entry.file, lambda entry: _finish(entry, request, stems), left_out)
    return read, left_out, request


def _turned(opened: list[Opened], request: Request, paths: Found) -> tuple[list[Opened], Request]:
    """Return the files without columns that measure nothing, and the request with the direction of the scores."""
    tables = with_costs_of_files([(own.table, own.file) for own in opened], request.chosen, paths.searched)
    tables = without_lengths(without_unmeasured(tables, request.chosen), request.chosen)
    chosen, sign = with_sign(tables, request.chosen, request.sign)
    opened = [replace(entry, table=table) for entry, table in zip(opened, tables, strict=True)]
    return opened, replace(request, chosen=chosen, sign=sign)


def _with_settings_of_files(opened: list[Opened], request: Request) -> tuple[list[Opened], Request]:
    """Return the files, and the request, with the settings that differ between files but not within any, whose runs must not be pooled."""
    tables = [entry.table for entry in opened if not entry.table.structural]
    names = settings_of_files(tables, request.chosen)
    if not names:
        return opened, request
    configured = [
        entry
        if entry.table.structural
        else replace(entry, table=with_settings_of_files(entry.table, names, request.chosen))
        for entry in opened
    ]
    before = request.chosen.get(SETTINGS)
    settings = ",".join([*([before] if before else []), *(f"{name}?" for name in names)])
    return configured, replace(request, chosen={**request.chosen, SETTINGS: settings})


def _refuse_parts(opened: Sequence[Opened], request: Request) -> None:
    """Refuse the name of a sheet if no file is a workbook, and the name of a table if none is a database."""
    for name, part, formats, what in (
        ("sheet", request.sheet, ("excel",), "workbook"),
        ("table", request.table, OF_SEVERAL, "database or a text"),
    ):
        if part is not None and all(entry.format not in formats for entry in opened):
            other = opened[0]
            raise OptionError(
                f"{option(name, part)} names a {name} of a {what}, and {shown(other.file.path)} is none (it was read as {other.format}); "
                "leave it out."
            )


LEFT_OUT = "only the chosen algorithms and tasks were read; the other rows were left out unchecked"


def _of_chosen(opened: Sequence[Opened], request: Request, left_out: list[tuple[File, NotRuns]]) -> list[Opened]:
    """Return the files with only the rows of the algorithms and tasks that will be selected; all files unchanged if none has such rows."""
    if not request.only:
        return list(opened)
    some = [(entry, some_names(entry.table, request.chosen, request.only)) for entry in opened]
    if all(table is None for _, table in some):
        return list(opened)
    left_out += [(entry.file, unchosen(entry.file)) for entry, table in some if table is None]
    return [replace(entry, table=table.noted(LEFT_OUT)) for entry, table in some if table is not None]


def _called(opened: Sequence[Opened], request: Request, left_out: list[tuple[File, NotRuns]]) -> list[Opened]:
    """Return the files whose paths name an algorithm and a task that will be selected; all files if none does."""

    def fits(entry: Opened) -> bool:
        own = {
            role: name for role, name in entry.names.names.items() if entry.shape is None or role not in entry.shape.has
        }
        return all(own.get(role, names[0]) in names for role, names in request.only.items())

    # In pairs, for to look each file up among those that are kept takes as long as the square of their number.
    fitting = [(entry, fits(entry)) for entry in opened]
    if not any(fit for _, fit in fitting):
        return list(opened)
    left_out += [(entry.file, unchosen(entry.file)) for entry, fit in fitting if not fit]
    return [entry for entry, fit in fitting if fit]


def _without_repeats(
    opened: Sequence[Opened], reasons: Mapping[int, str], left_out: list[tuple[File, NotRuns]]
) -> list[Opened]:
    """Return the files without those that repeat others, each for its reason."""
    left_out += [(opened[i].file, Superseded(reason)) for i, reason in reasons.items()]
    return [entry for i, entry in enumerate(opened) if i not in reasons]


def _of_one_metric(opened: Sequence[Opened], request: Request) -> list[Opened]:
    """Return the files of one metric if files of a folder are named by several; a pattern decides itself."""
    if request.pattern is not None or not all(entry.file.optional for entry in opened):
        return list(opened)
    rows, note = of_one_metric([(entry.file.path.parent, entry.file.stem) for entry in opened])
    kept = [opened[i] for i in rows]
    if note:
        warn(note)
        kept[0] = replace(kept[0], table=replace(kept[0].table, notes=(*kept[0].table.notes, note)))
    return kept


def _each(
    items: Sequence[T], file: Callable[[T], File], do: Callable[[T], R], left_out: list[tuple[File, NotRuns]]
) -> list[R]:
    """Return the result of `do` for each item; files of a folder without runs are left out, and others must remain."""
    results = []
    tick = ticking("reading files", len(items))
    for item in items:
        tick()
        try:
            results.append(do(item))
        except NotRuns as refusal:
            if not file(item).optional:
                raise
            left_out.append((file(item), refusal))
    if not results:
        others = f" ({len(left_out) - 1} more file(s) there have no runs either)" if len(left_out) > 1 else ""
        raise NotRuns(f"{neutral(left_out[0][1]).removesuffix('.')}{others}.")
    return results


def _open(file: File, request: Request) -> Opened:
    source, sha256 = load(file)
    source = replace(
        source,
        data=as_utf8(source.data, source.place),
        sheet=request.sheet,
        table=request.table,
        columns=request.chosen,
    )
    name = recognise_format(source) if request.format == "auto" else request.format
    data, guess = (source.data, "") if FORMATS[name].binary else guessed(source.data, source.place)
    if guess:
        warn(f"{source.place}: {guess}")
        source = replace(source, data=data)
        name = recognise_format(source) if request.format == "auto" else name
    table = with_axes(
        FORMATS[name].read(replace(source, axes=request.axes, keys=request.keys, decimal=request.decimal)), request.axes
    )
    refuse_beyond("columns", len(table.columns), f"{source.place}: the table has {len(table.columns)} columns")
    table = table.noted(guess) if guess else table
    if table.structural:
        if request.keys is None and request.sign > 0:
            refuse_file_of_no_score(table, file.stem)
            table = with_measured_keys(table)
        refuse_rows(request.before, f"the file {source.place} has no named columns")
        table = replace(table, unmet=frozenset(unused_in(request.before.get(UNUSED))))
    else:
        refuse_answer(table, request.chosen)
        chosen = {**request.chosen, **request.before}
        table = unfolded(replace(table, duplicates=request.duplicates), chosen)
        table = replace(with_chosen(without_corner(table, chosen), chosen, request.beside), beside=request.beside)
    return Opened(file=file, table=table, format=name, sha256=sha256, unmet=table.unmet)


# ── what names are ──────────


def _files_name(opened: Sequence[Opened], request: Request) -> Meaning | None:
    if request.pattern is not None:
        fields = set(request.pattern.groupindex) & {"algorithm", "task"}
        return "algorithm" if "algorithm" in fields else "task" if fields else None
    levels = zip(*(reversed((*entry.file.path.parent.parts, entry.file.stem)) for entry in opened), strict=False)
    meanings = [meaning_of(level) for level in levels if len(set(level)) > 1]
    if meaning := next((role for role in ("algorithm", "task") if role in meanings), None):
        return meaning
    (stem, *others) = {entry.file.stem for entry in opened}
    if others:
        return None
    return "algorithm" if is_algorithm_itself(stem) else "metric" if is_metric(stem) else None


def _with_names(opened: Sequence[Opened], request: Request, left_out: list[tuple[File, NotRuns]]) -> list[Opened]:
    below = places_below([entry.file for entry in opened])
    if request.pattern is None:
        names = without_common_end(renamed([names for names, _ in below]))
        places = zip(opened, names, below, strict=True)
        trails = [_trail(entry, own, above) for entry, own, (_, above) in places]
        return [replace(entry, names=names) for entry, names in zip(opened, names_of_paths(trails), strict=True)]
    pattern = request.pattern_text or ""
    wholes = [_whole_path(entry.file) for entry in opened]
    fields = dict(zip(wholes, matched_together(pattern, wholes), strict=True))
    return _each(opened, lambda entry: entry.file, partial(_by_pattern, fields, f"the pattern {pattern}"), left_out)


def _whole_path(file: File) -> str:
    return shown(os.path.join(os.path.abspath(file.path.parent), file.stem)).replace(os.sep, "/")


def _trail(opened: Opened, parts: tuple[str, ...], above: tuple[str, ...]) -> Trail:
    assert opened.shape is not None  # shapes are made before names
    has = opened.shape.has
    path = Path(shown(opened.file.path))
    refuse_two_tasks(opened.shape.table, parts, str(path))
    columns = opened.shape.table.columns
    of_runs = columns_of(("run",), list(columns), opened.shape.chosen).get("run", "")
    runs = labelled(columns[of_runs]).names if of_runs in columns else [""]
    run = runs[0] if len(runs) == 1 else ""
    return Trail(path=path, parts=parts, above=above, lacks=frozenset(NAMED) - has, one_run="step" in has, run=run)


def _by_pattern(of_paths: Mapping[str, Mapping[str, str] | None], words: str, opened: Opened) -> Opened:
    assert opened.shape is not None  # shapes are made before names
    fields = of_paths[_whole_path(opened.file)]
    if fields is None:
        raise NotRuns(f"{shown(opened.file.path)}: its path does not match {words}.")
    where = dict.fromkeys(fields, words)
    named = Names(names=fields, where=where, forced=frozenset(fields))
    if "algorithm" not in opened.shape.has | fields.keys():
        above = shown(opened.file.path.resolve().parent.name) if fields.keys() & {"task", "run"} else opened.file.stem
        named = replace(named, names={**fields, "algorithm": above}, where={**where, "algorithm": "the folder"})
    return replace(opened, names=named)


def _finish(opened: Opened, request: Request, stems: Mapping[str, int]) -> Read:
    assert opened.shape is not None  # shapes are made before names
    part = laid_out(
        opened.shape,
        opened.names,
        with_step=request.with_step,
        incomplete=request.incomplete,
        duplicates=request.duplicates,
        episodes=request.episodes,
    )
    stem = opened.file.stem
    label = f"{shown(opened.file.path.parent.name)}/{stem}" if stems[stem] > 1 else stem
    return Read(
        file=opened.file, label=label, part=part, format=opened.format, sha256=opened.sha256, unmet=opened.unmet
    )
