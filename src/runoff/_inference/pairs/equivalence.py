"""Equivalence within a margin: two one-sided tests, and Tryon's reading of inferential intervals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from runoff._inference.bootstrap import Ends, Metric, estimates, prepare, resample_runs
from runoff._inference.pairs.chance import EVEN
from runoff._inference.pairs.pair import IMPROVEMENT, PairData, equivalence_pvalue
from runoff.base.arrays import Floats
from runoff.base.random import Streams
from runoff.errors import OptionError
from runoff.words.numbers import exactly
from runoff.words.speech import option


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """Tests of a difference against a margin, and against none.

    pvalue: of the null that the difference is at least a margin; pvalue_difference: of the null that there is none; both 1 without
    spread to judge by. ends: the interval that lies within the margins when the test at its alpha rejects.
    """

    difference: float
    ends: Ends | None
    pvalue: Callable[[float], float]
    pvalue_difference: float


def check_margin(margin: float, what: str = "difference") -> float:
    if isinstance(margin, bool) or not isinstance(margin, int | float | np.number) or not 0 < margin < np.inf:
        message = f"margin, the smallest {what} that matters, must be a finite number above 0 in units of the scores, not {margin!r}."
        raise OptionError(message)
    return float(margin)


def check_margin_of(measure: str, margin: float) -> None:
    """Refuse a margin that no chance can exceed: the improvement lies within ½ of ½."""
    if measure == IMPROVEMENT and margin >= EVEN:
        raise OptionError(
            f"the margin of a probability of improvement is a distance from ½ and lies below ½, not {exactly(margin)}: for one in units of the "
            f"scores take {option('measure', 'mean')}."
        )


def law_likeness(pair: PairData, measure: str, alpha: float, differs: float) -> Likeness:
    """Return what the law of a measure's record says: two one-sided tests (Schuirmann 1987), of rates by inversion of their interval.

    differs: the p-value by which `compare` finds a difference, so that the two never contradict each other.
    """
    law, even = pair.law(measure), EVEN if measure == IMPROVEMENT else 0.0
    return Likeness(
        difference=law.value - even,
        ends=shifted(law.interval(1 - 2 * alpha), -even),
        pvalue=lambda margin: equivalence_pvalue(law, margin, even),
        pvalue_difference=differs,
    )


def shifted(ends: Ends | None, by: float) -> Ends | None:
    return ends and (ends[0] + by, ends[1] + by)


def bootstrap_likeness(
    pair: PairData, metric: Metric, alpha: float, *, n_resamples: int, streams: Streams, threads: int | None
) -> Likeness:
    """Return TOST on the stratified bootstrap of a difference of aggregates, by inversion of its percentile intervals."""
    (first, x), (second, y) = (
        _replicates(pair, side, metric, n_resamples=n_resamples, streams=streams, threads=threads) for side in (0, 1)
    )
    estimate, drawn = first - second, x - y
    if pair.least < 2 or not np.ptp(drawn) > 1e-12 * float(np.abs(drawn).max()):
        return Likeness(difference=estimate, ends=None, pvalue=lambda _: 1.0, pvalue_difference=1.0)
    low, high = np.quantile(drawn, [alpha, 1 - alpha])
    ordered = np.sort(drawn)

    def beyond(margin: float) -> float:
        """Return the worse share of replicates at or beyond a margin, the data counting as one."""
        below = np.searchsorted(ordered, -margin, side="right")
        above = ordered.size - np.searchsorted(ordered, margin, side="left")
        return float((1 + max(below, above)) / (1 + ordered.size))

    differs = min(1.0, 2 * (1 + min((drawn <= 0).sum(), (drawn >= 0).sum())) / (1 + drawn.size))
    return Likeness(
        difference=estimate, ends=(float(low), float(high)), pvalue=beyond, pvalue_difference=float(differs)
    )


def _replicates(
    pair: PairData, side: int, metric: Metric, *, n_resamples: int, streams: Streams, threads: int | None
) -> tuple[float, Floats]:
    """Return the estimate and replicates of one side, from streams of its own: the two sides are independent samples."""
    pool = prepare((pair.x, pair.y)[side], [metric], shared=pair.shared)
    own = Streams(int(streams.block("equivalence", side).integers(2**63)))
    column = pool.column(metric)
    return float(estimates(pool)[column]), resample_runs(pool, n_resamples, own, threads)[:, column]


@dataclass(frozen=True, slots=True, kw_only=True)
class TryonReading:
    """Inferential intervals of two means, whether they are apart, and the most the means can plausibly differ."""

    difference: float
    ends: Ends | None
    differs: bool
    largest: float | None


def tryon(pair: PairData, alpha: float) -> TryonReading:
    """Return Tryon's reading of two means by inferential intervals.

    Tryon & Lewis 2008 eq. 6: each interval is t ± E t_ν s with E = t_ν √(s₁² + s₂²) / (t_ν₁ s₁ + t_ν₂ s₂), so that they are apart if and only if
    Welch's test rejects; written out, the half widths share t_ν s_diff in proportion to t_νᵢ sᵢ. The means differ by at most the distance
    from the lowest to the highest end.
    """
    sides = [pair.combined(1.0, 0.0), pair.combined(0.0, 1.0)]
    difference = pair.difference
    if difference.df is None:
        return TryonReading(difference=difference.estimate, ends=None, differs=False, largest=None)
    reach = float(special.stdtrit(difference.df, 1 - alpha / 2)) * difference.error
    halves = np.array([0.0 if s.df is None else float(special.stdtrit(s.df, 1 - alpha / 2)) * s.error for s in sides])
    halves *= reach / halves.sum()
    lows, highs = ([s.estimate + sign * h for s, h in zip(sides, halves, strict=True)] for sign in (-1, 1))
    return TryonReading(
        difference=difference.estimate,
        ends=(difference.estimate - reach, difference.estimate + reach),
        differs=abs(difference.estimate) > reach,
        largest=max(highs) - min(lows),
    )
