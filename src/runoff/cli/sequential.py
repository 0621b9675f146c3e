"""runoff sequential: may we stop now?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runoff.cli import options as o
from runoff.cli.sequential_options import Plan, Runs
from runoff.cli.verb import verb

Design = Annotated[
    Path, typer.Argument(metavar="DESIGN.toml", help="What was decided before the first run.", show_default=False)
]
State = Annotated[
    Path | None,
    typer.Option("--state", metavar="STATE.json", help="What was seen and said so far; made at the first look."),
]
Out = Annotated[Path | None, typer.Option("-o", "--out", metavar="OUT", help="Folder for the figure and its table.")]


@verb
def sequential(
    design: Design, runs: Runs, plan: Plan, state: State = None, out: Out = None, json: o.Json = False
) -> None:
    """May we stop now, after the runs of one more look, or does it take more? With --new, write a design."""
    from runoff.cli.show_sequential import show_design, show_sequential
    from runoff.cli.told import show_record
    from runoff.methods import sequential as ask
    from runoff.report.sequential import write_sequential

    if plan.new:
        made = plan.design(runs)
        ask.write_design(made, design)
        show_design(made, design)
        return
    plan.refuse()
    found = ask.sequential(runs.read() if runs.path else None, design=design, state=state)
    if out is not None:
        write_sequential(found, out)
    if json:
        show_record(found.to_records(), notes=found.notes)
    else:
        show_sequential(found, state, out)
