"""Folders that answers are written to, and texts that others read.

Files are written beside their place and then moved there: a run that fails leaves what was there as it was, and no file is overwritten that
runoff did not write. CSV holds no formulas for a
spreadsheet, JSON can be read by every parser, and names are safe for files.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from runoff.base.asked import refuse_overwriting, write_asked
from runoff.base.bounds import refuse_beyond
from runoff.base.interrupts import WRITTEN_FILES, undivided, unfinished
from runoff.base.locks import locked
from runoff.base.signed import strict_json
from runoff.base.writing import (
    encoded,
    forced,
    make_folders,
    place_in,
    refuse_link,
    refuse_name,
    take_away,
    unwritable,
)
from runoff.errors import DataError, OutputError
from runoff.page.words.paper import FORMATS
from runoff.words.patterns import regex
from runoff.words.speech import option

if TYPE_CHECKING:
    from runoff.page.sheet.drawing import DrawnAxes


SCHEMA = "runoff.report/3"
"""The name and the version of the contract of results.json."""
WRITTEN = ".runoff-files.json"
"""Verb -> the files of a folder that it wrote -> their digests: what is replaced and removed is in this list, and as it was written."""
DIGEST = regex("[0-9a-f]{64}")
BELOW = r"(?:figures|tables)(?:/[^./][^/]{,199})+"
PAGE_FILE = regex(rf"report\.html|results\.json|{BELOW}")
ANSWER_FILE = regex(rf"README\.txt|{BELOW}|[^./][^/]{{,199}}\.(?:json|csv|svg|pdf|png)")
"""What a report is of, and what other verbs leave behind: a list may name nothing else, or it would have the user's own files removed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Staging:
    """The files of an answer while they are made: `out`, the folder that they are meant for, and `folder`, a hidden one beside it."""

    out: Path
    folder: Path

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file of the answer; its name may hold folders."""
        with _refusing(self.out):
            place = place_in(self.folder, name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(encoded(content))

    def digests(self) -> dict[str, str]:
        """Return the names of all files with their digests."""
        files = (path for path in sorted(self.folder.rglob("*")) if path.is_file())
        return {path.relative_to(self.folder).as_posix(): _digest(path) for path in files}


PAGES = frozenset({".html", ".htm"})
"""Endings of a page that stands alone."""


@dataclass(slots=True)
class Page:
    """A page that stands alone, while it is made: what takes one file, whatever its name in a folder would be."""

    content: str | bytes = ""

    def write(self, _name: str, content: str | bytes) -> None:
        self.content = content


@contextmanager
def page_alone(out: Path, *, force: bool) -> Iterator[Page]:
    """Yield what takes a page, which is written as a file if the block ends well.

    Raises
    ------
    OutputError
        `out` is there already, and not `force`; it is a link, or cannot be written.
    """
    refuse_overwriting(out, force=force)
    yield (page := Page())
    write_asked(out, page.content, "page", force=force, folders=True)


OF_FILES = frozenset({*PAGES, ".pdf", ".json", ".csv", ".tex", ".md", ".svg", ".png", ".zip"})
"""Endings of files that people ask for where a folder is written."""


@contextmanager
def staged(out: str | Path, verb: str, *, force: bool = False) -> Iterator[Staging]:
    """Yield what takes the files of an answer, which are moved into `out` if the block ends well, and vanish if not.

    Files that the same verb wrote there before are replaced or removed; other files stay, and none is overwritten unless `force`. No link is
    followed, and no file is removed that is not as runoff wrote it, by force neither.

    Raises
    ------
    OutputError
        `out` is a file or a link, holds a link or something else at the place of a file, a file that this verb did not write or that was
        changed since, or a list of files that is not runoff's; or it cannot be written.
    """
    target = Path(out)
    new_folders: list[Path] = []
    with _refusing(target):
        refuse_link(target)
        if target.exists() and not target.is_dir():
            raise OutputError(
                f"{out} is a file, and `{verb}` writes a folder: name another place, as {option('out', f'runoff-{verb}')}."
            )
        if target.suffix in OF_FILES and not target.exists():
            named = option("out", str(target.with_suffix("")))
            raise OutputError(f"`{verb}` writes a folder, and {out} is the name of a file: name a folder, as {named}.")
        # What this verb wrote before is read now and compared below: in between, another process may write to
        # the folder.
        old = listed_files(target).get(verb, {})
        if not force:
            _refuse_changed(target, old)
        # Beside the folder and not within, so that it is on the same file system (renaming is atomic) and no
        # half-written file is ever in the folder.
        whole = target.resolve()
        hidden = whole.with_name(f".{whole.name[:80]}.{token_hex(4)}.tmp")
    try:
        with unfinished(hidden):
            with _refusing(target):
                new_folders += make_folders(hidden.parent)
                hidden.mkdir()
            # Until the block ends the user's folder is untouched; an exception takes the hidden one away.
            staging = Staging(out=target, folder=hidden)
            yield staging
            with _refusing(target), locked(target, "folder"):
                if not force and listed_files(target).get(verb, {}) != old:
                    raise OutputError(f"another call of `{verb}` wrote to {out} meanwhile; run this one again.")
                # An interrupt waits until all files are moved: half of two reports would be none.
                with undivided():
                    _hand_over(staging, verb, new_folders, force=force)
                    WRITTEN_FILES.note(target)
            # They are the user's now; what is left in the list is taken away below.
            new_folders.clear()
    finally:
        take_away(new_folders)


def _hand_over(staging: Staging, verb: str, new_folders: list[Path], *, force: bool) -> None:
    """Move the files to their places: first all is looked at and whatever takes room is written, then files are renamed."""
    target, new = staging.out, staging.digests()
    lists = listed_files(target)
    places = {name: place_in(target, name) for name in new}
    if not force:
        _refuse_others(places, lists)
    # What the last call of this verb wrote and this one does not: figures of algorithms that are no longer
    # there.
    gone = {name: digest for name, digest in lists.get(verb, {}).items() if name not in new}
    # A file that two verbs wrote belongs to the last, or the first would remove it.
    others = {key: {name: files[name] for name in files.keys() - new.keys()} for key, files in lists.items()}
    _refuse_no_list(others | {verb: new})  # or the next call would refuse what this one wrote
    (staging.folder / WRITTEN).write_bytes(encoded(strict_json(others | {verb: new})))
    for folder in sorted({place.parent for place in places.values()} | {target}):
        new_folders += make_folders(folder)
    for name, digest in gone.items():
        place = place_in(target, name)
        # Only what is as it was written: what the user has changed since stays, by force too.
        if place.exists() and _digest(place) == digest:
            place.unlink()
    for name, place in places.items():
        (staging.folder / name).replace(place)
    # The list comes last, for it says that these files are there.
    (staging.folder / WRITTEN).replace(target / WRITTEN)


def refuse_others_folder(out: Path) -> None:
    """Refuse a folder that holds files of others and no report: its tables would be read as runs where those files are runs."""
    with _refusing(out):
        refuse_link(out)
        if out.is_dir() and any(out.iterdir()) and "report" not in listed_files(out):
            message = f"{out} holds something other than a runoff report and is left alone; name another folder, or use {forced()}."
            raise OutputError(message)


def listed_files(target: Path) -> dict[str, dict[str, str]]:
    """Return the files that each verb wrote to a folder, with their digests; refuse a list that runoff did not write.

    The folder may come from anyone, and files are removed and replaced by this list. So each name must be one that runoff gives, no two may
    be the same where case does not count, and each must be spelled as its file is.
    """
    list_file = place_in(target, WRITTEN)
    if not list_file.exists():
        return {}
    try:
        # Anyone may have made the folder: a list of gigabytes is not read.
        refuse_beyond("bytes", list_file.stat().st_size, f"{list_file} is large")
        lists = json.loads(list_file.read_bytes())
        _refuse_no_list(lists)
    except (DataError, ValueError, RecursionError, OutputError) as error:
        reason = str(error).rstrip(".") or "it is nested too deep"
        message = f"{list_file} is not as runoff writes it ({reason}), so nothing beside it is replaced or removed; "
        raise OutputError(message + f"name another folder, or remove this list and use {forced()}.") from error
    for files in lists.values():
        for name in files:
            _refuse_twin(target, place_in(target, name))
    return lists  # type: ignore[no-any-return]


def _refuse_no_list(lists: Any) -> None:
    if not isinstance(lists, dict) or not all(isinstance(files, dict) for files in lists.values()):
        raise ValueError("it holds no names of files by verb")
    names = dict.fromkeys(name for files in lists.values() for name in files)
    folded: dict[str, str] = {WRITTEN: WRITTEN}
    for name in names:
        refuse_name(name)
        # Windows and macOS take names that differ in case for one file, which would be written and then
        # removed.
        twin = folded.setdefault(name.casefold(), name)
        if twin != name or name == WRITTEN:
            raise ValueError(f"{name!r} and {twin!r} may be one file")
    for verb, files in lists.items():
        for name, digest in files.items():
            # Without a digest a file could not be told from one that the user made.
            if not (isinstance(digest, str) and DIGEST.fullmatch(digest)):
                raise ValueError(f"{name!r} has no digest")
            if not (PAGE_FILE if verb == "report" else ANSWER_FILE).fullmatch(name):
                raise ValueError(f"{name!r} is no file that `{verb}` writes")


def _refuse_twin(target: Path, place: Path) -> None:
    """Refuse a listed file that is there under another spelling: to a file system that ignores case that is the file of another name."""
    while place != target:
        if place.exists() and place.name not in os.listdir(place.parent):
            message = f"{place} is spelled otherwise in {place.parent} than in {target / WRITTEN}; move it away, or name another folder."
            raise OutputError(message)
        place = place.parent


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _refuse_changed(target: Path, files: Mapping[str, str]) -> None:
    for name, digest in files.items():
        path = target / name
        if path.is_file() and _digest(path) != digest:
            raise OutputError(f"{path} was changed since runoff wrote it; name another folder, or use {forced()}.")


def _refuse_others(places: Mapping[str, Path], lists: Mapping[str, Mapping[str, str]]) -> None:
    own = {name: digest for files in lists.values() for name, digest in files.items()}
    for name, place in places.items():
        if place.exists() and own.get(name) != _digest(place):
            raise OutputError(f"{place} is not as runoff wrote it; name another folder, or use {forced()}.")


def write_answer(
    out: str | Path,
    verb: str,
    texts: Mapping[str, str],
    figures: Callable[[], Mapping[str, DrawnAxes]],
    *,
    force: bool = False,
    formats: Sequence[str] = FORMATS,
) -> None:
    """Write what a verb leaves behind: texts by file name, and figures by name in each format.

    Raises
    ------
    OutputError
        As of `staged`.
    """
    from runoff.page.sheet.drawing import figure_of, plain_style, render

    with staged(out, verb, force=force) as staging:
        for name, text in texts.items():
            staging.write(name, text)
        with plain_style():
            for name, drawn in figures().items():
                for kind in formats:
                    staging.write(f"{name}.{kind}", render(figure_of(drawn), kind))


@contextmanager
def _refusing(out: str | Path) -> Iterator[None]:
    try:
        yield
    except OutputError:
        raise
    except OSError as error:
        raise unwritable(str(out), error) from error


LONGEST = 60
"""The most characters of a name that its file name keeps; file systems allow 255 bytes with the suffix and the digest."""
RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(1, 10))})
"""Names of devices on Windows, which no file may have."""


def slugs(names: Iterable[str]) -> dict[str, str]:
    """Return a file name, without suffix, for each name.

    Letters, digits and `_.-` stay; whatever else is lost is made up for by eight digits of the name's SHA-256, which also distinguish names
    that differ only in case.
    """
    distinct = list(dict.fromkeys(names))
    # Names that differ in case alone are one file on Windows and macOS.
    folded = Counter(name.casefold() for name in distinct)
    files = {}
    for name in distinct:
        # No leading dot (hidden) or hyphen (an option to shells), and no trailing dot, which Windows drops.
        safe = re.sub(r"[^A-Za-z0-9_.-]+", "-", name)[:LONGEST].strip("-.")
        if safe != name or folded[name.casefold()] > 1 or safe.casefold().split(".")[0] in RESERVED:
            # Names may hold halves of surrogate pairs, as file systems hand them over.
            safe = f"{safe or 'name'}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
        files[name] = safe
    return files
