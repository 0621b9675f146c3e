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

    Where tasks share runs, what a run has on all of them moves all d_t alike, and s²(d) not at all: it is taken off each run first. What runs
    have on some of the tasks is in the degrees of freedom: τ is held in .93 to .96 of cases, and in .87 to .95 where tasks are in two groups
    that a run is good at apart.
    """
    both = [np.concatenate([x, y]) for x, y in zip(pair.x, pair.y, strict=True)]
    sizes = [(x.size, y.size) for x, y in zip(pair.x, pair.y, strict=True)]
    used = [t for t, (x, y) in enumerate(zip(pair.x, pair.y, strict=True)) if np.ptp(x) + np.ptp(y) > 0]
    if len(used) < FEWEST_TO_DIFFER or pair.least < 2:
        return None
    n = len(used)
    common = np.mean([both[t] for t in used], axis=0) if pair.shared else 0.0
    own = [both[t] - common for t in used]
    d, v = np.array([_lead(cell[None], *sizes[t]) for t, cell in zip(used, own, strict=True)])[:, :, 0].T
    # What varies about the mean of all tasks is smaller by one task of all.
    v = v * (n / (n - 1)) if pair.shared else v
    squares = _squares(np.array(own), *sizes[0]) if pair.shared else float((v**2).sum()) * (n - 1) / n
    q = float(d.var(ddof=1) / v.mean())
    sums = np.zeros((3, n_resamples))
    rng = streams.block("heterogeneity")
    # Shared runs are relabelled as whole runs, in one order for all tasks.
    order = rng.permuted(np.tile(np.arange(both[0].size), (n_resamples, 1)), axis=1) if pair.shared else None
    for t in used:
        # The null is one common difference, which is taken off the runs of a; without it tasks of one large lead would seem to differ.
        aligned = both[t] - common - np.where(np.arange(both[t].size) < sizes[t][0], d.mean(), 0.0)
        drawn = aligned[order] if order is not None else rng.permuted(np.tile(aligned, (n_resamples, 1)), axis=1)
        lead, error = _lead(drawn, *sizes[t])
        sums += lead, lead**2, error
    # Here, for `compare` has no use for its records, and they would be made with each first call.
    from runoff.answer.where import Heterogeneity

    spread = (sums[1] - sums[0] ** 2 / n) / (n - 1)
    # Q of a relabelling is its spread over its own v̄, which can be 0: both sides are multiplied by it. The last factor is for rounding. The v̄ of
    # shared runs, about the mean of T tasks, is a sum over T − 1.
    hits = int((spread >= q * sums[2] / (n - pair.shared) * (1 - 1e-9)).sum())
    return Heterogeneity(
        q=(n - 1) * q,
        pvalue=(1 + hits) / (1 + n_resamples),
        **_between(d, float(v.mean()), squares, level, most=1.0 if pair.binary else np.inf),
    )


FEWEST_TO_DIFFER = 3


def _lead(drawn: Floats, n: int, m: int) -> tuple[Floats, Floats]:
    x, y = drawn[:, :n], drawn[:, n:]
    return x.mean(axis=1) - y.mean(axis=1), x.var(axis=1, ddof=1) / n + y.var(axis=1, ddof=1) / m


def _squares(cells: Floats, n: int, m: int) -> float:
    """Return the sum of the squared elements of the covariance matrix of the errors of leads about their mean, from runs (tasks × runs) that
    are centred over tasks: of its estimate less what noise adds (Bai & Saranadasa 1996, §3), and no less than if all tasks were alike."""
    x, y = cells[:, :n], cells[:, n:]
    x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    matrix = x @ x.T / (n * (n - 1)) + y @ y.T / (m * (m - 1))
    df = (1 / n + 1 / m) ** 2 / (1 / (n**2 * (n - 1)) + 1 / (m**2 * (m - 1)))
    trace = float(np.trace(matrix))
    squares = df**2 / ((df - 1) * (df + 2)) * (float((matrix**2).sum()) - trace**2 / df)
    return max(squares, trace**2 / (len(cells) - 1))


def _between(d: Floats, own: float, squares: float, level: float, *, most: float) -> dict[str, float]:
    """Return τ and I² with their ends; own: the mean error variance of leads; squares: the sum of squared error covariances of centred leads;
    most: the largest τ, which differences of rates cannot exceed."""
    total = float(d.var(ddof=1))
    between = max(total - own, 0.0)
    # s²(d) is a quadratic form in centred leads, of covariance τ² C + C Σ C: about χ² with tr(·)²/tr(·²) degrees of freedom.
    traces = (d.size - 1) * (between + own), (d.size - 1) * (between**2 + 2 * between * own) + squares
    df = traces[0] ** 2 / traces[1]
    ends = [total * df / float(special.chdtri(df, tail)) for tail in ((1 - level) / 2, (1 + level) / 2)]
    taus = [min(max(value - own, 0.0), most**2) for value in (total, *ends)]
    shares = [square / (square + own) for square in taus]
    names = [f"{name}{end}" for name in ("tau", "i2") for end in ("", "_low", "_high")]
    return dict(zip(names, (*np.sqrt(taus).tolist(), *shares), strict=True))
