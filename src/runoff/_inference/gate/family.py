"""The statistics of all tasks and of their mean under one joint relabelling, and what they say together.

A unit is a task, or the mean of all tasks. Its statistic is Welch's, the drop over its standard error; the tail of a t law with the degrees of
freedom of its runs makes units with few runs and with many alike, and its weight is divided out: the mean of all tasks has half of the error
rate, the tasks share the other half. The smallest of these over all units, under every labelling, is what each unit is held against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from scipy import special

from runoff._arrays import Bools, Floats
from runoff._inference.bootstrap import Mean
from runoff._inference.gate.labels import Sizes, freedom, labellings, n_draws, n_labellings
from runoff._inference.pairs import PairData, run_means
from runoff._random import Streams

ALIKE = 1e-8
"""Tails that differ by less than this share of them are equal: sums were added in another order."""
ROUNDING = 1e-12
"""A difference below this share of the range of the scores is 0."""
NO_SPREAD = 1e-14
"""A squared error below this share of the squared scores is 0."""
OVERALL = 0.5
"""The share of the error rate of the mean of all tasks."""
HALVINGS = 12
"""Of a limit: it then errs by less than a thousandth of its distance from the drop."""
DOUBLINGS = 9
"""A limit that is more than 500 standard errors away is none."""
ROWS = 5_040
"""Labellings that limits are made of, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Sums of the runs of a task that a labelling gives to the baseline: of scores, of their squares; and of those that are the candidate's own.

    scores, squares, moved, moved_scores: (n_draws,). total: sums of all runs, of the candidate's own. mean: difference of the data. sizes:
    the runs of both.
    """

    scores: Floats
    squares: Floats
    moved: Floats
    moved_scores: Floats
    total: tuple[float, float, float]
    mean: tuple[float, float]
    sizes: Sizes

    def at(self, shift: float, rows: int | None = None) -> tuple[Floats, Floats]:
        """Return baseline − candidate and its squared error, (n_draws,), the candidate's own scores being higher by `shift`."""
        (n, m), (scores, squares, own), moved = self.sizes, self.total, self.moved[:rows]
        s = self.scores[:rows] + shift * moved
        q = self.squares[:rows] + 2 * shift * self.moved_scores[:rows] + shift**2 * moved
        rest_s, rest_q = scores + shift * m - s, squares + 2 * shift * own + shift**2 * m - q
        squared = (q - s * s / n) / (n * (n - 1)) + (rest_q - rest_s * rest_s / m) / (m * (m - 1))
        least = NO_SPREAD * (squares + 2 * shift * own + shift**2 * m) / (n + m) ** 2
        squared = np.where(squared > least, squared, 0.0)
        difference = s / n - rest_s / m
        same = moved == 0
        return np.where(same, self.mean[0] - shift, difference), np.where(same, self.mean[1], squared)


