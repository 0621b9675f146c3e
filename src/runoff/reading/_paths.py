"""Finding the files of paths (a file, a folder with its subfolders, a glob, a list of them, or "-") and reading their bytes; left-out files
are named."""

from __future__ import annotations

import glob
import hashlib
import os
import re
import shlex
import stat
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

from runoff.base.bounds import refuse_beyond
from runoff.errors import DataError, OptionError, nearest
from runoff.reading._known import has_algorithm, is_contender, run_in, says_nothing
from runoff.reading._streams import SUFFIXES as COMPRESSED
from runoff.reading._streams import bounded, packed, unpack
from runoff.reading.formats import LOGS, SUFFIXES, NotRuns, Source
from runoff.words.labels import run_of
from runoff.words.patterns import regex
from runoff.words.words import canonical, vocabulary, without_numbers

Paths = str | Path | Iterable[str | Path]
STDIN = Path("-")
"""The path that stands for standard input."""
STORES = {
    ".aim": "a store of Aim: write the series that you need as one table (docs/guides/logs/trackio-aim.md)",
    ".neptune": "an offline store of Neptune: sync it and export it by neptune-exporter (docs/guides/logs/lightning-dvclive-neptune.md)",
}
"""Folder of a tracker's store -> its description, and how to export from it."""


ABOUT_RUNS = (*LOGS, ".md", ".markdown", ".org", ".rst")
"""Suffixes of what people and scripts write about runs, with tables of other papers, and whose results files beside them hold."""
OF_TEXTS = (*ABOUT_RUNS, ".txt", ".yaml", ".yml", ".toml")
"""Suffixes of files that seldom contain runs: notes and configurations."""

NOTES = vocabulary("readme notes note todo changelog license licence requirements contributing")
"""Canonical names of texts that people write about a folder."""
SETTINGS_OF_RUNS = vocabulary("config args params hparams hyperparameters settings meta metadata notes variant flags")
"""Canonical names of files that scripts write beside the log of a run."""


