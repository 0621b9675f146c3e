"""Confidence sets for the ranks of algorithms, and groups of algorithms that no decision sets apart."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from string import ascii_lowercase

import numpy as np

from runoff._inference.family import adjust
from runoff.base.arrays import Bools, Floats, Ints

# An algorithm's place is one more than the number of those that are truly better. It stands behind those that are found better than it, and
# before those that it is found better than, so that with the probability that these findings are all right every place in between is possible
# (Mogstad, Romano, Shaikh & Wilhelm 2024, whose bootstrap steps Holm's take the place of).

VALUES_PER_BLOCK = 2**20
"""Scores of a block of draws: eight megabytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sets:
    """Places of k algorithms, 1 being best.

    low, high: (k,) each on its own; joint_low, joint_high: (k,) all at once, by the `findings`: (k, k) whether the first is found above the
    second; shares: (k, k) how often each takes which place in the draws, None where an error is not known.
    """

    low: Ints
    high: Ints
    joint_low: Ints
    joint_high: Ints
    findings: Bools
    shares: Floats | None


def sets_of_pairs(pvalues: Floats, ahead: Bools, alpha: float, shares: Floats | None, correction: str = "holm") -> Sets:
    """Return the sets of two-sided p-values (k, k): over all pairs by the correction, and for each algorithm over its own by Holm's.

    ahead: (k, k), whether the test favours the first over the second. What is found over all pairs is found of each algorithm too.
    """
    k = len(pvalues)
    joint, own = np.zeros((2, k, k), np.bool_)
    places = np.array(list(combinations(range(k), 2)))
    joint[*places.T] = adjust(pvalues[*places.T], correction) <= alpha
    joint |= joint.T
    for j in range(k):
        others = np.delete(np.arange(k), j)
        own[j, others] = adjust(pvalues[j, others]) <= alpha
    own |= joint
    return Sets(
        low=1 + (own & ahead.T).sum(axis=1),
        high=k - (own & ahead).sum(axis=1),
        joint_low=1 + (joint & ahead.T).sum(axis=1),
        joint_high=k - (joint & ahead).sum(axis=1),
        findings=joint & ahead,
        shares=shares,
    )


def block_size(k: int) -> int:
    """Return the draws of a block: fixed by the number of algorithms, so that the numbers depend on data and seed alone."""
    return max(32, min(1024, VALUES_PER_BLOCK // k**2))


def place_shares(draws: Floats) -> Floats:
    """Return how often each of k algorithms takes which place in draws (n_draws, k), larger being better; ties share their places: (k, k)."""
    k = draws.shape[1]
    ahead = (draws[:, None, :] > draws[:, :, None]).sum(axis=2)
    level = (draws[:, None, :] == draws[:, :, None]).sum(axis=2)
    shares = np.zeros((k, k))
    for more in range(int(level.max())):
        kept = level > more
        # m that are level share the m places from their own on, each with 1/m.
        places = np.nonzero(kept)[1] * k + ahead[kept] + more
        shares += np.bincount(places, weights=1.0 / level[kept], minlength=k * k).reshape(k, k)
    return shares


def drawn_shares(draws: Floats) -> Floats:
    """Return the shares (k, k) of all draws (n_draws, k), block by block."""
    size = block_size(draws.shape[1])
    return np.asarray(sum(place_shares(draws[at : at + size]) for at in range(0, len(draws), size)) / len(draws))


def maximal_groups(different: Bools) -> list[tuple[int, ...]]:
    """Return all largest sets of algorithms without a pair that differs, ordered by their members.

    different: (k, k) symmetric. Two algorithms are in a common group if and only if they do not differ.
    Source: insert-and-absorb, Piepho (2004).
    """
    # Insert: a pair that differs splits each group that holds both into one without the
    # first and one without the second. Absorb: a group within another one says nothing.
    groups = {frozenset(range(len(different)))}
    for a, b in np.argwhere(np.triu(different, 1)).tolist():
        split = {group for group in groups if a in group and b in group}
        groups = (groups - split) | {group - {member} for group in split for member in (a, b)}
        groups = {group for group in groups if not any(group < other for other in groups)}
    return sorted(tuple(sorted(group)) for group in groups)


def letters(groups: list[tuple[int, ...]], n_algorithms: int) -> list[str]:
    """Return the compact letter display: algorithms that share a letter do not differ. Source: Piepho (2004)."""
    shown = [""] * n_algorithms
    for index, group in enumerate(groups):
        for member in group:
            shown[member] += letter(index)
    return shown


def letter(index: int) -> str:
    """Return a, b, …, z, a1, b1, …"""
    turn, place = divmod(index, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(turn) if turn else "")
