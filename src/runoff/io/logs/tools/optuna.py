"""Optuna: a study is a search over settings, whose trials are refused as runs, with the reason."""

from __future__ import annotations

import json
from collections.abc import Sequence

from runoff.errors import DataError
from runoff.io.logs.base import Claim, Folder, Log, Part, Tool, Wish
from runoff.io.logs.wire.sqlite import MAGIC, holds

NAME = "optuna"
DATABASES, JOURNALS, TABLES = (".db", ".sqlite", ".sqlite3"), (".log", ".journal", ".jsonl"), (".csv",)
TABLES_OF_A_STUDY = {
    "studies": frozenset({"study_name"}),
    "trials": frozenset({"trial_id"}),
    "trial_params": frozenset({"param_name"}),
}
JOURNAL = {"op_code", "worker_id"}
"""Keys of every entry of a journal."""
COLUMNS = {"number", "state", "datetime_start", "datetime_complete", "duration"}
"""Columns of `study.trials_dataframe()`."""


def find(folder: Folder) -> list[Claim]:
    """Return the studies of a folder: databases, journals, tables of trials."""
    names = [name for name in folder.named(*DATABASES) if _is_database(folder, name)]
    names += [name for name in folder.named(*JOURNALS) if _is_journal(folder.head(name))]
    names += [name for name in folder.named(*TABLES) if _is_table(folder.head(name))]
    return [
        Claim(tool=NAME, path=folder.path / name, parts=(*folder.parts, name), files=(Part(folder.path / name),))
        for name in names
    ]


def _is_database(folder: Folder, name: str) -> bool:
    return folder.head(name).startswith(MAGIC) and holds(folder.path / name, TABLES_OF_A_STUDY)


def _is_journal(head: bytes) -> bool:
    try:
        first = json.loads(head.partition(b"\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and first.keys() >= JOURNAL


def _is_table(head: bytes) -> bool:
    names = {name.strip(' "\r\ufeff') for name in head.partition(b"\n")[0].decode("utf-8", "replace").split(",")}
    return names >= COLUMNS and any(name.startswith("params_") for name in names)


def read(claim: Claim, _: Wish) -> Sequence[Log]:
    """Refuse the study.

    Raises
    ------
    DataError
        Always: trials differ in their settings, and later ones were chosen by the scores of earlier ones, so that they are no independent runs.
    """
    raise DataError(
        f"{claim.files[0].path}: these are trials of an Optuna study, no runs: each has other settings, chosen by the scores of those before; "
        "train the best settings again with several seeds, and read those logs."
    )


OPTUNA = Tool(
    title="Optuna",
    layout="a study (SQLite, journal or table of trials): its trials are no independent runs, and are refused",
    find=find,
    read=read,
)
