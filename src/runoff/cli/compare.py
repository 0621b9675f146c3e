"""runoff compare: which pairs differ?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from runoff.cli import options as o
from runoff.cli.arguments import GivenOptions, asks
from runoff.cli.terminal import ALL_IN_JSON, say, say_some, show_advice, show_tables
from runoff.cli.tuning import at_equal_tuning, show_tuning
from runoff.cli.values import number_in
from runoff.cli.verb import answer, verb
from runoff.errors import OptionError
from runoff.words.speech import option

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.answer.comparison import ComparisonResult
    from runoff.answer.pair import Pair
    from runoff.answer.tuning import TuningResult
    from runoff.answer.where import WhereResult
    from runoff.data.scores import Scores


ABOUT = """
--test: Test for each pair: {values} (default {default}).
--over: Sample that claims generalise from: {values} (default {default}: tasks where each is an item attempted once, or where clusters are named;
    else runs, and claims are about these tasks).
--cluster COLUMN: Column that names which tasks were drawn together (for --over tasks).
--strata COLUMN: Column that names the benchmark, or suite, of each task: runoff compares each, and their mean.
--weights WEIGHTS: Weights of the strata in their mean: {default} (default), tasks, or STRATUM=WEIGHT,….
--where A B: Pair to compare task by task, to see where the lead comes from.
--margin D: Smallest difference that matters, chosen before the runs; pairs that differ by less are called equivalent.
--pairs: Show all pairs, not only those of the leader.
--correction: Correction over the pairs: {values} (default {default}).
"""


@verb
def compare(
    *,
    source: o.Beside,
    statistics: o.Statistics,
    settings: GivenOptions = asks(
        "methods.compare.compare", "measure test over cluster strata weights correction control single_value"
    ),
    margin: str | None = None,
    where: tuple[str, str] | None = None,
    pairs: bool = False,
    json: bool = False,
) -> None:
    """Test which algorithms differ, and by how much.

    $ runoff compare atari_100k --normalize atari --control SPR
    $ runoff compare classic_control --normalize classic_control --where ARS CEM
    """
    settings |= o.given(margin=None if margin is None else number_in(margin))
    if where is not None:
        others = [*(name for name in settings if name != "measure"), *["pairs"] * pairs]
        if others:
            raise OptionError(f"--where compares two algorithms task by task: leave out {option(others[0])}.")
        where_from(source, statistics, where, settings, json=json)
        return
    source, settings = source.in_strata(settings)
    settings |= o.given(alpha=statistics.alpha, rng=statistics.seed, n_resamples=statistics.n_resamples)
    show = partial(_show, measure=settings.get("measure"), all_pairs=pairs)
    answer(source, "comparing the pairs", partial(_ask, **settings), show=show, records=_record, json=json)


def _ask(scores: Scores, **settings: Any) -> ComparisonResult | TuningResult:
    from runoff.methods.compare import compare as compare_scores

    # The best of k configurations was chosen by the seeds that would judge it: a sweep is compared at equal tuning.
    others = {name: value for name, value in settings.items() if name not in ("alpha", "rng")}
    return at_equal_tuning(scores, settings.get("alpha"), **others) or compare_scores(scores, **settings)


def _show(console: Console, result: ComparisonResult | TuningResult, *, measure: str | None, all_pairs: bool) -> None:
    from runoff.answer.comparison import ComparisonResult

    if isinstance(result, ComparisonResult):
        show_comparison(console, result, measure, all_pairs=all_pairs)
    else:
        show_tuning(console, result)


def _record(result: ComparisonResult | TuningResult) -> dict[str, Any]:
    """Return the part of the `--json` output other than data and advice: everything that `runoff diff` needs of a result; for a sweep, that
    of `tuning`."""
    from importlib.metadata import version

    from runoff.answer.base import content_of
    from runoff.answer.comparison import ComparisonResult
    from runoff.answer.saved import COMPARE, comparison_record
    from runoff.cli.record import read_last
    from runoff.page.files.records import scores_record

    if not isinstance(result, ComparisonResult):
        return content_of(result)
    own = {"schema": COMPARE, "version": version("runoff"), **content_of(result)}
    return own | comparison_record(result) | {"scores": scores_record(read_last())}


def where_from(
    source: o.SourceOptions, statistics: o.Statistics, pair: tuple[str, str], settings: dict[str, Any], *, json: bool
) -> None:
    """Print the tasks of a pair, the largest share of the lead first."""
    from runoff.methods.where import where

    settings |= o.given(alpha=statistics.alpha, rng=statistics.seed, n_resamples=statistics.n_resamples)
    answer(
        source,
        "comparing the tasks",
        lambda scores: where(scores, *pair, **settings),
        show=show_where,
        json=json,
    )


def show_where(console: Console, result: WhereResult) -> None:
    show_tables(console, result.tables())
    say_some(console, [f"{r.task} is not tested: {r.reason}." for r in result.rows if r.reason], "task")


def show_comparison(console: Console, comparison: ComparisonResult, measure: str | None, *, all_pairs: bool) -> None:
    from runoff.answer.comparison import why_means

    show_pairs(console, comparison, all_pairs=all_pairs)
    if why := why_means(comparison, measure):
        say(console, f"By means, for {why}.")
    rows = (*comparison.pairs, *comparison.by_stratum)
    advice = [*comparison.advice, *(advice for pair in rows for advice in pair.advice)]
    show_advice(console, advice, comparison)


def show_pairs(
    console: Console, comparison: ComparisonResult, rest: str = ALL_IN_JSON, *, all_pairs: bool = False
) -> None:
    """Print the pairs, all or only the leader's, with the sentences of those whose lower algorithm leads; print a single pair as its
    sentence."""
    from runoff.words.measures import lead_of

    pairs = comparison.standing.pairs
    show_flips(console, pairs)
    show_tables(console, [table for table in comparison.tables() if table.role == "lines"], rest)
    # A table of one row would say less than its sentence.
    if len(pairs) == 1:
        console.print()
        say(console, pairs[0].sentence)
        return
    leader, table = comparison.standing.leader, comparison.tables()[0]
    # Who names a control asks for its pairs, whoever leads.
    every = all_pairs or comparison.control is not None
    own = [at for at, pair in enumerate(pairs) if every or leader in (pair.a, pair.b)]
    show_tables(console, [table.only(own)], rest)
    if len(own) < len(pairs):
        where = "--pairs shows" if rest == ALL_IN_JSON else f"{rest} has"
        say(console, f"These are the pairs of {leader}; {where} all {len(pairs)}.")
    for pair in (pairs[at] for at in own):
        # Found above the other by a rank test, though its value is the lower one: the table alone would look like a
        # mistake.
        if pair.winner is not None and lead_of(pair.measure, pair.estimate) < 0:
            say(console, pair.sentence)


def show_flips(console: Console, pairs: Sequence[Pair]) -> None:
    """Print the first items that only one of the two solved; `--json` has all of them."""
    from runoff.words.numbers import some

    for pair in pairs[:1]:
        for name, items in ((pair.a, pair.won_tasks), (pair.b, pair.lost_tasks)):
            if items:
                say(console, f"Only {name} solved {some(items, 10)}.")
