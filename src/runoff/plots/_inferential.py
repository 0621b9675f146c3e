"""Which algorithms differ, by eye? Thick bars that overlap if and only if the test does not reject; thin lines for each alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from matplotlib.axes import Axes

from runoff._inference.bootstrap import best_first
from runoff.plots._canvas import dress, name_axis, panels, scale
from runoff.plots._interval import DARK, bar, point, toned
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._scored import score_words
from runoff.plots._text import labels, metric_head
from runoff.plots._widths import COLUMN, column
from runoff.results.inferential import InferentialRecord, InferentialResult
from runoff.words.names import VenueName
from runoff.words.shorten import isolated

ROW = 0.19
DAGGER = " †"


def inferential(
    result: InferentialResult,
    *,
    ax: Axes | None = None,
    width: float | VenueName = COLUMN,
    marks: Mapping[str, Mark] | None = None,
    title: str | None = None,
) -> Axes:
    """Which algorithms differ, as seen by the overlap of their intervals?

    Parameters
    ----------
    result : InferentialResult
        Algorithms become rows, best on top. Thick bar: inferential interval; thin line: descriptive interval; † : in a pair that must not be
        read by eye (the caption names them).
    ax : Axes, optional
        None makes a figure.
    width : float or "neurips", "icml", "jmlr", …
        Of a figure that is made: inches, `mm(88)`, or a venue of `WIDTHS`.
    marks : mapping of algorithm to Mark, optional
    title : str, optional
        None names the metric.

    Returns
    -------
    Axes
    """
    records = best_first(result.records, result.metric)
    flagged = {name for pair in result.disagreements for name in (pair.a, pair.b)}
    made, width = ax is None, column(width)
    short = labels([r.algorithm for r in records], 0.33 * width if made else inf)
    called = [
        isolated(label) + DAGGER if r.algorithm in flagged else label for r, label in zip(records, short, strict=True)
    ]
    if ax is None:
        (ax,) = panels(1, called, row=ROW, width=width, least=1.0)
    known = marks or marks_of([record.algorithm for record in records])
    for row, record in enumerate(records):
        _draw(ax, row, record, known[record.algorithm])
    scale(ax, _ends(records), ticks=4)
    dress(ax, title=metric_head(result.metric) if title is None else title, labels=called, n_rows=len(records))
    name_axis([ax], score_words(result.reference), made=made)
    return ax


def _draw(ax: Axes, row: int, record: InferentialRecord, mark: Mark) -> None:
    thick = [end for end in (record.low, record.high) if end is not None]
    thin = [end for end in (record.descriptive_low, record.descriptive_high) if end is not None]
    if thick and thin:
        bar(ax, row, thick[0], thick[1], mark.color)
        ax.hlines(row, thin[0], thin[1], color=toned(mark.color, DARK), linewidth=0.9)
        ax.vlines(thin, row - 0.14, row + 0.14, color=toned(mark.color, DARK), linewidth=0.9)
    point(ax, record.estimate, row, mark.marker, mark.color)


def _ends(records: Sequence[InferentialRecord]) -> list[float]:
    kinds = [(r.estimate, r.low, r.high, r.descriptive_low, r.descriptive_high) for r in records]
    return [end for ends in kinds for end in ends if end is not None]
