"""The levels at which a pair of a family is judged."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """The p-values that a pair of a family has to reach.

    first: if no other pair is found; best: if all others are; alpha: over the family; joint: whether all pairs are relabelled together;
    can_join: whether they could be.
    """

    first: float
    best: float
    alpha: float
    joint: bool = False
    can_join: bool = True
