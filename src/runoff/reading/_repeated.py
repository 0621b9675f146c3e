"""Files of runs that repeat other files: copies, and attempts at a run that crashed, by words in their paths (`seed_1_retry`, `old/`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise
from typing import Any

from runoff.base.grouping import grouped
from runoff.errors import DataError, warn
from runoff.reading._known import says_nothing
from runoff.reading._path_names import places_below
from runoff.reading._paths import File, shown
from runoff.reading.logs.reruns import NOTHING, REPEATS, without_repeats
from runoff.tables.columns import NAMED, listed, playing, recognise
from runoff.tables.likely import Chosen
from runoff.tables.source import SourceTable
from runoff.tables.values import floats
from runoff.words.labels import run_of
from runoff.words.patterns import regex
from runoff.words.speech import option
from runoff.words.words import vocabulary, words

COPY = regex(r"(.+?)(?: ?\(\d+\)|[ _-]+\(?(?:copy|kopie|copie|copia)\)?(?: ?\(?\d+\)?)?)", re.IGNORECASE)
"""The name of a copy, as browsers and desktops make it: `PPO (1)`, `PPO - Copy`."""
PART = regex(r"(.+)(?:\.|[._-]part[_-]?)(\d{1,4})", re.IGNORECASE)
"""The name of a file in which another goes on: `progress.1` beside `progress`."""
COUNTED_COPY = regex(r"[^\W_] ?\(\d+\)$")
"""The end of a name that may count runs as well as copies, unless a run stands before it: `seed_0 (1)`."""
AGAIN = regex(r"(.*(?:seed|run|trial)[_-]?\d+)[-.]\d{1,2}", re.IGNORECASE)
"""The name of a run that a scheduler began again, behind that of the run: `seed_1-2`."""
OF_COPIES = vocabulary("copy backup bak old prev previous")
BEFORE = OF_COPIES - vocabulary("copy") | vocabulary("crashed crash failed aborted killed interrupted")
"""Words for an attempt that another one replaced; the other words of `REPEATS` say that one replaces another."""
RESUMED = regex(r"resumed?|continued", re.IGNORECASE)
EITHER = vocabulary("copy kopie copie copia complete completed running done finished")
END = regex(r"(.*[^\W_])[\W_]+([^\W\d_]+)")
"""A name of several words, and its last."""
PathParts = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedSpan:
    """The first and the last step of a file, or of its rows."""

    first: float
    last: float


def extent_of(table: SourceTable, chosen: Chosen) -> TrainedSpan:
    """Return the extent of a file, by its steps if it has any."""
    names = list(table.columns)
    step = (
        "step"
        if table.structural
        else recognise(names, wanted=("step",), chosen=chosen, place=table.place).get("step", "")
    )
    own = None if step not in table.columns else floats(table.columns[step])
    return (
        TrainedSpan(first=float(own.min()), last=float(own.max()))
        if own is not None
        else TrainedSpan(first=0, last=table.n_rows)
    )


def continued(opened: Sequence[Any], *, by_pattern: bool) -> list[Any]:
    """Return the files of a folder without those in which others go on, `progress.1.csv` behind `progress.csv`, whose rows are joined to theirs:
    they have the same columns, and each begins at a step behind the last of another. Refuse parts of one run by their names that do not; by a
    pattern they may be runs."""
    places = {
        (entry.file.path.parent, entry.file.stem, entry.file.suffix): entry for entry in opened if entry.file.optional
    }
    names = [(place, entry, match) for place, entry in places.items() if (match := PART.fullmatch(place[1]))]
    parts = grouped(((place[0], match[1], place[2]), entry) for place, entry, match in names)
    runs = [[*([places[first]] if first in places else []), *own] for first, own in parts.items()]
    whole = [_one_table(own) if len(own) > 1 else None for own in runs]
    for own, (_, bare, _), table in zip(runs, parts, whole, strict=True):
        if len(own) > 1 and table is None and says_nothing(bare) and not by_pattern:
            _refuse_overlap(own)
    joined = {id(own[0]): table for own, table in filter(None, whole)}
    rest = {id(entry) for own, _ in filter(None, whole) for entry in own[1:]}
    return [
        replace(entry, **joined[id(entry)]) if id(entry) in joined else entry
        for entry in opened
        if id(entry) not in rest
    ]


def _refuse_overlap(parts: Sequence[Any]) -> None:
    """Refuse files that are parts of one run by their names if they have steps and scores, and no names, in common; others are of different
    things."""
    tables = [entry.table for entry in parts]
    heads = [name for name in tables[0].columns if all(name in table.columns for table in tables)]
    alike = not any(table.structural for table in tables) and bool(playing(heads, ["score"]))
    if alike and playing(heads, ["step"]) and not playing(heads, NAMED):
        first, other = (shown(entry.file.path) for entry in parts[:2])
        raise DataError(
            f"{first} and {other} are parts of one run by their names, and share steps, or have other columns, so that one may have begun "
            "again: keep the part that counts, or join them in one file with the later of two rows at one step; if each is a run, use "
            f"{option('pattern')}."
        )


def _one_table(parts: list[Any]) -> tuple[list[Any], dict[str, Any]] | None:
    """Return files with the changed fields of the first, whose table has the rows of all in the order of their steps; None where one has other
    columns, or steps that another has too."""
    tables = [entry.table for entry in parts]
    heads = [*tables[0].columns]
    if any(table.structural or [*table.columns] != heads for table in tables) or not playing(heads, ["step"]):
        return None
    extents = [extent_of(table, {}) for table in tables]
    order = sorted(range(len(parts)), key=lambda i: extents[i].first)
    if any(extents[i].last >= extents[j].first for i, j in pairwise(order)):
        return None
    rows = [(tables[i], row) for i in order for row in range(tables[i].n_rows)]
    columns = {name: [value for i in order for value in tables[i].columns[name]] for name in heads}
    others = listed([shown(parts[i].file.path.name) for i in order if i], 3)
    table = replace(tables[0], columns=columns, row=lambda at: f"{rows[at][0].row(rows[at][1])} of {rows[at][0].place}")
    digest = sha256("".join(parts[i].sha256 for i in order).encode()).hexdigest()
    note = f"{table.place}: the run goes on in {others}, whose steps lie behind one another"
    return parts, {"table": table.noted(note), "sha256": digest}


def copies(files: Sequence[tuple[File, str]], *, folders: bool) -> dict[int, str]:
    """Return why files with these digests, found in a folder, are copies by their names and bytes, {index: sentence}; folders: whether the
    names of folders may say so."""
    paths = _paths([file for file, _ in files])
    originals = {(path, digest) for path, (_, digest) in zip(paths, files, strict=True)}
    reasons = {}
    for i, (path, (file, digest)) in enumerate(zip(paths, files, strict=True)):
        match = COPY.fullmatch(path[-1])
        beside = (*path[:-1], match[1]) if match else path
        # A folder that is counted, `New folder (2)`, may hold another run of the same bytes.
        above = tuple(filter(None, (*map(_without_copy, path[:-1]), beside[-1]))) if folders else path
        plain = next((own for own in (beside, above) if own != path and (own, digest) in originals), None)
        if plain and file.optional:
            reasons[i] = f"{shown(file.path)}: this is a copy of {'/'.join(plain)!r}, byte for byte."
    return reasons


def superseded(files: Sequence[tuple[File, TrainedSpan]]) -> dict[int, str]:
    """Return why files found in a folder are attempts at runs that others repeat, {index: sentence}: of several the one that trained longest
    counts, if words say that it came last. Refuse attempts of which nothing says which counts."""
    paths, extents = _paths([file for file, _ in files]), [extent for _, extent in files]
    attempts = grouped((plain_names(path), i) for i, path in enumerate(paths))
    reasons: dict[int, str] = {}
    for own in attempts.values():
        several = len({paths[i] for i in own}) > 1 and all(files[i][0].optional for i in own)
        # What resumed another has rows of its own.
        if not several or any(RESUMED.search(part) for i in own for part in paths[i]):
            continue
        longest = max(own, key=lambda i: extents[i].last)
        others = [i for i in own if i != longest]
        later = _said(paths[longest]) == "later" or all(_said(paths[i]) == "before" for i in others)
        shorter = all(extents[i].last < extents[longest].last for i in others)
        if not (later and shorter and all(extents[i].first >= extents[longest].first for i in others)):
            raise _undecided([shown(files[i][0].path) for i in own])
        repeat = f"{'/'.join(paths[longest])!r} repeats it until {extents[longest].last:g}"
        reasons |= {i: f"{shown(files[i][0].path)}: it ends at {extents[i].last:g}, and {repeat}." for i in others}
    return reasons


def _paths(files: Sequence[File]) -> list[PathParts]:
    return [names for names, _ in places_below(files)]


def _undecided(paths: Sequence[str]) -> DataError:
    first, other = sorted(paths, key=len)[:2]
    return DataError(
        f"{first} and {other} are attempts at one run by their names, and nothing says which counts (they are no copies, and none ended before "
        "one that repeats it); move the one that does not count out of the folder, or, if both count, rename a folder after what it holds."
    )


def plain_names(path: PathParts) -> PathParts:
    """Return the names on a path without words that repeat a run, where what is left names a run or nothing: `seed_1_retry`, `progress_old`,
    `old/ppo`; `ppo_fixed` may be a variant."""
    *folders, stem = path
    return (*filter(None, map(_plain, folders)), _plain(stem, says_nothing) or stem)


def renamed(paths: Sequence[PathParts]) -> list[PathParts]:
    """Return the names on paths with those of runs without words that repeat them, if other paths have none, or if all are below a folder
    called so; warn of it."""
    states = len(paths) > 1 and all(
        "" in map(_plain, path[:-1]) for path in paths
    )  # `done/` and `running/` are no part of an algorithm's name
    bare = [
        (*(_plain(part) or (NOTHING if states else part) for part in folders), _plain(stem, says_nothing) or stem)
        for *folders, stem in paths
    ]
    again = sum(own != path and not any(map(RESUMED.search, path)) for own, path in zip(bare, paths, strict=True))
    if not again or (again == len(paths) and not states):
        return list(paths)
    example = next("/".join(path) for own, path in zip(bare, paths, strict=True) if own != path)
    warn(
        f"words in {again} of {len(paths)} paths only say that runs were repeated (such as {example!r}), and are read as no part of a name"
    )
    return bare


def without_common_end(paths: Sequence[PathParts]) -> list[PathParts]:
    """Return the names on paths without the last word of the names of files if all end in it and it says nothing: `ppo_0_eval`, `sac_0_eval`."""
    matches = [END.fullmatch(path[-1]) for path in paths]
    ends = {match and match[2].casefold() for match in matches}
    if len(paths) < 2 or len(ends) > 1 or not all(end and says_nothing(end) for end in ends):
        return list(paths)
    return [(*path[:-1], match[1]) if match else path for path, match in zip(paths, matches, strict=True)]


def _plain(part: str, bare: Callable[[str], bool] = str.isdigit) -> str:
    """Return a name without the words that repeat a run, if what is left names one, or is `bare`; "" if it is such words alone."""
    own = _without_words(part)
    own = part if COUNTED_COPY.search(part) and not _ends_with_run(own) else own
    return own if not own or (part.startswith(own) and (bare(own) or _ends_with_run(own))) else part


def _without_copy(part: str) -> str:
    own = {match.group().casefold() for match in REPEATS.finditer(part)}
    return _without_words(part) if own and own <= OF_COPIES and not COUNTED_COPY.search(part) else part


def _ends_with_run(name: str) -> bool:
    return run_of(" ".join(words(name)[-2:])) is not None


def _without_words(part: str) -> str:
    if match := AGAIN.fullmatch(part) or COPY.fullmatch(part):
        return match[1]
    return without_repeats(part) if REPEATS.search(part) else part


def _said(path: PathParts) -> str:
    """Return whether the words of a path say that it repeats another ("later"), or was repeated ("before"); "" if they say neither."""
    own = {re.sub(r"\d+$", "", match.group().casefold()) for part in path for match in REPEATS.finditer(part)}
    if own & BEFORE:
        return "before"
    return "later" if own - EITHER or any(map(AGAIN.fullmatch, path)) else ""
