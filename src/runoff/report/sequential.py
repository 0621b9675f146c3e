"""What `runoff sequential` leaves behind: the answer as records, the paths as a table and a figure."""

from __future__ import annotations

from pathlib import Path

from runoff.errors import OutputError
from runoff.report.files.csv import csv_text
from runoff.report.files.folder import write_bytes, write_text
from runoff.report.files.strict import strict_json
from runoff.report.page.drawing import plain_style, render
from runoff.results.base import plain
from runoff.results.sequential import SequentialResult


def write_sequential(found: SequentialResult, out: str | Path) -> None:
    """Write `sequential.json`, `path.csv`, and the figure of the statistics and their bounds as SVG, PDF and PNG.

    Raises
    ------
    OutputError
        `out` is a file or cannot be written.
    """
    from runoff import plots

    folder = Path(out)
    if folder.is_file():
        raise OutputError(f"{folder} is a file; the figure needs a folder.")
    write_text(folder / "sequential.json", strict_json(plain(found)))
    write_text(folder / "path.csv", csv_text([plain(point) for point in found.path]))
    with plain_style():
        figure = plots.sequential(found).figure
        for kind in ("svg", "pdf", "png"):
            write_bytes(folder / f"path.{kind}", render(figure, kind))  # type: ignore[arg-type]
    write_text(folder / "README.txt", f"{found}\n\n{plots.caption(found)}\n")
