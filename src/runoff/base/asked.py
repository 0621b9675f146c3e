"""Writing the files that a user names: without `force` none that is there is replaced; one that is added to grows by whole texts."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path

from runoff.base.interrupts import WRITTEN_FILES, undivided
from runoff.base.locks import locked
from runoff.base.writing import encoded, forced, hidden_beside, put, refuse_link, unwritable
from runoff.errors import OutputError


def refuse_overwriting(out: Path, *, force: bool) -> None:
    """Refuse to write to a file that is there; to a link even by force."""
    refuse_link(out)
    if not force and out.exists():
        raise OutputError(f"{out} is there already, and is not overwritten: name another file, or use {forced()}.")


def write_asked(out: Path, content: str | bytes, noun: str, *, force: bool, folders: bool = False) -> None:
    """Write a file whole or not at all, as `write_whole`; without `force` a file that is there by then is left alone."""
    # The file is looked for again under its lock: of two calls without force the second must not replace what the
    # first has just written.
    with (
        hidden_beside(out, content, noun, folders=folders) as hidden,
        nullcontext() if force else locked(out, noun),
        undivided(),
    ):
        refuse_overwriting(out, force=force)
        put(hidden, out)
        WRITTEN_FILES.note(out)


def write_new(out: Path, content: str, noun: str) -> None:
    """Write a file that is not there yet, whole or not at all; of two writers the second meets FileExistsError."""
    refuse_link(out)
    try:
        with undivided(), out.open("xb") as file:
            try:
                file.write(encoded(content))
                file.flush()
                WRITTEN_FILES.note(out)
            except BaseException:
                out.unlink()
                raise
    except FileExistsError:
        raise
    except OSError as error:
        raise unwritable(f"the {noun} {out}", error) from error


def append(out: Path, content: str, noun: str) -> None:
    """Add to the end of a file, the whole text or nothing of it."""
    refuse_appending(out, noun)
    data = memoryview(encoded(content))
    try:
        new = not out.exists()
        with undivided(), out.open("ab", buffering=0) as file:
            before = file.seek(0, os.SEEK_END)
            try:
                # An unbuffered write may take a part of the bytes, on a full disk or through a signal.
                while data:
                    data = data[file.write(data) :]
                WRITTEN_FILES.note(out)
            except BaseException:
                file.truncate(before)
                if new:
                    out.unlink()
                raise
    except OSError as error:
        raise unwritable(f"the {noun} {out}", error) from error


def refuse_appending(out: Path, noun: str) -> None:
    """Refuse to add to a link, and to what is there and is no file: a pipe that nobody reads would wait for ever."""
    refuse_link(out)
    if out.exists() and not out.is_file():
        raise OutputError(f"the {noun} {out} cannot be written: it is no file; name a file.")
