"""Exact null distributions of blocked rank tests by counting, in integers and fractions.

Cells are lists [algorithm][task] of runs. Under the null, within every task, all ways to give its ranks to the algorithms
are equally likely; they are counted by their rank sums. `listing` goes through them one after the other, and the
generators make both agree wherever that list is short enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import accumulate, product
from math import comb, isqrt, lcm, prod, sqrt

import numpy as np

Cells = list[list[list[float]]]
Sums = tuple[int, ...]
Matrix = list[list[Fraction]]
SAFE = 2**62


# ── tasks ──────────


@dataclass(frozen=True, slots=True)
class Task:
    """Doubled mid-ranks of a task's runs, algorithm after algorithm, and how many runs each algorithm has."""

    ranks: Sums
    counts: Sums

    @property
    def size(self) -> int:
        """Number of runs."""
        return len(self.ranks)

    @property
    def spread(self) -> Fraction:
        """Variance of the mid-ranks, divisor q - 1."""
        return Fraction(sum((r - self.size - 1) ** 2 for r in self.ranks), 4 * (self.size - 1))

    def observed(self) -> Sums:
        """Doubled rank sums of the algorithms about their means."""
        ends = accumulate(self.counts)
        sums = [sum(self.ranks[end - count : end]) for end, count in zip(ends, self.counts, strict=True)]
        return centred(sums, self.counts)

    def distribution(self) -> Counter[Sums]:
        """Doubled rank sums about their means, and the number of assignments that have them."""
        return assigned(tuple(sorted(self.ranks)), self.counts)


def centred(sums: Sequence[int], counts: Sums) -> Sums:
    """Take the null means c (q + 1) off doubled rank sums."""
    return tuple(s - c * (sum(counts) + 1) for s, c in zip(sums, counts, strict=True))


@cache
def assigned(ranks: Sums, counts: Sums) -> Counter[Sums]:
    """Give the ranks out one at a time, each to any algorithm that still lacks runs; count the ways to each outcome."""
    states = Counter({(counts, (0,) * len(counts)): 1})
    for rank in ranks:
        following: Counter[tuple[Sums, Sums]] = Counter()
        for (left, sums), ways in states.items():
            for a in range(len(counts)):
                if left[a]:
                    following[added(left, a, -1), added(sums, a, rank)] += ways
        states = following
    return Counter({centred(sums, counts): ways for (_, sums), ways in states.items()})


def added(values: Sums, place: int, what: int) -> Sums:
    """Return the values with something added at one place."""
    return (*values[:place], values[place] + what, *values[place + 1 :])


def doubled_midranks(values: Sequence[float]) -> Sums:
    """Twice the mid-rank of each value: twice the number below, plus the number tied, plus one."""
    return tuple(2 * sum(y < x for y in values) + sum(y == x for y in values) + 1 for x in values)


def tasks_of(cells: Cells) -> list[Task]:
    """Return the tasks on which at least two algorithms have runs."""
    columns = [column for column in zip(*cells, strict=True) if sum(map(bool, column)) >= 2]
    return [Task(doubled_midranks([x for cell in column for x in cell]), tuple(map(len, column))) for column in columns]


# ── the statistic ──────────


