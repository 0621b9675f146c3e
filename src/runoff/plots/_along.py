"""Learning curves: an algorithm at every step with its interval, and where two of them differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from runoff.errors import OptionError
from runoff.plots._canvas import INK, RULE, Places, entitle, places
from runoff.plots._lines import (
    AXES,
    LEGEND,
    STRIP,
    axes_beside_legend,
    draw_line,
    dress_along,
    dress_tasks,
    labelled,
    legend_beside,
    task_axes,
)
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._text import SMALL, labels, literal, metric_head
from runoff.plots._widths import PAGE, page
from runoff.results.curves import CurveComparisonResult, CurveSummaryResult, EfficiencyRecord, EfficiencyResult, Stretch
from runoff.words.names import VenueName
from runoff.words.numbers import counted
from runoff.words.shorten import isolated


def sample_efficiency(
    result: EfficiencyResult,
    *,
    comparison: CurveComparisonResult | None = None,
    ax: Axes | None = None,
    width: float | VenueName = PAGE,
    marks: Mapping[str, Mark] | None = None,
    title: str | None = None,
) -> Axes:
    """How good is each algorithm after how many steps?

    Parameters
    ----------
    result : EfficiencyResult
        Lines are estimates, bands their intervals; a single step is drawn as points.
    comparison : CurveComparisonResult, optional
        Its stretches are marked under the axes, a line for each pair, in the colour of the algorithm ahead.
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

    Raises
    ------
    OptionError
        `comparison` is along another axis, or of other algorithms or tasks.
    """
    if comparison is not None:
        _refuse_other_curves(comparison, result.axis, result.algorithms, result.records[0].n_tasks)
    known = marks or marks_of(result.algorithms)
    made = ax is None
    if ax is None:
        ax = axes_beside_legend(page(width), 0 if comparison is None else len(comparison.pairs))
    called = labelled(result.algorithms, {name: _counts(result.curve(name), result.unit) for name in result.algorithms})
    for name in result.algorithms:
        draw_line(ax, known[name], called[name], [(r.step, r.estimate, r.low, r.high) for r in result.curve(name)])
    dress_along(ax, AXES[result.axis], f"{metric_head(result.records[0].metric)} of scores")
    legend_beside(ax)
    if comparison is not None:
        mark_stretches(ax, comparison, known)
    entitle(ax, title, made=made)
    return ax


def _refuse_other_curves(comparison: CurveComparisonResult, axis: str, algorithms: Sequence[str], n_tasks: int) -> None:
    """Refuse a comparison that is not of the curves that are drawn."""
    if comparison.axis != axis:
        raise OptionError(f"the comparison is along {comparison.axis!r}, the curves along {axis!r}.")
    others = [name for pair in comparison.pairs for name in pair if name not in algorithms]
    if others or len(comparison.tasks) != n_tasks:
        what = (
            f"has {others[0]!r}, which is not drawn"
            if others
            else f"is over {len(comparison.tasks)} task(s), not {n_tasks}"
        )
        raise OptionError(f"the comparison {what}; make both of the same curves.")


def _counts(records: Sequence[EfficiencyRecord], unit: str) -> str:
    first = records[0]
    per_task = first.n_scores / first.n_tasks
    shown = f"{per_task:.0f}" if per_task == int(per_task) else f"{per_task:.1f} (mean)"
    where = f" × {counted([first.n_tasks], 'task')}" if first.n_tasks > 1 else ""
    return f" ({shown} {unit}{'' if per_task == 1 else 's'}{where})"


def mark_stretches(ax: Axes, comparison: CurveComparisonResult, marks: Mapping[str, Mark]) -> None:
    """Draw, under the axes, a strip for each pair, coloured where one is found ahead."""
    figure = ax.figure
    inches = ax.get_position().height * figure.get_figure(root=True).get_figheight()
    half = _half_step(comparison)
    transform = ax.get_xaxis_transform()
    limits = ax.get_xlim()
    ax.set_xlim(limits)
    names = list(dict.fromkeys(name for pair in comparison.pairs for name in pair))
    called = dict(zip(names, labels(names, LEGEND / 2 - 0.2, SMALL - 1), strict=True))
    for row, pair in enumerate(comparison.pairs):
        y = -(0.34 + STRIP * (row + 0.5)) / inches
        ax.plot(limits, [y, y], color=RULE, linewidth=0.8, transform=transform, clip_on=False, zorder=1)
        for one in comparison.stretches:
            if (one.a, one.b) == pair:
                _strip(ax, one, y, half, marks[one.ahead], transform)
        both = " – ".join(isolated(called[name]) for name in pair)
        style: dict[str, Any] = {"fontsize": SMALL - 1, "va": "center", "color": INK, **literal(both)}
        ax.text(1.01, y, both, transform=ax.transAxes, **style)


def _strip(ax: Axes, one: Stretch, y: float, half: float, mark: Mark, transform: object) -> None:
    least, most = ax.get_xlim()
    ends = (max(one.first - half, least), min(one.last + half, most))
    ax.plot(
        ends,
        [y, y],
        color=mark.color,
        linewidth=3.0,
        solid_capstyle="butt",
        transform=transform,
        clip_on=False,
        zorder=2,
    )


def _half_step(comparison: CurveComparisonResult) -> float:
    """Return half the usual gap of the steps, so that a stretch of one step is seen."""
    steps = [record.step for record in comparison.curve(*comparison.pairs[0])]
    return 0.4 * float(np.median(np.diff(steps))) if len(steps) > 1 else 0.0


def curves(
    result: CurveSummaryResult,
    *,
    ax: Places = None,
    axes: Sequence[Axes] | None = None,
    comparison: CurveComparisonResult | None = None,
    width: float | VenueName = PAGE,
    marks: Mapping[str, Mark] | None = None,
    title: str | None = None,
) -> tuple[Axes, ...]:
    """What did the runs of each algorithm achieve along training, task by task?

    Parameters
    ----------
    result : CurveSummaryResult
        Tasks become panels; lines are centres, bands the spread, thin lines the single runs of cells of fewer than ten.
    ax : Axes or sequence of Axes, optional
        The same as `axes`; a single one where there is one panel.
    axes : sequence of Axes, optional
        One for each task; None makes a figure (`axes[0].figure`).
    comparison : CurveComparisonResult, optional
        Of one task: its stretches are marked under the axes.
    width : float or "neurips", "icml", "jmlr", …
        Of a figure that is made: inches, `mm(88)`, or a venue of `WIDTHS`.
    marks : mapping of algorithm to Mark, optional
    title : str, optional
        Of the figure.

    Returns
    -------
    tuple of Axes

    Raises
    ------
    OptionError
        There are more or fewer `axes` than tasks, or a comparison of several.
    """
    axes = places(ax, axes)
    known, tasks = marks or marks_of(result.algorithms), result.tasks
    if comparison is not None:
        if comparison.tasks != tasks or len(tasks) > 1:
            raise OptionError(
                "a comparison is marked under the curves of one task, and of that task; select(tasks=[…]) first."
            )
        _refuse_other_curves(comparison, result.axis, result.algorithms, 1)
    width = page(width)
    made = task_axes(axes, tasks, len(known), width, 0 if comparison is None else len(comparison.pairs))
    for task, ax in zip(tasks, made, strict=True):
        _draw_task(ax, result, task, known)
    dress_tasks(
        made, tasks, AXES[result.axis], result.centre, legend_under=axes is None and len(tasks) > 1, width=width
    )
    if comparison is not None:
        mark_stretches(made[0], comparison, known)
    entitle(made[0], title, made=axes is None)
    return made


def _draw_task(ax: Axes, result: CurveSummaryResult, task: str, marks: Mapping[str, Mark]) -> None:
    for run in result.runs:
        if run.task == task:
            ax.plot(run.steps, run.scores, color=marks[run.algorithm].color, linewidth=0.5, alpha=0.45, zorder=1)
    counts = {record.algorithm: record.n_runs for record in reversed(result.records) if record.task == task}
    runs = {name: f" ({n} {result.unit}{'' if n == 1 else 's'})" for name, n in counts.items()}
    called = labelled(result.algorithms, runs)
    for name in (name for name in result.algorithms if name in runs):
        points = [(r.step, r.centre, r.low, r.high) for r in result.curve(name, task)]
        draw_line(ax, marks[name], called[name], points)
