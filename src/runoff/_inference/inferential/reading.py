"""From estimates, descriptive ends and decisions to intervals that may be read by eye: factors, records, and the pairs that disagree.

What `inferential_intervals` computes and a report, which has the decisions already, only reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runoff._inference.bootstrap import Ends, Metric
from runoff._inference.inferential.decide import Decision, Spread, facing, inferential_factors, overlap, spread
from runoff._inference.pairs import about_test
from runoff.results.inferential import Disagreement, InferentialPair, InferentialRecord, Reason
from runoff.words.numbers import p_equals


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Estimates, descriptive ends, factors and inferential ends, by algorithm."""

    estimates: Sequence[float]
    ends: Sequence[Ends | None]
    factors: Sequence[float | None]
    scaled: Sequence[Ends | None]


def read_factors(
    estimates: Sequence[float], ends: Sequence[Ends | None], decisions: Sequence[Decision], formula: str, alpha: float
) -> Reading:
    """Return the factors of the algorithms that have an interval, and the intervals they make."""
    spreads = {i: spread(t, *e) for i, (t, e) in enumerate(zip(estimates, ends, strict=True)) if e is not None}
    at = {i: row for row, i in enumerate(spreads)}
    placed = [
        Decision(at[d.a], at[d.b], d.pvalue, d.rejected, d.direction) for d in decisions if d.a in at and d.b in at
    ]
    fair = inferential_factors(list(spreads.values()), placed, formula=formula, alpha=alpha)
    factors = {i: float(fair[row]) for i, row in at.items()}
    return Reading(
        estimates=estimates,
        ends=ends,
        factors=[factors.get(i) for i in range(len(ends))],
        scaled=[spreads[i].ends(factors[i]) if i in at else None for i in range(len(ends))],
    )


def record_of(name: str, reading: Reading, a: int) -> InferentialRecord:
    """Return the record of algorithm a."""
    low, high = reading.scaled[a] or (None, None)
    descriptive_low, descriptive_high = reading.ends[a] or (None, None)
    return InferentialRecord(
        algorithm=name,
        estimate=reading.estimates[a],
        low=low,
        high=high,
        descriptive_low=descriptive_low,
        descriptive_high=descriptive_high,
        factor=reading.factors[a],
    )


def pair_of(names: Sequence[str], reading: Reading, decision: Decision, pvalue: float) -> InferentialPair:
    """Return what the intervals and the test say about a pair."""
    return InferentialPair(
        a=names[decision.a],
        b=names[decision.b],
        pvalue=pvalue,
        pvalue_adjusted=decision.pvalue,
        rejected=decision.rejected,
        overlap=_overlap(reading, decision),
    )


def _overlap(reading: Reading, decision: Decision) -> bool | None:
    first, second = reading.scaled[decision.a], reading.scaled[decision.b]
    return None if first is None or second is None else overlap(first, second)


def disagreements_of(
    names: Sequence[str], reading: Reading, decisions: Sequence[Decision], metric: Metric, tests: Sequence[str]
) -> tuple[Disagreement, ...]:
    """Return the pairs that must not be read by eye, with the reason; `tests` names the test of each decision."""
    disagreements = []
    for decision, test in zip(decisions, tests, strict=True):
        reason = _reason(reading, decision, metric)
        if reason is not None:
            a, b = names[decision.a], names[decision.b]
            verdict = f"{about_test(test).title} {'rejects' if decision.rejected else 'does not reject'} ({p_equals(decision.pvalue)})"
            disagreements.append(Disagreement(a=a, b=b, reason=reason, sentence=f"{a} and {b}: {verdict}, but {WHY[reason]}."))
    return tuple(disagreements)


WHY: dict[Reason, str] = {
    "no_interval": "one of them has no interval (a cell of one run, or runs without spread)",
    "equal_estimates": "their estimates are equal, so their intervals overlap at any width",
    "no_width": "their intervals do not reach towards each other, so no factor makes them overlap",
    "direction": "it favours the one with the lower estimate: read the test, and look at the runs task by task",
    "conflict": "no factors make the intervals agree both with this pair and with the other pairs",
}


def _reason(reading: Reading, decision: Decision, metric: Metric) -> Reason | None:
    """Return why a pair must not be read by eye, or None."""
    seen = _overlap(reading, decision)
    if seen is None:
        return "no_interval"
    ends = [Spread(t, *_reach(t, e)) for t, e in zip(reading.estimates, reading.ends, strict=True)]
    pair = facing(ends, decision)
    if seen == decision.rejected:
        if pair.possible:
            return "conflict"
        return "equal_estimates" if decision.rejected else "no_width"
    better = 1.0 if metric.higher_is_better else -1.0
    ahead = better * (reading.estimates[decision.a] - reading.estimates[decision.b])
    return "direction" if decision.rejected and ahead * decision.direction < 0 else None


def _reach(estimate: float, ends: Ends | None) -> tuple[float, float]:
    reach = spread(estimate, *(ends or (estimate, estimate)))
    return reach.below, reach.above