@dataclass(frozen=True)
class Design:
    """Tasks, and the squared weight of each one's ranks: T = Σ w (rank sum - its mean), Q = Tᵀ Cov(T)⁻ T.

    Squared weights 1/q² are Mack & Skillings, 1/(q+1)² van Elteren, 12/(q+1) Skillings & Mack. Weights that are fractions
    are taken in integer units, and Q is compared without rounding; else in floats with a tolerance of 1e-9, and it is
    made sure that no value lies so near to the observed one that this could matter.
    """

    tasks: list[Task]
    squared: list[Fraction]

    @cached_property
    def weights(self) -> list[int] | list[float]:
        """Weight of each task's doubled ranks: integers in units of `unit` where it is a fraction, else w / 2."""
        roots = [root(w) for w in self.squared]
        if None in roots:
            return [sqrt(w) / 2 for w in self.squared]
        return [int(r / (2 * self.unit)) for r in roots if r is not None]

    @cached_property
    def exact(self) -> bool:
        """Whether the weights are integers."""
        return isinstance(self.weights[0], int)

    @cached_property
    def unit(self) -> Fraction:
        """What one integer unit of T is worth; 1 where weights are not fractions."""
        roots = [root(w) for w in self.squared]
        return Fraction(1, 2 * lcm(*(r.denominator for r in roots if r is not None)) if None not in roots else 1)

    @cached_property
    def covariance(self) -> Matrix:
        """Permutation covariance of T: of sums drawn without replacement, task by task."""
        k = len(self.tasks[0].counts)
        sigma = [[Fraction(0)] * k for _ in range(k)]
        for task, weight in zip(self.tasks, self.squared, strict=True):
            for a, b in product(range(k), repeat=2):
                share = task.counts[a] * ((a == b) - Fraction(task.counts[b], task.size))
                sigma[a][b] += weight * task.spread * share
        return sigma

    @cached_property
    def inverse(self) -> tuple[np.ndarray, int]:
        """A generalised inverse of the covariance in integers, and what it was multiplied by."""
        inverse = general_inverse(self.covariance)
        multiple = lcm(*(value.denominator for row in inverse for value in row))
        return np.array([[int(value * multiple) for value in row] for row in inverse], dtype=object), multiple

    @cached_property
    def totals(self) -> np.ndarray:
        """Observed T, in units."""
        parts = [[w * s for s in task.observed()] for w, task in zip(self.weights, self.tasks, strict=True)]
        return np.array([sum(column) for column in zip(*parts, strict=True)], dtype=object)

    def statistic(self) -> float:
        """Observed Q on the χ² scale."""
        matrix, multiple = self.inverse
        return float(self.totals @ matrix @ self.totals * self.unit**2 / multiple)

    def z(self) -> float:
        """Observed T of the first algorithm over its null standard deviation."""
        return float(self.totals[0] * self.unit) / sqrt(self.covariance[0][0])

    # ── its null distribution ──

    def pvalue(self) -> Fraction:
        """P(Q ≥ observed)."""
        matrix = self.inverse[0] if self.exact else self.inverse[0].astype(float)
        balanced = all(len(set(task.counts)) == 1 for task in self.tasks)
        return self.share(lambda totals: ((totals @ matrix.astype(totals.dtype)) * totals).sum(axis=1), fold=balanced)

    def tail(self, side: str) -> Fraction:
        """P(T of the first algorithm ≥, ≤, or in size ≥, the observed one)."""
        turned = {"greater": lambda t: t[:, 0], "less": lambda t: -t[:, 0], "two-sided": lambda t: abs(t[:, 0])}
        return self.share(turned[side])

    def share(self, value: Callable[[np.ndarray], np.ndarray], *, fold: bool = False) -> Fraction:
        """Share of all arrangements whose value reaches the observed one: all pairs of one half and the other.

        With fold, where names can be exchanged (equal counts), one half is folded to totals in ascending order.
        """
        halves = [self.counted(start) for start in (0, 1)]
        (outer, outer_ways), (inner, inner_ways) = sorted(halves, key=lambda half: len(half[1]))
        if fold:
            outer, outer_ways = folded(outer, outer_ways)
        reach = int(abs(outer).max() + abs(inner).max()) ** 2 * int(abs(self.inverse[0]).sum())
        kind = (np.int64 if reach < SAFE else object) if self.exact else np.float64
        inner, (observed,) = inner.astype(kind), value(self.totals[None].astype(kind))
        hits = 0
        for totals, ways in zip(outer.astype(kind), outer_ways, strict=True):
            hits += ways * inner_ways[self.reaches(value(inner + totals), observed)].sum()
        return Fraction(int(hits), prod(multinomial(task.counts) for task in self.tasks))

    def reaches(self, statistics: np.ndarray, observed: int | float) -> np.ndarray:
        """Return which values are at least the observed one."""
        if self.exact:
            return statistics >= observed
        near = abs(statistics - observed)
        assert not ((near > 1e-9 * observed + 1e-12) & (near < 1e-6 * observed)).any(), "values too near to tell"
        return statistics >= observed - 1e-9 * observed - 1e-12

    def counted(self, start: int) -> tuple[np.ndarray, np.ndarray]:
        """Totals of every other task together, (n, k), and the number of arrangements that have each."""
        groups: dict[float, Counter[Sums]] = {}  # what has one weight is added up in integers
        for weight, task in list(zip(self.weights, self.tasks, strict=True))[start::2]:
            whole, group = (weight, 1) if self.exact else (1, weight)
            part = Counter({tuple(whole * s for s in sums): n for sums, n in task.distribution().items()})
            groups[group] = convolved(groups[group], part) if group in groups else part
        totals, ways = np.zeros((1, len(self.totals)), dtype=object), np.ones(1, dtype=object)
        for group, counter in groups.items():
            totals = (totals[:, None] + group * np.array(list(counter), dtype=object)).reshape(-1, len(self.totals))
            ways = np.outer(ways, np.array(list(counter.values()), dtype=object)).ravel()
        return totals, ways


