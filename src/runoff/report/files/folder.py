"""Folders that answers are written to. A report is written beside its place, then moved there: a failed run leaves what was there as it was."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from runoff.errors import OutputError
from runoff.report.files.records import SCHEMA

if TYPE_CHECKING:
    from runoff.report.page.drawing import Drawn

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
            raise OutputError(
                f"{out} is the current folder or contains it; name a folder for the report inside, such as runoff-report."
            )
        if any(target.iterdir()) and not _is_report(target):
            raise OutputError(
                f"{out} holds something other than a runoff report and is left alone; name another folder."
            )


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
