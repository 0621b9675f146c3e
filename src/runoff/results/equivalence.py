"""The answer to "are they the same, for practical purposes?"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from runoff.results.base import Advice, PairRecords, printed_lines, seen_from_b
from runoff.results.pair import differences_words
from runoff.words.names import CORRECTIONS
from runoff.words.numbers import counted, estimated, exactly

EquivalenceVerdict = Literal["equivalent", "different", "undetermined"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalencePair:
    """One pair of algorithms on the tasks they share.

    Attributes
    ----------
    difference : float
        a − b, of the result's measure; of the improvement its distance from ½.
    low, high : float or None
        Interval of level 1 − 2 alpha; None where there is no spread to judge by.
    pvalue, pvalue_adjusted : float
        Of the null that the difference is at least the margin; 1 where there is no spread to judge by.
    pvalue_difference, pvalue_difference_adjusted : float
        Of the null that there is no difference.
    differs : bool
        Whether a difference from 0 was found, however small.
    smallest_margin : float or None
        These runs show equivalence for every larger margin (after the correction).
    verdict : "equivalent", "different" or "undetermined"
        "equivalent" wins over "different" where the difference is found and shown to be below the margin.
    left_out : tuple of str
        As for `Pair`.
    """

    a: str
    b: str
    n_tasks: int
    difference: float
    low: float | None
    high: float | None
    margin: float
    pvalue: float
    pvalue_adjusted: float
    pvalue_difference: float
    pvalue_difference_adjusted: float
    differs: bool
    smallest_margin: float | None
    verdict: EquivalenceVerdict
    sentence: str
    advice: tuple[Advice, ...] = ()
    left_out: tuple[str, ...] = ()

    def turned(self) -> EquivalencePair:
        """Return the pair as b and a, its difference as b − a."""
        turned = seen_from_b(self, {"difference": 0.0})
        sentence = self.sentence.replace(f"{self.a} and {self.b} ", f"{self.b} and {self.a} ", 1)
        before, after = (estimated(pair.difference, pair.low, pair.high) for pair in (self, turned))
        return replace(turned, sentence=sentence.replace(f"difference {before};", f"difference {after};", 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalenceResult(PairRecords[EquivalencePair]):
    """Pairs that are equivalent within a margin, different, or neither."""

    pairs: tuple[EquivalencePair, ...]
    measure: str
    method: str
    margin: float
    alpha: float
    correction: str
    n_resamples: int
    seed: int
    advice: tuple[Advice, ...] = ()

    def __str__(self) -> str:
        counts = {
            word: sum(p.verdict == word for p in self.pairs) for word in ("equivalent", "different", "undetermined")
        }
        verdicts = ", ".join(f"{n} {word}" for word, n in counts.items())
        head = (
            f"{counted([len(self.pairs)], 'pair')}, margin {exactly(self.margin)} of the {differences_words(self.measure)}: {verdicts} "
            f"(α = {exactly(self.alpha)}, {CORRECTIONS[self.correction]} correction)."
        )
        return printed_lines(head, more=[pair.sentence for pair in self.pairs], noun="pair")
