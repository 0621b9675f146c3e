"""Inferential intervals from aggregates and pairs that are already made: the numbers of `inferential_intervals`, without testing again.

`tests/report/test_reading.py` holds the two to each other, field by field.
"""

from __future__ import annotations

from collections.abc import Sequence

from runoff._inference.inferential import Decision
from runoff._inference.metrics import parse_metric
from runoff._inference.pair_tests import PairOutcome
from runoff.methods import inferential as method
from runoff.results.aggregate import AggregateResult
from runoff.results.comparison import ComparisonResult, Pair
from runoff.results.inferential import InferentialResult
from runoff.scores import Scores

FORMULA = "modified"


def reusable(scores: Scores, aggregates: AggregateResult, comparison: ComparisonResult) -> bool:
    """Return whether the results concern all pairs, all tasks and one test."""
    k = scores.n_algorithms
    return (
        bool((scores.n_runs > 0).all())
        and len(comparison.pairs) == k * (k - 1) // 2 > 0
        and len({pair.test for pair in comparison.pairs}) == 1
        and all(record.interval in (None, "percentile") for record in aggregates.records)
    )


def intervals_of(scores: Scores, aggregates: AggregateResult, comparison: ComparisonResult) -> InferentialResult:
    """Return the inferential intervals of the aggregates' first metric, by the pairs' test; `reusable` must hold."""
    metric = aggregates.metrics[0]
    records = [aggregates.record(name, metric) for name in scores.algorithms]
    ends = [None if r.low is None or r.high is None else (r.low, r.high) for r in records]
    decisions = [_decision(pair, scores.algorithms, comparison.alpha) for pair in comparison.pairs]
    read = method._read([r.estimate for r in records], ends, decisions, FORMULA, comparison.alpha)
    outcomes = [_outcome(pair, d.direction) for pair, d in zip(comparison.pairs, decisions, strict=True)]
    return InferentialResult(
        records=tuple(method._record(name, read, a) for a, name in enumerate(scores.algorithms)),
        pairs=tuple(
            method._pair(scores, read, decision, pair.pvalue)
            for decision, pair in zip(decisions, comparison.pairs, strict=True)
        ),
        disagreements=method._disagreements(scores, read, decisions, parse_metric(metric), outcomes),
        metric=metric,
        interval="percentile",
        test=comparison.pairs[0].test,
        formula=FORMULA,
        correction=comparison.correction,
        alpha=comparison.alpha,
        confidence_level=comparison.confidence_level,
        tasks=scores.tasks,
        n_resamples=comparison.n_resamples,
        seed=comparison.seed,
    )


def _decision(pair: Pair, names: Sequence[str], alpha: float) -> Decision:
    direction = {"a_better": 1.0, "b_better": -1.0}.get(pair.verdict, 0.0)
    adjusted = pair.pvalue_adjusted
    return Decision(names.index(pair.a), names.index(pair.b), adjusted, adjusted <= alpha, direction)


def _outcome(pair: Pair, direction: float) -> PairOutcome:
    return PairOutcome(
        test=pair.test,
        statistic=pair.statistic,
        pvalue=pair.pvalue,
        pvalue_error=pair.pvalue_error,
        method=pair.method,
        df=pair.df,
        null=pair.null,
        alternative=pair.alternative,
        direction=direction,
    )
