"""The answer to "does the order survive other choices?"."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.base.lasting import once
from runoff.results.base import Advice
from runoff.results.rows import Records

KINDS = ("metric", "reference", "window", "task", "run")
"""What is varied, in the order in which it is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustnessRow:
    """One pair and one kind of variation.

    Attributes
    ----------
    ahead : str or None
        The one with the better estimate as it was asked for; None where both are level.
    difference : float
        That estimate of a minus that of b, in units of the scores; of a metric where lower is better, b's minus a's; of the probability of
        improvement how far it is from ½.
    kind : "metric", "reference", "window", "task" or "run"
        Another measure, other reference scores, another final window, one task left out, one run left out.
    n_variations, kept : int
        Variations, and those in which the same one is ahead.
    reversed_by : tuple of str
        The variations in which it is not, the clearest first.
    smallest_lead, smallest_at : float and str, or None
        Its smallest lead (negative: it is behind), in units of that variation, and where.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustnessResult(Records[RobustnessRow]):
    """One grid: pairs by kinds of variations.

    Attributes
    ----------
    rows : tuple of RobustnessRow
        In the order of pairs, then kinds.
    measure : str
        What the order is by.
    variations : tuple of (str, tuple of str)
        Of each kind that is not a task or a run left out, what was tried.
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
        """The kinds of variations that were tried for any pair."""
        return tuple(kind for kind in KINDS if any(r.kind == kind and r.n_variations for r in self.rows))
