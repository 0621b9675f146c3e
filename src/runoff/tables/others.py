"""Rows of files and frames that are not runs like the others: rows between evaluations, and rows of failed runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from runoff.base.arrays import Bools, Ints
from runoff.errors import DataError
from runoff.tables.columns import FRAME, NAMED, listed, recognise
from runoff.tables.labels import RawColumn, Values, labelled
from runoff.tables.likely import Chosen
from runoff.tables.source import SourceTable
from runoff.tables.tidy import unused_columns
from runoff.tables.values import MISSING, floats, is_empty, outcomes, parsed
from runoff.words.labels import FAILED
from runoff.words.words import canonical, vocabulary

# ── rows between evaluations ──────────


def evaluated(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return the rows of learning curves with a score, if the other rows are empty and every run has a score."""
    mapping = recognise(list(table.columns), wanted=(*NAMED, "score"), chosen=chosen, place=table.place)
    scores = table.columns[mapping["score"]] if "score" in mapping else np.empty(0)
    empty = _empty_rows(scores, framed=table.place == FRAME)
    if not empty.any() or "run" not in mapping:
        return table
    runs = list(zip(*table.labels(mapping).values(), strict=True))
    rows = np.flatnonzero(~empty)
    # A run without any score failed, and is not a row between evaluations.
    if len({runs[i] for i in rows.tolist()}) < len(set(runs)):
        return table
    note = f"left out: {int(empty.sum())} row(s) between evaluations, whose column {mapping['score']!r} is empty"
    return table.some_rows(rows, note)


def with_steps_before(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return the rows of one run with the step of the row before in those that have a score and no step, as scripts log what they evaluate:
    `{"eval_return": 5}` behind `{"step": 100, "loss": 0.1}`."""
    mapping = recognise(list(table.columns), wanted=(*NAMED, "score", "step"), chosen=chosen, place=table.place)
    runs = table.labels(mapping).values()
    if table.structural or not {"score", "step"} <= mapping.keys() or any(len(own.names) > 1 for own in runs):
        return table
    steps, scores = (list(table.columns[mapping[role]]) for role in ("step", "score"))
    absent = [i for i, (step, score) in enumerate(zip(steps, scores, strict=True)) if is_empty(step) > is_empty(score)]
    counted = [parsed(str(step)) for step in steps if not is_empty(step)]
    rise = None not in counted and counted == sorted(counted, key=lambda step: step or 0.0)
    if not absent or not rise or not counted:
        return table
    for i in range(1, len(steps)):
        steps[i] = steps[i - 1] if is_empty(steps[i]) else steps[i]
    note = f"rows with {mapping['score']!r} and without a step have that of the row before"
    return table.noted(note, columns={**table.columns, mapping["step"]: steps})


def _empty_rows(values: Values, *, framed: bool) -> Bools:
    """Return which cells are empty; in a frame they are NaN, and a curve that ends with NaN ended early."""
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
"""Canonical names of columns that record how a run ended."""


COUNTED = vocabulary("valid isvalid include included keep use ok usable converged complete completed finished done")
"""Canonical names of columns that are true for valid runs."""
LEFT_OUT = vocabulary(
    "exclude excluded outlier isoutlier invalid ignore ignored skip crashed failed diverged error exception"
)
"""Canonical names of columns that are true for invalid runs, or describe what went wrong."""
FLAGS = COUNTED | LEFT_OUT
OF_EVALUATIONS = vocabulary("ok converged complete completed finished done crashed failed error exception")
"""Flags that may belong to an evaluation instead of a run if there are steps."""
YES, NO = frozenset({"true", "t", "yes", "y", "x", "1", "1.0"}), frozenset({"false", "f", "no", "n", "0", "0.0"})


def failed_rows(table: SourceTable, used: Mapping[str, str]) -> tuple[Ints, str]:
    """Return the rows of failed runs, int64, by their status or a flag, and the words for them."""
    for name in unused_columns(table, used.values()):
        called = canonical(name)
        flags = called in (FLAGS - OF_EVALUATIONS if "step" in used else FLAGS)
        if not flags and called not in STATUS:
            continue
        texts = labelled(table.columns[name])
        kinds = marks(name, texts.names) if flags else _failed(called, texts.names)
        rows = np.flatnonzero(texts.rows(kinds))
        # What went wrong in an attempt that counts as not solved is why it was not.
        if called in LEFT_OUT and "run" not in used and "score" in used and _are_zeros(table, used["score"], rows):
            continue
        # A flag of all rows marks none of them.
        if kinds and not (flags and rows.size == len(texts)):
            what = "that are marked" if flags else "that did not finish successfully"
            return rows, f"{rows.size} of {len(texts)} rows are runs {what} (column {name!r}: {listed(kinds)})"
    return np.array([], dtype=np.int64), ""


def _are_zeros(table: SourceTable, score: str, rows: Ints) -> bool:
    """Return whether the scores are outcomes, 1 or 0, and those of some rows are 0."""
    values = outcomes(table.columns[score])
    numbers = floats(values)
    return numbers is not None and bool(
        np.isin(numbers, (0.0, 1.0)).all() and not numbers[rows].any() and numbers.any()
    )


def _failed(called: str, texts: Sequence[str]) -> list[str]:
    # `sys/failed` of Neptune is true or false.
    failed = FAILED | {"true"} if called.endswith("failed") else FAILED
    return sorted(text for text in texts if canonical(text) in failed)


def marks(name: str, texts: Iterable[str]) -> list[str]:
    """Return the values of a column that mark a run; none if it is not a flag, or contains other values than yes and no, such as an `error`
    of 0.13."""
    called = canonical(name)
    if called not in FLAGS:
        return []
    spelled = {text: text.casefold() for text in texts if not is_empty(text) and text.casefold() not in MISSING}
    if called in ("error", "exception") and any(parsed(text) is None for text in spelled):
        return sorted(text for text in spelled if spelled[text] not in NO)
    marking = YES if called in LEFT_OUT else NO
    return sorted(text for text in spelled if spelled[text] in marking) if {*spelled.values()} <= YES | NO else []


def refuse_failed_rows(table: SourceTable, used: Mapping[str, str]) -> None:
    """Refuse rows of failed runs in a frame, because the user has to decide how they count."""
    _, what = failed_rows(table, used)
    if what:
        raise DataError(
            f"{table.place}: {what}; leave these rows out and report that, or drop the column if they count with their score."
        )
