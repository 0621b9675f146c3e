"""Writing: the one way by which runoff leaves files behind, a single file or the files of a folder.

A file is written whole or not at all, and **nothing is written or deleted through a link**: a folder that came from someone else may hold a
link to anywhere. The folders above the place that a user names may be links; the place itself, and whatever lies in it, may not. That is
looked at before anything is written, not guarded against a second program that puts a link there at the same moment.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from runoff.base.interrupts import WRITTEN_FILES, undivided, unfinished
from runoff.errors import OutputError
from runoff.words.patterns import regex
from runoff.words.speech import choice

PART = regex(r"(?!\.{1,2}(?:/|$))[A-Za-z0-9_.-]*[A-Za-z0-9_-]")
"""A part of a name that runoff gives to a file in a folder. Letters beyond ASCII have twins that a file system may take for the same name;
Windows drops a full stop at the end."""


def refuse_link(place: Path) -> None:
    """Refuse a place that is a link to another one."""
    try:
        # Junctions are Windows' links of folders, which lstat calls folders; Python knows them from 3.12 on.
        link = stat.S_ISLNK(place.lstat().st_mode) or bool(getattr(place, "is_junction", bool)())
    except ValueError:  # a null character
        raise OutputError(f"{str(place)!r} is no name that a file can have; name another.") from None
    except OSError:  # nothing is there, or nothing that can be looked at: writing says why
        return
    if link:
        message = (
            f"{place} is a link to {os.path.realpath(place)}, and runoff writes and deletes nothing through a link; "
        )
        raise OutputError(message + "remove the link, or name the place that it leads to.")


def refuse_name(name: str) -> None:
    """Refuse a name that runoff gives to no file in a folder: one that is absolute, holds `..`, or has a twin."""
    if not all(PART.fullmatch(part) for part in name.split("/")):
        raise OutputError(f"{name!r} is no name that runoff gives to a file in a folder.")


def place_in(folder: Path, name: str) -> Path:
    """Return the place of a file in a folder; refuse a name that leads elsewhere, and a place that something other than a file has taken.

    >>> place_in(Path("rep"), "tables/pairs.csv").as_posix()
    'rep/tables/pairs.csv'
    """
    refuse_name(name)
    *folders, last = name.split("/")
    place = folder
    for part in folders:
        place /= part
        refuse_link(place)
        if place.exists() and not place.is_dir():
            raise OutputError(
                f"{place} is no folder, and {name} belongs into one; move it away, or name another folder."
            )
    place /= last
    refuse_link(place)
    if place.exists() and not place.is_file():
        raise OutputError(
            f"{place} is no file, and a file of that name is to be written; move it away, or name another folder."
        )
    return place


def forced() -> str:
    """Return how to say that a file may be overwritten."""
    return choice("force=True", "--force")


def make_folders(folder: Path) -> list[Path]:
    """Make a folder and those above it, all or none; return which were not there, those above first."""
    # Those that this call has made, so that a failure takes away nothing that was there before.
    new: list[Path] = []
    try:
        for place in [*reversed(folder.parents), folder]:
            if not place.is_dir():
                with suppress(FileExistsError):  # another call makes it at the same moment
                    place.mkdir()
                    new.append(place)
    except OSError:
        take_away(new)
        raise
    return new


def take_away(folders: Sequence[Path]) -> None:
    """Remove those of new folders that hold nothing."""
    for folder in reversed(folders):
        with suppress(OSError):
            folder.rmdir()


def write_whole(out: Path, content: str | bytes, noun: str, *, folders: bool = False, answer: bool = True) -> None:
    """Write a file whole or not at all: a reader, or a second writer, never meets half of it.

    `noun` says in a refusal what it is; folders: make those above it; `answer`: it is what the user asked for, and not a part of that or a
    cache.
    """
    with hidden_beside(out, content, noun, folders=folders) as hidden, undivided():
        put(hidden, out)
        if answer:
            WRITTEN_FILES.note(out)


@contextmanager
def hidden_beside(out: Path, content: str | bytes, noun: str, *, folders: bool) -> Iterator[Path]:
    """Write what a file is to hold into a hidden one beside it, which goes at the end of the block; refuse what cannot be written there."""
    refuse_link(out)
    new_folders: list[Path] = []
    try:
        with unfinished(out.with_name(f".{out.name}.{token_hex(4)}")) as hidden:
            new_folders += make_folders(out.parent) if folders else []
            hidden.write_bytes(encoded(content))
            yield hidden
    except OutputError:
        raise
    except OSError as error:
        raise unwritable(f"the {noun} {out}", error) from error
    finally:
        take_away(new_folders)  # that hold the file where it was written, and so stay


def put(hidden: Path, out: Path) -> None:
    """Put a hidden file in the place of another."""
    refuse_link(out)
    os.replace(hidden, out)


def unwritable(what: str, error: OSError) -> OutputError:
    """Return the refusal of what the system does not write."""
    return OutputError(f"{what} cannot be written: {error.strerror or error}.")


def encoded(content: str | bytes) -> bytes:
    """Return a text as UTF-8; names of files that are no text come back as they were."""
    return content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content


FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
"""Beginnings that no text cell may have: a spreadsheet might run it. The apostrophe is here so that `guarded` can be undone."""


def guarded(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: with one more apostrophe in front where it begins like one and is no number."""
    return f"'{text}" if text.startswith(FORMULA) and not NUMBER.fullmatch(text) else text


def unguarded(text: str) -> str:
    """Return a text without the apostrophe that `guarded` put in front of it.

    >>> [unguarded(guarded(text)) for text in ("+ LN", "'quoted'", "-1.5", "PPO")]
    ['+ LN', "'quoted'", '-1.5', 'PPO']
    """
    return text[1:] if text[:1] == "'" and guarded(text[1:]) == text else text


NUMBER = regex(r"[-+]?[0-9]+(\.[0-9]*)?(e[-+]?[0-9]+)?", re.IGNORECASE)
