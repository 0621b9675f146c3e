"""The answer to "does the order survive other choices?"."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.answer.base import Advice
from runoff.answer.rows import Records
from runoff.base.lasting import once

KINDS = ("measure", "reference", "last", "task", "run")
"""The kinds of variation, in the order in which they are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustnessRow:
    """One pair and one kind of variation.

    Attributes
    ----------
    ahead : str or None
        The algorithm with the better estimate before any variation; None if they are equal.
    difference : float
        The estimate of a minus that of b, in units of the scores (b's minus a's if lower is better); for the probability of improvement its
        distance from ½.
    kind : "measure", "reference", "last", "task" or "run"
        The variation: another measure, other reference scores, another final window, one task left out, or one run left out.
    n_variations, kept : int
        The number of variations, and of those in which the same algorithm is ahead.
    reversed_by : tuple of str
        The variations in which it is not ahead, the clearest first.
    smallest_lead, smallest_at : float and str, or None
        Its smallest lead (negative if it is behind), in units of that variation, and the variation.
    """

    a: str
    b: str
    ahead: str | None
    difference: float
    kind: str
    n_variations: int
    kept: int
    reversed_by: tuple[str, ...]
    smallest_lead: float | None
    smallest_at: str | None


def ahead_first(row: RobustnessRow) -> tuple[str, str]:
    """Return the names of a pair, the one that is ahead first."""
    return (row.b, row.a) if row.ahead == row.b else (row.a, row.b)


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustnessResult(Records[RobustnessRow]):
    """Robustness of the order: pairs by kinds of variation.

    Attributes
    ----------
    rows : tuple of RobustnessRow
        The rows, in the order of pairs, then kinds.
    measure : str
        The measure that orders the algorithms.
    variations : tuple of (str, tuple of str)
        The variations that were tried, for each kind except a task or a run left out.
    """

    rows: tuple[RobustnessRow, ...]
    measure: str
    variations: tuple[tuple[str, tuple[str, ...]], ...]
    sentence: str
    advice: tuple[Advice, ...] = ()

    @property
    @once
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs, in order."""
        return tuple(dict.fromkeys((record.a, record.b) for record in self.rows))

    @property
    @once
    def kinds(self) -> tuple[str, ...]:
        """The kinds of variation that were tried for any pair."""
        return tuple(kind for kind in KINDS if any(r.kind == kind and r.n_variations for r in self.rows))
