"""P-values of weighted rank sums: asymptotic by χ², Monte Carlo by relabelling (exact: `runoff._inference.blocked.exact`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import factorial, prod
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from runoff._inference.blocked.design import Blocks, Form
from runoff._kernels.blocked import permute
from runoff.base.arrays import Bools, Ints
from runoff.base.random import Streams, for_each_block

T = TypeVar("T", bound=np.generic)

BLOCK = 256
"""Draws per random block."""
MAX_DRAWS = 10**10
"""The most ranks that "auto" shuffles; beyond that it takes the asymptotic law."""
SIDES = {"two-sided": 0, "greater": 1, "less": -1}


@dataclass(frozen=True, slots=True)
class Pvalue:
    value: float
    error: float
    method: str
    n_resamples: int = 0


def smallest_pvalue(counts: Ints, *, two_sided: bool = True) -> float:
    """Return the least p-value that relabelling within tasks can give, whatever the runs are; counts: (n_tasks, n_algorithms).

    That of the data's own labels and, two-sided with equal counts, of every exchange of the algorithms, which no statistic can tell from
    them. With unequal counts, ties can leave the data's labels alone at the end, for ranks too: 2 runs below 5 that tie have p = 1 / 21.
    """
    ways = prod(factorial(sum(task)) // prod(map(factorial, task)) for task in counts.tolist())
    alike = bool((counts == counts[:, :1]).all())
    return min((factorial(counts.shape[1]) if two_sided and alike else 1) / ways, 1.0)


# ── asymptotic ──────────


def asymptotic(form: Form, alternative: str) -> Pvalue:
    """Return the χ² (two-sided) or normal (one-sided) p-value; 1 where nothing varies."""
    if form.df == 0:
        return Pvalue(1.0, 0.0, "asymptotic")
    if alternative == "two-sided":
        return Pvalue(float(special.chdtrc(form.df, form.statistic)), 0.0, "asymptotic")
    return Pvalue(float(special.ndtr(-SIDES[alternative] * form.z)), 0.0, "asymptotic")


# ── Monte Carlo ──────────


def monte_carlo(blocks: Blocks, form: Form, alternative: str, streams: Streams, n_resamples: int) -> Pvalue:
    """Return (1 + hits) / (1 + draws) of relabellings within tasks, with its standard error."""
    scores = blocks.ranks * np.repeat(form.units, blocks.sizes)
    per_draw = permute.words_per_draw(blocks.counts)

    def draw(b: int, rows: int) -> Bools:
        words = streams.block("blocked", b).integers(0, 2**32, size=(rows, per_draw), dtype=np.uint32)
        sums = permute.permuted_sums(scores, blocks.starts, blocks.counts, words)
        return as_extreme(sums, form, alternative)

    return counted(int(in_blocks(n_resamples, draw).sum()), n_resamples)


def in_blocks(n_resamples: int, draw: Callable[[int, int], NDArray[T]]) -> NDArray[T]:
    """Return the rows of all random blocks in order; `draw(b, rows)` makes those of block b, on any thread."""
    sizes = [min(BLOCK, n_resamples - first) for first in range(0, n_resamples, BLOCK)]
    found: dict[int, NDArray[T]] = {}

    def work(b: int) -> None:
        found[b] = draw(b, sizes[b])

    for_each_block(work, range(len(sizes)))
    return np.concatenate([found[b] for b in range(len(sizes))])


def counted(hits: int, n_resamples: int) -> Pvalue:
    """Return the Monte Carlo p-value of a number of hits; never 0."""
    p = (1 + hits) / (1 + n_resamples)
    return Pvalue(p, float(np.sqrt(p * (1.0 - p) / n_resamples)), "monte_carlo", n_resamples)


def as_extreme(sums: Ints, form: Form, alternative: str) -> Bools:
    """Return which rows of rank sums (n, k) are as extreme as the observed; in integers for two algorithms."""
    observed = form.totals[0]
    if alternative != "two-sided":
        side = SIDES[alternative]
        one_sided: Bools = side * sums[:, 0] >= side * observed - form.slack
        return one_sided
    if sums.shape[1] == 2:
        reached: Bools = np.abs(sums[:, 0]) >= abs(observed) - form.slack
    else:
        reached = ((sums @ form.matrix) * sums).sum(axis=1) >= form.threshold()
    return reached
