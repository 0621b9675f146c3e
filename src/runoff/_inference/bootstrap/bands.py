"""Bands of a performance profile by name: each is one record with its builder. No band has no width."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import lcm
from types import MappingProxyType

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy import special

from runoff._inference.bootstrap import profile
from runoff._inference.bootstrap.pool import Pool, in_blocks, random_words
from runoff._inference.bootstrap.success import Rate, clopper_pearson, mean_rate
from runoff._kernels.bootstrap import profile as kernels
from runoff.base.arrays import Bools, Floats, Ints, Words
from runoff.base.random import IntervalOptions

LATTICE = 2**16
"""Places of the lattice of unequal numbers of runs, if their own is finer."""
SLACK = 1e-12
"""A tail that reaches its level but for rounding reaches it."""
KEPT = 2**23
"""The number of resampled shares in memory at a time: 64 MB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BandWanted(IntervalOptions):
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
    def n_drawn(self) -> int:
        """Return how many runs a resample draws."""
        return self.n_rows or self.pool.values.size

    @property
    def certain(self) -> int:
        """Return how many independent draws stand behind a share at least: whole runs, or as many of each task as the smallest has."""
        return self.n_rows or self.pool.n_tasks * int(self.pool.n_runs.min())


@dataclass(frozen=True, slots=True, kw_only=True)
class BandEnds:
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
    build: Callable[[BandWanted], BandEnds]
    draws: bool = False
    pointwise: bool = True
    narrow: bool = False


# ── exact ──────────


def exact(wanted: BandWanted) -> BandEnds:
    """Return the percentile ends of infinitely many resamples, from the law of the resampled share."""
    if not wanted.n_rows:
        return with_width(wanted, *exact_ends(wanted.pool, wanted.thresholds, wanted.tail))
    above, back = _once(profile.tasks_above(wanted.pool, wanted.thresholds))
    n = wanted.pool.values.size
    # A whole run adds its tasks above, and the sum over as many draws as there are runs has the power of its transform.
    transform = np.exp(np.multiply.outer(above, _frequencies(n))).mean(axis=1) ** wanted.n_rows
    low, high = _outermost(scipy.fft.irfft(transform, n + 1), wanted.tail)
    return with_width(wanted, low[back] / n, high[back] / n)


def exact_ends(pool: Pool, thresholds: Floats, tail: float) -> tuple[Floats, Floats]:
    """Return the percentile ends, (n_thresholds,) each, of infinitely many resamples of the runs within each task; some have no width.

    Tasks of equal numbers of runs have a common law, and the sum of their laws lies on the lattice of all. Where that has more than `LATTICE`
    places, an end is off by at most the number of different sizes over twice as many.
    """
    above, back = _once(profile.runs_above(pool, thresholds))
    sizes, kind = np.unique(pool.n_runs, return_inverse=True)
    laws = [_law(above[:, kind == g], size) for g, size in enumerate(sizes.tolist())]
    total = min(pool.n_tasks * lcm(*sizes.tolist()), LATTICE)
    mass = (
        laws[0]
        if len(laws) == 1
        else np.stack([_sum(row, sizes, pool.n_tasks, total) for row in zip(*laws, strict=True)])
    )
    low, high = _outermost(mass, tail)
    total = mass.shape[1] - 1
    return low[back] / total, high[back] / total


def _once(rows: Ints) -> tuple[Ints, Ints]:
    """Return different rows, and which of them each was: between many thresholds lies no run."""
    different, back = np.unique(rows, axis=0, return_inverse=True)
    return different, back.ravel()


