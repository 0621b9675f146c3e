"""Performance profiles of one algorithm, their thresholds, and the order of two profiles. Every task weighs the same.

F̂(τ) = (1/T) Σ_t (1/c_t) Σ_i 1[x_ti > τ], and (1/T) Σ_t 1[x̄_t > τ] of average scores (Agarwal et al. 2021, eqs. 1 and 2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import lcm
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from runoff._inference.bootstrap.pool import Pool
from runoff._kernels.bootstrap.resample import sums_of_tasks
from runoff.base.arrays import Floats, Ints
from runoff.base.validate import as_floats, check_choice
from runoff.errors import DataError, OptionError
from runoff.words.speech import neutral


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareLattice:
    """Where shares lie: each score is worth `units`, (n_scores,), of `total`, whole numbers as long as they are exact."""

    units: Floats
    total: float


def lattice(n_runs: Ints) -> ShareLattice:
    """Return the lattice of the shares of tasks with so many runs, (n_tasks,): its step is 1 / (n_tasks · their least common multiple)."""
    # Whole numbers up to 2⁵³ are added exactly, so that equal shares are equal bits in any order of runs and tasks.
    common = lcm(*map(int, n_runs))
    units = np.array([float(common // int(n)) for n in n_runs])
    return ShareLattice(units=np.repeat(units, n_runs), total=float(common * n_runs.size))


def run_shares(pool: Pool, thresholds: Floats) -> Floats:
    """Return the share of runs above each threshold, (n_thresholds,)."""
    return share_above(pool.cells, thresholds)


def mean_shares(pool: Pool, thresholds: Floats) -> Floats:
    """Return the share of tasks whose mean is above each threshold, (n_thresholds,)."""
    means = ascending_means(pool)
    return np.asarray((means.size - np.searchsorted(means, thresholds + rounding(pool), "right")) / means.size)


def ascending_means(pool: Pool) -> Floats:
    """Return the task means, (n_tasks,), as resamples have them."""
    return np.sort(sums_of_tasks(pool.values, pool.offsets) / pool.n_runs)


def rounding(pool: Pool) -> float:
    """Return by how much equal means may differ."""
    return 1e-12 * float(np.abs(pool.values).max())


def levels(pool: Pool, thresholds: Floats) -> Ints:
    """Return how many thresholds each score is above, (n_scores,)."""
    return np.searchsorted(thresholds, pool.values, "left").astype(np.int64)


def runs_above(pool: Pool, thresholds: Floats) -> Ints:
    """Return how many runs of each task are above each threshold, (n_thresholds, n_tasks)."""
    return _numbers_above(np.split(pool.values, pool.offsets[1:-1]), thresholds)


def tasks_above(pool: Pool, thresholds: Floats) -> Ints:
    """Return on how many tasks each shared run is above each threshold, (n_thresholds, n_runs)."""
    return _numbers_above(np.sort(pool.by_run(pool.values), axis=1), thresholds)


def _numbers_above(groups: Iterable[Floats], thresholds: Floats) -> Ints:
    above = [group.size - np.searchsorted(group, thresholds, "right") for group in groups]
    return np.ascontiguousarray(np.stack(above, axis=1), dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class KindOfProfile:
    """One kind of profile: what is counted, and how."""

    title: str
    counts: str
    shares: Callable[[Pool, Floats], Floats]


KINDS: Mapping[str, KindOfProfile] = MappingProxyType(
    {
        "run_scores": KindOfProfile(title="run-score profile", counts="scores", shares=run_shares),
        "average_scores": KindOfProfile(
            title="average-score profile", counts="tasks whose mean score lies", shares=mean_shares
        ),
    }
)
"""What a profile counts, by name."""


# ── thresholds ──────────


POINTS = 81
"""Thresholds of a grid that is made: as many as in rliable's examples."""
MOST = 10_000
"""Thresholds that are accepted at most."""
FAR, CLIPPED, AHEAD = 0.01, 0.025, 0.02
"""Share of an algorithm's runs that may lie beyond either end of a grid, above the highest of all scores that are thresholds, and the share of
the thresholds' range by which they begin below the lowest score."""
EVERY = 200
"""Thresholds at most where every score is one: a larger number of scores is thinned out evenly by rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Ascending values τ, and whether they are to be read on a "linear" or a "log" axis."""

    values: Floats
    scale: str


def every_score(samples: Sequence[Floats]) -> Floats:
    """Return the scores at which a profile steps down, up to the 97.5th percentile of the algorithm that reaches furthest, and a start below."""
    low, high = _range(samples)[0], _range(samples, CLIPPED)[1]
    pooled = np.concatenate(samples)
    pooled = pooled[(pooled >= low) & (pooled <= high)]
    if low >= high:
        return linear(samples)
    scores = np.unique(pooled)
    if scores.size > EVERY:
        # inverted_cdf: thresholds are scores, at which profiles step, not places between two.
        scores = np.quantile(pooled, np.linspace(0, 1, EVERY), method="inverted_cdf")
    return np.append(scores, low - AHEAD * (high - low))


def linear(samples: Sequence[Floats]) -> Floats:
    """Return evenly spaced values over the scores; half as far again about a single one."""
    low, high = _range(samples)
    if low == high:
        low, high = low - (abs(low) or 1.0) / 2, high + (abs(high) or 1.0) / 2
    return np.linspace(low, high, POINTS)


