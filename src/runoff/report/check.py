"""What `runoff check` says and leaves behind: both tables, the conclusion, the figures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes

from runoff.errors import OutputError
from runoff.report.files.csv import csv_text
from runoff.report.files.folder import write_bytes, write_text
from runoff.report.files.slugs import slugs
from runoff.report.files.strict import strict_json
from runoff.report.page.drawing import plain_style, render
from runoff.results.check import CoverageResult, FalsePositiveResult

SCHEMA = "runoff.check/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """Tests and intervals on one's own runs."""

    tests: FalsePositiveResult
    intervals: CoverageResult

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*self.tests.notes, *self.intervals.notes]))


def check_text(found: Checked) -> str:
    """Return what `--json` prints: the conclusion and the records of both."""
    return strict_json(
        {
            "schema": SCHEMA,
            "seed": found.tests.seed,
            "alpha": found.tests.alpha,
            "confidence_level": found.intervals.confidence_level,
            "conclusion": [found.tests.sentence, found.intervals.sentence],
            "notes": list(found.notes),
            "false_positive_rate": found.tests.to_records(),
            "coverage": found.intervals.to_records(),
        }
    )


def write_check(found: Checked, out: str | Path) -> None:
    """Write `check.json`, `false_positive_rate.csv`, `coverage.csv`, and for each algorithm the figures as SVG, PDF and PNG.

    Raises
    ------
    OutputError
        `out` is a file or cannot be written.
    """
    from runoff import plots

    folder = Path(out)
    if folder.is_file():
        raise OutputError(f"{folder} is a file; a check needs a folder.")
    write_text(folder / "check.json", check_text(found))
    write_text(folder / "false_positive_rate.csv", csv_text(found.tests.to_records()))
    write_text(folder / "coverage.csv", csv_text(found.intervals.to_records()))
    with plain_style():
        for name, ax in _figures(found).items():
            figure: Any = ax.figure
            for kind in ("svg", "pdf", "png"):
                write_bytes(folder / f"{name}.{kind}", render(figure, kind))
    said = [found.tests.sentence, found.intervals.sentence, *found.notes]
    write_text(
        folder / "README.txt", "\n\n".join([*said, plots.caption(found.tests), plots.caption(found.intervals)]) + "\n"
    )


def _figures(found: Checked) -> dict[str, Axes]:
    from runoff import plots

    drawn: dict[str, Axes] = {}
    names = slugs(found.tests.algorithms)
    for algorithm, slug in names.items():
        drawn[f"false_positive_rate-{slug}"] = plots.false_positive_rate(found.tests, algorithm=algorithm)
        for metric in found.intervals.metrics:
            drawn[f"coverage-{slug}-{metric}"] = plots.coverage(found.intervals, algorithm=algorithm, metric=metric)
    return drawn
