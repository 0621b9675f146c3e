"""Slow, obvious twins of the intervals: every resample of tiny cells with its probability, plain sums, bisection."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial, inf, prod, sqrt

from scipy import stats

from tests.reference import bootstrap as slow
from tests.reference import record

METRICS = ("mean", "median", "optimality_gap", "iqm")
ROUNDING = 1e-9
"""Values of one unit or so that are closer than this are the same number, summed in another order."""


def aggregate(cells, metric, gamma=1.0):
    """The mean, median of task means, optimality gap or IQM of one algorithm's cells."""
    return slow.statistics(cells, gamma)[METRICS.index(metric)]


# ── the bootstrap, enumerated ──────────


def resamples(cell):
    """All multisets of draws from a cell, with their probabilities."""
    n = len(cell)
    for places in combinations_with_replacement(range(n), n):
        ways = factorial(n) / prod(factorial(count) for count in Counter(places).values())
        yield [cell[i] for i in places], ways / n**n


def enumerated(cells, statistic):
    """The law of a statistic of a list of cells under the stratified bootstrap."""
    every = product(*(list(resamples(cell)) for cell in cells))
    return Law([(statistic([draw for draw, _ in some]), prod(p for _, p in some)) for some in every])


class Law:
    """A distribution of finitely many values."""

    def __init__(self, atoms):
        self.atoms = sorted(atoms)

    def below(self, value):
        """Probability of less than a value, which counts as equal up to rounding."""
        return sum(p for x, p in self.atoms if x < value - ROUNDING)

    def not_above(self, value):
        """Probability of at most a value."""
        return sum(p for x, p in self.atoms if x <= value + ROUNDING)

    def middle(self, value):
        """Probability of less, ties counting half."""
        return (self.below(value) + self.not_above(value)) / 2

    def quantile(self, level):
        """The first value at which the distribution function reaches a level."""
        reached = 0.0
        for x, p in self.atoms:
            reached += p
            if reached >= level - ROUNDING:
                return x
        return inf

    def has_quantile(self, value, low, high):
        """Whether a value is a quantile of some level between two."""
        return self.below(value) <= high and self.not_above(value) >= low


def error_of_a_share(p, n):
    """Four standard errors of a share p of n draws."""
    return 4 * sqrt(p * (1 - p) / n)


# ── BCa ──────────


def acceleration(cells, metric):
    """Davison & Hinkley 1997, eq. 5.31 for several samples: Σ Σ l³ / c³ / (6 (Σ Σ l² / c²)^1.5), by leaving out run after run."""
    cubes = squares = 0.0
    for t, cell in enumerate(cells):
        left = [aggregate([*cells[:t], cell[:i] + cell[i + 1 :], *cells[t + 1 :]], metric) for i in range(len(cell))]
        influence = [(len(cell) - 1) * (sum(left) / len(left) - value) for value in left]
        cubes += sum(row**3 for row in influence) / len(cell) ** 3
        squares += sum(row**2 for row in influence) / len(cell) ** 2
    return cubes / (6 * squares**1.5)


def bca_level(below, a, level):
    """Efron 1987: the level of the replicates' quantile that is an end of the interval, from the share below the estimate."""
    z0, z = stats.norm.ppf(below), stats.norm.ppf(level)
    return float(stats.norm.cdf(z0 + (z0 + z) / (1 - a * (z0 + z))))


def variance(values):
    """Unbiased variance."""
    mean = sum(values) / len(values)
    return sum((x - mean) ** 2 for x in values) / (len(values) - 1)


def squared_errors(cells):
    """The squared standard error of each cell's mean."""
    return [variance(cell) / len(cell) for cell in cells]


# ── means ──────────


def welch_satterthwaite(terms, weights):
    """Σ w mean, its standard error and degrees of freedom (Welch 1947)."""
    parts = [w * w * v for w, v in zip(weights, squared_errors(terms), strict=True)]
    df = sum(parts) ** 2 / sum(part**2 / (len(x) - 1) for part, x in zip(parts, terms, strict=True))
    return sum(w * sum(x) / len(x) for w, x in zip(weights, terms, strict=True)), sqrt(sum(parts)), df


