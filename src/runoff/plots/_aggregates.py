"""How good is each algorithm? One interval per algorithm, one panel per metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from matplotlib.axes import Axes

from runoff._inference.bootstrap import best_first, parse_metric
from runoff.base.validate import check_choice
from runoff.plots._canvas import Places, dress, name_axis, panels, places
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._rows import ROW, Group, draw_groups, draw_rows
from runoff.plots._scored import score_words
from runoff.plots._text import labels, metric_head
from runoff.plots._widths import COLUMN, PAGE, column, page
from runoff.references import SMALL
from runoff.results.aggregate import AggregateResult
from runoff.words.names import MetricName, VenueName


def aggregates(
    result: AggregateResult,
    *,
    ax: Places = None,
    axes: Sequence[Axes] | None = None,
    width: float | VenueName = PAGE,
    marks: Mapping[str, Mark] | None = None,
    title: str | None = None,
) -> tuple[Axes, ...]:
    """How good is each algorithm, by every metric?

    Parameters
    ----------
    result : AggregateResult
        Algorithms become rows, best by the first metric on top; metrics become panels. A figure that is made leaves out panels that say nothing:
        a metric that equals an earlier one, and the optimality gap where scores are not normalised or none lies below gamma. Where a few
        algorithms far behind would squeeze the others, the axis ends before them, and an arrow with a number stands for what lies beyond.
    ax : Axes or sequence of Axes, optional
        The same as `axes`; a single one where there is one panel.
    axes : sequence of Axes, optional
        One for each metric; None makes a figure (`axes[0].figure`).
    width : float or "neurips", "icml", "jmlr", …
        Of a figure that is made: inches, `mm(88)`, or a venue of `WIDTHS`.
    marks : mapping of algorithm to Mark, optional
        None takes `marks(result.algorithms)`.
    title : str, optional
        Of the figure.

    Returns
    -------
    tuple of Axes

    Raises
    ------
    OptionError
        There are more or fewer `axes` than metrics.
    """
    axes = places(ax, axes)
    groups = panel_groups(result, result.metrics if axes is not None else telling(result))
    known = marks or marks_of(result.algorithms)
    words = score_words(result.reference)
    return draw_groups(axes, groups, known, width=page(width), what="metric", words=words, title=title)


def intervals(
    result: AggregateResult,
    *,
    metric: MetricName | None = None,
    ax: Axes | None = None,
    width: float | VenueName = COLUMN,
    marks: Mapping[str, Mark] | None = None,
    title: str | None = None,
) -> Axes:
    """How good is each algorithm, by one metric?

    Parameters
    ----------
    result : AggregateResult
    metric : str, optional
        None takes the first of the result.
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

    Raises
    ------
    OptionError
        The result has no such metric.
    """
    wanted = check_choice("metric", metric or result.metrics[0], result.metrics)
    order, made, width = ranking(result), ax is None, column(width)
    called = labels(order, 0.35 * width if made else inf)
    if ax is None:
        (ax,) = panels(1, called, row=ROW, width=width, least=1.0)
    (group,) = panel_groups(result, [wanted])
    draw_rows(ax, group.rows, marks or marks_of(order), lower=group.lower)
    dress(ax, title=metric_head(wanted) if title is None else title, labels=called, n_rows=len(order))
    name_axis([ax], score_words(result.reference), made=made)
    return ax


def ranking(result: AggregateResult) -> list[str]:
    """Return the algorithms, best first by the result's first metric."""
    metric = result.metrics[0]
    return [record.algorithm for record in best_first((r for r in result.records if r.metric == metric), metric)]


def panel_groups(result: AggregateResult, metrics: Sequence[str]) -> list[Group]:
    """Return the rows of each metric's panel."""
    order = ranking(result)
    return [
        Group(metric_head(m), [result.record(name, m) for name in order], not parse_metric(m).higher_is_better)
        for m in metrics
    ]


def telling(result: AggregateResult) -> list[str]:
    """Return the metrics whose panels say something that no earlier one says."""
    return [metric for metric in result.metrics if left_out(result, metric) is None]


def left_out(result: AggregateResult, metric: str) -> str | None:
    """Return why the panel of a metric says nothing, None if it does."""
    if metric == "optimality_gap" and metric != result.metrics[0]:
        if result.reference is None and max(abs(record.estimate) for record in result.records) > SMALL:
            return f"scores that are not normalised have no optimum at {result.gamma:g}"
        if all(result.record(name, metric).estimate == 0 for name in result.algorithms):
            return f"no score lies below {result.gamma:g}"
    same = [m for m in result.metrics if _numbers(result, m) == _numbers(result, metric)]
    kept = next(m for m in (result.metrics[0], "mean", *same) if m in same)
    return None if kept == metric else f"it equals {parse_metric(kept).cited}"


def _numbers(result: AggregateResult, metric: str) -> tuple[object, ...]:
    records = [result.record(name, metric) for name in result.algorithms]
    return tuple(
        (f"{r.estimate:.9g}", *(None if end is None else f"{end:.9g}" for end in (r.low, r.high))) for r in records
    )
