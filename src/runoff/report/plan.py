"""What `runoff plan` leaves behind: the curve of power as a table and figures."""

from __future__ import annotations

from pathlib import Path

from runoff.errors import OutputError
from runoff.report.files.csv import csv_text
from runoff.report.files.folder import write_bytes, write_text
from runoff.report.files.strict import strict_json
from runoff.report.page.drawing import plain_style, render
from runoff.results.base import plain
from runoff.results.power import PlanResult, RunsNeededResult

PLANNED = (RunsNeededResult, PlanResult)
"""Answers that have a curve."""


def write_plan(found: RunsNeededResult | PlanResult, out: str | Path) -> None:
    """Write `plan.json`, `power.csv`, and the figures as SVG, PDF and PNG: of power and of β, or of the plan.

    Raises
    ------
    OutputError
        `out` is a file or cannot be written.
    """
    from runoff import plots

    folder = Path(out)
    if folder.is_file():
        raise OutputError(f"{folder} is a file; the curve needs a folder.")
    write_text(folder / "plan.json", strict_json(found.to_records()))
    write_text(folder / "power.csv", csv_text([plain(point) for point in found.curve]))
    with plain_style():
        if isinstance(found, PlanResult):
            figures = {"power": plots.plan(found).figure}
        else:
            figures = {"power": plots.power(found).figure, "beta": plots.power(found, quantity="beta").figure}
        for name, figure in figures.items():
            for kind in ("svg", "pdf", "png"):
                write_bytes(folder / f"{name}.{kind}", render(figure, kind))  # type: ignore[arg-type]
    write_text(folder / "README.txt", f"{found}\n\n{plots.caption(found)}\n")
