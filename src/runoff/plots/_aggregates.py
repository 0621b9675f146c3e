"""How good is each algorithm? One interval per algorithm, one panel per metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes

from runoff._inference.bootstrap import best_first
from runoff._validate import check_choice
from runoff.plots._canvas import COLUMN, PAGE, dress, panels
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._rows import ROW, draw_groups, draw_rows
from runoff.plots._text import fit, metric_head
from runoff.results.aggregate import AggregateResult


def aggregates(
    result: AggregateResult,
    *,
    axes: Sequence[Axes] | None = None,
    width: float = PAGE,
    marks: Mapping[str, Mark] | None = None,
) -> tuple[Axes, ...]:
    """How good is each algorithm, by every metric?

    Parameters
    ----------
    result : AggregateResult
        Algorithms become rows, best by the first metric on top; metrics become panels.
    axes : sequence of Axes, optional
        One for each metric; None makes a figure (`axes[0].figure`).
    width : float
        Inches, of a figure that is made.
    marks : mapping of algorithm to Mark, optional
        None takes `marks(result.algorithms)`.

    Returns
    -------
    tuple of Axes

    Raises
    ------
    OptionError
        There are more or fewer `axes` than metrics.
    """
    order = ranking(result)
    groups = {metric_head(metric): [result.record(name, metric) for name in order] for metric in result.metrics}
    return draw_groups(axes, groups, marks or marks_of(order), width=width, what="metric")


def intervals(
    result: AggregateResult,
    *,
    metric: str | None = None,
    ax: Axes | None = None,
    width: float = COLUMN,
    marks: Mapping[str, Mark] | None = None,
) -> Axes:
    """How good is each algorithm, by one metric?

    Parameters
    ----------
    result : AggregateResult
    metric : str, optional
        None takes the first of the result.
    ax : Axes, optional
        None makes a figure.
    width : float
        Inches, of a figure that is made.
    marks : mapping of algorithm to Mark, optional

    Returns
    -------
    Axes

    Raises
    ------
    OptionError
        The result has no such metric.
    """
    metric = check_choice("metric", metric or result.metrics[0], result.metrics)
    order = ranking(result)
    labels: Sequence[str] = order
    if ax is None:
        labels = [fit(name, 0.35 * width) for name in order]
        (ax,) = panels(1, labels, row=ROW, width=width, least=1.0)
    draw_rows(ax, [result.record(name, metric) for name in order], marks or marks_of(order))
    dress(ax, title=metric_head(metric), labels=labels, n_rows=len(order))
    return ax


def ranking(result: AggregateResult) -> list[str]:
    """Return the algorithms, best first by the result's first metric."""
    metric = result.metrics[0]
    return [record.algorithm for record in best_first((r for r in result.records if r.metric == metric), metric)]
