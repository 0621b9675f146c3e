"""A preview of how files are read: the first rows, the number of runs, and the options that change the reading."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from runoff.data.curves import Curves
from runoff.data.provenance import Provenance
from runoff.data.scores import Scores
from runoff.io._archives import unpacked
from runoff.io.logs.claims import are_tables, tree_of_logs
from runoff.io.read import read_runs
from runoff.results.scan import PreviewResult, PreviewRow, ReadAlgorithm
from runoff.tables.columns import NAMED
from runoff.words.speech import Sentence

SHOWN = 8
"""The number of rows that are shown, each from another algorithm or task."""
HEADS = re.compile(r"(?:is|:) taken as (?:an? )?(algorithm|task|run)")
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
        options=_options(origin),
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


def _options(origin: Provenance) -> str:
    """Return the options that give the current reading, to be edited."""
    options = [f"--columns {shlex.quote(f'{role}={name}')}" for role, name in dict(origin.columns).items()]
    # Of keys within keys the outermost is noted first.
    heads = [match[1] for note in origin.notes if (match := HEADS.search(note))]
    options += [f"--keys {'/'.join(heads)}"] if heads else []
    levels = {place: role for role, place in origin.parts}
    folders = {
        int(match[1]): role for place, role in sorted(levels.items()) if (match := re.fullmatch(r"folder (\d+)", place))
    }
    # How deep files lie is known only where each level names something.
    whole = [*folders] == [*range(1, len(folders) + 1)] and {*dict(origin.columns), *levels.values()} >= {*NAMED}
    if "the file name" in levels and (whole or not folders):
        parts = [*folders.values(), levels["the file name"]]
        options.append(f"--pattern {shlex.quote('/'.join(f'{{{role}}}' for role in parts))}")
    return " ".join(options)
