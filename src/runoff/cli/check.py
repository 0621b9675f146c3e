"""runoff check: can these tests and intervals be trusted on my runs?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runoff.cli import options as o
from runoff.cli.verb import verb

Tests = Annotated[
    list[str] | None, typer.Option("--test", metavar="NAME", help="As of compare and rank; repeatable (default all).")
]
Intervals = Annotated[
    list[str] | None,
    typer.Option("--interval", metavar="NAME", help=f"{o.names(o.IntervalName)}; repeatable (default all)."),
]
Sizes = Annotated[
    list[int] | None,
    typer.Option("--n-runs", metavar="N", help="Runs of a group; repeatable (default some, up to half of all)."),
]
Repeats = Annotated[int | None, typer.Option("--repeats", help="Groups that are drawn (default 1000).")]
Alpha = Annotated[float | None, typer.Option("--alpha", help="Level of the tests (default 0.05).")]
Level = Annotated[float | None, typer.Option("--level", help="Level of the intervals (default 0.95).")]
Resamples = Annotated[int | None, typer.Option("--resamples", help="Resamples of each group (default 2000).")]
Out = Annotated[Path | None, typer.Option("-o", "--out", metavar="OUT", help="Folder for the tables and figures.")]


@verb
def check(
    source: o.Source,
    test: Tests = None,
    metric: o.Metrics = None,
    interval: Intervals = None,
    n_runs: Sizes = None,
    repeats: Repeats = None,
    alpha: Alpha = None,
    level: Level = None,
    resamples: Resamples = None,
    seed: o.Seed = None,
    out: Out = None,
    json: o.Json = False,
) -> None:
    """How often do tests find what is not there, and intervals miss what is, on runs like these?"""
    from json import loads

    from runoff import studies
    from runoff.cli.progress import progress
    from runoff.cli.show_check import show_check
    from runoff.cli.told import show_record
    from runoff.report.check import Checked, check_text, write_check

    shared = o.given(n_runs=n_runs or None, n_repeats=repeats, n_resamples=resamples, rng=seed)
    tests = o.given(tests=test or None, alpha=alpha)
    intervals = o.given(metric=metric or None, intervals=interval or None, confidence_level=level)
    with progress() as tell:
        scores = source.read()
        tell("splitting the runs", 0.1)
        rates = studies.false_positive_rate(scores, **shared, **tests)
        tell("drawing groups", 0.4)
        found = Checked(tests=rates, intervals=studies.coverage(scores, **shared, **intervals))
        if out is not None:
            write_check(found, out)
    if json:
        show_record(loads(check_text(found)))
    else:
        show_check(scores, found, out)
