"""runoff anytime: who is better, however often we look?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from runoff.cli import options as o
from runoff.cli.record import show_record
from runoff.cli.terminal import open_console, say, show_advice, show_title
from runoff.cli.verb import verb

if TYPE_CHECKING:
    from runoff.data.scores import Scores

BatchPaths = Annotated[
    list[str],
    typer.Argument(
        metavar="BATCH...", help="The runs as they came: a file or folder for each batch, in order.", show_default=False
    ),
]
Margin = Annotated[
    float | None, typer.Option("--margin", metavar="D", help="Mean scores that differ by less are equivalent.")
]
Draws = Annotated[int | None, typer.Option("--draws", help="Labellings of a batch that are drawn (default 5000).")]


@dataclass(frozen=True, kw_only=True)
class Batches(o.Source):
    """The batches of runs, of which each is read by itself."""

    path: BatchPaths

    def scores_of_batches(self) -> list[Scores]:
        """Return the scores of each batch."""
        return [replace(self, path=[path]).read() for path in self.path]


@verb
def anytime(
    *,
    batches: Batches,
    alpha: o.Alpha = None,
    margin: Margin = None,
    draws: Draws = None,
    seed: o.Seed = None,
    json: o.Json = False,
) -> None:
    """Who is better so far, by a claim that holds however often one looks? Planned looks (sequential) take fewer runs."""
    from runoff.methods.anytime import anytime as ask

    settings = o.given(alpha=alpha, n_resamples=draws, rng=seed)
    result = ask(batches.scores_of_batches(), margin=margin, **settings)
    if json:
        show_record(result.to_records(), advice=result.advice)
        return
    console = open_console()
    say(console, result.sentence)
    show_title(console, "Pairs")
    for pair in result.pairs:
        say(console, f"{'○' if pair.decision == 'go_on' else '●'} {pair.sentence}")
    show_advice(console, result.advice)
