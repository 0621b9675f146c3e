"""Slow, obvious twins of the procedures over all pairs: every relabelling of runs within tasks. Cells are lists [algorithm][task]."""

from __future__ import annotations

from itertools import product
from math import sqrt

from tests.reference.blocked import assignments, midranks


def relabelled(cells):
    """All ways to give the runs of every task to the algorithms, as cells."""
    columns = list(zip(*cells, strict=True))
    ways = [list(assignments([x for cell in column for x in cell], [len(c) for c in column])) for column in columns]
    for arrangement in product(*ways):
        yield [list(row) for row in zip(*arrangement, strict=True)]


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
