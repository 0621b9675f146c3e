"""runoff compare: which pairs differ?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runoff.cli import options as o
from runoff.cli.terminal import ALL_IN_JSON, MOST_LINES, open_console, say, show_advice, show_data, show_title
from runoff.cli.verb import answer, verb
from runoff.errors import OptionError
from runoff.words.numbers import counted, exactly

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.data.scores import Scores
    from runoff.results.comparison import ComparisonResult
    from runoff.results.where import WhereResult


ABOUT = """
--test: Test for each pair: {PairTestName} (default auto).
--over: What is the sample: {OverName} (default runs: claims are about these tasks).
--cluster COLUMN: With --over tasks: the column that names which tasks were drawn together.
--where A B: Only this pair, task by task: where does the lead come from?
--correction: Correction over the pairs: {CorrectionName} (default auto).
"""


@verb
def compare(
    *,
    source: o.Source,
    statistics: o.Statistics,
    measure: str | None = None,
    test: str | None = None,
    over: str | None = None,
    cluster: str | None = None,
    correction: str | None = None,
    control: str | None = None,
    single: str | None = None,
    where: tuple[str, str] | None = None,
    json: bool = False,
) -> None:
    """Which algorithms differ, in which direction, and how sure is that? With --where: on which tasks do two?"""
    from runoff.methods.compare import compare as compare_scores
    from runoff.results.comparison import ComparisonResult

    if where is not None:
        others = o.given(test=test, over=over, cluster=cluster, correction=correction, control=control, single=single)
        if others:
            raise OptionError(f"--where tells two algorithms apart task by task: leave out --{next(iter(others))}.")
        where_from(source, statistics, where, o.given(measure=measure), json=json)
        return
    clusters = None if cluster is None else source.clusters(cluster)
    settings = o.given(
        measure=measure, over=over, cluster=clusters, test=test, correction=correction, control=control, single=single
    )
    settings |= o.given(alpha=statistics.alpha, rng=statistics.seed, n_resamples=statistics.resamples)
    answer(
        source,
        "comparing the pairs",
        lambda scores: compare_scores(scores, **settings),
        show=show_comparison,
        records=ComparisonResult.to_records,
        advice=lambda result: result.advice,
        json=json,
    )


def where_from(
    source: o.Source, statistics: o.Statistics, pair: tuple[str, str], settings: dict[str, Any], *, json: bool
) -> None:
    """Print the tasks of a pair, those with the largest share of the lead first."""
    from runoff.methods.where import where
    from runoff.results.base import plain

    settings |= o.given(alpha=statistics.alpha, rng=statistics.seed, n_resamples=statistics.resamples)
    answer(
        source,
        "comparing the tasks",
        lambda scores: where(scores, *pair, **settings),
        show=show_where,
        records=plain,
        advice=lambda result: result.advice,
        json=json,
    )


def show_where(scores: Scores, result: WhereResult) -> None:
    console = open_console()
    show_data(console, scores)
    show_title(console, f"{result.a} against {result.b}, task by task")
    for line in str(result).splitlines():
        say(console, line)


def show_comparison(scores: Scores, comparison: ComparisonResult) -> None:
    from runoff.results.base import most_severe_first

    console = open_console()
    show_data(console, scores)
    show_pairs(console, comparison)
    advice = [*comparison.advice, *(advice for pair in comparison.pairs for advice in pair.advice)]
    show_advice(console, most_severe_first(advice), comparison)


MANY_PAIRS = 15
"""Of more pairs than this the terminal tells only those that differ."""


def show_pairs(console: Console, comparison: ComparisonResult, rest: str = ALL_IN_JSON) -> None:
    """Print a sentence for each pair; of many pairs only for those that differ. `rest` says where the others are."""
    from runoff._inference.family import CORRECTIONS
    from runoff.plots import marks

    show_title(
        console, f"Pairs at α = {exactly(comparison.alpha)} ({CORRECTIONS[comparison.correction].label} correction)"
    )
    shown = list(comparison.pairs)
    if len(shown) > MANY_PAIRS:
        shown = [pair for pair in shown if pair.verdict != "no_difference_found"]
    styles = marks(name for pair in comparison.pairs for name in (pair.a, pair.b))
    alike = len(comparison.pairs) - len(shown)
    for pair in shown[:MOST_LINES]:
        better = {"a_better": pair.a, "b_better": pair.b}.get(pair.verdict)
        say(console, pair.sentence, head=("● ", styles[better].color) if better is not None else ("○ ", "dim"))
    left = len(shown) - MOST_LINES
    if left > 0:
        say(console, f"… and {counted([left], 'more pair')} that differ: {rest}.")
    if alike:
        say(console, f"○ No difference was found for {counted([alike], 'more pair')}, which does not make them equal.")
