"""Rows of files and frames that are no runs as the others: of other settings, between evaluations, and of runs that failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from runoff.base.arrays import Bools, Floats, Ints
from runoff.errors import DataError, warn
from runoff.tables.columns import FRAME, NAMED, listed, recognise
from runoff.tables.labels import Labels, RawColumn, labelled, n_pairs, paired
from runoff.tables.tidy import SourceTable, configurations, unused_columns
from runoff.tables.unnamed import cells_of, changes_within
from runoff.tables.values import is_empty
from runoff.words.words import FAILED, SETTINGS, canonical, kind, vocabulary, words

# ── variants ──────────

LEARNED = vocabulary("entropy alpha temperature beta epsilon eps ratio clip ratios fraction")
"""Words of settings that may be measured as well: where no two runs share a value, they are."""
COUNTERS = vocabulary("batch head heads unit units size")
"""Words that alone are no settings: they count evaluations or runs."""


def with_variants(table: SourceTable, chosen: Mapping[str, str | None], *, with_step: bool) -> SourceTable:
    """Return the table, algorithms whose runs on a task have several settings named by these as well, as of logs: `PPO (lr 0.1)`."""
    names = list(table.columns)
    roles = ("algorithm", "task", "run", "score", "step", "config")
    mapping = recognise(names, wanted=roles, chosen=chosen, place=table.place)
    if "algorithm" not in mapping or (with_step and "run" not in mapping):
        return table
    tuned = [name for name in unused_columns(table, mapping.values()) if _tunes(name)]
    if not tuned:
        return table
    labels = {role: labelled(table.columns[mapping[role]]) for role in NAMED if role in mapping}
    algorithms = labels["algorithm"]
    config = configurations(table, labels, mapping.get("config"), chosen)
    # Configurations of a sweep differ in their settings by intent; variants are looked for within each.
    within = algorithms if config is None else paired(algorithms, config[1], "{} {}")
    cells = cells_of(within, labels.get("task", algorithms))
    runs = cells * len(labels["run"].names) + labels["run"].codes if with_step else np.empty(0, np.int64)
    settings: dict[str, Labels] = {}
    for name in tuned:
        # Learning rates that decay, and all that is measured, differ within a run: a setting is one value a run.
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
    warn(f"{table.place}: {note}")
    columns = {name: values for name, values in table.columns.items() if name not in settings} | {
        mapping["algorithm"]: named
    }
    return replace(table, columns=columns, notes=(*table.notes, note))


def _tunes(name: str) -> bool:
    parts = set(words(name))
    return bool(parts & SETTINGS) and not parts <= COUNTERS and kind(name) in (None, "rate", "metric")


def _varies_within(values: Sequence[Any] | Floats, runs: Ints) -> bool:
    """Return whether neighbours of one run differ in a column, as what is measured does: it need not be looked at further."""
    if not (isinstance(values, RawColumn) and runs.size):
        return False
    changes = (values.series != values.series.shift()).fill_null(False).to_numpy()
    return bool((changes[1:] & (runs[1:] == runs[:-1])).any())


def _differ(name: str, values: Labels, cells: Ints, runs: Ints) -> bool:
    """Return whether a column has several values in a cell, of which each run has one."""
    if not changes_within(values, cells):
        return False
    n_runs = np.unique(runs).size
    if n_runs and n_pairs(runs, values.codes) > n_runs:
        return False
    # `entropy` is a coefficient or what was measured. Chosen values come again in several runs; measured ones hardly
    # ever.
    measured = kind(name) == "metric" or LEARNED.intersection(words(name))
    return not (measured and len(values.names) == (n_runs or len(values.names)))


def _with_several(algorithms: Labels, cells: Ints, values: Labels) -> set[str]:
    """Return the algorithms that have several values in a cell."""
    first = values.codes[np.unique(cells, return_index=True)[1]]
    differing = algorithms.codes[values.codes != first[cells]]
    return {algorithms.names[code] for code in np.unique(differing).tolist()}


# ── rows between evaluations ──────────


def evaluated(table: SourceTable, chosen: Mapping[str, str | None]) -> SourceTable:
    """Return the rows of learning curves that hold a score, where the cells of others are empty and every run has one."""
    mapping = recognise(list(table.columns), wanted=(*NAMED, "score"), chosen=chosen, place=table.place)
    scores = table.columns[mapping["score"]] if "score" in mapping else np.empty(0)
    empty = _empty_rows(scores, framed=table.place == FRAME)
    if not empty.any() or "run" not in mapping:
        return table
    runs = list(zip(*(labelled(table.columns[mapping[role]]) for role in NAMED if role in mapping), strict=True))
    rows = np.flatnonzero(~empty)
    # A run without any score failed, and is not a row between evaluations.
    if len({runs[i] for i in rows.tolist()}) < len(set(runs)):
        return table
    note = f"left out: {int(empty.sum())} row(s) between evaluations, whose column {mapping['score']!r} is empty"
    return table.some_rows(rows, note)


def _empty_rows(values: Sequence[Any] | Floats, *, framed: bool) -> Bools:
    """Return which cells are empty; a frame has NaN there, and a curve that ends with NaN is then one that ended early."""
    if isinstance(values, np.ndarray):
        return np.isnan(values) if framed else np.zeros(values.size, np.bool_)
    if framed and not isinstance(values, RawColumn):
        return np.array([value in (None, "") or value != value for value in values], dtype=np.bool_)
    if isinstance(values, RawColumn):
        empty = np.zeros(len(values), np.bool_)
        if (unread := values.floats()[1]).size:
            left = values.series[unread]
            empty[unread] = (
                (left.str.strip_chars() == "" if values.is_text else left.is_null()).fill_null(True).to_numpy()
            )
        return empty
    return np.array([is_empty(value) for value in values])


# ── runs that failed ──────────

STATUS = vocabulary("status state runstatus runstate exitstatus jobstatus jobstate sysstate sysfailed")
"""Canonical names of columns that say how a run ended."""


def failed_rows(table: SourceTable, used: Mapping[str, str]) -> tuple[Ints, str]:
    """Return the rows of runs that failed, int64, and the words for them: those whose status says so."""
    for name in unused_columns(table, used.values()):
        if canonical(name) in STATUS:
            texts = labelled(table.columns[name])
            # `sys/failed` of Neptune is true or false.
            failed = FAILED | {"true"} if canonical(name).endswith("failed") else FAILED
            kinds = sorted(text for text in texts.names if canonical(text) in failed)
            rows = np.flatnonzero(texts.rows(kinds))
            if kinds:
                what = f"{rows.size} of {len(texts)} rows are runs that did not end well (column {name!r}: {listed(kinds)})"
                return rows, what
    return np.array([], dtype=np.int64), ""


def refuse_failed_rows(table: SourceTable, used: Mapping[str, str]) -> None:
    """Refuse rows of a frame that are runs which failed: what they count is for the user to say."""
    _, what = failed_rows(table, used)
    if what:
        raise DataError(
            f"{table.place}: {what}; leave such rows out and say so, or drop the column if they count with the score that they have."
        )
