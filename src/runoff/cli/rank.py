"""runoff rank: do several algorithms differ at all, and which ranks differ?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runoff.cli import options as o
from runoff.cli.terminal import say, show_advice, show_tables
from runoff.cli.verb import answer, verb

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.answer.rank import RankingResult


ABOUT = """
--test: Test of all algorithms: {BlockedTestName} (default mack_skillings).
--method: Method for the null distribution: {NullMethod} (default auto).
--n-resamples: Number of draws of the Monte Carlo method (default 10000).
"""


@verb
def rank(
    *,
    source: o.Beside,
    test: str | None = None,
    method: str | None = None,
    control: str | None = None,
    single_value: str | None = None,
    alpha: float | None = None,
    seed: int | None = None,
    n_resamples: int | None = None,
    json: bool = False,
) -> None:
    """Rank the algorithms, and test whether they differ.

    $ runoff rank classic_control
    $ runoff rank atari_100k --control SPR
    """
    from runoff.methods.ranking import rank as ask

    settings = o.given(
        test=test,
        method=method,
        control=control,
        single_value=single_value,
        alpha=alpha,
        rng=seed,
        n_resamples=n_resamples,
    )
    answer(
        source,
        "ranking",
        lambda scores: ask(scores, **settings),
        show=show_ranks,
        json=json,
    )


def show_ranks(console: Console, ranking: RankingResult) -> None:
    show_ranking(console, ranking)
    show_advice(console, ranking.advice)


def show_ranking(console: Console, ranking: RankingResult) -> None:
    """Print average ranks with letters, and the answers in sentences."""
    show_tables(console, ranking.tables())
    for sentence in (*ranking.sentences, *ranking.left_out):
        say(console, sentence)
