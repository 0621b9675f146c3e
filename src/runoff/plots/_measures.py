"""Is the lead real, and does it hold for other measures? The lead over each other algorithm, from 0, by each measure: as on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Unpack

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from runoff._inference.family import CORRECTIONS
from runoff._inference.pairs import IMPROVEMENT
from runoff.answer.comparison import ComparisonResult, adjusted
from runoff.answer.pair import MeasureReading, lead_ends, readings_of
from runoff.errors import OptionError
from runoff.plots._canvas import named_on_left
from runoff.plots._figure import PAGE, Panels, figure, frame_of
from runoff.plots._marks import VERDICT_WORDS, Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._rows import BEYOND, EstimateRow, Group, cut_off, draw_leaders, draw_reference, name_rows, row_panels
from runoff.plots._text import labels
from runoff.words.measures import differences_words, even_of
from runoff.words.names import metric_head
from runoff.words.numbers import indefinite

LABEL = 0.25
"""The largest share of the width that a name takes."""
WINS = "Leader wins (%)"
"""The head of the panel of chances."""


@figure(PAGE, panel="measure")
def measures(result: ComparisonResult, **options: Unpack[Panels]) -> tuple[Axes, ...]:
    """Is the lead real, and does it hold for other measures?

    Parameters
    ----------
    result : ComparisonResult
        A row for each other algorithm, best on top, and a panel for each measure, the deciding measure first. A row shows the lead of the
        leader, from the dashed line to the right where the leader is better. A bar is the interval that decided: it excludes the line where
        a difference was found, blue where the leader was found ahead and orange where it was found behind; it is grey where no difference
        was found, and an outline where the two are equivalent or no verdict is given. A row is empty where a measure has no answer for the
        two.

    Raises
    ------
    OptionError
        The leader was compared with no other algorithm, or there are more or fewer `axes` than measures.
    """
    frame, standing = frame_of(options), result.standing
    others = [name for name in standing.order if name != standing.leader]
    marks = frame.marks(standing.order)
    by = _groups(result, marks)
    if not by:
        raise OptionError(f"plots.measures has nothing to draw: {standing.leader!r} was compared with no other.")
    groups = list(by.values())
    called = labels(others, frame.room(LABEL))
    axes = frame.panels(len(groups), "measure", lambda: row_panels(frame, [group.title for group in groups], called))
    for ax, named, group, measure in zip(axes, named_on_left(axes, called), groups, by, strict=True):
        draw_leaders(ax, group)
        draw_reference(ax, even_of(measure))
        if measure == IMPROVEMENT:
            ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.3g}"))
        name_rows(ax, [EstimateRow(estimate=None, mark=marks[name]) for name in others], named, title=group.title)
    leader = labels([standing.leader], frame.room(LABEL))[0]
    words = f"chance that {leader} wins" if set(by) == {IMPROVEMENT} else f"lead of {leader}"
    return frame.finished(axes, words)


def _readings(result: ComparisonResult) -> dict[str, dict[str, MeasureReading]]:
    """Return what each measure says of the leader and another, by the other and the measure."""
    return {pair.b: readings_of(pair) for pair in result.standing.own}


def _groups(result: ComparisonResult, marks: Mapping[str, Mark]) -> dict[str, Group]:
    """Return the panel of each measure, the deciding one first, with a row for each algorithm but the leader."""
    readings, standing = _readings(result), result.standing
    others = [name for name in standing.order if name != standing.leader]
    by = dict.fromkeys(measure for of in readings.values() for measure in of)
    return {
        measure: _group(result, measure, others, readings, marks, decides=len(by) > 1 and measure == result.measure)
        for measure in by
    }


def _group(
    result: ComparisonResult,
    measure: str,
    others: Sequence[str],
    readings: Mapping[str, Mapping[str, MeasureReading]],
    marks: Mapping[str, Mark],
    *,
    decides: bool,
) -> Group:
    rows = []
    for name in others:
        row, reading = EstimateRow(estimate=None, mark=marks[name]), readings.get(name, {}).get(measure)
        if reading is not None:
            lead, low, high = lead_ends(reading)
            row = EstimateRow(estimate=lead, low=low, high=high, mark=marks[name], verdict=reading.verdict)
        rows.append(row)
    # A lead is above 0 where the leader is better, also by what is better when lower: no arrow.
    pair = result.standing.own[0]
    head = WINS if measure == IMPROVEMENT else metric_head(measure, pair.nouns).removesuffix(" ↓")
    head = "Success rate" if pair.rates and measure == "mean" else head
    title = f"{head}{' (decides)' * decides}"
    if measure == IMPROVEMENT:
        return Group(title=title, rows=rows, lower=True, holds=(0.0, 1.0), bounds=(0.0, 1.0))
    # Far behind is a lead that is large: those near the leader are the ones that the axis has to hold.
    return Group(title=title, rows=rows, lower=True, holds=(0.0,), bounds=(-inf, inf))


def rule_words(result: ComparisonResult) -> str:
    """Return by what pairs are decided: "α = 0.05, Holm correction"; a single pair needs none."""
    return f"α = {result.alpha:g}" + f", {CORRECTIONS[result.correction].label} correction" * adjusted(result)


def measures_words(result: ComparisonResult) -> str:
    """Return the caption."""
    leader, own = result.standing.leader, result.standing.own
    if not own:
        return f"{leader} was compared with no other."
    level = f"{100 * result.confidence_level:g}\u00a0%"
    if not result.standing.judged:
        bars = f"{level} intervals of each pair alone, for no verdict is given"
    elif any(pair.low is None for pair in own):
        bars = f"{level} intervals of each pair alone, where they agree with the test ({rule_words(result)})"
    else:
        bars = f"intervals at the level of the test ({rule_words(result)}), which exclude the dashed line where a difference was found"
    readings = [reading for of in _readings(result).values() for reading in of.values()]
    of = {reading.verdict for reading in readings}
    colors = "; ".join(words for verdict, words in VERDICT_WORDS.items() if verdict in of)
    several = len({reading.measure for reading in readings}) > 1
    first = f" The first panel, {differences_words(result.measure)}, decides." if several else ""
    wins = any(reading.measure == IMPROVEMENT for reading in readings)
    chance = f" Wins: the chance that {indefinite(own[0].unit)} of {leader} beats one of the other." * (
        wins and several
    )
    empty = " An empty row: by that measure the two were not tested." * (len(readings) < _n_cells(result, readings))
    what = "lead" if several or not wins else "chance of a win"
    far = f" {BEYOND.strip()}" * cut_off(_groups(result, marks_of(result.standing.order)).values())
    return f"The {what} of {leader} over each other {own[0].nouns.algorithm}.{first} Bars: {bars}; {colors}.{chance}{empty}{far}"


def _n_cells(result: ComparisonResult, readings: Sequence[MeasureReading]) -> int:
    return (len(result.standing.order) - 1) * len({reading.measure for reading in readings})
