"""What `runoff curves` leaves behind: records, tables and figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from matplotlib.figure import Figure

from runoff.errors import OutputError
from runoff.report.answers.curves import CurveAnswers, record_of_curves
from runoff.report.files.csv import csv_text
from runoff.report.files.folder import write_bytes, write_text
from runoff.report.files.strict import strict_json
from runoff.report.page.drawing import plain_style, render
from runoff.results.base import Result

SCHEMA = "runoff.data.curves/1"


def curves_text(found: CurveAnswers) -> str:
    """Return `record_of_curves` as text."""
    return strict_json({"schema": SCHEMA, **record_of_curves(found)})


def write_curves(found: CurveAnswers, out: str | Path) -> None:
    """Write `curves.json`, the tables, and the figures as SVG, PDF and PNG.

    Raises
    ------
    OutputError
        `out` is a file or cannot be written.
    """
    from runoff import plots

    folder = Path(out)
    if folder.is_file():
        raise OutputError(f"{folder} is a file; the curves need a folder.")
    write_text(folder / "curves.json", curves_text(found))
    for name, result in _tables(found):
        write_text(folder / f"{name}.csv", csv_text(result.to_records()))
    with plain_style():
        for name, figure in _figures(found):
            for kind in ("svg", "pdf", "png"):
                write_bytes(folder / f"{name}.{kind}", render(figure, kind))
    told = (found.efficiency, found.comparison, found.reach, found.steadiness)
    said = [str(result) for result in told if result is not None]
    shown = [plots.caption(found.efficiency, comparison=found.comparison)]
    shown += [plots.caption(one) for one in (found.summary, found.reach, found.steadiness) if one]
    write_text(folder / "README.txt", "\n\n".join([*said, *shown]) + "\n")


def _tables(found: CurveAnswers) -> list[tuple[str, Result]]:
    """Return the tables there are, by the name of their file."""
    tables = {
        "sample_efficiency": found.efficiency,
        "differences": found.comparison,
        "time_to_threshold": found.reach,
        "reliability": found.steadiness,
    }
    return [(name, result) for name, result in tables.items() if result is not None]


def _figures(found: CurveAnswers) -> Iterator[tuple[str, Figure]]:
    """Yield the figures there are, by the name of their files."""
    from runoff import plots

    known = plots.marks(found.efficiency.algorithms)
    drawn = {
        "sample_efficiency": plots.sample_efficiency(found.efficiency, comparison=found.comparison, marks=known),
        "curves": plots.curves(found.summary, marks=known)[0],
    }
    if found.reach is not None:
        drawn["time_to_threshold"] = plots.time_to_threshold(found.reach, marks=known)[0]
    if found.steadiness is not None:
        drawn["reliability"] = plots.reliability(found.steadiness, marks=known)[0]
    for name, ax in drawn.items():
        figure = ax.get_figure(root=True)
        assert figure is not None, "a figure was made for these axes"
        yield name, figure
