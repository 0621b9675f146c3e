"""The words for files that are left out because they contain no runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from runoff.errors import DataError, warn
from runoff.reading._kinds_of_files import NAMED_OF_SCORES, OF_TRAINING, SAVED, folder_of_run, kind_of_file, of_many
from runoff.reading._paths import OF_TEXTS, File, Found, empty_beside, shown
from runoff.reading.formats import SUFFIXES, NotRuns
from runoff.reading.logs.claims import COMPANIONS
from runoff.reading.logs.config import NAMES as CONFIGURATIONS
from runoff.reading.logs.metric import EVALUATION, order
from runoff.tables.columns import playing
from runoff.tables.source import SourceTable
from runoff.words.speech import neutral
from runoff.words.words import words

MANY = 8
"""The number of left-out files that are listed; the rest are counted."""


class Unchosen(NotRuns):
    """Raised if a file contains only runs of algorithms or tasks that the user did not choose."""


class Superseded(NotRuns):
    """Raised if a file is a copy of another, an attempt at a run that another repeats, or of training beside evaluations."""


LESSER: dict[str | None, str] = {**dict.fromkeys(OF_TRAINING, "training"), SAVED: "a saved model"}
"""The words for kinds of files whose numbers are not the score of a run if others lie beside them."""


def lesser(opened: Sequence[tuple[File, SourceTable]], left_out: Sequence[tuple[File, NotRuns]]) -> dict[int, str]:
    """Return the numbers of files of training and of saved models beside other scores of the same run, which are left out, each with the reason;
    refuse them beside a file that cannot be read and is named like one of evaluations."""
    kinds = [_kind_of_one_run(file, table) for file, table in opened]
    scored = {
        file.path.parent
        for (file, table), kind in zip(opened, kinds, strict=True)
        if kind is not None and kind not in LESSER and (table.structural or any(map(order, table.columns)))
    }
    failed = [file for file, refusal in left_out if not isinstance(refusal, Superseded)]
    unread = {file.path.parent: file for file in failed if _is_called_like_evaluations(file)}
    reasons = {}
    for at, ((file, _), kind) in enumerate(zip(opened, kinds, strict=True)):
        folder = folder_of_run(file.path)
        if kind not in LESSER or not file.optional or folder not in {*scored, *unread}:
            continue
        if folder not in scored:
            alike = [own.path for own, _ in opened if own.path.name == file.path.name]
            raise _two_kinds(file, unread[folder], LESSER[kind], alike)
        reasons[at] = f"{shown(file.path)}: by its name it is of {LESSER[kind]}, beside other scores of the run."
    return reasons


def _two_kinds(file: File, other: File, what: str, alike: Sequence[Path]) -> DataError:
    return DataError(
        f"{shown(file.path)} is of {what} by its name, and {shown(other.path.name)} beside it, which cannot be read, may hold the evaluations: "
        f"write these as a table with columns step and eval_return, or give only the files of {what}, '{of_many(alike)}'."
    )


def _kind_of_one_run(file: File, table: SourceTable) -> str | None:
    """Return the kind of a file by its name, and by that of a folder of checkpoints; None if its columns name algorithms or runs."""
    named = not table.structural and bool(playing(list(table.columns), ("algorithm", "run")))
    kind = SAVED if folder_of_run(file.path) != file.path.parent else kind_of_file(file.path.name)
    return None if named else kind


def _is_called_like_evaluations(file: File) -> bool:
    called = not (EVALUATION | NAMED_OF_SCORES).isdisjoint(words(file.stem))
    return (
        called
        and file.suffix in SUFFIXES
        and file.suffix not in OF_TEXTS
        and kind_of_file(file.path.name) not in LESSER
    )


def unchosen(file: File) -> Unchosen:
    """Return the words for such a file."""
    return Unchosen(f"{shown(file.path)}: it has none of the chosen algorithms and tasks.")


def warn_of_tables(left_out: Sequence[tuple[File, NotRuns]], read: Sequence[File], paths: Found) -> None:
    """Warn of tables that are left out, and of texts that lie beside others that were read, under numbers of runs: a log of a run that crashed
    would vanish, and with it its score. Warn as well of empty folders beside those of runs, and of those with a configuration alone."""
    if empty := empty_beside({file.path.parent for file in read}, paths.searched, COMPANIONS):
        places = ", ".join(map(shown, empty[:2])) + (", …" if len(empty) > 2 else "")
        warn(
            f"{len(empty)} folder(s) beside those of runs hold no scores: an algorithm looks better without runs that crashed ({places})"
        )
    shapes = {_shape(file) for file in read}
    folders = {(file.path.parent, file.suffix) for file in read}

    def beside_runs(file: File) -> bool:
        numbered = (file.path.parent, file.suffix) in folders and any(map(str.isdigit, file.path.stem))
        return numbered or _shape(file) in shapes

    tables = [
        refusal
        for file, refusal in left_out
        if file.suffix in SUFFIXES
        and file.path.name not in CONFIGURATIONS
        and (file.suffix not in OF_TEXTS or beside_runs(file))
        and not isinstance(refusal, Unchosen | Superseded)
    ]
    if tables:
        what = f"{len(tables)} file(s) have no readable runs and are left out, for example {neutral(tables[0]).removesuffix('.')}"
        warn(what)
    if again := [refusal for _, refusal in left_out if isinstance(refusal, Superseded)]:
        warn(
            f"{len(again)} file(s) are left out for others of the same runs, for example {neutral(again[0]).removesuffix('.')}"
        )


def _shape(file: File) -> str:
    return re.sub(r"\d+", "#", str(file.path))


def noted_left_out(paths: Found, refused: Sequence[tuple[File, NotRuns]]) -> list[str]:
    configs = [shown(file.path) for file, _ in refused if file.path.name in CONFIGURATIONS]
    files = [neutral(refusal).removesuffix(".") for file, refusal in refused if file.path.name not in CONFIGURATIONS]
    counted = [f"{len(configs)} configuration(s), for example {place}" for place in configs[:1]]
    left_out = [*paths.left_out, *counted, *files]
    more = [f"left out: {len(left_out) - MANY} more file(s)"] if len(left_out) > MANY else []
    return [f"left out: {entry}" for entry in left_out[:MANY]] + more
