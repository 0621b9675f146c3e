"""Slow, obvious twins of the blocked kernels: fractions, full enumeration, plain loops. Cells are lists [algorithm][task]."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import prod

import numpy as np


def flat(cells):
    """Flat ragged storage (values, offsets, n_algorithms, n_tasks)."""
    every = [cell for row in cells for cell in row]
    offsets = np.concatenate([[0], np.cumsum([len(cell) for cell in every])]).astype(np.int64)
    return np.array([x for cell in every for x in cell], float), offsets, len(cells), len(cells[0])


def midranks(values):
    """Ranks as fractions: below + (tied + 1) / 2."""
    return [Fraction(2 * sum(y < x for y in values) + sum(y == x for y in values) + 1, 2) for x in values]


def assignments(ranks, counts):
    """All ways to give the ranks of a task to algorithms, each once for every set of positions."""
    if not counts:
        yield []
        return
    for chosen in combinations(range(len(ranks)), counts[0]):
        rest = [ranks[i] for i in range(len(ranks)) if i not in chosen]
        for others in assignments(rest, counts[1:]):
            yield [[ranks[i] for i in chosen], *others]


def weighted_sums(tasks, weight):
    """Centred, weighted rank sums of tasks given as lists of each algorithm's ranks."""
    sums = [Fraction(0)] * len(tasks[0])
    for task in tasks:
        q = sum(map(len, task))
        for j, ranks in enumerate(task):
            sums[j] += weight(q) * (sum(ranks, Fraction(0)) - Fraction(len(ranks) * (q + 1), 2))
    return sums


def ranked(cells):
    """Tasks as lists of each algorithm's ranks; tasks with fewer than two algorithms are left out."""
    tasks = []
    for columns in zip(*cells, strict=True):
        if sum(len(column) > 0 for column in columns) >= 2:
            ranks = iter(midranks([x for column in columns for x in column]))
            tasks.append([[next(ranks) for _ in column] for column in columns])
    return tasks


def mack_skillings(cells, weight=lambda q: Fraction(1, q)):
    """Eqs. 2.13-2.18 of Casesa (2024) with the permutation covariance, by the pseudo-inverse."""
    tasks, k = ranked(cells), len(cells)
    sums = np.array([float(s) for s in weighted_sums(tasks, weight)])
    sigma = np.zeros((k, k))
    for task in tasks:
        q = sum(map(len, task))
        spread = float(sum((r - Fraction(q + 1, 2)) ** 2 for ranks in task for r in ranks) / (q - 1))
        for a, b in product(range(k), repeat=2):
            share = len(task[a]) * ((a == b) - len(task[b]) / q)
            sigma[a, b] += float(weight(q)) ** 2 * spread * share
    return float(sums @ np.linalg.pinv(sigma, rcond=1e-10, hermitian=True) @ sums), sigma


def exact_pvalue(cells, weight=lambda q: Fraction(1, q)):
    """P(Q ≥ observed) over all assignments of the ranks within every task."""
    tasks = ranked(cells)
    inverse = np.linalg.pinv(mack_skillings(cells, weight)[1], rcond=1e-10, hermitian=True)

    def statistic(arrangement):
        sums = np.array([float(s) for s in weighted_sums(arrangement, weight)])
        return float(sums @ inverse @ sums)

    ways = [list(assignments([r for ranks in task for r in ranks], [len(ranks) for ranks in task])) for task in tasks]
    observed = statistic(tasks)
    hits = sum(statistic(arrangement) >= observed * (1 - 1e-9) - 1e-12 for arrangement in product(*ways))
    return hits / prod(map(len, ways))


def stratified_pvalue(cells, statistic):
    """Share of all relabellings of two algorithms within tasks whose |statistic| reaches the observed."""
    columns = list(zip(*cells, strict=True))
    ways = [list(assignments([*x, *y], [len(x), len(y)])) for x, y in columns]
    values = [statistic(list(zip(*arrangement, strict=True))) for arrangement in product(*ways)]
    observed = abs(statistic(cells))
    return float(np.mean([abs(v) >= observed or abs(abs(v) - observed) < 1e-9 for v in values]))


def mean_difference(cells):
    """Mean over tasks of the difference of means."""
    return float(np.mean([np.mean(x) - np.mean(y) for x, y in zip(*cells, strict=True)]))


def studentised_difference(cells):
    """The difference of means over its standard error, Welch within tasks; ±∞ or 0 without spread."""
    tasks = list(zip(*cells, strict=True))
    difference = sum(np.mean(x) - np.mean(y) for x, y in tasks)
    variance = sum(np.var(x, ddof=1) / len(x) + np.var(y, ddof=1) / len(y) for x, y in tasks)
    if variance > 1e-20:
        return float(difference / np.sqrt(variance))
    return float(np.sign(difference) * np.inf) if abs(difference) > 1e-10 else 0.0


def relabelled(values, n_runs, words):
    """The values that each algorithm gets of one task: run after run, the word picks one of the places that are still free."""
    places = [a for a in range(len(values) // n_runs) for _ in range(n_runs)]
    cells = [[] for _ in range(len(values) // n_runs)]
    for value, word in zip(values, words, strict=True):
        cells[places.pop(word * len(places) >> 32)].append(value)
    return cells


def maximal_groups(differ):
    """All inclusion-maximal sets without an apart pair, by trying every set."""
    k = len(differ)
    good = [
        set(some)
        for size in range(1, k + 1)
        for some in combinations(range(k), size)
        if not any(differ[a][b] for a, b in combinations(some, 2))
    ]
    return sorted(tuple(sorted(group)) for group in good if not any(group < other for other in good))
