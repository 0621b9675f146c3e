"""The answer to "are they the same, for practical purposes?"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from runoff.results.advice import Advice
from runoff.results.base import Result, less, not_compared, told
from runoff.words.names import CORRECTIONS, metric_words
from runoff.words.numbers import counted, estimated, exactly

EquivalenceVerdict = Literal["equivalent", "different", "undetermined"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalencePair:
    """One pair of algorithms on the tasks they share.

    Attributes
    ----------
    a, b : str
    n_tasks : int
    difference : float
        a − b, of the result's metric, in units of the scores.
    low, high : float or None
        Interval of level 1 − 2 alpha; "tryon": the Welch interval of level 1 − alpha. None where there is no spread to judge by.
    margin : float
    pvalue, pvalue_adjusted : float or None
        Of the null that the difference is at least the margin; None for "tryon", 1 where there is no spread to judge by.
    pvalue_difference, pvalue_difference_adjusted : float or None
        Of the null that there is no difference.
    differs : bool
        Whether a difference from 0 was found, however small.
    smallest_margin : float or None
        These runs show equivalence for every larger margin (after the correction).
    verdict : "equivalent", "different" or "undetermined"
        "equivalent" wins over "different" where the difference is found and shown to be below the margin.
    sentence : str
    advice : tuple of Advice
    """

    a: str
    b: str
    n_tasks: int
    difference: float
    low: float | None
    high: float | None
    margin: float
    pvalue: float | None
    pvalue_adjusted: float | None
    pvalue_difference: float | None
    pvalue_difference_adjusted: float | None
    differs: bool
    smallest_margin: float | None
    verdict: EquivalenceVerdict
    sentence: str
    advice: tuple[Advice, ...] = ()

    def turned(self) -> EquivalencePair:
        """Return the pair as b and a, its difference as b − a."""
        low, high = less(0.0, self.high), less(0.0, self.low)
        difference = 0.0 - self.difference
        told = self.sentence.replace(f"{self.a} and {self.b} ", f"{self.b} and {self.a} ", 1)
        seen, now = estimated(self.difference, self.low, self.high), estimated(difference, low, high)
        told = told.replace(f"difference {seen};", f"difference {now};", 1)
        return replace(self, a=self.b, b=self.a, difference=difference, low=low, high=high, sentence=told)


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalenceResult(Result):
    """Pairs that are equivalent within a margin, different, or neither.

    Attributes
    ----------
    pairs : tuple of EquivalencePair
    metric : str
    method : "welch", "bootstrap" or "tryon"
    margin, alpha : float
    correction : str
    n_resamples : int
        0 where nothing was drawn.
    seed : int
    advice : tuple of Advice
    """

    pairs: tuple[EquivalencePair, ...]
    metric: str
    method: str
    margin: float
    alpha: float
    correction: str
    n_resamples: int
    seed: int
    advice: tuple[Advice, ...] = ()
    _table: ClassVar[str | None] = "pairs"

    def pair(self, a: str, b: str) -> EquivalencePair:
        """Return the pair of a and b, turned round if it was made of b and a."""
        for pair in self.pairs:
            if (pair.a, pair.b) == (a, b):
                return pair
            if (pair.a, pair.b) == (b, a):
                return pair.turned()
        raise not_compared(a, b, [(pair.a, pair.b) for pair in self.pairs])

    def __str__(self) -> str:
        counts = {
            word: sum(p.verdict == word for p in self.pairs) for word in ("equivalent", "different", "undetermined")
        }
        verdicts = ", ".join(f"{n} {word}" for word, n in counts.items())
        head = (
            f"{counted([len(self.pairs)], 'pair')}, margin {exactly(self.margin)} of the {metric_words(self.metric)}: {verdicts} "
            f"(α = {exactly(self.alpha)}, {CORRECTIONS[self.correction]} correction)."
        )
        return told(head, more=[pair.sentence for pair in self.pairs], noun="pair")
