"""runoff demo: the report on the shipped data set."""

from __future__ import annotations

from runoff.cli import options as o
from runoff.cli.verb import verb

NAME = "classic_control"


@verb
def demo(statistics: o.Statistics, out: o.Out = o.OUT, json: o.Json = False) -> None:
    """Report on the shipped data set: real agents on classic control tasks, 50 runs per algorithm and task."""
    from runoff.report.files.aside import second_process

    with second_process():  # before all else: it imports while this one does
        _demo(statistics, out, json)


def _demo(statistics: o.Statistics, out: o.Out, json: o.Json) -> None:
    from runoff.cli.progress import progress
    from runoff.cli.show import show_json, show_report
    from runoff.io import load_example
    from runoff.report import write_report
    from runoff.report.files.records import json_text

    asked = o.given(alpha=statistics.alpha, seed=statistics.seed, n_resamples=statistics.resamples)
    title = "Classic control: which algorithm is better?"
    with progress() as tell:
        tell("reading", 0.0)
        curves = load_example(NAME).normalize(NAME)
        command = o.command_line("demo", statistics)
        written = write_report(curves, out, title=title, command=command, progress=tell, **asked)
    if json:
        show_json(json_text(written.answers))
    else:
        show_report(written)
