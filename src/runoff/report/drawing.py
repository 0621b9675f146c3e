"""The figures of the report as bytes: SVG, PDF and PNG, the same bytes for the same results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from runoff.plots import aggregates, caption, improvement, marks, tasks
from runoff.report.answers import Answers
from runoff.report.words import ranked

FORMATS = ("svg", "pdf", "png")
DPI = 300
UNDATED: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": "runoff", "Format": None, "Type": None},
    "pdf": {"CreationDate": None, "Creator": "runoff", "Producer": None},
    "png": {"Software": None},
}


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure with what it shows; `files` has its bytes by format."""

    name: str
    title: str
    caption: str
    files: dict[str, bytes]


def draw(answers: Answers, formats: tuple[str, ...] = FORMATS) -> tuple[Drawing, ...]:
    """Return the report's figures."""
    return tuple(_drawings(answers, formats))


def _drawings(answers: Answers, formats: tuple[str, ...]) -> Iterator[Drawing]:
    known = marks(answers.scores.algorithms)
    by_rank = answers.scores.select(algorithms=[record.algorithm for record in ranked(answers)])
    with plain_style():
        axes = aggregates(answers.aggregates, marks=known)
        yield _drawing("aggregates", "Aggregate scores with intervals", answers.aggregates, axes[0].figure, formats)
        ax = improvement(answers.comparison, marks=known)
        yield _drawing("improvement", "Probability of improvement", answers.comparison, ax.figure, formats)
        axes = tasks(by_rank, marks=known)
        yield _drawing("tasks", "Scores of single runs, task by task", by_rank, axes[0].figure, formats)


def _drawing(name: str, title: str, shown: object, figure: object, formats: tuple[str, ...]) -> Drawing:
    assert isinstance(figure, Figure)  # made here, so not a subfigure
    return Drawing(name, title, caption(shown), {kind: render(figure, kind) for kind in formats})


def render(figure: Figure, kind: str) -> bytes:
    """Return a figure as an SVG, PDF or PNG file: fonts embedded or drawn, no date, no random ids."""
    buffer = BytesIO()
    figure.savefig(buffer, format=kind, dpi=DPI, metadata=UNDATED[kind], transparent=kind != "png")
    return buffer.getvalue()


@contextmanager
def plain_style() -> Iterator[None]:
    """Draw with matplotlib's defaults whatever the user's settings, and give the settings back."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"svg.hashsalt": "runoff", "svg.fonttype": "path", "pdf.fonttype": 42})
        yield
