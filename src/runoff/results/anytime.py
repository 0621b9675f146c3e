"""The answer to "who is better, however often we look?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from runoff.results.advice import Advice
from runoff.results.base import Result, less, not_compared
from runoff.words.numbers import digits, exactly, p_equals

AnytimeDecision = Literal["a_better", "b_better", "equivalent", "go_on"]
TURNED: Mapping[AnytimeDecision, AnytimeDecision] = {"a_better": "b_better", "b_better": "a_better"}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnytimePair:
    """What is known of a pair after the last batch that has both.

    Attributes
    ----------
    a, b : str
    decision : "a_better", "b_better", "equivalent" or "go_on"
    margin : float or None
        Mean scores that differ by less are equivalent.
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
    margin: float | None
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

    def with_sentence(self) -> AnytimePair:
        """Return the pair with its sentence."""
        return replace(self, sentence=_pair_words(self))

    def turned(self) -> AnytimePair:
        """Return what is known of b and a: the same decision and evidence, with differences b − a."""
        turned = replace(
            self,
            a=self.b,
            b=self.a,
            decision=TURNED.get(self.decision, self.decision),
            n_runs_a=self.n_runs_b,
            n_runs_b=self.n_runs_a,
            difference=0.0 - self.difference,
            low=less(0.0, self.high),
            high=less(0.0, self.low),
        )
        return turned.with_sentence()


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
        """Return what is known of a and b; a pair that is there as b and a is turned round, so that every difference is a − b."""
        for pair in self.pairs:
            if (pair.a, pair.b) == (a, b):
                return pair
            if (pair.a, pair.b) == (b, a):
                return pair.turned()
        raise not_compared(a, b, [(pair.a, pair.b) for pair in self.pairs], self.advice)

    def __str__(self) -> str:
        return self.sentence


def _pair_words(pair: AnytimePair) -> str:
    first, second = (pair.b, pair.a) if pair.decision == "b_better" else (pair.a, pair.b)
    claims = {
        "equivalent": f"{first} and {second} are equivalent within a margin of {exactly(pair.margin)}",
        "go_on": f"{first} and {second}: not decided yet",
    }
    claim = claims.get(pair.decision, f"{first} has a higher mean score than {second}")
    return f"{claim} (difference {first} − {second} {_size(pair)}; {_evidence(pair)})."


def _size(pair: AnytimePair) -> str:
    sign = -1 if pair.decision == "b_better" else 1
    low, high = (pair.low, pair.high) if sign > 0 else (pair.high, pair.low)
    ends = [None if end is None else sign * end for end in (low, high)]
    estimate = digits(sign * pair.difference)
    if pair.empty:
        return f"{estimate}, but no one difference fits all batches: did conditions change?"
    if ends == [None, None]:
        return f"{estimate}, no bound yet"
    low_text, high_text = (word if end is None else digits(end) for end, word in zip(ends, ("−∞", "∞"), strict=True))
    return f"{estimate}, at any time between {low_text} and {high_text}"


def _evidence(pair: AnytimePair) -> str:
    runs = f"{pair.n_runs_a}" if pair.n_runs_a == pair.n_runs_b else f"{pair.n_runs_a} and {pair.n_runs_b}"
    batches = "1 batch" if pair.n_batches == 1 else f"{pair.n_batches} batches"
    return f"{runs} runs per task in {batches}, adjusted {p_equals(pair.pvalue_adjusted)}"
