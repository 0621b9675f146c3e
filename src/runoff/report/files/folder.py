"""Folders that answers are written to, and texts that others read.

A report is written beside its place and then moved there: a run that fails leaves what was there as it was. CSV holds no formulas for a
spreadsheet, JSON can be read by every parser, and names are safe for files.
"""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from math import isfinite, isnan
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from runoff.errors import OutputError
from runoff.results.base import Record

if TYPE_CHECKING:
    from runoff.report.page.drawing import Drawn


SCHEMA = "runoff.report/2"
"""The name and the version of the contract of results.json."""
OWN = frozenset({"report.html", "results.json", "figures", "tables"})
"""What a report consists of; other entries of the folder are the user's and are kept."""


@contextmanager
def staged(out: Path) -> Iterator[Path]:
    """Yield an empty folder that becomes `out` if the block ends well, and vanishes if not.

    Raises
    ------
    OutputError
        `out` is a file, a folder of something else, the current folder, or cannot be written.
    """
    target = out.resolve()
    check_free(target, out)
    folder = target.with_name(f".{target.name[:80]}.{token_hex(4)}.tmp")
    with _refusing(out):
        target.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
    try:
        yield folder
        with _refusing(out):
            _move(folder, target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def check_free(target: Path, out: Path) -> None:
    """Refuse a place that holds anything but an earlier report."""
    with _refusing(out):
        if not target.exists():
            return
        if not target.is_dir():
            raise OutputError(f"{out} is a file; the report needs a folder.")
        if target == Path.cwd() or target in Path.cwd().parents:
            message = f"{out} is the current folder or contains it; name a folder for the report inside, such as runoff-report."
            raise OutputError(message)
        if any(target.iterdir()) and not _is_report(target):
            message = f"{out} holds something other than a runoff report and is left alone; name another folder."
            raise OutputError(message)


def write_answer(
    out: str | Path,
    need: str,
    texts: Mapping[str, str],
    figures: Callable[[], Mapping[str, Drawn]],
    *,
    formats: Sequence[str] = ("svg", "pdf", "png"),
) -> None:
    """Write what a verb leaves behind: texts by file name, and figures by name in each format; `need` says what needs a folder.

    Raises
    ------
    OutputError
        `out` is a file or cannot be written.
    """
    from runoff.report.page.drawing import figure_of, plain_style, render

    folder = Path(out)
    if folder.is_file():
        raise OutputError(f"{folder} is a file; {need} a folder.")
    for name, text in texts.items():
        write_text(folder / name, text)
    with plain_style():
        for name, drawn in figures().items():
            for kind in formats:
                write_bytes(folder / f"{name}.{kind}", render(figure_of(drawn), kind))


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 with plain line ends, making folders as needed."""
    write_bytes(path, text.encode("utf-8", "surrogatepass"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file, making folders as needed."""
    with _refusing(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _is_report(folder: Path) -> bool:
    try:
        content = json.loads((folder / "results.json").read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and str(content.get("schema", "")).startswith(SCHEMA.split("/")[0] + "/")


def _move(folder: Path, target: Path) -> None:
    if not target.exists():
        folder.rename(target)
        return
    # Two renames leave the shortest moment without a report; a copy could stop halfway.
    old = target.with_name(f"{folder.name}.old")
    target.rename(old)
    try:
        folder.rename(target)
    except OSError:
        old.rename(target)
        raise
    for entry in old.iterdir():
        if entry.name not in OWN:
            entry.rename(target / entry.name)
    shutil.rmtree(old, ignore_errors=True)


@contextmanager
def _refusing(out: Path) -> Iterator[None]:
    try:
        yield
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(f"the report cannot be written to {out}: {error.strerror or error}.") from error


FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
"""Beginnings that no text cell may have: a spreadsheet might run it. The apostrophe is here so that `guarded` can be undone."""
LONGEST = 60
"""The most characters of a name that its file name keeps; file systems allow 255 bytes with the suffix and the digest."""
RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(1, 10))})
"""Names of devices on Windows, which no file may have."""


def csv_text(records: Iterable[Record]) -> str:
    """Return records as CSV: numbers unrounded, nothing for None, texts guarded."""
    rows = list(records)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(rows[0] if rows else [])
    for row in rows:
        cells = ["" if value is None else value for value in row.values()]
        writer.writerow([guarded(cell) if isinstance(cell, str) else repr(cell) for cell in cells])
    return buffer.getvalue()


def guarded(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: with one more apostrophe in front where it begins like one.

    To undo it, remove one apostrophe from each text that begins with one.
    """
    return f"'{text}" if text.startswith(FORMULA) else text


def strict_json(value: Any) -> str:
    """Return plain values (dicts, lists, texts, numbers) as JSON text with a line end.

    JSON has no infinity, so an infinite number (a statistic of samples without spread that differ) is the string "Infinity" or
    "-Infinity", which Python's `float` and JavaScript's `Number` read back.
    """
    return json.dumps(_finite(value), indent=1, allow_nan=False) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not isfinite(value):
        return "NaN" if isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def slugs(names: Iterable[str]) -> dict[str, str]:
    """Return a file name, without suffix, for each name.

    Letters, digits and `_.-` stay; whatever else is lost is made up for by eight digits of the name's SHA-256, which also distinguish names
    that differ only in case.
    """
    distinct = list(dict.fromkeys(names))
    folded = Counter(name.casefold() for name in distinct)
    files = {}
    for name in distinct:
        safe = re.sub(r"[^A-Za-z0-9_.-]+", "-", name)[:LONGEST].strip("-.")
        if safe != name or folded[name.casefold()] > 1 or safe.casefold().split(".")[0] in RESERVED:
            safe = f"{safe or 'name'}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
        files[name] = safe
    return files
