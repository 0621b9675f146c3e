"""Reading of `results.tsv`, the log of loops such as autoresearch: a row for each change that was run, with its score and whether it was
kept."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from runoff.data.provenance import Provenance
from runoff.data.scores import Scores
from runoff.errors import DataError
from runoff.words.costs import direction
from runoff.words.numbers import counted

NAMES, STATUS = ("commit", "id", "experiment"), "status"
CRASHED = ("crash", "crashed", "error", "failed", "timeout")
"""Statuses of changes without a score, for which the loop writes 0."""
SIZES = ("memory", "time", "second", "step", "param", "description", STATUS)
"""Beginnings of names of columns that are not the score."""


def read_search(path: Any) -> Scores | None:
    """Return the runs in a `results.tsv`, each commit being an algorithm, in the order of its first row; None for any other file.

    Changes that crashed are left out and counted in a note; the rows of a commit are its runs. A score with the name of a cost, such as
    `val_bpb`, is negated.
    """
    if not isinstance(path, str | Path) or Path(path).suffix != ".tsv" or not Path(path).is_file():
        return None
    with Path(path).open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, delimiter="\t")
        heads = list(reader.fieldnames or ())
        name, score = _column(heads, NAMES), _score(heads)
        if name is None or score is None or STATUS not in heads:
            return None
        rows = [(number, row) for number, row in enumerate(reader, start=2)]
    return _scores(Path(path), rows, name, score)


def _column(heads: Sequence[str], names: Sequence[str]) -> str | None:
    return next((head for head in heads if head in names), None)


def _score(heads: Sequence[str]) -> str | None:
    """Return the score column: the first that is neither a name nor a size."""
    return next((head for head in heads if head not in NAMES and not head.startswith(SIZES)), None)


def _scores(path: Path, rows: Sequence[tuple[int, Mapping[str, str]]], name: str, score: str) -> Scores:
    grid: dict[str, list[float]] = {}
    crashed = 0
    for number, row in rows:
        if (row[STATUS] or "").strip().casefold() in CRASHED:
            crashed += 1
            continue
        try:
            grid.setdefault(row[name], []).append(float(row[score]))
        except (TypeError, ValueError):
            raise DataError(
                f"{path}, row {number}: the {score} of {row[name]!r} is {row[score]!r}, which is not a number."
            ) from None
    if not grid:
        raise DataError(f"{path} has no run with a {score}.")
    verbs = ("has", "is") if crashed == 1 else ("have", "are")
    note = [f"{counted([crashed], 'change')} that crashed {verbs[0]} no score and {verbs[1]} left out"] * (crashed > 0)
    costs = direction(score) == "lower"
    cells = {
        (a, 0): ([str(k) for k in range(1, len(x) + 1)], 0.0 - np.array(x) if costs else np.array(x))
        for a, x in enumerate(grid.values())
    }
    origin = Provenance(path=str(path), format="results.tsv").noting(*note)
    return Scores.from_grid(list(grid), ["task"], cells, origin.negated() if costs else origin)
