"""Rows of intervals: a bar each with a tick at the estimate, named on the left; one panel, or several beside each other.

The marker stands beside the name: on the bar it would hide a short one. Rows of pairs have two columns of names, so that no script can turn who
is compared with which.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation

from runoff.plots._canvas import INK, beside, dress, name_axis, named_on_left, panels, scale
from runoff.plots._figure import Frame
from runoff.plots._marks import DARK, OPEN, PALE, VERDICTS, Mark, toned
from runoff.plots._text import SIZE, SMALL, labels, literal, width_of
from runoff.plots._ticks import tick_label

ROW, PAIR_ROW, TIGHT, MANY = 0.17, 0.15, 0.13, 16
"""Inches of a row that is named by an algorithm, of one that is named by a pair, and of one of many: of more than sixteen."""
BAR, TICK, LINE = 6.0, 9.0, 0.9
"""The thickness of a bar, the length of the tick on it, and the thickness of a thin line, in points."""
KEY, OF_NAMES = 0.1, "_key"
"""Inches of the marker beside a name, and the label of its artist, which legends leave out."""
LEADERS, SQUEEZED = 2 / 3, 1 / 4
"""At least this share of the algorithms is drawn in full; others are cut off if the rest would take less than this share of the axis."""
COLUMNS_APART, EDGE = 0.1, 0.06
"""Inches between the two columns of names, and beside them."""
PAIR_SHARE = 0.5
"""The largest share of the width that both names take."""
HEADS = ("first", "second")
BEYOND = "An arrow with a number: beyond the axis, which ends before the algorithms far behind. "
"""The words of a caption where rows are cut off."""
NOBODY = Mark(INK, "o")
"""The colour and the marker of a row that belongs to no algorithm."""

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateRow:
    """An estimate with its interval, in the colour of an algorithm or of nobody, whose marker is hollow and whose bar is grey.

    The bar of two algorithms has the colour of a `verdict`, of the first. `thin` is a second interval: a line over the bar, with caps. A row
    without an estimate is empty.
    """

    estimate: float | None
    low: float | None = None
    high: float | None = None
    mark: Mark = NOBODY
    verdict: str | None = None
    thin: tuple[float, float] | None = None

    @property
    def ends(self) -> list[float]:
        """The numbers that an axis has to hold."""
        return [end for end in (self.low, self.estimate, self.high, *(self.thin or ())) if end is not None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The rows of a panel, whether lower estimates are better, what the axis holds besides rows, and where it ends at the latest."""

    title: str
    rows: Sequence[EstimateRow]
    lower: bool = False
    holds: tuple[float, ...] = ()
    bounds: tuple[float, float] = (-inf, inf)


# ── one panel ──────────


def row_axes(frame: Frame, called: Sequence[str], *, height: float = ROW) -> Axes:
    """Return the Axes that were given, or those of a new figure with room for the names of the rows."""
    return frame.ax or row_panels(frame, [""], called, height=height)[0]


def row_panels(frame: Frame, titles: Sequence[str], called: Sequence[str], *, height: float = ROW) -> tuple[Axes, ...]:
    """Return a new figure's panels of rows, none narrower than its title."""
    least = max(0.9, *(width_of(title) for title in titles))
    return panels(
        len(titles), called, row=TIGHT if len(called) > MANY else height, width=frame.width, least=least, key=KEY
    )


def draw_rows(
    frame: Frame,
    ax: Axes,
    rows: Sequence[EstimateRow],
    called: Sequence[str] | None,
    *,
    title: str,
    words: str,
    key: float = 0.0,
) -> Axes:
    """Draw rows and name them, the panel and the axis; `called` None leaves them unnamed, their markers `key` inches to the left."""
    for place, row in enumerate(rows):
        draw_row(ax, place, row)
    name_rows(ax, rows, called, title=title if frame.title is None else frame.title, key=key)
    name_axis([ax], words, new=frame.is_new)
    return ax


