"""Two models on the same items: the score of the difference of their success rates, and the interval that inverts it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum, inf, sqrt

import numpy as np
from scipy import special

from runoff._inference.about import SMALLEST
from runoff._inference.bootstrap import Ends, Law
from runoff._kernels.items import paired_score, paired_tail
from runoff.base.arrays import Floats, Ints

EXACT_TO = 5_000
"""So many items have the score's own distribution, summed over all results (6 ms a tail); more have the normal one."""
HALVINGS = 40
"""Halvings of [−1, 1] that an end of an interval is found with: to 2e-12."""


@dataclass(frozen=True, slots=True, eq=False)
class ItemLaw:
    """The difference of success rates on the same n items: the score of which both the verdict and the interval are made.

    won, lost: the sums of the differences of items in favour of the first, and of the second. One attempt an item (`counts`): their numbers.
    Then P(T ≥ t) at a difference is summed over all results, the second alone solving as often as is most likely then (Tango 1998's score;
    nuisance plugged in). deff: several attempts, or clusters: the variance of the score times the measured one over that of such items if each
    were won, lost or even by itself; df: degrees of freedom of that measure. chance: the probability of improvement, ½ + half the difference.
    """

    won: float
    lost: float
    n: int
    counts: bool = True
    deff: float = 1.0
    df: float = inf
    chance: bool = False

    kind = "score"
    laws = ()
    pvalue_error = 0.0

    @property
    def method(self) -> str:
        return "exact" if self.counts and self.n <= EXACT_TO else "asymptotic"

    @property
    def value(self) -> float:
        return self._measure(self._lead)

    @property
    def _lead(self) -> float:
        return (self.won - self.lost) / self.n

    @property
    def statistic(self) -> float:
        """Return the score of no difference."""
        return paired_score(self.won, self.lost, self.n, 0.0) / sqrt(self.deff)

    @property
    def least(self) -> float:
        """Return the smallest p-value of items of which as many differ, where it is known."""
        if not self.counts:
            return 0.0
        return max(2 * self._tail(self.won + self.lost, 0.0, 0.0), SMALLEST) if self.won + self.lost else 1.0

    def interval(self, level: float) -> Ends:
        """Return the differences that neither one-sided test rejects at half of 1 − level."""
        half = (1 - level) / 2
        low, high = self._end(self.won, self.lost, half), self._end(self.lost, self.won, half)
        return self._measure(low), self._measure(0.0 - high)

    def pvalue(self, null: float | None = None) -> float:
        """Return twice the smaller of both tails at a value, that of no difference where None is given."""
        shift = 0.0 if null is None else self._shift(null)
        return min(1.0, max(2 * min(self._above(shift), self._below(shift)), SMALLEST))

    def equivalence_pvalue(self, margin: float, even: float) -> float:
        """Return the larger p-value of two one-sided tests that the value lies a margin or more from `even` (Schuirmann 1987)."""
        if abs(self.value - even) >= margin:
            return 1.0
        low, high = (max(-1.0, min(1.0, self._shift(even + side * margin))) for side in (-1, 1))
        return max(self._above(low), self._below(high), SMALLEST)

    def spread(self) -> Law:
        """Return the t law by which the power of further items like these is said; without laws where none differs."""
        error = sqrt(self.deff * (self.won + self.lost)) / self.n / (2 if self.chance else 1)
        return Law(0.0, ((error, self.n - 1 if self.df == inf else self.df),) if error else ())

    def _above(self, shift: float) -> float:
        return self._tail(self.won, self.lost, shift)

    def _below(self, shift: float) -> float:
        # Seen from the other side, so that a pair and its mirror image have the same bits.
        return self._tail(self.lost, self.won, 0.0 - shift)

    def _tail(self, won: float, lost: float, shift: float) -> float:
        if self.method == "exact":
            return paired_tail(round(won), round(lost), self.n, shift)
        return float(special.stdtr(self.df, -paired_score(won, lost, self.n, shift) / sqrt(self.deff)))

    def _end(self, won: float, lost: float, half: float) -> float:
        """Return the lower end of the lead of `won` over `lost`; above 0 exactly where 0 is rejected."""

        def rejected(shift: float) -> bool:
            return self._tail(won, lost, shift) <= half

        estimate = (won - lost) / self.n
        start, inside = (0.0, estimate) if estimate > 0 and rejected(0.0) else (-1.0, min(estimate, 0.0))
        if not rejected(start):
            return start
        outside, inside = halved(rejected, start, inside)
        if self.method == "exact":
            # Tails of results one by one are not quite monotone: an end is the outermost within an item of the first.
            steps = (outside - j / (10 * self.n) for j in range(10, 0, -1))
            further = next((shift for shift in steps if shift > start and not rejected(shift)), None)
            if further is not None:
                outside, inside = halved(rejected, max(start, further - 0.1 / self.n), further)
        return inside if outside == 0 else outside

    def _measure(self, lead: float) -> float:
        return (1 + lead) / 2 if self.chance else lead

    def _shift(self, value: float) -> float:
        return 2 * value - 1 if self.chance else value


