"""The names in texts that are written like paths, though no folders bear them: those of sheets, and of the cells of a column."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from runoff.errors import DataError
from runoff.reading._names import names_of
from runoff.reading._trails import Trail


def names_in_texts(
    texts: Sequence[tuple[str, ...]], lacks: Sequence[str], *, one_run: bool
) -> dict[str, list[str]] | None:
    """Return the names of each text by their role, read as those of folders are, if these tell all texts apart and several texts share an
    algorithm; None where they are in doubt. texts: the folders and the name in each; lacks: the roles that nothing else plays.

    >>> names_in_texts([("SAC_Hopper_s1",), ("SAC_Hopper_s2",), ("DDPG_Hopper_s1",)], ["algorithm", "task", "run"], one_run=True)
    {'algorithm': ['SAC', 'SAC', 'DDPG'], 'task': ['Hopper', 'Hopper', 'Hopper'], 'run': ['1', '2', '1']}
    """
    common = next((at for at, level in enumerate(zip(*texts, strict=False)) if len({*level}) > 1), 0)
    trails = [
        Trail(path=Path(*own), parts=own[common:], above=own[:common][-3:], lacks=frozenset(lacks), one_run=one_run)
        for own in texts
    ]
    if not all(trail.parts for trail in trails):
        return None
    try:
        named = [own.names for own in names_of(trails)]
    except DataError:
        return None
    roles = [role for role in lacks if all(own.get(role) for own in named)]
    several = len({own.get("algorithm") for own in named}) < len(texts)
    distinct = len({tuple(own[role] for role in roles) for own in named}) == len(texts)
    return {role: [own[role] for own in named] for role in roles} if several and distinct else None