def name_rows(
    ax: Axes, rows: Sequence[EstimateRow], called: Sequence[str] | None, *, title: str, key: float = 0.0
) -> None:
    """Name rows and their panel, each row beside the marker of its algorithm."""
    dress(ax, title=title, labels=called, n_rows=len(rows), key=KEY)
    at = key or 0.6 * KEY
    if called is not None or key:
        for place, row in enumerate(rows):
            draw_key(ax, place, row.mark, at)


def draw_key(ax: Axes, place: float, mark: Mark, left: float) -> None:
    """Draw a marker so many inches left of the axes; that of nobody is hollow."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    where = ax.get_yaxis_transform() + ScaledTranslation(-left, 0, figure.dpi_scale_trans)
    # Not plotted but added: `ax.plot` would count the marker, which lies left of the axes, among the data.
    key = Line2D([0], [place], linestyle="", marker=mark.marker, color=mark.color, markersize=4.0, markeredgewidth=0.7)
    key.set(label=OF_NAMES, transform=where, clip_on=False, markerfacecolor="white" if mark is NOBODY else mark.color)
    ax.add_artist(key)


def draw_row(ax: Axes, place: int, row: EstimateRow, limits: tuple[float, float] = (-inf, inf)) -> None:
    """Draw a row; an estimate beyond the limits is left to an arrow."""
    if row.estimate is None:
        return
    # What is drawn on a bar needs contrast against the bar, not against the page; a tick is longer than its bar is
    # thick.
    dark = INK if row.verdict is not None else toned(row.mark.color, DARK)
    color = VERDICTS.get(row.verdict or "") or (toned(INK, PALE) if row.mark is NOBODY else row.mark.color)
    if row.low is not None and row.high is not None and (row.verdict is None or row.verdict in VERDICTS):
        ax.hlines(place, row.low, row.high, color=color, linewidth=BAR)
    elif row.low is not None and row.high is not None:
        style = "-" if row.verdict == "equivalent" else ":"
        ax.barh(place, row.high - row.low, 0.5, row.low, color="none", edgecolor=OPEN, linewidth=LINE, linestyle=style)
    if row.thin is not None:
        ax.hlines(place, *row.thin, color=dark, linewidth=LINE)
        ax.vlines(row.thin, place - 0.14, place + 0.14, color=dark, linewidth=LINE)
    if limits[0] <= row.estimate <= limits[1]:
        ax.plot(row.estimate, place, "|", color=dark, markersize=TICK, markeredgewidth=1.3, zorder=3)


def draw_reference(ax: Axes, value: float) -> None:
    """Draw a dashed line at the value that says: no difference."""
    ax.axvline(value, color=INK, linewidth=0.7, linestyle=(0, (3, 2)))


# ── several panels ──────────


def draw_groups(
    frame: Frame, groups: Sequence[Group], names: Sequence[str], *, what: str, words: str
) -> tuple[Axes, ...]:
    """Draw each group in a panel, the same algorithms in the same order in all; only panels on the left name them."""
    called = labels(names, frame.room(0.25))
    axes = frame.panels(len(groups), what, lambda: row_panels(frame, [group.title for group in groups], called))
    for group, ax, named in zip(groups, axes, named_on_left(axes, called), strict=True):
        draw_leaders(ax, group)
        name_rows(ax, group.rows, named, title=group.title)
    return frame.finished(axes, words)


def draw_leaders(ax: Axes, group: Group) -> None:
    """Draw the rows of a group; what lies beyond the axis has an arrow and its number."""
    # First the axis, from those that it holds; then what lies beyond it is known.
    scale(ax, [*group.holds, *_ends(leaders(group))], ticks=4)
    (low, high), (least, most) = ax.get_xlim(), group.bounds
    limits = max(low, least), min(high, most)
    for place, row in enumerate(group.rows):
        draw_row(ax, place, row, limits)
        color = VERDICTS.get(row.verdict or "", INK)
        for value in _beyond(row, limits):
            left, number = value < limits[0], tick_label(float(f"{value:.3g}"))
            # The arrow stands at the edge, with three digits of the number that it stands for.
            x, away, side, words = (0, 2, "left", f"◂ {number}") if left else (1, -2, "right", f"{number} ▸")
            where: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points", "ha": side}
            box = {"facecolor": "white", "edgecolor": "none", "pad": 0.4}
            ax.annotate(words, (x, place), (away, 0), va="center", fontsize=SMALL, color=color, bbox=box, **where)
    ax.set_xlim(limits)


def leaders(group: Group) -> Sequence[EstimateRow]:
    """Return the rows that an axis has to hold: all, or the better ones where the others would leave them a sliver of it.

    The best are never cut off, and at most a third of the rows is.
    """
    # An empty row takes none of the axis: it is neither near nor far.
    drawn = [row for row in group.rows if row.estimate is not None]
    order = sorted(drawn, key=lambda row: (1 if group.lower else -1) * (row.estimate or 0.0))
    whole = _span(order, group.holds)
    # From one row cut off to a third of them: the fewest that give the others a quarter of the axis or more.
    for kept in range(len(order) - 1, max(1, ceil(LEADERS * len(order)) - 1), -1):
        if _span(order[:kept], group.holds) < SQUEEZED * whole:
            return order[:kept]
    return drawn


def cut_off(groups: Iterable[Group]) -> bool:
    return any(len(leaders(group)) < sum(row.estimate is not None for row in group.rows) for group in groups)


def _ends(rows: Iterable[EstimateRow]) -> list[float]:
    return [end for row in rows for end in row.ends]


def _span(rows: Sequence[EstimateRow], holds: Iterable[float]) -> float:
    ends = [*holds, *_ends(rows)]
    return max(ends) - min(ends)


def _beyond(row: EstimateRow, limits: tuple[float, float]) -> list[float]:
    """Return what of a row lies beyond the axis: the estimate, or else the ends of the interval."""
    # The estimate says where the row is; its ends then would be a second and a third number for one row.
    if row.estimate is not None and not limits[0] <= row.estimate <= limits[1]:
        return [row.estimate]
    return [end for end in (row.low, row.high) if end is not None and not limits[0] <= end <= limits[1]]


# ── rows of pairs ──────────


def pair_columns(
    pairs: Pairs, inches: float, heads: tuple[str, str] = HEADS
) -> tuple[list[tuple[str, str]], tuple[float, float]]:
    """Return what the two of each pair are called, and how wide the two columns are; a name is called the same in both."""
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    # Names are shortened together: one that is called "A…" in one column is so in the other.
    called = dict(zip(names, labels(names, (inches - COLUMNS_APART) / 2), strict=True))
    rows = [(called[a], called[b]) for a, b in pairs]
    first, second = (
        max(width_of(text) for text in (head, *column))
        for head, column in zip(heads, zip(*rows, strict=True), strict=True)
    )
    return rows, (first, second)


def pair_axes(frame: Frame, pairs: Pairs) -> tuple[Axes, float]:
    """Return axes with a row for each pair, named on the left: those that were given, or a new figure's; and where its markers stand."""
    rows, (first, second) = pair_columns(pairs, frame.room(PAIR_SHARE))
    left = EDGE + first + COLUMNS_APART + second + EDGE
    ax = frame.ax or beside(1, left + KEY + 0.04, PAIR_ROW * len(pairs), width=frame.width, least=1.0)[0]
    style: dict[str, Any] = {"textcoords": "offset points", "color": INK}
    of_names = style | {
        "xycoords": ("axes fraction", "data"),
        "va": "center",
        "fontsize": SIZE,
        "annotation_clip": False,
    }
    # Annotations and not tick labels: an axis has one column of these. In points from the edge of the axes, so
    # that they stay there when the user makes the figure larger.
    for side, (head, at) in enumerate(zip(HEADS, (left - EDGE, second + EDGE), strict=True)):
        ax.annotate(head, (0, 1), (-72 * at, 3), xycoords="axes fraction", fontsize=SMALL, style="italic", **style)
        for place, row in enumerate(rows):
            ax.annotate(row[side], (0, place), (-72 * at, 0), **of_names, **literal(row[side]))
    return ax, left - EDGE + 0.75 * KEY
