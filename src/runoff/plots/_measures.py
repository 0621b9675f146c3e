"""Is the lead real, and does it hold for other measures? One row per algorithm: the measure that decides, and the others beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Unpack

from matplotlib.axes import Axes

from runoff._inference.family import CORRECTIONS
from runoff._inference.pairs import IMPROVEMENT
from runoff.errors import OptionError
from runoff.plots._algorithm_rows import telling
from runoff.plots._canvas import named_on_left
from runoff.plots._figure import PAGE, Panels, figure, frame_of
from runoff.plots._marks import Mark
from runoff.plots._rows import NOBODY, EstimateRow, Group, draw_leaders, draw_reference, name_rows, row_panels
from runoff.plots._text import SCORE, labels, score_words
from runoff.results.aggregate import AggregateResult
from runoff.results.base import less
from runoff.results.comparison import ComparisonResult
from runoff.results.standing import Standing
from runoff.words.measures import differences_words, even_of
from runoff.words.names import LOWER_IS_BETTER, metric_head
from runoff.words.numbers import indefinite

LABEL = 0.25
"""The largest share of the width that a name takes."""


@figure(PAGE, panel="measure")
def measures(
    result: ComparisonResult, aggregates: AggregateResult | None = None, **options: Unpack[Panels]
) -> tuple[Axes, ...]:
    """Is the lead real, and does it hold for other measures?

    Parameters
    ----------
    result : ComparisonResult
        Algorithms become rows, best on top. The first panel has the measure that decides: the interval that decided against the leader, laid at
        the leader's value, leaves out the dashed line where a difference was found, and has the colour of the one ahead; it is grey where none
        was. The last panel has the chance that a run of each beats one of the leader.
    aggregates : AggregateResult, optional
        Of the same scores: the other measures that the pairs were read by become panels between, each with every algorithm's own interval, in
        the colour of what that measure finds, and a shade over the leader's.

    Raises
    ------
    OptionError
        `aggregates` lack an algorithm, or there are more or fewer `axes` than panels.
    """
    frame, standing = frame_of(options), result.standing
    marks, order = frame.marks(standing.order), standing.order
    parts = _panels(result, aggregates)
    groups = [_group(panel, title, marks) for title, panel in parts]
    called = labels(order, frame.room(LABEL))
    axes = frame.panels(len(groups), "measure", lambda: row_panels(frame, [group.title for group in groups], called))
    owners = [EstimateRow(estimate=None, mark=marks[name]) for name in order]
    for ax, named, group, (_, panel) in zip(axes, named_on_left(axes, called), groups, parts, strict=True):
        if panel.stripe is not None:
            ax.axvspan(*panel.stripe, color=marks[standing.leader].color, alpha=0.15, linewidth=0)
        draw_leaders(ax, group)
        if panel.line is not None:
            draw_reference(ax, panel.line)
        name_rows(ax, owners, named, title=group.title)
    # The words of the axis are of the first panels; that of chances says so in its title.
    of_chances = all(panel.measure == IMPROVEMENT for _, panel in parts)
    words = "chance" if of_chances else score_words(aggregates.reference) if aggregates else SCORE
    return frame.finished(axes, words)


def _panels(result: ComparisonResult, aggregates: AggregateResult | None) -> list[tuple[str, MeasurePanel]]:
    """Return the panels with their titles: the measure that decides, the others, the chance to win."""
    standing, measure = result.standing, result.measure
    deciding = deciding_panel(standing, measure, dict(result.values))
    panels = [(f"{metric_head(measure)}: decides", deciding)]
    if aggregates is not None:
        if lacking := [name for name in standing.order if name not in aggregates.algorithms]:
            raise OptionError(f"the aggregates lack {lacking[0]!r}; make both of the same scores.")
        read = {reading.measure for pair in standing.own for reading in pair.other_readings}
        others = [metric for metric in telling(aggregates) if metric in read]
        panels += [(metric_head(metric), other_panel(standing, metric, aggregates)) for metric in others]
    if measure != IMPROVEMENT and standing.own:
        panels.append(("Beats the leader", wins_panel(standing)))
    return panels


def _group(panel: MeasurePanel, title: str, marks: Mapping[str, Mark]) -> Group:
    owners = [NOBODY if name is None else marks[name] for name in panel.ahead]
    rows = [replace(row, mark=mark) for row, mark in zip(panel.rows, owners, strict=True)]
    bounds = (0.0, 1.0) if panel.measure == IMPROVEMENT else (-inf, inf)
    return Group(title=title, rows=rows, lower=panel.measure in LOWER_IS_BETTER, bounds=bounds)


def measures_words(result: ComparisonResult, *, aggregates: AggregateResult | None = None) -> str:
    """Return the caption."""
    leader, own = result.standing.leader, result.standing.own
    corrected = f"{CORRECTIONS[result.correction].label} correction, " if len(result.pairs) > 1 else ""
    rule = f"{corrected}α = {result.alpha:g}"
    bars = f"Bars: the intervals that decided ({rule}), which leave out the dashed line where a difference was found, and have"
    if any(pair.low is None for pair in own):
        bars = f"Bars: {100 * result.confidence_level:g}\u00a0% intervals of each pair alone, where a difference was found ({rule}) with"
    judged = result.standing.judged
    bars = f"{bars} the colour of the one ahead; grey: no difference was found."
    if not judged:
        bars = (
            f"Bars: {100 * result.confidence_level:g}\u00a0% intervals of each pair alone; grey: no verdict is given."
        )
    drawn = [panel for _, panel in _panels(result, aggregates)[1:]]
    between = any(panel.stripe is not None or panel.line is None for panel in drawn)
    others = " Panels between: other measures, intervals of each algorithm alone; shade: that of the leader." * between
    beats = f" Last panel: the chance that {indefinite(own[0].unit)} beats one of {leader}." if own else ""
    wins = beats if result.measure != IMPROVEMENT else ""
    more = " Their colours say what these measures find; the first panel decides." if judged and drawn else ""
    first = "First panel: each" if drawn else "Each"
    return (
        f"{first} algorithm as far from {leader} as its {differences_words(result.measure)}. {bars}{others}{wins}{more}"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasurePanel:
    """What a measure says of every algorithm of the order, beside the leader.

    Attributes
    ----------
    measure : str
    rows : sequence of EstimateRow
        Of nobody's colour yet: a figure has marks for them, the page of a report has classes.
    ahead : sequence of str or None
        The one that the measure finds ahead, of an algorithm and the leader; the leader's own is the leader.
    line : float or None
        Where the leader lies, if the intervals are of differences to it.
    stripe : (low, high) or None
        The leader's interval, if each algorithm has its own.
    """

    measure: str
    rows: Sequence[EstimateRow]
    ahead: Sequence[str | None]
    line: float | None = None
    stripe: tuple[float, float] | None = None


def deciding_panel(standing: Standing, measure: str, values: Mapping[str, float]) -> MeasurePanel:
    """Return the measure that decides: each algorithm at the leader's value less the difference, with the interval that decided."""
    leader, rows, ahead = standing.leader, list[EstimateRow](), list[str | None]()
    line = even_of(measure) or values[leader]
    # A chance is turned about one half: what the leader wins, the other loses.
    zero = 2 * even_of(measure) or line
    for name in standing.order:
        pair = standing.beside(name)
        ahead.append(leader if name == leader else pair.winner if pair else None)
        if pair is not None:
            low, high = pair.deciding
            rows.append(EstimateRow(estimate=zero - pair.estimate, low=less(zero, high), high=less(zero, low)))
        elif name == leader:
            rows.append(EstimateRow(estimate=line))
        else:  # it was not compared with the leader, so it has a value, and no chance to beat it
            rows.append(EstimateRow(estimate=None if measure == IMPROVEMENT else values[name]))
    return MeasurePanel(measure=measure, rows=rows, ahead=ahead, line=line)


