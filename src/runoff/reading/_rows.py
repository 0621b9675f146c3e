"""Selection of rows of a file: rows of other metrics and kinds of data, and the treatment of failed runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from runoff.base.arrays import Floats, Ints
from runoff.base.grouping import distinct
from runoff.errors import DataError
from runoff.tables.columns import NAMED, columns_of, listed, playing, recognise
from runoff.tables.labels import label, labelled
from runoff.tables.likely import Chosen, candidates, free_columns
from runoff.tables.missing import as_score
from runoff.tables.source import SourceTable
from runoff.tables.values import is_missing, outcomes, parsed
from runoff.words.columns import names_suite, preferred
from runoff.words.labels import KINDS_OF_DATA, main_kind
from runoff.words.measured import is_measure
from runoff.words.speech import column, option
from runoff.words.words import canonical, kind, names_reference, vocabulary

# ── rows of several metrics, or kinds of data ──────────

METRICS = vocabulary("metric metrics metricname")
"""Canonical names of columns that name the metric of a row."""
MOST_JUDGED = 1_000
"""Rows in which names of other columns are looked for."""
LAST = vocabulary("best final last latest")


def of_one_kind(table: SourceTable, chosen: Chosen) -> tuple[SourceTable, Chosen]:
    """Return the rows of one metric and kind of data, and the roles of columns; a warning names the rows left out, because several kinds are
    never pooled."""
    _refuse_judgements(table)
    free = free_columns(table.columns, chosen)
    named = playing(free, NAMED)
    # A column that names algorithms may well hold `final` or `test` in its first row.
    for name in [name for name in free if name not in named]:
        first = table.columns[name][0]
        tells = isinstance(first, str) and _kind_in(first) in KINDS_OF_DATA | LAST
        by_head = canonical(name) in METRICS
        if not isinstance(first, str) or not (tells or by_head or ("value" in free and is_measure(first))):
            continue
        labels = list(dict.fromkeys(map(str, table.columns[name])))
        # A column `value` holds what the names of measures beside it say, whatever their column is called.
        metrics = by_head or (not tells and all(map(is_measure, labels)))
        main, wanted = _main(labels), chosen.get("score")
        if metrics and len(labels) > 1:
            by_name = wanted in labels and wanted not in table.columns
            main = wanted if by_name else _main_metric(table.place, name, labels)
            chosen = {role: n for role, n in chosen.items() if not (role == "score" and by_name)}
        elif metrics and wanted == labels[0] and wanted not in table.columns:
            chosen = {role: n for role, n in chosen.items() if role != "score"}  # the metric of all rows
        if main is not None and len(labels) > 1:
            if main != wanted:
                _refuse_lost(table, [own for own in free if own not in (name, *named)], name, main, metrics)
            table = _rows_of(table, chosen, name, main)
    return table, chosen


def _refuse_judgements(table: SourceTable) -> None:
    """Refuse rows that say which of two columns of names was better, `winner` of `model_a` and `model_b`."""
    texts = {name: values for name, values in table.columns.items() if isinstance(values[0], str)}
    for name, values in texts.items() if len(texts) > 2 else ():
        both = [own for own in dict.fromkeys(values[:MOST_JUDGED]) if own in texts and own != name]
        if len(both) > 1 and not any(parsed(texts[own][0]) is not None for own in both):
            raise DataError(
                f"{table.place}: column {name!r} names other columns ({listed(both)}), so each row judges a pair, and no row has a score of one "
                "model; give each model a row with its score, or its share of wins, for each item."
            )


def with_own_measures(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return a table in which every task has a measure of its own, the only one of several in its rows, with one column of scores: `acc` of arc,
    `exact_match` of gsm8k."""
    free = free_columns(table.columns, chosen)
    scores, tasks = candidates(free, "score"), [*filter(None, [chosen.get("task")])] or candidates(free, "task")
    if chosen.get("score") or len(scores) < 2 or len(tasks) != 1 or tasks[0] not in table.columns:
        return table
    labels = labelled(table.columns[tasks[0]])
    of: dict[str, str] = {}
    for row, task in enumerate(labels):
        own = [name for name in scores if not is_missing(table.columns[name][row])]
        if len(own) > 1 or (own and of.setdefault(task, own[0]) != own[0]):
            return table
    if len({*of.values()}) < 2 or {*of} != {*labels.names}:
        return table
    columns = table.others(*scores) | {"score": [table.columns[of[task]][row] for row, task in enumerate(labels)]}
    shown = "; ".join(f"{name!r} of {listed([task for task in of if of[task] == name])}" for name in scores)
    return table.noted(f"each task has one measure, which is its score: {shown}", columns=columns)


