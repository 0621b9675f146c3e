"""runoff reproduce: are my runs of a published algorithm consistent with the published ones?"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from runoff.cli import options as o
from runoff.cli.arguments import GivenOptions, asks
from runoff.cli.terminal import say, show_advice, show_tables, show_title
from runoff.cli.values import protocol_of
from runoff.cli.verb import answer, leave, verb

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.answer.reproduce import ReproduceResult

SCHEMA = "runoff.reproduce/1"
"""The version of reproduce.json."""
ABOUT = """
--published SET:ALGORITHM: Published algorithm, from runoff archive, that these runs reproduce, such as simbav2:sac.
--margin M: Smallest difference that matters (default: half of the range of the set's means on each task).
-o --out OUT: Folder for the figure and reproduce.json, which has every run.
"""


@verb
def reproduce(
    *,
    source: o.SourceOptions,
    published: str,
    settings: GivenOptions = asks("methods.reproduce.reproduce", "margin assume_same_protocol alpha"),
    protocol: list[str] | None = None,
    out: Path | None = None,
    force: bool = False,
    json: bool = False,
) -> None:
    """Test whether your runs agree with the published ones.

    $ runoff reproduce primacy_dmc --algorithms DRQ --published drq_dreamer:DrQ --margin 100 --assume-same-protocol
    $ runoff reproduce drq_dreamer --published primacy_dmc:DRQ --margin 100 --assume-same-protocol
    """
    from runoff.methods.reproduce import reproduce as reproduce_scores

    settings |= o.given(protocol=protocol_of(protocol))
    answer(
        source,
        "comparing with the published runs",
        lambda scores: reproduce_scores(scores, published, **settings),
        show=show_reproduced,
        write=None if out is None else partial(write_reproduced, out=out, force=force),
        json=json,
    )


def write_reproduced(result: ReproduceResult, *, out: Path, force: bool) -> None:
    """Write `reproduce.json` and the figure as SVG, PDF and PNG."""
    from runoff import plots

    record = {"schema": SCHEMA, "sentence": result.sentence, "records": result.to_records()}
    sentences = [result.sentence, plots.caption(result)]
    leave(out, "reproduce", record, {}, sentences, figures=lambda: {"reproduce": plots.reproduce(result)}, force=force)


def show_reproduced(console: Console, result: ReproduceResult) -> None:
    show_tables(console, result.tables())
    show_title(console, "The published runs")
    for note in result.notes:
        say(console, note, indent="  ")
    show_advice(console, result.advice)
