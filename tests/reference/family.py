"""Slow, obvious twins of the procedures over all pairs: every relabelling of runs within tasks. Cells are lists [algorithm][task]."""

from __future__ import annotations

from itertools import combinations, product
from math import prod, sqrt

from tests.reference.blocked import assignments, midranks


def relabelled(cells):
    """All ways to give the runs of every task to the algorithms, as cells."""
    columns = list(zip(*cells, strict=True))
    ways = [list(assignments([x for cell in column for x in cell], [len(c) for c in column])) for column in columns]
    for arrangement in product(*ways):
        yield [list(row) for row in zip(*arrangement, strict=True)]


def steel_dwass(pair):
    """The standardised statistic of a pair ranked on its own runs: Σ (2 U − c_a c_b) / (c_a + c_b) over its deviation without ties."""
    total = variance = 0.0
    for x, y in zip(*pair, strict=True):
        if x and y:
            total += sum((u > v) - (u < v) for u in x for v in y) / (len(x) + len(y))
            variance += len(x) * len(y) * (len(x) + len(y) + 1) / 3 / (len(x) + len(y)) ** 2
    return total / sqrt(variance)


def largest(cells, statistic):
    """The largest |z| of the pairs of some algorithms."""
    return max(abs(statistic([a, b])) for a, b in combinations(cells, 2))


def partitions(members):
    """All ways to divide a list into classes."""
    if not members:
        yield []
        return
    first, rest = members[0], members[1:]
    for others in partitions(rest):
        yield [[first], *others]
        for i, group in enumerate(others):
            yield [*others[:i], [first, *group], *others[i + 1 :]]


def closure(cells, statistic=steel_dwass):
    """Adjusted p-values by pair: the largest over all divisions that put the two in one class, each class relabelled on its own."""
    adjusted = dict.fromkeys(combinations(range(len(cells)), 2), 0.0)
    for division in partitions(list(range(len(cells)))):
        classes = [[cells[i] for i in row] for row in division if len(row) > 1]
        if classes:
            observed = max(largest(row, statistic) for row in classes) * (1 - 1e-9) - 1e-9
            nulls = [[largest(way, statistic) for way in relabelled(row)] for row in classes]
            p = 1 - prod(sum(z < observed for z in null) / len(null) for null in nulls)
            for a, b in adjusted:
                if any(a in row and b in row for row in division):
                    adjusted[a, b] = max(adjusted[a, b], p)
    return adjusted


def rank_sums(cells):
    """The sum over tasks of the mean rank of an algorithm's runs, the best run having rank 1."""
    sums = [0.0] * len(cells)
    for column in zip(*cells, strict=True):
        ranks = iter(midranks([-x for cell in column for x in cell]))
        for a, cell in enumerate(column):
            sums[a] += float(sum(next(ranks) for _ in cell)) / len(cell)
    return sums


def spread_of_a_difference(cells):
    """The standard deviation of S_a − S_b, the first two algorithms, over all relabellings within tasks."""
    differences = []
    for way in relabelled(cells):
        first, second, *_ = rank_sums(way)
        differences.append(first - second)
    return sqrt(sum(d * d for d in differences) / len(differences))
