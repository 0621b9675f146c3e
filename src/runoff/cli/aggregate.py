"""runoff aggregate: how good is each algorithm?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runoff.cli import options as o
from runoff.cli.terminal import ALL_IN_JSON, Sheet, fitted, show_advice, show_title
from runoff.cli.verb import answer, verb
from runoff.words.numbers import interval as interval_text
from runoff.words.numbers import number, percent

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.results.aggregate import AggregateResult


ABOUT = """
--interval: Kind of interval: {IntervalName} (default auto).
--over: What is resampled: {Resampled} (default runs).
"""


@verb
def aggregate(
    *,
    source: o.Beside,
    metric: list[str] | None = None,
    interval: str | None = None,
    over: str | None = None,
    seed: int | None = None,
    resamples: int | None = None,
    json: bool = False,
) -> None:
    """How good is each algorithm over all its tasks, and how sure is that?"""
    from runoff.methods.aggregate import aggregate as aggregate_scores

    settings = o.given(metrics=metric or None, interval=interval, over=over, rng=seed, n_resamples=resamples)
    answer(
        source,
        "aggregates and their intervals",
        lambda scores: aggregate_scores(scores, **settings),
        show=show_aggregates,
        json=json,
    )


def show_aggregates(console: Console, result: AggregateResult) -> None:
    from runoff.results.base import most_severe_first

    show_by_metric(console, result)
    show_advice(console, most_severe_first(result.advice))


def show_by_metric(console: Console, result: AggregateResult, rest: str = ALL_IN_JSON) -> None:
    """Print a row for each algorithm, the best by the first metric first; `rest` says where rows are that are too many."""
    from runoff._inference.bootstrap import best_first
    from runoff.results.aggregate import decimals
    from runoff.words.names import metric_title, metric_words

    first, level = result.metrics[0], result.records[0].confidence_level
    show_title(console, f"Ranking by {metric_words(first)}, with {percent(level)} intervals")
    table = Sheet("algorithm", [metric_title(m) for m in result.metrics], rest=rest)
    places = {m: decimals(r for r in result.records if r.metric == m) for m in result.metrics}
    labels = fitted(result.algorithms)
    for best in best_first((r for r in result.records if r.metric == first), first):
        records = [result.record(best.algorithm, m) for m in result.metrics]
        cells = [
            f"{number(r.estimate, places[r.metric])} {interval_text(r.low, r.high, places[r.metric])}" for r in records
        ]
        table.add_row(labels[best.algorithm], *cells)
    console.print(table)
