"""Evaluations in a file of their own beside the log of a run's training: they are the score, or it is asked which of the two is."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from runoff.base.grouping import grouped
from runoff.errors import DataError
from runoff.reading._kinds_of_files import NAMED_OF_SCORES, OF_CHECKPOINTS, OF_TRAINING, kind_of_file
from runoff.reading.logs.base import Happening, Log, LogPart, Wish
from runoff.reading.logs.claims import COMPANIONS, PARTS_OF_A_RUN, Tree
from runoff.reading.logs.metric import EVALUATION, in_order, is_evaluation, matches, order
from runoff.reading.logs.rows import Tabled
from runoff.reading.logs.tools.records import read_beside
from runoff.words.speech import column
from runoff.words.words import canonical, names_training, words

OF_NUMBERS = (
    *(".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".npz", ".npy", ".parquet", ".feather", ".arrow", ".xlsx"),
    *(".pkl", ".pickle", ".mat", ".h5", ".hdf5"),
)
"""Suffixes of files in which scripts write numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideLog:
    """A file beside a log that may hold the scores of the run: its series, None if nothing can be read; and whether a name in it
    says that these are evaluations."""

    part: LogPart
    table: Tabled | None
    evaluated: bool

    @property
    def score(self) -> str:
        """The series that would be the score."""
        return in_order(self.table.extents)[0] if self.table is not None else ""

    @property
    def is_curve(self) -> bool:
        """Whether the series that would be the score has several points."""
        return self.table is not None and self.table.extents[self.score].points > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedLogs:
    """The logs with the evaluations beside them, what happened, by place, and the questions about others; files: those that were read, or
    that lie beside evaluations."""

    logs: list[Log] = field(default_factory=list)
    happened: list[tuple[str, Happening]] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    files: set[Path] = field(default_factory=set)

    def without_files(self, tree: Tree) -> Tree:
        """Return a tree in which the files that were read are neither strange nor a second log."""
        names = {path.relative_to(tree.folder).as_posix() for path in self.files}
        second = [claim for claim in tree.second if self.files.isdisjoint(part.path for part in claim.files)]
        strange = tuple(name for name in tree.strange if name not in names)
        return replace(tree, strange=strange, second=tuple(second))


def with_evaluations(logs: Sequence[Log], tree: Tree, wish: Wish) -> EvaluatedLogs:
    """Return the logs of training with the evaluations in a file beside them, if there is one that says at which steps they were made.

    Of several logs of one folder those of training alone are left out where another holds evaluations. If the user names the score, all
    series are there, and nothing is asked.
    """
    by_folder = grouped((log.claim.folder, log) for log in logs)
    claimed = {part.path for claim in tree.claims for part in claim.files}
    result = EvaluatedLogs()
    for folder, own in by_folder.items():
        kept = own if wish.score else _without_training(own)
        left = [log.place for log in own if not any(log is other for other in kept)]
        result.happened.extend((place, Happening(policy="training_beside")) for place in left)
        # Of files that the user named nothing beside is meant.
        looked = len(kept) == 1 and not tree.searched.isdisjoint((folder, *folder.parents))
        files = [*_beside(kept[0], folder, claimed, wish)] if looked else []
        result.logs.extend(_with_files(log, files, wish, result) for log in kept)
    return result


def _best(log: Log) -> str:
    """Return the series that would be the score of a log, as for one run; "" if there is none."""
    scores = in_order(log.extents)
    return min(scores, key=lambda name: (log.extents[name].points < 2, scores.index(name)), default="")


def _without_training(logs: Sequence[Log]) -> list[Log]:
    evaluated = any(is_evaluation(_best(log)) for log in logs)
    return [log for log in logs if not (evaluated and _called_training(log)) or is_evaluation(_best(log))]


def _called_training(log: Log) -> bool:
    return all(kind_of_file(part.path.name) in OF_TRAINING for part in log.claim.files)


def _of_training(log: Log) -> bool:
    """Return whether a name says that the score of a log would be the return of training, or the log has no score."""
    best = _best(log)
    return not best or names_training(best) or _called_training(log)


def _beside(log: Log, folder: Path, claimed: set[Path], wish: Wish) -> Iterator[BesideLog]:
    """Yield the files beside a log of training that may hold evaluations, also in a folder `eval` of its own; beside a log that does not say of
    what it is, those that are called so."""
    best = _best(log)
    # What the user names is there.
    if is_evaluation(best) or log.inner or any(matches(wish.score or "", name) for name in log.extents):
        return
    if log.claim.tool == "parts" and best and not wish.score:
        yield from _once(log)
    training = _of_training(log)
    for path in _files(folder, {folder, *(part.path.parent for part in log.claim.files)}):
        other = None if path in claimed else _looked_at(path, folder, wish)
        if other and other.score not in log.extents and (other.evaluated or training):
            yield other