def block_of(x: Floats, y: Floats, scale: float, n: int, streams: Streams, number: int) -> Block:
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
    return Block(
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
    """A task, or the mean of all tasks (None); its blocks, each of which is a part of the mean.

    df: of the runs of both, if they spread alike; weight: share of the error rate; n_labellings: of its runs.
    """

    task: str | None
    blocks: tuple[Block, ...]
    df: float
    weight: float
    n_labellings: int

    def statistic(self, shift: float, rows: int | None = None) -> Floats:
        """Return t of the drop beyond a shift, under the first labellings or all, (n_draws,); ±inf without spread."""
        parts = [block.at(shift, rows) for block in self.blocks]
        added: Floats = np.add.reduce([part[0] for part in parts])
        error = np.sqrt(np.add.reduce([part[1] for part in parts]))
        drop: Floats = np.where(np.abs(added) > ROUNDING * (1 + abs(shift)), added, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Floats = np.where((error == 0) & (drop == 0), 0.0, drop / error)
        return found

    def tail(self, statistic: Floats) -> Floats:
        """Return the tail of a statistic, its weight divided out."""
        found: Floats = np.asarray(special.stdtr(self.df, -statistic), np.float64) / self.weight
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """All units; `scale`: what scores were divided by."""

    units: tuple[Unit, ...]
    scale: float

    def drops(self) -> Floats:
        """Return the tails against no drop, (n_units, n_draws)."""
        return np.stack([unit.tail(unit.statistic(0.0)) for unit in self.units])

    def rises(self) -> Floats:
        """Return the tails against no rise."""
        return np.stack([unit.tail(-unit.statistic(0.0)) for unit in self.units])

    def below(self, margins: Sequence[float], rows: int | None = None) -> Floats:
        """Return the tails against a drop of at least so much, for each unit."""
        pairs = zip(self.units, margins, strict=True)
        return np.stack([unit.tail(-unit.statistic(margin / self.scale, rows)) for unit, margin in pairs])


def family_of(pair: PairData, *, n_resamples: int, streams: Streams) -> Family:
    """Return the statistics of a pair, a the baseline and b the candidate, under one joint relabelling."""
    cells = [_ordered(side, pair.shared) for side in (pair.x, pair.y)]
    scale = max(float(np.ptp(np.concatenate(both))) for both in zip(*cells, strict=True)) or 1.0
    sizes = pair.sizes
    n, n_tasks = n_draws(sizes, n_resamples), len(pair.tasks)

    def unit(task: str | None, weight: float, blocks: Sequence[Block], count: int) -> Unit:
        df = freedom([block.sizes for block in blocks])
        return Unit(task=task, blocks=tuple(blocks), df=df, weight=weight, n_labellings=count)

    def block(x: Floats, y: Floats, number: int) -> Block:
        return block_of(x, y, scale, n, streams, 0 if pair.shared else number)

    singles = [block(x, y, t) for t, (x, y) in enumerate(zip(*cells, strict=True))]
    ways = [n_labellings(size) for size in (sizes * n_tasks if pair.shared else sizes)]
    if n_tasks == 1:
        return Family(units=(unit(pair.tasks[0], 1.0, singles, ways[0]),), scale=scale)
    own = (1 - OVERALL) / n_tasks
    units = [unit(task, own, [one], count) for task, one, count in zip(pair.tasks, singles, ways, strict=True)]
    parts = [block(run_means(cells[0]), run_means(cells[1]), 0)] if pair.shared else singles
    units.append(unit(None, OVERALL, parts, ways[0] if pair.shared else prod(ways)))
    return Family(units=tuple(units), scale=scale)


def _ordered(cells: Sequence[Floats], shared: bool) -> list[Floats]:
    """Return the cells of a side in an order of runs that does not depend on that of the rows."""
    if not shared:
        return [np.sort(cell) for cell in cells]
    order = np.lexsort(list(cells)[::-1])
    return [cell[order] for cell in cells]


def step_down(tails: Floats) -> Floats:
    """Return adjusted p-values, (n_units,): each unit against the smallest tail of those that are not smaller than its own in the data.

    Westfall & Young (1993), algorithm 2.8: strong control, since the tails of tasks without a difference have their own law, whatever others do.
    """
    order = np.argsort(tails[:, 0], kind="stable")
    least = np.minimum.accumulate(tails[order[::-1]], axis=0)[::-1]
    found = np.array(
        [float(_as_small(row, np.array([row_data]))[0]) for row, row_data in zip(least, tails[order, 0], strict=True)]
    )
    adjusted = np.empty(order.size)
    adjusted[order] = np.maximum.accumulate(found)
    return adjusted


def alone(tails: Floats) -> Floats:
    """Return the p-value of each unit by itself."""
    return np.array([float(_as_small(row, row[:1])[0]) for row in tails])


def _as_small(null: Floats, observed: Floats) -> Floats:
    reached = observed + ALIKE * observed
    return np.asarray((null[None, :] <= reached[:, None]).mean(axis=1), np.float64)


def limits(
    family: Family, estimates: Sequence[Mean], alpha: float, margin: float, held: Sequence[bool]
) -> list[float | None]:
    """Return upper limits of all drops, which hold together with a chance of 1 − alpha; None where there is none.

    The inversion of `single_step` by bisection, the other units being held against the margin. A unit that is held lies below it.
    """
    error = np.array([one.error for one in estimates])
    low = np.array([one.estimate for one in estimates])
    others = _least_of_others(family.below([margin] * low.size)[:, :ROWS])

    def ruled_out(ends: Floats) -> Bools:
        tails = family.below(ends.tolist(), ROWS)
        reached = tails[:, :1] * (1 + ALIKE)
        found: Bools = (np.minimum(tails, others) <= reached).mean(axis=1) <= alpha
        return found

    high = low + error
    for _ in range(DOUBLINGS):
        high = np.where(ruled_out(high), high, low + 2 * (high - low))
    never = ~ruled_out(high) & ~np.asarray(held)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        out = ruled_out(middle)
        low, high = np.where(out, low, middle), np.where(out, middle, high)
    ends = [min(end, margin) if kept else max(end, margin) for end, kept in zip(high.tolist(), held, strict=True)]
    spread = [one.df is not None for one in estimates]
    return [end if any_ and not no else None for end, no, any_ in zip(ends, never.tolist(), spread, strict=True)]


def _least_of_others(tails: Floats) -> Floats:
    """Return, for each unit, the smallest tail of the other units under every labelling; inf of a single unit."""
    if tails.shape[0] == 1:
        return np.full_like(tails, np.inf)
    first, second = np.partition(tails, 1, axis=0)[:2]
    found: Floats = np.where(tails == first, second, first)
    return found
