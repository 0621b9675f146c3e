"""What a table of runs that was exported from Weights & Biases says of them beside their scores: which did not end as they should."""

from __future__ import annotations

from collections import Counter

from runoff.tables.tidy import Table

STATE = "State"
COLUMNS = frozenset({"Name", STATE, "Created", "Runtime"})
"""Columns that every exported table of runs has."""
ENDED = "finished"


def unfinished(table: Table) -> str | None:
    """Return the sentence on runs that crashed, were stopped or still go on, whose scores are not those of their ends; None without any."""
    if not set(table.columns) >= COLUMNS:
        return None
    states = Counter(str(state) for state in table.columns[STATE] if str(state) != ENDED)
    if not states:
        return None
    kinds = ", ".join(f"{n} {state!r}" for state, n in sorted(states.items()))
    return (
        f"{table.place}: {states.total()} of {table.n_rows} rows of this table, exported from Weights & Biases, are runs that did not finish "
        f"({kinds}): their scores are the last that they logged; leave them out of the export if they do not count"
    )
