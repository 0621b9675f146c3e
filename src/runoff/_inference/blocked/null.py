"""P-values of weighted rank sums: what a blocked test returns, its χ² and Monte Carlo laws, and laws of the largest difference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import factorial, prod, sqrt
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from runoff._inference.about import SMALLEST
from runoff._inference.blocked.design import Blocks, Form
from runoff._kernels.blocked import permute
from runoff.base.arrays import Bools, Ints
from runoff.base.random import Streams, for_each_block

T = TypeVar("T", bound=np.generic)

BLOCK = 256
"""Number of draws in a random block."""
MAX_DRAWS = 10**10
"""The most ranks that "auto" shuffles; beyond that it takes the asymptotic law."""
SIDES = {"two-sided": 0, "greater": 1, "less": -1}
"""Alternative -> the sign of what speaks for it; 0: both signs do."""


@dataclass(frozen=True, slots=True)
class Pvalue:
    """A p-value, its Monte Carlo standard error, the method that found it, and the draws that it took."""

    value: float
    error: float
    method: str
    n_resamples: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedOptions:
    """How a p-value is to be found."""

    method: str
    streams: Streams
    n_resamples: int
    alternative: str
    statistic: str
    studentized: bool


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
    results: dict[int, NDArray[T]] = {}

    def work(b: int) -> None:
        results[b] = draw(b, sizes[b])

    for_each_block(work, range(len(sizes)))
    return np.concatenate([results[b] for b in range(len(sizes))])


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


# ── what every blocked test returns ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedResult:
    """What a procedure computes; the rest of a `BlockedOutcome` is known from the design.

    pvalue_error: 0.0 for closed forms and exact nulls, else the Monte Carlo standard error. method: the method used, never "auto". df: degrees
    of freedom of the asymptotic law (a pair for F, None where there is none). direction: of two algorithms, positive where the test's own
    statistic favours the first. all_tied: nothing to compare, statistic 0 and p = 1 by definition.
    """

    statistic: float
    pvalue: float
    pvalue_error: float
    method: str
    df: float | tuple[float, float] | None
    n_resamples: int
    direction: float
    all_tied: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedOutcome(BlockedResult):
    """Statistic and p-value of one blocked test, and what the ranks of the runs say.

    rank_sums, mean_ranks: per algorithm, rank 1 is best (empty where the test does not rank). n_tasks: tasks that were used. n_runs: runs used,
    per algorithm.
    """

    rank_sums: tuple[float, ...]
    mean_ranks: tuple[float, ...]
    n_tasks: int
    n_runs: tuple[int, ...]


# ── the largest difference among k normals, and between k − 1 of them and a control ──────────


STEP = 1 / 16
"""Step of the trapezoidal rule."""


def range_quantile(alpha: float, k: int) -> float:
    """Return q: the range of k independent standard normals exceeds it with probability alpha (Casesa 2024 eq. 2.23)."""
    high = sqrt(2.0) * float(-special.ndtri(alpha / (k * (k - 1)))) + 1e-6
    return float(optimize.brentq(lambda value: range_pvalue(value, k) - alpha, 0.0, high, xtol=1e-13))


def range_pvalue(value: float, k: int) -> float:
    """Return the probability that the range of k independent standard normals exceeds `value` (Casesa 2024 eq. 2.22).

    k ∫ φ(z) [Φ(z) − Φ(z − value)]ᵏ⁻¹ dz is that it does not, z being the largest. Both integrands fall off like φ, so the rule errs by
    less than rounding.
    """
    z = np.arange(-9.0, 9.0, STEP)
    below = special.ndtr(z)
    # 1 is the same integral with Φ(z) alone: the difference keeps the digits of a small probability.
    beyond = below ** (k - 1) - (below - special.ndtr(z - value)) ** (k - 1)
    density = np.exp(-(z**2) / 2.0) / np.sqrt(2.0 * np.pi)
    return _tail(float(k * STEP * (density * beyond).sum()), value, k * (k - 1) // 2)


def control_pvalue(value: float, k: int) -> float:
    """Return P(max_j |Z_j − Z_0| ≥ value) for k independent standard normals, Z_0 being the control (Dunnett 1955)."""
    from scipy import integrate

    def density(z: float) -> float:
        inside = special.ndtr(z + value) - special.ndtr(z - value)
        return float(np.exp(-(z**2) / 2.0) / np.sqrt(2.0 * np.pi) * (1.0 - inside ** (k - 1)))

    inside = integrate.quad(density, -9.0, 9.0, epsabs=1e-13, epsrel=1e-11, limit=200)[0]
    return _tail(float(inside), value, k - 1)


def _tail(computed: float, value: float, n_pairs: int) -> float:
    """Return a probability that one of so many differences reaches `value`: as computed, far out Bonferroni's.

    Both integrals have an absolute error of some 1e-12. Bonferroni's bound is then closer, for it is sharp in the limit.
    """
    bound = max(n_pairs * 2.0 * float(special.ndtr(-value / sqrt(2.0))), SMALLEST)
    return bound if bound < 1e-9 else min(computed, bound, 1.0)


def control_quantile(alpha: float, k: int) -> float:
    """Return the value that max_j |Z_j − Z_0| exceeds with probability alpha; at most √2 times Bonferroni's."""
    high = sqrt(2.0) * float(-special.ndtri(alpha / (2.0 * (k - 1)))) + 1e-6
    return float(optimize.brentq(lambda value: control_pvalue(value, k) - alpha, 0.0, high, xtol=1e-12))
