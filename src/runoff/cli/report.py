"""runoff report: everything on one page."""

from __future__ import annotations

from runoff.cli import options as o
from runoff.cli.verb import verb


@verb
def report(
    source: o.Source,
    statistics: o.Statistics,
    out: o.Out = o.OUT,
    title: o.Title = None,
    single: o.Single = None,
    json: o.Json = False,
) -> None:
    """Which algorithm is better, how sure is that, and how do you report it?

    Writes report.html, results.json, figures/ and tables/ into OUT.
    """
    from runoff.report.files.aside import second_process

    with second_process():  # before all else: it imports while this one does
        _report(source, statistics, out, title, single, json)


def _report(
    source: o.Source, statistics: o.Statistics, out: o.Out, title: o.Title, single: o.Single, json: o.Json
) -> None:
    from runoff.cli.progress import progress
    from runoff.cli.show import show_json, show_report
    from runoff.report import write_report
    from runoff.report.files.records import json_text

    command = o.command_line("report", source, statistics, single=single)
    asked = o.given(
        alpha=statistics.alpha,
        seed=statistics.seed,
        n_resamples=statistics.resamples,
        title=title,
        single=single,
        incomplete=source.incomplete,
    )
    with progress() as tell:
        tell("reading", 0.0)
        scores, curves = source.both()
        written = write_report(scores, out, curves=curves, command=command, progress=tell, **asked)
    if json:
        show_json(json_text(written.answers))
    else:
        show_report(written)