def difference(x_cells, y_cells, ratio=1.0):
    """The mean over tasks of mean x − ratio · mean y, its standard error and degrees of freedom."""
    n = len(x_cells)
    return welch_satterthwaite([*x_cells, *y_cells], [1 / n] * n + [-ratio / n] * n)


def t_interval(estimate, error, df, level):
    """Estimate ± t · error."""
    half = stats.t.ppf((1 + level) / 2, df) * error
    return estimate - half, estimate + half


def crossings(f, inside, low, high):
    """The two places, between `low` and `inside` and between `inside` and `high`, where f changes its sign."""
    return bisect(f, low, inside), bisect(f, inside, high)


def bisect(f, low, high):
    """A place where f, of one sign at `low` and the other at `high`, changes it."""
    rising = f(high) > 0
    assert (f(low) > 0) != rising
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if (f(middle) > 0) == rising else (middle, high)
    return (low + high) / 2


def fieller(x_cells, y_cells, level):
    """Fieller 1954: the ratios ρ at which the t of mean x − ρ mean y, with the degrees of freedom at the estimate, is just rejected."""
    x, y = (sum(sum(c) / len(c) for c in cells) / len(cells) for cells in (x_cells, y_cells))
    t = stats.t.ppf((1 + level) / 2, difference(x_cells, y_cells, x / y)[2])

    def excess(ratio):
        shift, error, _ = difference(x_cells, y_cells, ratio)
        return abs(shift) - t * error

    return crossings(excess, x / y, x / y - 50, x / y + 50)


def hedges(x, y):
    """Hedges' g of one task and its variance from the exact moments of the noncentral t (Hedges 1981, eqs. 6b and 6e)."""
    df = len(x) + len(y) - 2
    pooled = sqrt(((len(x) - 1) * variance(x) + (len(y) - 1) * variance(y)) / df)
    j = 1 / (stats.nct.mean(df, 1.0))  # E T' = δ / J
    g = j * (sum(x) / len(x) - sum(y) / len(y)) / pooled
    root = sqrt(1 / len(x) + 1 / len(y))
    return g, (j * root) ** 2 * stats.nct.var(df, g / root)


# ── the probability of improvement ──────────


def share_ahead(value, others):
    """The share of others below a value, ties counting half."""
    return sum(1.0 if other < value else 0.5 if other == value else 0.0 for other in others) / len(others)


def placed(x_cells, y_cells, level):
    """The ends of the improvement's law: on one task Mann-Whitney's in Wilson's form, on several t about the guarded error."""
    if len(x_cells) == 1:
        return by_relabelling(x_cells[0], y_cells[0], level)
    relabellings = prod(comb(len(x) + len(y), len(x)) for x, y in zip(x_cells, y_cells, strict=True))
    if 1 - level < 2 / relabellings:
        return 0.0, 1.0
    estimate, half, _ = record.improvement(x_cells, y_cells, level)
    return max(estimate - half, 0.0), min(estimate + half, 1.0)


def by_relabelling(x, y, level):
    """The θ with |θ̂ − θ| = 2 c √(θ (1 − θ)), c the least distance from ½ that at most 1 − level of all relabellings reach."""
    both, estimate = [*x, *y], slow.improvement([x], [y])
    far = sorted(
        abs(slow.improvement([[both[i] for i in some]], [[both[i] for i in range(len(both)) if i not in some]]) - 0.5)
        for some in combinations(range(len(both)), len(x))
    )
    rare = [c for c in far if sum(d > c - ROUNDING for d in far) <= (1 - level + ROUNDING) * len(far)]
    if not rare:
        return 0.0, 1.0

    def excess(theta):
        return abs(estimate - theta) - 2 * min(rare) * sqrt(theta * (1 - theta))

    low = bisect(excess, 1e-15, estimate) if estimate > 0 else 0.0
    return low, bisect(excess, estimate, 1 - 1e-15) if estimate < 1 else 1.0
