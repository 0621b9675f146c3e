"""runoff demo: the report on the shipped data set."""

from __future__ import annotations

from runoff.cli import options as o

NAME = "classic_control"


def demo(
    out: o.Out = o.OUT, alpha: o.Alpha = None, seed: o.Seed = None, resamples: o.Resamples = None, json: o.Json = False
) -> None:
    """Report on the shipped data set: real agents on classic control tasks, 50 runs each."""
    from runoff.cli.progress import progress
    from runoff.cli.show import show_json, show_report
    from runoff.io import load_example
    from runoff.report import write_report
    from runoff.report.files.records import json_text

    statistics = {"alpha": alpha, "seed": seed}
    command = o.command_line("demo", None, **statistics, resamples=resamples)
    with progress() as tell:
        tell("reading", 0.0)
        scores = load_example(NAME).final().normalize(NAME)
        settings = o.given(**statistics, n_resamples=resamples, title="Classic control: which algorithm is better?")
        written = write_report(scores, out, command=command, progress=tell, **settings)
    if json:
        show_json(json_text(written.answers))
    else:
        show_report(written)
