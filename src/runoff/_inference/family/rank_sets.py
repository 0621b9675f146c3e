"""Confidence sets for ranks: which places are possible, by stepping down over directed pairs, or by the bootstrap of ranks.

An algorithm's place is one more than the number of those that are truly better. Directed pairs "j is better than l" are tested by
(θ̂_j − θ̂_l) / √(e_j² + e_l²), step by step against the law of the largest that are left (Mogstad, Romano, Shaikh & Wilhelm 2024);
j stands behind those that are found better than it, and before those that it is found better than.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np

from runoff._inference.bootstrap import Mean
from runoff.base.arrays import Bools, Floats, Ints
from runoff.base.random import Streams, in_threads

VALUES_PER_BLOCK = 2**20
"""Scores of a block of draws: eight megabytes."""


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


def law_of(means: Sequence[Mean | None]) -> Law:
    """Return the law of some estimates, None being one whose error is not known; without spread the error is 0."""
    finite = [mean for mean in means if mean is not None]
    middle = finite[0].estimate if finite else 0.0
    scale = max((mean.error for mean in finite), default=1.0) or 1.0  # so that squares are doubles
    rows = [
        (0.0, np.nan, np.nan) if m is None else ((m.estimate - middle) / scale, (m.error / scale) ** 2, m.df or np.inf)
        for m in means
    ]
    estimates, variances, df = np.array(rows).T.copy()
    return Law(estimates=estimates, variances=variances, df=df)


def step_down(
    law: Law, alpha: float, n_draws: int, streams: Streams, *, order: Ints, threads: int | None = None
) -> Sets:
    """Return the sets by step-down; order (k,) says in which order algorithms take their draws.

    The law of the largest is drawn: errors normal, estimated squared errors χ²_ν / ν, ν being each algorithm's degrees of freedom, so that it
    is nearly that of t values where there is one pair. Scores of t values are put on the scale of normal deviates, so that pairs of few and many
    degrees of freedom weigh alike; each draw has the degrees of freedom of its own squared errors, as the data have those of theirs.
    """
    k = law.estimates.size
    usable = Law(estimates=law.estimates, variances=np.nan_to_num(law.variances), df=law.df)
    unknown = np.isnan(pair_df(law.variances, law.df))
    observed = normal_scores(usable.estimates, usable.variances, usable.df, unknown)
    size = block_size(k)
    families = [*(_of_one(k, j) for j in range(k)), np.flatnonzero(~np.eye(k, dtype=np.bool_))]
    ranked = [codes[np.argsort(observed.ravel()[codes], kind="stable")] for codes in families]

    def work(block: int) -> tuple[list[Ints], Floats]:
        rows = min(size, n_draws - block * size)
        normals, spreads = _drawn(law, rows, streams.block("rank sets", block), order)
        scores = normal_scores(
            normals * np.sqrt(usable.variances), usable.variances * spreads, usable.df, unknown
        ).reshape(rows, k * k)
        drawn = usable.estimates + normals * np.sqrt(usable.variances / spreads)
        return [step_hits(scores, observed.ravel(), codes) for codes in ranked], place_shares(drawn)

    blocks = in_threads(work, range(-(-n_draws // size)), threads)
    hits = [np.sum(parts, axis=0) for parts in zip(*(hits_of_block for hits_of_block, _ in blocks), strict=True)]
    shares: Floats = np.sum([own for _, own in blocks], axis=0)
    rejected = [
        _rejected(codes, (1.0 + part) / (1.0 + n_draws), observed, alpha)
        for codes, part in zip(ranked, hits, strict=True)
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


def block_size(k: int) -> int:
    """Return the draws of a block: fixed by the number of algorithms, so that the numbers depend on data and seed alone."""
    return max(32, min(1024, VALUES_PER_BLOCK // k**2))


def pair_df(variances: Floats, df: Floats) -> Floats:
    """Return Satterthwaite's degrees of freedom of every difference, (…, k, k), of squared errors (…, k) with df (k,); NaN where a side is not
    known or neither varies.
    """
    a, b = variances[..., :, None], variances[..., None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(a + b > 0, a / (a + b), np.nan)
        df_of_pairs: Floats = 1.0 / (share**2 / df[:, None] + (1.0 - share) ** 2 / df[None, :])
    return df_of_pairs


def normal_scores(values: Floats, variances: Floats, df: Floats, unknown: Bools) -> Floats:
    """Return the scores (…, k, k) of j − l for values (…, k), their squared errors (…, k) and these' df (k,); −∞ where `unknown`, and on the
    diagonal.

    The normal deviate of a t value, nearly (Wallace 1959): increasing and odd in t, so that it puts pairs of unequal degrees of freedom on one
    scale.
    """
    freedom = pair_df(variances, df)
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.sqrt(variances[..., :, None] + variances[..., None, :])
        t = (values[..., :, None] - values[..., None, :]) / errors
        shrunk = (8.0 * freedom + 1.0) / (8.0 * freedom + 3.0) * np.sqrt(freedom * np.log1p(t * t / freedom))
        scores: Floats = np.where(np.isinf(freedom), t, np.copysign(shrunk, t))
    scores[..., unknown | np.eye(df.size, dtype=np.bool_)] = -np.inf
    return scores


def step_hits(scores: Floats, observed: Floats, codes: Ints) -> Ints:
    """Return how often the largest score of a directed pair and all those before it reaches its observed one, (n_codes,).

    scores (n_draws, k²), observed (k²,); codes: places in them, ascending in the observed score.
    """
    largest = np.maximum.accumulate(scores[:, codes], axis=1)
    return np.asarray((largest >= observed[codes]).sum(axis=0))


def place_shares(draws: Floats) -> Floats:
    """Return how often each of k algorithms takes which place in draws (n_draws, k), larger being better; ties share their places: (k, k)."""
    k = draws.shape[1]
    ahead = (draws[:, None, :] > draws[:, :, None]).sum(axis=2)
    level = (draws[:, None, :] == draws[:, :, None]).sum(axis=2)
    shares = np.zeros((k, k))
    for more in range(int(level.max())):
        kept = level > more
        places = np.nonzero(kept)[1] * k + ahead[kept] + more
        shares += np.bincount(places, weights=1.0 / level[kept], minlength=k * k).reshape(k, k)
    return shares


def _of_one(k: int, j: int) -> Ints:
    others = np.delete(np.arange(k), j)
    return np.concatenate([j * k + others, others * k + j]).astype(np.int64)


def _drawn(law: Law, size: int, rng: np.random.Generator, order: Ints) -> tuple[Floats, Floats]:
    """Return errors in units of standard errors, and estimated over true squared errors, (size, k) each."""
    normals, spreads = np.empty((2, size, order.size))
    normals[:, order] = rng.standard_normal((size, order.size))
    df = np.where(np.isfinite(law.df), law.df, 1.0)[order]
    spreads[:, order] = rng.chisquare(df, (size, order.size)) / df
    spreads[:, ~np.isfinite(law.df)] = 1.0
    return normals, spreads


def _rejected(ranked: Ints, pvalues: Floats, observed: Floats, alpha: float) -> Bools:
    """Return which directed pairs are found, (k, k): from the clearest on, until one is not."""
    k = observed.shape[0]
    adjusted = np.maximum.accumulate(pvalues[::-1])[::-1]
    rejected = np.zeros(k * k, np.bool_)
    rejected[ranked[adjusted <= alpha]] = True
    return rejected.reshape(k, k) & (observed > 0)


def bootstrap_sets(draws: Floats, alpha: float) -> Sets:
    """Return the percentile sets of resampled ranks; draws (n_resamples, k), larger is better."""
    n, k = draws.shape
    size = block_size(k)
    shares = np.sum([place_shares(draws[at : at + size]) for at in range(0, n, size)], axis=0) / n
    below = np.cumsum(shares, axis=1)
    low, high = (1 + (below < level - 1e-12).sum(axis=1) for level in (alpha / 2, 1 - alpha / 2))
    return Sets(low=low, high=np.minimum(high, k), joint_low=None, joint_high=None, shares=shares)


# ── groups of algorithms that no decision sets apart ──────────


def maximal_groups(different: Bools) -> list[tuple[int, ...]]:
    """Return all largest sets of algorithms without a pair that differs, ordered by their members.

    different: (k, k) symmetric. Two algorithms are in a common group if and only if they do not differ.
    Source: insert-and-absorb, Piepho (2004).
    """
    groups = {frozenset(range(len(different)))}
    for a, b in np.argwhere(np.triu(different, 1)).tolist():
        split = {group for group in groups if a in group and b in group}
        groups = (groups - split) | {group - {member} for group in split for member in (a, b)}
        groups = {group for group in groups if not any(group < other for other in groups)}
    return sorted(tuple(sorted(group)) for group in groups)


def letters(groups: list[tuple[int, ...]], n_algorithms: int) -> list[str]:
    """Return the compact letter display: algorithms that share a letter do not differ. Source: Piepho (2004)."""
    shown = [""] * n_algorithms
    for index, group in enumerate(groups):
        for member in group:
            shown[member] += letter(index)
    return shown


def letter(index: int) -> str:
    """Return a, b, …, z, a1, b1, …"""
    turn, place = divmod(index, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(turn) if turn else "")
