"""What every blocked rank test starts from: centred ranks by task, integer weights, and the quadratic form.

Sums of ranks are integers, and "as extreme as observed" is decided without rounding where all algorithms have equally many runs on a task, else
up to a relative tolerance.

Draws are made along the storage, so without one arrangement of the same runs (`canonical`) a p-value by Monte Carlo would depend, within its
error, on the order of a file.

Tests within tasks add up, over tasks, a number of each run: its score, or its rank on the task. Where a run is the same on every task,
these sums are one number for each run, and the test is that of one task with these numbers for scores (`by_row`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import fsum, gcd, lcm

import numpy as np

from runoff._inference.about import AboutTest
from runoff._kernels.blocked import ranks as kernels
from runoff._kernels.blocked.ranks import centred_ranks
from runoff.base.arrays import Bools, Floats, Ints
from runoff.errors import DesignError
from runoff.words.speech import choice, option

Weights = Callable[[Ints], tuple[Floats, Ints | None]]
"""Task sizes -> weights, and integers proportional to them (None where no small ones exist)."""

SAFE = 2**62
"""Ints up to here are added and multiplied without overflow."""
FIXED_POINT = 2**40
"""Weights that are not commensurable are rounded to this precision; comparisons then have a tolerance."""
TOLERANCE = 1e-9
"""Relative tolerance of a comparison that cannot be made in integers."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """Runs and centred doubled mid-ranks of the tasks on which at least two algorithms have runs, task after task.

    values, ranks: (total,); starts: (n_tasks + 1,); counts, sums: (n_tasks, n_algorithms); squares: (n_tasks,).
    tasks, algorithms: their positions in the data.
    """

    values: Floats
    ranks: Ints
    starts: Ints
    counts: Ints
    sums: Ints
    squares: Ints
    tasks: Ints
    algorithms: Ints

    @property
    def sizes(self) -> Ints:
        return np.asarray(np.diff(self.starts))

    @property
    def balanced(self) -> bool:
        """Whether within every task all algorithms have equally many runs."""
        return bool((self.counts == self.counts[:, :1]).all())


def gather(values: Floats, offsets: Ints, n_algorithms: int, n_tasks: int) -> Blocks:
    """Return the blocks of flat ragged storage sorted by (algorithm, task)."""
    counts = np.diff(offsets).reshape(n_algorithms, n_tasks).T
    tasks = np.flatnonzero((counts > 0).sum(axis=1) >= 2)
    counts = np.ascontiguousarray(counts[tasks], np.int64)
    firsts = offsets[:-1].reshape(n_algorithms, n_tasks).T[tasks].ravel()
    lengths = counts.ravel()
    ends = np.cumsum(lengths)
    index = np.repeat(firsts - (ends - lengths), lengths) + np.arange(lengths.sum())
    return blocks_of(values[index].astype(np.float64), counts, tasks.astype(np.int64), np.arange(n_algorithms))


def averaged(blocks: Blocks) -> Blocks:
    """Return the blocks with every cell replaced by the mean of its runs."""
    flat = blocks.counts.ravel()
    running = np.add.reduceat(blocks.values, np.concatenate([[0], np.cumsum(flat[flat > 0])[:-1]]))
    return blocks_of(running / flat[flat > 0], (blocks.counts > 0).astype(np.int64), blocks.tasks, blocks.algorithms)


def blocks_of(values: Floats, counts: Ints, tasks: Ints, algorithms: Ints) -> Blocks:
    """Return the blocks of values that lie task after task, and in a task algorithm after algorithm."""
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts.sum(axis=1))])
    ranks = centred_ranks(values, starts)
    squares = np.add.reduceat(np.square(ranks), starts[:-1]) if len(counts) else np.zeros(0, np.int64)
    return Blocks(
        values=values,
        ranks=ranks,
        starts=starts,
        counts=counts,
        sums=kernels.cell_sums(ranks, counts),
        squares=squares,
        tasks=tasks,
        algorithms=algorithms,
    )


def centred(blocks: Blocks) -> Floats:
    """Return the scores about the middle of their task: differences within tasks are the same, and do not lose digits to an offset."""
    middles = [np.median(task) for task in np.split(blocks.values, blocks.starts[1:-1])]
    return np.asarray(blocks.values - np.repeat(middles, blocks.sizes))


def mean_ranks(blocks: Blocks) -> tuple[Floats, Floats]:
    """Return sums over tasks, and means, of the cells' mean ranks; rank 1 is the highest score of a task.

    An algorithm without runs on any of these tasks has sum 0 and mean 0. Source: Casesa (2024) eq. 2.21 with the
    missing 1/c put in.
    """
    present = blocks.counts > 0
    within = (blocks.sizes[:, None] + 1) / 2.0 - blocks.sums / (2.0 * np.maximum(blocks.counts, 1))
    sums: Floats = np.where(present, within, 0.0).sum(axis=0)
    return sums, sums / np.maximum(present.sum(axis=0), 1)


def average_ranks(blocks: Blocks) -> Floats:
    """Return each algorithm's place, 1 to k, in a draw of one run of each: 1 + Σ_j P(j beats it), over tasks that weigh by their runs.

    Where all cells of a task are equally large this is a linear map of the mean ranks of its runs, whose differences it divides by the runs of
    a cell. An algorithm that is missing from a task has no place there; places of the others are stretched to 1 to k. 0: no runs at all.
    """
    present = blocks.counts > 0
    # Among m of k algorithms one can be behind m − 1 others: stretched to k − 1, so that places on all tasks are of one scale.
    behind = _runs_ahead(blocks) * ((present.shape[1] - 1) / np.maximum(present.sum(axis=1) - 1, 1))[:, None]
    weights = np.where(present, (blocks.sizes / present.sum(axis=1))[:, None], 0.0)
    return np.asarray((weights * (1.0 + behind)).sum(axis=0) / np.maximum(weights.sum(axis=0), 1e-300))


def _runs_ahead(blocks: Blocks) -> Floats:
    """Return (n_tasks, n_algorithms): the sum over the others of the chance that a run of theirs beats one of this algorithm, ties half."""
    counts, sizes = blocks.counts, blocks.sizes[:, None]
    if blocks.balanced:
        pooled = (sizes + 1) / 2.0 - blocks.sums / (2.0 * counts)
        return np.asarray((pooled - (counts + 1) / 2.0) / counts)
    ahead = np.zeros(counts.shape)
    for t, values in enumerate(np.split(blocks.values, blocks.starts[1:-1])):
        cells = [np.sort(cell) for cell in np.split(values, np.cumsum(counts[t])[:-1])]
        for i, own in enumerate(cells):
            for j, other in enumerate(cells):
                if i != j and own.size and other.size:
                    below = np.searchsorted(other, own, "left") + np.searchsorted(other, own, "right")
                    ahead[t, i] += 1.0 - below.mean() / (2.0 * other.size)
    return ahead


# ── weights ──────────


def reciprocal(shift: int) -> Weights:
    """Weights 1 / (q + shift): 0 is Mack & Skillings, 1 is van Elteren."""

    def weights(sizes: Ints) -> tuple[Floats, Ints | None]:
        divisors = [int(q) + shift for q in sizes]
        common = lcm(*divisors) if divisors else 1
        whole = np.array([common // d for d in divisors], np.int64) if common < FIXED_POINT else None
        return 1.0 / (sizes.astype(np.float64) + shift), whole

    return weights


def inverse_root(sizes: Ints) -> tuple[Floats, Ints | None]:
    """Weights (q + 1)^(-1/2) of Skillings & Mack (1981) eq. 2.2; whole only when all tasks are equally large."""
    equal = sizes.size == 0 or bool((sizes == sizes[0]).all())
    return 1.0 / np.sqrt(sizes.astype(np.float64) + 1.0), np.ones(sizes.size, np.int64) if equal else None


# ── the statistic ──────────


@dataclass(frozen=True, slots=True)
class QuadraticForm:
    """A weighted rank statistic Q = Tᵀ A T with integer T, and how to compare it.

    units: (n_tasks,) integer weight of each task's centred ranks; totals: (n_algorithms,) observed T; matrix:
    (n_algorithms, n_algorithms), int64 when Q is compared in integers, else float64; df: rank of the covariance.
    statistic: Q on the χ² scale; z: T of the first algorithm in units of its null standard deviation. slack: what
    rounded units can make of equal sums, 0 when they are whole.
    """

    units: Ints
    totals: Ints
    matrix: Ints | Floats
    df: int
    statistic: float
    z: float
    slack: int

    def threshold(self) -> int | float:
        """Least value of Tᵀ A T that counts as extreme as the observed one."""
        observed = self.totals @ self.matrix @ self.totals
        if self.matrix.dtype == np.int64:
            return int(observed)
        return float(observed) * (1.0 - TOLERANCE) - 1e-12


def quadratic_form(blocks: Blocks, weights: Weights) -> QuadraticForm:
    """Return the observed statistic of a weighting; all-tied data have statistic 0 with 0 degrees of freedom."""
    real, whole = weights(blocks.sizes)
    reach = blocks.counts.max(axis=1, initial=0) * blocks.sizes
    units = _fixed_point(real, reach) if whole is None else whole // max(gcd(*whole.tolist()), 1)
    slack = int(reach.sum()) if whole is None else 0
    keep = kernels.kept(kernels.components(blocks.counts, blocks.squares))
    statistic, z = _observed(blocks, real, keep)
    # Where all algorithms have equally many runs, Q is a multiple of Σ T², which is compared in integers.
    matrix: Ints | Floats = np.eye(keep.size, dtype=np.int64)
    if whole is None or not blocks.balanced or int(np.abs(units) @ reach) ** 2 * keep.size**2 >= SAFE:
        sigma = kernels.covariance(blocks.counts, blocks.squares, units.astype(np.float64))
        matrix = kernels.general_inverse(sigma, keep)
    return QuadraticForm(units, units @ blocks.sums, matrix, int(keep.sum()), statistic, z, slack)


def _observed(blocks: Blocks, real: Floats, keep: Bools) -> tuple[float, float]:
    """Return Q, and the first algorithm's sum in units of its standard deviation (0 where nothing varies)."""
    totals = real @ blocks.sums
    sigma = kernels.covariance(blocks.counts, blocks.squares, real)
    statistic = float(totals @ kernels.general_inverse(sigma, keep) @ totals)
    spread = float(np.sqrt(sigma[0, 0]))
    return max(statistic, 0.0), float(totals[0]) / spread if spread > 0.0 else 0.0


