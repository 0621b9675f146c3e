"""A pair on one task at a time, and how much its tasks differ."""

from __future__ import annotations

from dataclasses import replace
from math import comb
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from runoff._inference.pairs.law import PairLaw
from runoff._inference.pairs.measure import IMPROVEMENT
from runoff._inference.pairs.pair import PairData, with_book
from runoff._inference.pairs.rates import least_of_rates
from runoff.base.arrays import Floats
from runoff.base.random import Streams

if TYPE_CHECKING:
    from runoff.answer.where import Heterogeneity


def task_law(pair: PairData, task: int, measure: str) -> PairLaw:
    """Return the law of one task of a pair, by "mean" or "improvement"; that of success rates is Miettinen and Nurminen's."""
    x, y, tasks = [pair.x[task]], [pair.y[task]], [pair.tasks[task]]
    alone = replace(pair, x=x, y=y, tasks=tasks, shared=False, rates=pair.binary)
    if measure == IMPROVEMENT and not alone.rates:
        # A task of the pair is placed already.
        chances, errors, _ = pair.placed
        vars(alone)["placed"] = chances[[task]], errors[[task]], []
    # The records of a task serve all pairs of an algorithm that share a book.
    return with_book(alone, pair.book).law(measure)


def fewest_to_call(n_tasks: int, alpha: float, *, rates: bool) -> int:
    """Return the runs of each side from which a task can be called by the order of its runs, 2 T / C(2n, n) ≤ α, or by its success rates."""
    n = 2
    while n_tasks * (least_of_rates(n, n) if rates else 2 / comb(2 * n, n)) > alpha:
        n += 1
    return n


# ── how much tasks differ ──────────


def spread_of_leads(pair: PairData, streams: Streams, n_resamples: int, level: float) -> Heterogeneity | None:
    """Return how much the differences of means differ between tasks; None below three tasks whose runs vary.

    Q = Σ (d_t − d̄)² / v̄, one weight for all tasks. Its null is one common difference: with d̄ taken off the runs of a, both sides of a task
    are relabelled, and d, v and Q computed anew (exact for a known difference and equal shapes). On runs of Atari with one difference and
    unequal shapes it errs in .07 to .08 of cases with 5 and 10 runs (3 runs: .16), weighted by 1/v_t in .16 to .33. τ² = s²(d) − v̄ (Hedges &
    Olkin 1985 §9.3); its ends are those of a χ² of s²(d) with Satterthwaite's degrees of freedom, of normal leads (Williams 1962): they hold
    τ in .92 to .97 of cases.
    """
    both = [np.concatenate([x, y]) for x, y in zip(pair.x, pair.y, strict=True)]
    sizes = [(x.size, y.size) for x, y in zip(pair.x, pair.y, strict=True)]
    used = [t for t, (x, y) in enumerate(zip(pair.x, pair.y, strict=True)) if np.ptp(x) + np.ptp(y) > 0]
    if len(used) < FEWEST_TO_DIFFER or pair.least < 2:
        return None
    d, v = np.array([_lead(both[t][None], *sizes[t]) for t in used])[:, :, 0].T
    q = float(d.var(ddof=1) / v.mean())
    sums = np.zeros((3, n_resamples))
    rng = streams.block("heterogeneity")
    # Shared runs are relabelled as whole runs, in one order for all tasks.
    order = rng.permuted(np.tile(np.arange(both[0].size), (n_resamples, 1)), axis=1) if pair.shared else None
    for t in used:
        # The null is one common difference, which is taken off the runs of a; without it tasks of one large lead would seem to differ.
        aligned = both[t] - np.where(np.arange(both[t].size) < sizes[t][0], d.mean(), 0.0)
        drawn = aligned[order] if order is not None else rng.permuted(np.tile(aligned, (n_resamples, 1)), axis=1)
        lead, error = _lead(drawn, *sizes[t])
        sums += lead, lead**2, error
    # Here, for `compare` has no use for its records, and they would be made with each first call.
    from runoff.answer.where import Heterogeneity

    n = len(used)
    spread = (sums[1] - sums[0] ** 2 / n) / (n - 1)
    # Q of a relabelling is its spread over its own v̄, which can be 0: both sides are multiplied by it. The last factor is for rounding.
    hits = int((spread >= q * sums[2] / n * (1 - 1e-9)).sum())
    return Heterogeneity(
        q=(n - 1) * q,
        pvalue=(1 + hits) / (1 + n_resamples),
        **_between(d, v, level, most=1.0 if pair.binary else np.inf),
    )


FEWEST_TO_DIFFER = 3


def _lead(drawn: Floats, n: int, m: int) -> tuple[Floats, Floats]:
    x, y = drawn[:, :n], drawn[:, n:]
    return x.mean(axis=1) - y.mean(axis=1), x.var(axis=1, ddof=1) / n + y.var(axis=1, ddof=1) / m


def _between(d: Floats, v: Floats, level: float, *, most: float) -> dict[str, float]:
    """Return τ and I² with their ends; most: the largest τ, which differences of rates cannot exceed."""
    total, own = float(d.var(ddof=1)), float(v.mean())
    parts = np.maximum(total - own, 0.0) + v
    # s²(d) is a quadratic form in leads of variances τ² + v_t: about χ² with (T − 1)(Σ p)²/(T Σ p²) degrees of freedom.
    df = (d.size - 1) * float(parts.sum()) ** 2 / (d.size * float((parts**2).sum()))
    ends = [total * df / float(special.chdtri(df, tail)) for tail in ((1 - level) / 2, (1 + level) / 2)]
    squares = [min(max(value - own, 0.0), most**2) for value in (total, *ends)]
    shares = [square / (square + own) for square in squares]
    names = [f"{name}{end}" for name in ("tau", "i2") for end in ("", "_low", "_high")]
    return dict(zip(names, (*np.sqrt(squares).tolist(), *shares), strict=True))