def _frequencies(n: int) -> NDArray[np.complex128]:
    """Return −2πi f / (n + 1), at which the law of a count of at most n is transformed."""
    return np.asarray(-2j * np.pi / (n + 1) * np.arange((n + 1) // 2 + 1))


def _law(above: Ints, size: int) -> Floats:
    """Return the laws of the runs above in redrawn tasks of `size` runs, (n_rows, n + 1); above (n_rows, n_tasks).

    A run of a task with k of c above is above with chance k / c, so that the transform of the sum is Π (1 − k/c + k/c z)^c over the tasks.
    """
    n, k = size * above.shape[1], np.arange(size + 1)
    factors = 1 + np.multiply.outer(k / size, np.exp(_frequencies(n)) - 1)
    tasks = (above[:, :, None] == k).sum(axis=1)
    # By logarithms, for complex powers take twenty times as long; 0 has none, and no power of it counts.
    transform = np.exp(size * (tasks @ np.log(np.where(factors == 0, 1e-300, factors))))
    return np.asarray(scipy.fft.irfft(transform, n + 1))


def _sum(laws: Sequence[Floats], sizes: Ints, n_tasks: int, total: int) -> Floats:
    """Return the law on the places 0 … total of a sum of counts; a run of a task of c is worth 1 / (n_tasks · c)."""
    length = scipy.fft.next_fast_len(total + 1, real=True)
    transform = np.ones(length // 2 + 1, np.complex128)
    for law, size in zip(laws, sizes.tolist(), strict=True):
        # On a lattice that is too coarse for the sizes, each place is rounded once, however many tasks have it.
        places = np.rint(np.arange(law.size) * (total / (n_tasks * size))).astype(np.int64)
        transform *= scipy.fft.rfft(np.bincount(places, law), length)
    return np.asarray(scipy.fft.irfft(transform, length)[: total + 1])


def _outermost(mass: Floats, tail: float) -> tuple[Ints, Ints]:
    """Return the outermost places, (n_rows,) each, that are left when less than `tail` is cut from each end of laws (n_rows, n)."""
    below, above = (np.cumsum(side, axis=1) < tail - SLACK for side in (mass, mass[:, ::-1]))
    return below.sum(axis=1), mass.shape[1] - 1 - above.sum(axis=1)


# ── Wilson ──────────


def wilson(wanted: BandWanted) -> BandEnds:
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
        # The n at which p (1 − p)/n is this variance: Wilson's formula then has the right width at p̂.
        rate = Rate(rate.value, np.divide(whole, variance, out=least, where=whole > 0))
    low, high = rate.interval(2 * wanted.tail)
    return BandEnds(low=low, high=high, replaced=np.zeros(low.size, dtype=np.bool_))


# ── resampled ──────────


def resampled(wanted: BandWanted) -> BandEnds:
    """Return the percentile ends of redrawn task means; thresholds in parts that memory holds, with the same draws for each."""
    at_once = max(1, KEPT // wanted.n_resamples)
    low, high = np.empty((2, wanted.thresholds.size))
    for start in range(0, wanted.thresholds.size, at_once):
        part = slice(start, start + at_once)
        low[part], high[part] = np.quantile(_shares(wanted, part), [wanted.tail, 1 - wanted.tail], axis=0)
    none = ~(high - low > 1e-12)
    return BandEnds(low=np.where(none, np.nan, low), high=np.where(none, np.nan, high), replaced=np.zeros_like(none))


def _shares(wanted: BandWanted, part: slice) -> Floats:
    """Return resampled shares (n_resamples, n_thresholds of the part)."""
    pool, thresholds = wanted.pool, wanted.thresholds[part]
    out = np.empty((wanted.n_resamples, thresholds.size))
    drawn, slack = _drawn(wanted, 0), profile.rounding(pool)

    def fill(block: int, rows: Floats) -> None:
        words = _words(wanted, "profile", block, len(rows))
        kernels.resampled_means_above(words, drawn, pool.values, thresholds + slack, rows)

    return in_blocks(out, wanted.n_drawn, fill, wanted.threads)


def simultaneous(wanted: BandWanted) -> BandEnds:
    """Return the estimate ± a quantile of the largest deviation of a resampled profile from it, over all τ, not only the thresholds.

    Resamples are of one run less in each task, each weighing more, so that their spread is that of the estimate (Rao & Wu 1988). The
    quantile is widened by that of Student's t over the normal one, Σ (c_t − 1) degrees of freedom, for the error of that spread; run scores: no
    further than the exact quantile of Kolmogorov's statistic of as many runs, which is its own for one task and wider than needed
    where tasks differ.
    """
    deviations = _deviations(wanted)
    width = float(np.quantile(deviations, wanted.confidence_level, method="inverted_cdf"))
    freedom = wanted.n_rows - 1 if wanted.n_rows else wanted.pool.values.size - wanted.pool.n_tasks
    # A quantile of the normal spread, made one of Student's: the resampled spread is itself estimated, with so much freedom.
    widened = width * float(special.stdtrit(freedom, 1 - wanted.tail) / special.ndtri(1 - wanted.tail))
    if wanted.kind == "run_scores":
        from scipy import stats  # half a second, for this band alone

        most = float(stats.kstwo.ppf(wanted.confidence_level, wanted.certain))
        widened = min(widened, most) if width > 1e-12 and wanted.pool.n_tasks > 1 else most
    elif not width > 1e-12:
        widened = np.nan
    low, high = np.maximum(wanted.estimate - widened, 0.0), np.minimum(wanted.estimate + widened, 1.0)
    return BandEnds(low=low, high=high, replaced=np.zeros(low.size, dtype=np.bool_))


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

    return in_blocks(out, wanted.n_drawn, fill, wanted.threads)


def _drawn(wanted: BandWanted, fewer: int) -> kernels.RedrawnRuns:
    rows = wanted.pool.rows
    no_rows = np.zeros(0, dtype=np.int64)
    return kernels.RedrawnRuns(
        offsets=wanted.pool.offsets, rows=no_rows if rows is None else rows, n_rows=wanted.n_rows, fewer=fewer
    )


def _words(wanted: BandWanted, purpose: str, block: int, n: int) -> Words:
    return random_words(wanted.streams.block(purpose, block), n, wanted.n_drawn)


# ── no width ──────────


def with_width(wanted: BandWanted, low: Floats, high: Floats) -> BandEnds:
    """Return a band; where it has no width, Clopper and Pearson's interval of the share (1934).

    No resample differs where every task has all its runs above or none. Of binomial counts that need not be alike, the binomial of their mean
    has the longest tails (Hoeffding 1956, theorem 5), so that the interval of the pooled runs covers whatever the tasks are; tasks with
    more runs count as the smallest does. Shared runs that are all above on equally many tasks: at most the share u of other runs may differ,
    1 − (α/2)^(1/n_runs), in either direction.
    """
    none = ~(high - low > 1e-12)
    if not none.any():
        return BandEnds(low=low, high=high, replaced=none)
    share = wanted.estimate[none]
    if wanted.n_rows:
        # (1 − u)ⁿ = α/2: were a share u of runs otherwise, n runs would so seldom show none of them.
        other = 1 - wanted.tail ** (1 / wanted.n_rows)
        ends = share * (1 - other), share + (1 - share) * other
    else:
        ends = clopper_pearson(np.rint(share * wanted.certain), wanted.certain, wanted.tail)
    low, high = low.copy(), high.copy()
    low[none], high[none] = ends
    return BandEnds(low=low, high=high, replaced=none)


RUNS, MEANS = ("run_scores",), ("average_scores",)
BANDS: Mapping[str, Band] = MappingProxyType(
    {
        "exact": Band(
            title="exact percentile bootstrap", label="exact bootstrap", kinds=RUNS, build=exact, narrow=True
        ),
        "wilson": Band(title="Wilson score", label="Wilson", kinds=RUNS, build=wilson),
        "bootstrap": Band(
            title="percentile bootstrap", label="bootstrap", kinds=MEANS, build=resampled, draws=True, narrow=True
        ),
        "simultaneous": Band(
            title="simultaneous bootstrap",
            label="simultaneous",
            kinds=(*RUNS, *MEANS),
            build=simultaneous,
            draws=True,
            pointwise=False,
        ),
    }
)
"""The bands by name."""
