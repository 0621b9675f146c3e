"""The answer to "which pairs differ?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from runoff._counts import counted
from runoff._numbers import exactly
from runoff._spoken import CORRECTIONS
from runoff.results.advice import Advice
from runoff.results.base import TOLD, Result, told

Verdict = Literal["a_better", "b_better", "no_difference_found", "equivalent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One comparison of two algorithms on the tasks they share.

    Attributes
    ----------
    a, b : str
        Algorithms; every difference is a − b.
    n_tasks : int
        Tasks both have scores on.
    n_runs_a, n_runs_b : tuple of (int, int)
        Fewest and most runs of a cell.
    test, method : str
        The test, and how its p-value was computed: "exact", "asymptotic" or "monte_carlo".
    null, alternative : str
        The hypotheses in words.
    statistic, pvalue : float
    pvalue_error : float
        Monte Carlo standard error of the p-value; 0 for exact and closed forms.
    df : float or None
    pvalue_adjusted : float
        Adjusted over the family of pairs by the result's `correction`.
    difference : float
        Difference of means, in units of the scores, every task weighted equally.
    difference_low, difference_high : float or None
        Its Welch-Satterthwaite t interval; None if a cell has one run.
    difference_df : float or None
        Degrees of freedom of that interval.
    improvement : float
        Probability that a random run of a beats one of b, ties counting half, averaged over tasks.
    improvement_low, improvement_high : float or None
        Its interval, as `probability_of_improvement` gives it by default; None if a cell has one run.
    wins, ties, losses : int
        Tasks on which the mean of a is higher, equal, lower; together `n_tasks`.
    detectable_difference : float or None
        The smallest difference of means that a two-sided t test with this design's standard error finds with 80 % power.
    needed_multiple : float or None
        How many times as many runs it takes to find a true difference as large as the observed one with 80 % power; None where the
        detectable difference is not known, or nothing was observed.
    verdict : "a_better", "b_better", "no_difference_found" or "equivalent"
    sentence : str
        The verdict as a plain sentence.
    advice : tuple of Advice
    margin : float or None
        The smallest difference of means that matters, if one was named.
    pvalue_equivalence, pvalue_equivalence_adjusted : float or None
        Of the null that the difference of means is at least the margin (two one-sided Welch tests), and adjusted over the family.
    """

    a: str
    b: str
    n_tasks: int
    n_runs_a: tuple[int, int]
    n_runs_b: tuple[int, int]
    test: str
    method: str
    null: str
    alternative: str
    statistic: float
    pvalue: float
    pvalue_error: float
    df: float | None
    pvalue_adjusted: float
    difference: float
    difference_low: float | None
    difference_high: float | None
    difference_df: float | None
    improvement: float
    improvement_low: float | None
    improvement_high: float | None
    wins: int
    ties: int
    losses: int
    detectable_difference: float | None
    needed_multiple: float | None
    verdict: Verdict
    sentence: str
    advice: tuple[Advice, ...] = ()
    margin: float | None = None
    pvalue_equivalence: float | None = None
    pvalue_equivalence_adjusted: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonResult(Result):
    """All pairs, or all algorithms against one control.

    Attributes
    ----------
    pairs : tuple of Pair
    alpha : float
        Error rate of the decisions, over the family.
    confidence_level : float
        Level of the intervals, each on its own.
    correction : str
    control : str or None
    n_resamples, seed : int
    advice : tuple of Advice
        What concerns the family or the data as a whole.
    """

    pairs: tuple[Pair, ...]
    alpha: float
    confidence_level: float
    correction: str
    control: str | None
    n_resamples: int
    seed: int
    advice: tuple[Advice, ...] = ()
    _table: ClassVar[str | None] = "pairs"

    def pair(self, a: str, b: str) -> Pair:
        """Return the comparison of a with b, in the order it was made."""
        for pair in self.pairs:
            if (pair.a, pair.b) == (a, b):
                return pair
        listed = ", ".join(f"({pair.a!r}, {pair.b!r})" for pair in self.pairs)
        raise KeyError(f"({a!r}, {b!r}) was not compared in this order; there are {listed}")

    def __str__(self) -> str:
        found = [pair for pair in self.pairs if pair.verdict != "no_difference_found"]
        alike = sum(pair.verdict == "equivalent" for pair in found)
        also = f", {alike} equivalent" if alike else ""
        pairs, verb = counted([len(self.pairs)], "pair"), "differs" if len(self.pairs) == 1 else "differ"
        head = f"{len(found) - alike} of {pairs} {verb}{also}, at α = {exactly(self.alpha)} ({CORRECTIONS[self.correction]} correction)."
        first = sorted(self.pairs, key=lambda pair: pair.verdict == "no_difference_found")
        ordered = self.pairs if len(self.pairs) <= TOLD else first
        return told(head, more=[pair.sentence for pair in ordered], noun="pair")
