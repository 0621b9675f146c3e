"""Is the lead real, and does it hold for other measures? One row per algorithm: the measure that decides, and the others beside it."""

from __future__ import annotations

from collections.abc import Mapping
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
from runoff.plots._text import labels, score_words
from runoff.results.aggregate import AggregateResult
from runoff.results.base import less
from runoff.results.comparison import ComparisonResult
from runoff.results.standing import Standing
from runoff.words.names import LOWER_IS_BETTER, differences_words, even_of, metric_head

LABEL = 0.25
"""The largest share of the width that a name takes."""
CHANCES = (0.0, 1.0)
"""The ends of an axis of chances."""


@figure(PAGE, panel="measure")
def three(
    comparison: ComparisonResult, aggregates: AggregateResult | None = None, **options: Unpack[Panels]
) -> tuple[Axes, ...]:
    """Is the lead real, and does it hold for other measures?

    Parameters
    ----------
    comparison : ComparisonResult
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
    frame, standing = frame_of(options), comparison.standing
    marks, order = frame.marks(standing.order), standing.order
    columns = columns_of(comparison, standing, aggregates, marks)
    called = labels(order, frame.room(LABEL))
    axes = frame.panels(
        len(columns), "measure", lambda: row_panels(frame, [group.title for group, *_ in columns], called)
    )
    owners = [EstimateRow(estimate=None, mark=marks[name]) for name in order]
    for ax, named, (group, line, stripe) in zip(axes, named_on_left(axes, called), columns, strict=True):
        if stripe is not None:
            ax.axvspan(*stripe, color=marks[standing.leader].color, alpha=0.15, linewidth=0)
        draw_leaders(ax, group)
        if line is not None:
            draw_reference(ax, line)
        name_rows(ax, owners, named, title=group.title)
    of_chances = all(group.bounds == CHANCES for group, *_ in columns)
    words = "chance" if of_chances else score_words(aggregates.reference) if aggregates else "score"
    return frame.finished(axes, words)


def three_words(comparison: ComparisonResult, *, aggregates: AggregateResult | None = None) -> str:
    """Return the caption."""
    leader, own = comparison.standing.leader, comparison.standing.own
    corrected = f"{CORRECTIONS[comparison.correction].label} correction, " if len(comparison.pairs) > 1 else ""
    rule = f"{corrected}α = {comparison.alpha:g}"
    bars = f"Bars: the intervals that decided ({rule}), which leave out the dashed line where a difference was found, and have"
    if any(pair.decided_low is None for pair in own):
        bars = f"Bars: {100 * comparison.confidence_level:g}\u00a0% intervals of each pair alone, where a difference was found ({rule}) with"
    judged = comparison.standing.judged
    bars = f"{bars} the colour of the one ahead; grey: no difference was found."
    if not judged:
        bars = f"Bars: {100 * comparison.confidence_level:g}\u00a0% intervals of each pair alone; grey: no verdict is given."
    others = (
        " Panels between: other measures, intervals of each algorithm alone; shade: that of the leader."
        if aggregates
        else ""
    )
    wins = (
        f" Last panel: the chance that a run beats one of {leader}."
        if comparison.measure != IMPROVEMENT and own
        else ""
    )
    return (
        f"First panel: each algorithm as far from {leader} as its {differences_words(comparison.measure)}. {bars}{others}{wins}"
        f"{' Their colours say what these measures find; the first panel decides.' if judged else ''}"
    )


MeasurePanel = tuple[Group, float | None, tuple[float, float] | None]
"""Rows, the value of the leader as a line, and its interval as a stripe."""


def columns_of(
    comparison: ComparisonResult, standing: Standing, aggregates: AggregateResult | None, marks: Mapping[str, Mark]
) -> list[MeasurePanel]:
    """Return the panels: the measure that decides, the others, the chance to win."""
    if aggregates is not None and (lacking := [n for n in standing.order if n not in aggregates.algorithms]):
        raise OptionError(f"the aggregates lack {lacking[0]!r}; make both of the same scores.")
    others = {reading.measure for pair in standing.own for reading in pair.others}
    names = [metric for metric in (telling(aggregates) if aggregates else ()) if metric in others]
    columns = [_deciding(comparison, standing, marks)]
    if aggregates is not None:
        columns += [_other(aggregates, standing, name, marks) for name in names]
    if comparison.measure != IMPROVEMENT and standing.own:
        columns.append(_wins(standing, marks))
    return columns


def _deciding(comparison: ComparisonResult, standing: Standing, marks: Mapping[str, Mark]) -> MeasurePanel:
    values, measure = dict(comparison.values), comparison.measure
    line = even_of(measure) or values[standing.leader]
    zero, rows = 2 * even_of(measure) or line, []
    for name in standing.order:
        pair = standing.beside(name)
        if pair is None:  # the leader, or an algorithm that was not compared with it
            mark = marks[name] if name == standing.leader else NOBODY
            own = None if measure == IMPROVEMENT else values[name]
            rows.append(EstimateRow(estimate=line if name == standing.leader else own, mark=mark))
            continue
        by_family = pair.decided_low is not None
        low, high = (pair.decided_low, pair.decided_high) if by_family else (pair.low, pair.high)
        mark = NOBODY if pair.winner is None else marks[pair.winner]
        rows.append(EstimateRow(estimate=zero - pair.estimate, low=less(zero, high), high=less(zero, low), mark=mark))
    bounds = CHANCES if measure == IMPROVEMENT else (-inf, inf)
    lower = measure in LOWER_IS_BETTER
    return Group(title=f"{metric_head(measure)}: decides", rows=rows, lower=lower, bounds=bounds), line, None


def _other(aggregates: AggregateResult, standing: Standing, measure: str, marks: Mapping[str, Mark]) -> MeasurePanel:
    records = [aggregates.record(name, measure) for name in standing.order]
    rows = [
        EstimateRow(estimate=r.estimate, low=r.low, high=r.high, mark=_found(standing, r.algorithm, measure, marks))
        for r in records
    ]
    own = aggregates.record(standing.leader, measure)
    stripe = None if own.low is None or own.high is None else (own.low, own.high)
    return Group(title=metric_head(measure), rows=rows, lower=measure in LOWER_IS_BETTER), None, stripe


def _found(standing: Standing, name: str, measure: str, marks: Mapping[str, Mark]) -> Mark:
    """Return the mark of the one that a measure finds ahead, of an algorithm and the leader."""
    if name == standing.leader:
        return marks[name]
    pair = standing.beside(name)
    verdict = next((reading.verdict for reading in pair.others if reading.measure == measure), None) if pair else None
    ahead = {"a_better": standing.leader, "b_better": name}.get(verdict or "")
    return marks[ahead] if ahead else NOBODY


def _wins(standing: Standing, marks: Mapping[str, Mark]) -> MeasurePanel:
    rows = []
    for name in standing.order:
        pair, mark = standing.beside(name), _found(standing, name, IMPROVEMENT, marks)
        if pair is None:
            rows.append(EstimateRow(estimate=0.5 if name == standing.leader else None, mark=mark))
            continue
        low, high = less(1.0, pair.improvement_high), less(1.0, pair.improvement_low)
        rows.append(EstimateRow(estimate=1 - pair.improvement, low=low, high=high, mark=mark))
    return Group(title="Beats the leader", rows=rows, bounds=CHANCES), 0.5, None
