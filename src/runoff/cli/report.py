"""runoff report: everything on one page."""

from __future__ import annotations

from typing import Any

from runoff.cli import options as o


def report(
    path: o.Where,
    out: o.Out = o.OUT,
    normalize: o.Normalize = None,
    format: o.Format = None,
    columns: o.Columns = None,
    lower_is_better: o.LowerIsBetter = False,
    assume_raw: o.AssumeRaw = False,
    alpha: o.Alpha = None,
    seed: o.Seed = None,
    resamples: o.Resamples = None,
    title: o.Title = None,
    json: o.Json = False,
) -> None:
    """Which algorithm is better, how sure is that, and what does one write about it?

    Writes report.html, results.json, figures/ and tables/ into OUT.
    """
    from runoff.cli.progress import progress
    from runoff.cli.show import show_json, show_report
    from runoff.report import write_report
    from runoff.report.files.records import json_text

    chosen: dict[str, Any] = {
        "normalize": normalize,
        "format": format,
        "columns": columns,
        "lower_is_better": lower_is_better,
        "assume_raw": assume_raw,
    }
    statistics = {"alpha": alpha, "seed": seed}
    command = o.command_line("report", path, **chosen, **statistics, resamples=resamples)
    with progress() as tell:
        tell("reading", 0.0)
        scores = o.read(path, **chosen)
        settings = o.given(**statistics, n_resamples=resamples, title=title)
        written = write_report(scores, out, command=command, progress=tell, **settings)
    if json:
        show_json(json_text(written.answers))
    else:
        show_report(written)
