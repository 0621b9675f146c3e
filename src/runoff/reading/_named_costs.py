"""Names that say what was measured, of arrays, keys, heads and files whose scores have no other name: of a cost the scores are turned, and
times and lengths are no scores."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from runoff.errors import DataError
from runoff.reading._paths import File
from runoff.reading.formats.base import PROGRESS, NotRuns, of_cost
from runoff.tables.columns import listed
from runoff.tables.labels import labelled
from runoff.tables.likely import Chosen, plays
from runoff.tables.source import SourceTable
from runoff.tables.values import floats
from runoff.words.scoring import is_cost, is_metric, is_no_score, measure_of, score_of
from runoff.words.speech import LESS_IS_BETTER, option
from runoff.words.words import kind

COORDINATES = frozenset("xyzt")
"""Names of axes, in small letters."""


def with_measured_keys(table: SourceTable) -> SourceTable:
    """Return the table of keys without those that say what was measured, `loss`, `ppo_loss`; refuse measures that are no scores."""
    for key in list(table.keys):
        names = labelled(table.columns[key]).names
        _refuse_coordinates(table, key, names)
        score = score_of(names)
        if score and all(name == score or kind(name) in ("time", "rate") for name in names):
            table = _of_score(table, key, score)
        else:
            table = _without_measure(table, key, *measure_of(names))
    return table


def _refuse_coordinates(table: SourceTable, key: str, names: Sequence[str]) -> None:
    """Refuse what is called by coordinates of which one only rises: `x` and `y` of a curve."""
    others = [labelled(table.columns[name]).codes for name in table.keys if name != key]
    first = np.logical_and.reduce([codes == 0 for codes in others]) if others else np.ones(table.n_rows, np.bool_)
    rows = [np.flatnonzero(labelled(table.columns[key]).rows([name]) & first) for name in names]
    scores = floats(table.columns["score"]) if len(names) > 1 and {*names} <= COORDINATES else None
    alike = scores is None or len({tuple(scores[own]) for own in rows}) < 2
    if scores is not None and not alike and any(own.size > 2 and (np.diff(scores[own]) > 0).all() for own in rows):
        raise DataError(
            f"{table.place}: {listed(names)} are named like coordinates, and one of them only rises; save arrays, or lists, by what they hold: "
            "the scores of an algorithm by its name, or steps and scores as 'steps' and 'returns'."
        )


def refuse_no_score(names: Sequence[str], measure: str, place: str, role: str = "algorithm") -> None:
    """Refuse names of which times, lengths or losses of training were measured."""
    if is_no_score(measure):
        raise DataError(
            f"{place}: {listed(names, 3)} are named like {measure!r} of each name, which is no score; leave them out, or use "
            f"{option('keys', role)} if that is what is compared, and {LESS_IS_BETTER} if less is better."
        )


def _of_score(table: SourceTable, key: str, score: str) -> SourceTable:
    """Return the rows of the measure that is the score."""
    labels = labelled(table.columns[key])
    rows = (labels.codes == labels.names.index(score)).nonzero()[0]
    others = [name for name in labels.names if name != score]
    keys = {name: role for name, role in table.keys.items() if name != key}
    table = replace(table.some_rows(rows), keys=keys)
    table = replace(table, columns=table.others(key), rows_named=False)
    table = table.warned(f"left out: {listed(others)}, beside {score!r}") if others else table
    return of_cost(table.noted(f"the score is {score!r}"), score)


def _without_measure(table: SourceTable, key: str, measure: str, bare: Mapping[str, str]) -> SourceTable:
    """Return the table whose keys are called by what is left of them without the measure; as it is without one."""
    if not measure:
        return table
    labels = labelled(table.columns[key])
    refuse_no_score(labels.names, measure, table.place, table.keys[key])
    first = labels.names[0]
    note = f"the name {first!r} is that of {bare[first]!r}"
    return of_cost(table.noted(note, columns={**table.columns, key: labels.mapped(bare.__getitem__)}), measure)


def with_costs_of_files(
    named: Sequence[tuple[SourceTable, File]], chosen: Chosen, searched: Collection[Path]
) -> list[SourceTable]:
    """Return the tables, turned where the names of all files, or of their folder below the one that was given, are those of a cost, and
    nothing in them names the scores."""
    tables, files = [table for table, _ in named], [file for _, file in named]
    if any(table.less or not _is_nameless(table, chosen) for table in tables):
        return tables
    stems = {file.stem for file in files}
    below = {file.path.parent.name for file in files if file.path.parent not in searched and file.optional}
    below = {name for name in below if is_metric(name)}
    costs = [own for own in (stems, below) if len(own) == 1 and all(map(is_cost, own))]
    return [replace(table, less=min(costs[0]), less_in="name of the file") for table in tables] if costs else tables


def _is_nameless(table: SourceTable, chosen: Chosen) -> bool:
    """Return whether no head of a table names its scores: arrays and lists by name, and wide tables."""
    roles = ("score", "algorithm")
    return table.structural or not any(chosen.get(r) or plays(table.columns, r, {}) for r in roles)


def refuse_file_of_no_score(table: SourceTable, stem: str) -> None:
    """Refuse arrays and lists in a file that is called by times, lengths or losses, which are no scores, or an array by the steps of others."""
    if not table.structural or "step" in table.columns or not is_no_score(stem):
        return
    if kind(stem) not in PROGRESS:
        raise NotRuns(f"{table.place}: the name of the file says {stem!r}, which is no score.")
    if not table.keys:
        raise DataError(
            f"{table.place}: the name of the file says {stem!r}, which are those of scores in another file: save both in one, "
            "numpy.savez(path, steps=steps, returns=returns)."
        )
