"""runoff demo: the report on the shipped data set."""

from __future__ import annotations

from pathlib import Path

from runoff.cli import options as o
from runoff.cli.report import show_written
from runoff.cli.verb import verb

NAME = "classic_control"


@verb
def demo(statistics: o.Statistics, out: Path = o.OUT, force: bool = False, json: bool = False) -> None:
    """Report on the shipped data set: real agents on classic control tasks, 50 runs per algorithm and task."""
    from runoff.cli.progress import progress
    from runoff.io import load_example
    from runoff.report import write_report

    settings = o.given(alpha=statistics.alpha, seed=statistics.seed, n_resamples=statistics.resamples)
    title = "Classic control: which algorithm is better?"
    with progress() as tell:
        tell("reading", 0.0)
        curves = load_example(NAME).normalize(NAME)
        command = o.command_line("demo", statistics)
        written = write_report(curves, out, title=title, command=command, progress=tell, force=force, **settings)
    show_written(written, json=json)
