"""Bands of a performance profile by name: each is one record with its builder. No band has no width."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import lcm
from types import MappingProxyType

import numpy as np
from scipy import special

from runoff._inference.bootstrap import profile
from runoff._inference.bootstrap.intervals import Rate, clopper_pearson, mean_rate
from runoff._inference.bootstrap.pool import Pool, block_size, random_words
from runoff._kernels.bootstrap import profile as kernels
from runoff.base.arrays import Bools, Floats, Ints, Words
from runoff.base.random import Drawing, in_threads

LATTICE = 2**16
"""Places of the lattice of unequal numbers of runs, if their own is finer."""
KEPT = 2**23
"""Resampled shares that are held at once: 64 MB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BandWanted(Drawing):
    """What a band is made of: one algorithm's pool, with two runs or more in each cell, and its profile at ascending thresholds."""

    pool: Pool
    kind: str
    thresholds: Floats
    estimate: Floats

    @property
    def tail(self) -> float:
        return (1 - self.confidence_level) / 2

    @property
    def n_rows(self) -> int:
        """Return how many whole runs are drawn from; 0 where each task has its own."""
        return int(self.pool.n_runs[0]) if self.pool.rows is not None else 0

    @property
    def certain(self) -> int:
        """Return how many independent draws stand behind a share at least: whole runs, or as many of each task as the smallest has."""
        return self.n_rows or self.pool.n_tasks * int(self.pool.n_runs.min())


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """A band: its ends, (n_thresholds,) each, NaN where there is none, and where it had no width and Clopper and Pearson's is given."""

    low: Floats
    high: Floats
    replaced: Bools


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """One kind of band.

    title, label: in sentences, and in tables. kinds: the profiles it is made for. draws: whether it resamples. pointwise: whether its level
    holds at each threshold, or for all together. narrow: whether few runs make it too narrow.
    """

    title: str
    label: str
    kinds: tuple[str, ...]
    build: Callable[[BandWanted], Ends]
    draws: bool = False
    pointwise: bool = True
    narrow: bool = False


# ── exact ──────────


def exact(wanted: BandWanted) -> Ends:
    """Return the percentile ends of infinitely many resamples, from the law of the resampled share."""
    if not wanted.n_rows:
        return with_width(wanted, *exact_ends(wanted.pool, wanted.thresholds, wanted.tail))
    out = np.empty((wanted.thresholds.size, 2), dtype=np.int64)
    above = profile.tasks_above(wanted.pool, wanted.thresholds)
    kernels.exact_ends_of_rows(above, wanted.pool.n_tasks, wanted.tail, out)
    return with_width(wanted, out[:, 0] / wanted.pool.values.size, out[:, 1] / wanted.pool.values.size)


def exact_ends(pool: Pool, thresholds: Floats, tail: float) -> tuple[Floats, Floats]:
    """Return the percentile ends, (n_thresholds,) each, of infinitely many resamples of the runs within each task; some have no width."""
    out = np.empty((thresholds.size, 2), dtype=np.int64)
    group, sizes, places, total = grouped(pool.n_runs)
    kernels.exact_ends(profile.runs_above(pool, thresholds), group, sizes, places, tail, out)
    return out[:, 0] / total, out[:, 1] / total


def grouped(n_runs: Ints) -> tuple[Ints, Ints, Ints, int]:
    """Return the group of each task (n_tasks,), the runs of each group, their places on the lattice (n_groups, n), and its last place.

    Tasks of equal numbers of runs are a group, whose law is exact. The places of j runs above are exact too, unless the common lattice has more
    than `LATTICE` places: then each group's are rounded to that many, and an end is off by at most n_groups / (2 · LATTICE).
    """
    sizes, group = np.unique(n_runs, return_inverse=True)
    n_tasks = np.bincount(group)
    finest = n_runs.size * lcm(*map(int, sizes))
    total = min(finest, LATTICE)
    places = np.zeros((sizes.size, int((n_tasks * sizes).max()) + 1), dtype=np.int64)
    for g, (size, tasks) in enumerate(zip(sizes.tolist(), n_tasks.tolist(), strict=True)):
        runs = np.arange(size * tasks + 1)
        places[g, : runs.size] = np.rint(runs * (total / (n_runs.size * size)))
    return group.astype(np.int64), sizes.astype(np.int64), places, total


