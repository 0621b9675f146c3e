"""Learning curves: an algorithm at every step with its interval, and where two of them differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from runoff._counts import counted
from runoff.errors import OptionError
from runoff.plots._canvas import INK, PAGE, RULE
from runoff.plots._marks import Mark
from runoff.plots._marks import marks as marks_of
from runoff.plots._text import LITERAL, SIZE, SMALL, fit, metric_head, tick_label, width_of
from runoff.results.curves import CurveComparisonResult, CurveSummaryResult, EfficiencyRecord, EfficiencyResult, Stretch

HIGH, STRIP = 2.6, 0.09
"""Height of a figure, and of the strip of one pair under its axes, inches."""
LEGEND = 2.0
AXES = {"step": "steps", "time": "seconds", "episodes": "episodes"}


def sample_efficiency(
    result: EfficiencyResult,
    *,
    comparison: CurveComparisonResult | None = None,
    ax: Axes | None = None,
    width: float = PAGE,
    marks: Mapping[str, Mark] | None = None,
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
    width : float
        Inches, of a figure that is made.
    marks : mapping of algorithm to Mark, optional

    Returns
    -------
    Axes

    Raises
    ------
    OptionError
        `comparison` is along another axis.
    """
    if comparison is not None and comparison.axis != result.axis:
        raise OptionError(f"the comparison is along {comparison.axis!r}, the curves along {result.axis!r}.")
    known = marks or marks_of(result.algorithms)
    if ax is None:
        ax = axes_beside_legend(width, 0 if comparison is None else len(comparison.pairs))
    for name in result.algorithms:
        records = result.curve(name)
        draw_line(
            ax, known[name], _legend(records, result.unit), [(r.step, r.estimate, r.low, r.high) for r in records]
        )
    dress_along(ax, AXES[result.axis], metric_head(result.records[0].metric))
    legend_beside(ax)
    if comparison is not None:
        mark_stretches(ax, comparison, known)
    return ax


def _legend(records: Sequence[EfficiencyRecord], unit: str) -> str:
    first = records[0]
    per_task = first.n_scores / first.n_tasks
    shown = f"{per_task:.0f}" if per_task == int(per_task) else f"{per_task:.1f} (mean)"
    where = f" × {counted([first.n_tasks], 'task')}" if first.n_tasks > 1 else ""
    return labelled(first.algorithm, f" ({shown} {unit}{'' if per_task == 1 else 's'}{where})")


def labelled(name: str, replicates: str) -> str:
    """Return a line of the legend: the name, shortened, and its runs."""
    return fit(name, LEGEND - 0.4 - width_of(replicates, SMALL), SMALL) + replicates


def axes_beside_legend(width: float, n_strips: int) -> Axes:
    """Return axes in a new figure, with room for a legend beside them and for strips under them."""
    high = HIGH + STRIP * n_strips
    figure = Figure(figsize=(width, high), facecolor="white")
    left, foot = 0.55, 0.42 + STRIP * n_strips
    return figure.add_axes(
        (left / width, foot / high, (width - left - LEGEND - 0.1) / width, (high - foot - 0.12) / high),
        facecolor="none",
    )


def draw_line(
    ax: Axes, mark: Mark, label: str, points: Sequence[tuple[float, float, float | None, float | None]]
) -> None:
    """Draw (step, estimate, low, high) as a line with a band where there are intervals."""
    steps, estimates = np.array([[p[0], p[1]] for p in points]).T
    every = max(1, len(points) // 8)
    ax.plot(
        steps,
        estimates,
        color=mark.color,
        linewidth=1.1,
        marker=mark.marker,
        markersize=3,
        markevery=every,
        label=label,
    )
    low, high = (np.array([np.nan if p[k] is None else p[k] for p in points], np.float64) for k in (2, 3))
    if len(points) == 1:
        ax.vlines(steps, low, high, color=mark.color, linewidth=2.0, alpha=0.4)
    ax.fill_between(steps, low, high, color=mark.color, alpha=0.18, linewidth=0)


def dress_along(ax: Axes, axis: str, title: str) -> None:
    """Give the axes their words, thin lines and small text, and a legend beside them."""
    ax.set_xlabel(axis, fontsize=SMALL, labelpad=1, **LITERAL)
    ax.set_ylabel(title, fontsize=SIZE, labelpad=2, **LITERAL)
    ax.tick_params(labelsize=SMALL, length=2, width=0.5, pad=2, color=INK, labelcolor=INK)
    ax.xaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 2.5, 5, 10]))
    for one in (ax.xaxis, ax.yaxis):
        one.set_major_formatter(FuncFormatter(tick_label))
    ax.grid(color=RULE, linewidth=0.5)
    ax.set_axisbelow(True)
    ax.margins(x=0.01)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("bottom", "left"))
        spine.set(color=INK, linewidth=0.5)


def legend_beside(ax: Axes) -> None:
    """Name the lines beside the axes."""
    lines = _named_lines([ax])
    legend = ax.legend(
        lines.values(),
        ["line"] * len(lines),
        fontsize=SMALL,
        frameon=False,
        loc="upper left",
        bbox_to_anchor=(1.01, 1.0),
        borderaxespad=0.0,
    )
    _name(legend, list(lines))


def _named_lines(axes: Sequence[Axes]) -> dict[str, Line2D]:
    """Return the lines of algorithms, which alone have markers, by label."""
    return {str(line.get_label()): line for ax in axes for line in ax.get_lines() if line.get_marker() != "None"}


