"""Slow twins of the record of an estimate and of its law: each run left out in turn, sums in plain Python, every relabelling tried."""

from __future__ import annotations

from itertools import combinations
from math import inf, sqrt

from scipy import stats

from tests.reference import bootstrap as slow
from tests.reference.intervals import bisect, share_ahead, variance


def mean(cells):
    """The mean of task means."""
    return sum(sum(cell) / len(cell) for cell in cells) / len(cells)


def iqm(cells):
    """The mean of the middle half of the weight, every task weighing the same."""
    return slow.iqm(cells, exact=True)


def parts(cells, measure):
    """What the runs of each task add to the squared error: (n − 1)/n Σ (θ without j − their mean)²."""
    squares = []
    for t, cell in enumerate(cells):
        left = [measure([*cells[:t], cell[:j] + cell[j + 1 :], *cells[t + 1 :]]) for j in range(len(cell))]
        squares.append((len(cell) - 1) ** 2 / len(cell) * variance(left))
    return squares


def satterthwaite(squares, freedom, c=0):
    """The error of a sum of independent parts and its degrees of freedom; c = 1: Welch 1947."""
    total = sum(squares)
    df = total**2 / sum(v * v / (d + c) for v, d in zip(squares, freedom, strict=True)) - c
    return sqrt(total), min(max(df, min(freedom)), sum(freedom))


def laws(x_cells, y_cells, measure):
    """The difference of a measure, and the errors and degrees of freedom of Welch's law and of Student's within tasks."""
    a, b = parts(x_cells, measure), parts(y_cells, measure)
    sizes = [(len(x), len(y)) for x, y in zip(x_cells, y_cells, strict=True)]
    pooled = [
        ((n - 1) * n * v + (m - 1) * m * w) / (n + m - 2) * (1 / n + 1 / m)
        for v, w, (n, m) in zip(a, b, sizes, strict=True)
    ]
    c = 1 if measure is mean and len(sizes) >= 10 else 0
    own = [n - 1 for n, _ in sizes] + [m - 1 for _, m in sizes]
    welch, student = satterthwaite(a + b, own, c), satterthwaite(pooled, [n + m - 2 for n, m in sizes])
    return measure(x_cells) - measure(y_cells), [welch, student]


def interval(x_cells, y_cells, measure, level):
    """The wider of the two intervals."""
    value, both = laws(x_cells, y_cells, measure)
    half = max(stats.t.ppf((1 + level) / 2, df) * error for error, df in both)
    return value - half, value + half


def tail(distance, both):
    """The larger of the chances that a law exceeds a distance."""
    return max(stats.t.sf(distance / error, df) for error, df in both)


# ── the probability of improvement ──────────


def placed(x_cells, y_cells, level):
    """Several tasks: t with the mean of placement variances and Hanley & McNeil's at a chance drawn towards ½."""
    chances, squares, freedom = [], [], []
    for x, y in zip(x_cells, y_cells, strict=True):
        n, m = len(x), len(y)
        of_x, of_y = [share_ahead(v, y) for v in x], [1 - share_ahead(v, x) for v in y]
        chances.append(sum(of_x) / n)
        e = 3 * n * m / (n + m + 1)
        theta = (chances[-1] * e + 2) / (e + 4)
        q, r = theta / (2 - theta), 2 * theta**2 / (1 + theta)
        guarded = (theta * (1 - theta) + (n - 1) * (q - theta**2) + (m - 1) * (r - theta**2)) / (n * m)
        squares.append((variance(of_x) / n + variance(of_y) / m + guarded) / 2 / len(x_cells) ** 2)
        freedom.append(2 * min(n, m) - 2)
    error, df = satterthwaite(squares, freedom)
    value, half = sum(chances) / len(chances), stats.t.ppf((1 + level) / 2, df) * error
    return max(value - half, 0), min(value + half, 1)


def mann_whitney(x, y, level):
    """One task: the chances θ with |P − θ| < 2 c √(θ (1 − θ)), c the least |P − ½| that 1 − level of the relabellings reach at most."""
    pool, shares = [*x, *y], []
    for chosen in combinations(range(len(pool)), len(x)):
        rest = [pool[i] for i in range(len(pool)) if i not in chosen]
        shares.append(abs(sum(share_ahead(pool[i], rest) for i in chosen) / len(x) - 0.5))
    rare = [c for c in shares if sum(s >= c - 1e-12 for s in shares) <= (1 - level) * len(shares) + 1e-9]
    value, c = sum(share_ahead(v, y) for v in x) / len(x), min(rare, default=inf)
    if c == inf:
        return 0.0, 1.0

    def excess(theta):
        return abs(value - theta) - 2 * c * sqrt(theta * (1 - theta))

    return bisect(excess, 0.0, value) if value > 0 else 0.0, bisect(excess, value, 1.0) if value < 1 else 1.0


def few(leads, variances):
    """Whether few tasks make a lead: the mean without the k highest and k lowest tasks is a standard error or more below half of the mean."""
    n = len(leads)
    k = -(-n // 10)
    tasks = sorted(zip(leads, variances, strict=True), reverse=True)
    weights = [(1 / (n - 2 * k) if k <= place < n - k else 0.0) - 0.5 / n for place in range(n)]
    gap = sum(w * lead for w, (lead, _) in zip(weights, tasks, strict=True))
    return gap < -sqrt(sum(w * w * v for w, (_, v) in zip(weights, tasks, strict=True)))
