"""Rows of a log that are of several kinds: training and evaluations, or several tasks, under one name of a series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runoff.base.grouping import distinct
from runoff.reading.logs.base import Happening, SeveralRuns
from runoff.reading.logs.metric import order, steps_of
from runoff.tables.settings import tunes
from runoff.tables.unnamed import CIRCUMSTANCES, LIKE_TASKS
from runoff.tables.values import parsed
from runoff.words.columns import names_runs
from runoff.words.labels import KINDS_OF_DATA, main_kind
from runoff.words.words import EVALUATION, ORDERS, canonical, vocabulary, words

LogRows = Sequence[Mapping[str, Any]]
TRUE = frozenset(("true", "yes", "1"))
FLAGS = {
    **dict.fromkeys(
        vocabulary("eval evals evaluation evaluate evalmode test testing validation greedy deterministic"), True
    ),
    **dict.fromkeys(vocabulary("train training trainmode explore exploration exploring stochastic"), False),
}
"""Canonical names of columns that say of each row whether it is of an evaluation, and the value that those of evaluations have."""
OF_TASKS = LIKE_TASKS | vocabulary("task env environment goal instance game problem benchmark dataset")
"""Words in names of numbers of tasks."""
MOST_LISTED = 4


def of_one_kind(rows: LogRows, place: str) -> tuple[LogRows, tuple[Happening, ...]]:
    """Return rows whose scores are all of one kind, where a word in each row (`"phase": "eval"`) tells kinds of data apart: the scores of
    other rows are taken out. Refuse rows that another word tells apart at one step, for their mean would be the score."""
    first: dict[str, Any] = {}
    for row in rows:
        first = {**row, **first} if row.keys() - first.keys() else first
    scores = [name for name in first if order(name) is not None]
    # The first value tells whether a column holds words: a log may have a million rows.
    for name in (name for name, value in first.items() if _is_word(value) or _numbers_kinds(name)):
        kinds = {
            score: {_label(row[name]) for row in rows if name in row and parsed(row.get(score)) is not None}
            for score in scores
        }
        mixed = [score for score, values in kinds.items() if len(values) > 1]
        values = sorted(set[str]().union(*(kinds[score] for score in mixed)))
        if not mixed:
            continue
        kept = _preferred(name, values)
        if kept is not None:
            left = [
                dict(row) if _label(row.get(name)) == kept else {k: v for k, v in row.items() if k not in mixed}
                for row in rows
            ]
            return left, (Happening(policy="of_one_kind", where=f"{name} {kept}"),)
        # Two environments may end at one step, one of them truncated.
        if not CIRCUMSTANCES.intersection(words(name)) and _meet(rows, name, mixed):
            shown = ", ".join(map(repr, values[:MOST_LISTED]))
            raise SeveralRuns(
                f"{place}: at one step there are scores of several {name!r} ({shown}): write a file for each."
            )
    return rows, ()


def _is_word(value: Any) -> bool:
    return isinstance(value, bool) or (isinstance(value, str) and parsed(value) is None and value != "")


def _numbers_kinds(name: str) -> bool:
    """Return whether numbers of this name tell tasks, runs, settings or kinds of data apart; those of episodes and of environments that an
    evaluation has side by side do not."""
    parts = {*words(name)}
    of_evaluations = parts <= {"env", "environment"} | ORDERS | EVALUATION or not EVALUATION.isdisjoint(parts)
    numbered = not parts.isdisjoint(OF_TASKS) or names_runs(name) or tunes(name)
    return canonical(name).removeprefix("is") in FLAGS or (numbered and not of_evaluations)


def _label(value: Any) -> str:
    number = None if isinstance(value, bool) else parsed(value)
    return str(value) if number is None else f"{number:g}"


def _preferred(name: str, values: Sequence[str]) -> str | None:
    """Return the kind of data that counts, an evaluation before training; None where the words are no kinds of data."""
    if {value.casefold() for value in values} <= {"true", "false", "yes", "no", "1", "0"}:
        counts = FLAGS.get(canonical(name).removeprefix("is"))
        return next((value for value in values if (value.casefold() in TRUE) == counts), None)
    called = {canonical(value): value for value in values}
    if not any(kind in KINDS_OF_DATA | {"evaluate"} for kind in called):
        return None
    main = main_kind(called, ["evaluate"])
    return called[main] if main else None


def _meet(rows: LogRows, name: str, scores: Sequence[str]) -> bool:
    """Return whether one step has scores with several of the words."""
    step = steps_of(dict.fromkeys(key for row in rows for key in row), None)
    called = distinct(
        (row.get(step or ""), str(row[name]))
        for row in rows
        if name in row and any(parsed(row.get(score)) is not None for score in scores)
    )
    return any(len(own) > 1 for own in called.values())