def _name(legend: Legend, labels: Sequence[str]) -> None:
    """Set the texts afterwards: matplotlib takes a label that begins with an underscore for one to be hidden."""
    for text, label in zip(legend.get_texts(), labels, strict=True):
        text.set(text=label, **LITERAL)


def mark_stretches(ax: Axes, comparison: CurveComparisonResult, marks: Mapping[str, Mark]) -> None:
    """Draw, under the axes, a strip for each pair, coloured where one is found ahead."""
    figure = ax.figure
    inches = ax.get_position().height * figure.get_figure(root=True).get_figheight()
    half = _half_step(comparison)
    transform = ax.get_xaxis_transform()
    limits = ax.get_xlim()
    ax.set_xlim(limits)
    for row, pair in enumerate(comparison.pairs):
        y = -(0.34 + STRIP * (row + 0.5)) / inches
        ax.plot(limits, [y, y], color=RULE, linewidth=0.8, transform=transform, clip_on=False, zorder=1)
        for one in comparison.stretches:
            if (one.a, one.b) == pair:
                _strip(ax, one, y, half, marks[one.ahead], transform)
        names = " – ".join(fit(name, LEGEND / 2 - 0.2) for name in pair)
        ax.text(1.01, y, names, transform=ax.transAxes, fontsize=SMALL - 1, va="center", color=INK, **LITERAL)


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
    axes: Sequence[Axes] | None = None,
    comparison: CurveComparisonResult | None = None,
    width: float = PAGE,
    marks: Mapping[str, Mark] | None = None,
) -> tuple[Axes, ...]:
    """What did the runs of each algorithm achieve along training, task by task?

    Parameters
    ----------
    result : CurveSummaryResult
        Tasks become panels; lines are centres, bands the spread, thin lines the single runs of cells of fewer than ten.
    axes : sequence of Axes, optional
        One for each task; None makes a figure (`axes[0].figure`).
    comparison : CurveComparisonResult, optional
        Of one task: its stretches are marked under the axes.
    width : float
        Inches, of a figure that is made.
    marks : mapping of algorithm to Mark, optional

    Returns
    -------
    tuple of Axes

    Raises
    ------
    OptionError
        There are more or fewer `axes` than tasks, or a comparison of several.
    """
    known, tasks = marks or marks_of(result.algorithms), result.tasks
    if comparison is not None and (len(tasks) > 1 or comparison.axis != result.axis):
        raise OptionError(
            "a comparison is marked under the curves of one task, along the same axis; select(tasks=[…]) first."
        )
    made = axes is None and len(tasks) > 1
    if axes is None:
        n_strips = 0 if comparison is None else len(comparison.pairs)
        axes = grid_of_axes(len(tasks), len(known), width) if made else [axes_beside_legend(width, n_strips)]
    if len(axes) != len(tasks):
        raise OptionError(f"axes must be one for each of {len(tasks)} task(s), not {len(axes)}.")
    for task, ax in zip(tasks, axes, strict=True):
        _draw_task(ax, result, task, known)
        dress_along(ax, AXES[result.axis], result.centre if len(tasks) == 1 else "")
        if len(tasks) > 1:
            ax.set_title(fit(task, 1.8), fontsize=SIZE, color=INK, pad=3, **LITERAL)
    if made:
        _legend_under(axes, width)
    else:
        legend_beside(axes[0])
    if comparison is not None:
        mark_stretches(axes[0], comparison, known)
    return tuple(axes)


def _legend_under(axes: Sequence[Axes], width: float) -> None:
    """Name the lines of all panels once, under them."""
    lines, n_columns = _named_lines(axes), int(width // (LEGEND + 0.1))
    legend = axes[0].figure.legend(
        lines.values(),
        ["line"] * len(lines),
        loc="lower center",
        ncols=n_columns,
        fontsize=SMALL,
        frameon=False,
        borderaxespad=0.1,
    )
    _name(legend, list(lines))


def _draw_task(ax: Axes, result: CurveSummaryResult, task: str, marks: Mapping[str, Mark]) -> None:
    for run in result.runs:
        if run.task == task:
            ax.plot(run.steps, run.scores, color=marks[run.algorithm].color, linewidth=0.5, alpha=0.45, zorder=1)
    for name in result.algorithms:
        records = result.curve(name, task)
        if records:
            n = records[0].n_runs
            label = labelled(name, f" ({n} {result.unit}{'' if n == 1 else 's'})")
            draw_line(ax, marks[name], label, [(r.step, r.centre, r.low, r.high) for r in records])


def grid_of_axes(n: int, n_lines: int, width: float) -> tuple[Axes, ...]:
    """Return panels in a new figure, three abreast, with room for a legend of so many lines under them."""
    n_columns, high = min(3, n), 1.8
    wide, n_rows = width / n_columns, ceil(n / n_columns)
    foot = 0.1 + 0.15 * ceil(n_lines / int(width // (LEGEND + 0.1)))
    total = high * n_rows + foot
    figure = Figure(figsize=(width, total), facecolor="white")
    return tuple(
        figure.add_axes(
            (
                (0.45 + (i % n_columns) * wide) / width,
                (foot + 0.36 + (n_rows - 1 - i // n_columns) * high) / total,
                (wide - 0.52) / width,
                (high - 0.58) / total,
            ),
            facecolor="none",
        )
        for i in range(n)
    )
