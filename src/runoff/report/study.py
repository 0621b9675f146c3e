"""What a study leaves behind: the long table, the figure in the source's layout, the comparison with what was printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from runoff.errors import OutputError
from runoff.plots import caption, error_rate_panels
from runoff.report.files.folder import write_bytes, write_text
from runoff.report.page.drawing import plain_style, render
from runoff.results.base import Result
from runoff.results.study import StudyResult
from runoff.studies.printed import check_statements, compare_printed
from runoff.studies.spec import Entry


def write_study(entry: Entry, result: StudyResult, out: str | Path) -> list[str]:
    """Write `table.csv`, `study.json`, `figure.svg` and `.png`, and where the source allows `printed.csv` and `statements.csv`.

    Returns
    -------
    list of str
        The sentences that sum up the folder.

    Raises
    ------
    OutputError
        `out` is a file or cannot be written.
    """
    folder = Path(out)
    if folder.is_file():
        raise OutputError(f"{folder} is a file; a study needs a folder.")
    said = [str(result)]
    write_text(folder / "table.csv", result.to_frame().write_csv())
    write_text(folder / "study.json", json.dumps(entry.study.to_dict(), indent=1, ensure_ascii=False) + "\n")
    for name, answer in (("printed", compare_printed(entry, result)), ("statements", check_statements(entry, result))):
        said += _write_answer(folder / f"{name}.csv", answer)
    with plain_style():
        figure = _figure(entry, result)
        for kind in ("svg", "png"):
            write_bytes(folder / f"figure.{kind}", render(figure, kind))
    write_text(folder / "README.txt", "\n\n".join([*said, entry.notes, "Figure. " + caption(result)]).strip() + "\n")
    return said


def _write_answer(path: Path, answer: Any) -> list[str]:
    if not answer.records:
        return []
    assert isinstance(answer, Result)
    write_text(path, answer.to_frame().write_csv())
    return [str(answer)]


def _figure(entry: Entry, result: StudyResult) -> Figure:
    panels = (entry.figure or {}).get("panels") or [
        {"world": world, "effect": effect} for world in result.worlds for effect in result.effects
    ]
    figure = error_rate_panels(result, panels)[0].figure
    assert isinstance(figure, Figure)
    return figure
