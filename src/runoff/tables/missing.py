"""The question about a table in which no column is named like a score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from runoff.errors import DataError
from runoff.tables.columns import NAMED, missing_column
from runoff.tables.likely import candidates, plays
from runoff.tables.source import SourceTable
from runoff.tables.tidy import unused_columns
from runoff.tables.unnamed import LIKE_TASKS
from runoff.tables.values import floats
from runoff.words.costs import direction
from runoff.words.labels import measures_others, run_of
from runoff.words.speech import choice, column, in_shell, neutral
from runoff.words.words import canonical, vocabulary, words

GAINS = vocabulary("return returns reward rewards success wins")
"""Words of scores of which more is better."""


class _Unnamed(NamedTuple):
    """The columns without a role: of numbers, those of them that are named like costs, and of text."""

    numbers: list[str]
    costs: list[str]
    texts: list[str]

    @property
    def likely(self) -> list[str]:
        """The columns that can be the score."""
        return self.costs or self.numbers


def _unnamed(table: SourceTable, chosen: Mapping[str, str | None]) -> _Unnamed:
    names = list(table.columns)
    used = {name for role in (*NAMED, "step", "config") for name in candidates(names, role)}
    used |= {name for name in chosen.values() if name}
    free = [name for name in unused_columns(table, used) if not measures_others(name) or direction(name) == "lower"]
    numbers = [name for name in free if floats(table.columns[name], gaps=True) is not None]
    costs = [name for name in numbers if direction(name) == "lower"]
    return _Unnamed(numbers, costs, [name for name in free if name not in numbers])


def _one_column(table: SourceTable, chosen: Mapping[str, str | None], unnamed: _Unnamed) -> bool:
    """Return whether one column alone can be the score of rows that name an algorithm; runs in heads are those of a wide table."""
    names = list(table.columns)
    return len(unnamed.likely) == 1 and not any(map(run_of, names)) and plays(names, "algorithm", chosen)


def with_cost(tables: Sequence[SourceTable], chosen: Mapping[str, str | None], sign: float) -> Mapping[str, str | None]:
    """Return the chosen columns; where lower scores are better and nothing is named like a score, the only cost in all tables is the score.

    sign: −1.0 where lower is better.
    """
    flat = [table for table in tables if not table.structural]
    if sign > 0 or not flat or chosen.get("score"):
        return chosen
    unnamed = [_unnamed(table, chosen) for table in flat]
    for table, own in zip(flat, unnamed, strict=True):
        _refuse_either(table, own)
    if any(plays(list(table.columns), "score", chosen) for table in flat):
        return chosen
    costs = {tuple(own.costs) for own in unnamed}
    alone = all(_one_column(table, chosen, own) for table, own in zip(flat, unnamed, strict=True))
    return {**chosen, "score": unnamed[0].costs[0]} if alone and len(costs) == 1 and unnamed[0].costs else chosen


def _refuse_either(table: SourceTable, unnamed: _Unnamed) -> None:
    """Refuse to choose, where lower is better, between a score of which more is better by its name and a cost beside it."""
    gains = [name for name in candidates(list(table.columns), "score") if GAINS.intersection(words(name))]
    if gains and unnamed.costs:
        cost = unnamed.costs[0]
        raise DataError(
            f"{table.place}: lower is said to be better, column {gains[0]!r} is named like a score of which more is better, and column {cost!r} "
            f"like a cost; use {column('score', cost)}, or {column('score', gains[0])}."
        )


def asked_of_score(table: SourceTable, chosen: Mapping[str, str | None], more: str = "") -> str:
    """Return the question whether the only column of numbers is the score, and of which direction; without such a column, the words for what
    is missing.

    chosen: the columns of roles, by the user's choice or by name; more: further words.
    """
    names, unnamed = list(table.columns), _unnamed(table, chosen)
    if not _one_column(table, chosen, unnamed):
        last = next((name for name in unnamed.likely if canonical(name) in ("last", "final")), "NAME")
        return f"{neutral(missing_column('score', names, table.place, last))}{more}"
    if not unnamed.costs:
        return neutral(missing_column("score", names, table.place, unnamed.likely[0]))
    cost = unnamed.costs[0]
    tasks = [name for name in unnamed.texts if LIKE_TASKS.intersection(words(name))] or unnamed.texts
    roles = {role: name for role, name in chosen.items() if name and role in NAMED and not candidates([name], role)}
    roles |= {"task": tasks[0]} if len(tasks) == 1 and not plays(names, "task", chosen) else {}
    roles["score"] = cost
    shell = " ".join([*(in_shell(column(role, name)) for role, name in roles.items()), "--lower-is-better"])
    use = choice(f"columns={roles!r}, lower_is_better=True", shell)
    return neutral(
        f"{table.place}: no column is named like a score, and column {cost!r} is named like a cost, of which less is better; use {use} if "
        "it is the score."
    )
