"""The words for files that are left out because they contain no runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from runoff.base.grouping import grouped
from runoff.errors import DataError, warn
from runoff.reading._kinds_of_files import (
    NAMED_OF_SCORES,
    OF_FILES,
    OF_TRAINING,
    SAVED,
    folder_of_run,
    kind_of_file,
    of_many,
)
from runoff.reading._known import says_nothing
from runoff.reading._path_names import places_below
from runoff.reading._paths import OF_TEXTS, File, Found, empty_beside, shown
from runoff.reading.formats import SUFFIXES, NotRuns
from runoff.reading.logs.claims import COMPANIONS
from runoff.reading.logs.config import NAMES as CONFIGURATIONS
from runoff.reading.logs.metric import EVALUATION, order
from runoff.tables.columns import playing
from runoff.tables.source import SourceTable
from runoff.words.columns import RUN_WORDS
from runoff.words.labels import KINDS_OF_DATA
from runoff.words.speech import neutral
from runoff.words.words import vocabulary, without_numbers, words

MANY = 8
"""The number of left-out files that are listed; the rest are counted."""


class Unchosen(NotRuns):
    """Raised if a file contains only runs of algorithms or tasks that the user did not choose."""


class Superseded(NotRuns):
    """Raised if a file is a copy of another, an attempt at a run that another repeats, or of training beside evaluations."""


LESSER: dict[str | None, str] = {**dict.fromkeys(OF_TRAINING, "training"), SAVED: "a saved model"}
"""The words for kinds of files whose numbers are not the score of a run if others lie beside them."""


KINDS = KINDS_OF_DATA | vocabulary("evaluations")
"""Words in paths that say of what a file is."""
EVALUATED = KINDS - OF_TRAINING


@dataclass(frozen=True, slots=True, kw_only=True)
class OfRun:
    """A file of a run: its number, the words of its path that say of what it is, whether it holds scores, and whether its name says more than
    these words and the run."""

    at: int
    kinds: tuple[str, ...]
    scored: bool
    within: bool

    @property
    def evaluated(self) -> bool:
        """Whether the path says that these are evaluations."""
        return bool(self.kinds) and OF_TRAINING.isdisjoint(self.kinds)


def _beside_evaluations(opened: Sequence[tuple[File, SourceTable]]) -> dict[int, str]:
    """Return the numbers of files that lie beside one of evaluations of the same run by their paths (`eval/ppo/0` beside `train/ppo/0`,
    `progress` beside `eval`), each with the reason; refuse them where other runs have no evaluations, and would be judged by training."""
    places = places_below([file for file, _ in opened])
    files = [
        _of_run(at, names, table)
        for at, ((file, table), (names, _)) in enumerate(zip(opened, places, strict=True))
        if file.optional and not _names_runs(table)
    ]
    runs = {path: own for path, own in grouped(files).items() if path}
    chosen = {
        path: first for path, own in runs.items() for first in [next((file for file in own if file.evaluated), None)]
    }
    reasons: dict[int, str] = {}
    for path, own in runs.items():
        best, others = chosen[path], [file for file in own if file is not chosen[path]]
        # `eval_train_env` beside `eval_test_env` are two evaluations.
        alone = all(EVALUATED.isdisjoint(file.kinds) and (file.kinds or not file.within) for file in others)
        if best and best.scored and others and alone:
            reason = f"{shown(opened[best.at][0].path)} has the evaluations of the run."
            reasons |= {file.at: f"{shown(opened[file.at][0].path)}: {reason}" for file in others}
    left = {(without_numbers(opened[file.at][0].stem), file.kinds) for _, file in files if file.at in reasons}
    lone = [
        file.at
        for _, file in files
        if file.at not in reasons and (without_numbers(opened[file.at][0].stem), file.kinds) in left
    ]
    if lone:
        trained = [opened[at][0].path for at in (*reasons, *lone)]
        other = next(iter(reasons.values())).removesuffix(".")
        raise DataError(
            f"{shown(opened[lone[0]][0].path)}: no evaluations lie beside it, as beside others ({other}), and "
            "training would be compared with evaluations; give the folders of the runs that were evaluated, or only the files of training, "
            f"such as '{of_many(sorted(trained))}'."
        )
    return reasons


def _beside_outcomes(opened: Sequence[tuple[File, SourceTable]]) -> dict[int, str]:
    """Return the numbers of files that lie beside the only record of one attempt, which names its algorithm, its task and its outcome, and that
    hold many rows without either (what a robot measured), each with the reason."""
    folders = grouped((file.path.parent, at) for at, (file, _) in enumerate(opened) if file.optional)
    reasons: dict[int, str] = {}
    for own in folders.values():
        records = [at for at in own if _is_outcome(opened[at][1])]
        others = [at for at in own if at not in records]
        if len(records) == 1 and not any(_names_runs(opened[at][1]) or opened[at][1].n_rows < 2 for at in others):
            place = shown(opened[records[0]][0].path)
            plain = [at for at in others if not any(map(order, opened[at][1].columns))]
            reasons |= {at: f"{shown(opened[at][0].path)}: {place} has the outcome of the run." for at in plain}
    return reasons


def _is_outcome(table: SourceTable) -> bool:
    """Return whether a table is one record that names its algorithm and its task and has a score."""
    names = list(table.columns)
    named = not table.structural and table.n_rows == 1
    return named and all(playing(names, [role]) for role in ("algorithm", "task", "score"))


def _of_run(at: int, names: Sequence[str], table: SourceTable) -> tuple[tuple[str, ...], OfRun]:
    """Return the names on the path of a file without the words for kinds of data, and the file. They are cut from names of runs alone
    (`seed_0_eval`, `test`), for `test_maze` is a task; from the name of a file (`ppo_eval_seed0`) where training lies beside it."""
    parts = [words(name) for name in names]
    plain = [part for part in parts[:-1] if not _is_of_run(part)]
    rest = [[word for word in part if word not in KINDS] for part in parts]
    path = [" ".join(own if _is_of_run(part) else part) for part, own in zip(parts[:-1], rest[:-1], strict=True)]
    path += [] if OF_FILES.issuperset(rest[-1]) else [" ".join(rest[-1])]
    kinds = tuple(word for part in parts if part not in plain for word in part if word in KINDS)
    scored = table.structural or any(map(order, table.columns))
    own_file = OfRun(at=at, kinds=kinds, scored=scored, within=not _is_of_run(parts[-1]))
    return tuple(name for name in path if name and not says_nothing(name)), own_file


def _is_of_run(parts: Sequence[str]) -> bool:
    """Return whether the words of a name are those of a run and of kinds of its data, and no more: `seed_0_eval`, `0_test`, `eval`."""
    return {word for word in parts if not word.isdigit()} <= KINDS | RUN_WORDS | OF_FILES | {"s"}


def _names_runs(table: SourceTable) -> bool:
    return not table.structural and bool(playing(list(table.columns), ("algorithm", "run")))


def lesser(opened: Sequence[tuple[File, SourceTable]], left_out: Sequence[tuple[File, NotRuns]]) -> dict[int, str]:
    """Return the numbers of files of training and of saved models beside other scores of the same run, and of files beside its evaluations,
    which are left out, each with the reason; refuse them beside a file that cannot be read and is named like one of evaluations."""
    reasons = _beside_evaluations(opened) | _beside_outcomes(opened)
    kinds = [_kind_of_one_run(file, table) for file, table in opened]
    scored = {
        file.path.parent
        for (file, table), kind in zip(opened, kinds, strict=True)
        if kind is not None and kind not in LESSER and (table.structural or any(map(order, table.columns)))
    }
    failed = [file for file, refusal in left_out if not isinstance(refusal, Superseded)]
    unread = {file.path.parent: file for file in failed if _is_called_like_evaluations(file)}
    for at, ((file, _), kind) in enumerate(zip(opened, kinds, strict=True)):
        folder = folder_of_run(file.path)
        if at in reasons or kind not in LESSER or not file.optional or folder not in {*scored, *unread}:
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
    kind = SAVED if folder_of_run(file.path) != file.path.parent else kind_of_file(file.path.name)
    return None if _names_runs(table) else kind


def _is_called_like_evaluations(file: File) -> bool:
    called = not (EVALUATION | NAMED_OF_SCORES).isdisjoint(words(file.stem))
    return called and file.suffix in SUFFIXES and file.suffix not in OF_TEXTS


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
    shapes = {without_numbers(str(file.path)) for file in read}
    folders = {(file.path.parent, file.suffix) for file in read}

    def beside_runs(file: File) -> bool:
        numbered = (file.path.parent, file.suffix) in folders and any(map(str.isdigit, file.path.stem))
        return numbered or without_numbers(str(file.path)) in shapes

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


def noted_left_out(paths: Found, refused: Sequence[tuple[File, NotRuns]]) -> list[str]:
    configs = [shown(file.path) for file, _ in refused if file.path.name in CONFIGURATIONS]
    files = [neutral(refusal).removesuffix(".") for file, refusal in refused if file.path.name not in CONFIGURATIONS]
    counted = [f"{len(configs)} configuration(s), for example {place}" for place in configs[:1]]
    left_out = [*paths.left_out, *counted, *files]
    more = [f"left out: {len(left_out) - MANY} more file(s)"] if len(left_out) > MANY else []
    return [f"left out: {entry}" for entry in left_out[:MANY]] + more