def folded(totals: np.ndarray, ways: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sort the totals of each row, and add up the ways of rows that are then equal."""
    counter: Counter[Sums] = Counter()
    for row, count in zip(totals, ways, strict=True):
        counter[tuple(sorted(row))] += count
    return np.array(list(counter), dtype=object), np.array(list(counter.values()), dtype=object)


def convolved(first: Counter[Sums], other: Counter[Sums]) -> Counter[Sums]:
    """Ways of the sums of two independent totals."""
    both: Counter[Sums] = Counter()
    for (a, ways_a), (b, ways_b) in product(first.items(), other.items()):
        both[tuple(map(int.__add__, a, b))] += ways_a * ways_b
    return both


def root(square: Fraction) -> Fraction | None:
    """Return the root of a fraction where it is one."""
    root_of = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    return root_of if root_of**2 == square else None


def multinomial(counts: Sums) -> int:
    """Number of ways to give sum(counts) runs to the algorithms."""
    return prod(comb(total, count) for total, count in zip(accumulate(counts), counts, strict=True))


def general_inverse(sigma: Matrix) -> Matrix:
    """Gauss-Jordan on as many rows and columns of a covariance as are independent; zeros elsewhere."""
    k, kept = len(sigma), []
    rows = [[*row, *(Fraction(int(a == b)) for b in range(k))] for a, row in enumerate(sigma)]
    for a in range(k):
        if rows[a][a] == 0:  # in a covariance, what is left of the whole row is then 0
            continue
        kept.append(a)
        rows[a] = [value / rows[a][a] for value in rows[a]]
        for b in range(k):
            if b != a and rows[b][a]:
                factor = rows[b][a]
                rows[b] = [x - factor * y for x, y in zip(rows[b], rows[a], strict=True)]
    return [[rows[a][k + b] if a in kept and b in kept else Fraction(0) for b in range(k)] for a in range(k)]


# ── the three tests ──────────


def mack_skillings(cells: Cells) -> Design:
    """All runs, weights 1/q."""
    tasks = tasks_of(cells)
    return Design(tasks, [Fraction(1, task.size**2) for task in tasks])


def van_elteren(cells: Cells) -> Design:
    """Two algorithms, weights 1/(q+1)."""
    tasks = tasks_of(cells)
    return Design(tasks, [Fraction(1, (task.size + 1) ** 2) for task in tasks])


def skillings_mack(cells: Cells) -> Design:
    """One run a cell, cells may be missing, weights √(12/(q+1))."""
    tasks = tasks_of(cells)
    return Design(tasks, [Fraction(12, task.size + 1) for task in tasks])
