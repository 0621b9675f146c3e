"""runoff convert: runs of any kind as one tidy file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from runoff.base.asked import refuse_overwriting
from runoff.cli import options as o
from runoff.cli.record import remembered, show_record
from runoff.cli.terminal import open_console, say
from runoff.cli.verb import verb
from runoff.cli.without_files import shipped
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
    path: list[str],
    out: Path,
    series: str | None = None,
    pattern: str | None = None,
    format: str | None = None,
    columns: list[str] | None = None,
    force: bool = False,
    json: bool = False,
) -> None:
    """Convert runs of any format to one tidy table.

    $ runoff convert classic_control -o curves.parquet
    $ runoff convert simba -o simba.csv

    The columns of the table are algorithm, task, run and score, and of learning curves step, and time and episodes if they are known.
    """
    from runoff.cli.progress import progress
    from runoff.reading import load, write_runs

    refuse_overwriting(out, force=force)
    settings = o.given(series=series, pattern=pattern, format=format, columns=o.roles(columns))
    with progress() as tell:
        tell("reading", 0.0)
        published = shipped(path[0], curves=True) if len(path) == 1 else None
        runs: Any = load(path[0] if len(path) == 1 else path, **settings) if published is None else published
        remembered(runs)
        tell("writing", 0.8)
        write_runs(runs, out, force=force)
    if json:
        show_record({"path": str(out)})
    else:
        show_import(runs, out)


def show_import(runs: Curves | Scores, out: Path) -> None:
    """Print what was written, and how it was understood."""
    from runoff.data.curves import Curves

    console = open_console()
    n_runs = len(runs.runs) if isinstance(runs, Curves) else runs.values.size
    size = f"{counted([n_runs], 'run')} of {counted([len(runs.algorithms)], 'algorithm')} on {counted([len(runs.tasks)], 'task')}"
    say(console, f"{out}: {size}")
    for note in runs.provenance.notes:
        say(console, note, indent="  ")
