"""All tasks and their mean under one joint relabelling: labellings, statistics, p-values and limits.

A unit is a task, or the mean of all tasks. Its statistic is Welch's t, the drop over its standard error; as a tail of the t law with the
degrees of freedom that its runs have if they spread alike, so that tasks with few and with many runs can be compared.

The first labelling is that of the data. Where a block has few labellings, each is drawn equally often, in random order. The rows are then as
exchangeable as independent ones, so that the test stays exact; and a p-value that is one of 20 is one of 20, whatever the seed.

The mean of all tasks has one half of the error rate, the tasks share the other. Where the mean is decided, its half passes on to the tasks.
That is closed testing with Bonferroni's inequality between mean and tasks, and step-down within the tasks (Bretz, Maurer, Brannath & Posch
2009; Westfall & Young 1993): any wrong decision, whichever hypotheses are true, has a chance of at most alpha.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, inf, lcm, prod

import numpy as np
from scipy import special

from runoff._inference.bootstrap import Mean
from runoff._inference.pairs import PairData, run_means
from runoff._kernels.blocked import permute
from runoff.base.arrays import Bools, Floats
from runoff.base.random import Streams, in_threads

MANY = 40
"""Up to so many runs of the smaller side labellings are counted in full; with more, they are beyond any number of draws."""
GroupSizes = tuple[int, int]
"""Runs of the baseline and of the candidate that are relabelled together: those of a task, or whole runs."""


def n_labellings(size: GroupSizes) -> int:
    """Return in how many ways the runs of a block can be labelled; where both sides have more than `MANY`, fewer, but more than can be drawn."""
    # C(80, 40) is 1e23 already: no number of draws comes near it, and larger ones only cost time.
    return comb(sum(size), min(*size, MANY))


def freedom(sizes: Sequence[GroupSizes]) -> float:
    """Return Welch-Satterthwaite's degrees of freedom of the mean over blocks of a difference of means, where all runs spread alike."""
    squared = sum(1 / n + 1 / m for n, m in sizes)
    return squared**2 / sum(1 / (n * n * (n - 1)) + 1 / (m * m * (m - 1)) for n, m in sizes)


