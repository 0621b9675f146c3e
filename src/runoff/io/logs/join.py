"""Training logs → one table of runs, with notes on what was understood and done; `read_curves` and `read_scores` begin here."""

from __future__ import annotations

import hashlib
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from runoff.base.random import in_threads
from runoff.data.provenance import Provenance
from runoff.errors import DataError, OptionError, RunoffWarning, nearest
from runoff.io._paths import unreadable
from runoff.io._pattern import mapping
from runoff.io.logs.base import tell
from runoff.io.logs.claims import Tree
from runoff.io.logs.collect import Collected, Happened, Scored, collect, score, wish_for
from runoff.io.logs.metric import Choice, matches
from runoff.io.logs.naming import SOURCES
from runoff.io.logs.tools import TOOLS
from runoff.tables.labels import Repeated
from runoff.tables.tidy import EXTRAS, Table
from runoff.words.names import UnitName
from runoff.words.speech import option

ROLES_OF_SERIES = ("score", "step")
"""Roles that a user may give a series of the logs to; the other roles are names, which a pattern gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """The table of all runs, and where it is from."""

    table: Table
    provenance: Provenance


def join(
    tree: Tree,
    columns: Mapping[str, str],
    pattern: str | Path | None,
    unit: UnitName = "run",
    stacklevel: int = 4,
) -> Joined:
    """Return the table of the runs of a tree: algorithm, task, run, step, score, time, episodes; of evaluations, a row is what `unit` says.

    Refused are a series that no run has, a role that logs do not know, runs without a score or with one name, and a pattern that does not
    fit.
    """
    metric, axis = _asked(columns)
    collected = collect(tree, wish_for(metric, axis, unit), mapping(pattern)).whole()
    if not collected.named:
        raise _unread(collected)
    _check_axis(collected, axis)
    scores = score(collected, metric)
    scored = scores.runs
    notes = [choice.sentence for choice in scores.choices.values() if choice.sentence]
    for choice in scores.choices.values():
        if choice.doubt:
            warnings.warn(choice.doubt, RunoffWarning, stacklevel=stacklevel)
    notes += _score_differs(scores.choices, stacklevel)
    notes += [
        _steps_said(scored, stacklevel),
        *_names_said(scored),
        *_happened([*collected.happened, *scores.happened], stacklevel),
    ]
    notes += [line for line in [tree.not_understood()] if line]
    _warn_of_no_runs(scored, stacklevel)
    origin = Provenance(
        path=tree.place,
        sha256=_digest(tree.folder, scored),
        format=", ".join(sorted({TOOLS[run.named.log.claim.tool].title for run in scored})),
        columns=_mapping_found(scored),
    ).noting(*dict.fromkeys(note for note in notes if note))
    return Joined(table=_table(tree.place, scored), provenance=origin)


def _asked(columns: Mapping[str, str]) -> tuple[str | None, str | None]:
    for role in columns:
        if role not in ROLES_OF_SERIES:
            raise OptionError(
                f"{option('columns')} gives {role!r} a column, but of logs it is a name: use {option('pattern', '{algorithm}/{task}_s{run}')}."
            )
    return columns.get("score"), columns.get("step")


def _unread(collected: Collected) -> DataError:
    reasons = tell(entry for entry in collected.happened if entry[1].policy == "unreadable")
    return DataError(
        f"{collected.tree.place}: no log can be read: {reasons[0].text if reasons else 'all of them are left out'}."
    )


def _check_axis(collected: Collected, axis: str | None) -> None:
    """Refuse a series for the steps that a run does not have: steps of two kinds are not one axis."""
    if axis is None:
        return
    wrong = [run for run in collected.named if run.log.axis is None or not matches(axis, run.log.axis)]
    if wrong:
        names = sorted({name for run in wrong for name in run.log.extents})
        raise OptionError(
            f"{wrong[0].log.place}: there is no series {axis!r} to count the steps ({len(wrong)} such run(s)).{nearest(axis, names)}"
        )


# ── what is said ──────────


def _score_differs(chosen: Mapping[str, Choice], stacklevel: int) -> list[str]:
    """Return, and warn of, tools whose scores have other names: they may measure something else."""
    names = {TOOLS[tool].title: choice.name for tool, choice in chosen.items() if choice.name}
    if len(set(names.values())) < 2:
        return []
    calls = ", ".join(f"{name!r} of {title}" for title, name in names.items())
    sentence = f"the logs name the score differently ({calls}); make sure that they measure one thing"
    warnings.warn(sentence, RunoffWarning, stacklevel=stacklevel + 1)
    return [sentence]


def _steps_said(scored: Sequence[Scored], stacklevel: int) -> str:
    counts = Counter(run.named.log.axis for run in scored)
    listed = [f"{'the step of each record' if axis is None else repr(axis)} ({n} run(s))" for axis, n in counts.items()]
    sentence = f"steps are counted by {', '.join(listed)}"
    if len({(axis or "").casefold().rpartition("/")[2] for axis in counts}) > 1:
        warnings.warn(f"{sentence}: make sure that they count the same", RunoffWarning, stacklevel=stacklevel + 1)
    return sentence


def _names_said(scored: Sequence[Scored]) -> list[str]:
    sentences = []
    for role in ("algorithm", "task", "run"):
        by_source = {source: sum(run.named.sources[role] == source for run in scored) for source in SOURCES}
        listed = ", ".join(f"{WORDS_OF_SOURCES[source]} ({n} run(s))" for source, n in by_source.items() if n)
        sentences.append(f"the {role} is named by {listed}")
    return sentences


WORDS_OF_SOURCES = {
    "pattern": "the pattern given",
    "tool": "the log itself",
    "configuration": "the configuration",
    "folders": "the names of folders",
    "one name": "nothing, so that all have one name, or that of the folder",
}


def _happened(happened: Iterable[Happened], stacklevel: int) -> list[str]:
    messages = tell(happened)
    for message in messages:
        if message.warns:
            warnings.warn(message.text, RunoffWarning, stacklevel=stacklevel + 1)
    return [message.text for message in messages]


def _warn_of_no_runs(scored: Sequence[Scored], stacklevel: int) -> None:
    """Warn where every run is an algorithm of its own: the names of folders then most likely tell runs."""
    algorithms = {run.named.algorithm for run in scored}
    of_folders = all(
        run.named.sources["algorithm"] == "folders" and run.named.sources["run"] == "one name" for run in scored
    )
    if len(scored) > 2 and len(algorithms) == len(scored) and of_folders:
        warnings.warn(
            f"each of {len(scored)} folders is taken as an algorithm of its own, with one run; if they are runs of one algorithm, say so, for "
            f"example {option('pattern', '{algorithm}/{run}')}",
            RunoffWarning,
            stacklevel=stacklevel + 1,
        )


def _mapping_found(scored: Sequence[Scored]) -> tuple[tuple[str, str], ...]:
    metrics = dict.fromkeys(run.metric for run in scored)
    axes = dict.fromkeys(run.named.log.axis for run in scored if run.named.log.axis)
    return (*(("score", name) for name in metrics), *(("step", name) for name in axes))


# ── the table ──────────


def _table(place: str, scored: Sequence[Scored]) -> Table:
    sizes = [run.series.step.size for run in scored]
    columns: dict[str, Any] = {
        role: Repeated([str(getattr(run.named, role)) for run in scored], sizes)
        for role in ("algorithm", "task", "run")
    }
    columns["step"] = np.concatenate([run.series.step for run in scored])
    columns["score"] = np.concatenate([run.series.value for run in scored])
    for name in EXTRAS:
        arrays = [getattr(run.series, name) for run in scored]
        if any(array is not None for array in arrays):
            filled = (np.full(n, np.nan) if a is None else a for a, n in zip(arrays, sizes, strict=True))
            columns[name] = np.concatenate(list(filled))
    starts = np.cumsum([0, *sizes])
    return Table(columns=columns, place=place, row=_row(scored, starts.tolist()), structural=True)


def _row(scored: Sequence[Scored], starts: Sequence[int]) -> Callable[[int], str]:
    def row(index: int) -> str:
        which = int(np.searchsorted(starts, index, side="right")) - 1
        run = scored[which]
        return f"{run.named.log.place}, step {run.series.step[index - starts[which]]:g}"

    return row


def _digest(base: Path, scored: Sequence[Scored]) -> str:
    """Return the sha256 of the sorted lines "name, zero byte, sha256 of the bytes" of all files that were used."""
    paths = sorted({part.path for run in scored for part in run.named.log.claim.files})
    whole = hashlib.sha256()
    for path, digest in zip(paths, in_threads(_sha256, paths), strict=True):
        whole.update(f"{path.relative_to(base).as_posix()}\0{digest}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def _sha256(path: Path) -> str:
    try:
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise unreadable(path, error) from error
