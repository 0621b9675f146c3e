"""The probability of improvement of a pair, with the law that decides it: a t law over several tasks, Mann-Whitney's on one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import comb, exp, inf, sqrt

import numpy as np
from scipy.special import gammaln

from runoff._inference.bootstrap import Ends, Law, t_law
from runoff._inference.power import detectable
from runoff._inference.two_sample import critical_deviation, deviation_pvalue, u_pvalues
from runoff.base.arrays import SMALLEST, Bools, Floats
from runoff.words.measures import EVEN

Placements = tuple[Floats, Floats, list[tuple[Floats, Floats]]]
"""What `placements` returns."""


def improvement_law(
    x: Sequence[Floats], y: Sequence[Floats], *, placed: Placements | None = None
) -> Law | MannWhitneyLaw:
    """Return the law of the chance that a run of x beats one of y, ties counting half, averaged over the tasks of the cells x and y.

    The squared error of a task is the mean of two: that of the placements (DeLong et al. 1988), which is 0 where one side is always ahead,
    and Hanley & McNeil's (1982) at a chance drawn towards ½, which never is: [θ(1−θ) + (n−1)(Q₁−θ²) + (m−1)(Q₂−θ²)] / (n m), Q₁ = θ/(2−θ),
    Q₂ = 2θ²/(1+θ), θ = (P̂ e + 2)/(e + 4), e = 3 n m / (n + m + 1). A task has 2 min(n, m) − 2 degrees of freedom. Nothing is claimed at levels
    below the rarest relabelling of such runs, 2 / Π C(n + m, n). One task: `MannWhitneyLaw`. placed: the placements, where they are there.
    """
    sizes = np.array([[a.size, b.size] for a, b in zip(x, y, strict=True)], np.float64)
    placed = placed or placements(x, y)
    value = mean_chance(placed[0], [a.size * b.size for a, b in zip(x, y, strict=True)])
    if sizes.min() < 2:
        return Law(value, ())
    if len(sizes) == 1:
        return MannWhitneyLaw(value, x[0], y[0])
    n, m = sizes.T
    law = error_of_parts(improvement_parts(placed), n, m, shared=False)
    return Law(value, (law,), least=rarest_order(n, m), range=(0.0, 1.0))


def rarest_order(n: Floats, m: Floats) -> float:
    """Return 2 / Π C(n + m, n), the chance that all runs of one side are ahead on every task, (n_tasks,) each, where labels are drawn."""
    return _rarest_order(np.array([n, m], np.float64).tobytes())


@lru_cache(maxsize=1024)  # thousands of pairs have as many runs
def _rarest_order(counts: bytes) -> float:
    n, m = np.frombuffer(counts).reshape(2, -1)
    # By logarithms: the product of the binomials is beyond a double at a few hundred runs, and takes minutes to write out at millions.
    return 2 * exp(-float((gammaln(n + m + 1) - gammaln(n + 1) - gammaln(m + 1)).sum()))


def error_of_parts(parts: Floats, n: Floats, m: Floats, *, shared: bool) -> tuple[float, float]:
    """Return the standard error and the degrees of freedom of parts (n_strata, 2), with so many runs of x and of y."""
    if shared:
        return t_law(parts.ravel(), np.concatenate([n, m]) - 1.0, c=0.0)
    # n + m − 2 for equal numbers; with unequal ones no more is known of the sum than the side with fewer runs says.
    return t_law(parts.sum(axis=1), 2.0 * np.minimum(n, m) - 2.0, c=0.0)


def improvement_parts(placed: Placements, *, shared: bool = False) -> Floats:
    """Return what the runs of x and of y on each task add to the squared error of the chance, (n_strata, 2).

    Shared runs are one stratum, their placements means over tasks; where all are ahead, one task's guarded error.
    """
    chances, variances, runs = placed
    if not shared:
        return variances / len(chances) ** 2
    sides = [side.mean(axis=0) for side in runs[0]]
    n, m = (side.size for side in sides)
    parts = np.array([[side.var(ddof=1) / side.size if min(n, m) > 1 else 0.0 for side in sides]])
    if not parts.sum() > 0:
        # All placements are equal where one side is ahead throughout. The error of one task stands in, half of it for each side, so that a
        # claim rests on the number of whole runs; tasks on which all runs are tied add none.
        share = float(moving(runs[0]).mean()) or 1.0
        value = EVEN + (mean_chance(chances, [n * m] * len(chances)) - EVEN) / share
        guard = guarded(np.array(value), np.array(float(n)), np.array(float(m)))
        parts = np.full((1, 2), share**2 * float(guard) / 2)
    return parts


def moving(runs: tuple[Floats, Floats]) -> Bools:
    """Return on which tasks some run differs from another, (n_tasks,), by the placements of both sides; where none does all are ½."""
    return np.asarray(np.any([(side != EVEN).any(axis=1) for side in runs], axis=0))


def mean_chance(chances: Floats, duels: Sequence[int]) -> float:
    """Return the mean of chances over tasks, (n_tasks,), to the last bit; duels: the pairs of runs of each task.

    >>> mean_chance(np.array([0.49999999999999994, 1 / 9, 8 / 9]), [36, 9, 9])
    0.5
    """
    # A win counts 2 and a tie 1, so that these are whole numbers: by sums of fractions even odds may come out as
    # 0.49999999999999994, and somebody would be called ahead.
    if len({*duels}) == 1:
        twice = 2 * duels[0]
        won = sum(round(twice * chance) for chance in chances.tolist())
        return float(won / (twice * len(duels)))
    points = Counter[int]()
    for chance, n in zip(chances.tolist(), duels, strict=True):
        points[n] += round(2 * n * chance)
    return float(sum(Fraction(won, 2 * n * len(duels)) for n, won in points.items()))


def placements(x: Sequence[Floats], y: Sequence[Floats]) -> Placements:
    """Return the chance of each task, (n_tasks,), the squared errors by its sides, (n_tasks, 2); and the placements of runs, stacked by size.

    A squared error that no spread is known for, of a cell of one run, is Hanley & McNeil's half of it, which sides share by their runs.
    """
    return placements_of([(x, y)])[0]


def placements_of(pairs: Sequence[tuple[Sequence[Floats], Sequence[Floats]]]) -> list[Placements]:
    """Return the placements of many pairs of cells, taken together, for calls of NumPy cost more than the numbers of one pair do."""
    x, y = ([cell for pair in pairs for cell in pair[side]] for side in (0, 1))
    sizes = [(a.size, b.size) for a, b in zip(x, y, strict=True)]
    firsts = np.cumsum([0, *(len(own) for own, _ in pairs)])
    chances, spread = np.empty(len(sizes)), np.zeros((len(sizes), 2))
    placed: list[list[tuple[Floats, Floats]]] = [[] for _ in pairs]
    for n, m in sorted(set(sizes)):
        alike = [t for t, size in enumerate(sizes) if size == (n, m)]
        a, b = (np.array([side[t] for t in alike]) for side in (x, y))
        ahead = (a[:, :, None] > b[:, None, :]) + 0.5 * (a[:, :, None] == b[:, None, :])
        # DeLong et al. 1988: Var P̂ = s²(of_x)/n + s²(of_y)/m, of_x being the share of y below each x, and of_y the share of x above each y.
        # Sums over sizes, for the calls of NumPy's mean and var cost more than these numbers do.
        of_x, of_y = ahead.sum(axis=2) / m, ahead.sum(axis=1) / n
        chance = of_x.sum(axis=1) / n
        chances[alike] = chance
        rows = pairwise(np.searchsorted(alike, firsts).tolist())
        for runs, (first, end) in zip(placed, rows, strict=True):
            runs += [(of_x[first:end], of_y[first:end])] if end > first else []
        if min(n, m) > 1:
            beside_x, beside_y = of_x - chance[:, None], of_y - (of_y.sum(axis=1) / m)[:, None]
            spread[alike, 0] = (beside_x * beside_x).sum(axis=1) / (n - 1) / n
            spread[alike, 1] = (beside_y * beside_y).sum(axis=1) / (m - 1) / m
    n_x, n_y = np.array(sizes, np.float64).T
    # Hanley & McNeil give one error for both sides: it is shared as 1/n to 1/m, as errors of means of alike runs are.
    shares = np.stack([n_y, n_x], axis=1) / (n_x + n_y)[:, None]
    errors = (spread + guarded(chances, n_x, n_y)[:, None] * shares) / 2
    own = zip(pairwise(firsts.tolist()), placed, strict=True)
    return [(chances[first:end], errors[first:end], runs) for (first, end), runs in own]


def chance_law(own: Sequence[Floats], others: Sequence[Sequence[Floats]], *, shared: bool = False) -> Law:
    """Return the law of the chance that a run beats one of another algorithm, averaged over the others, each over the tasks that both have.

    own, others: cells of the same tasks, empty where there are no runs. The squared error of a task is that of `improvement_law`: the
    placements of the own runs, averaged over the others, and those of every other's; Hanley & McNeil's among all their runs.
    """
    met = np.array([[x.size > 0 and y.size > 0 for x, y in zip(own, other, strict=True)] for other in others])
    # Each rival weighs the same, and each task within a rival: one met on few tasks counts as much as one met on all.
    weights = 1 / (met.sum(axis=1) * len(others))
    value, parts, freedom = 0.0, [], []
    whole: list[Floats | float] = [0.0] * (1 + len(others))
    for t in np.flatnonzero(met.any(axis=0)).tolist():
        in_order = np.asarray if shared else np.sort  # so that no order of the runs changes a digit
        x, weight = in_order(own[t]), weights[met[:, t]]
        rivals = [in_order(other[t]) for other, at in zip(others, met[:, t], strict=True) if at]
        sizes, y = np.array([rival.size for rival in rivals]), np.concatenate(rivals)
        first = np.cumsum(sizes) - sizes
        ahead = (x[:, None] > y) + 0.5 * (x[:, None] == y)
        of_x, of_y = np.add.reduceat(ahead, first, axis=1) / sizes, ahead.mean(axis=0)
        placed, chance = (weight * of_x).sum(axis=1), float((weight * of_x.mean(axis=0)).sum())
        value += chance
        freedom.append(2.0 * min(x.size, int(sizes.min())) - 2.0)
        if shared:
            whole[0] += placed
            for b, w, rows in zip(np.flatnonzero(met[:, t]), weight, np.split(of_y, first[1:]), strict=True):
                whole[1 + int(b)] += w * rows
        elif freedom[-1] > 0:
            spread = np.add.reduceat((of_y - np.repeat(of_x.mean(axis=0), sizes)) ** 2, first) / (sizes - 1)
            error = float(placed.var(ddof=1)) / x.size + float((weight**2 * spread / sizes).sum())
            # The guard is of a chance in [0, 1]: the weights of the rivals are divided out, and put back squared, as on any error.
            guard = guarded(np.array(chance / weight.sum()), np.array(float(x.size)), np.array(float(y.size)))
            parts.append((error + weight.sum() ** 2 * float(guard)) / 2)
    # A task with a single run, of which nothing is known to vary (2 · 1 − 2 = 0), leaves the mean over tasks without an error.
    if min(freedom) < 2:
        return Law(value, ())
    if shared:
        sides = [np.asarray(row) for row in whole]
        parts, freedom = [float(row.var(ddof=1)) / row.size for row in sides], [row.size - 1.0 for row in sides]
    laws = (t_law(np.array(parts), np.array(freedom), c=0.0),) if sum(parts) > 0 else ()
    return Law(value, laws, range=(0.0, 1.0))


def guarded(chance: Floats, n: Floats, m: Floats) -> Floats:
    """Return Hanley & McNeil's squared error of a chance that is drawn towards ½."""
    # For equal algorithms Var P̂ = (n + m + 1) / (12 n m) = ¼ / e: n m dependent comparisons are worth e independent ones. Two
    # successes and two failures of these are added, as Agresti & Coull (1998) do, so that a P̂ of 0 or 1 keeps an error.
    e = 3 * n * m / (n + m + 1)
    return squared_error((chance * e + 2) / (e + 4), n, m)