def halved(rejected: Callable[[float], bool], outside: float, inside: float) -> Ends:
    """Return two neighbours between a value that is rejected and one that is not."""
    for _ in range(HALVINGS):
        middle = (outside + inside) / 2
        outside, inside = (middle, inside) if rejected(middle) else (outside, middle)
    return outside, inside


def item_law(leads: Floats, clusters: Ints | None, *, attempts: Floats | None = None, chance: bool = False) -> ItemLaw:
    """Return the law of differences of items, (n_items,) in [−1, 1], 0 or 1 attempts; of clusters, and of other scores, its scaled form.

    clusters: the code of each item's, 0 … G − 1. attempts: of each cell, of items answered yes or no. With V the variance of the mean
    difference, of clusters that are left out whole (CR2 of an intercept, `cluster_moments`), and v₀ = ((b + c)/n − D̄²)/n, the score's variance
    is multiplied by V/v₀, which is 1/k at least where each item has k attempts. Where no cluster differs from another it is n/G.
    Without clusters there are (n − 1)/(1 − 1/k) degrees of freedom: as many as the paired t test's where attempts are many, and of one attempt,
    whose variance follows from the counts, no end of them.
    """
    won, lost, n = fsum(np.maximum(leads, 0.0)), fsum(np.maximum(-leads, 0.0)), leads.size
    if clusters is None and attempts is not None and attempts.max() == 1:
        return ItemLaw(won, lost, n, chance=chance)
    codes = np.arange(n) if clusters is None else clusters
    mean, variance, df, n_clusters = cluster_moments(leads, codes)
    plain = max((won + lost) / n - mean**2, 1e-12) / n
    least = 0.0 if attempts is None else float(np.mean(1 / attempts))
    deff = max(variance / plain, least) if variance > 1e-14 else n / n_clusters
    df = (n - 1) / (1 - least) if clusters is None else df
    return ItemLaw(won, lost, n, counts=False, deff=deff, df=df, chance=chance)


def cluster_moments(values: Floats, codes: Ints) -> tuple[float, float, float, int]:
    """Return the mean, its variance, the degrees of freedom of that, and the number of clusters.

    V = Σ e_g²/(1 − n_g/N)/N², e_g the sum of cluster g's residuals: CR2 of an intercept (Bell & McCaffrey 2002). Satterthwaite's df for it are
    N²/(Σ n_g² + ((Σ x)² − Σ x²)/N²), x = n_g²/(1 − n_g/N) (Pustejovsky & Tipton 2018).
    """
    order = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes).astype(np.float64)
    parts = np.split(values[order], np.cumsum(np.bincount(codes))[:-1])
    n, mean = values.size, fsum(values) / values.size
    # Sums without rounding, so that neither the order of items nor the side that a pair is seen from changes a bit.
    residuals = np.array([fsum(part) for part in parts]) - sizes * mean
    variance = fsum(residuals**2 / (1 - sizes / n)) / n**2
    x = sizes**2 / (1 - sizes / n)
    df = n**2 / (fsum(sizes**2) + (fsum(x) ** 2 - fsum(x**2)) / n**2)
    return mean, variance, df, sizes.size


def mcnemar(won: int, lost: int) -> float:
    """Return the p-value of McNemar's exact test, a cross-check: of the items that differ each is won with chance ½ (McNemar 1947)."""
    return min(1.0, 2 * float(special.bdtr(min(won, lost), won + lost, 0.5))) if won + lost else 1.0


def names_of(clusters: Sequence[str]) -> Ints | None:
    """Return the code of each item's cluster; None where each is its own."""
    names, codes = np.unique(np.asarray(clusters), return_inverse=True)
    return None if names.size == len(clusters) else codes
