"""Does a random run of a beat one of b? One row per pair."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.axes import Axes

from runoff.plots._canvas import INK, dress, name_axis
from runoff.plots._interval import bar, point
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._pair_rows import pair_axes
from runoff.plots._text import tick_label
from runoff.plots._widths import COLUMN, column
from runoff.results.comparison import ComparisonResult, Pair
from runoff.words.names import VenueName

TITLE = "Probability of improvement"


def improvement(
    comparison: ComparisonResult,
    *,
    ax: Axes | None = None,
    width: float | VenueName = COLUMN,
    marks: Mapping[str, Mark] | None = None,
    title: str | None = None,
) -> Axes:
    """What is the chance that a run of one algorithm beats a run of another?

    Parameters
    ----------
    comparison : ComparisonResult
        Pairs become rows. A full marker in the better algorithm's colour: the test found a difference. A hollow one: it found none.
    ax : Axes, optional
        None makes a figure.
    width : float or "neurips", "icml", "jmlr", …
        Of a figure that is made: inches, `mm(88)`, or a venue of `WIDTHS`.
    marks : mapping of algorithm to Mark, optional
    title : str, optional
        Of the figure.

    Returns
    -------
    Axes
    """
    pairs, made = comparison.pairs, ax is None
    ax = pair_axes(ax, [(pair.a, pair.b) for pair in pairs], column(width))
    known = marks or marks_of(algorithms(comparison))
    ax.axvline(0.5, color=INK, linewidth=0.7, linestyle=(0, (3, 2)))
    for row, pair in enumerate(pairs):
        _draw(ax, row, pair, known)
    dress(ax, title=TITLE if title is None else title, labels=None, n_rows=len(pairs))
    ax.set_xlim(-0.02, 1.02)
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], labels=[tick_label(t) for t in (0, 0.25, 0.5, 0.75, 1)])
    name_axis([ax], "chance that the first beats the second", made=made)
    return ax


def algorithms(comparison: ComparisonResult) -> tuple[str, ...]:
    """Return the algorithms of all pairs, in order of appearance."""
    return tuple(dict.fromkeys(name for pair in comparison.pairs for name in (pair.a, pair.b)))


def _draw(ax: Axes, row: int, pair: Pair, marks: Mapping[str, Mark]) -> None:
    better = {"a_better": pair.a, "b_better": pair.b}.get(pair.verdict)
    color = marks[better].color if better is not None else INK
    marker = marks[better].marker if better is not None else "o"
    bar(ax, row, pair.improvement_low, pair.improvement_high, color)
    point(ax, pair.improvement, row, marker, color, full=better is not None)
