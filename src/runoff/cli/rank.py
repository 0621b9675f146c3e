"""runoff rank: do many algorithms differ at all, and which ranks are apart?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runoff.cli import options as o
from runoff.cli.terminal import say, show_advice, show_tables
from runoff.cli.verb import answer, verb
from runoff.words.numbers import exactly

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.page.answers.ranking import Ranking


ABOUT = """
--test: Test of all algorithms: {BlockedTestName} (default mack_skillings).
--method: Method for the null distribution: {NullMethod} (default auto).
--draws: Number of draws of the Monte Carlo method (default 10000).
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
    """Rank the algorithms, and test whether they differ.

    $ runoff rank classic_control
    $ runoff rank atari_100k --control SPR
    """
    from runoff.page.answers.ranking import rank_answers, record_of_ranking
    from runoff.page.words.ranks import ranking_sentence

    settings = o.given(
        test=test, method=method, control=control, single=single, alpha=alpha, rng=seed, n_resamples=draws
    )
    answer(
        source,
        "ranking",
        lambda scores: rank_answers(scores, **settings),
        # `rank_answers` gives the level beside the ranking, which the sentences need and the ranking has not.
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
    """Print the test of all algorithms, and average ranks with letters."""
    from runoff.page.words.ranks import ranking_words, table_of_ranks

    at = f"At α = {exactly(alpha)}, all algorithms together."
    show_tables(console, [table_of_ranks(ranking, at)])
    for sentence in ranking_words(ranking, alpha):
        say(console, sentence)
