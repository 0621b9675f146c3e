"""Folders that answers are written to, and texts that others read.

Files are written beside their place and then moved there: a run that fails leaves what was there as it was, and no file is overwritten that
runoff did not write. CSV holds no formulas for a
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

from runoff.base.files import forced, guarded, write_whole
from runoff.errors import OutputError
from runoff.report.words.paper import FORMATS
from runoff.results.base import Record

if TYPE_CHECKING:
    from runoff.report.page.drawing import Drawn


SCHEMA = "runoff.report/2"
"""The name and the version of the contract of results.json."""
WRITTEN = ".runoff-files.json"
"""Verb -> the files of a folder that it wrote -> their digests: what is replaced and removed is in this list, and as it was written."""


@contextmanager
def staged(out: str | Path, verb: str, *, force: bool = False) -> Iterator[Path]:
    """Yield an empty folder whose files are moved into `out` if the block ends well, and vanish if not.

    Files that the same verb wrote there before are replaced or removed; other files stay, and none is overwritten unless `force`.

    Raises
    ------
    OutputError
        `out` is a file, holds a file of that name that this verb did not write or that was changed since, or cannot be written.
    """
    target = Path(out).resolve()
    with _refusing(out):
        if target.is_file():
            raise OutputError(f"{out} is a file; `{verb}` writes a folder.")
        lists = _lists(target)
        if not force:
            _refuse_changed(target, lists.get(verb, {}))
        folder = target.with_name(f".{target.name[:80]}.{token_hex(4)}.tmp")
        target.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
    try:
        yield folder
        with _refusing(out):
            new = {
                path.relative_to(folder).as_posix(): _digest(path)
                for path in sorted(folder.rglob("*"))
                if path.is_file()
            }
            if not force:
                _refuse_others(target, new, lists)
            target.mkdir(exist_ok=True)
            _move(folder, target, set(lists.get(verb, {})) - set(new))
            others = {key: {name: files[name] for name in files.keys() - new.keys()} for key, files in lists.items()}
            write_whole(target / WRITTEN, strict_json(others | {verb: new}), "list of files")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def refuse_others_folder(out: Path) -> None:
    """Refuse a folder that holds files of others and no report: its tables would be read as runs where those files are runs."""
    with _refusing(out):
        target = out.resolve()
        if target.is_dir() and any(target.iterdir()) and "report" not in _lists(target):
            message = f"{out} holds something other than a runoff report and is left alone; name another folder, or say {forced()}."
            raise OutputError(message)


def _lists(target: Path) -> dict[str, dict[str, str]]:
    """Return the files that each verb wrote to a folder, with their digests; nothing where that cannot be read."""
    try:
        lists = json.loads((target / WRITTEN).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    good = isinstance(lists, dict) and all(isinstance(files, dict) for files in lists.values())
    return lists if good else {}


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _refuse_changed(target: Path, files: Mapping[str, str]) -> None:
    for name, digest in files.items():
        path = target / name
        if path.is_file() and _digest(path) != digest:
            raise OutputError(f"{path} was changed since runoff wrote it; name another folder, or say {forced()}.")


def _refuse_others(target: Path, names: Iterable[str], lists: Mapping[str, Mapping[str, str]]) -> None:
    own = {name: digest for files in lists.values() for name, digest in files.items()}
    for name in names:
        path = target / name
        if (path.exists() or path.is_symlink()) and not (path.is_file() and own.get(name) == _digest(path)):
            raise OutputError(f"{path} is not as runoff wrote it; name another folder, or say {forced()}.")


def _move(folder: Path, target: Path, old: Iterable[str]) -> None:
    """Move the files of a folder into another, without those of before. Renames leave the shortest moment with files of both."""
    for name in old:
        (target / name).unlink(missing_ok=True)
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            place = target / path.relative_to(folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            path.replace(place)


def write_answer(
    out: str | Path,
    verb: str,
    texts: Mapping[str, str],
    figures: Callable[[], Mapping[str, Drawn]],
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
    from runoff.report.page.drawing import figure_of, plain_style, render

    with staged(out, verb, force=force) as folder:
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


@contextmanager
def _refusing(out: str | Path) -> Iterator[None]:
    try:
        yield
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(f"{out} cannot be written: {error.strerror or error}.") from error


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
