"""The figures of the report as bytes: SVG, PDF and PNG, the same bytes for the same results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from runoff.plots import (
    Mark,
    aggregates,
    caption,
    critical_difference,
    curves,
    improvement,
    inferential,
    marks,
    pairs,
    profiles,
    pvalue_matrix,
    rank_intervals,
    robustness,
    sample_efficiency,
    tasks,
)
from runoff.plots._caption import matrix_caption, pairs_caption
from runoff.plots._widths import PAGE
from runoff.report.answers.all import Answers
from runoff.report.answers.curves import CurveAnswers
from runoff.report.answers.standing import ranked
from runoff.report.page.fonts import bare_fonts

FORMATS = ("svg", "pdf", "png")
DPI, PIXELS = 300, 8_000_000
"""Of a PNG, and of what is an image in the other formats: fewer dots per inch where the figure is so large that it would have more pixels."""
WIDE = 8
"""Pairs of more algorithms than this are shown by their p-values alone, in a matrix as wide as a page."""
FONTS = ["DejaVu Sans", "Verdana", "sans-serif"]
"""Where the first is not installed, text in SVG is in Verdana, which is as wide, or in another font, most of which are narrower."""
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
    comparison = answers.comparison
    with plain_style():
        axes = aggregates(answers.aggregates, marks=known)
        told = caption(answers.aggregates)
        yield _drawing("aggregates", "Aggregate scores with intervals", told, axes[0].figure, formats)
        ax = improvement(comparison, marks=known)
        yield _drawing("improvement", "Probability of improvement", caption(comparison), ax.figure, formats)
        if answers.scores.n_algorithms > 2:
            yield from _of_many(answers, known, formats)
        found = answers.profiles.result
        if found is not None:
            ax = profiles(found, algorithms=by_rank.algorithms, marks=known)
            yield _drawing("profiles", "Share of runs above each score", caption(found), ax.figure, formats)
        if answers.robustness is not None:
            ax = robustness(answers.robustness, marks=known)
            told = caption(answers.robustness)
            yield _drawing("robustness", "What the order of each pair survives", told, ax.figure, formats)
        if answers.curves is not None:
            yield from _of_curves(answers.curves, known, formats)
        axes = tasks(by_rank, marks=known)
        yield _drawing("tasks", "Scores of individual runs, task by task", caption(by_rank), axes[0].figure, formats)


def _of_many(answers: Answers, known: Mapping[str, Mark], formats: tuple[str, ...]) -> Iterator[Drawing]:
    """Yield the figures that add something when there are several pairs."""
    comparison, apart, intervals = answers.comparison, answers.ranking.apart, answers.ranking.intervals
    if answers.scores.n_algorithms > WIDE:
        ax = pvalue_matrix(comparison, width=PAGE, marks=known)
        yield _drawing("pvalues", "Adjusted p-values of all pairs", matrix_caption(comparison), ax.figure, formats)
    else:
        ax = pairs(comparison, marks=known)
        yield _drawing("pairs", "Every pair by itself", pairs_caption(comparison), ax.figure, formats)
    if answers.ranking.places is not None:
        ax = rank_intervals(answers.ranking.places, marks=known)
        yield _drawing("places", "Possible places", caption(answers.ranking.places), ax.figure, formats)
    if apart is not None:
        ax = critical_difference(apart, marks=known)
        yield _drawing("ranks", "Average ranks and their critical difference", caption(apart), ax.figure, formats)
    if intervals is not None and any(record.low is not None for record in intervals.records):
        ax = inferential(intervals, width=PAGE, marks=known)
        yield _drawing("inferential", "Inferential intervals", caption(intervals), ax.figure, formats)


def _of_curves(found: CurveAnswers, known: Mapping[str, Mark], formats: tuple[str, ...]) -> Iterator[Drawing]:
    ax = sample_efficiency(found.efficiency, comparison=found.comparison, marks=known)
    yield _drawing(
        "sample_efficiency",
        "Scores against steps",
        caption(found.efficiency, comparison=found.comparison),
        ax.figure,
        formats,
    )
    axes = curves(found.summary, marks=known)
    yield _drawing("curves", "Runs along training, task by task", caption(found.summary), axes[0].figure, formats)


def _drawing(name: str, title: str, told: str, figure: object, formats: tuple[str, ...]) -> Drawing:
    assert isinstance(figure, Figure)  # made here, so not a subfigure
    return Drawing(name, title, told, {kind: render(figure, kind) for kind in formats})


def render(figure: Figure, kind: str) -> bytes:
    """Return a figure as an SVG, PDF or PNG file: text as text, fonts of PDF embedded, no date, no random ids."""
    buffer = BytesIO()
    with bare_fonts():
        figure.savefig(buffer, format=kind, dpi=_dpi(figure), metadata=UNDATED[kind], transparent=kind != "png")
    return buffer.getvalue()


def _dpi(figure: Figure) -> float:
    wide, high = figure.get_size_inches()
    return min(DPI, float((PIXELS / (wide * high)) ** 0.5))


@contextmanager
def plain_style() -> Iterator[None]:
    """Draw with matplotlib's defaults whatever the user's settings, and give the settings back."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"svg.hashsalt": "runoff", "svg.fonttype": "none", "pdf.fonttype": 42})
        matplotlib.rcParams["font.sans-serif"] = FONTS
        yield
