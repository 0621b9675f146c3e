"""Along training: an algorithm at every step with its interval, where two of them differ, and when a score is reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes

from runoff.errors import OptionError
from runoff.plots._canvas import INK, RULE, entitle
from runoff.plots._figure import PAGE, Marked, Panels, figure, frame_of
from runoff.plots._lines import (
    AXES,
    LEGEND,
    STRIP,
    draw_line,
    draw_marked,
    dress_along,
    dress_tasks,
    labelled,
    legend_beside,
    line_axes,
    task_axes,
)
from runoff.plots._marks import Mark
from runoff.plots._text import SMALL, labels, literal, metric_head
from runoff.results.curves import (
    CurveComparisonResult,
    CurveSummaryResult,
    EfficiencyRecord,
    EfficiencyResult,
    ReachCurve,
    ReachResult,
)
from runoff.words.numbers import counted
from runoff.words.shorten import isolated


@figure(PAGE)
def sample_efficiency(
    result: EfficiencyResult, *, comparison: CurveComparisonResult | None = None, **options: Unpack[Marked]
) -> Axes:
    """How good is each algorithm after how many steps?

    Parameters
    ----------
    result : EfficiencyResult
        Lines are estimates, bands their intervals; a single step is drawn as points.
    comparison : CurveComparisonResult, optional
        Its stretches are marked under the axes, a line for each pair, in the colour of the algorithm ahead.

    Raises
    ------
    OptionError
        `comparison` is along another axis, or of other algorithms or tasks.
    """
    if comparison is not None:
        _refuse_other_curves(comparison, result.axis, result.algorithms, result.records[0].n_tasks)
    frame = frame_of(options)
    colours = frame.marks(result.algorithms)
    ax = line_axes(frame, n_strips=0 if comparison is None else len(comparison.pairs))
    called = labelled(result.algorithms, {name: _counts(result.curve(name), result.unit) for name in result.algorithms})
    for name in result.algorithms:
        draw_line(ax, colours[name], called[name], [(r.step, r.estimate, r.low, r.high) for r in result.curve(name)])
    dress_along(ax, AXES[result.axis], f"{metric_head(result.records[0].metric)} of scores")
    legend_beside(ax)
    if comparison is not None:
        mark_stretches(ax, comparison, colours)
    return frame.entitled(ax)


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
    inches = ax.get_position().height * ax.figure.get_figure(root=True).get_figheight()
    # A stretch of one step would have no length: every stretch is as much longer on both sides as is nearly half a step.
    steps = [record.step for record in comparison.curve(*comparison.pairs[0])]
    half = 0.4 * float(np.median(np.diff(steps))) if len(steps) > 1 else 0.0
    style: dict[str, Any] = {"transform": ax.get_xaxis_transform(), "clip_on": False}
    limits = ax.get_xlim()
    ax.set_xlim(limits)
    names = list(dict.fromkeys(name for pair in comparison.pairs for name in pair))
    called = dict(zip(names, labels(names, LEGEND / 2 - 0.2, SMALL - 1), strict=True))
    for row, pair in enumerate(comparison.pairs):
        y = -(0.34 + STRIP * (row + 0.5)) / inches
        ax.plot(limits, [y, y], color=RULE, linewidth=0.8, zorder=1, **style)
        for stretch in comparison.stretches:
            if (stretch.a, stretch.b) == pair:
                ends = max(stretch.first - half, limits[0]), min(stretch.last + half, limits[1])
                color = marks[stretch.ahead].color
                ax.plot(ends, [y, y], color=color, linewidth=3.0, solid_capstyle="butt", zorder=2, **style)
        both = " – ".join(isolated(called[name]) for name in pair)
        words: dict[str, Any] = {"fontsize": SMALL - 1, "va": "center", "color": INK, **literal(both)}
        ax.text(1.01, y, both, transform=ax.transAxes, **words)


@figure(PAGE)
def curves(
    result: CurveSummaryResult, *, comparison: CurveComparisonResult | None = None, **options: Unpack[Panels]
) -> tuple[Axes, ...]:
    """What did the runs of each algorithm achieve along training, task by task?

    Parameters
    ----------
    result : CurveSummaryResult
        Tasks become panels; lines are centres, bands the spread, thin lines the single runs of cells of fewer than ten.
    comparison : CurveComparisonResult, optional
        Of one task: its stretches are marked under the axes.

    Raises
    ------
    OptionError
        There are more or fewer `axes` than tasks, or a comparison of several.
    """
    frame, tasks = frame_of(options), result.tasks
    colours = frame.marks(result.algorithms)
    if comparison is not None:
        if comparison.tasks != tasks or len(tasks) > 1:
            raise OptionError(
                "a comparison is marked under the curves of one task, and of that task; select(tasks=[…]) first."
            )
        _refuse_other_curves(comparison, result.axis, result.algorithms, 1)
    n_strips = 0 if comparison is None else len(comparison.pairs)
    axes = task_axes(frame, tasks, n_lines=len(colours), n_strips=n_strips)
    for task, ax in zip(tasks, axes, strict=True):
        _draw_task(ax, result, task, colours)
    dress_tasks(frame, axes, tasks, AXES[result.axis], result.centre)
    if comparison is not None:
        mark_stretches(axes[0], comparison, colours)
    entitle(axes[0], frame.title, new=frame.is_new)
    return axes


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


@figure(PAGE)
def time_to_threshold(result: ReachResult, **options: Unpack[Panels]) -> tuple[Axes, ...]:
    """Which share of the runs has reached the score after how many steps?

    Parameters
    ----------
    result : ReachResult
        Tasks become panels; a line is the share of runs that have reached the score (one minus Kaplan-Meier), ticks on it are the last
        evaluations of runs that never do. The line at a half is crossed at the median.

    Raises
    ------
    OptionError
        There are more or fewer `axes` than tasks.
    """
    frame, tasks = frame_of(options), result.tasks
    colours = frame.marks(result.algorithms)
    axes = task_axes(frame, tasks, n_lines=len(colours))
    for task, ax in zip(tasks, axes, strict=True):
        ax.axhline(0.5, color=RULE, linewidth=0.8, linestyle=(0, (3, 3)), zorder=0)
        cells = [pair for pair in zip(result.records, result.curves, strict=True) if pair[0].task == task]
        last = max(step for _, curve in cells for step in (*curve.steps, *curve.ended))
        runs = {}
        for record, _ in cells:  # how many reached it is told where there is room: with one task
            reached = f"{record.n_reached} of " if len(tasks) == 1 else ""
            runs[record.algorithm] = f" ({reached}{record.n_runs} {result.unit}{'' if record.n_runs == 1 else 's'})"
        called = labelled(result.algorithms, runs)
        for record, curve in cells:
            _draw_reach(ax, curve, colours[record.algorithm], called[record.algorithm], last)
        ax.set_ylim(-0.03, 1.03)
    dress_tasks(frame, axes, tasks, AXES[result.axis], f"share of {result.unit}s that reached it")
    entitle(axes[0], frame.title, new=frame.is_new)
    return axes


def _draw_reach(ax: Axes, curve: ReachCurve, mark: Mark, label: str, last: float) -> None:
    steps = np.array([min(0.0, last), *curve.steps, last])
    shares = np.array([0.0, *curve.shares, curve.shares[-1] if curve.shares else 0.0])
    draw_marked(ax, mark, steps, shares, drawstyle="steps-post", label=label)
    # A run ends on the line: at the share that holds just then.
    at = shares[np.searchsorted(steps[:-1], curve.ended, side="right") - 1]
    ax.vlines(curve.ended, at - 0.025, at + 0.025, color=mark.color, linewidth=0.8)
