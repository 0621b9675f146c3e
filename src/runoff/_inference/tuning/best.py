"""The best of k configurations: some runs select a configuration, and a run that did not select judges it.

Of each configuration one run is set aside, and the mean of the others selects: the highest of k configurations drawn without replacement. All
choices of the runs set aside weigh the same, so that the order of runs says nothing. No set is listed: the chance that the highest selecting
mean is at most v is the mean over all sets of k of Π P(mean ≤ v), and its rise at a mean is the chance that this one wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from runoff._inference.tuning.folds import fold_variances, rank_weights
from runoff.base.arrays import Floats, Ints

DIGITS = 12
"""Selecting means that agree in so many digits are equal: the order of addition decides between them."""


@dataclass(frozen=True, slots=True)
class BestOf:
    """The best of k of K configurations on a task, k = 1 … K.

    judged, selecting : (K,)
        Expected score of the run set aside, and of the runs that selected, of the configuration that is selected.
    parts : (K configurations, K)
        What the runs of each configuration add to the squared error of `judged`.
    pooled : (K,)
        The squared error by the variance of all configurations' runs: what the few runs of the selected one need not show, as collapses.
    spread : float
        Standard deviation of the runs of a configuration, pooled.
    """

    judged: Floats
    selecting: Floats
    parts: Floats
    pooled: Floats
    spread: float


def best_of(cells: Sequence[Floats]) -> BestOf:
    """Return the best of k configurations with these runs, (n_runs,) each, two or more.

    The squared error is ½ (1 + 1/k) of that of leaving each run out within its configuration, (n − 1)/n Σ (θ₍ⱼ₎ − θ̄)²; of two runs each stands
    for both. A jackknife of a maximum jumps where a run less selects another configuration, and overstates: whole, it finds a quarter of what
    can be found. It is at least that of folds, which the settings selected by chance do not hide in.
    """
    # About the middle and at most 1 in size: DIGITS are then digits of the spread, not of an offset.
    middle = float(np.median(np.concatenate(cells)))
    unit = max(float(np.abs(np.concatenate(cells) - middle).max()), np.finfo(float).tiny)
    cells = [(cell - middle) / unit for cell in cells]
    owner = np.repeat(np.arange(len(cells)), [cell.size for cell in cells])
    scores, weights = np.concatenate(cells), 1 / np.array([cell.size for cell in cells])[owner]
    means = np.concatenate([(cell.sum() - cell) / (cell.size - 1) for cell in cells])
    steps, place = np.unique(np.round(means, DIGITS), return_inverse=True)
    tables = np.zeros((3, len(cells), steps.size))
    for table, values in zip(tables, (weights, weights * scores, weights * means), strict=True):
        # `add.at`, for runs of one configuration with one selecting mean share a place.
        np.add.at(table, (owner, place), values)
    shares, judging, selected = tables
    chances, at, weight = _ties(shares)
    whole, drawn = highest(chances), np.arange(1, len(cells) + 1) / len(cells)
    judged, selecting, parts = np.zeros(len(cells)), np.zeros(len(cells)), []
    for c, cell in enumerate(cells):
        others = without(whole, chances[c])
        judged += drawn * (others @ (weight * judging[c, at]))
        selecting += drawn * (others @ (weight * selected[c, at]))
        rest, score = (np.delete(table, c, axis=0).sum(axis=0) for table in (shares, judging))
        score = np.divide(score, rest, out=np.zeros_like(rest), where=rest > 0)
        ends = np.flatnonzero(np.diff(at, append=at[-1] + 1))
        parts.append(_part(cell, steps, *_against(others[:, ends], score)))
    spread = float(np.sqrt(np.mean([cell.var(ddof=1) for cell in cells])))
    least = fold_variances(cells)
    least[0] = 0.0  # nothing is chosen of one, whose error is that of a mean
    errors = _at_least(np.array(parts) * (1 + 1 / np.arange(1, len(cells) + 1)) / 2, least)
    pooled = pooled_error(cells)[0] * np.square(rank_weights(len(cells))).sum(axis=1)
    return BestOf(judged * unit + middle, selecting * unit + middle, errors * unit**2, pooled * unit**2, spread * unit)


def pooled_error(cells: Sequence[Floats], n_runs: int | None = None) -> tuple[float, float]:
    """Return the squared error of a mean of runs by the variance of all configurations' runs, and its degrees of freedom; cells: (n,) each."""
    variances = [cell.var(ddof=1) / (n_runs or cell.size) for cell in cells]
    return float(np.mean(variances)), float(sum(cell.size - 1 for cell in cells))


