"""How good is each algorithm, how steady, which differ by eye, which ranks are possible? One row per algorithm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

from matplotlib.axes import Axes

from runoff._inference.bootstrap import best_first, cited
from runoff._inference.pairs import IMPROVEMENT
from runoff.answer.aggregate import AggregateResult, AggregateRow, InferentialResult, InferentialRow
from runoff.answer.curves import ReliabilityResult, ReliabilityRow
from runoff.answer.rank import RankIntervalsResult, says_best
from runoff.errors import OptionError
from runoff.plots._canvas import name_axis, write
from runoff.plots._figure import COLUMN, PAGE, Marked, Panels, figure, frame_of
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._matrices import short_pvalue
from runoff.plots._rows import EstimateRow, Group, draw_groups, draw_leaders, draw_rows, name_rows, row_axes
from runoff.plots._text import labels
from runoff.plots._ticks import SCORE, score_words, tick_label
from runoff.references import SMALL
from runoff.words.names import LOWER_IS_BETTER, metric_head
from runoff.words.shorten import isolated

DAGGER = " †"
INFERENTIAL_ROW, SHORT, SAME = 0.19, 0.2, 0.01
"""Inches of a row with two intervals; the least share of the descriptive interval that an inferential one has; lengths that differ by less than
this share look the same, and one is drawn."""
CHANCE, MOST_TICKS = 0.18, 12
"""The share of the panel of ranks that the chance to be best takes, and the most ticks of its axis."""


@figure(PAGE, panel="metric")
def aggregates(result: AggregateResult, **options: Unpack[Panels]) -> tuple[Axes, ...]:
    """How good is each algorithm, by every metric?

    Parameters
    ----------
    result : AggregateResult
        Algorithms become rows, best by the first metric on top; metrics become panels. A new figure leaves out panels without information: a
        metric that equals an earlier one, and the optimality gap where scores are not normalised or none lies below gamma. Where a few
        algorithms far behind would squeeze the others, the axis ends before them, and an arrow with a number replaces each.

    Raises
    ------
    OptionError
        There are more or fewer `axes` than metrics, or the rows are those of several tasks.
    """
    if len({row.task for row in result.rows}) > 1:
        raise OptionError(
            "plots.aggregates draws one row for each algorithm, not those of several tasks (by='task'); plots.tasks draws runs by task."
        )
    frame = frame_of(options)
    # On axes that were given each metric has its own, as asked for.
    metrics = telling(result) if frame.is_new else result.measures
    groups = panel_groups(result, metrics, frame.marks(result.algorithms))
    words = "chance" if {*metrics} == {IMPROVEMENT} else score_words(result.reference)
    return draw_groups(frame, groups, ranking(result), what="metric", words=words)


def ranking(result: AggregateResult) -> list[str]:
    """Return the algorithms, best first by the result's first metric."""
    metric = result.measures[0]
    return [record.algorithm for record in best_first((r for r in result.rows if r.measure == metric), metric)]


def panel_groups(
    result: AggregateResult, metrics: Sequence[str], marks: Mapping[str, Mark] | None = None
) -> list[Group]:
    colors, groups = marks or marks_of(result.algorithms), []
    for metric in metrics:
        records = [result[name, metric] for name in ranking(result)]
        rows = [_row(record, colors) for record in records]
        groups.append(Group(title=metric_head(metric, result.nouns), rows=rows, lower=metric in LOWER_IS_BETTER))
    return groups


def _row(record: AggregateRow | ReliabilityRow, marks: Mapping[str, Mark]) -> EstimateRow:
    return EstimateRow(estimate=record.estimate, low=record.low, high=record.high, mark=marks[record.algorithm])


def telling(result: AggregateResult) -> list[str]:
    """Return the metrics whose panels say something that no earlier one says."""
    return [metric for metric in result.measures if left_out(result, metric) is None]


def left_out(result: AggregateResult, metric: str) -> str | None:
    """Return why the panel of a metric says nothing, None if it does."""
    if metric == "optimality_gap" and metric != result.measures[0]:
        # Without references γ is a number in the unit of raw scores, and the gap to it says nothing; small
        # scores may have been normalised before they were read.
        if result.reference is None and max(abs(record.estimate) for record in result.rows) > SMALL:
            return f"scores that are not normalised have no optimum at {result.gamma:g}"
        if all(result[name, metric].estimate == 0 for name in result.algorithms):
            return f"no score lies below {result.gamma:g}"
    # Of metrics with the same numbers one is kept: the first of the result, or the mean, which needs no
    # explanation, or the first of them.
    same = [m for m in result.measures if _numbers(result, m) == _numbers(result, metric)]
    kept = next(m for m in (result.measures[0], "mean", *same) if m in same)
    return None if kept == metric else f"it equals {cited(kept)}"


def _numbers(result: AggregateResult, metric: str) -> tuple[object, ...]:
    # Nine digits: the IQM and the mean of two runs are equal but for rounding.
    records = [result[name, metric] for name in result.algorithms]
    return tuple(
        (f"{r.estimate:.9g}", *(None if end is None else f"{end:.9g}" for end in (r.low, r.high))) for r in records
    )


