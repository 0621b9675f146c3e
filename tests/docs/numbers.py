"""Numbers of the tables of simulations (docs/tables), by which sentences of pages are checked."""

from __future__ import annotations

import re

from tools.site.tables import read

REAL = "law_atari_100k", "law_resets", "law_reppo"
ATARI = REAL[:2]
BOOTSTRAPS = "bootstrap (percentile)", "bootstrap (basic)"
FEW, SOME = ("1", "2", "3"), ("6", "10")


def numbers(tables, head, **where):
    """The numbers in a column of some tables, of the rows where other columns (`_` for a space) have one of these values."""
    names = (tables,) if isinstance(tables, str) else tables
    for rows in map(read, names):
        at = {name: i for i, name in enumerate(rows[0])}
        chosen = [row for row in rows[1:] if all(row[at[key.replace("_", " ")]] in some for key, some in where.items())]
        yield from (float(n) for row in chosen for n in re.findall(r"\d*\.?\d+", row[at[head]].partition(" (")[0]))


def most(*columns, percent=100.0, **where):
    return percent * max(max(numbers(*columns, **where)), 0)


def least(*columns, percent=100.0, **where):
    return percent * min(numbers(*columns, **where))


def total(*columns, **where):
    return sum(numbers(*columns, **where))
