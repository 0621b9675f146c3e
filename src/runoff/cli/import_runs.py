"""runoff import: runs of any kind as one tidy file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runoff.cli import options as o
from runoff.cli.verb import verb

Out = Annotated[
    Path, typer.Option("-o", "--out", metavar="FILE", help="The file to write: .parquet, .feather or .csv.")
]
Metric = Annotated[
    str | None, typer.Option("--metric", metavar="NAME", help="The series (or column) that is the score.")
]


@verb
def import_runs(
    path: o.Where,
    out: Out,
    metric: Metric = None,
    pattern: o.Pattern = None,
    format: o.Format = None,
    columns: o.Columns = None,
    json: o.Json = False,
) -> None:
    """Write the runs of a folder of training logs, or of any file, as one tidy table: algorithm, task, run, step, score, time, episodes."""
    from runoff.cli.progress import progress
    from runoff.cli.show_scan import show_import
    from runoff.cli.told import remembered, show_record
    from runoff.io import read_curves, write_curves

    asked = o.given(metric=metric, pattern=pattern, format=format, columns=o.roles(columns))
    with progress() as tell:
        tell("reading", 0.0)
        curves = remembered(read_curves(path, **asked))
        tell("writing", 0.8)
        write_curves(curves, out)
    if json:
        show_record({"path": str(out)})
    else:
        show_import(curves, out)
