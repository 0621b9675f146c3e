"""runoff anytime: who is better, however often we look?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from runoff.cli import options as o
from runoff.cli.record import show_result
from runoff.cli.terminal import open_console, say, show_advice, show_tables
from runoff.cli.verb import verb
from runoff.words.speech import in_shell

if TYPE_CHECKING:
    from runoff.data.scores import Scores

ABOUT = """
path BATCH...: Files or folders of runs, one for each batch, in the order in which they came.
--measure: Measure to judge by: mean.
--margin D: Difference of mean scores below which two algorithms count as equivalent.
--n-resamples: Number of random relabellings of a batch (default 5000).
"""


@dataclass(frozen=True, kw_only=True)
class Batches(o.SourceOptions):
    """The batches of runs, of which each is read by itself."""

    path: list[str]

    def scores_of_batches(self) -> list[Scores]:
        # Read together the batches would be runs of one table, and which of them came first would be lost.
        return [replace(self, path=[path]).read() for path in self.path]


@verb
def anytime(
    *,
    batches: Batches,
    alpha: float | None = None,
    measure: str | None = None,
    margin: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    json: bool = False,
) -> None:
    """Compare runs as they come, however often you look.

    $ runoff anytime classic_control --algorithms ARS,CEM
    $ runoff anytime classic_control --algorithms ARS,CEM --tasks Pendulum-v1 --margin 20

    Looks that are planned before the first run take fewer runs: runoff sequential.
    """
    from runoff.methods.anytime import anytime as ask

    settings = o.given(measure=measure, alpha=alpha, n_resamples=n_resamples, rng=seed)
    result = ask(batches.scores_of_batches(), margin=margin, **settings)
    if json:
        show_result(result)
        return
    console = open_console()
    say(console, result.sentence)
    show_tables(console, result.tables())
    for pair in result.pairs:
        if pair.empty:
            say(console, pair.sentence)
    for note in result.notes:
        say(console, f"Note: {in_shell(note)}")
    show_advice(console, result.advice)
