"""The answer to "who is better, however often we look?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from runoff.results.advice import Advice
from runoff.results.base import Result

AnytimeDecision = Literal["a_better", "b_better", "equivalent", "go_on"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnytimePair:
    """What is known of a pair after the last batch that has both.

    Attributes
    ----------
    a, b : str
    decision : "a_better", "b_better", "equivalent" or "go_on"
    n_batches : int
        Batches with runs of both.
    n_runs_a, n_runs_b : int
        Runs per task in these batches; of the task with the fewest.
    difference : float
        Of the mean scores over these runs, averaged over tasks; a − b.
    low, high : float or None
        Confidence sequence: holds at all times together, and for all pairs together. None: no end yet; both None with `empty`: the batches
        leave no difference at all.
    empty : bool
        The batches contradict each other: no one difference fits them all.
    e_value : float
        Largest evidence so far for a difference in either direction; 1: none.
    pvalue, pvalue_adjusted : float
        Valid whenever one stops: 2 over the largest evidence of a direction; times the number of pairs.
    sentence : str
    """

    a: str
    b: str
    decision: AnytimeDecision
    n_batches: int
    n_runs_a: int
    n_runs_b: int
    difference: float
    low: float | None
    high: float | None
    empty: bool
    e_value: float
    pvalue: float
    pvalue_adjusted: float
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnytimePoint:
    """What was known of a pair after one batch, counted from 1: the evidence then, and the smallest p-value so far, as in `AnytimePair`."""

    a: str
    b: str
    batch: int
    e_value: float
    pvalue: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AnytimeResult(Result):
    """One record for each pair.

    Attributes
    ----------
    pairs : tuple of AnytimePair
    path : tuple of AnytimePoint
    n_batches : int
    alpha : float
        Chance that any claim or interval is ever wrong.
    margin : float or None
    n_resamples : int
    advice : tuple of Advice
    sentence : str
    """

    pairs: tuple[AnytimePair, ...]
    path: tuple[AnytimePoint, ...]
    n_batches: int
    alpha: float
    margin: float | None
    n_resamples: int
    advice: tuple[Advice, ...]
    sentence: str
    _table: ClassVar[str | None] = "pairs"

    def pair(self, a: str, b: str) -> AnytimePair:
        """Return the pair of two names, in the order in which it was compared.

        Raises
        ------
        KeyError
            They were not compared.
        """
        for pair in self.pairs:
            if {pair.a, pair.b} == {a, b} and a != b:
                return pair
        known = ", ".join(f"({p.a!r}, {p.b!r})" for p in self.pairs)
        raise KeyError(f"{a!r} and {b!r} were not compared; there are {known}")

    def __str__(self) -> str:
        return self.sentence