def _files(folder: Path, places: set[Path]) -> list[Path]:
    """Return the files in some folders, and in those of the parts of the run."""
    parts = {
        Path(entry.path) for entry in os.scandir(folder) if entry.is_dir() and canonical(entry.name) in PARTS_OF_A_RUN
    }
    entries = (entry for place in places | parts for entry in os.scandir(place) if entry.is_file())
    return sorted(Path(entry.path) for entry in entries if entry.name.casefold() not in COMPANIONS)


def _once(log: Log) -> Iterator[BesideLog]:
    """Yield the files of a run whose only evaluation is a part of its log."""
    for part in log.claim.files:
        own = {
            name: extent for name, extent in log.extents.items() if is_evaluation(name) and name.startswith(part.prefix)
        }
        if in_order(own):
            yield BesideLog(part=part, table=Tabled(extents=own, series={}, axis=None), evaluated=True)


def _looked_at(path: Path, folder: Path, wish: Wish) -> BesideLog | None:
    """Return a file if it may hold scores that are no returns of training, nor those of a saved model."""
    # A file `final.json` in a folder `eval` is called like eval_final.json.
    label = "_".join(path.relative_to(folder).parts) if path.is_relative_to(folder) else path.name
    kind, parts = kind_of_file(label), {*words(label.removesuffix(path.suffix))}
    hidden = path.name.startswith(".") or path.suffix.casefold() not in OF_NUMBERS or path.stat().st_size == 0
    if hidden or kind in OF_TRAINING or not parts.isdisjoint(OF_CHECKPOINTS):
        return None
    evaluated, called = not parts.isdisjoint(EVALUATION), not parts.isdisjoint(NAMED_OF_SCORES)
    try:
        table = read_beside(LogPart(path), wish)
        score = next(iter(in_order(table.extents)), "")
        if score and not is_evaluation(score):
            table = read_beside(LogPart(path, f"{kind or path.stem}/"), wish)
    except DataError:
        own = BesideLog(part=LogPart(path), table=None, evaluated=evaluated)
        return own if evaluated or called else None
    evaluated |= not EVALUATION.isdisjoint(words(score))
    if not score or names_training(score) or (kind is None and not evaluated):
        return None
    return BesideLog(part=LogPart(path), table=table, evaluated=evaluated)


def _with_files(log: Log, files: Sequence[BesideLog], wish: Wish, result: EvaluatedLogs) -> Log:
    """Return a log with the series of files beside it; where it is not clear what the score is, note the question."""
    best = _best(log)
    files = [file for file in files if file.evaluated] or files
    readable = [file for file in files if file.table is not None]
    curve = best != "" and log.extents[best].points > 1
    clear = len(files) == len(readable) == 1 and (readable[0].is_curve or not curve)
    if files and not wish.score and not clear:
        result.questions.append(_asked(log, best, files))
        return log
    if not readable:
        return log
    result.files.update(file.part.path for file in files)
    extents = {name: extent for name, extent in log.extents.items() if wish.score or order(name) is None}
    series = {name: own for name, own in log.series.items() if name in extents}
    names = ", ".join(file.part.path.name for file in readable)
    for table in (file.table for file in readable if file.table is not None):
        extents, series = {**extents, **table.extents}, {**series, **table.series}
        log = replace(log, axis=table.axis, happened=(*log.happened, *table.happened))
    result.happened.append((log.place, Happening(policy="evaluations_beside", where=names)))
    claim = replace(log.claim, files=(*log.claim.files, *(file.part for file in readable)))
    return replace(log, claim=claim, extents=extents, series=series)


def _asked(log: Log, best: str, files: Sequence[BesideLog]) -> str:
    """Return the question which of two files has the score of a run."""
    names = ", ".join(file.part.path.name for file in files)
    own = ", ".join(part.path.name for part in log.claim.files if part.path.name not in names.split(", "))
    ways = [f"{column('score', file.score)} reads {file.part.path.name}" for file in files if file.table is not None]
    if unread := ", ".join(file.part.path.name for file in files if file.table is None):
        ways.append(f"{unread} can be read if its scores stand beside their steps, as columns step and eval_return")
    ways += [f"{column('score', best)} reads {own}"] if best else []
    logged = "which logs training" if _of_training(log) else "of which nothing says that it is of evaluations"
    what = f"the score would be {best!r} of {own}, {logged}" if best else f"{own} has no score"
    return f"{log.place}: {what}, and {names} beside it may hold the evaluations of the run: {'; '.join(ways)}."
