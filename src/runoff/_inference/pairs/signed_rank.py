"""The Hodges-Lehmann difference of a sample of tasks: Wilcoxon's signed-rank test and the interval that inverts it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from runoff._inference.bootstrap import Ends
from runoff.base.arrays import SMALLEST, Floats, read_only

MOST_TASKS = 1_000
"""The exact null of so many tasks takes a third of a second; of more it is not offered."""


@dataclass(frozen=True, slots=True, eq=False)
class SignedRankLaw:
    """The centre of differences that are as likely to lie so far above it as below.

    value: the median of the Walsh averages (d_i + d_j)/2, i ≤ j (Hodges & Lehmann 1963). walsh: those averages, ascending; n: of so many tasks.

    A centre θ is judged by the number of averages above it, which is the sum of the positive signed ranks of d − θ (Tukey 1949), against the
    exact null of n ranks without ties. Averages equal to θ, and so tasks without a difference, count for neither side. That holds the level
    with ties: an independent jitter of the differences has the null without ties, and if it is small enough, no fewer averages above θ.
    """

    value: float
    walsh: Floats
    n: int

    kind = "signed_rank"
    method = "exact"
    pvalue_error = 0.0
    laws = ()

    @property
    def least(self) -> float:
        """Return the smallest p-value of no difference that tasks with so many ties at 0 can have."""
        return self._p(self.walsh.size - int((self.walsh == 0).sum()))

    @property
    def statistic(self) -> float:
        """Return the sum of the signed ranks."""
        return float(np.sign(self.walsh).sum())

    def interval(self, level: float) -> Ends | None:
        """Return the interval, whose ends are Walsh averages; None where no such tasks are rare enough."""
        # The ends are the (k + 1)-th lowest and highest averages, k being the
        # largest W with 2 P(W ≤ k) ≤ α: the centres that are not rejected.
        k = int(np.searchsorted(2 * tails(self.n), 1 - level, side="right")) - 1
        return None if k < 0 else (float(self.walsh[k]), float(self.walsh[-1 - k]))

    def pvalue(self, null: float = 0.0) -> float:
        return self._p(max(self._above(null), self._below(null)))

    def equivalence_pvalue(self, margin: float, even: float = 0.0) -> float:
        """Return the larger p-value of two one-sided tests that the centre lies at a margin or beyond."""
        if abs(self.value - even) >= margin:
            return 1.0
        return max(self._p(self._above(even - margin)), self._p(self._below(even + margin))) / 2

    def _above(self, null: float) -> int:
        return self.walsh.size - int(np.searchsorted(self.walsh, null, side="right"))

    def _below(self, null: float) -> int:
        return int(np.searchsorted(self.walsh, null, side="left"))

    def _p(self, n_ahead: int) -> float:
        return max(min(2 * float(tails(self.n)[self.walsh.size - n_ahead]), 1.0), SMALLEST)


def signed_rank_law(differences: Floats) -> SignedRankLaw:
    """Return the law of the centre of differences (n,); sums that are 0 but for rounding are 0."""
    i, j = np.triu_indices(differences.size)
    walsh = (differences[i] + differences[j]) / 2
    # (d + e)/2 of d = −e may be 1e-17 by rounding, and would count for a side.
    walsh[np.abs(walsh) <= 1e-12 * np.abs(differences).max()] = 0.0
    return SignedRankLaw(float(np.median(walsh)), read_only(np.sort(walsh)), differences.size)


@lru_cache(maxsize=64)
def tails(n: int) -> Floats:
    """Return P(W ≤ w) for w = 0 … n(n + 1)/2, W the sum of those of the ranks 1 … n whose sign is positive, each with chance ½."""
    chances = np.zeros(n * (n + 1) // 2 + 1)
    chances[0] = 1.0
    for rank in range(1, n + 1):
        top = rank * (rank + 1) // 2
        # A rank is in the sum or not, each with chance ½: f becomes (f + f moved by the rank) / 2. A copy, for the two overlap.
        chances[rank : top + 1] += chances[: top - rank + 1].copy()
        chances[: top + 1] /= 2
    return read_only(np.minimum(np.cumsum(chances), 1.0))
