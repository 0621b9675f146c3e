"""The interval of a test by name: the differences of means that it does not reject, the runs of a being shifted by each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from runoff._inference.bootstrap import Ends, Law
from runoff._inference.pairs.outcome import PairOptions, PairOutcome
from runoff._inference.pairs.pair import PairData
from runoff._inference.pairs.rate_tests import MIETTINEN_NURMINEN
from runoff._inference.pairs.tests import JACKKNIFE, PAIR_TESTS, run_pairs

INVERTED = frozenset(
    name
    for name, test in PAIR_TESTS.items()
    if test.about is not None
    and test.about.compares == "means"
    and name not in (JACKKNIFE, MIETTINEN_NURMINEN, "boschloo")
)
"""Tests of the difference of means, whose interval is their inversion; a test of ranks has no difference that it could be inverted for."""
CLOSE, CLOSER = 1e-3, 1e-10
"""An end lies between two differences that are so near, as a share of its distance from the estimate: of relabelled p-values, and of others."""
MOST_DRAWS = 10_000
"""Relabellings of a step of the search: a p-value of 0.05 then errs by 0.002, an end by a hundredth of its distance."""
FARTHEST, LONGEST = 40, 120
"""Doublings of the first distance after which a test is taken to reject no difference; tries after which rounding leaves nothing to halve."""


@dataclass(slots=True)
class _End:
    """One end that is looked for: it lies between a difference that is not rejected and one that is."""

    at: int
    side: int
    alpha: float
    estimate: float
    step: float
    inside: float
    close: float
    outside: float | None = None
    tries: int = 0

    @property
    def done(self) -> bool:
        if self.outside is None:
            return self.tries > FARTHEST
        return self.tries > LONGEST or abs(self.outside - self.inside) <= self.close * abs(self.outside - self.estimate)

    def next(self) -> float:
        """Return the difference to try: twice as far until one is rejected, then half-way."""
        if self.outside is None:
            return self.estimate + self.side * self.step * 2.0**self.tries
        return (self.inside + self.outside) / 2

    def see(self, difference: float, pvalue: float) -> None:
        self.tries += 1
        if pvalue > self.alpha:
            self.inside = difference
        else:
            self.outside = difference


def inverted(
    test: str,
    pairs: Sequence[PairData],
    outcomes: Sequence[PairOutcome],
    alphas: Sequence[Sequence[float]],
    options: PairOptions,
    *,
    threads: int | None = None,
) -> list[list[Ends | None]]:
    """Return, for each pair and each of its alphas, the interval that leaves a difference out exactly where the test rejects it.

    None where no difference is rejected, as where so few runs have no p-value that small. All tests of a step have the same draws, so
    relabelled ends have the error of one p-value.
    """
    # Rounded, for 1 − 0.95 is 0.050000000000000044: levels that differ so are one, and are searched once.
    ends = {
        (i, round(alpha, 12)): _both(i, pairs[i], outcomes[i], alpha)
        for i, levels in enumerate(alphas)
        for alpha in levels
    }
    fewer = replace(options, n_resamples=min(options.n_resamples, MOST_DRAWS))
    # Nothing is sought where no run differs (no step), nor where no runs of this design have a p-value as small as the level.
    possible = [
        end for both in ends.values() for end in both if end.step and (outcomes[end.at].smallest or 0.0) <= end.alpha
    ]
    while sought := [end for end in possible if not end.done]:
        tried = [end.next() for end in sought]
        # Half on each side, so that the pair of b and a is tested on the same numbers.
        shifted = [
            replace(pair, x=[cell - by / 2 for cell in pair.x], y=[cell + by / 2 for cell in pair.y])
            for pair, by in zip((pairs[end.at] for end in sought), tried, strict=True)
        ]
        for end, by, answer in zip(sought, tried, run_pairs(test, shifted, fewer, threads), strict=True):
            end.see(by, answer.pvalue)
    return [
        [_interval(*ends[i, round(alpha, 12)], outcomes[i], binary=pairs[i].binary) for alpha in levels]
        for i, levels in enumerate(alphas)
    ]


def _both(at: int, pair: PairData, outcome: PairOutcome, alpha: float) -> tuple[_End, _End]:
    law = pair.law("mean")
    # The first try is where the t law ends, which is near; without one, the widest range of a cell.
    step = law.half(1 - alpha) if isinstance(law, Law) and law.laws else max(float(np.ptp(cell)) for cell in pair.cells)
    # Relabelled p-values are steps, between which nothing is to be found more closely.
    close = CLOSER if outcome.method == "asymptotic" else CLOSE
    low, high = (_End(at, side, alpha, law.value, step, inside=law.value, close=close) for side in (-1, 1))
    mean = pair.difference
    if outcome.test == "welch" and outcome.df is not None and mean.df is not None:  # in closed form
        half = mean.error * float(stdtrit(mean.df, 1 - alpha / 2))
        low.inside = low.outside = mean.estimate - half
        high.inside = high.outside = mean.estimate + half
    return low, high


def _interval(low: _End, high: _End, outcome: PairOutcome, *, binary: bool) -> Ends | None:
    """Return the interval; as 0 was tested itself, it is left out exactly where that test rejects it. None where no run differs."""
    if low.outside is None or high.outside is None or low.step == 0:
        return None
    ends, estimate = (low.outside, high.outside), low.estimate
    if binary:  # rates differ by 1 at most
        ends = max(ends[0], -1.0), min(ends[1], 1.0)
    if outcome.pvalue > low.alpha:
        return min(ends[0], 0.0), max(ends[1], 0.0)
    if not ends[0] <= 0.0 <= ends[1]:
        return ends
    # 0 was tested itself and is left out, though the search ended on its other side: the end is put a billionth of the estimate from it.
    beside = estimate * CLOSE**3
    return (beside, ends[1]) if estimate > 0 else (ends[0], beside)
