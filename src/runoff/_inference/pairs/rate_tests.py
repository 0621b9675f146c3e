"""Tests of two success rates of rollouts that are not paired."""

from __future__ import annotations

from dataclasses import replace

from runoff._inference.about import AboutTest
from runoff._inference.pairs.outcome import PairOptions, PairOutcome
from runoff._inference.pairs.pair import PairData
from runoff._inference.pairs.rates import RateLaw, rate_law
from runoff._inference.two_sample import LARGEST, boschloo, smallest_boschloo
from runoff.base.arrays import SMALLEST
from runoff.errors import DesignError
from runoff.words.names import OVER_ALL_RESULTS
from runoff.words.speech import option

MIETTINEN_NURMINEN = "miettinen_nurminen"


def score_of_rates(pair: PairData, options: PairOptions) -> PairOutcome:
    """Test success rates by Miettinen and Nurminen's score, task by task."""
    del options
    if not pair.rates:
        raise _no_rates(MIETTINEN_NURMINEN, pair, "scores of 0 and 1")
    return outcome_of_rates(rate_law(pair.x, pair.y, chance=False))


def boschloo_test(pair: PairData, options: PairOptions) -> PairOutcome:
    """Test success rates by Boschloo's test, where its tables reach."""
    del options
    n, m = pair.x[0].size, pair.y[0].size
    if not pair.rates or len(pair.x) > 1 or (n + 1) * (m + 1) > LARGEST:
        raise _no_rates("boschloo", pair, f"scores of 0 and 1, on one task, up to {LARGEST:,} possible results")
    law = rate_law(pair.x, pair.y, chance=False)
    pvalue = max(boschloo(int(law.x[0]), n, int(law.y[0]), m), SMALLEST)
    return replace(
        outcome_of_rates(law), about=BOSCHLOO, statistic=law.lead, pvalue=pvalue, smallest=smallest_boschloo(n, m)
    )


def _no_rates(name: str, pair: PairData, of: str) -> DesignError:
    return DesignError(
        f"{name} compares two success rates, {of}; {pair.a!r} and {pair.b!r} have other scores, tasks or numbers of runs: use "
        f"{option('test', 'auto')}."
    )


def outcome_of_rates(law: RateLaw) -> PairOutcome:
    """Return the answer of the law of success rates."""
    return PairOutcome(
        about=replace(SCORE_OF_RATES, aside=OVER_ALL_RESULTS) if law.method == "exact" else SCORE_OF_RATES,
        statistic=law.statistic,
        pvalue=law.pvalue(law.even),
        method=law.method,
        null="the success rates are equal",
        alternative="the success rates differ",
        direction=law.lead,
        smallest=law.least or None,
    )


SCORE_OF_RATES = AboutTest(
    MIETTINEN_NURMINEN,
    "Miettinen-Nurminen",
    "the score test of the difference of success rates, stratified by task, of one task with its tail summed over all results at the most "
    "likely rates (Miettinen & Nurminen 1985)",
    "means",
)
BOSCHLOO = AboutTest("boschloo", "Boschloo", "Boschloo's exact test of two success rates (Boschloo 1970)", "means")
