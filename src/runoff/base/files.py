"""Files: bounds on what is read and compared, and files that runoff writes to read them again.

A small file may unpack to a huge one; each bound can be raised by an environment variable. What is written is written whole or not at all,
with a digest that tells whether it was changed by hand.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any, Literal

from runoff.errors import DataError, OptionError, OutputError
from runoff.words.speech import choice

LIMITS = {
    "bytes": ("RUNOFF_MAX_BYTES", 1 << 30),
    "fields": ("RUNOFF_MAX_FIELDS", 75_000_000),
    "values": ("RUNOFF_MAX_VALUES", 5_000_000),
    "columns": ("RUNOFF_MAX_COLUMNS", 10_000),
    "cells": ("RUNOFF_MAX_CELLS", 1_000_000),
    "pairs": ("RUNOFF_MAX_PAIRS", 10_000),
    "files": ("RUNOFF_MAX_FILES", 100_000),
}
"""Bounded thing -> the environment variable that raises the bound, and the bound.

Fields of a table stay columns, about 50 bytes each; values of other files are Python's objects, of several hundred: both bounds are 4 GB.
"""

Bounded = Literal["bytes", "fields", "values", "columns", "cells", "pairs", "files"]


def limit(what: Bounded) -> int:
    """Return a bound; refuse an environment variable that is not a whole number above 0."""
    variable, usual = LIMITS[what]
    given = os.environ.get(variable)
    if given is None:
        return usual
    if not (given.isascii() and given.isdigit() and int(given) > 0):
        raise OptionError(f"the environment variable {variable} must be a whole number above 0, not {given!r}.")
    return int(given)


def refuse_beyond(what: Bounded, n: int, sentence: str) -> None:
    """Refuse n of something beyond its bound; `sentence` begins the message: "runs.csv: the file has 1000000 columns"."""
    bound = limit(what)
    if n > bound:
        fewer = (
            "save it as Parquet or unquoted CSV, or "
            if what == "values"
            else "save fewer rows or columns, or "
            if what == "fields"
            else ""
        )
        raised = f"{fewer}set the environment variable {LIMITS[what][0]} to allow more"
        message = f"{sentence}, more than the {bound} that are taken unasked; {raised}."
        raise DataError(message)


@contextmanager
def whole(out: Path) -> Iterator[Path]:
    """Give a hidden path to write to, which takes the place of `out` once it is whole: a reader, or a second writer, never meets half of it."""
    hidden = out.with_name(f".{out.name}.{token_hex(4)}")
    try:
        yield hidden
        os.replace(hidden, out)
    finally:
        with suppress(OSError):
            hidden.unlink(missing_ok=True)


def write_whole(out: Path, text: str, noun: str) -> None:
    """Write a file whole or not at all; `noun` says in the refusal what could not be written."""
    try:
        with whole(out) as hidden:
            hidden.write_bytes(text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise OutputError(f"the {noun} {out} cannot be written: {error.strerror or error}.") from error


def forced() -> str:
    """Return how to say that a file may be overwritten."""
    return choice("force=True", "--force")


def refuse_overwriting(out: Path, *, force: bool) -> None:
    """Refuse to write to a file that is there."""
    if not force and (out.exists() or out.is_symlink()):
        raise OutputError(f"{out} is there already, and is not overwritten: name another file, or say {forced()}.")


FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
"""Beginnings that no text cell may have: a spreadsheet might run it. The apostrophe is here so that `guarded` can be undone."""


def guarded(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: with one more apostrophe in front where it begins like one and is no number."""
    return f"'{text}" if text.startswith(FORMULA) and not NUMBER.fullmatch(text) else text


NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?(e[-+]?[0-9]+)?", re.IGNORECASE)


def read_signed(where: Path, schema: str, noun: str) -> dict[str, Any]:
    """Return what a file that runoff wrote holds; refuse one unreadable, too large or deep, no `noun`, or with another digest."""
    try:
        refuse_beyond(
            "bytes", where.stat().st_size, f"the {noun} {where} is large: it has {where.stat().st_size} bytes"
        )
        content = json.loads(where.read_bytes().decode("utf-8", "surrogatepass"))
    except OSError as error:
        raise DataError(f"the {noun} {where} cannot be read: {error.strerror or error}.") from error
    except RecursionError:
        raise DataError(
            f"the {noun} {where} is no file of runoff: it is nested too deep; take a copy that is whole."
        ) from None
    except ValueError as error:
        raise DataError(
            f"the {noun} {where} is damaged and cannot be read as JSON ({error}); take a copy that is whole."
        ) from error
    if not isinstance(content, dict) or content.get("schema") != schema:
        raise DataError(f"{where} is no {noun} that this version of runoff wrote ({schema}); name another file.")
    digest = content.pop("sha256", None)
    if digest != digest_of(content):
        message = f"the {noun} {where} was changed or damaged after it was saved: its digest is not that of what it holds; restore it."
        raise DataError(message)
    return content


def digest_of(content: Mapping[str, Any]) -> str:
    """Return the digest of what a file holds."""
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
