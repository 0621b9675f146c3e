"""The statistics of all tasks and of their mean under one joint relabelling.

A unit is a task, or the mean of all tasks. Its statistic is Welch's t, the drop over its standard error; as a tail of the t law with the
degrees of freedom that its runs have if they spread alike, so that tasks with few runs and with many can be held against each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from scipy import special

from runoff._inference.gate.labels import Sizes, freedom, labellings, n_draws, n_labellings
from runoff._inference.pairs import PairData, run_means
from runoff.base.arrays import Bools, Floats
from runoff.base.random import Streams

ROUNDING = 1e-12
"""A difference below this share of the range of the scores is 0."""
NO_SPREAD = 1e-14
"""A squared error below this share of the squared scores is 0."""


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

    df: of the runs of both, if they spread alike; n_labellings: of its runs.
    """

    task: str | None
    blocks: tuple[Block, ...]
    df: float
    n_labellings: int

    def statistic(self, shift: float, rows: int | None = None) -> Floats:
        """Return t of the drop beyond a shift, under the first labellings or all, (n_draws,); ±inf without spread."""
        parts = [block.at(shift, rows) for block in self.blocks]
        added: Floats = np.add.reduce([part[0] for part in parts])
        error = np.sqrt(np.add.reduce([part[1] for part in parts]))
        drop: Floats = np.where(np.abs(added) > ROUNDING * (1 + abs(shift)), added, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            t: Floats = np.where((error == 0) & (drop == 0), 0.0, drop / error)
        return t

    def tail(self, statistic: Floats) -> Floats:
        """Return the tail of a statistic."""
        return np.asarray(special.stdtr(self.df, -statistic), np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The tasks, and last their mean if there are several; `scale`: what scores were divided by."""

    units: tuple[Unit, ...]
    scale: float

    def able(self, alpha: float) -> Bools:
        """Return whether the runs of each unit have labellings that are rare enough for a decision, (n_units,)."""
        return np.array([unit.n_labellings >= 1 / (alpha * (1 + ROUNDING)) for unit in self.units])

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

    def unit(task: str | None, blocks: Sequence[Block], count: int) -> Unit:
        df = freedom([block.sizes for block in blocks])
        return Unit(task=task, blocks=tuple(blocks), df=df, n_labellings=count)

    def block(x: Floats, y: Floats, number: int) -> Block:
        return block_of(x, y, scale, n, streams, 0 if pair.shared else number)

    singles = [block(x, y, t) for t, (x, y) in enumerate(zip(*cells, strict=True))]
    ways = [n_labellings(size) for size in (sizes * n_tasks if pair.shared else sizes)]
    units = [unit(task, [single], count) for task, single, count in zip(pair.tasks, singles, ways, strict=True)]
    if n_tasks > 1:
        parts = [block(run_means(cells[0]), run_means(cells[1]), 0)] if pair.shared else singles
        units.append(unit(None, parts, ways[0] if pair.shared else prod(ways)))
    return Family(units=tuple(units), scale=scale)


def _ordered(cells: Sequence[Floats], shared: bool) -> list[Floats]:
    """Return the cells of a side in an order of runs that does not depend on that of the rows."""
    if not shared:
        return [np.sort(cell) for cell in cells]
    order = np.lexsort(list(cells)[::-1])
    return [cell[order] for cell in cells]