# ── Wilson ──────────


def wilson(wanted: BandWanted) -> Ends:
    """Return Wilson's score interval of the share from the number of runs that a single task would need for the same variance.

    It is that of success rates (`mean_rate`): a run is above, or not. Shared runs: the variance of a mean of n_runs shares of tasks, pulled
    towards that of runs that are above on all tasks or on none.
    """
    rate = mean_rate(profile.runs_above(wanted.pool, wanted.thresholds), wanted.pool.n_runs)
    if wanted.n_rows:
        shares = profile.tasks_above(wanted.pool, wanted.thresholds) / wanted.pool.n_tasks
        freedom, whole = wanted.n_rows - 1, rate.value * (1 - rate.value)
        variance = (freedom * shares.var(axis=1, ddof=1) + whole) / (freedom + 1) / wanted.n_rows
        least = np.full(whole.size, float(wanted.n_rows))
        rate = Rate(rate.value, np.divide(whole, variance, out=least, where=whole > 0))
    low, high = rate.interval(2 * wanted.tail)
    return Ends(low=low, high=high, replaced=np.zeros(low.size, dtype=np.bool_))


# ── resampled ──────────


def resampled(wanted: BandWanted) -> Ends:
    """Return the percentile ends of the stratified bootstrap; thresholds in parts that memory holds, with the same draws for each."""
    at_once = max(1, KEPT // wanted.n_resamples)
    low, high = np.empty((2, wanted.thresholds.size))
    for start in range(0, wanted.thresholds.size, at_once):
        part = slice(start, start + at_once)
        low[part], high[part] = np.quantile(_shares(wanted, part), [wanted.tail, 1 - wanted.tail], axis=0)
    if wanted.kind == "run_scores":
        return with_width(wanted, low, high)
    none = ~(high - low > 1e-12)
    return Ends(low=np.where(none, np.nan, low), high=np.where(none, np.nan, high), replaced=np.zeros_like(none))


def _shares(wanted: BandWanted, part: slice) -> Floats:
    """Return resampled shares (n_resamples, n_thresholds of the part)."""
    pool, thresholds = wanted.pool, wanted.thresholds[part]
    out = np.empty((wanted.n_resamples, thresholds.size))
    drawn, lattice = _drawn(wanted, 0), profile.lattice(pool.n_runs)
    units, levels = lattice.units, profile.levels(pool, thresholds)
    slack = profile.rounding(pool)

    def fill(block: int, rows: Floats) -> None:
        words = _words(wanted, "profile", block, len(rows))
        if wanted.kind == "run_scores":
            kernels.resampled_shares(words, drawn, units, levels, lattice.total, rows)
        else:
            kernels.resampled_means_above(words, drawn, pool.values, thresholds + slack, rows)

    _in_blocks(wanted, out, fill)
    return out


def simultaneous(wanted: BandWanted) -> Ends:
    """Return the estimate ± a quantile of the largest deviation of a resampled profile from it, over all τ, not only the thresholds.

    Resamples are of one run less in each task, each weighing more, so that their spread is that of the estimate (Rao & Wu 1988). The
    quantile is widened by that of Student's t over the normal one, Σ (c_t − 1) degrees of freedom, for the error of that spread; run scores: no
    further than the exact quantile of Kolmogorov's statistic of as many runs, which is its own for one task and wider than needed
    where tasks differ.
    """
    deviations = _deviations(wanted)
    width = float(np.quantile(deviations, wanted.confidence_level, method="inverted_cdf"))
    freedom = wanted.n_rows - 1 if wanted.n_rows else wanted.pool.values.size - wanted.pool.n_tasks
    widened = width * float(special.stdtrit(freedom, 1 - wanted.tail) / special.ndtri(1 - wanted.tail))
    if wanted.kind == "run_scores":
        from scipy import stats  # half a second, for this band alone

        most = float(stats.kstwo.ppf(wanted.confidence_level, wanted.certain))
        widened = min(widened, most) if width > 1e-12 and wanted.pool.n_tasks > 1 else most
    elif not width > 1e-12:
        widened = np.nan
    low, high = np.maximum(wanted.estimate - widened, 0.0), np.minimum(wanted.estimate + widened, 1.0)
    return Ends(low=low, high=high, replaced=np.zeros(low.size, dtype=np.bool_))


def _deviations(wanted: BandWanted) -> Floats:
    pool, out = wanted.pool, np.empty(wanted.n_resamples)
    drawn, lattice, slack = _drawn(wanted, 1), profile.lattice(pool.n_runs), profile.rounding(pool)
    jumps, means = np.unique(pool.values), profile.ascending_means(pool)
    units, levels, estimate = lattice.units, profile.levels(pool, jumps), profile.run_shares(pool, jumps)

    def fill(block: int, rows: Floats) -> None:
        words = _words(wanted, "profile deviation", block, len(rows))
        if wanted.kind == "run_scores":
            kernels.resampled_deviations(words, drawn, units, levels, lattice.total, estimate, rows)
        else:
            kernels.mean_deviations(words, drawn, pool.values, means, slack, rows)

    _in_blocks(wanted, out, fill)
    return out


def _drawn(wanted: BandWanted, fewer: int) -> kernels.Drawn:
    rows = wanted.pool.rows
    no_rows = np.zeros(0, dtype=np.int64)
    return kernels.Drawn(
        offsets=wanted.pool.offsets, rows=no_rows if rows is None else rows, n_rows=wanted.n_rows, fewer=fewer
    )


def _words(wanted: BandWanted, purpose: str, block: int, n: int) -> Words:
    return random_words(wanted.streams.block(purpose, block), n, wanted.n_rows or wanted.pool.values.size)


def _in_blocks(wanted: BandWanted, out: Floats, fill: Callable[[int, Floats], None]) -> None:
    size = block_size(wanted.n_rows or wanted.pool.values.size)
    blocks = range(-(-len(out) // size))
    in_threads(lambda block: fill(block, out[block * size : (block + 1) * size]), blocks, wanted.threads)


# ── no width ──────────


def with_width(wanted: BandWanted, low: Floats, high: Floats) -> Ends:
    """Return a band; where it has no width, Clopper and Pearson's interval of the share (1934).

    No resample differs where every task has all its runs above or none. Of binomial counts that need not be alike, the binomial of their mean
    has the longest tails (Hoeffding 1956, theorem 5), so that the interval of the pooled runs covers whatever the tasks are; tasks with
    more runs count as the smallest does. Shared runs that are all above on equally many tasks: at most the share u of other runs may differ,
    1 − (α/2)^(1/n_runs), in either direction.
    """
    none = ~(high - low > 1e-12)
    if not none.any():
        return Ends(low=low, high=high, replaced=none)
    share = wanted.estimate[none]
    if wanted.n_rows:
        other = 1 - wanted.tail ** (1 / wanted.n_rows)
        ends = share * (1 - other), share + (1 - share) * other
    else:
        ends = clopper_pearson(np.rint(share * wanted.certain), wanted.certain, wanted.tail)
    low, high = low.copy(), high.copy()
    low[none], high[none] = ends
    return Ends(low=low, high=high, replaced=none)


RUNS, BOTH = ("run_scores",), ("run_scores", "average_scores")
BANDS: Mapping[str, Band] = MappingProxyType(
    {
        "exact": Band(
            title="exact percentile bootstrap", label="exact bootstrap", kinds=RUNS, build=exact, narrow=True
        ),
        "wilson": Band(title="Wilson score", label="Wilson", kinds=RUNS, build=wilson),
        "bootstrap": Band(
            title="percentile bootstrap", label="bootstrap", kinds=BOTH, build=resampled, draws=True, narrow=True
        ),
        "simultaneous": Band(
            title="simultaneous bootstrap",
            label="simultaneous",
            kinds=BOTH,
            build=simultaneous,
            draws=True,
            pointwise=False,
        ),
    }
)
"""The bands by name."""
