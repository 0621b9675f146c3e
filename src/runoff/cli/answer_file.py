"""The file that `--out FILE` names: the answer as `--to` or `--json` prints it, or its figure, by the ending of the name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from fnmatch import fnmatch
from glob import has_magic
from itertools import chain, count
from pathlib import Path
from types import MappingProxyType
from typing import Any

from runoff.base.writing import refuse_link
from runoff.cli.record import AnswerFile, PrintedAs
from runoff.errors import OptionError, OutputError
from runoff.words.speech import call, option

ABOUT = """
-o --out FILE: File for the answer, instead of the screen: .csv, .md, .tex or .json as --to and --json print it, .pdf, .png or .svg its figure.
--force: Overwrite the file at --out.
"""
TOO = "; or FILE.csv, .md, .tex, .json, .pdf, .png or .svg for the answer alone."
"""What the help adds for verbs whose --out is a folder."""
PAGES = (".html", ".htm")
PICTURES = (".pdf", ".png", ".svg")
ENDINGS: Mapping[str, PrintedAs] = MappingProxyType(
    {
        ".csv": "csv", ".md": "markdown", ".tex": "latex", ".json": "json",
        ".pdf": "pdf", ".png": "png", ".svg": "svg",
    }
)  # fmt: skip
"""Ending of a file name -> what is written to it."""


def file_of(options: dict[str, Any], printed_as: PrintedAs | None, *, folders: bool) -> AnswerFile | None:
    """Return the file for the answer, which is taken out of the options; None where none is named, or a folder for a verb that writes one.

    Raises
    ------
    OptionError
        The ending of the name is not that of an answer, or of another format than --to or --json asks for.
    OutputError
        The file is there already, and not --force; or it is read; or it is a link.
    """
    if options["out"] is None:
        return None
    out = Path(options["out"])
    ending = ENDINGS.get(out.suffix.lower())
    if folders and (ending is None or out.is_dir()):
        return None
    if ending is None and (printed_as is None or out.suffix.lower() in PAGES):
        page = f"; {call('report', out=str(out))} writes a page" if out.suffix.lower() in PAGES else ""
        raise OptionError(f"--out takes the name of a file that ends in {', '.join(ENDINGS)}, not {str(out)!r}{page}.")
    if ending is not None and printed_as not in (None, ending):
        raise OptionError(f"--out {out} asks for {ending}, and another option for {printed_as}; leave out one of them.")
    file = AnswerFile(out, printed_as or ending or "json", force=options["force"])
    _refuse_taken(
        out,
        [str(text) for name, value in options.items() if name != "out" for text in _each(value)],
        force=file.force,
    )
    options["out"], options["force"] = None, False
    return file


def _refuse_taken(out: Path, read: Iterable[str], *, force: bool) -> None:
    """Refuse what this call reads or writes besides, even by force or before it is there, and what is there; name a free file."""
    refuse_link(out)
    own = any(_reads(text, out) for text in read)
    if own or (out.exists() and not force):
        stem = f"{out.with_suffix('')}-answer"
        free = (f"{stem}{number}{out.suffix}" for number in chain([""], (f"-{k}" for k in count(2))))
        name = option("out", next(name for name in free if not os.path.lexists(name)))
        again = "" if own else ", or use --force"
        raise OutputError(
            f"{out} is {'another file of this call' if own else 'there already'}, and is not overwritten: name another file, as {name}{again}."
        )


def _each(value: Any) -> Iterable[Any]:
    """Return the texts and paths of an option."""
    return [value] if isinstance(value, str | Path) else value if isinstance(value, list | tuple) else ()


def _reads(text: str, out: Path) -> bool:
    """Return whether the call reads or writes a file by another option: by its name, with its folder, or because its name fits a pattern."""
    if os.path.abspath(text) == os.path.abspath(out):
        return True
    if has_magic(text):
        return fnmatch(os.path.abspath(out), os.path.abspath(text))
    if os.path.isdir(text):
        there = out.exists() and out.suffix.lower() not in PICTURES
        return there and out.resolve().is_relative_to(Path(text).resolve())
    return os.path.exists(text) and out.exists() and os.path.samefile(text, out)