def squared_error(chance: Floats, n: Floats, m: Floats) -> Floats:
    """Return the variance of the share of the n m comparisons that are won, of runs that are exponential (Hanley & McNeil 1982)."""
    q, r = chance / (2 - chance), 2 * chance**2 / (1 + chance)
    return np.asarray((chance * (1 - chance) + (n - 1) * (q - chance**2) + (m - 1) * (r - chance**2)) / (n * m))


@lru_cache(maxsize=1024)  # thousands of pairs have as many runs
def detectable_lead(
    sizes: tuple[tuple[int, int], ...], level: float, power: float = 0.8, still: tuple[bool, ...] = ()
) -> tuple[float, float]:
    """Return the mean lead over ½ that runs of these sizes, (n, m) on each task, find with a power, and its df; inf if none is found.

    All tasks lead alike but those on which runs stand still, and are taken to be equal. The error is that of such chances, whatever lead these
    runs show: a chance near 0 or 1 is known well. Of unequal sizes it is the larger one of a lead of either side.
    """
    (n, m), tied = np.array(sizes, np.float64).T, np.array(still or [False] * len(sizes))
    share = 1 - float(tied.mean())

    def reached(lead: float) -> tuple[bool, float]:
        leads = np.where(tied, 0.0, lead / share)
        error, df = max(law_of_chances(EVEN + sign * leads, n, m, tied) for sign in (1, -1))
        # The error is that of the chance, and no estimate.
        return detectable(error, df, level, power, own_df=inf) <= lead, df

    low, high = 0.0, (1 - EVEN) * share
    there, df = reached(high) if share else (False, 0.0)
    if not there:
        return inf, df
    while high - low > FINE:
        middle = (low + high) / 2
        there, df = reached(middle)
        low, high = (low, middle) if there else (middle, high)
    return high, reached(high)[1]


