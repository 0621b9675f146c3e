"""runoff convert: runs of any kind as one tidy file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from runoff.base.asked import refuse_overwriting
from runoff.cli import options as o
from runoff.cli.record import remembered, show_record
from runoff.cli.terminal import open_console, say
from runoff.cli.verb import verb
from runoff.words.numbers import counted

if TYPE_CHECKING:
    from runoff.data.curves import Curves
    from runoff.data.scores import Scores

ABOUT = """
-o --out FILE: File to write: .parquet, .feather or .csv.
--series NAME: Logged quantity (or column) that is the score.
"""


@verb
def convert(
    *,
    source: o.SourceOptions,
    out: Path,
    series: str | None = None,
    force: bool = False,
    json: bool = False,
) -> None:
    """Convert runs of any format to one tidy table.

    $ runoff convert classic_control -o curves.parquet
    $ runoff convert simba -o simba.csv

    The columns of the table are algorithm, task, run and score, and of learning curves step, and time and episodes if they are known.
    """
    from runoff.reading import write_runs

    refuse_overwriting(out, force=force)
    chosen = source if series is None else replace(source, columns=[*(source.columns or []), f"score={series}"])
    runs = remembered(chosen.chosen_runs())
    write_runs(runs, out, force=force)
    if json:
        show_record({"path": str(out)})
    else:
        show_import(runs, out)


def show_import(runs: Curves | Scores, out: Path) -> None:
    """Print what was written, and how it was understood."""
    from runoff.data.curves import Curves

    console = open_console()
    n_runs = len(runs.run_labels) if isinstance(runs, Curves) else runs.values.size
    size = f"{counted([n_runs], 'run')} of {counted([len(runs.algorithms)], 'algorithm')} on {counted([len(runs.tasks)], 'task')}"
    say(console, f"{out}: {size}")
    for note in runs.provenance.notes:
        say(console, note, indent="  ")
