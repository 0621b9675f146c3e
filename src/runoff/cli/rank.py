"""runoff rank: do several algorithms differ at all, and which ranks differ?"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from runoff.cli import options as o
from runoff.cli.arguments import GivenOptions, asks
from runoff.cli.terminal import say, show_advice, show_tables
from runoff.cli.verb import answer, verb

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.answer.rank import RankingResult


ABOUT = """
--test: Test of all algorithms: {values} (default {default}).
--method: Method for the null distribution: {values} (default {default}).
--n-resamples: Number of draws of the Monte Carlo method (default {default}).
"""


@verb
def rank(
    *,
    source: o.Beside,
    settings: GivenOptions = asks("methods.ranking.rank", "test method control single_value alpha seed n_resamples"),
    json: bool = False,
) -> None:
    """Rank the algorithms, and test whether they differ.

    $ runoff rank classic_control
    $ runoff rank atari_100k --control SPR
    """
    from runoff.methods.ranking import rank as ask

    answer(source, "ranking", partial(ask, **settings), show=show_ranks, json=json)


def show_ranks(console: Console, ranking: RankingResult) -> None:
    show_ranking(console, ranking)
    show_advice(console, ranking.advice)


def show_ranking(console: Console, ranking: RankingResult) -> None:
    """Print average ranks with letters, and the answers in sentences."""
    show_tables(console, ranking.tables())
    for sentence in (*ranking.sentences, *ranking.left_out):
        say(console, sentence)
