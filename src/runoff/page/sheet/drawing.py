"""The figures of the report as bytes, SVG, PDF or PNG: the same bytes for the same results."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import PlaceHolderLayoutEngine

from runoff import plots
from runoff.answer.base import compared_at
from runoff.page.answers.all import Answers, ranked
from runoff.page.words.paper import clauses
from runoff.plots._figure import PAGE, inches_of
from runoff.words.nouns import OF_ITEMS

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


OF_CURVES = ("sample_efficiency", "curves")
"""The figures that show whole learning curves."""
NO_WORDS: Mapping[str, Any] = {}
DrawnAxes = Axes | tuple[Axes, ...]
"""What a figure of `runoff.plots` returns."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure with what it shows; `files` has its bytes by format."""

    name: str
    title: str
    caption: str
    files: dict[str, bytes]


@dataclass(frozen=True, slots=True)
class DrawingPlan:
    """A figure that is not drawn yet, with the functions that draw it and give its caption."""

    name: str
    title: str
    show: Callable[[], DrawnAxes]
    tell: Callable[[], str]


def draw(answers: Answers, formats: tuple[str, ...], width: float | str | None = None) -> tuple[Drawing, ...]:
    with plain_style():
        drawings = []
        for plan in plans(answers, width):
            # Drawn, written and forgotten one by one, or all of them would be held at once.
            figure = figure_of(plan.show())
            files = {kind: render(figure, kind) for kind in formats}
            del figure
            gc.collect(1)  # figures are full of cycles, and a large one holds a hundred megabytes
            drawings.append(
                Drawing(plan.name, plan.title, f"{plan.tell()} {_score_words(answers, plan.name)}".rstrip(), files)
            )
        return tuple(drawings)


def _score_words(answers: Answers, name: str) -> str:
    """Return what a caption says of the data beside what a score is: how curves were treated, and up to which step they count."""
    curves = answers.curves
    if curves is None or name not in OF_CURVES:
        return compared_at(answers.comparison.advice)
    return f"{clauses(curves.treatments)} {compared_at(curves.advice)}".strip()


def figure_of(drawn: DrawnAxes) -> Figure:
    """Return the figure that axes were made in."""
    figure = (drawn[0] if isinstance(drawn, tuple) else drawn).figure
    assert isinstance(figure, Figure)  # made for these axes, so not a subfigure
    return figure


def plans(answers: Answers, width: float | str | None = None) -> Iterator[DrawingPlan]:
    """Yield the figures of a report, in its order; of two algorithms, those that add nothing to their pair are left out.

    width: of all; None takes that of each figure.
    """
    # Pinned for all figures: one that shows some of the algorithms gives them the colours that they have
    # elsewhere.
    styles = plots.marks(answers.scores.algorithms, whole=answers.scores.origin.whole)

    def plan(
        name: str, title: str, show: Any, result: Any, words: Mapping[str, Any] = NO_WORDS, **how: Any
    ) -> DrawingPlan:
        drawing, caption = (
            partial(show, result, colors=styles, **{"width": width, **how}),
            partial(plots.caption, result, **words),
        )
        return DrawingPlan(name, title, drawing, caption)

    curves, of = answers.curves, answers.nouns
    # Rows of runs stand in the order of the page, best first.
    by_rank = answers.scores.select(algorithms=[record.algorithm for record in ranked(answers)])
    if answers.comparison.pairs:
        yield plan("measures", "Who leads", plots.measures, answers.comparison, {"figure": "measures"})
    if answers.leads:
        yield plan("where", "Where the lead comes from", plots.where, answers.leads[0])
    yield plan("aggregates", "Aggregate scores with intervals", plots.aggregates, answers.aggregates)
    yield from _of_pairs(answers, plan, PAGE if width is None else inches_of(width, one_column=False))
    if answers.profiles.result is not None:
        order: dict[str, Any] = {"algorithms": by_rank.algorithms}
        yield plan("profiles", "Performance profiles", plots.profiles, answers.profiles.result, **order)
    if answers.robustness is not None:
        yield plan("robustness", "What the order of each pair survives", plots.robustness, answers.robustness)
    if curves is not None:
        strips, title = {"comparison": curves.comparison}, "Scores against steps"
        yield plan("sample_efficiency", title, plots.sample_efficiency, curves.efficiency, strips, **strips)
        yield plan("curves", "Runs along training, task by task", plots.curves, curves.summary)
    # Of items answered yes or no a strip each says less than the list of those that flipped.
    if of == OF_ITEMS:
        return
    yield plan("tasks", f"Scores of individual {of.runs}, {of.task} by {of.task}", plots.tasks, by_rank)


def _of_pairs(answers: Answers, plan: Callable[..., DrawingPlan], page: float) -> Iterator[DrawingPlan]:
    """Yield the figures of pairs and places; those of many pairs are as wide as the text of a page."""
    comparison, ranking = answers.comparison, answers.ranking
    if not comparison.pairs:
        return
    wide = {"width": page} if answers.scores.n_algorithms > WIDE else {}
    # Of items the chance is half of the difference and ½.
    if answers.nouns != OF_ITEMS:
        yield plan("improvement", "Probability of improvement", plots.improvement, comparison, **wide)
    if answers.scores.n_algorithms < 3:
        return
    # Cells with five lines each need room: of more than eight algorithms there is none on a page.
    if wide:
        words = {"figure": "pvalue_matrix"}
        yield plan("pvalues", "Adjusted p-values of all pairs", plots.pvalue_matrix, comparison, words, **wide)
    else:
        yield plan("pairs", "Every pair by itself", plots.pairs, comparison, {"figure": "pairs"})
    if ranking.places is not None:
        yield plan("places", "Possible ranks", plots.rank_intervals, ranking.places)
    if ranking.critical is not None:
        yield plan("ranks", "Average ranks and their critical difference", plots.critical_difference, ranking.critical)


def render(figure: Figure, kind: str) -> bytes:
    """Return a figure as an SVG, PDF or PNG file: text as text, fonts of PDF embedded, no date, no random ids."""
    engine = figure.get_layout_engine()
    if kind != "svg" and engine is not None and not isinstance(engine, PlaceHolderLayoutEngine):
        render(figure, "svg")  # lays it out: by each format the layout is another one, in the last digits
    buffer = BytesIO()
    for axis in (own for axes in figure.axes for own in (axes.xaxis, axes.yaxis)):
        if not axis.get_label_text():
            axis.set_label_coords(0, 0)  # to look for the place of a label that is empty takes long
    wide, high = figure.get_size_inches()
    dots = min(DPI, float((PIXELS / (wide * high)) ** 0.5))
    style: dict[str, Any] = {"pil_kwargs": {"compress_level": 3}} if kind == "png" else {"transparent": True}
    figure.savefig(buffer, format=kind, dpi=dots, metadata=UNDATED[kind], **style)
    figure.set_layout_engine("none")  # another format has this layout, and is no second one
    return buffer.getvalue()


@contextmanager
def plain_style() -> Iterator[None]:
    """Draw with matplotlib's defaults whatever the user's settings, and give the settings back."""
    with matplotlib.rc_context():
        # A user's style (seaborn's, a dark one) would change what was laid out to the hundredth of an inch.
        matplotlib.rcdefaults()
        # Without a salt the ids of an SVG are random. Text stays text in both formats, so that it can be found
        # and edited; type 42 is TrueType, for venues refuse type 3.
        matplotlib.rcParams.update({"svg.hashsalt": "runoff", "svg.fonttype": "none", "pdf.fonttype": 42})
        matplotlib.rcParams.update({"font.sans-serif": FONTS, "text.hinting": "none"})
        yield
