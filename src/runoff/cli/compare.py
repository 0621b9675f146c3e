"""runoff compare: which pairs differ?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from runoff.cli import options as o
from runoff.cli.terminal import ALL_IN_JSON, Sheet, fitted, say, show_advice, show_title
from runoff.cli.verb import answer, verb
from runoff.errors import OptionError
from runoff.words.numbers import chances, counted, estimated, percent, pvalue, span

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.results.comparison import ComparisonResult
    from runoff.results.pair import Pair
    from runoff.results.where import WhereResult


ABOUT = """
--test: Test for each pair: {PairTestName} (default auto).
--over: What is the sample: {OverName} (default runs: claims are about these tasks).
--cluster COLUMN: With --over tasks: the column that names which tasks were drawn together.
--where A B: Only this pair, task by task: where does the lead come from?
--margin D: The smallest difference that matters, named before the runs: pairs that differ by less are equivalent.
--correction: Correction over the pairs: {CorrectionName} (default auto).
"""


@verb
def compare(
    *,
    source: o.Beside,
    statistics: o.Statistics,
    measure: str | None = None,
    test: str | None = None,
    over: str | None = None,
    cluster: str | None = None,
    correction: str | None = None,
    control: str | None = None,
    single: str | None = None,
    margin: float | None = None,
    where: tuple[str, str] | None = None,
    json: bool = False,
) -> None:
    """Which algorithms differ, in which direction, and how sure is that? With --where: on which tasks do two?"""
    from runoff.methods.compare import compare as compare_scores

    if where is not None:
        others = o.given(test=test, over=over, cluster=cluster, correction=correction, control=control, single=single)
        others |= o.given(margin=margin)
        if others:
            raise OptionError(f"--where compares two algorithms task by task: leave out --{next(iter(others))}.")
        where_from(source, statistics, where, o.given(measure=measure), json=json)
        return
    clusters = None if cluster is None else source.clusters(cluster)
    settings = o.given(
        measure=measure, over=over, cluster=clusters, test=test, correction=correction, control=control, single=single
    )
    settings |= o.given(margin=margin)
    settings |= o.given(alpha=statistics.alpha, rng=statistics.seed, n_resamples=statistics.resamples)
    answer(
        source,
        "comparing the pairs",
        lambda scores: compare_scores(scores, **settings),
        show=show_comparison,
        over=over,
        json=json,
    )


def where_from(
    source: o.SourceOptions, statistics: o.Statistics, pair: tuple[str, str], settings: dict[str, Any], *, json: bool
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
        json=json,
    )


def show_where(console: Console, result: WhereResult) -> None:
    show_title(console, f"{result.a} against {result.b}, task by task")
    for line in str(result).splitlines()[1:]:
        say(console, line)


def show_comparison(console: Console, comparison: ComparisonResult) -> None:
    from runoff.results.base import most_severe_first

    show_pairs(console, comparison)
    advice = [*comparison.advice, *(advice for pair in comparison.pairs for advice in pair.advice)]
    show_advice(console, most_severe_first(advice), comparison)


def show_pairs(console: Console, comparison: ComparisonResult, rest: str = ALL_IN_JSON) -> None:
    """Print a table of the pairs that differ, one of the others, and by what they were tested; of a single pair its sentence."""
    from runoff.results.comparison import by_family, tested_words
    from runoff.results.pair import lead_of
    from runoff.words.names import capital

    pairs = comparison.standing.pairs
    if len(pairs) == 1:
        console.print()
        say(console, pairs[0].sentence)
        return
    better, alike, rest_of, unjudged = (
        [pair for pair in pairs if pair.verdict in verdicts]
        for verdicts in (("a_better", "b_better"), ("equivalent",), ("no_difference_found",), ("no_verdict",))
    )
    # Of all tables: one label is then one algorithm on the whole screen.
    labels = fitted(dict.fromkeys(name for pair in pairs for name in (pair.a, pair.b)))
    of = f"of {counted([len(pairs)], 'pair')}"
    some = f" for {len(unjudged)} {of}" if len(unjudged) < len(pairs) else ""
    for rows, title in (
        (better, f"{len(better)} {of} {'differs' if len(better) == 1 else 'differ'}"),
        (alike, f"{len(alike)} {of} {'is' if len(alike) == 1 else 'are'} equivalent within the margin"),
        (rest_of, f"No difference was found for {len(rest_of)} {of}, which does not make them equal"),
        (
            unjudged,
            f"No verdict is given{some}, because {' or '.join(dict.fromkeys(pair.unjudged for pair in unjudged))}",
        ),
    ):
        if rows:
            show_title(console, title)
            console.print(_pairs_table(rows, labels, percent(comparison.confidence_level), rest))
    for pair in better:
        if lead_of(pair.measure, pair.estimate) < 0:
            say(console, pair.sentence)
    unit = f"a random {pairs[0].unit} of the first scores higher than one of the second"
    wins = f"wins: how often {unit}, ties counting half"
    wins += "; detectable: the difference found with 80\u00a0% power" if alike or rest_of or unjudged else ""
    sample = f", over tasks like these {span([pair.n_tasks for pair in pairs])}" if comparison.over == "tasks" else ""
    own = "on its own, and given where it agrees with the verdict"
    intervals = f"each interval is {'the one that decided' if by_family(pairs) else own}"
    by = f"Decided by {tested_words(comparison)}{sample}; {intervals}; " if len(unjudged) < len(pairs) else ""
    say(console, capital(f"{by}{wins}."))


def _pairs_table(pairs: Sequence[Pair], labels: Mapping[str, str], level: str, rest: str) -> Sheet:
    """Return a row for each pair, the winner first; of pairs without one also the difference that is found with 80 % power."""
    from runoff.results.base import less
    from runoff.results.comparison import by_family
    from runoff.results.pair import detectable_text, differences_words, even_of, hundredths
    from runoff.words.names import LOWER_IS_BETTER

    first = pairs[0]
    by_chance, lower = first.measure == "improvement", first.measure in LOWER_IS_BETTER
    heads = [*(("ahead", "behind") if by_chance else ("lower", "higher") if lower else ("higher", "lower"))]
    head = f"{differences_words(first.measure, binary=first.rates)} [{'deciding' if by_family(pairs) else level}]"
    if first.winner is None:
        heads = ["algorithm", "against"]
    heads += ["wins" if by_chance else head, "wins", "adjusted p", "detectable"]
    kept = [i for i in range(6) if not (i == 3 and by_chance) and not (i == 5 and first.winner)]
    table = Sheet(heads[0], [heads[i] for i in kept[1:]], names=2, rest=rest)
    for pair in pairs:
        low, high = pair.deciding if pair.verdict == "equivalent" else pair.spoken
        size = pair.estimate, low, high
        if lower and first.winner:
            size = -pair.estimate, less(0.0, high), less(0.0, low)
        by = chances(*size) if by_chance else estimated(*size)
        cells = (
            labels[pair.a],
            labels[pair.b],
            by,
            f"{hundredths(pair.improvement)}\u00a0%",
            pvalue(pair.pvalue_adjusted),
            detectable_text(pair, even_of(pair.measure)),
        )
        table.add_row(*(cells[i] for i in kept))
    return table
