"""A law by a score: the verdict is its tail at no difference, and the interval holds the differences that neither tail rejects."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import lru_cache

from runoff._inference.bootstrap import Ends
from runoff.base.arrays import SMALLEST
from runoff.words.measures import EVEN

HALVINGS = 40
"""Halvings of [−1, 1] that an end of an interval is found with: to 2e-12."""
SLIVERS = 10
"""Differences beyond an end that are looked at, a tenth of what one result changes apart."""


class ScoreLaw(ABC):
    """The difference of two success rates, or of means in [0, 1], by the tails of a score; as a law, it never changes and can be looked up.

    chance: the probability of improvement instead, which is ½ more than half the difference.
    """

    __slots__ = ()
    chance: bool
    kind = "score"
    laws = ()
    pvalue_error = 0.0

    @property
    @abstractmethod
    def lead(self) -> float:
        """The difference."""

    @property
    @abstractmethod
    def method(self) -> str:
        """Whether the tail is summed over all results ("exact"), or normal or t ("asymptotic")."""

    @property
    @abstractmethod
    def grain(self) -> float:
        """By how much one result more changes the difference."""

    @property
    @abstractmethod
    def least(self) -> float:
        """The smallest p-value that such data can have; 0 where it is not known."""

    @abstractmethod
    def turned(self) -> ScoreLaw:
        """Return the law as the second sees it."""

    @abstractmethod
    def above(self, shift: float) -> float:
        """Return the chance of a score as high where the difference is shift."""

    @property
    def even(self) -> float:
        return EVEN if self.chance else 0.0

    @property
    def value(self) -> float:
        return self._measure(self.lead)

    def interval(self, level: float) -> Ends:
        """Return the differences that neither tail rejects at half of 1 − level; of width whatever the results are."""
        half = (1 - level) / 2
        return self._measure(lower_end(self, half)), self._measure(0.0 - lower_end(self.turned(), half))

    def pvalue(self, null: float | None = None) -> float:
        """Return twice the smaller of both tails at a value, that of no difference where None is given."""
        shift = 0.0 if null is None else self._shift(null)
        return min(1.0, max(2 * min(self.above(shift), self._below(shift)), SMALLEST))

    def equivalence_pvalue(self, margin: float, even: float) -> float:
        """Return the larger p-value of two one-sided tests that the value lies a margin or more from `even` (Schuirmann 1987)."""
        if abs(self.value - even) >= margin:
            return 1.0
        low, high = (max(-1.0, min(1.0, self._shift(even + side * margin))) for side in (-1, 1))
        return max(self.above(low), self._below(high), SMALLEST)

    def _below(self, shift: float) -> float:
        # Seen from the other side, so that a pair and its mirror image have the same bits.
        return self.turned().above(0.0 - shift)

    def _measure(self, lead: float) -> float:
        return (1 + lead) / 2 if self.chance else lead

    def _shift(self, value: float) -> float:
        return 2 * value - 1 if self.chance else value


@lru_cache(maxsize=4096)
def lower_end(law: ScoreLaw, half: float) -> float:
    """Return the least difference whose upper tail is above `half`; above 0 exactly where that of 0 is not."""

    def rejected(shift: float) -> bool:
        return law.above(shift) <= half

    start, inside = (0.0, law.lead) if law.lead > 0 and rejected(0.0) else (-1.0, min(law.lead, 0.0))
    if not rejected(start):
        return start
    outside, inside = halved(rejected, start, inside)
    if law.method == "exact":
        # Tails of results one by one are not quite monotone: an end is the outermost within a result of the first.
        step = law.grain / SLIVERS
        steps = (outside - j * step for j in range(SLIVERS, 0, -1))
        further = next((shift for shift in steps if shift > start and not rejected(shift)), None)
        if further is not None:
            outside, inside = halved(rejected, max(start, further - step), further)
    return inside if outside == 0 else outside


def halved(rejected: Callable[[float], bool], outside: float, inside: float) -> Ends:
    """Return two neighbours between a value that is rejected and one that is not."""
    for _ in range(HALVINGS):
        middle = (outside + inside) / 2
        outside, inside = (middle, inside) if rejected(middle) else (outside, middle)
    return outside, inside
