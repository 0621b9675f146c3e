"""Maximal groups of algorithms that no decision sets apart, and the letters that display them."""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np

from runoff.base.arrays import Bools


def maximal_groups(different: Bools) -> list[tuple[int, ...]]:
    """Return all largest sets of algorithms without a pair that is apart, ordered by their members.

    apart: (k, k) symmetric. Two algorithms are in a common group if and only if they are not apart.
    Source: insert-and-absorb, Piepho (2004).
    """
    groups = {frozenset(range(len(different)))}
    for a, b in np.argwhere(np.triu(different, 1)).tolist():
        split = {group for group in groups if a in group and b in group}
        groups = (groups - split) | {group - {member} for group in split for member in (a, b)}
        groups = {group for group in groups if not any(group < other for other in groups)}
    return sorted(tuple(sorted(group)) for group in groups)


def letters(groups: list[tuple[int, ...]], n_algorithms: int) -> list[str]:
    """Return the compact letter display: algorithms that share a letter are not apart. Source: Piepho (2004)."""
    shown = [""] * n_algorithms
    for index, group in enumerate(groups):
        for member in group:
            shown[member] += letter(index)
    return shown


def letter(index: int) -> str:
    """Return a, b, …, z, a1, b1, …"""
    turn, place = divmod(index, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(turn) if turn else "")
