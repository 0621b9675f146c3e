"""runoff aggregate: how good is each algorithm?"""

from __future__ import annotations

from runoff.cli import options as o
from runoff.cli.answer import answer
from runoff.cli.verb import verb


@verb
def aggregate(
    source: o.Source,
    metric: o.Metrics = None,
    interval: o.Interval = None,
    over: o.Over = None,
    seed: o.Seed = None,
    resamples: o.Resamples = None,
    json: o.Json = False,
) -> None:
    """How good is each algorithm over all its tasks, and how sure is that?"""
    from runoff.cli.show import show_aggregates
    from runoff.methods.aggregate import aggregate as aggregate_scores
    from runoff.results.aggregate import AggregateResult

    asked = o.given(metrics=metric or None, interval=interval, over=over, rng=seed, n_resamples=resamples)
    answer(
        source,
        "aggregates and their intervals",
        lambda scores: aggregate_scores(scores, **asked),
        show=show_aggregates,
        records=AggregateResult.to_records,
        advice=lambda found: found.advice,
        json=json,
    )
