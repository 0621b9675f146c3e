"""The answer to "may we stop now?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from runoff.results.base import Record, Result, plain

Decision = Literal["a_better", "b_better", "equivalent", "go_on", "inconclusive"]
Reason = Literal["futility", "last_look", "budget"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialPair:
    """What is decided about a pair.

    Attributes
    ----------
    a, b : str
    decision : "a_better", "b_better", "equivalent", "go_on" or "inconclusive"
        All but "go_on" are final.
    reason : "futility", "last_look", "budget" or None
        Why it is "inconclusive".
    look : int
        The look of the decision, or the last one so far; from 1.
    n_runs : int
        Runs of each of the two on each task, up to that look.
    statistic : float
        Difference of means over its standard error; infinite where no run varies.
    critical : float or None
        What |statistic| has to exceed for a difference, whatever the other pairs are; None: no scores are enough at this look. Other pairs can
        lower it.
    difference, standard_error : float
        Of the mean scores, averaged over tasks; a − b. The difference of a pair that stopped early is too large on average.
    conditional_power : float or None
        Chance that the last look or one before finds a difference of the size that is worth finding.
    sentence : str
    """

    a: str
    b: str
    decision: Decision
    reason: Reason | None
    look: int
    n_runs: int
    statistic: float
    critical: float | None
    difference: float
    standard_error: float
    conditional_power: float | None
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialPoint:
    """The statistic of a pair at one look, and its bound, as in `SequentialPair`."""

    a: str
    b: str
    look: int
    statistic: float
    critical: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialLook:
    """A look of the design.

    Attributes
    ----------
    look, n_runs : int
        From 1; runs per cell by then.
    alpha_spent : float
        Error that may have been spent by then.
    boundary : float or None
        The bound of a normal statistic of a single pair that spends just that; None where next to nothing may be spent.
    """

    look: int
    n_runs: int
    alpha_spent: float
    boundary: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialResult(Result):
    """One record for each pair.

    Attributes
    ----------
    pairs : tuple of SequentialPair
    path : tuple of SequentialPoint
        All looks at which each pair was open.
    looks : tuple of SequentialLook
        Those of the design.
    look : int
        Looks so far; 0 before the first.
    alpha, alpha_spent : float
        The error rate of the design, and what may have been spent of it so far.
    next_look : int or None
        Runs per cell at the next look; None: the experiment has ended.
    next_runs : int
        Runs that each of `next_algorithms` needs on each task until then.
    next_algorithms : tuple of str
    cost, next_cost : float
        Of all runs so far, and of those that the next look needs.
    budget : float or None
    spending, test : str
    design_sha256 : str
    sentence : str
    notes : tuple of str
    """

    pairs: tuple[SequentialPair, ...]
    path: tuple[SequentialPoint, ...]
    looks: tuple[SequentialLook, ...]
    look: int
    alpha: float
    alpha_spent: float
    next_look: int | None
    next_runs: int
    next_algorithms: tuple[str, ...]
    cost: float
    next_cost: float
    budget: float | None
    spending: str
    test: str
    design_sha256: str
    sentence: str
    notes: tuple[str, ...]
    _table: ClassVar[str | None] = "pairs"

    def to_records(self) -> list[Record]:
        """Return the pairs, each with what is known of the look."""
        now = {key: plain(getattr(self, key)) for key in ("alpha_spent", "next_look", "next_runs", "cost", "next_cost")}
        return [plain(pair) | now for pair in self.pairs]

    def __str__(self) -> str:
        return self.sentence