def _fixed_point(real: Floats, reach: Ints) -> Ints:
    """Round weights to integers whose sums of ranks stay below 2⁶⁰; reach: largest rank sum of each task."""
    relative = real / real.max(initial=1e-300)
    return np.asarray(np.rint(relative * min(FIXED_POINT, 2.0**60 / float(relative @ reach))).astype(np.int64))


# ── one arrangement of the same runs ──────────


def canonical(blocks: Blocks, *, by_rank: bool) -> Blocks:
    """Return the blocks rearranged by their ranks, then by their scores; `tasks` and `algorithms` say where they were.

    Rows are sorted within cells. Tasks and algorithms are sorted by what they hold: a task by its runs, an algorithm by its runs task
    by task, then tasks with the same runs by whose they are. Ranks come first, so that the unit of the scores does not show either. What is
    still equal cannot be told apart but by its name.
    """
    n, k = blocks.counts.shape
    values = _cells(blocks.values + 0.0, blocks)  # of −0.0 and 0.0, which are equal and have different bytes, one
    ranks = _cells(blocks.ranks.astype(np.float64), blocks)
    scores = ranks if by_rank else values
    # Whose ranks and scores they are does not show in these keys of a task.
    alike = [(int(blocks.sizes[i]), tuple(sorted(cell.tobytes() for cell in ranks[i]))) for i in range(n)]
    equal = [(alike[i], np.sort(np.concatenate(scores[i])).tobytes()) for i in range(n)]
    own = [
        (
            sorted((alike[i], ranks[i][a].tobytes()) for i in range(n)),
            sorted((equal[i], ranks[i][a].tobytes(), scores[i][a].tobytes()) for i in range(n)),
        )
        for a in range(k)
    ]
    order = sorted(range(k), key=lambda a: own[a])
    placed = sorted(
        range(n),
        key=lambda i: (alike[i], [ranks[i][a].tobytes() for a in order], [scores[i][a].tobytes() for a in order]),
    )
    counts = np.ascontiguousarray(blocks.counts[placed][:, order])
    flat = np.concatenate([values[i][a] for i in placed for a in order])
    return blocks_of(flat, counts, blocks.tasks[placed], blocks.algorithms[order])


