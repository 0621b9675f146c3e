"""runoff aggregate: how good is each algorithm?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runoff.cli import options as o
from runoff.cli.terminal import show_advice, show_tables
from runoff.cli.verb import answer, verb

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.answer.aggregate import AggregateResult


ABOUT = """
--by: Rows of the answer: task has one for each algorithm and task (default one for each algorithm).
--measure NAME: Measure to report: {FixedMetric} or trimmed_mean_P, with --over tasks pass@K and pass^K; repeatable.
--interval: Kind of interval: {IntervalName} (default auto).
--over: Units that vary: {Resampled} (default runs).
--cluster COLUMN: Column that names which tasks were drawn together (for --over tasks).
--strata COLUMN: Column that names the benchmark, or suite, of each task: runoff estimates each, and their mean.
--confidence-level LEVEL: Level of the intervals, such as 0.9 (default 0.95).
--weights WEIGHTS: Weights of the strata in their mean: equal (default), tasks, or STRATUM=WEIGHT,….
"""


@verb
def aggregate(
    *,
    source: o.Beside,
    by: str | None = None,
    measure: list[str] | None = None,
    interval: str | None = None,
    over: str | None = None,
    cluster: str | None = None,
    strata: str | None = None,
    weights: str | None = None,
    confidence_level: float | None = None,
    seed: int | None = None,
    n_resamples: int | None = None,
    json: bool = False,
) -> None:
    """Estimate how good each algorithm is over all tasks.

    $ runoff aggregate classic_control --normalize classic_control
    $ runoff aggregate atari_100k --normalize atari --measure iqm
    """
    if by is not None:
        o.refuse(
            "{} means nothing beside --by, which has the mean of each task",
            interval=interval,
            over=over,
            cluster=cluster,
            strata=strata,
            weights=weights,
        )
    from runoff.methods.aggregate import aggregate as aggregate_scores

    source = source.naming(cluster=cluster, strata=strata)
    settings: dict[str, Any] = {**source.of_tasks(cluster=cluster, strata=strata)} | o.given(
        weights=o.weights_of(weights)
    )
    source = source.leaving_out(settings.get("strata"))
    settings |= o.given(by=by, measure=measure or None, interval=interval, over=over, confidence_level=confidence_level)
    settings |= o.given(rng=seed, n_resamples=n_resamples)
    answer(
        source,
        "aggregates and their intervals",
        lambda scores: aggregate_scores(scores, **settings),
        show=show_aggregates,
        json=json,
    )


def show_aggregates(console: Console, result: AggregateResult) -> None:
    show_tables(console, result.tables())
    show_advice(console, result.advice)
