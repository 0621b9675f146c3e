"""The probability of improvement of a pair, with its t interval or by the bootstrap.

The bootstrap redraws runs within each task; whole runs, where they are shared by tasks; tasks as well, where these are a sample of more. Where
it has no width, another interval is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import optimize, special

from runoff._inference.bootstrap.intervals import Ends, percentile, usable
from runoff._inference.bootstrap.pool import block_size, random_words
from runoff._kernels.bootstrap import profile as kernels
from runoff.base.arrays import Counts, Floats, Ints
from runoff.base.random import Streams, for_each_block

# ── the t interval, from placements ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A measure of two algorithms, such as the probability of improvement, with its interval and how that was made."""

    estimate: float
    ends: Ends | None
    interval: str | None


def improvement_over_tasks(
    x: Sequence[Floats], y: Sequence[Floats], *, confidence_level: float, shared: bool = False
) -> Measured:
    """Return the probability of improvement of x over y where the tasks, two or more, are a sample of more.

    θ is excluded if |θ̂ − θ| > t s √(θ (1 − θ) / (θ̂ (1 − θ̂))): the t interval of the mean, its variance going to 0 at both ends as that of a
    probability does, so that it stays within [0, 1] and has width where one side is always ahead. s² is the variance of the tasks' own
    probabilities over T, which holds that of the runs, with T − 1 degrees of freedom; it is not taken smaller than that of the share of
    (T θ̂ + ½) / (T + 1) between T tasks. `shared`: tasks and runs cross, and the squared errors of both, of the runs by their placements
    (DeLong et al. 1988), are added, which counts the rest between them twice (Owen 2007). None for one task, or if a cell has one run.
    """
    placed = [placements(a, b) for a, b in zip(x, y, strict=True)]
    by_task = np.array([float(p.mean()) for p, _ in placed])
    estimate, n = float(by_task.mean()), by_task.size
    if n < 2 or min(cell.size for cell in [*x, *y]) < 2:
        return Measured(estimate=estimate, ends=None, interval=None)
    share = (n * estimate + 0.5) / (n + 1)
    total, df = max(float(by_task.var(ddof=1)), share * (1 - share) / n) / n, n - 1.0
    if shared:
        of_runs, df_runs = _of_whole_runs(placed, estimate)
        both = total + of_runs
        total, df = both, both**2 / (total**2 / df + of_runs**2 / df_runs)
    return _with_t(estimate, total, df, 0.5 / (n + 1), confidence_level)


def _of_whole_runs(placed: Sequence[tuple[Floats, Floats]], estimate: float) -> tuple[float, float]:
    """Return the squared error from runs that are shared by tasks, and its Welch-Satterthwaite degrees of freedom."""
    # Of runs that are always ahead nothing tells how much of it is the run's own: then a task more says nothing more.
    averaged = len(placed) if 0 < estimate < 1 else 1
    p, q = (np.mean([side[k] for side in placed], axis=0) for k in (0, 1))
    parts, freedom = np.array(_variances(p, q, averaged)), np.array([p.size - 1, q.size - 1])
    total = float(parts.sum())
    return total, total**2 / float(np.sum(parts**2 / freedom))


def _with_t(estimate: float, total: float, df: float, resolution: float, confidence_level: float) -> Measured:
    """Return an estimate with its t interval, from its squared error; `resolution` is the least distance of a share from 0 and 1."""
    t = float(special.stdtrit(df, (1 + confidence_level) / 2))
    inner = min(max(estimate, resolution), 1 - resolution)
    # The two θ with (θ̂ − θ)² = t² s² θ (1 − θ) / (inner (1 − inner)).
    k = t * t * total / (inner * (1 - inner))
    half = sqrt(k * estimate * (1 - estimate) + k * k / 4)
    ends = usable(max((estimate + k / 2 - half) / (1 + k), 0.0), min((estimate + k / 2 + half) / (1 + k), 1.0))
    return Measured(estimate=estimate, ends=ends, interval="t" if ends else None)