def _cells(flat: Floats, blocks: Blocks) -> list[list[Floats]]:
    n, k = blocks.counts.shape
    cells = [np.sort(cell) for cell in np.split(flat, np.cumsum(blocks.counts.ravel())[:-1])]
    return [cells[i * k : (i + 1) * k] for i in range(n)]


# ── runs that are scored on all tasks ──────────


def by_row(blocks: Blocks, *, by_rank: bool = False) -> Blocks:
    """Return one block with a row for each run, row i of every cell: mean score and sum of ranks; refuse an algorithm that lacks a task."""
    counts = blocks.counts[0]
    if (blocks.counts != counts).any():
        task, algorithm = np.argwhere(blocks.counts != counts)[0].tolist()
        raise DesignError(
            "shared runs are relabelled as a whole, so all algorithms need the same tasks; algorithm number "
            f"{int(blocks.algorithms[algorithm])} has other runs on task number {int(blocks.tasks[task])} (counted from 0); use "
            f"{choice('scores.select(tasks=...)', '--tasks')}, or compare pairs."
        )
    n_tasks, size = blocks.tasks.size, int(counts.sum())
    # Summed exactly: the order of tasks must not show in the last digits.
    values = np.array([fsum(scores) / n_tasks for scores in centred(blocks).reshape(n_tasks, size).T.tolist()])
    ranks = blocks.ranks.reshape(n_tasks, size).sum(axis=0)
    ends = np.cumsum(counts)[:-1]
    keys = (ranks,) if by_rank else (ranks, values)
    cells = [own[np.lexsort([key[own] for key in keys])] for own in np.split(np.arange(size), ends)]
    contents = [[tuple(key[cell].tolist()) for key in reversed(keys)] for cell in cells]
    order = sorted(range(len(cells)), key=contents.__getitem__)
    rows = np.concatenate([cells[a] for a in order])
    ordered = np.ascontiguousarray(counts[order])[None, :]
    return replace(
        blocks,
        values=values[rows],
        ranks=ranks[rows],
        starts=np.array([0, size], np.int64),
        counts=ordered,
        sums=kernels.cell_sums(ranks[rows], ordered),
        squares=np.array([int(np.square(ranks).sum())], np.int64),
        tasks=blocks.tasks[:1],
        algorithms=blocks.algorithms[order],
    )


def refuse_unshareable(name: str, about: AboutTest) -> None:
    """Refuse what cannot be asked of runs that are scored on all tasks."""
    if about.averages:
        raise DesignError(
            f"{name} takes tasks for independent, but these runs are shared by all tasks ({option('runs', 'shared')}); use "
            f"{option('test', 'mack_skillings')}."
        )
