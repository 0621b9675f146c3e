"""runoff gate: may this change be merged?"""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli import gate_options as g
from runoff.cli import options as o
from runoff.cli.verb import verb

Markdown = Annotated[
    str | None,
    typer.Option("--markdown", metavar="FILE", help="Add the calls to a step summary, as Markdown; - prints them."),
]


@verb
def gate(
    runs: g.Runs,
    margin: g.Margin = None,
    alpha: g.Alpha = None,
    power: g.Power = None,
    draws: g.Draws = None,
    seed: o.Seed = None,
    fail_on: g.FailOn = None,
    markdown: Markdown = None,
    json: o.Json = False,
    out: g.Out = None,
    replace: g.Replace = False,
) -> None:
    """Has the candidate lost against the baseline, task by task and over all? Exit code 1: it has regressed."""
    from runoff.cli.show import show_json
    from runoff.cli.show_gate import show_gate, show_markdown, show_saved
    from runoff.report.files.strict import strict_json
    from runoff.report.gate import write_markdown

    if runs.save_baseline:
        g.refuse_beside_saving(power=power, draws=draws, seed=seed, fail_on=fail_on, markdown=markdown, json=json)
        show_saved(out, runs.saved(out, margin, alpha, replace=replace))
        return
    g.refuse_without_saving(out=out, replace=replace)
    if json and markdown == "-":
        raise typer.BadParameter("--json and --markdown - each are what is printed; name a file for one of them")
    fails = g.failing(fail_on)
    found = runs.judged(margin, alpha, power=power, n_resamples=draws, rng=seed)
    if markdown is not None and markdown != "-":
        write_markdown(found, markdown)
    if json:
        show_json(strict_json(found.to_records()))
    elif markdown == "-":
        show_markdown(found)
    else:
        show_gate(found)
    if found.of(fails):
        raise typer.Exit(1)
