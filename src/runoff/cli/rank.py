"""runoff rank: do many algorithms differ at all, and which ranks are apart?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runoff.cli import options as o
from runoff.cli.terminal import Sheet, fitted, say, show_advice, show_title
from runoff.cli.verb import answer, verb
from runoff.words.numbers import chance, decimals_of, exactly, number

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.report.answers.ranking import Ranking
    from runoff.results.rank import CriticalDifferenceResult


ABOUT = """
--test: Test of all algorithms: {BlockedTestName} (default mack_skillings).
--method: Null distribution: {NullMethod} (default auto).
--draws: Draws of the Monte Carlo method (default 10000).
"""


@verb
def rank(
    *,
    source: o.Beside,
    test: str | None = None,
    method: str | None = None,
    control: str | None = None,
    single: str | None = None,
    alpha: float | None = None,
    seed: int | None = None,
    draws: int | None = None,
    json: bool = False,
) -> None:
    """Do the algorithms differ at all, task by task, and which of their average ranks differ?"""
    from runoff.report.answers.ranking import rank_answers, record_of_ranking
    from runoff.report.words.ranks import ranking_sentence

    settings = o.given(
        test=test, method=method, control=control, single=single, alpha=alpha, rng=seed, n_resamples=draws
    )
    answer(
        source,
        "ranking",
        lambda scores: rank_answers(scores, **settings),
        says=lambda result: ranking_sentence(result[1], result[0]),
        show=lambda console, result: show_ranks(console, result[1], result[0]),
        records=lambda result: record_of_ranking(result[1]),
        advice=lambda result: result[1].advice,
        json=json,
    )


def show_ranks(console: Console, ranking: Ranking, alpha: float) -> None:
    from runoff.results.base import most_severe_first

    show_ranking(console, ranking, alpha)
    show_advice(console, most_severe_first(ranking.advice))


def show_ranking(console: Console, ranking: Ranking, alpha: float) -> None:
    """Print the test of all algorithms, average ranks with letters, and what must not be read by eye."""
    from runoff.report.words.ranks import disagreement_words, ranking_words

    show_title(
        console, f"Average ranks and possible ranks at α = {exactly(alpha)}, all algorithms together; rank 1 is best"
    )
    _show_table(console, ranking)
    for sentence in ranking_words(ranking, alpha):
        say(console, sentence)
    for sentence in disagreement_words(ranking.intervals) if ranking.intervals is not None else ():
        say(console, f"Not to be compared by eye: {sentence}")


def _show_table(console: Console, ranking: Ranking) -> None:
    from runoff.report.words.ranks import places_text

    means = ranking.average_ranks
    head, cells = _apart(ranking.critical)
    places, labels = decimals_of(means.values(), 4), fitted(means)
    possible = {record.algorithm: record for record in (ranking.places.records if ranking.places else ())}
    table = Sheet("algorithm", ["average rank", *head, *(["possible ranks", "P(best)"] if possible else [])])
    for name in sorted(means, key=lambda name: means[name]):
        more = [cells.get(name, "")] if head else []
        if possible:
            record = possible[name]
            more += [places_text(record.joint_low, record.joint_high), chance(record.p_best)]
        table.add_row(labels[name], number(means[name], places), *more)
    console.print(table)


def _apart(result: CriticalDifferenceResult | None) -> tuple[list[str], dict[str, str]]:
    """Return the heading and cells that show what differs: letters, or whether each differs from the control."""
    if result is None:
        return [], {}
    if result.control is None:
        return ["letters"], dict(zip(result.algorithms, result.letters, strict=True))
    return ["from control"], {pair.a: "different" if pair.differ else "no difference found" for pair in result.pairs}
