"""Rows of a table that are no runs as the others: those of other settings, which are variants, and those of runs that failed."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from runoff.base.arrays import Floats, Ints
from runoff.errors import DataError, RunoffWarning
from runoff.io._known import SETTINGS
from runoff.tables.columns import listed, recognise
from runoff.tables.labels import Column, Labels, labelled, n_pairs, some_rows
from runoff.tables.tidy import Table, parsed, unused_columns
from runoff.tables.unnamed import cells_of
from runoff.words.speech import option
from runoff.words.words import canonical, kind, vocabulary, words

# ── variants ──────────

LEARNED = vocabulary("entropy alpha temperature beta epsilon eps ratio clip ratios fraction")
"""Words of settings that may be measured as well: where no two runs share a value, they are."""
COUNTERS = vocabulary("batch head heads unit units size")
"""Words that alone are no settings: they count evaluations or runs."""


def with_variants(table: Table, chosen: Mapping[str, str | None], *, with_step: bool) -> Table:
    """Return the table, algorithms whose runs on a task have several settings named by these as well, as of logs: `PPO (lr 0.1)`."""
    names = list(table.columns)
    mapping = recognise(names, wanted=("algorithm", "task", "run", "score", "step"), chosen=chosen, place=table.place)
    if "algorithm" not in mapping or (with_step and "run" not in mapping):
        return table
    tuned = [name for name in unused_columns(table, mapping.values()) if _tunes(name)]
    if not tuned:
        return table
    labels = {role: labelled(table.columns[mapping[role]]) for role in ("algorithm", "task", "run") if role in mapping}
    algorithms = labels["algorithm"]
    cells = cells_of(algorithms, labels.get("task", algorithms))
    runs = cells * len(labels["run"].names) + labels["run"].codes if with_step else np.empty(0, np.int64)
    settings: dict[str, Labels] = {}
    for name in tuned:
        if not _varies_within(table.columns[name], runs):
            values = labelled(table.columns[name])
            if _differ(name, values, cells, runs):
                settings[name] = values
    if not settings:
        return table
    several = {a for name in settings for a in _with_several(algorithms, cells, settings[name])}
    of_row = (
        ", ".join(f"{name} {value:.30}" for name, value in zip(settings, row, strict=True))
        for row in zip(*settings.values(), strict=True)
    )
    named = [f"{a} ({text})" if a in several else a for a, text in zip(algorithms, of_row, strict=True)]
    note = f"the runs of {listed(sorted(several))} differ in {listed(list(settings))} and are taken as variants, each an algorithm by itself"
    warnings.warn(f"{table.place}: {note}", RunoffWarning, stacklevel=6)
    columns = {name: values for name, values in table.columns.items() if name not in settings} | {
        mapping["algorithm"]: named
    }
    return replace(table, columns=columns, notes=(*table.notes, note))


def _tunes(name: str) -> bool:
    parts = set(words(name))
    return bool(parts & SETTINGS) and not parts <= COUNTERS and kind(name) in (None, "rate", "metric")


def _varies_within(values: Sequence[Any] | Floats, runs: Ints) -> bool:
    """Return whether neighbours of one run differ in a column, as what is measured does: it need not be looked at further."""
    if not (isinstance(values, Column) and runs.size):
        return False
    changes = (values.series != values.series.shift()).fill_null(False).to_numpy()
    return bool((changes[1:] & (runs[1:] == runs[:-1])).any())


def _differ(name: str, values: Labels, cells: Ints, runs: Ints) -> bool:
    """Return whether a column has several values in a cell, of which each run has one."""
    if n_pairs(cells, values.codes) == int(cells.max()) + 1:
        return False
    n_runs = np.unique(runs).size
    if n_runs and n_pairs(runs, values.codes) > n_runs:
        return False
    measured = kind(name) == "metric" or LEARNED.intersection(words(name))
    return not (measured and len(values.names) == (n_runs or len(values.names)))


def _with_several(algorithms: Labels, cells: Ints, values: Labels) -> set[str]:
    """Return the algorithms that have several values in a cell."""
    first = values.codes[np.unique(cells, return_index=True)[1]]
    differing = algorithms.codes[values.codes != first[cells]]
    return {algorithms.names[code] for code in np.unique(differing).tolist()}


# ── runs that failed ──────────

STATUS = vocabulary("status state runstatus runstate exitstatus jobstatus jobstate")
FAILED = vocabulary(
    "failed fail failure crashed crash killed error errored timeout timedout oom outofmemory nan diverged preempted aborted cancelled canceled "
    "interrupted stopped running pending nodefail lost"
)
"""Canonical names of columns that say how a run ended, and of ends that are none."""


FAILED_COUNT = {
    "drop": "they are left out",
    "complete": "they are left out",
    "worst": "they count as the worst run of their task",
    "carry": "they count with the score that they have",
    "carry_forward": "they count with the score that they have",
}


def failed_rows(table: Table, used: Mapping[str, str]) -> tuple[Ints, str]:
    """Return the rows of runs that failed, int64, and the words for them: those whose status says so."""
    for name in unused_columns(table, used.values()):
        if canonical(name) in STATUS:
            texts = labelled(table.columns[name])
            kinds = sorted(text for text in texts.names if canonical(text) in FAILED)
            rows = np.flatnonzero(texts.rows(kinds))
            if kinds:
                what = f"{rows.size} of {len(texts)} rows are runs that did not end well (column {name!r}: {listed(kinds)})"
                return rows, what
    return np.array([], dtype=np.int64), ""


def filled(table: Table, chosen: Mapping[str, str | None], incomplete: str | None) -> tuple[Table, Ints]:
    """Return the table with a number in place of the scores that runs lack, and their rows, where the user says what such runs count."""
    score = recognise(list(table.columns), wanted=("score",), chosen=chosen, place=table.place).get("score")
    if incomplete not in ("drop", "complete", "worst") or score is None:
        return table, np.array([], dtype=np.int64)
    numbers = [np.nan if value in (None, "") else parsed(value) for value in table.columns[score]]
    rows = [i for i, number in enumerate(numbers) if number is not None and not np.isfinite(number)]
    if not rows:
        return table, np.array([], dtype=np.int64)
    scores: list[Any] = list(table.columns[score])
    for i in rows:
        scores[i] = 0.0
    return replace(table, columns={**table.columns, score: scores}), np.array(rows, dtype=np.int64)


def refuse_failed(place: str, what: str) -> DataError:
    """Return the refusal of runs that failed, as long as it is not said what they count."""
    return DataError(
        f"{place}: {what}; say what they count: {option('incomplete', 'drop')} (nothing), {option('incomplete', 'worst')} (the worst score "
        f"of their task) or {option('incomplete', 'carry')} (the score that they have)."
    )


def counted_as(table: Table, rows: Ints, incomplete: str, *, sign: float) -> Table:
    """Return the table with the runs that failed left out, or with the worst of the other scores of their task."""
    n_rows = table.n_rows
    kept = np.ones(n_rows, dtype=np.bool_)
    kept[rows] = False
    if incomplete in ("drop", "complete"):
        places = np.flatnonzero(kept)
        columns = {name: some_rows(values, places) for name, values in table.columns.items()}
        return replace(table, columns=columns, row=lambda index: table.row(int(places[index])))
    if incomplete != "worst":
        return table
    tasks, scores = list(table.columns["task"]), np.array(table.columns["score"], dtype=np.float64)
    worst: dict[str, float] = {}
    for i in np.flatnonzero(kept).tolist():
        worst[tasks[i]] = sign * min(sign * worst.get(tasks[i], scores[i]), sign * scores[i])
    lost = next((tasks[i] for i in rows.tolist() if tasks[i] not in worst), None)
    if lost is not None:
        raise DataError(
            f"{table.place}: no run of task {lost!r} finished, so that there is no worst score to count; leave the task out."
        )
    values: Floats = scores.copy()
    values[rows] = [worst[tasks[i]] for i in rows.tolist()]
    return replace(table, columns={**table.columns, "score": values})