def placements(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the share of y below each x, and the share of x above each y, ties counting half: (n_x,) and (n_y,)."""
    return _ahead(x, y), 1.0 - _ahead(y, x)


def _ahead(x: Floats, y: Floats) -> Floats:
    others = np.sort(y)
    return np.asarray((np.searchsorted(others, x, "left") + np.searchsorted(others, x, "right")) / (2.0 * y.size))


def _variances(p: Floats, q: Floats, averaged: int) -> tuple[float, float]:
    """Return the variances of the mean placement of two sides; `averaged`: of how many tasks each placement is the mean."""
    n, m = p.size, q.size
    share = (sqrt(n * m) * float(p.mean()) + 0.5) / (sqrt(n * m) + 1)
    least = share * (1 - share) / (n * m * averaged)
    return max(float(p.var(ddof=1)), least) / n, max(float(q.var(ddof=1)), least) / m


Cells = Sequence[Floats]

TOGETHER = 64
"""Pairs whose replicates are kept at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ranked:
    """A pair as the kernels read it: what `beaten` says of every run of x, the offsets of both sides, and the estimate.

    runs: of both sides the run of each sorted score, where runs are shared by tasks.
    """

    below: Ints
    not_above: Ints
    sides: tuple[Ints, Ints]
    estimate: float
    runs: tuple[Ints, Ints] | None

    @property
    def design(self) -> tuple[bytes, bytes, bool]:
        return self.sides[0].tobytes(), self.sides[1].tobytes(), self.runs is not None

    @property
    def n_tasks(self) -> int:
        return self.sides[0].size - 1

    @property
    def fewest(self) -> int:
        return int(min(np.diff(side).min() for side in self.sides))


def resampled_improvements(
    pairs: Sequence[tuple[Cells, Cells]],
    *,
    n_resamples: int,
    confidence_level: float,
    streams: Streams,
    threads: int | None = None,
    shared: Sequence[bool] | None = None,
    over: str = "runs",
) -> list[Measured]:
    """Return the probability of improvement of x over y of each pair (x, y), two lists of cells (n_runs,) on the same tasks.

    Both sides are resampled within each task, independently (Agarwal et al. 2021 §4.3, appendix A.3). Pairs of one design, the numbers of
    runs, share their draws; what is drawn depends on nothing else, so that no pair changes another. One run in a cell: no interval. All runs
    of one side ahead: the bootstrap has no spread, and the score interval of `score_interval` is given, over tasks the t interval.
    shared: whether run i of a side is the same in every cell of a pair: whole runs are redrawn. over: "runs", or "runs_and_tasks": tasks are
    redrawn for both sides at once, and runs within each; one task has no interval.
    """
    whole = shared or [False] * len(pairs)
    ranked = [_ranked(x, y, by_run) for (x, y), by_run in zip(pairs, whole, strict=True)]
    alike: dict[tuple[bytes, bytes, bool], list[int]] = {}
    for i, pair in enumerate(ranked):
        if pair.fewest >= 2 and 0.0 < pair.estimate < 1.0 and (over == "runs" or pair.n_tasks > 1):
            alike.setdefault(pair.design, []).append(i)
    ends: dict[int, Ends | None] = {}
    for group in alike.values():
        for first in range(0, len(group), TOGETHER):
            some = group[first : first + TOGETHER]
            drawn = _replicates([ranked[i] for i in some], n_resamples, streams, threads, over)
            ends |= {
                i: percentile(row, ranked[i].estimate, confidence_level) for i, row in zip(some, drawn, strict=True)
            }
    return [
        improvement_over_tasks(*cells, confidence_level=confidence_level, shared=by_run)
        if over != "runs" and pair.estimate in (0.0, 1.0)
        else _resampled(pair, ends.get(i), confidence_level)
        for i, (pair, cells, by_run) in enumerate(zip(ranked, pairs, whole, strict=True))
    ]


def _ranked(x: Cells, y: Cells, shared: bool) -> _Ranked:
    sides = _offsets(x), _offsets(y)
    beaten = [kernels.beaten(np.sort(a), np.sort(b)) for a, b in zip(x, y, strict=True)]
    below, not_above = (np.concatenate(part) for part in zip(*beaten, strict=True))
    counts, running = (np.ones((1, offsets[-1]), np.int32) for offsets in sides)
    of_tasks = np.empty((1, len(x)))
    kernels.task_improvements(counts, _running(running, sides[1]), below, not_above, *sides, of_tasks)
    runs = tuple(np.concatenate([np.argsort(cell, kind="stable") for cell in side]) for side in (x, y))
    return _Ranked(
        below=below,
        not_above=not_above,
        sides=sides,
        estimate=float(_over_tasks(of_tasks)[0]),
        runs=(runs[0], runs[1]) if shared else None,
    )


def _over_tasks(of_tasks: Floats) -> Floats:
    return np.asarray(np.add.accumulate(of_tasks, axis=1)[:, -1] / of_tasks.shape[1])


def _running(counts: Counts, offsets: Ints) -> Counts:
    running = np.empty((counts.shape[0], counts.shape[1] + offsets.size - 1), np.int32)
    kernels.running_counts(counts, offsets, running)
    return running


def _resampled(pair: _Ranked, ends: Ends | None, confidence_level: float) -> Measured:
    """Return the improvement of a pair with its bootstrap interval, or the score interval where one side is always ahead."""
    if pair.fewest >= 2 and pair.estimate in (0.0, 1.0):
        sizes = list(zip(*(np.diff(side).tolist() for side in pair.sides), strict=True))
        # Of whole runs that are always ahead a task more says nothing more.
        sizes = sizes if pair.runs is None else sizes[:1]
        ends_of_score = score_interval(pair.estimate, sizes, confidence_level)
        return Measured(estimate=pair.estimate, ends=ends_of_score, interval="score")
    return Measured(estimate=pair.estimate, ends=ends, interval="percentile" if ends else None)


def score_interval(estimate: float, sizes: Sequence[tuple[int, int]], confidence_level: float) -> Ends:
    """Return the values θ whose standard error, with θ the same on every task, does not exclude the estimate.

    Newcombe 2006, method 5, of one task: Var θ = θ(1 − θ)(1 + (N − 1)((1 − θ)/(2 − θ) + θ/(1 + θ))) / (n_x n_y), N = (n_x + n_y) / 2; the mean
    over T tasks has the mean of the variances over T.
    """
    z = float(special.ndtri((1 + confidence_level) / 2))

    def excess(theta: float) -> float:
        shape = (1 - theta) / (2 - theta) + theta / (1 + theta)
        factors = [(1 + ((n + m) / 2 - 1) * shape) / (n * m) for n, m in sizes]
        return (estimate - theta) ** 2 - z * z * theta * (1 - theta) * sum(factors) / len(sizes) ** 2

    if estimate == 1.0:
        return float(optimize.brentq(excess, 1e-12, 1 - 1e-9)), 1.0
    return 0.0, float(optimize.brentq(excess, 1e-9, 1 - 1e-12))


def _replicates(pairs: Sequence[_Ranked], n_resamples: int, streams: Streams, threads: int | None, over: str) -> Floats:
    """Return (n_pairs, n_resamples) of pairs of one design: runs, and tasks, are drawn once for all of them."""
    sides = pairs[0].sides
    out, size = np.empty((len(pairs), n_resamples)), block_size(int(sides[0][-1] + sides[1][-1]))
    draw = _draw_runs if over == "runs" else _draw_tasks

    def work(block: int) -> None:
        rows = out[:, block * size : (block + 1) * size]
        if pairs[0].runs is not None:
            _draw_whole(pairs, rows, streams, block, over)
        else:
            draw(pairs, rows, streams, block)

    for_each_block(work, range(-(-n_resamples // size)), threads)
    return out


def _draw_runs(pairs: Sequence[_Ranked], rows: Floats, streams: Streams, block: int) -> None:
    """Fill rows (n_pairs, block) with resamples of the runs within each task."""
    sides, n_rows = pairs[0].sides, rows.shape[1]
    words = [random_words(streams.block("improvement", s, block), n_rows, int(at[-1])) for s, at in enumerate(sides)]
    if len(pairs) == 1:
        # Counts serve several pairs; for one, every task drawn once in turn gives the same numbers sooner.
        slots = np.tile(np.arange(pairs[0].n_tasks), (n_rows, 1))
        kernels.improvements_over_tasks(words[0], words[1], slots, pairs[0].below, pairs[0].not_above, *sides, rows[0])
        return
    counts = [np.empty((n_rows, int(offsets[-1])), np.int32) for offsets in sides]
    for drawn, own, offsets in zip(counts, words, sides, strict=True):
        kernels.drawn_counts(own, offsets, drawn)
    running, of_tasks = _running(counts[1], sides[1]), np.empty((n_rows, pairs[0].n_tasks))
    for pair, row in zip(pairs, rows, strict=True):
        kernels.task_improvements(counts[0], running, pair.below, pair.not_above, *sides, of_tasks)
        row[:] = _over_tasks(of_tasks)


def _draw_tasks(pairs: Sequence[_Ranked], rows: Floats, streams: Streams, block: int) -> None:
    """Fill rows (n_pairs, block) with resamples of tasks, and of the runs of both sides within each drawn task."""
    sides = pairs[0].sides
    slots = _drawn_tasks(pairs[0].n_tasks, rows.shape[1], streams, block)
    words = [
        random_words(
            streams.block("improvement", side, block), rows.shape[1], slots.shape[1] * int(np.diff(offsets).max())
        )
        for side, offsets in enumerate(sides)
    ]
    for pair, row in zip(pairs, rows, strict=True):
        kernels.improvements_over_tasks(words[0], words[1], slots, pair.below, pair.not_above, *sides, row)


def _draw_whole(pairs: Sequence[_Ranked], rows: Floats, streams: Streams, block: int, over: str) -> None:
    """Fill rows (n_pairs, block) with resamples of whole runs, and, over tasks, of tasks."""
    sides, n_tasks, drawn = pairs[0].sides, pairs[0].n_tasks, []
    for side, offsets in enumerate(sides):
        whole = np.empty((rows.shape[1], int(offsets[1])), np.int32)
        words = random_words(streams.block("improvement", side, block), *whole.shape)
        kernels.drawn_counts(words, offsets[:2], whole)
        drawn.append(whole)
    slots = None if over == "runs" else _drawn_tasks(n_tasks, rows.shape[1], streams, block)
    of_tasks = np.empty((rows.shape[1], n_tasks))
    for pair, row in zip(pairs, rows, strict=True):
        assert pair.runs is not None
        counts = [np.ascontiguousarray(whole[:, runs]) for whole, runs in zip(drawn, pair.runs, strict=True)]
        running = _running(counts[1], sides[1])
        kernels.task_improvements(counts[0], running, pair.below, pair.not_above, *sides, of_tasks)
        row[:] = (of_tasks if slots is None else np.take_along_axis(of_tasks, slots, axis=1)).mean(axis=1)


def _drawn_tasks(n_tasks: int, n_rows: int, streams: Streams, block: int) -> Ints:
    return streams.block("improvement tasks", block).integers(n_tasks, size=(n_rows, n_tasks))


def _offsets(cells: Sequence[Floats]) -> Ints:
    return np.concatenate([[0], np.cumsum([cell.size for cell in cells])]).astype(np.int64)
