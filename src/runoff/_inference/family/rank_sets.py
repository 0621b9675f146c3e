"""Confidence sets for ranks: which places are possible, by stepping down over directed pairs, or by the bootstrap of ranks.

An algorithm's place is one more than the number of those that are truly better. Directed pairs "j is better than l" are tested by
(θ̂_j − θ̂_l) / √(e_j² + e_l²), step by step against the law of the largest that are left (Mogstad, Romano, Shaikh & Wilhelm 2024);
j stands behind those that are found better than it, and before those that it is found better than.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from runoff._arrays import Floats, Ints
from runoff._inference.bootstrap import Mean
from runoff._kernels.family import places as kernels
from runoff._random import Streams
from runoff._threads import in_threads

BLOCK = 1024
"""Draws of a block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sets:
    """Places of k algorithms, 1 being best.

    low, high: (k,) each on its own; joint_low, joint_high: (k,) all at once, None where not asked; shares: (k, k) how often each takes which
    place in the draws, None where an error is not known.
    """

    low: Ints
    high: Ints
    joint_low: Ints | None
    joint_high: Ints | None
    shares: Floats | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """Estimates and how they err: their squared standard errors and degrees of freedom, NaN where not known; larger is better."""

    estimates: Floats
    variances: Floats
    df: Floats

    @property
    def pair_df(self) -> Floats:
        """Return Satterthwaite's degrees of freedom of every difference, (k, k); NaN where a side is not known or neither varies."""
        a, b = self.variances[:, None], self.variances[None, :]
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(a + b > 0, a / (a + b), np.nan)
            found: Floats = 1.0 / (share**2 / self.df[:, None] + (1.0 - share) ** 2 / self.df[None, :])
        return found


def law_of(means: Sequence[Mean | None]) -> Law:
    """Return the law of some estimates, None being one whose error is not known; without spread the error is 0."""
    known = [mean for mean in means if mean is not None]
    middle = known[0].estimate if known else 0.0
    scale = max((mean.error for mean in known), default=1.0) or 1.0  # so that squares are doubles
    told = [
        (0.0, np.nan, np.nan) if m is None else ((m.estimate - middle) / scale, (m.error / scale) ** 2, m.df or np.inf)
        for m in means
    ]
    estimates, variances, df = np.array(told).T.copy()
    return Law(estimates=estimates, variances=variances, df=df)


def step_down(law: Law, alpha: float, n_draws: int, streams: Streams, order: Ints, threads: int | None = None) -> Sets:
    """Return the sets by step-down; order (k,) says in which order algorithms take their draws.

    The law of the largest is drawn: errors normal, estimated squared errors χ²_ν / ν, ν being each algorithm's degrees of freedom, so that it
    is that of t values where there is one pair. Scores of t values are put on the scale of normal deviates, so that pairs of few and of many
    degrees of freedom weigh alike.
    """
    k, df = law.estimates.size, law.pair_df
    usable = Law(estimates=law.estimates, variances=np.nan_to_num(law.variances), df=law.df)
    observed = np.empty((k, k))
    kernels.normal_scores(usable.estimates, usable.variances, df, observed)
    families = [*(_of_one(k, j) for j in range(k)), _of_all(k)]
    ranked = [codes[np.argsort(observed.ravel()[codes], kind="stable")] for codes in families]
    offsets = np.concatenate([[0], np.cumsum([codes.size for codes in ranked])]).astype(np.int64)
    flat, shares = np.concatenate(ranked), np.zeros((k, k))

    def work(block: int) -> tuple[Ints, Floats]:
        size = min(BLOCK, n_draws - block * BLOCK)
        normals, spreads = _drawn(law, size, streams.block("rank sets", block), order)
        hits, own = np.zeros(flat.size, np.int64), np.zeros((k, k))
        kernels.step_hits(normals, spreads, usable.variances, df, observed, flat, offsets, hits)
        kernels.place_shares(usable.estimates + normals * np.sqrt(usable.variances / spreads), own)
        return hits, own

    found = in_threads(work, range(-(-n_draws // BLOCK)), threads)
    hits = np.sum([one for one, _ in found], axis=0)
    for _, own in found:
        shares += own
    pvalues = (1.0 + hits) / (1.0 + n_draws)
    rejected = [
        _rejected(part, p, observed, alpha) for part, p in zip(ranked, np.split(pvalues, offsets[1:-1]), strict=True)
    ]
    better = np.stack([rejected[j][:, j] for j in range(k)])  # better[j, l]: l is found better than j
    worse = np.stack([rejected[j][j] for j in range(k)])
    return Sets(
        low=1 + better.sum(axis=1),
        high=k - worse.sum(axis=1),
        joint_low=1 + rejected[-1].sum(axis=0),
        joint_high=k - rejected[-1].sum(axis=1),
        shares=None if np.isnan(law.variances).any() else shares / n_draws,
    )


def _of_one(k: int, j: int) -> Ints:
    """Return the directed pairs of one algorithm with every other, both ways."""
    others = np.delete(np.arange(k), j)
    return np.concatenate([j * k + others, others * k + j]).astype(np.int64)


def _of_all(k: int) -> Ints:
    return np.flatnonzero(~np.eye(k, dtype=np.bool_).ravel()).astype(np.int64)


def _drawn(law: Law, size: int, rng: np.random.Generator, order: Ints) -> tuple[Floats, Floats]:
    """Return errors in units of standard errors, and estimated over true squared errors, (size, k) each."""
    normals, spreads = np.empty((2, size, order.size))
    normals[:, order] = rng.standard_normal((size, order.size))
    df = np.where(np.isfinite(law.df), law.df, 1.0)[order]
    spreads[:, order] = rng.chisquare(df, (size, order.size)) / df
    spreads[:, ~np.isfinite(law.df)] = 1.0
    return normals, spreads


def _rejected(
    ranked: Ints, pvalues: Floats, observed: Floats, alpha: float
) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Return which directed pairs are found, (k, k): from the clearest on, until one is not."""
    k = observed.shape[0]
    adjusted = np.maximum.accumulate(pvalues[::-1])[::-1]
    found = np.zeros(k * k, np.bool_)
    found[ranked[adjusted <= alpha]] = True
    return found.reshape(k, k) & (observed > 0)


def bootstrap_sets(draws: Floats, alpha: float) -> Sets:
    """Return the percentile sets of resampled ranks; draws (n_resamples, k), larger is better."""
    n, k = draws.shape
    shares = np.zeros((k, k))
    kernels.place_shares(np.ascontiguousarray(draws), shares)
    shares /= n
    below = np.cumsum(shares, axis=1)
    low, high = (1 + (below < level - 1e-12).sum(axis=1) for level in (alpha / 2, 1 - alpha / 2))
    return Sets(low=low, high=np.minimum(high, k), joint_low=None, joint_high=None, shares=shares)
