"""The question about a table in which no column is named like a score."""

from __future__ import annotations

from collections.abc import Mapping

from runoff.tables.columns import NAMED, candidates, missing_column, plays
from runoff.tables.tidy import SourceTable, unused_columns
from runoff.tables.unnamed import LIKE_TASKS
from runoff.tables.values import floats
from runoff.words.costs import direction
from runoff.words.speech import choice, column, in_shell, neutral
from runoff.words.words import measures_others, run_of, words


def asked_of_score(table: SourceTable, chosen: Mapping[str, str | None], more: str = "") -> str:
    """Return the question whether the only column of numbers is the score, and of which direction; without such a column, the words for what
    is missing.

    chosen: the columns of roles, by the user's choice or by name; more: further words.
    """
    names = list(table.columns)
    used = {name for role in (*NAMED, "step", "config") for name in candidates(names, role)}
    used |= {name for name in chosen.values() if name}
    free = [name for name in unused_columns(table, used) if not measures_others(name) or direction(name) == "lower"]
    scores = [name for name in free if floats(table.columns[name], gaps=True) is not None]
    costs = [name for name in scores if direction(name) == "lower"]
    likely = costs or scores
    # Runs are the heads of a wide table.
    if len(likely) != 1 or any(map(run_of, names)) or not plays(names, "algorithm", chosen):
        return f"{neutral(missing_column('score', names, table.place))}{more}"
    if not costs:
        return neutral(missing_column("score", names, table.place, likely[0]))
    tasks = [name for name in free if LIKE_TASKS.intersection(words(name)) and name not in scores]
    roles = {role: name for role, name in chosen.items() if name and role in NAMED and not candidates([name], role)}
    tasks = tasks or [name for name in free if name not in scores]
    roles |= {"task": tasks[0]} if len(tasks) == 1 and not plays(names, "task", chosen) else {}
    roles["score"] = costs[0]
    shell = " ".join([*(in_shell(column(role, name)) for role, name in roles.items()), "--lower-is-better"])
    use = choice(f"columns={roles!r}, lower_is_better=True", shell)
    return neutral(
        f"{table.place}: no column is named like a score, and column {costs[0]!r} is named like a cost, of which less is better; use {use} if "
        "it is the score."
    )
