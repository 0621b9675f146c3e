"""What `runoff curves` leaves behind: records, tables and figures."""

from __future__ import annotations

from pathlib import Path

from runoff.errors import OutputError
from runoff.report.answers.curves import CurveAnswers, record_of_curves
from runoff.report.files.folder import write_bytes, write_text
from runoff.report.files.strict import strict_json
from runoff.report.files.tables import csv_text
from runoff.report.page.drawing import plain_style, render

SCHEMA = "runoff.curves/1"


def curves_text(found: CurveAnswers) -> str:
    """Return `record_of_curves` as text."""
    return strict_json({"schema": SCHEMA, **record_of_curves(found)})


def write_curves(found: CurveAnswers, out: str | Path) -> None:
    """Write `curves.json`, `sample_efficiency.csv`, `differences.csv` and the figures as SVG, PDF and PNG.

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
    write_text(folder / "sample_efficiency.csv", csv_text(found.efficiency.to_records()))
    if found.comparison is not None:
        write_text(folder / "differences.csv", csv_text(found.comparison.to_records()))
    known = plots.marks(found.efficiency.algorithms)
    with plain_style():
        figures = {
            "sample_efficiency": plots.sample_efficiency(
                found.efficiency, comparison=found.comparison, marks=known
            ).figure,
            "curves": plots.curves(found.summary, marks=known)[0].figure,
        }
        for name, figure in figures.items():
            for kind in ("svg", "pdf", "png"):
                write_bytes(folder / f"{name}.{kind}", render(figure, kind))  # type: ignore[arg-type]
    captions = [plots.caption(found.efficiency), plots.caption(found.summary)]
    write_text(
        folder / "README.txt",
        "\n\n".join([str(found.efficiency), *(found.comparison.sentences if found.comparison else ()), *captions])
        + "\n",
    )