def logarithmic(samples: Sequence[Floats]) -> Floats:
    """Return evenly spaced logarithms over the positive scores."""
    positive = [sample[sample > 0] for sample in samples if (sample > 0).any()]
    if not positive:
        highest = max(float(sample.max()) for sample in samples)
        message = f"thresholds='log' needs scores above 0, and the highest is {highest:g}; use thresholds='linear'."
        raise OptionError(message)
    low, high = _range(positive)
    if low == high:
        low, high = low / 2, high * 2
    # geomspace misses its ends by rounding, and a profile steps at its scores exactly.
    return np.clip(np.geomspace(low, high, POINTS), low, high)


def _range(samples: Sequence[Floats], far: float = FAR) -> tuple[float, float]:
    """Return the range of all samples without the farthest share of each, at either end: one run that is far out does not squeeze all others."""
    high = max(float(np.quantile(sample, 1 - far, method="inverted_cdf")) for sample in samples)
    # Mirrored, for inverted_cdf is not symmetric: both ends leave out equally many runs.
    low = min(-float(np.quantile(-sample, 1 - far, method="inverted_cdf")) for sample in samples)
    return low, high


GRIDS: Mapping[str, Callable[[Sequence[Floats]], Floats]] = MappingProxyType({"linear": linear, "log": logarithmic})


def thresholds_of(given: str | ArrayLike | None, samples: Sequence[Floats]) -> Thresholds:
    """Return the thresholds that were asked for, or those of a grid over the scores of all algorithms, (n_scores,) each."""
    if given is None:
        return Thresholds(values=np.unique(every_score(samples)), scale="linear")
    if isinstance(given, str):
        name = check_choice("thresholds", given, GRIDS)
        return Thresholds(values=np.unique(GRIDS[name](samples)), scale=name)
    return Thresholds(values=_checked(given), scale="linear")


def _checked(given: ArrayLike) -> Floats:
    try:
        values = np.atleast_1d(as_floats("thresholds", given))
    except DataError as error:
        raise OptionError(neutral(error)) from error
    if values.ndim != 1 or not values.size:
        message = f"thresholds must be a list of scores such as [0.0, 0.5, 1.0], not an array of shape {values.shape}."
        raise OptionError(message)
    if values.size > MOST:
        raise OptionError(f"thresholds must be at most {MOST:,} values, not {values.size:,}; 100 draw a smooth curve.")
    at = _first(~np.isfinite(values))
    if at is not None:
        raise OptionError(f"thresholds must be finite scores, but the value at index {at} is {values[at]}.")
    at = _first(np.diff(values) <= 0)
    if at is not None:
        raise OptionError(
            f"thresholds must increase strictly, but {values[at + 1]:g} at index {at + 1} follows {values[at]:g}; sort them and leave out "
            "repeats (numpy.unique)."
        )
    return values


def _first(wrong: Sequence[bool] | np.ndarray) -> int | None:
    places = np.flatnonzero(wrong)
    return int(places[0]) if places.size else None


# ── two profiles ──────────


EQUAL = 1e-12
"""Shares that differ by less differ by rounding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileLead:
    """The largest lead of a profile over another, and the lowest threshold at which it is that large; 0 and None if it never leads."""

    share: float
    threshold: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """How two profiles lie: the thresholds from which on the other one leads than did before, and the largest leads."""

    crossings: tuple[float, ...]
    first: ProfileLead
    second: ProfileLead

    @property
    def name(self) -> str:
        """Return "a_dominates", "b_dominates", "cross" or "equal"."""
        if self.crossings:
            return "cross"
        if self.first.threshold is None and self.second.threshold is None:
            return "equal"
        return "a_dominates" if self.second.threshold is None else "b_dominates"


def order_of(x: Sequence[Floats], y: Sequence[Floats]) -> Order:
    """Return how the profiles of two lists of cells (n_runs,) lie, over every threshold: each changes only where a score is."""
    jumps = np.unique(np.concatenate([*x, *y]))
    difference = share_above(x, jumps) - share_above(y, jumps)
    leads = np.where(np.abs(difference) > EQUAL, np.sign(difference), 0.0)
    at = np.flatnonzero(leads)
    # A stretch where both are level is no crossing; a crossing is where the other leads again.
    turned = at[1:][leads[at][1:] != leads[at][:-1]]
    return Order(
        crossings=tuple(jumps[turned].tolist()), first=_lead(jumps, difference), second=_lead(jumps, -difference)
    )


def share_above(cells: Sequence[Floats], thresholds: Floats) -> Floats:
    """Return the share of runs above each threshold, every cell weighing the same."""
    common = lcm(*(cell.size for cell in cells))
    above = [
        (cell.size - np.searchsorted(np.sort(cell), thresholds, "right")) * float(common // cell.size) for cell in cells
    ]
    return np.asarray(np.sum(above, axis=0) / (float(common) * len(cells)))


def _lead(jumps: Floats, difference: Floats) -> ProfileLead:
    at = int(np.argmax(difference))
    if difference[at] <= EQUAL:
        return ProfileLead(share=0.0, threshold=None)
    return ProfileLead(share=float(difference[at]), threshold=float(jumps[at]))
