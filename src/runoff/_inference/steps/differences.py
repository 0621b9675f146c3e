"""Two algorithms at every step: differences of means, their tests, and the largest of them under relabelling of whole runs.

The null of max-T is that whole learning curves of a and b have one distribution, task by task: runs change sides with all their steps,
which keeps the dependence between steps. Steps are made comparable by the p-value of Welch's t, each relabelling with its own degrees
of freedom (min-P; Westfall & Young 1993 §2.3): a large t of a side of few runs that vary much is no rare thing, and |t| itself would take it
for one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, floor, prod
from types import MappingProxyType

import numpy as np
from scipy import special

from runoff._arrays import Floats, Ints, Labels
from runoff._inference.about import SMALLEST
from runoff._inference.blocked import TOLERANCE
from runoff._inference.bootstrap import Ends, Mean
from runoff._inference.pairs import PairData
from runoff._kernels.blocked import permute
from runoff._kernels.blocked.steps import step_t
from runoff._random import Streams
from runoff._threads import for_each_block

BLOCK = 256
"""Relabellings that are reduced together."""
STEP_TESTS: Mapping[str, str] = MappingProxyType(
    {"welch": "Welch's t test", "permutation": "the permutation test of Welch's t, whole runs relabelled"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """Differences of means (a − b) at every step, every task weighing the same, with Welch's errors; flat: steps without error."""

    means: tuple[Mean, ...]
    pvalues: Floats

    @property
    def estimates(self) -> Floats:
        return np.array([mean.estimate for mean in self.means])

    def pointwise(self, confidence_level: float) -> list[Ends | None]:
        return [mean.interval(confidence_level) for mean in self.means]

    def band(self, critical: float, confidence_level: float) -> list[Ends | None]:
        """Return the intervals at level 1 − critical, at most that of the pointwise ones; none where critical is 0."""
        level = max(1.0 - critical, confidence_level)
        return self.pointwise(level) if critical > 0 else [None] * len(self.means)


def differences(pairs: Sequence[PairData]) -> Differences:
    """Return the differences of one pair, its cells at one step after another; p-values of Welch's t, two-sided."""
    means = tuple(pair.difference for pair in pairs)
    return Differences(
        means=means, pvalues=np.array([_welch(mean, pair) for mean, pair in zip(means, pairs, strict=True)])
    )


