"""Two models on the same items: the score of the difference of their success rates, the interval that inverts it, and the clusters of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum, inf, sqrt

import numpy as np
from scipy import special

from runoff._inference.bootstrap import Law
from runoff._inference.pairs.score import ScoreLaw
from runoff._kernels.items import paired_score, paired_tail
from runoff.base.arrays import SMALLEST, Floats, Ints
from runoff.errors import DataError, DesignError, nearest
from runoff.words.speech import option

EXACT_TO = 5_000
"""So many items have the score's own distribution, summed over all results (5 ms a tail); more have the normal one."""


@dataclass(frozen=True, slots=True)
class ItemLaw(ScoreLaw):
    """The difference of success rates on the same n items: the score of which both the verdict and the interval are made.

    won, lost: the sums of the differences of items in favour of the first, and of the second. One attempt an item (`counts`): their numbers.
    Then P(T ≥ t) at a difference is summed over all results, the second alone solving as often as is most likely then (Tango 1998's score;
    nuisance plugged in). deff: several attempts, or clusters: the variance of the score times the measured one over that of such items if each
    were won, lost or even by itself; df: degrees of freedom of that measure.
    """

    won: float
    lost: float
    n: int
    counts: bool = True
    deff: float = 1.0
    df: float = inf
    chance: bool = False

    @property
    def method(self) -> str:
        return "exact" if self.counts and self.n <= EXACT_TO else "asymptotic"

    @property
    def lead(self) -> float:
        return (self.won - self.lost) / self.n

    @property
    def grain(self) -> float:
        return 1 / self.n

    @property
    def statistic(self) -> float:
        """The score of no difference."""
        return paired_score(self.won, self.lost, self.n, 0.0) / sqrt(self.deff)

    @property
    def least(self) -> float:
        """The p-value of as many items that differ, all on one side; 0 where it is not known."""
        if not self.counts:
            return 0.0
        differ = self.won + self.lost
        return max(2 * replace(self, won=differ, lost=0.0).above(0.0), SMALLEST) if differ else 1.0

    def turned(self) -> ItemLaw:
        return replace(self, won=self.lost, lost=self.won)

    def above(self, shift: float) -> float:
        if self.method == "exact":
            return paired_tail(round(self.won), round(self.lost), self.n, shift)
        return float(special.stdtr(self.df, -paired_score(self.won, self.lost, self.n, shift) / sqrt(self.deff)))

    def spread(self) -> Law:
        """Return the t law for the power with further items like these; without laws if no item differs."""
        error = sqrt(self.deff * (self.won + self.lost)) / self.n / (2 if self.chance else 1)
        return Law(0.0, ((error, self.n - 1 if self.df == inf else self.df),) if error else ())


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


def clusters_of(tasks: Sequence[str], cluster: Mapping[str, str], owner: str) -> list[str]:
    """Return the cluster of each task of an owner; every task needs one, and one cluster shows no spread."""
    # pandas has NaN for an empty cell, which is no name of a cluster.
    missing = [task for task in tasks if str(cluster.get(task, "")).strip() in ("", "None", "nan")]
    if missing:
        message = f"task {missing[0]!r} has no cluster in {option('cluster')}; every task needs one.{nearest(missing[0], cluster)}"
        raise DataError(message)
    clusters = [str(cluster[task]) for task in tasks]
    if len(set(clusters)) == 1:
        raise DesignError(
            f"all {len(clusters)} tasks of {owner} are in one cluster, {clusters[0]!r}, whose spread is not known: add tasks of other clusters, "
            f"or leave out {option('cluster')}."
        )
    return clusters


def codes_of(tasks: Sequence[str], cluster: Mapping[str, str], name: str) -> Ints | None:
    """Return the code of the cluster of each task of one algorithm; None where each task is its own."""
    return names_of(clusters_of(tasks, cluster, repr(name)))