def _kind_in(text: str) -> str:
    """Return the canonical text of a cell, or of the one value in it, as Aim writes of what a metric is: `{"subset": "val"}`."""
    return canonical(re.sub(r"""^\{\s*["']\w+["']:\s*["']([^"']*)["']\s*\}$""", r"\1", text))


def _main(distinct: Sequence[str]) -> str | None:
    kinds = {_kind_in(text): text for text in distinct}
    whole = kinds.keys() <= KINDS_OF_DATA or kinds.keys() <= LAST
    return kinds.get(main_kind(kinds)) if whole else None


def _scores_of(metrics: Sequence[str]) -> Sequence[str]:
    """Return the metrics that can be the score: of which no other is named like a score, qualities too."""
    return preferred([text for text in metrics if kind(text) == "score"]) or candidates(metrics, "score")


def _main_metric(place: str, name: str, distinct: Sequence[str]) -> str:
    scores = _scores_of(distinct)
    if len(scores) != 1:
        raise DataError(
            f"{place}: column {name!r} holds several metrics ({listed(distinct)}); name the one that is the score: "
            f"{as_score((scores or distinct)[0], place)}."
        )
    return scores[0]


def _rows_of(table: SourceTable, chosen: Chosen, name: str, main: str) -> SourceTable:
    """Return the rows with one value of a column, without the column; refuse to lose an algorithm or a task."""
    rows = [i for i, value in enumerate(table.columns[name]) if str(value) == main]
    names = [n for n in table.columns if n != name]
    of = recognise(names, wanted=("algorithm", "task"), chosen={**chosen, "score": None}, place=table.place).values()
    cells = list(zip(*([label(value) for value in table.columns[n]] for n in of), strict=True))
    # An algorithm that was only logged in training would vanish from the comparison.
    kept = {cells[i] for i in rows} if cells else set()
    lost = next((cell for cell in cells if cell not in kept), None)
    if lost is not None:
        raise DataError(
            f"{table.place}: column {name!r} is {main!r} in no row of {' on '.join(lost)}; give rows of one kind."
        )
    note = f"left out: {table.n_rows - len(rows)} row(s) whose column {name!r} is not {main!r}"
    return replace(table, columns=table.others(name)).some_rows(np.array(rows)).warned(note)


def _refuse_lost(table: SourceTable, names: Sequence[str], kind_column: str, main: str, metrics: bool) -> None:
    """Refuse to lose names in other columns that have rows of another metric alone, `rmse` of two data sets where `auc` is of a third; what
    describes a metric, such as its unit, has one value for each."""
    for name in names:
        if (
            not isinstance(first := table.columns[name][0], str)
            or parsed(first) is not None
            or 2 * len((own := labelled(table.columns[name])).names) > table.n_rows
        ):
            continue
        of = distinct(zip(own, map(str, table.columns[kind_column]), strict=True))
        lost = {value: min(kinds) for value, kinds in of.items() if main not in kinds}
        if lost and (names_suite(name) or len(lost) > len({*lost.values()})):
            lost_first = next(iter(lost))
            way = f", or use {column('score', main)} if nothing else counts" * metrics
            raise DataError(
                f"{table.place}: column {kind_column!r} is {main!r} in no row whose column {name!r} is {listed(list(lost))} "
                f"({lost[lost_first]!r} of {lost_first!r}), which would be lost; give the rows of each kind in a table of their own{way}."
            )