def _welch(mean: Mean, pair: PairData) -> float:
    if mean.df is not None:
        return max(2.0 * float(special.stdtr(mean.df, -abs(mean.estimate) / mean.error)), SMALLEST)
    # A t test would say 0 or NaN: what complete separation of so many runs is worth, or nothing.
    if mean.estimate == 0:
        return 1.0
    return max(min(1.0, 2.0 / prod(comb(n + m, n) for n, m in pair.sizes)), SMALLEST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relabelled:
    """What relabelling whole runs gives.

    observed, pvalues: (n_steps,) p-values of Welch's t, and the share of relabellings that have as small a one at that step; smallest:
    (n_draws,) sorted, the smallest of any step in each relabelling; exact: whether these are all relabellings.
    """

    observed: Floats
    pvalues: Floats
    smallest: Floats
    exact: bool

    @property
    def adjusted(self) -> Floats:
        """Return max-T p-values (n_steps,): the share of relabellings in which some step is as far out."""
        hits = np.searchsorted(self.smallest, self.observed * (1.0 + TOLERANCE), side="right")
        return _share(hits, self.smallest.size, self.exact)

    def critical(self, alpha: float) -> float:
        """Return the p-value of a step below which the adjusted one is at most alpha; 0 where relabellings are too few."""
        n = self.smallest.size
        allowed = floor(alpha * n + 1e-9) if self.exact else floor(alpha * (n + 1) + 1e-9) - 1
        if allowed < 1:
            return 0.0
        found = float(self.smallest[allowed])
        # The observed runs are one of all relabellings: none is farther out than the first of them.
        return 0.0 if self.exact and found <= self.smallest[0] * (1.0 + TOLERANCE) else found


def _share(hits: Ints, n: int, exact: bool) -> Floats:
    extra = 0.0 if exact else 1.0
    return np.asarray((extra + hits) / (extra + n), np.float64)


def relabelled(
    x: Sequence[Floats], y: Sequence[Floats], *, streams: Streams, n_resamples: int, threads: int | None = None
) -> Relabelled:
    """Return the relabellings of whole runs (n_runs, n_steps) of a and b within each task: all of them, or so many at random."""
    counts = np.array([(len(one), len(other)) for one, other in zip(x, y, strict=True)], np.int64)
    starts = np.concatenate([[0], np.cumsum(counts.sum(axis=1))])
    values = _about_middle(x, y)
    own = np.concatenate([np.repeat(np.arange(2, dtype=np.int8), pair) for pair in counts])[None, :]
    observed = _pvalues(values, starts, own)[0]
    exact = prod(comb(int(pair.sum()), int(pair[0])) for pair in counts) <= n_resamples
    blocks = list(_all(counts)) if exact else []
    n = sum(len(block) for block in blocks) if exact else n_resamples
    n_blocks = len(blocks) if exact else -(-n_resamples // BLOCK)
    smallest, hits = np.empty(n), np.zeros((n_blocks, observed.size), np.int64)

    def reduce(b: int) -> None:
        rows = slice(b * BLOCK, min((b + 1) * BLOCK, n))
        labels = blocks[b] if exact else _some(starts, counts, streams, b, rows.stop - rows.start)
        p = _pvalues(values, starts, labels)
        smallest[rows], hits[b] = p.min(axis=1), (p <= observed * (1.0 + TOLERANCE)).sum(axis=0)

    for_each_block(reduce, range(n_blocks), threads)
    return Relabelled(
        observed=observed,
        pvalues=_share(hits.sum(axis=0), n, exact),
        smallest=np.sort(smallest),
        exact=exact,
    )


def _pvalues(values: Floats, starts: Ints, labels: Labels) -> Floats:
    """Return two-sided p-values of Welch's t (n_rows, n_steps)."""
    t, df = step_t(values, starts, labels)
    found: Floats = np.maximum(2.0 * special.stdtr(df, -np.abs(t)), SMALLEST)
    return found


def _about_middle(x: Sequence[Floats], y: Sequence[Floats]) -> Floats:
    """Return the runs of all tasks (total, n_steps), at each step below 1 in size and about the mean of their task."""
    tasks = [np.concatenate([one, other]) for one, other in zip(x, y, strict=True)]
    size = np.max([np.abs(runs).max(axis=0) for runs in tasks], axis=0)
    scaled = [np.ldexp(runs, -np.frexp(size)[1]) for runs in tasks]
    about = [runs - runs.mean(axis=0) for runs in scaled]
    spread = np.max([np.abs(runs).max(axis=0) for runs in about], axis=0)
    return np.ascontiguousarray(np.concatenate([np.ldexp(runs, -np.frexp(spread)[1]) for runs in about]))


def _some(starts: Ints, counts: Ints, streams: Streams, block: int, n_rows: int) -> Labels:
    rng = streams.block("curves", block)
    words = rng.integers(0, 2**32, size=(n_rows, permute.words_per_draw(counts)), dtype=np.uint32)
    return permute.shuffled_labels(starts, counts, words)


def _all(counts: Ints) -> Iterator[Labels]:
    """Yield all labellings (rows, total), a block at a time."""
    sizes = counts.sum(axis=1).tolist()
    ways = [list(combinations(range(n), int(first))) for n, (first, _) in zip(sizes, counts, strict=True)]
    rows: list[Labels] = []
    for chosen in product(*ways):
        parts = [np.ones(n, np.int8) for n in sizes]
        for part, members in zip(parts, chosen, strict=True):
            part[list(members)] = 0
        rows.append(np.concatenate(parts))
        if len(rows) == BLOCK:
            yield np.array(rows)
            rows = []
    if rows:
        yield np.array(rows)
