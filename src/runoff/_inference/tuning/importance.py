"""Which settings carry the spread of performance: functional ANOVA on a full grid, with the noise of runs taken out of every term."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from runoff.base.arrays import Floats

GridLevels = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class SettingShare:
    """The share of the spread of expected performance that one setting, or the interaction of several, carries; low, high: its interval."""

    settings: tuple[int, ...]
    share: float
    low: float
    high: float


def is_grid(levels: GridLevels) -> bool:
    """Return whether each combination of levels is there once; levels (K, D)."""
    sizes = [np.unique(column).size for column in levels.T]
    return len(np.unique(levels, axis=0)) == len(levels) == int(np.prod(sizes))


def effects(means: Floats, levels: GridLevels, order: int) -> dict[tuple[int, ...], Floats]:
    """Return the effect of each subset of up to `order` settings at each configuration, (K,): what its levels add to all that it contains."""
    n_settings = levels.shape[1]
    parts: dict[tuple[int, ...], Floats] = {(): np.full(means.size, means.mean())}
    for size in range(1, order + 1):
        for subset in combinations(range(n_settings), size):
            level = np.unique(levels[:, list(subset)], axis=0, return_inverse=True)[1].ravel()
            inner = sum(parts[own] for n in range(size) for own in combinations(subset, n))
            parts[subset] = np.bincount(level, means)[level] / np.bincount(level)[level] - inner
    return parts


def shares(cells: list[Floats], levels: GridLevels, *, alpha: float, order: int = 2) -> list[SettingShare]:
    """Return the share of each setting and each pair on a task; cells: the runs of each configuration, two or more.

    A term of df degrees of freedom holds df/K · s²/n of noise. The interval is of the delta method: the share is a ratio of a term and the
    whole, both of means with known noise.
    """
    k, means = len(cells), np.array([cell.mean() for cell in cells])
    noise = np.array([cell.var(ddof=1) / cell.size for cell in cells])
    of_mean = float(noise.mean())
    freedom = sum(cell.size - 1 for cell in cells)
    centered = means - means.mean()
    whole = float(np.square(centered).mean()) - (k - 1) / k * of_mean
    if whole <= 0:
        return []
    quantile, answer = float(special.stdtrit(freedom, 1 - alpha / 2)), []
    for subset, effect in effects(means, levels, order).items():
        if not subset:
            continue
        df = float(np.prod([np.unique(levels[:, s]).size - 1 for s in subset]))
        share = (float(np.square(effect).mean()) - df / k * of_mean) / whole
        slope = 2 * (effect - share * centered) / k / whole
        # The second part is that of squares of noise: without it a share that is all noise would have no error.
        squares = 2 * ((1 - share) ** 2 * df + share**2 * (k - 1 - df)) * (of_mean / k / whole) ** 2
        half = quantile * float(np.sqrt((np.square(slope) * noise).sum() + squares))
        answer.append(SettingShare(subset, share, share - half, share + half))
    return _within_the_whole(answer)


def _within_the_whole(terms: list[SettingShare]) -> list[SettingShare]:
    """Return shares from 0 to 1 that are no more than the whole together: terms that came out below 0 have taken from the whole what the
    others hold beyond 1."""
    rest = max(0.0, 1.0 - sum(term.share for term in terms))  # of three settings and more at once
    whole = rest + sum(max(0.0, term.share) for term in terms)
    ends = np.clip([(term.low, term.high) for term in terms], 0, 1).tolist()
    return [
        SettingShare(term.settings, min(max(term.share / whole, low), high), low, high)
        for term, (low, high) in zip(terms, ends, strict=True)
    ]