@dataclass(frozen=True, slots=True)
class File:
    """A file to read; `optional` if it was found in a folder or by a glob, so that it may turn out to contain no runs."""

    path: Path
    optional: bool

    @property
    def suffix(self) -> str:
        return _bare(self.path).suffix.casefold()

    @property
    def stem(self) -> str:
        return "stdin" if self.path == STDIN else shown(_bare(self.path).stem)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The files to read and those left out, with the path as given; `searched` are the given folders."""

    files: tuple[File, ...]
    left_out: tuple[str, ...]
    shown: str
    searched: frozenset[Path] = frozenset()


def find(path: Paths) -> Found:
    """Return the files of a path."""
    if isinstance(path, str | Path):
        return _once(_find_one(path))
    if not isinstance(path, Iterable):
        raise OptionError(f"path must be a file, a folder, a glob or a list of these, not {type(path).__name__}.")
    listed = list(path)
    if not listed:
        raise DataError("the list of paths is empty.")
    if [str(result) for result in listed].count(str(STDIN)) > 1:
        raise DataError("standard input (-) is named twice, but it can be read once.")
    results = [_find_one(result) for result in listed]
    return _once(
        Found(
            files=tuple(file for result in results for file in result.files),
            left_out=tuple(name for result in results for name in result.left_out),
            shown=", ".join(result.shown for result in results),
            searched=frozenset[Path]().union(*(result.searched for result in results)),
        )
    )


def _once(results: Found) -> Found:
    """Return the files without those reached through a link (`latest`) that are there under their own name as well."""
    is_link = cache(os.path.islink)
    links = [sum(map(is_link, (file.path, *file.path.parents))) for file in results.files]
    # The path to all of them may lead through a link, too.
    fewest = min(links)
    own = {os.path.realpath(file.path) for file, n in zip(results.files, links, strict=True) if n == fewest}
    files = (
        file
        for file, n in zip(results.files, links, strict=True)
        if n == fewest or os.path.realpath(file.path) not in own
    )
    return replace(results, files=tuple(files)) if max(links) > fewest else results


ELSEWHERE: dict[str, str] = {}
"""Folder into which an archive is unpacked -> the archive, which messages name."""
ADDRESS = regex(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
"""The beginning of a URL, which is not a path."""


def shown(path: str | Path) -> str:
    """Return a path as printable text: undecodable bytes and control characters escaped."""
    # File names are bytes to Linux, and a refusal must print on any terminal.
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    for folder, archive in ELSEWHERE.items():
        text = text.replace(folder, archive)
    kept = (c if c.isprintable() or (ord(c) > 159 and c not in "\u2028\u2029") else repr(c)[1:-1] for c in text)
    return "".join(kept)


def _find_one(path: str | Path) -> Found:
    if not isinstance(path, str | Path):  # bytes are iterable: their first number ends here
        raise OptionError(f"path must be a file, a folder, a glob or a list of these, not {type(path).__name__}.")
    text = str(path)
    # Before the file system is asked, as command lines have it.
    if text == str(STDIN):
        return Found(files=(File(STDIN, optional=False),), left_out=(), shown="stdin")
    if not text or "\0" in text:
        raise DataError(f"the path is empty or holds a null character: {text!r}.")
    if ADDRESS.match(text):
        command = f"curl -LO {shlex.quote(text)}" if text.startswith("http") else "a tool for such addresses"
        raise DataError(
            f"{shown(text)}: this is a web address, and runoff downloads nothing; download it with {command}, and name the file."
        )
    try:
        mode = os.stat(path).st_mode
    # A name that is there is never a pattern: folders such as `runs[old]` hold brackets.
    except FileNotFoundError:
        return _glob(text)
    except OSError as error:
        raise unreadable(path, error) from error
    if stat.S_ISDIR(mode):
        if is_report(Path(path)):
            scores = Path(path, "tables", "scores")
            own = f", or its copy of the scores: {shown(scores)}" if scores.is_dir() else ""
            raise DataError(f"{shown(path)}: this folder is {REPORT}; name the runs that it describes{own}.")
        in_folder = _sorted_out(list(_walk(Path(path))), shown(path), f"{shown(path)}: the folder", folder=path)
        return replace(in_folder, searched=frozenset({Path(path)}))
    check_regular(path, mode)
    return Found(files=(File(Path(path), optional=False),), left_out=(), shown=shown(path))


REPORT = "a report of runoff, which has answers but no runs"


def is_report(folder: Path) -> bool:
    """Return whether `report` wrote a folder."""
    return (folder / ".runoff-files.json").is_file()


def check_regular(path: str | Path, mode: int) -> None:
    """Refuse pipes, sockets and devices: reading them may never end."""
    if not stat.S_ISREG(mode):
        raise DataError(f"{shown(path)}: this is a pipe, a socket or a device, not a file.")


def unreadable(path: str | Path, error: OSError) -> DataError:
    """Return the refusal for a file that the system could not open."""
    return DataError(f"{shown(path)}: this cannot be read: {(error.strerror or str(error)).lower()}.")


def leads_out(path: str | Path, folder: str | Path) -> bool:
    """Return whether a path is a link that leads out of a folder, to something that the user did not ask to read."""
    return os.path.islink(path) and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def is_hidden(name: str) -> bool:
    """Return whether a name is hidden, or that of a file that a desktop or an office program keeps beside others."""
    return name.startswith((".", "~$")) or name.casefold() in ("thumbs.db", "ehthumbs.db", "desktop.ini")


LEADS_OUT = "a link out of the folder; to read it, name its target"


def _walk(folder: Path) -> Iterator[Path]:
    """Yield the entries of a folder and its subfolders, sorted; hidden entries and folders seen before (through a link) are skipped."""
    waiting, linked, seen, n = [folder], list[Path](), set[str](), 0
    while waiting or linked:
        # Links come last, so that a folder that is there has its own name; one to a folder above would be walked for ever.
        path = waiting.pop(0) if waiting else linked.pop(0)
        if (real := os.path.realpath(path)) in seen:
            continue
        seen.add(real)
        inner: list[Path] = []
        try:
            entries = [path / name for name in sorted(os.listdir(path)) if not is_hidden(name)]
        except OSError as error:
            raise unreadable(path, error) from error
        for entry in entries:
            if entry.is_dir() and not leads_out(entry, folder) and not is_report(entry):
                (linked if entry.is_symlink() else inner).append(entry)
            else:
                n += 1
                refuse_beyond("files", n, f"{shown(folder)}: the folder and those inside it hold {n} files")
                yield entry
        waiting = inner + waiting


def empty_beside(folders: Iterable[Path], searched: frozenset[Path], of_no_run: Collection[str]) -> list[Path]:
    """Return the folders without files beside those of runs, as `seed_1` beside `seed_0`: a run that crashed at once leaves such a one.

    of_no_run: names of files that say nothing of how a run ended, such as its configuration.
    """
    filled: dict[Path, set[str]] = {}
    for folder in folders:
        inside = [folder, *folder.parents]
        for path in takewhile(lambda path: path not in searched, inside if not searched.isdisjoint(inside) else ()):
            filled.setdefault(path.parent, set()).add(path.name)
    return sorted(
        Path(entry.path)
        for parent, names in filled.items()
        for entry in os.scandir(parent)
        if entry.name not in names
        and without_numbers(entry.name) in set(map(without_numbers, names))
        and entry.is_dir(follow_symlinks=False)
        and all(name.casefold() in of_no_run for _, _, files in os.walk(entry.path) for name in files)
    )


def matches_of(entry: Any) -> list[Any]:
    """Return what a pattern matches, sorted; a path that exists, and anything else, as it is."""
    if not isinstance(entry, str | Path) or not glob.has_magic(str(entry)) or os.path.lexists(entry):
        return [entry]
    return sorted(glob.glob(str(entry), recursive=True)) or [entry]


def _glob(pattern: str) -> Found:
    if os.path.islink(pattern):
        raise DataError(f"{shown(pattern)}: the target of this link is missing ({shown(os.readlink(pattern))}).")
    if not glob.has_magic(pattern):
        raise DataError(f"{shown(pattern)}: there is no such file or folder.{_beside(Path(pattern))}")
    entries = [Path(name) for name in sorted(glob.glob(pattern, recursive=True))]
    if not entries:
        raise DataError(f"{shown(pattern)}: no file matches this pattern.")
    return _sorted_out(entries, shown(pattern), f"{shown(pattern)}: the pattern")


def _sorted_out(entries: list[Path], name: str, what: str, folder: str | Path = "/") -> Found:
    outside = {entry: None for entry in entries if leads_out(entry, folder)}
    files, left_out = [], [f"{shown(entry)}: {LEADS_OUT}" for entry in outside]
    left_out += [f"{shown(entry)}: {REPORT}" for entry in entries if entry.is_dir() and is_report(entry)]
    for file in (
        File(entry, optional=True) for entry in dict.fromkeys(entries) if entry not in outside and not entry.is_dir()
    ):
        if not file.path.is_file():
            left_out.append(f"{shown(file.path)}: not a regular file")
        # Files without a suffix are looked into: many scripts write `progress` or `scores`.
        elif file.suffix and file.suffix not in SUFFIXES:
            left_out.append(f"{shown(file.path)}: runoff does not read {file.suffix} files")
        else:
            files.append(file)
    notes = [
        file
        for file in files
        if canonical(file.stem) in NOTES and file.suffix in (*OF_TEXTS, "") and file.suffix not in LOGS
    ]
    if 0 < len(notes) < len(files):
        left_out += [f"{shown(file.path)}: a text beside files of results" for file in notes]
        files = [file for file in files if file not in notes]
    if any(file.suffix not in OF_TEXTS and canonical(file.stem) not in SETTINGS_OF_RUNS for file in files):
        left_out += [
            f"{shown(file.path)}: a {'log' if file.suffix in LOGS else 'text'} beside files of results"
            for file in files
            if file.suffix in ABOUT_RUNS
        ]
        files = [file for file in files if file.suffix not in ABOUT_RUNS]
    way_out = _way_out(Path(folder))
    # Beside the store of a tracker there may be notes, and configurations.
    if not files or (way_out and all(file.suffix in OF_TEXTS for file in files)):
        kinds = ", ".join(sorted(SUFFIXES))
        raise DataError(f"{what} has no file of a type that runoff reads ({kinds}).{way_out}")
    return Found(files=tuple(files), left_out=tuple(left_out), shown=name)


def _way_out(folder: Path) -> str:
    """Return the sentence on files that can be made readable; "" if there are none."""
    for name, way_out in STORES.items():
        if folder.name == name or (folder / name).is_dir():
            return f" This is {way_out}."
    return ""


def _beside(path: Path) -> str:
    try:
        entries = sorted(path.parent.iterdir())
        # A word without a suffix means a folder, or a file that is called so, and no file whose name is like it.
        entries = [entry for entry in entries if entry.is_dir() or not entry.suffix or _bare(entry).suffix in SUFFIXES]
        alike = entries if path.suffix else [e for e in entries if e.is_dir() or e.stem == path.stem]
        beside = {entry.stem: entry.name for entry in alike}
    except OSError:
        return ""
    near = nearest(path.stem, beside)
    names = (near.replace(f"'{stem}'", f"'{name}'") for stem, name in beside.items() if f"'{stem}'" in near)
    return next(names, "")


ROTATED = regex(r"(.+)(\.(?:log|out|csv|tsv|jsonl))\.(\d{1,3})", re.IGNORECASE)
"""The name of an older part of a log, `train.log.1`."""


def _bare(path: Path) -> Path:
    """Return a path without the suffix of its compression, and with the number of an older part before the suffix of its format."""
    bare = path.with_suffix("") if path.suffix.casefold() in COMPRESSED else path
    match = ROTATED.fullmatch(bare.name)
    return bare.with_name(f"{match[1]}.{match[3]}{match[2]}") if match else bare


# ── bytes ──────────


GZIP = b"\x1f\x8b"


def _is_called_by_runs(path: Path) -> bool:
    """Return whether a file, or the folder of one whose name says nothing, is called like an algorithm or a run."""
    name = path.parent.name if says_nothing(path.stem) else path.stem
    return has_algorithm(name) or is_contender(name) or run_in(name) is not None or run_of(name) is not None


def load(file: File) -> tuple[Source, str]:
    """Return a file's source and the sha256 of its bytes on disk; refuse files that are unreadable, empty, or compressed and damaged."""
    place = "stdin" if file.path == STDIN else shown(file.path)
    raw = _piped(place) if file.path == STDIN else _read(file, place)
    if not raw:
        # What the name of a run, or of an algorithm, calls is missed among the runs; `notes.csv` is not.
        refusal = DataError if _is_called_by_runs(file.path) else NotRuns
        raise refusal(f"{place}: the file is empty (0 bytes).")
    if raw.startswith(b"version https://git-lfs.github.com/spec/"):
        raise DataError(
            f"{place}: this is a pointer of Git LFS, without the file that it stands for; fetch it with git lfs pull."
        )
    kind = packed(raw)
    data = raw if kind is None else unpack(raw, kind, place)
    if kind is None and file.path.suffix in COMPRESSED:
        raise DataError(f"{place}: the name ends in {file.path.suffix}, but the content is not compressed.")
    source = Source(place=place, stem=file.stem, suffix=file.suffix, data=data)
    return source, hashlib.sha256(raw).hexdigest()


def _read(file: File, place: str) -> bytes:
    try:
        # not blocking, for a pipe may have taken the place of the file since it was looked at
        handle = os.open(file.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as stream:
            status = os.fstat(handle)
            check_regular(file.path, status.st_mode)
            refuse_beyond("bytes", status.st_size, f"{place}: the file has {status.st_size} bytes")
            return stream.read()
    except OSError as error:
        raise unreadable(file.path, error) from error


def _piped(place: str) -> bytes:
    """Return the content of standard input; Python has none if it was closed."""
    if sys.stdin is None:
        raise DataError(f"{place}: standard input is closed; pipe a table into it, or name a file.")
    try:
        return bounded(sys.stdin.buffer, place)
    except OSError as error:
        raise DataError(f"{place}: standard input cannot be read: {error.strerror or error}.") from error
