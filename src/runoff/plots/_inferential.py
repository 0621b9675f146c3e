"""Which algorithms differ, by eye? Thick bars that overlap if and only if the test does not reject; thin lines for each alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes

from runoff._inference.bootstrap import best_first
from runoff.plots._canvas import COLUMN, dress, panels, scale
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._text import fit, metric_head
from runoff.results.inferential import InferentialRecord, InferentialResult

ROW = 0.19
DAGGER = " †"


def inferential(
    result: InferentialResult,
    *,
    ax: Axes | None = None,
    width: float = COLUMN,
    marks: Mapping[str, Mark] | None = None,
) -> Axes:
    """Which algorithms differ, as seen by the overlap of their intervals?

    Parameters
    ----------
    result : InferentialResult
        Algorithms become rows, best on top. Thick bar: inferential interval; thin line: descriptive interval; † : in a pair that must not be
        read by eye (the caption names them).
    ax : Axes, optional
        None makes a figure.
    width : float
        Inches, of a figure that is made.
    marks : mapping of algorithm to Mark, optional

    Returns
    -------
    Axes
    """
    records = best_first(result.records, result.metric)
    flagged = {name for pair in result.disagreements for name in (pair.a, pair.b)}
    labels = [fit(r.algorithm, 0.33 * width) + (DAGGER if r.algorithm in flagged else "") for r in records]
    if ax is None:
        (ax,) = panels(1, labels, row=ROW, width=width, least=1.0)
    known = marks or marks_of([record.algorithm for record in records])
    for row, record in enumerate(records):
        _draw(ax, row, record, known[record.algorithm])
    scale(ax, _ends(records), ticks=4)
    dress(ax, title=metric_head(result.metric), labels=labels, n_rows=len(records))
    return ax


def _draw(ax: Axes, row: int, record: InferentialRecord, mark: Mark) -> None:
    thick = [end for end in (record.low, record.high) if end is not None]
    thin = [end for end in (record.descriptive_low, record.descriptive_high) if end is not None]
    if thick and thin:
        ax.hlines(row, thick[0], thick[1], color=mark.color, linewidth=5.0, alpha=0.4)
        ax.hlines(row, thin[0], thin[1], color=mark.color, linewidth=0.9)
        ax.vlines(thin, row - 0.14, row + 0.14, color=mark.color, linewidth=0.9)
    ax.plot(record.estimate, row, mark.marker, color=mark.color, markersize=4, markeredgewidth=0, zorder=3)


def _ends(records: Sequence[InferentialRecord]) -> list[float]:
    kinds = [(r.estimate, r.low, r.high, r.descriptive_low, r.descriptive_high) for r in records]
    return [end for ends in kinds for end in ends if end is not None]
