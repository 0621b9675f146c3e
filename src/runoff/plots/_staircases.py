"""All pairs at once: a staircase with the algorithms on its diagonal and a cell for each pair.

A figure of cells has no axes: it is laid out in units of its cells, on a sheet as large as they need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.path import Path

from runoff._inference.pairs import IMPROVEMENT
from runoff.answer.comparison import ComparisonResult
from runoff.answer.effects import EffectRow
from runoff.answer.pair import MeasureReading, Pair, readings_of
from runoff.plots._canvas import RULE, inches, lay_out, sheet, write
from runoff.plots._figure import COLUMN, PAGE, Frame, Marked, figure, frame_of
from runoff.plots._marks import AHEAD_SIGN, BEHIND_SIGN, Mark
from runoff.plots._text import SIZE, SMALL, labels, width_of
from runoff.plots._ticks import tick_label
from runoff.words.measures import EVEN, even_of, lead_of
from runoff.words.numbers import chance_parts, decimals_of, number

EDGE, MARK = 0.04, 0.14
"""Inches of the border, and of the marker before a name."""
LABEL = 0.36
"""The largest share of the width that the name of an algorithm takes."""
LEAST = 5.5
"""Points of the smallest numbers in cells."""


# ── cells ──────────


Box = tuple[float, float, float, float]
"""A rectangle: left, top, width, height."""


def boxes(ax: Axes, colors: Mapping[Box, str], **style: Any) -> None:
    """Draw rectangles, those of a colour as one path: of thousands, an artist for each is most of the time."""
    own: dict[str, list[Path]] = {color: [] for color in colors.values()}
    for (x, y, width, height), color in colors.items():
        # Closed: an open path would lack one border.
        corners = (x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)
        own[color].append(Path(corners, closed=True))
    if not colors:
        return
    paths = [Path.make_compound_path(*rectangles) for rectangles in own.values()]
    ax.add_collection(PathCollection(paths, facecolors=list(own), **style), autolim=False)


def fill(ax: Axes, colors: Mapping[Box, str]) -> None:
    """Fill cells, or parts of them, with pale colours."""
    boxes(ax, colors, alpha=0.35, linewidths=0)


def outline(ax: Axes, places: Iterable[Box]) -> None:
    """Draw the thin borders of cells."""
    boxes(ax, dict.fromkeys(places, "none"), edgecolors=RULE, linewidths=0.5)


def put(ax: Axes, marks: Mapping[tuple[float, float], Mark], size: float) -> None:
    """Draw markers, those of an algorithm as one artist."""
    # In the order of the cells, so that equal data give an equal file.
    for mark in dict.fromkeys(marks.values()):
        xs, ys = zip(*(place for place, own in marks.items() if own == mark), strict=True)
        ax.plot(xs, ys, mark.marker, color=mark.color, markersize=size, markeredgewidth=0)


# ── staircases ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Staircase:
    """The look of cells of pairs: inches of the widest and of the narrowest with numbers, their height by their width, what draws them."""

    widest: float
    legible: float
    height: Callable[[float], float]
    draw: Callable[[Axes, PlacedCells, PlacedSigns, Mapping[str, Mark], float], None]


@dataclass(frozen=True, slots=True)
class PairCell:
    """Two algorithms, the better one of them if one was found to be, and what their cell shows.

    `shade` is the colour of a cell in which nothing was tested.
    """

    a: str
    b: str
    better: str | None
    content: Any
    shade: str | None = None

    def sign(self, place: tuple[int, int], order: Sequence[str]) -> Mark | None:
        """Return how the cell at a column and row is shaded and signed: what is found of the one that stands higher, on top of the column."""
        if self.better is None:
            return None if self.shade is None else Mark(self.shade, "s")
        return AHEAD_SIGN if self.better == order[place[0]] else BEHIND_SIGN


PlacedCells = Mapping[tuple[int, int], PairCell]
"""Cells by column and row."""
PlacedSigns = Mapping[tuple[int, int], Mark]
"""The signs of those cells that have one."""


@figure(COLUMN)
def pvalue_matrix(result: ComparisonResult, **options: Unpack[Marked]) -> Axes:
    """Which pairs differ, and which of the two is better?

    Parameters
    ----------
    result : ComparisonResult
        Algorithms stand on the diagonal, the best by the measure first; a control stands last. A cell belongs to the name at the
        right end of its row and to the name at the top of its column. It holds the adjusted p-value; where a difference was found it is blue
        with a disc if the one at the top of the column was found ahead, orange with a triangle if it was found behind, and it has "≈" where the
        two were shown to be equivalent.

    Returns
    -------
    Axes
        Data units: cells, the first row on top. Cells too narrow for numbers are drawn without.
    """
    frame = frame_of(options)
    return staircase(_cells(result), order_of(result), PVALUES, frame, frame.width)


@figure(None)
def pairs(result: ComparisonResult, **options: Unpack[Marked]) -> Axes:
    """How do all pairs stand, each by itself?

    Parameters
    ----------
    result : ComparisonResult
        Algorithms stand on the diagonal, the best by the measure first; a control stands last. A cell belongs to the name at the
        right end of its row and to the name at the top of its column. Its marker is that of the one that leads in the measure; what follows is
        read from its side: by how much it leads, the probability that a run of it wins, tasks where its mean is higher, equal and lower; then p,
        and p adjusted over the family. A full marker and colour: a difference was found, blue if the one at the top of the column was found
        ahead, orange if it was found behind; "≈": equivalent.

    Returns
    -------
    Axes
        Data units: cells, the first row on top. Cells too narrow for numbers are drawn with markers only.

    Notes
    -----
    Of a cell only the adjusted p-value depends on other algorithms (and with test="auto" the test, which is chosen by how many pairs there
    are: name one to keep p the same). Mean ranks do: they can turn the order of two algorithms when a third is added.
    """
    frame, order = frame_of(options), order_of(result)
    label = max(map(width_of, labels(order, LABEL * COLUMN)))
    # As wide as its cells need, from a column to a page.
    needed = min(max(COLUMN, LEDGERS.widest * (len(order) - 1) + label + MARK + 3 * EDGE), PAGE)
    ax = staircase(_cells(result), order, LEDGERS, frame, needed if frame.inches is None else frame.inches)
    left, right = ax.get_xlim()
    side = inches(ax) / (right - left)
    if side >= LEDGERS.legible:  # what the lines of a cell are, in the corner that the staircase leaves free
        end = min(
            inches(ax) - 2 * EDGE, side * (len(order) - 1) + MARK + label + max(width_of(text, SMALL) for text in KEY)
        )
        for line, text in enumerate(KEY):
            write(ax, end / side, _line(line), text, ha="right", style="italic")
    return ax


def staircase(cells: Sequence[PairCell], order: Sequence[str], look: Staircase, frame: Frame, width: float) -> Axes:
    """Draw the algorithms down the diagonal, and under it a cell for each pair."""
    colors, called = frame.marks(order), labels(order, LABEL * width)
    ax = frame.ax or sheet(width, look.height(_side(called, width, look.widest)) * len(order) + 2 * EDGE)
    side = _side(called, inches(ax), look.widest)
    margin = EDGE / look.height(side)
    # Against a control there is one row of cells.
    against = all(order[-1] in (cell.a, cell.b) for cell in cells)
    lay_out(ax, (-EDGE / side, inches(ax) / side - EDGE / side), (-margin, len(order) + margin))
    put(ax, {(place + 0.5 * MARK / side, place + 0.5): colors[name] for place, name in enumerate(order)}, 4.4)
    for place, label in enumerate(called):
        write(ax, place + MARK / side, place + 0.5, label, size=SIZE, ha="left")
        if against and 2 < place + 2 <= len(order):
            # The only row of cells is the last: a line leads down to it from each name.
            ax.vlines(place + 0.5 * MARK / side, place + 0.8, len(order) - 1, color=RULE, linewidth=0.6)
    row_of = {name: place for place, name in enumerate(order)}
    # Whoever is first in its pair: the cell lies under the diagonal, in the column of the one that stands
    # higher.
    placed = {(min(ends), max(ends)): cell for cell in cells for ends in [(row_of[cell.a], row_of[cell.b])]}
    signs = {place: sign for place, cell in placed.items() if (sign := cell.sign(place, order)) is not None}
    fill(ax, {(*place, 1, 1): sign.color for place, sign in signs.items()})
    outline(ax, ((*place, 1, 1) for place in placed))
    look.draw(ax, placed, signs, colors, side)
    return frame.entitled(ax)


def _cells(result: ComparisonResult) -> list[PairCell]:
    return [PairCell(pair.a, pair.b, pair.winner, pair) for pair in result.pairs]


def algorithms_of(result: ComparisonResult) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for pair in result.pairs for name in (pair.a, pair.b)))


def order_of(result: ComparisonResult) -> list[str]:
    """Return the algorithms in the order of the page, best first; a control last."""
    drawn = set(algorithms_of(result))
    # False sorts before True.
    return sorted(filter(drawn.__contains__, result.standing.order), key=lambda name: name == result.control)


def _side(called: Sequence[str], width: float, widest: float) -> float:
    # The name on the diagonal stands right of `place` cells of its row.
    fits = [(width - 3 * EDGE - MARK - width_of(label)) / max(place, 1) for place, label in enumerate(called)]
    return max(min(widest, *fits), 0.02)


def _draw_pvalues(ax: Axes, cells: PlacedCells, signs: PlacedSigns, _: Mapping[str, Mark], side: float) -> None:
    numbers = side >= PVALUES.legible
    # The marker stands above the number, or in the middle of a cell without.
    top = 0.3 if numbers else 0.5
    _put_signs(ax, signs, 3.6, top)
    for (column, row), cell in cells.items():
        alike = cell.content.verdict == "equivalent"
        if alike:
            write(ax, column + 0.5, row + top, "≈", size=SIZE)
        if numbers:
            alone = cell.better is None and not alike
            write(ax, column + 0.5, row + (0.52 if alone else 0.68), three_digits(cell.content.pvalue_adjusted))


def _put_signs(ax: Axes, signs: PlacedSigns, size: float, top: float = 0.5) -> None:
    put(ax, {(column + 0.5, row + top): mark for (column, row), mark in signs.items()}, size)


def three_digits(pvalue: float | None) -> str:
    """Return a p-value in at most five characters: "<.001", ".043", "1"."""
    if pvalue is None:
        return "–"
    # What would be rounded to .000 or 1.000 is not 0 and not certain.
    if pvalue < 0.0005:
        return "<.001"
    return "1" if pvalue >= 0.9995 else f"{pvalue:.3f}".removeprefix("0")


PVALUES = Staircase(widest=0.38, legible=0.28, height=lambda side: max(0.8 * side, 0.1), draw=_draw_pvalues)

KEY = ("lead", "chance of a win", "tasks won/even/lost", "p", "p adjusted")
KEY_LINE = 0.105
"""The height of a line of text in a cell, inches."""


def _draw_ledgers(ax: Axes, cells: PlacedCells, signs: PlacedSigns, marks: Mapping[str, Mark], side: float) -> None:
    if side < LEDGERS.legible:
        return _put_signs(ax, signs, 3.4)
    for place, cell in cells.items():
        _draw_ledger(ax, place, cell.content, marks, side)
    return None


def _draw_ledger(ax: Axes, cell: tuple[int, int], pair: Pair, marks: Mapping[str, Mark], side: float) -> None:
    x, row, better = cell[0] + 0.5, cell[1], pair.winner
    size, lines = SMALL if side >= 0.5 else SMALL - 1.0, cell_lines(pair)
    for line, text in enumerate(lines):
        write(ax, x, row + _line(line), text, size=size)
    if lead_of(pair.measure, pair.estimate) != 0:
        ahead = marks[pair.a if lead_of(pair.measure, pair.estimate) > 0 else pair.b]
        face = ahead.color if better is not None else "white"
        style: dict[str, Any] = {"color": ahead.color, "markerfacecolor": face, "markersize": 3.2}
        ax.plot(
            x - (0.5 * width_of(lines[0], size) + 0.06) / side,
            row + _line(0),
            ahead.marker,
            markeredgewidth=0.7,
            **style,
        )
    if pair.verdict == "equivalent":
        write(ax, x + 0.42, row + _line(0), "≈", size=SIZE, ha="right")


def cell_lines(pair: Pair) -> tuple[str, ...]:
    """Return the lines of a cell, from the side of the one that leads in the measure."""
    # `lead_of`, for of the optimality gap the lower one leads.
    turned, even = lead_of(pair.measure, pair.estimate) < 0, even_of(pair.measure)
    chance = 1 - pair.improvement if turned else pair.improvement
    won, lost = (pair.losses, pair.wins) if turned else (pair.wins, pair.losses)
    return (
        tick_label(float(f"{(100 if even else 1) * abs(lead_of(pair.measure, pair.estimate)):.3g}")),
        chance_parts(chance, None, None)[0],
        f"{won}/{pair.ties}/{lost}",
        three_digits(pair.pvalue),
        three_digits(pair.pvalue_adjusted),
    )


def _line(line: int) -> float:
    return (line + 0.75) / (len(KEY) + 0.5)


LEDGERS: Staircase = Staircase(
    widest=0.72,
    legible=0.4,
    height=lambda side: KEY_LINE * (len(KEY) + 0.5) if side >= LEDGERS.legible else 0.8 * side,
    draw=_draw_ledgers,
)


# ── rows of pairs that are too many ──────────


def numbers_staircase(cells: Sequence[PairCell], order: Sequence[str], frame: Frame, width: float) -> Axes:
    """Draw a number in each cell, bold where one is better: all of one size, or none where cells are too narrow for it."""
    # Bold is about a digit wider; the size is that of the widest, one for all cells, for a smaller number would
    # look less sure.
    words = [cell.content + "0" * (cell.better is not None) for cell in cells]

    def draw(ax: Axes, cells: PlacedCells, signs: PlacedSigns, _: Mapping[str, Mark], side: float) -> None:
        size = fitting(side, words)
        if size < LEAST:
            return _put_signs(ax, signs, min(3.4, 50 * side))
        for (column, row), cell in cells.items():
            weight = "bold" if cell.better else "normal"
            write(ax, column + 0.5, row + 0.5, cell.content, size=size, fontweight=weight)
        return None

    look = Staircase(widest=0.34, legible=0.14, height=lambda side: max(0.8 * side, 0.1), draw=draw)
    return staircase(cells, order, look, frame, width)


def chance_staircase(result: ComparisonResult, frame: Frame) -> Axes:
    """Draw how often, in percent, a run of the algorithm that stands higher beats a run of the other."""
    order, cells = order_of(result), []
    place = {name: row for row, name in enumerate(order)}
    for pair in result.pairs:
        # Told from the side of the one that stands higher, whoever is first in the pair.
        share = pair.improvement if place[pair.a] < place[pair.b] else 1 - pair.improvement
        verdict = chance_of(pair).verdict
        better = {"a_better": pair.a, "b_better": pair.b}.get(verdict)
        cells.append(PairCell(pair.a, pair.b, better, chance_parts(share, None, None)[0].split()[0]))
    return numbers_staircase(cells, order, frame, frame.width)


def chance_of(pair: Pair) -> MeasureReading:
    """Return the words for the probability that a run of a beats a run of b: without a verdict, and with its own interval, if it was not
    tested."""
    readings = readings_of(pair)
    if (own := readings.get(IMPROVEMENT)) is not None:
        return own
    if pair.rates and pair.measure == "mean":
        # Of scores 0 and 1 the chance is ½ + (p_a − p_b)/2: what decides the difference decides it.
        rates = readings["mean"]
        low, high = (None if end is None else EVEN + end / 2 for end in (rates.low, rates.high))
        return replace(rates, measure=IMPROVEMENT, estimate=pair.improvement, low=low, high=high)
    ends = {"low": pair.improvement_low, "high": pair.improvement_high}
    return MeasureReading(
        measure=IMPROVEMENT, estimate=pair.improvement, pvalue_adjusted=None, verdict="no_verdict", **ends
    )


def ahead_in(record: EffectRow) -> str | None:
    """Return the algorithm that the interval of an effect shows ahead."""
    if record.low is None or record.high is None:
        return None
    return record.a if record.low > record.no_effect else record.b if record.high < record.no_effect else None


def effect_staircase(records: Sequence[EffectRow], frame: Frame) -> Axes:
    """Draw the effect of the algorithm that stands higher relative to the other."""
    ahead: dict[str, list[float]] = {name: [] for record in records for name in (record.a, record.b)}
    for record in records:
        if record.estimate is not None:
            ahead[record.a].append(record.estimate)
            ahead[record.b].append(_turned(record.estimate, record.no_effect))
    # By the mean effect of each; a pair without one does not count.
    order = sorted(ahead, key=lambda name: -sum(ahead[name]) / max(len(ahead[name]), 1))
    cells, digits = [], decimals_of((record.estimate for record in records), 2)
    for record in records:
        value = record.estimate
        if value is not None and order.index(record.a) > order.index(record.b):
            value = _turned(value, record.no_effect)
        text = "·" if value is None else number(value, digits)
        cells.append(PairCell(record.a, record.b, ahead_in(record), text))
    return numbers_staircase(cells, order, frame, frame.width)


def _turned(effect: float, no_effect: float) -> float:
    """Return an effect of a relative to b as one of b relative to a: of a ratio its inverse."""
    return 1 / effect if no_effect == 1 else 2 * no_effect - effect


def fitting(side: float, words: Sequence[str]) -> float:
    return min(
        SMALL, SMALL * (side - 0.04) / max((width_of(word, SMALL) for word in dict.fromkeys(words)), default=1.0)
    )
