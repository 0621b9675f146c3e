"""runoff plan: how many runs does it take?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runoff.cli import options as o
from runoff.cli.plan_options import Asked
from runoff.cli.plan_pilot import PilotRuns
from runoff.cli.verb import verb

Out = Annotated[
    Path | None, typer.Option("-o", "--out", metavar="OUT", help="Folder for the curve of power, as figure and table.")
]


@verb
def plan(asked: Asked, pilot: PilotRuns, out: Out = None, json: o.Json = False) -> None:
    """How many runs does it take to see a difference (--effect), given pilot runs or --std?

    With --runs: how small a difference do so many runs see? With --next: which cells should be run next?
    """
    from runoff.cli.show_plan import show_plan
    from runoff.cli.told import show_record
    from runoff.report.plan import PLANNED, write_plan

    found = pilot.answer_of(asked)
    if out is not None:
        if not isinstance(found, PLANNED):
            raise typer.BadParameter("--out is for the curve of power of --effect without --runs")
        write_plan(found, out)
    if json:
        show_record(found.to_records())
    else:
        show_plan(found, out)
