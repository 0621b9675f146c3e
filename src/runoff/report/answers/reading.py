"""Inferential intervals from aggregates and pairs that are already made: the numbers of `inferential_intervals`, without testing again.

`tests/report/answers/test_reading.py` holds the two to each other, field by field.
"""

from __future__ import annotations

from collections.abc import Sequence

from runoff._inference.bootstrap import AUTO, parse_metric
from runoff._inference.inferential import Decision, disagreements_of, pair_of, read_factors, record_of
from runoff.data.scores import Scores
from runoff.results.aggregate import AggregateResult
from runoff.results.comparison import ComparisonResult, Pair
from runoff.results.inferential import InferentialResult

FORMULA = "modified"


def reusable(scores: Scores, aggregates: AggregateResult, comparison: ComparisonResult) -> bool:
    """Return whether the results concern all pairs, all tasks and one test."""
    k = scores.n_algorithms
    return (
        bool((scores.n_runs > 0).all())
        and len(comparison.pairs) == k * (k - 1) // 2 > 0
        and len({pair.test for pair in comparison.pairs}) == 1
        and all(record.interval in (None, AUTO) for record in aggregates.records)
    )


def intervals_of(scores: Scores, aggregates: AggregateResult, comparison: ComparisonResult) -> InferentialResult:
    """Return the inferential intervals of the aggregates' first metric, by the pairs' test; `reusable` must hold."""
    metric = aggregates.metrics[0]
    records = [aggregates.record(name, metric) for name in scores.algorithms]
    ends = [None if r.low is None or r.high is None else (r.low, r.high) for r in records]
    decisions = [_decision(pair, scores.algorithms, comparison.alpha) for pair in comparison.pairs]
    read = read_factors([r.estimate for r in records], ends, decisions, FORMULA, comparison.alpha)
    return InferentialResult(
        records=tuple(record_of(name, read, a) for a, name in enumerate(scores.algorithms)),
        pairs=tuple(
            pair_of(scores.algorithms, read, decision, pair.pvalue)
            for decision, pair in zip(decisions, comparison.pairs, strict=True)
        ),
        disagreements=disagreements_of(
            scores.algorithms, read, decisions, parse_metric(metric), [p.test for p in comparison.pairs]
        ),
        metric=metric,
        interval=AUTO,
        test=comparison.pairs[0].test,
        formula=FORMULA,
        correction=comparison.correction,
        alpha=comparison.alpha,
        confidence_level=comparison.confidence_level,
        tasks=scores.tasks,
        n_resamples=comparison.n_resamples,
        seed=comparison.seed,
        reference=scores.provenance.reference,
    )


def _decision(pair: Pair, names: Sequence[str], alpha: float) -> Decision:
    direction = {"a_better": 1.0, "b_better": -1.0}.get(pair.verdict, 0.0)
    adjusted = pair.pvalue_adjusted
    return Decision(names.index(pair.a), names.index(pair.b), adjusted, adjusted <= alpha, direction)
