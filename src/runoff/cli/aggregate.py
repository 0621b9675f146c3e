"""runoff aggregate: how good is each algorithm?"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from runoff.cli import options as o
from runoff.cli.arguments import GivenOptions, asks
from runoff.cli.terminal import show_advice, show_tables
from runoff.cli.verb import answer, verb

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.answer.aggregate import AggregateResult


ABOUT = """
--by: Rows of the answer: task has one for each algorithm and task (default one for each algorithm).
--measure NAME: Measure to report: {FixedMetric} or trimmed_mean_P, with --over tasks pass@K and pass^K; repeatable.
--interval: Kind of interval: {values} (default {default}).
--over: Units that vary: {values} (default {default}).
--cluster COLUMN: Column that names which tasks were drawn together (for --over tasks).
--strata COLUMN: Column that names the benchmark, or suite, of each task: runoff estimates each, and their mean.
--errorbar: Number behind each mean of --by task: {values}; sd is the standard deviation of the runs (default {default}).
--confidence-level LEVEL: Level of the intervals, such as 0.9 (default {default}).
--weights WEIGHTS: Weights of the strata in their mean: {default} (default), tasks, or STRATUM=WEIGHT,….
"""


@verb
def aggregate(
    *,
    source: o.Beside,
    settings: GivenOptions = asks(
        "methods.aggregate.aggregate",
        "by measure interval over cluster strata weights confidence_level errorbar seed n_resamples",
    ),
    json: bool = False,
) -> None:
    """Estimate how good each algorithm is over all tasks.

    $ runoff aggregate classic_control --normalize classic_control
    $ runoff aggregate atari_100k --normalize atari --measure iqm
    """
    from runoff.methods.aggregate import aggregate as aggregate_scores

    source, settings = source.in_strata(settings)
    ask = partial(aggregate_scores, **settings)
    answer(source, "aggregates and their intervals", ask, show=show_aggregates, json=json)


def show_aggregates(console: Console, result: AggregateResult) -> None:
    show_tables(console, result.tables())
    show_advice(console, result.advice)