def law_of_chances(chances: Floats, n: Floats, m: Floats, tied: Bools) -> tuple[float, float]:
    """Return the error and df of the mean of these chances, where only they and the numbers of runs are known, (n_tasks,) each.

    tied: on which tasks all runs are equal, so that no placement varies.
    """
    # The squared error of placements is that of the chance itself; the mean of it and the guarded one as in `improvement_law`.
    parts = (np.where(tied, 0.0, squared_error(chances, n, m)) + guarded(chances, n, m)) / 2
    return error_of_parts(parts[:, None] / len(chances) ** 2, n, m, shared=False)


FINE = 1e-9
"""How near to the least lead it is sought."""


class RankLaw(ABC):
    """A chance with a test of ½ by ranks, and the interval in Wilson's form that agrees with it.

    With c the least |P̂ − ½| at which the test rejects, the interval holds the θ with (P̂ − θ)² < 4 c² θ (1 − θ): at ½ that is |P̂ − ½| < c.
    """

    __slots__ = ()

    value: float

    @abstractmethod
    def critical(self, alpha: float) -> float:
        """Return the least |P̂ − ½| at which the test rejects; inf if none does."""

    @abstractmethod
    def beyond(self, deviation: float) -> float:
        """Return the p-value of a P̂ so far from ½."""

    def interval(self, level: float) -> Ends:
        """Return the interval; [0, 1] where no runs of this design are rare enough."""
        # A shade less, so that the ½ of a rejection lies outside.
        c = self.critical(1 - level) * (1 - 1e-9)
        if not np.isfinite(c):
            return 0.0, 1.0
        # (p − θ)² = k θ (1 − θ) is quadratic in θ; its roots are Wilson's with k in place of z²/n.
        k, p = 4 * c * c, self.value
        half = sqrt(k * p * (1 - p) + k * k / 4)
        # Where all runs of one beat all of the other the value is an end, which no rounding leaves out.
        return max(min((p + k / 2 - half) / (1 + k), p), 0.0), min(max((p + k / 2 + half) / (1 + k), p), 1.0)

    def equivalence_pvalue(self, margin: float, even: float = EVEN) -> float:
        """Return the one-sided level at which the interval lies within a margin of ½, as the value does.

        Both ends θ of the margin are left out where (P̂ − θ)² ≥ 4 c² θ (1 − θ).
        """
        if abs(self.value - even) >= margin:
            return 1.0
        # At 0 and 1 the variance is 0: such an end is left out at every level, and says nothing about p.
        limits = [theta for theta in (EVEN - margin, EVEN + margin) if 0 < theta < 1]
        if not limits:
            return SMALLEST
        critical = min(abs(self.value - theta) / (2 * sqrt(theta * (1 - theta))) for theta in limits)
        return max(self.beyond(critical) / 2, SMALLEST)


@dataclass(frozen=True, slots=True, eq=False)
class MannWhitneyLaw(RankLaw):
    """The probability of improvement on one task, by Mann-Whitney's test."""

    value: float
    x: Floats
    y: Floats

    kind = "mann_whitney"
    laws = ()
    pvalue_error = 0.0

    @property
    def method(self) -> str:
        return "exact" if u_pvalues(self.x[None], self.y[None])[2][0] else "asymptotic"

    @property
    def least(self) -> float:
        """Return the smallest p-value that runs of these numbers can have."""
        return 2 / comb(self.x.size + self.y.size, self.x.size)

    def critical(self, alpha: float) -> float:
        return critical_deviation(self.x, self.y, alpha)

    def beyond(self, deviation: float) -> float:
        return deviation_pvalue(self.x, self.y, deviation)

    def pvalue(self, null: float = EVEN) -> float:
        assert null == EVEN  # of no other chance the law is known
        return float(u_pvalues(self.x[None], self.y[None])[1][0])
