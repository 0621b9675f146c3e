"""Tables with several scores in a row: lists in cells, or a column for each step of training."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runoff.base.arrays import Ints
from runoff.base.bounds import refuse_beyond
from runoff.errors import DataError
from runoff.tables.columns import column_of, listed, recognise
from runoff.tables.labels import RawColumn, Values, labelled, some_rows
from runoff.tables.likely import Chosen, candidates, free_columns, plays
from runoff.tables.nested import is_smooth
from runoff.tables.numerals import FRACTION, is_number
from runoff.tables.source import SourceTable
from runoff.tables.values import amount, parsed
from runoff.words.patterns import regex
from runoff.words.speech import column
from runoff.words.words import IN_BRACKETS

# ── lists in cells ──────────

ENTRIES_ARE_RUNS = "the entries of a list are runs"


def unlisted(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return a table with one row for each entry of the lists in its cells: evaluations if a column names the runs, otherwise runs.

    If no column is named like a score, all columns of lists are scores of the algorithms or tasks in their headers.
    """
    lists = {name: cells for name, values in table.columns.items() if (cells := _lists(values)) is not None}
    named = [
        name
        for name in lists
        if name == chosen.get("score") or (not chosen.get("score") and name in _scores(table, chosen))
    ]
    wide = not named and bool(lists) and not plays(table.columns, "score", chosen)
    if not wide and len(named) != 1:
        return table
    scores = list(lists) if wide else named
    return _an_entry_a_row(table, lists, scores, chosen)