def without_references(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return the table without rows that have no run, of names by which trained algorithms are measured: `Random`, `Human`."""
    free = free_columns(table.columns, chosen)
    algorithm, run = columns_of(("algorithm", "run"), free, chosen).values()
    if algorithm not in table.columns or run not in table.columns:
        return table
    labels, runs = labelled(table.columns[algorithm]), labelled(table.columns[run])
    names = list(filter(names_reference, labels.names)) if "" in runs.names else []
    rows = runs.rows([""])
    if not names or not np.array_equal(rows, labels.rows(names)) or rows.all():
        return table
    note = f"left out: {int(rows.sum())} row(s) of {listed(names)}, which have no run: reference scores"
    return table.some_rows(np.flatnonzero(~rows)).warned(note)


# ── runs that failed ──────────

FAILED_COUNT = {
    "drop": "they are left out",
    "worst": "they count as the worst run of their task",
    "carry": "they count with the score that they have",
}


def filled(table: SourceTable, chosen: Chosen, incomplete: str | None, *, with_step: bool) -> tuple[SourceTable, Ints]:
    """Return the table with a provisional number in place of missing scores, and their rows, if the user chose how such runs count; an infinite
    score is missing unless it is that of a step."""
    roles = recognise(list(table.columns), wanted=("score", "step"), chosen=chosen, place=table.place)
    score = roles.get("score")
    if incomplete not in ("drop", *(() if with_step else ("worst",))) or score is None:
        return table, np.array([], dtype=np.int64)
    numbers = [np.nan if value in (None, "") else parsed(value) for value in outcomes(table.columns[score])]
    rows = [
        i
        for i, number in enumerate(numbers)
        if number is not None and not (np.isfinite(number) or (with_step and np.isinf(number)))
    ]
    if not rows:
        return table, np.array([], dtype=np.int64)
    # Any number will do: `laid_out` puts NaN back, and `counted_as` what such runs count.
    without = set(rows)
    provisional = {
        name: [0.0 if i in without else value for i, value in enumerate(table.columns[name])]
        for name in (score, *([roles["step"]] if with_step else []))
    }
    return replace(table, columns={**table.columns, **provisional}), np.array(rows, dtype=np.int64)


def refuse_failed(failing: str) -> DataError:
    """Return the refusal of failed runs if the user did not choose how they count."""
    return DataError(
        f"{failing}; choose how they count: {option('incomplete', 'drop')} (nothing), {option('incomplete', 'worst')} (the worst score "
        f"of their task) or {option('incomplete', 'carry')} (the score that they have)."
    )


def counted_as(table: SourceTable, rows: Ints, incomplete: str, *, sign: float) -> SourceTable:
    """Return the table without failed runs, or with their task's worst scores; refuse to carry runs without a score, and tasks on which no
    run finished."""
    kept = np.setdiff1d(np.arange(table.n_rows), rows)
    if incomplete == "drop":
        return table.some_rows(kept)
    scores = np.asarray(table.columns["score"], dtype=np.float64)
    if incomplete == "worst":
        return _as_worst(table, rows, kept, sign * scores, sign)
    if np.isnan(scores[rows]).any():
        others = (
            f"{option('incomplete', 'drop')} (nothing) or {option('incomplete', 'worst')} (the worst score of its task)"
        )
        raise DataError(f"{table.place}: a failed run has no score that could count; use {others}.")
    return table


def _as_worst(table: SourceTable, rows: Ints, kept: Ints, scores: Floats, sign: float) -> SourceTable:
    with_step = "step" in table.columns
    steps = np.asarray(table.columns["step"] if with_step else np.zeros(table.n_rows), dtype=np.float64)
    tasks, runs = (np.array(list(table.columns[name]), dtype=str) for name in ("task", "run"))
    # Run 3 of two algorithms is two runs; no label holds a line break.
    runs = np.char.add(np.char.add(np.array(list(table.columns["algorithm"]), dtype=str), "\n"), runs)
    # of a curve the first row stands for the run; a row without steps is a run
    first = {(tasks[i], runs[i]) if with_step else i: i for i in rows[::-1].tolist()}
    worst: dict[str, tuple[Floats, Floats]] = {}
    for task in dict.fromkeys(tasks[rows].tolist()):
        others = kept[tasks[kept] == task]
        if not others.size:
            raise DataError(
                f"{table.place}: no run of task {task!r} finished, so there is no worst score to use; leave the task out."
            )
        worst[task] = _worst(steps[others], scores[others], runs[others])
    ends = []
    for i in first.values():
        own = rows[(tasks[rows] == tasks[i]) & (runs[rows] == runs[i])] if with_step else np.array([i])
        own = own[~np.isnan(scores[own])]
        grid, lowest = worst[tasks[i]]  # a run may be worse than all that finished
        ends.append((grid, np.minimum(lowest, _at(grid, steps[own], scores[own])) if own.size else lowest))
    places = [kept, *(np.full(of[0].size, i) for i, of in zip(first.values(), ends, strict=True))]
    counted = table.some_rows(np.concatenate(places))
    numbers = {"score": sign * np.concatenate([scores[kept], *(score for _, score in ends)])}
    numbers |= {"step": np.concatenate([steps[kept], *(step for step, _ in ends)])} if with_step else {}
    return replace(counted, columns={**counted.columns, **numbers})


def _worst(steps: Floats, scores: Floats, runs: Any) -> tuple[Floats, Floats]:
    """Return the steps of all runs, and at each step the lowest of the runs' last scores (before a run's first step, its first score)."""
    grid = np.unique(steps)
    lowest = np.full(grid.size, np.inf)
    for run in np.unique(runs):
        lowest = np.minimum(lowest, _at(grid, steps[runs == run], scores[runs == run]))
    return grid, lowest


def _at(grid: Floats, steps: Floats, scores: Floats) -> Floats:
    """Return the last score of a run at each step (before its first, the first)."""
    order = np.argsort(steps, kind="stable")
    return scores[order][np.maximum(np.searchsorted(steps[order], grid, side="right") - 1, 0)]
