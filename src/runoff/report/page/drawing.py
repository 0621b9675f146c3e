"""The figures of the report as bytes: SVG, PDF and PNG, the same bytes for the same results.

Fonts in a PDF are the glyphs that are drawn, and nothing that lays out text, which matplotlib has done already: a PDF names its glyphs by number
and says by itself which letters they are, and to cut rules and names to size, figure by figure, takes longer than to draw.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Any

import matplotlib
from fontTools import subset
from matplotlib.axes import Axes
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
from runoff.plots._figure import PAGE
from runoff.report.answers.all import Answers
from runoff.report.answers.curves import CurveAnswers
from runoff.report.answers.standing import ranked

LAYOUT = ("GSUB", "GPOS", "GDEF")
"""Tables with rules of layout, which matplotlib has applied already."""
UNREAD = ("cmap", "kern", "name", "post", "OS/2")
"""Tables that fontTools may leave out only once it has chosen the glyphs."""
_load = subset.load_font


@contextmanager
def bare_fonts() -> Iterator[None]:
    """Embed fonts without what no reader of a PDF uses; pages look the same to the pixel."""
    subset.load_font = _bare
    try:
        yield
    finally:
        subset.load_font = _load


def _bare(font: Any, options: Any, *given: Any, **named: Any) -> Any:
    options.layout_features, options.legacy_kern, options.glyph_names = [], False, False
    options.drop_tables += UNREAD
    loaded = _load(font, options, *given, **{**named, "dontLoadGlyphNames": True})
    for table in LAYOUT:
        if table in loaded:
            del loaded[table]
    return loaded


FORMATS = ("svg", "pdf", "png")
DPI, PIXELS = 200, 4_000_000
"""Resolution of a PNG and of images in the other formats, and the most pixels: a larger figure has fewer dots per inch."""
WIDE = 8
"""Pairs of more algorithms than this are shown by their p-values alone, in a matrix as wide as a page."""
FONTS = ["DejaVu Sans", "Verdana", "sans-serif"]
"""Where the first is not installed, text in SVG is in Verdana, which is as wide, or in another font, most of which are narrower."""
UNDATED: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": "runoff", "Format": None, "Type": None},
    "pdf": {"CreationDate": None, "Creator": "runoff", "Producer": None},
    "png": {"Software": None},
}


Drawn = Axes | tuple[Axes, ...]
"""What a figure of `runoff.plots` returns."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure with what it shows; `files` has its bytes by format."""

    name: str
    title: str
    caption: str
    files: dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Plan:
    """A figure that is not drawn yet: what draws it, and what tells its caption."""

    name: str
    title: str
    show: Callable[[], Drawn]
    tell: Callable[[], str]


def draw(answers: Answers, formats: tuple[str, ...] = FORMATS) -> tuple[Drawing, ...]:
    """Return the report's figures."""
    with plain_style():
        return tuple(_drawing(plan, formats) for plan in plans(answers))


def _drawing(plan: Plan, formats: tuple[str, ...]) -> Drawing:
    figure = figure_of(plan.show())
    files = {kind: render(figure, kind) for kind in formats}
    del figure
    gc.collect(1)  # figures are full of cycles, and a large one holds a hundred megabytes
    return Drawing(plan.name, plan.title, plan.tell(), files)


def figure_of(drawn: Drawn) -> Figure:
    """Return the figure that axes were made in."""
    figure = (drawn[0] if isinstance(drawn, tuple) else drawn).figure
    assert isinstance(figure, Figure)  # made for these axes, so not a subfigure
    return figure


def plans(answers: Answers) -> tuple[Plan, ...]:
    """Return the figures of a report, in its order."""
    styles = marks(answers.scores.algorithms)
    by_rank = answers.scores.select(algorithms=[record.algorithm for record in ranked(answers)])
    several = answers.scores.n_algorithms > 2
    return (
        _plan("aggregates", "Aggregate scores with intervals", aggregates, answers.aggregates, styles),
        _plan("improvement", "Probability of improvement", improvement, answers.comparison, styles),
        *(_of_many(answers, styles) if several else ()),
        *_of_scores(answers, by_rank.algorithms, styles),
        *(() if answers.curves is None else _of_curves(answers.curves, styles)),
        _plan("tasks", "Scores of individual runs, task by task", tasks, by_rank, styles),
    )


def _plan(name: str, title: str, show: Callable[..., Any], result: Any, styles: Mapping[str, Mark], **how: Any) -> Plan:
    return Plan(name, title, partial(show, result, marks=styles, **how), partial(caption, result))


def _of_many(answers: Answers, styles: Mapping[str, Mark]) -> Iterator[Plan]:
    """Yield the figures that add something when there are several pairs."""
    comparison, ranking = answers.comparison, answers.ranking
    if answers.scores.n_algorithms > WIDE:
        show, tell = partial(pvalue_matrix, comparison, width=PAGE, marks=styles), partial(matrix_caption, comparison)
        yield Plan("pvalues", "Adjusted p-values of all pairs", show, tell)
    else:
        yield Plan(
            "pairs",
            "Every pair by itself",
            partial(pairs, comparison, marks=styles),
            partial(pairs_caption, comparison),
        )
    if ranking.places is not None:
        yield _plan("places", "Possible places", rank_intervals, ranking.places, styles)
    if ranking.critical is not None:
        yield _plan(
            "ranks", "Average ranks and their critical difference", critical_difference, ranking.critical, styles
        )
    intervals = ranking.intervals
    if intervals is not None and any(record.low is not None for record in intervals.records):
        yield _plan("inferential", "Inferential intervals", inferential, intervals, styles, width=PAGE)


def _of_scores(answers: Answers, order: Sequence[str], styles: Mapping[str, Mark]) -> Iterator[Plan]:
    profile, survived = answers.profiles.result, answers.robustness
    if profile is not None:
        yield _plan("profiles", "Share of runs above each score", profiles, profile, styles, algorithms=order)
    if survived is not None:
        yield _plan("robustness", "What the order of each pair survives", robustness, survived, styles)


def _of_curves(answers: CurveAnswers, styles: Mapping[str, Mark]) -> Iterator[Plan]:
    means, comparison = answers.efficiency, answers.comparison
    yield Plan(
        "sample_efficiency",
        "Scores against steps",
        partial(sample_efficiency, means, comparison=comparison, marks=styles),
        partial(caption, means, comparison=comparison),
    )
    yield _plan("curves", "Runs along training, task by task", curves, answers.summary, styles)


def render(figure: Figure, kind: str) -> bytes:
    """Return a figure as an SVG, PDF or PNG file: text as text, fonts of PDF embedded, no date, no random ids."""
    buffer = BytesIO()
    wide, high = figure.get_size_inches()
    dots = min(DPI, float((PIXELS / (wide * high)) ** 0.5))
    with bare_fonts():
        style: dict[str, Any] = {"pil_kwargs": {"compress_level": 3}} if kind == "png" else {"transparent": True}
        figure.savefig(buffer, format=kind, dpi=dots, metadata=UNDATED[kind], **style)
    return buffer.getvalue()


@contextmanager
def plain_style() -> Iterator[None]:
    """Draw with matplotlib's defaults whatever the user's settings, and give the settings back."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"svg.hashsalt": "runoff", "svg.fonttype": "none", "pdf.fonttype": 42})
        matplotlib.rcParams.update({"font.sans-serif": FONTS, "text.hinting": "none"})
        yield