def _an_entry_a_row(
    table: SourceTable, lists: Mapping[str, list[list[Any]]], scores: Sequence[str], chosen: Chosen
) -> SourceTable:
    """Return a row for each entry of the longest list in a row; shorter lists have fewer runs, or evaluations."""
    lengths = np.array([max(map(len, cells)) for cells in zip(*(lists[name] for name in scores), strict=True)])
    total = int(lengths.sum())
    refuse_beyond("values", total * len(table.columns), f"{table.place}: its lists have {total} entries")
    rows = np.repeat(np.arange(table.n_rows), lengths)
    columns: dict[str, Values] = {}
    for name, values in table.columns.items():
        cells = lists.get(name, [])
        if name in scores or (cells and all(len(cell) == n for cell, n in zip(cells, lengths, strict=True))):
            columns[name] = [
                entry for cell, n in zip(cells, lengths.tolist(), strict=True) for entry in _filled(cell, n)
            ]
        elif name not in lists:
            columns[name] = some_rows(values, rows)
    numbered = np.arange(rows.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    names, axes = list(columns), "the entries of a list are evaluations of a run, at steps 1, 2, …"
    if plays(names, "step", chosen):
        step = recognise(names, wanted=("step",), chosen=chosen, place=table.place)["step"]
        axes = f"entries of lists stand at the steps of column {step!r}"
    elif plays([name for name in names if name not in lists], "run", chosen):
        _refuse_other_lengths(
            table, {name: cells for name, cells in lists.items() if name not in names}, scores, lengths
        )
        # Of episodes, whose mean is asked for, the last is not the score.
        if table.duplicates == "mean":
            axes = "the entries of a list are episodes of a run, whose mean counts"
        else:
            columns["step"] = (numbered + 1).astype(np.float64)
    else:
        _refuse_curves(table, {name: lists[name] for name in scores})
        columns["run"], axes = list(map(str, numbered.tolist())), ENTRIES_ARE_RUNS
    called = "column {} holds" if len(scores) == 1 else "columns {} hold"
    missing = np.sum([[entry is None for entry in columns[name]] for name in scores], axis=0)
    entries = table.noted(
        f"{called.format(listed(scores))} lists: {'by request' if table.by_axes else axes}",
        columns=columns,
        row=lambda index: f"{table.row(int(rows[index]))}, entry {numbered[index] + 1}",
        ragged=bool(missing.any()),
    )
    return entries.some_rows(np.argsort(missing, kind="stable")) if entries.ragged else entries


def _refuse_other_lengths(
    table: SourceTable, unlike: Mapping[str, list[list[Any]]], scores: Sequence[str], lengths: Ints
) -> None:
    """Refuse steps that are not as many as the scores of their row: without them the entries of all runs would stand at steps 1, 2, …."""
    for step in candidates([*unlike], "step")[:1]:
        at = next(i for i, cell in enumerate(unlike[step]) if len(cell) != lengths[i])
        raise DataError(
            f"{table.place}, {table.row(at)}: column {step!r} holds {len(unlike[step][at])} entries and column {scores[0]!r} {lengths[at]}: "
            f"give as many of both, or leave {step!r} out of the data if the entries are evaluations 1, 2, … of every run."
        )


def _filled(cell: list[Any], n: int) -> list[Any]:
    return cell + [None] * (n - len(cell))


FEWEST_RISING = 3
"""The number of entries from which on lists that all rise are taken for curves."""


def _refuse_curves(table: SourceTable, lists: Mapping[str, list[list[Any]]]) -> None:
    """Refuse lists, without a run column, whose neighbouring entries are alike or only rise, because they may be learning curves."""
    curves = [np.array(list(map(parsed, cell)), dtype=np.float64) for cells in lists.values() for cell in cells]
    rise = len(curves) > 1 and all(line.size >= FEWEST_RISING and bool((np.diff(line) > 0).all()) for line in curves)
    if rise or is_smooth([line for line in curves if np.isfinite(line).all()]):
        raise DataError(
            f"{table.place}: column {next(iter(lists))!r} holds lists that rise like learning curves, and no column names the runs, so "
            f"their entries may be runs or the evaluations of a run; give a row for every score, or name the column of runs: {column('run')}."
        )


def _scores(table: SourceTable, chosen: Chosen) -> list[str]:
    return candidates(free_columns(table.columns, chosen), "score")


def _lists(values: Values) -> list[list[Any]] | None:
    """Return the lists in a column whose cells are all lists, or texts of lists; None for another column."""
    first = values[0] if len(values) else None
    if isinstance(values, RawColumn) and not values.is_text:
        return None
    if isinstance(first, str):
        if _of_text(first) is None:
            return None
        cells = [cell for cell in map(_of_text, values) if cell is not None]
        return cells if len(cells) == len(values) else None
    if not isinstance(first, list | tuple | np.ndarray):
        return None
    cells = [list(value) for value in values if isinstance(value, list | tuple | np.ndarray)]
    # A history of records, or of pairs, is no list of scores.
    nested = any(isinstance(entry, list | dict) for cell in cells for entry in cell)
    return cells if len(cells) == len(values) and not nested else None


NUMBER = r"[-+\u2212]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?%?"
BARE = regex(rf"{NUMBER}(?P<mark>\s*[;,/|]\s*|\s+){NUMBER}(?:(?P=mark){NUMBER})*")
"""Numbers separated by one mark: `1.5, 2.5`, `1.5; 2.5`, `1.5 2.5`."""


def _of_text(text: object) -> list[Any] | None:
    bare = str(text).strip()
    if not bare.startswith("["):
        match = BARE.fullmatch(bare)
        mark = match["mark"].strip() if match else ""
        # `17/20` counts, `1,234` and `1 234` have thousands, `0,5` decimals.
        other = is_number(re.sub(r"\s", ",", bare))
        if match is None or other or (mark == "/" and FRACTION.fullmatch(bare)):
            return None
        return re.split(r"\s*[;,/|]\s*|\s+", bare)
    # NumPy prints its arrays with blanks for commas.
    inner = re.sub(r"(?<=[\d.])\s+(?=[-+\d.])", ", ", bare)
    try:
        value = json.loads(inner)
    except (ValueError, RecursionError):
        return None
    return None if any(isinstance(entry, list | dict) for entry in value) else value


# ── a mean of evaluations and their spread ──────────

WITH_SPREAD = regex(r"(?P<mean>[-\u2212]?\d[\d.,]{0,20} ?%?) ?(?:±|\+/-|\\pm) ?\d[\d.,]{0,20} ?%?")


def without_spreads(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return a table whose cells `51.2 ± 3.7` are the numbers before the sign, where a column names the run of each: the mean of its
    evaluations is the score of a run, and their spread says nothing of other runs."""
    names = list(table.columns)
    run = column_of("run", names, chosen)
    means = {name: read for name in names if run in names and (read := _means(table.columns[name])) is not None}
    # One number for all rows is how many runs there are.
    if not means or len(labelled(table.columns[run]).names) < 2:
        return table
    # `success (mean ± se over 50 episodes)` is called by what stands before the brackets.
    bare = {
        name: IN_BRACKETS.sub("", name).strip() if name in means and name not in chosen.values() else name
        for name in names
    }
    bare = bare if len({*bare.values()}) == len(names) else dict(zip(names, names, strict=True))
    return table.noted(
        f"of column {listed(list(means))} the number before ± is the score of a run; the spread behind it is left out",
        columns={bare[name]: means.get(name, values) for name, values in table.columns.items()},
    )


def _means(values: Values) -> list[str] | None:
    if not len(values) or WITH_SPREAD.fullmatch(str(values[0]).strip()) is None:
        return None
    matches = [WITH_SPREAD.fullmatch(str(value).strip()) for value in values]
    means = [match["mean"].strip() for match in matches if match is not None]
    return means if len(means) == len(values) else None


# ── a column for each step ──────────

STEP = regex(
    r"(?:(?:at[_ ])?(?:env[_ ]?)?(?:steps?|frames?|timesteps?|t|iter|iteration|epoch|update)[_ @=:]*)?(\d+(?:\.\d+)?)\s*([kKmM])?"
    r"(?:[_ ]?(?:steps?|frames?))?"
)
FEWEST = 3
"""The fewest columns that count as steps by their names."""
ROUND = 1000
"""A number of which bare numbers of steps are multiples, and seeds are not."""


def stepped(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return a table with one row for each step if headers are rising steps of training next to columns that name the run."""
    names = free_columns(table.columns, chosen)
    heads = {name: amount(match) for name in names if (match := STEP.fullmatch(name.strip())) is not None}
    others = [name for name in table.columns if name not in heads]
    if len(heads) < FEWEST or plays(others, "score", chosen) or not plays(others, "algorithm", chosen):
        return table
    steps = np.array(list(heads.values()))
    # 0, 1, 2 count runs as well as anything else, and 42, 1337 are seeds.
    sure = (
        (steps % ROUND == 0).all() or plays(others, "run", chosen) or not all(name.strip().isdigit() for name in heads)
    )
    if (np.diff(steps) <= 0).any() or not sure:
        return table
    n_rows = table.n_rows
    rows = np.tile(np.arange(n_rows), len(heads))
    columns: dict[str, Values] = {name: some_rows(table.columns[name], rows) for name in others}
    columns["step"] = np.repeat(steps, n_rows)
    columns["score"] = [value for name in heads for value in table.columns[name]]
    if not plays(others, "run", chosen):
        columns["run"] = [str(row) for row in rows.tolist()]
    shown = list(heads)
    return table.noted(
        f"each of the {len(heads)} columns {listed(shown, 4)} is a step of training, and each row a run",
        columns=columns,
        row=lambda index: f"{table.row(int(rows[index]))}, column {shown[index // n_rows]!r}",
    )
