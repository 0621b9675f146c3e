"""Sequential tests, written plainly: bounds by the multivariate normal law, paths by a loop over labellings."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
from scipy import stats


def stay(bounds, information, drift=0.0):
    """Return the chance that a statistic is within ±bounds at all looks: a multivariate normal box, numerically."""
    t = np.asarray(information)
    covariance = np.sqrt(np.minimum.outer(t, t) / np.maximum.outer(t, t))
    mean, ends, precision = (
        drift * np.sqrt(t),
        np.asarray(bounds),
        {"abseps": 1e-9, "releps": 1e-9, "maxpts": 2_000_000},
    )
    return float(stats.multivariate_normal.cdf(ends, mean, covariance, lower_limit=-ends, **precision))


def welch(x, y):
    """Return the difference of means over tasks over its standard error; x, y: lists of samples, one of each task."""
    difference = sum(a.mean() - b.mean() for a, b in zip(x, y, strict=True))
    variance = sum(a.var(ddof=1) / a.size + b.var(ddof=1) / b.size for a, b in zip(x, y, strict=True))
    return difference / np.sqrt(variance)


def of_every_relabelling(x, y):
    """Return |Welch| of every relabelling of the runs of two within each task; x, y: lists of samples, one of each task."""
    tasks = []
    for a, b in zip(x, y, strict=True):
        pooled = np.concatenate([a, b])
        chosen = [list(choice) for choice in combinations(range(pooled.size), a.size)]
        tasks.append([(pooled[choice], np.delete(pooled, choice)) for choice in chosen])
    return [abs(welch([a for a, _ in cells], [b for _, b in cells])) for cells in product(*tasks)]


def largest_of_drawn(samples, n, rng):
    """Return the largest |Welch| of all pairs in n random relabellings within tasks; samples: of each algorithm, a list of one of each task."""
    k, pooled, every = len(samples), [np.concatenate(task) for task in zip(*samples, strict=True)], []
    for _ in range(n):
        cells = list(zip(*(np.split(rng.permutation(task), k) for task in pooled), strict=True))
        every.append(max(abs(welch(x, y)) for x, y in combinations(cells, 2)))
    return every


def crossed(paths, spent):
    """Return for each path the look at which it crosses, or -1: of those left, from the highest on, as many as are allowed, ties together."""
    looks = [-1] * len(paths)
    for j, share in enumerate(spent):
        allowed = np.floor(share * len(paths) + 1e-9) - sum(look >= 0 for look in looks)
        left = sorted((path[j] for path, look in zip(paths, looks, strict=True) if look < 0), reverse=True)
        for value in sorted(set(left), reverse=True):
            tied = [i for i, path in enumerate(paths) if looks[i] < 0 and path[j] == value]
            if len(tied) > allowed:
                break
            allowed -= len(tied)
            for i in tied:
                looks[i] = j
    return looks


def pooled(n, a, b):
    """Return the pooled z of a and b successes in n episodes of each."""
    total = a + b
    return round((b - a) / np.sqrt(max(total * (2 * n - total) / (2 * n), 1e-9)), 9)


def histories(looks, spent, rates):
    """Return all pairs of histories (n, 2, episodes) and the look at which each stops, -1: never; each history is followed by itself."""
    n_most = looks[-1]
    paths = np.array(list(product((0, 1), repeat=2 * n_most))).reshape(-1, 2, n_most)
    total, stop, used = paths.sum(axis=(1, 2)), np.full(len(paths), -1), np.zeros(len(rates))
    chance = rates[:, None] ** total * (1 - rates[:, None]) ** (2 * n_most - total)
    for k, n in enumerate(looks):
        a, b = paths[:, :, :n].sum(axis=2).T
        closed = set()
        counts = {(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True) if y > x}
        for x, y in sorted(counts, key=lambda at: (-pooled(n, *at), at)):
            here = (stop == -1) & (a == x) & (b == y)
            after = used + chance[:, here].sum(axis=1)
            if x + y in closed or (after > spent[k] / 2).any():
                closed.add(x + y)
                continue
            used = after
            stop[here | ((stop == -1) & (a == y) & (b == x))] = k
    return paths, stop


def order(path, stop, looks):
    """Return how much an end favours the second: a claim for it, the earlier the more; no claim; a claim for the first, the later the more."""
    n = looks[stop]
    a, b = path[:, :n].sum(axis=1).tolist()
    side = 0 if stop < 0 else int(np.sign(b - a))
    return (side, -side * stop, pooled(n, a, b))


def as_extreme(paths, orders, end, pa, pb):
    """Return the chance of an end that favours the second as much, at two rates."""
    n, (a, b) = paths.shape[2], paths.sum(axis=2).T
    chance = pa**a * (1 - pa) ** (n - a) * pb**b * (1 - pb) ** (n - b)
    return float(sum(c for c, other in zip(chance.tolist(), orders, strict=True) if other >= end))


def claims(looks, leads, pa, pb):
    """Return the chances that the second, and that the first, is claimed at each look: the probabilities of all counts, pair by pair."""
    mass, above, below = np.ones((1, 1)), [], []
    for n in range(1, looks[-1] + 1):
        more = np.zeros((n + 1, n + 1))
        for i, j in product((0, 1), repeat=2):
            more[i : n + i, j : n + j] += mass * (pa if i else 1 - pa) * (pb if j else 1 - pb)
        mass = more
        if n in looks:
            a, b = np.indices(mass.shape)
            lead = np.asarray(leads[looks.index(n)])[a + b]
            above.append(float(mass[b - a >= lead].sum()))
            below.append(float(mass[a - b >= lead].sum()))
            mass[abs(b - a) >= lead] = 0.0
    return np.array(above), np.array(below)