def other_panel(standing: Standing, measure: str, aggregates: AggregateResult) -> MeasurePanel:
    """Return another measure: each algorithm's own interval, and that of the leader as a stripe."""
    records = [aggregates[name, measure] for name in standing.order]
    own = aggregates[standing.leader, measure]
    stripe = None if own.low is None or own.high is None else (own.low, own.high)
    rows = [EstimateRow(estimate=r.estimate, low=r.low, high=r.high) for r in records]
    return MeasurePanel(measure=measure, rows=rows, ahead=_ahead(standing, measure), stripe=stripe)


def wins_panel(standing: Standing) -> MeasurePanel:
    """Return how often a run of each beats one of the leader."""
    rows = []
    for name in standing.order:
        pair = standing.beside(name)
        if pair is None:
            rows.append(EstimateRow(estimate=0.5 if name == standing.leader else None))
        else:
            low, high = less(1.0, pair.improvement_high), less(1.0, pair.improvement_low)
            rows.append(EstimateRow(estimate=1 - pair.improvement, low=low, high=high))
    return MeasurePanel(measure=IMPROVEMENT, rows=rows, ahead=_ahead(standing, IMPROVEMENT), line=0.5)


def _ahead(standing: Standing, measure: str) -> list[str | None]:
    """Return whom a measure that the pairs were read by too finds ahead, of each algorithm and the leader."""
    ahead: list[str | None] = []
    for name in standing.order:
        pair = standing.beside(name)
        verdict = (
            next((reading.verdict for reading in pair.other_readings if reading.measure == measure), "") if pair else ""
        )
        winners = {"a_better": standing.leader, "b_better": name}
        ahead.append(name if name == standing.leader else winners.get(verdict))
    return ahead