def _at_least(parts: Floats, least: Floats) -> Floats:
    """Return the parts (K configurations, K) of squared errors, raised where their sum is below a least one (K,)."""
    total = parts.sum(axis=0)
    # Without any error of its own a sum has no shares by which to be raised: all configurations weigh the same.
    shares = np.divide(parts, total, out=np.full_like(parts, 1 / len(parts)), where=total > 0)
    raised: Floats = shares * np.maximum(total, least)
    return raised


def _ties(shares: Floats) -> tuple[Floats, Ints, Floats]:
    """Return the chances not to be above a mean, (K, n_points), the step of each point, and its weight; shares: (K, n_steps).

    Who of several is first at one step is drawn: the chance to win is the mean, over all places u in [0, 1], of a polynomial in the chances
    below the step and u times those at it. Gauss's rule gives it exactly. The last point of a step is its end.
    """
    below, points = np.minimum(shares.cumsum(axis=1), 1.0), list[tuple[int, float, float]]()
    for step, n in enumerate((shares > 0).sum(axis=0).tolist()):
        if n > 1:
            # The product over n configurations at a step, without the winner's own, has degree n − 1: ⌈n/2⌉ nodes are exact to 2 ⌈n/2⌉ − 1.
            nodes, weights = np.polynomial.legendre.leggauss((n + 1) // 2)
            points += [(step, (1 + u) / 2, w / 2) for u, w in zip(nodes, weights, strict=True)]
        points.append((step, 1.0, float(n == 1)))
    at = np.array([step for step, _, _ in points])
    place, weight = np.array([point[1:] for point in points]).T
    return np.maximum(below[:, at] - (1 - place) * shares[:, at], 0.0), at, weight


def highest(below: Floats) -> Floats:
    """Return the mean of Π p over all sets of k configurations, (K + 1, n_steps) for k = 0 … K; below: p (K, n_steps).

    Sets of the first i are those without the i-th, a share 1 − k/i, and those with it.
    """
    n = len(below)
    means = np.zeros((n + 1, below.shape[1]))
    means[0] = 1.0
    for i in range(1, n + 1):
        share = np.arange(1, i + 1)[:, None] / i
        means[1 : i + 1] += share * (below[i - 1] * means[:i] - means[1 : i + 1])
    return means


def without(means: Floats, own: Floats) -> Floats:
    """Return what `highest` is of the K − 1 other configurations, (K, n_steps); own: (n_steps,) the chances of the one that is left out.

    K means_k = (K − k) others_k + k own others_{k−1} is solved upwards from k = 0 and downwards from k = K, each where rounding shrinks.
    """
    n = len(means) - 1
    up, down = np.ones((n, own.size)), np.ones((n, own.size))
    with np.errstate(all="ignore"):  # what overflows is not taken
        down[n - 1] = means[n] / own
        for k in range(1, n):
            up[k] = (n * means[k] - k * own * up[k - 1]) / (n - k)
            back = n - k
            down[back - 1] = (n * means[back] - k * down[back]) / (back * own)
    return np.where(np.arange(n)[:, None] <= n / (1 + own), up, down)


def _against(others: Floats, score: Floats) -> tuple[Floats, Floats]:
    """Return, for a configuration in a draw, its chance to win and what is judged where another wins, (K, n_steps + 1) by its selecting mean.

    others: `highest` of the others; score: (n_steps,) what they are judged by at each step. Both times k/K, the chance to be drawn.
    """
    n = len(others)
    drawn = np.arange(1, n + 1)[:, None] / n
    won = np.diff(others, axis=1, prepend=0.0) * score
    won[0] = 0.0  # no other is drawn
    ahead = np.pad(won[:, ::-1].cumsum(axis=1)[:, ::-1], ((0, 0), (0, 1)))
    wins = np.pad(others, ((0, 0), (1, 0)))
    wins[0] = 1.0
    return drawn * wins, drawn * ahead


def _part(cell: Floats, steps: Floats, wins: Floats, ahead: Floats) -> Floats:
    """Return what the runs of a configuration add to the squared error, (K,); steps: selecting means."""
    n = cell.size
    selecting = judging = cell[:, None]
    if n > 2:
        left, at = np.nonzero(~np.eye(n, dtype=np.bool_))
        selecting = ((cell.sum() - cell[left] - cell[at]) / (n - 2)).reshape(n, n - 1)
        judging = cell[at].reshape(n, n - 1)
    # Of a tie half is won: the mean of both sides of the step.
    places = [np.searchsorted(steps + side * 10.0**-DIGITS, selecting) for side in (-1, 1)]
    values = np.mean([(wins[:, at] * judging + ahead[:, at]).mean(axis=2) for at in places], axis=0)
    parts: Floats = (n - 1) / n * np.square(values - values.mean(axis=1, keepdims=True)).sum(axis=1)
    return parts
