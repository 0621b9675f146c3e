"""A preview of how files are read: the first rows, the number of runs, and the options that change the reading."""

from __future__ import annotations

import re
import shlex
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from runoff.answer.scan import PreviewResult, PreviewRow, ReadAlgorithm
from runoff.data.curves import Curves
from runoff.data.provenance import Provenance
from runoff.data.scores import Scores
from runoff.errors import RunoffError
from runoff.reading._archives import unpacked
from runoff.reading.logs.claims import are_tables, tree_of_logs
from runoff.reading.read import read_runs
from runoff.tables.columns import NAMED
from runoff.words.patterns import regex
from runoff.words.speech import Sentence

SHOWN = 8
"""The number of rows that are shown, each from another algorithm or task."""
ROLES = r"(?:algorithm|task|run)"
HEADS = regex(rf"(?:column\(s\) .* is|^[^:]*:) taken as (?:an? )?({ROLES}(?:/{ROLES})*)s?$")
"""The pattern of a note on the headers of a wide table, or on keys."""


def preview(path: Any, **how: Any) -> PreviewResult:
    """Return a preview of how files would be read; `how` are the options of `read_scores`."""
    runs = read_runs(path, **how)
    origin = runs.provenance
    return PreviewResult(
        path=origin.path or "",
        format=origin.format or "",
        columns=dict(origin.columns),
        rows=tuple(_first(runs)),
        algorithms=tuple(_counted(runs)),
        tasks=runs.tasks,
        n_runs=int(np.sum(runs.n_runs)),
        notes=tuple(map(Sentence, origin.notes)),
        options=_line(path, how, runs),
    )


def holds_tables(path: str | Path) -> bool:
    """Return whether a path is read as tables, even if a logger wrote them."""
    with unpacked(path) as place:
        tree = tree_of_logs(place)
    return tree is None or are_tables(tree)


def _first(runs: Scores | Curves) -> Iterator[PreviewRow]:
    """Yield the first row of each algorithm and task, beginning with one task of each algorithm."""
    places = [(t, a) for t, a in np.ndindex(len(runs.tasks), len(runs.algorithms)) if runs.n_runs[a, t]]
    for t, a in places[:SHOWN]:
        chosen = runs.select(algorithms=[runs.algorithms[a]], tasks=[runs.tasks[t]])
        row = chosen.to_frame().row(0, named=True)
        yield PreviewRow(
            algorithm=row["algorithm"], task=row["task"], run=str(row["run"]), step=row.get("step"), score=row["score"]
        )


def _counted(runs: Scores | Curves) -> Iterator[ReadAlgorithm]:
    for a, name in enumerate(runs.algorithms):
        own = runs.n_runs[a]
        scores = runs.select(algorithms=[name]).to_frame()["score"]
        yield ReadAlgorithm(
            algorithm=name,
            n_tasks=int(np.count_nonzero(own)),
            n_runs=int(own.sum()),
            fewest=int(own[own > 0].min()),
            most=int(own.max()),
            lowest=float(scores.min()),
            highest=float(scores.max()),
        )


# ── the options that read the same again ──────────


def _line(path: Any, how: Mapping[str, Any], runs: Scores | Curves) -> str:
    """Return the options of this reading, and those that say what was recognised, as far as they read the same again."""
    given: dict[str, Any] = {name: value for name, value in how.items() if value not in (None, False)}
    # Standard input is read once.
    recognised = [] if str(path) == "-" else [part for part in _recognised(runs.provenance) if _is_open(given, *part)]
    whole = _with(given, recognised)
    if recognised and not _reads_again(path, whole, runs):
        # A role that was made (a configuration of two columns) is no column of the file.
        whole = given
        for part in recognised:
            whole = more if _reads_again(path, more := _with(whole, [part]), runs) else whole
    return shlex.join(_words(whole))


def _recognised(origin: Provenance) -> Iterator[tuple[str, str, str]]:
    """Yield what was recognised without being named: (option, role, column), with no role of options that are one text."""
    for role, name in dict(origin.columns).items():
        yield "columns", role, name
    # Of keys within keys the outermost is noted first.
    heads = [match[1] for note in origin.notes if (match := HEADS.search(note))]
    if heads:
        yield "keys", "", "/".join(heads)
    levels = {place: role for role, place in origin.parts}
    folders = {
        int(match[1]): role for place, role in sorted(levels.items()) if (match := re.fullmatch(r"folder (\d+)", place))
    }
    # How deep files lie is known only where each level names something.
    whole = [*folders] == [*range(1, len(folders) + 1)] and {*dict(origin.columns), *levels.values()} >= {*NAMED}
    if "the file name" in levels and (whole or not folders):
        parts = [*folders.values(), levels["the file name"]]
        yield "pattern", "", "/".join(f"{{{role}}}" for role in parts)


def _is_open(given: Mapping[str, Any], name: str, role: str, _: str) -> bool:
    """Return whether the call did not say it."""
    return name not in given or bool(role and role not in given[name])


def _with(given: Mapping[str, Any], parts: Iterable[tuple[str, str, str]]) -> dict[str, Any]:
    whole = dict(given)
    for name, role, value in parts:
        whole[name] = {**whole.get(name, {}), role: value} if role else value
    return whole


def _reads_again(path: Any, how: Mapping[str, Any], runs: Scores | Curves) -> bool:
    """Return whether files are read as the same runs."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            again = read_runs(path, **how)
    except RunoffError:
        return False
    arrays = [name for name in ARRAYS if hasattr(runs, name)]
    names = ("algorithms", "tasks", "run_labels", "sampling")
    return (
        type(again) is type(runs)
        and all(getattr(again, name) == getattr(runs, name) for name in names)
        and all(np.array_equal(getattr(again, name), getattr(runs, name)) for name in arrays)
    )


ARRAYS = ("values", "offsets", "steps", "run_offsets", "cell_offsets")
"""What scores and curves hold beside their names."""


def _words(how: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words of options on the command line."""
    for name, value in how.items():
        flag = f"--{name.replace('_', '-')}"
        if isinstance(value, Mapping):
            yield from (word for role, own in value.items() for word in (flag, f"{role}={own}"))
        else:
            yield from (flag,) if value is True else (flag, str(value))