@figure(PAGE, panel="measure")
def reliability(result: ReliabilityResult, **options: Unpack[Panels]) -> tuple[Axes, ...]:
    """How steady is the training of each algorithm, by every measure?

    Parameters
    ----------
    result : ReliabilityResult
        Algorithms become rows, measures panels; an arrow down means that lower is steadier.

    Raises
    ------
    OptionError
        There are more or fewer `axes` than measures.
    """
    frame = frame_of(options)
    colors = frame.marks(record.algorithm for record in result.rows)
    groups, names = [], list[str]()
    for metric in dict.fromkeys(record.measure for record in result.rows):
        records = [record for record in result.rows if record.measure == metric]
        rows = [_row(record, colors) for record in records]
        lower = records[0].lower_is_steadier
        title = metric.replace("_", " ").capitalize() + (" ↓" if lower else "")
        groups.append(Group(title=title, rows=rows, lower=lower))
        names = names or [record.algorithm for record in records]
    return draw_groups(frame, groups, names, what="measure", words=f"in units of the {SCORE}")


@figure(COLUMN, title="None names the metric.")
def inferential_intervals(result: InferentialResult, **options: Unpack[Marked]) -> Axes:
    """Which algorithms differ, judged by the overlap of their intervals?

    Parameters
    ----------
    result : InferentialResult
        Algorithms become rows, best on top. Thick bar: inferential interval; thin line: descriptive interval, where it differs; †: the
        algorithm is in a pair that must not be read by eye (the caption names such pairs). A bar shorter than a fifth of the descriptive
        interval is left out, because it would not show how uncertain the estimate is. The axis ends before algorithms far behind, as in
        `aggregates`.
    """
    frame, records = frame_of(options), best_first(result.rows, result.measure)
    # A dagger stands at both algorithms of such a pair; the caption says which pairs.
    flagged = {name for pair in result.disagreements for name in (pair.a, pair.b)}
    names = [record.algorithm for record in records]
    called = [
        isolated(label) + DAGGER if name in flagged else label
        for name, label in zip(names, labels(names, frame.room(0.33)), strict=True)
    ]
    ax = row_axes(frame, called, height=INFERENTIAL_ROW)
    group = inferential_group(result, frame.marks(names))
    draw_leaders(ax, group)
    name_rows(ax, group.rows, called, title=group.title if frame.title is None else frame.title)
    name_axis([ax], score_words(result.reference), new=frame.is_new)
    return ax


def inferential_group(result: InferentialResult, marks: Mapping[str, Mark] | None = None) -> Group:
    colors, rows = marks or marks_of(record.algorithm for record in result.rows), []
    for r in best_first(result.rows, result.measure):
        low, high = (None, None) if too_short(r) else (r.low, r.high)
        ends = r.own_low, r.own_high
        same = r.factor is not None and abs(r.factor - 1) < SAME
        thin = None if ends[0] is None or ends[1] is None or same else (ends[0], ends[1])
        rows.append(EstimateRow(estimate=r.estimate, low=low, high=high, mark=colors[r.algorithm], thin=thin))
    return Group(title=metric_head(result.measure), rows=rows, lower=result.measure in LOWER_IS_BETTER)


def too_short(record: InferentialRow) -> bool:
    """Return whether an inferential interval would be a sliver of the descriptive one."""
    return record.factor is not None and record.factor < SHORT


@figure(COLUMN)
def rank_intervals(result: RankIntervalsResult, **options: Unpack[Marked]) -> Axes:
    """Which ranks are possible, and what is the chance to be best?

    Parameters
    ----------
    result : RankIntervalsResult
        Algorithms become rows, the best estimate first. Bars: the possible ranks, for all algorithms at once. Ticks: ranks of the estimates.
        On the right: the share of draws in which the algorithm is best.
    """
    frame, records, k = frame_of(options), result.best_first, len(result.rows)
    called, colors = labels([r.algorithm for r in records], frame.room(0.36)), frame.marks(result.algorithms)
    # Ranks end at k + ½; the rest of the axis is for the column of chances, which has no scale.
    best = says_best(result)
    right = 0.5 + k / (1 - CHANCE * best)
    rows = []
    for record in records:
        mark = colors[record.algorithm]
        rows.append(EstimateRow(estimate=record.place, low=record.joint_low, high=record.joint_high, mark=mark))
    ax = row_axes(frame, called)
    draw_rows(frame, ax, rows, called, title="Possible ranks", words="rank, 1 is best")
    for place, record in enumerate(records if best else ()):
        write(ax, right, place, "–" if record.p_best is None else short_pvalue(record.p_best), ha="right")
    if best:
        write(ax, right, -0.62, "P(best)", ha="right", va="bottom")
    ax.set_xlim(0.5, right)
    # Ceiling division: every rank up to twelve, then every second, third, …
    step = -(-k // MOST_TICKS)
    ax.set_xticks(range(1, k + 1, step), labels=[tick_label(place) for place in range(1, k + 1, step)])
    return ax