def n_draws(sizes: Sequence[GroupSizes], n_resamples: int) -> int:
    """Return how many labellings are drawn: of one block all of them if they are few, else so many that few ones come equally often."""
    counts = sorted({n_labellings(size) for size in sizes})
    if len(sizes) == 1 and counts[0] <= n_resamples:
        return counts[0]
    period = 1
    for count in counts:
        # From the smallest on, as long as their common multiple fits; blocks of more labellings are drawn independently.
        period = lcm(period, count) if lcm(period, count) <= n_resamples else period
    return period * -(-n_resamples // period)


def labellings(size: GroupSizes, n: int, streams: Streams, block: int) -> Floats:
    """Return n labellings of a block, (n, n_runs): 1 where a run counts as the baseline's, whose own come first."""
    count = n_labellings(size)
    rng = streams.block("gate", block)
    if n % count == 0:
        # Each labelling n / count times, the data's own first: it is in the sample as often as any other, so no + 1 is needed.
        order = np.tile(np.arange(1, count), n // count)
        order = rng.permutation(np.concatenate([order, np.zeros(n // count - 1, np.int64)]))
        return np.asarray(permute.subsets(sum(size), size[0])[np.concatenate([[0], order])].astype(np.float64))
    drawn = permute.drawn_labels(rng, np.array([0, sum(size)]), np.array([size]), n - 1) == 0
    own = np.arange(sum(size)) < size[0]
    return np.concatenate([own[None, :], drawn]).astype(np.float64)


# ── statistics ──────────


ROUNDING = 1e-12
"""A difference below this share of the range of the scores is 0."""
NO_SPREAD = 1e-14
"""A squared error below this share of the squared scores is 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelabelledTask:
    """Per relabelling of one task: sum and sum of squares of the scores that the baseline gets, and the part of the candidate's own runs.

    scores, squares, moved, moved_scores: (n_draws,). total: sums of all runs, of the candidate's own. mean: difference of the data. sizes:
    the runs of both.
    """

    scores: Floats
    squares: Floats
    moved: Floats
    moved_scores: Floats
    total: tuple[float, float, float]
    mean: tuple[float, float]
    sizes: GroupSizes

    def at(self, shift: float, rows: int | None = None) -> tuple[Floats, Floats]:
        """Return baseline − candidate and its squared error, (n_draws,), the candidate's own scores being higher by `shift`."""
        (n, m), (scores, squares, own), moved = self.sizes, self.total, self.moved[:rows]
        s = self.scores[:rows] + shift * moved
        q = self.squares[:rows] + 2 * shift * self.moved_scores[:rows] + shift**2 * moved
        # What the baseline does not get the candidate has; a shift adds 2 · shift · x + shift² to the square of each run that it moves.
        rest_s, rest_q = scores + shift * m - s, squares + 2 * shift * own + shift**2 * m - q
        squared = (q - s * s / n) / (n * (n - 1)) + (rest_q - rest_s * rest_s / m) / (m * (m - 1))
        least = NO_SPREAD * (squares + 2 * shift * own + shift**2 * m) / (n + m) ** 2
        # A difference of squares that is nearly 0 is rounding, and t would be any number.
        squared = np.where(squared > least, squared, 0.0)
        difference = s / n - rest_s / m
        # A labelling that moves no run is that of the data: its numbers are those of the data to the last bit.
        same = moved == 0
        return np.where(same, self.mean[0] - shift, difference), np.where(same, self.mean[1], squared)


def block_of(x: Floats, y: Floats, scale: float, n: int, streams: Streams, *, number: int) -> RelabelledTask:
    """Return the sums of one task over all labellings of a block."""
    middle = float(np.median(np.concatenate([x, y])))
    pooled = np.concatenate([x - middle, y - middle]) / scale
    own = np.arange(pooled.size) >= x.size
    masks = labellings((x.size, y.size), n, streams, number)
    scores, squares, moved, moved_scores = np.ascontiguousarray(
        (masks @ np.stack([pooled, pooled**2, own, own * pooled], axis=1)).T
    )
    a, b = pooled[: x.size], pooled[x.size :]
    error = float(a.var(ddof=1) / a.size + b.var(ddof=1) / b.size)
    least = NO_SPREAD * float((pooled**2).mean())
    return RelabelledTask(
        scores=scores,
        squares=squares,
        moved=moved,
        moved_scores=moved_scores,
        total=(float(pooled.sum()), float((pooled**2).sum()), float(pooled[own].sum())),
        mean=(float(a.mean() - b.mean()), error if error > least else 0.0),
        sizes=(x.size, y.size),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A task, or the mean of all; its blocks are the parts of the mean. df: of both runs, if they spread alike; n_labellings: of its runs."""

    blocks: tuple[RelabelledTask, ...]
    df: float
    n_labellings: int

    def statistic(self, shift: float, rows: int | None = None) -> Floats:
        """Return t of the drop beyond a shift, under the first labellings or all, (n_draws,); ±inf without spread."""
        parts = [block.at(shift, rows) for block in self.blocks]
        added: Floats = np.add.reduce([part[0] for part in parts])
        error = np.sqrt(np.add.reduce([part[1] for part in parts]))
        # 0 / 0 of equal runs is no evidence; any drop without spread is ∞.
        drop: Floats = np.where(np.abs(added) > ROUNDING * (1 + abs(shift)), added, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            t: Floats = np.where((error == 0) & (drop == 0), 0.0, drop / error)
        return t

    def tail(self, statistic: Floats) -> Floats:
        """Return the probability of a statistic as large, under the t law of the unit."""
        return np.asarray(special.stdtr(self.df, -statistic), np.float64)

    def as_low(self, shift: float, others: Floats) -> Bools:
        """Return under which of the first labellings the tail of this unit, or the smallest of others, is at most that of the data.

        Most tails need not be computed, for they fall with the statistic: above 0 by more than `ALIKE` wherever it is `CLEAR` from the data's.
        """
        low = -self.statistic(shift, others.size)
        tail = float(self.tail(low[:1])[0]) * (1 + ALIKE)
        # Below 0 a tail is near 1 and hardly falls: statistics that are clearly apart can have tails that are alike.
        if not 0 <= low[0] < inf:
            return np.asarray((self.tail(low) <= tail) | (others <= tail))
        below = low > low[0]
        near = np.abs(low - low[0]) <= CLEAR * (1 + low[0])
        below[near] = self.tail(low[near]) <= tail
        return np.asarray(below | (others <= tail))


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFamily:
    """The tasks, and last their mean if there are several; `scale`: what scores were divided by."""

    units: tuple[Unit, ...]
    scale: float

    def able(self, alpha: float) -> Bools:
        """Return whether the runs of each unit have labellings that are rare enough for a decision, (n_units,)."""
        return np.array([unit.n_labellings >= 1 / (alpha * (1 + ROUNDING)) for unit in self.units])

    def drops(self) -> Floats:
        """Return the tails against no drop, (n_units, n_draws)."""
        return np.stack(in_threads(lambda unit: unit.tail(unit.statistic(0.0)), self.units))

    def below(self, margins: Sequence[float], rows: int | None = None) -> Floats:
        """Return the tails against a drop of at least so much, for each unit; of at least 0, against no rise."""
        pairs = zip(self.units, margins, strict=True)
        return np.stack(in_threads(lambda at: at[0].tail(-at[0].statistic(at[1] / self.scale, rows)), pairs))

    def as_low(self, ends: Sequence[float], others: Floats) -> Bools:
        """Return whether each labelling, or another task by it, is as far below a drop of the end as the data are, (n_units, n_draws)."""
        at = zip(self.units, ends, others, strict=True)
        return np.stack([unit.as_low(end / self.scale, least) for unit, end, least in at])


def family_of(pair: PairData, *, n_resamples: int, streams: Streams) -> GateFamily:
    """Return the statistics of a pair, a the baseline and b the candidate, under one joint relabelling."""
    cells = [ordered(side, pair.shared) for side in (pair.x, pair.y)]
    scale = max(float(np.ptp(np.concatenate(both))) for both in zip(*cells, strict=True)) or 1.0
    n, n_tasks = n_draws(pair.sizes, n_resamples), len(pair.tasks)

    def unit(blocks: Sequence[RelabelledTask], count: int) -> Unit:
        return Unit(blocks=tuple(blocks), df=freedom([block.sizes for block in blocks]), n_labellings=count)

    def block(x: Floats, y: Floats, number: int) -> RelabelledTask:
        return block_of(x, y, scale, n, streams, number=0 if pair.shared else number)

    singles = in_threads(lambda t: block(cells[0][t], cells[1][t], t), range(n_tasks))
    ways = [n_labellings(size) for size in (pair.sizes * n_tasks if pair.shared else pair.sizes)]
    units = [unit([single], count) for single, count in zip(singles, ways, strict=True)]
    if n_tasks > 1 and pair.shared:
        # The mean of shared runs is one task of their means; every block has the same labels there, for `number` is 0.
        units.append(unit([block(run_means(cells[0]), run_means(cells[1]), 0)], ways[0]))
    elif n_tasks > 1:
        units.append(unit(singles, prod(ways)))
    return GateFamily(units=tuple(units), scale=scale)


def ordered(cells: Sequence[Floats], shared: bool) -> list[Floats]:
    """Return the cells of a side in an order of runs that does not depend on that of the rows."""
    if not shared:
        return [np.sort(cell) for cell in cells]
    order = np.lexsort(list(cells)[::-1])
    return [cell[order] for cell in cells]


# ── p-values and limits ──────────


HALF = 0.5
"""The share of the error rate that the mean of all tasks has."""
ALIKE = 1e-8
"""Tails whose relative difference is smaller are equal: their sums were added in another order."""
HALVINGS = 12
"""How often the bracket of a limit is halved: it then errs by less than a thousandth of its distance from the drop."""
CLEAR = 1e-6
"""Statistics whose distance is a larger share of 1 + that of the data have tails that are not alike, where the data's is above 0."""
DOUBLINGS = 9
"""A limit that is more than 500 standard errors away is none."""
ROWS = 5_040
"""The most labellings that a limit is computed from."""


def adjusted(tails: Floats, able: Bools) -> Floats:
    """Return the adjusted p-values of all units, (n_units,), of tails (n_units, n_draws), those of the data first.

    able: whether the runs of a task have labellings that are rare enough for any decision; others do not count against it.
    """
    if len(tails) == 1:
        return alone(tails)
    return shared_out(float(alone(tails[-1:])[0]), step_down(tails[:-1], able[:-1]))


def shared_out(mean: float, tasks: Floats) -> Floats:
    """Return adjusted p-values of the tasks and of their mean, of those of the tasks among themselves and that of the mean by itself."""
    mean = min(1.0, mean / HALF)
    # A task is found at its own half, or at the whole rate once the mean is found too (the graph of Bretz et al. 2009).
    among = np.minimum(tasks / (1 - HALF), np.maximum(tasks, mean))
    return np.append(np.minimum(1.0, among), mean)


def step_down(tails: Floats, able: Bools) -> Floats:
    """Return step-down p-values: each task is compared with the smallest tail among tasks whose observed tail is at least as large.

    Westfall & Young (1993), algorithm 2.8: strong control, since the tails of tasks without a difference have their own law, whatever others do.
    """
    adjusted_values = alone(tails)
    if not able.any():
        return adjusted_values
    order = np.flatnonzero(able)[np.argsort(tails[able, 0], kind="stable")]
    # Of task i and all that are less clear: the smallest tail of each labelling is what the observed one has to beat.
    least = np.minimum.accumulate(tails[order[::-1]], axis=0)[::-1]
    pvalues = [_share(row, observed) for row, observed in zip(least, tails[order, 0], strict=True)]
    adjusted_values[order] = np.maximum.accumulate(np.array(pvalues))
    return adjusted_values


def alone(tails: Floats) -> Floats:
    return np.array([_share(row, row[0]) for row in tails])


def _share(null: Floats, observed: float) -> float:
    return float((null <= observed * (1 + ALIKE)).mean())


def limits(
    family: GateFamily, estimates: Sequence[Mean], levels: Sequence[float], margin: float, kept: Sequence[bool]
) -> list[float | None]:
    """Return upper limits of all drops, each at its level; None where there is none.

    They are the tests inverted by bisection, while the other tasks are tested against the margin. A unit that is held has a limit.
    """
    error, start = (np.array([getattr(mean, name) for mean in estimates]) for name in ("error", "estimate"))
    others = _least_of_others(family.below([margin] * start.size)[:, :ROWS])
    level = np.array(levels) * (1 + ALIKE)

    def ruled_out(ends: Floats) -> Bools:
        return np.asarray(family.as_low(ends.tolist(), others).mean(axis=1) <= level)

    low, high = start, start + error
    for _ in range(DOUBLINGS):
        high = np.where(ruled_out(high), high, low + 2 * (high - low))
    limited = ruled_out(high) | np.asarray(kept)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        out = ruled_out(middle)
        low, high = np.where(out, low, middle), np.where(out, middle, high)
    rows = zip(high.tolist(), limited.tolist(), estimates, strict=True)
    return [end if there and mean.df is not None else None for end, there, mean in rows]


def _least_of_others(tails: Floats) -> Floats:
    """Return, for each task, the smallest tail of the other tasks under every labelling; inf for the mean, and for a single task."""
    least = np.full_like(tails, np.inf)
    tasks = tails[:-1]
    if len(tasks) > 1:
        first, second = np.partition(tasks, 1, axis=0)[:2]
        least[:-1] = np.where(tasks == first, second, first)
    return least
