"""Lines along training and against numbers of runs: axes with a legend beside or under them, one panel for each task."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import ceil, inf
from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, PercentFormatter

from runoff.answer.curves import (
    CurveComparisonResult,
    CurveSummaryResult,
    EfficiencyResult,
    EfficiencyRow,
    ReachCurve,
    ReachResult,
)
from runoff.answer.tuning import TuningResult
from runoff.base.arrays import Floats
from runoff.errors import OptionError
from runoff.plots._canvas import (
    INK,
    LONGEST,
    MOST_PAIRS,
    RULE,
    TickLabels,
    axes_at,
    drawing,
    dress_plane,
    inches,
    name_panel,
)
from runoff.plots._figure import PAGE, Frame, Marked, Panels, figure, frame_of
from runoff.plots._marks import Mark, dash_of
from runoff.plots._text import SIZE, SMALL, labels, literal, width_of
from runoff.plots._words import MOST_BINS
from runoff.words.names import LOWER_IS_BETTER, metric_head, metric_words
from runoff.words.numbers import counted
from runoff.words.shorten import isolated

HIGH, STRIP = 2.68, 0.09
"""Height of a figure, and of the strip of one pair under its axes, inches."""
LEGEND, MOST_BESIDE = 2.0, 16
"""The width of a legend, inches, and the most lines of one beside the axes."""
NARROW, STRIP_NAMES = 5.0, 0.4
"""Inches of a figure that has its legend under the axes, and the share of it that the names of strips take."""
FEW_TICKS = 2.0
"""Inches of an axis with three ticks at most."""
GRIDS, SMALL_PANEL = ((3, 1.67), (4, 1.25), (5, 0.95), (6, 0.8)), 1.0
"""Panels abreast with the inches of their height, from few to many; the width with its margin below which a panel has few ticks."""
AXES = {"step": "steps", "time": "seconds", "episodes": "episodes"}
DASHES = ("-", "--", "-.", ":")
BESIDE: Mapping[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0}
"""Where a legend stands beside the axes."""
WITHIN: Mapping[str, Any] = {"loc": "best"}
"""Where it stands in axes that were given, whose figure may have no room beside them."""
DASHED = (0, (4, 3))
"""The dashes of a line at a requirement or a promise."""


def labelled(names: Sequence[str], replicates: Mapping[str, str]) -> dict[str, str]:
    """Return lines of the legend: the names, shortened to what tells them apart, each with its runs where it has some."""
    # 0.4 inches are the line and the marker of an entry.
    room = LEGEND - 0.4 - max((width_of(words, SMALL) for words in replicates.values()), default=0.0)
    called = zip(names, labels(names, room, SMALL), strict=True)
    return {name: isolated(label) + replicates.get(name, "") for name, label in called}


def line_axes(frame: Frame, *, n_lines: int = 0, n_strips: int = 0) -> Axes:
    """Return the Axes that were given, or those of a new figure with strips under them and a legend beside them, under them if it is long."""
    if frame.ax is not None:
        return frame.ax
    under = _under(n_lines, frame.width) if stands_under(n_lines, frame.width) else 0.0
    # Strips have their names on the right, where the legend would be.
    beside = 0.0 if under and not n_strips else strip_room(frame.width) if under else LEGEND
    width, high = frame.width, HIGH + STRIP * n_strips + under
    left, foot = 0.55, 0.42 + STRIP * n_strips + under
    return axes_at(drawing(width, high), left, foot, width - left - beside - 0.1, high - foot - 0.2)


def stands_under(n_lines: int, width: float) -> bool:
    """Return whether a legend of so many lines stands under the axes."""
    return n_lines > MOST_BESIDE or (n_lines > 0 and width < NARROW)


def strip_room(width: float) -> float:
    """Return the inches on the right of strips, for their names."""
    return min(LEGEND, STRIP_NAMES * width)


def draw_line(ax: Axes, mark: Mark, label: str, points: Sequence[Sequence[float | None]]) -> None:
    """Draw (step, estimate, low, high) as a line with a band where there are intervals."""
    steps, estimates = np.array([p[:2] for p in points], np.float64).T
    draw_marked(ax, mark, steps, estimates, label=label)
    # NaN leaves a gap in the band where a step has no interval.
    low, high = (np.array([np.nan if p[k] is None else p[k] for p in points], np.float64) for k in (2, 3))
    if len(points) == 1:  # a band of one step has no width
        ax.vlines(steps, low, high, color=mark.color, linewidth=2.0, alpha=0.4)
    ax.fill_between(steps, low, high, color=mark.color, alpha=0.18, linewidth=0)


def draw_marked(ax: Axes, mark: Mark, x: Any, y: Any, **style: Any) -> None:
    """Draw a line in a colour and its style with about eight of its markers."""
    # About eight markers, so that the colour is not alone and a line of a hundred steps is still a line.
    usual = {"linewidth": 1.1, "linestyle": dash_of(mark), "markersize": 3, "markevery": max(1, len(x) // 8)}
    ax.plot(x, y, color=mark.color, marker=mark.marker, **{**usual, **style})


def draw_to_answer(ax: Axes, mark: Mark, runs: Sequence[int], y: Sequence[float], answer: int, **style: Any) -> None:
    """Draw a line against numbers of runs, with a marker at the number that is the answer."""
    draw_marked(ax, mark, runs, y, markersize=4.5, markevery=[i for i, n in enumerate(runs) if n == answer], **style)


def dress_along(ax: Axes, axis: str, title: str) -> None:
    """Give the axes their words, thin lines and small text."""
    ax.set_xlabel(axis, fontsize=SMALL, color=INK, labelpad=1, **literal(axis))
    ax.set_ylabel(title, fontsize=SIZE, color=INK, labelpad=2, **literal(title))
    ax.xaxis.set_major_locator(MaxNLocator(nbins=6 if inches(ax) > FEW_TICKS else 3, steps=[1, 2, 2.5, 5, 10]))
    for scale in (ax.xaxis, ax.yaxis):
        scale.set_major_formatter(TickLabels())
        scale.get_offset_text().set(fontsize=SMALL, color=INK)
    dress_plane(ax)
    ax.margins(x=0.01)


def dress_against_runs(ax: Axes, axis: str, share: str, *, decimals: int | None = None) -> None:
    """Give axes of a share against numbers of runs their words and their scales."""
    dress_along(ax, axis, share)
    ax.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=True))
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=decimals, symbol=" %"))


def task_axes(frame: Frame, tasks: Sequence[str], *, n_lines: int) -> tuple[Axes, ...]:
    """Return one panel for each task: those given, or new ones with room for the legend."""

    def new() -> tuple[Axes, ...]:
        if len(tasks) == 1:
            return (line_axes(frame, n_lines=n_lines),)
        return grid_of_axes(len(tasks), n_lines, frame.width)

    return frame.panels(len(tasks), "task", new)


def dress_tasks(frame: Frame, axes: Sequence[Axes], tasks: Sequence[str], axis: str, title: str) -> None:
    """Name the axes, the panels, the figure and, once, the lines."""
    places = [ax.get_position() for ax in axes]
    room = inches(axes[0]) + 0.25
    first = [at for at, place in enumerate(places) if place.x0 <= min(other.x0 for other in places) + 1e-9]
    # In small panels the words of the upright axis are longer than a panel: one in the middle has them.
    named = first if room >= SMALL_PANEL else first[len(first) // 2 : len(first) // 2 + 1]
    for at, (called, ax, place) in enumerate(zip(labels(tasks, room), axes, places, strict=True)):
        # The last row may be shorter than the others: each column has the words at its own lowest panel. 1e-9
        # is what shares of a figure round to.
        lowest = all(place.y0 <= other.y0 + 1e-9 for other in places if abs(other.x0 - place.x0) < 1e-9)
        dress_along(ax, axis if lowest else "", title if at in named else "")
        if room < SMALL_PANEL:
            ax.xaxis.set_major_locator(MaxNLocator(nbins=2))
            ax.yaxis.set_major_locator(MaxNLocator(nbins=2))
        if len(tasks) > 1:
            name_panel(ax, called)
    name_algorithms(frame, axes)


def name_algorithms(frame: Frame, axes: Sequence[Axes]) -> None:
    """Name the lines that have markers, those of algorithms: beside the axes, or under several panels and many lines."""
    lines = {str(line.get_label()): line for ax in axes for line in ax.get_lines() if line.get_marker() != "None"}
    if frame.is_new and (len(axes) > 1 or stands_under(len(lines), frame.width)):
        _legend(axes[0].figure, lines, loc="lower center", ncols=_abreast(frame.width), borderaxespad=0.1)
    else:
        _legend(axes[0], lines, **(BESIDE if frame.is_new else WITHIN))


def name_lines(ax: Axes, *, new: bool) -> None:
    """Name all lines but those labelled "_": beside new axes, within those that were given."""
    lines = {str(line.get_label()): line for line in ax.get_lines()}
    _legend(
        ax,
        {label: line for label, line in lines.items() if not re.fullmatch(r"_(child\d+)?", label)},
        **(BESIDE if new else WITHIN),
    )


def _legend(of: Any, lines: Mapping[str, Line2D], **place: Any) -> None:
    """Name lines of axes or of a figure. Texts are set afterwards: matplotlib hides labels that begin with an underscore."""
    # Every label is "line" at first, for matplotlib leaves out entries whose label begins with an underscore.
    legend = of.legend(lines.values(), ["line"] * len(lines), fontsize=SMALL, frameon=False, **place)
    for text, label in zip(legend.get_texts(), lines, strict=True):
        text.set(text=label, color=INK, **literal(label))


def _abreast(width: float) -> int:
    return int(width // (LEGEND + 0.1))


def _under(n_lines: int, width: float) -> float:
    """Return the inches of a legend of so many lines under the axes."""
    return 0.1 + 0.15 * ceil(n_lines / _abreast(width))


def grid_of_axes(n: int, n_lines: int, width: float) -> tuple[Axes, ...]:
    """Return panels in a new figure with room for a legend of so many lines under them: the largest that a page holds."""
    foot = 0.13 + _under(n_lines, width)
    # The largest panels with which all tasks fit on a page, or else the smallest.
    abreast, high = next((grid for grid in GRIDS if ceil(n / grid[0]) * grid[1] + foot <= LONGEST), GRIDS[-1])
    n_columns = min(abreast, n)
    n_rows = ceil(n / n_columns)
    figure = drawing(width, high * n_rows + foot)
    # Half of the last tick's label stays inside, and the words of the axis on the left.
    wide = (width - 0.2) / n_columns
    axes = []
    for row, column in (divmod(i, n_columns) for i in range(n)):
        x, y = 0.52 + column * wide, foot + 0.2 + (n_rows - 1 - row) * high
        axes.append(axes_at(figure, x, y, wide - 0.45, high - 0.4))
    return tuple(axes)


# ── along training: steps, intervals, where two differ, when a score is reached ──────────


@figure(PAGE)
def sample_efficiency(
    result: EfficiencyResult, *, comparison: CurveComparisonResult | None = None, **options: Unpack[Marked]
) -> Axes:
    """How good is each algorithm at each step of training?

    Parameters
    ----------
    result : EfficiencyResult
        Lines are estimates, bands their intervals; a single step is drawn as points.
    comparison : CurveComparisonResult, optional
        Strips under the axes, one for each pair, mark its stretches in the colour of the algorithm ahead.

    Raises
    ------
    OptionError
        `comparison` has another axis, or other algorithms or tasks.
    """
    if comparison is not None:
        _refuse_other_curves(comparison, result)
    frame, metric = frame_of(options), result.rows[0].measure
    # The legend is in the order of the ends of the lines, best on top.
    colors, sign = frame.marks(result.algorithms), -1 if metric in LOWER_IS_BETTER else 1
    order = by_place(("", name, sign * result.curve(name)[-1].estimate) for name in result.algorithms)
    strips = strips_of(comparison, order)
    ax = line_axes(frame, n_lines=len(order), n_strips=len(strips))
    called = labelled(order, {name: _counts(result.curve(name), result.unit) for name in order})
    for name in order:
        draw_line(ax, colors[name], called[name], [(r.step, r.estimate, r.low, r.high) for r in result.curve(name)])
    dress_along(ax, AXES[result.along], f"{metric_head(metric)} of scores")
    name_algorithms(frame, [ax])
    if comparison is not None:
        mark_stretches(ax, comparison, strips, colors)
    return frame.entitled(ax)


@figure(PAGE)
def tuning(result: TuningResult, **options: Unpack[Marked]) -> Axes:
    """How good is each algorithm with the best of k of its configurations?

    Parameters
    ----------
    result : TuningResult
        Lines are expected scores on runs that did not select, bands their intervals over runs.
    """
    frame = frame_of(options)
    colors, order = frame.marks(result.algorithms), by_place(("", r.algorithm, r.estimate) for r in result.ends)
    ax = line_axes(frame, n_lines=len(order))
    # Of how many configurations the best is taken is part of what the line says.
    called = labelled(order, {name: f" (of {n})" for name, n in result.n_configs.items()})
    for name in order:
        draw_line(ax, colors[name], called[name], [(r.k, r.estimate, r.low, r.high) for r in result.curve(name)])
    dress_along(ax, "configurations tried, k", "score of the selected one")
    ax.set_xscale("log", base=2)
    # On a scale of logarithms the powers of two up to the largest sweep.
    ticks = [2**i for i in range(max(result.n_configs.values()).bit_length())]
    ax.set_xticks(ticks, list(map(str, ticks)), fontsize=SMALL)
    name_algorithms(frame, [ax])
    return frame.entitled(ax)


def by_place(values: Iterable[tuple[str, str, Any]]) -> list[str]:
    """Return the algorithms, the best first, by their mean place over tasks; of each (task, algorithm, value) higher values are better.

    >>> by_place([("s", "A", 1.0), ("s", "B", 2.0), ("t", "B", 3.0)])
    ['B', 'A']
    """
    by_task: dict[str, dict[str, Any]] = {}
    for task, name, value in values:
        by_task.setdefault(task, {})[name] = value
    places: dict[str, list[int]] = {}
    for own in by_task.values():
        for name, value in own.items():
            # Places and not means: tasks have units of their own. Equal values share the better place.
            places.setdefault(name, []).append(sum(other > value for other in own.values()))
    return sorted(places, key=lambda name: sum(places[name]) / len(places[name]))


def strips_of(comparison: CurveComparisonResult | None, order: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs that have strips: all, or those of the best algorithm where there are more than rows of pairs are drawn of."""
    pairs = [] if comparison is None else list(comparison.pairs)
    return pairs if len(pairs) <= MOST_PAIRS else [pair for pair in pairs if order[0] in pair]


def _refuse_other_curves(comparison: CurveComparisonResult, drawn: EfficiencyResult) -> None:
    if comparison.along != drawn.along:
        raise OptionError(f"the comparison is along {comparison.along!r}, the curves along {drawn.along!r}.")
    names = [name for pair in comparison.pairs for name in pair if name not in drawn.algorithms]
    others = [*names, *(task for task in comparison.tasks if task not in drawn.tasks)]
    if others or len(comparison.tasks) != len(drawn.tasks):
        what = (
            f"has {others[0]!r}, which is not drawn"
            if others
            else f"is over {counted([len(comparison.tasks)], 'task')}, not {len(drawn.tasks)}"
        )
        raise OptionError(f"the comparison {what}; make both of the same curves.")


def _counts(records: Sequence[EfficiencyRow], unit: str) -> str:
    first = records[0]
    per_task = first.n_scores / first.n_tasks
    shown = f"{per_task:.0f}" if per_task == int(per_task) else f"{per_task:.1f} (mean)"
    where = f" × {counted([first.n_tasks], 'task')}" if first.n_tasks > 1 else ""
    return f" ({shown} {unit}{'' if per_task == 1 else 's'}{where})"


def mark_stretches(
    ax: Axes, comparison: CurveComparisonResult, strips: Sequence[tuple[str, str]], marks: Mapping[str, Mark]
) -> None:
    """Draw, under the axes, a strip for each of these pairs, coloured where one is found ahead."""
    high = ax.get_position().height * ax.figure.get_figure(root=True).get_figheight()
    # A stretch of one step would have no length: every stretch is as much longer on both sides as is nearly half a step.
    steps = [record.step for record in comparison.curve(*comparison.pairs[0])]
    half = 0.4 * float(np.median(np.diff(steps))) if len(steps) > 1 else 0.0
    style: dict[str, Any] = {"transform": ax.get_xaxis_transform(), "clip_on": False}
    # The limits are fixed before the strips, which go from edge to edge and would widen them.
    limits = ax.get_xlim()
    ax.set_xlim(limits)
    names = list(dict.fromkeys(name for pair in strips for name in pair))
    room = strip_room(ax.figure.get_figure(root=True).get_figwidth()) / 2 - 0.2
    called = dict(zip(names, labels(names, room, SMALL - 1), strict=True))
    for row, pair in enumerate(strips):
        y = -(0.34 + STRIP * (row + 0.5)) / high
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
def curves(result: CurveSummaryResult, **options: Unpack[Panels]) -> tuple[Axes, ...]:
    """What did the runs of each algorithm achieve along training, task by task?

    Parameters
    ----------
    result : CurveSummaryResult
        Tasks become panels; lines are centres, bands the spread, thin lines single runs of algorithms with fewer than ten on the task. With
        more than a hundred steps, each hundredth of a line has a single point at the mean of its steps.

    Raises
    ------
    OptionError
        There are more or fewer `axes` than tasks.
    """
    frame, tasks = frame_of(options), result.tasks
    colors = frame.marks(result.algorithms)
    last = {(record.task, record.algorithm): record.estimate for record in result.rows}
    order = by_place((*cell, centre) for cell, centre in last.items())
    axes = task_axes(frame, tasks, n_lines=len(order))
    for task, ax in zip(tasks, axes, strict=True):
        _draw_task(ax, result, task, {name: colors[name] for name in order})
    dress_tasks(frame, axes, tasks, AXES[result.along], f"{metric_words(result.measure)} of scores")
    return frame.finished(axes)


def _draw_task(ax: Axes, result: CurveSummaryResult, task: str, marks: Mapping[str, Mark]) -> None:
    for run in (run for run in result.run_curves if run.task == task):
        steps, scores = binned(np.array([run.steps, run.scores])).tolist()
        ax.plot(steps, scores, color=marks[run.algorithm].color, linewidth=0.5, alpha=0.45, zorder=1)
    cells = {name: own for name in marks if (own := result.curve(name, task))}
    counts = {name: own[0].n_runs for name, own in cells.items()}
    runs = {name: f" ({n} {result.unit}{'' if n == 1 else 's'})" for name, n in counts.items()}
    called = labelled(list(marks), runs)
    for name, own in cells.items():
        points = np.array([(r.step, r.estimate, r.low, r.high) for r in own], np.float64)
        draw_line(ax, marks[name], called[name], binned(points.T).T.tolist())


def binned(rows: Floats) -> Floats:
    """Return the means of rows (n_rows, n_steps) in as many stretches of equal numbers of steps as are drawn at most."""
    n = rows.shape[1]
    if n <= MOST_BINS:
        return rows
    # Parts that differ by a step at most, for n is seldom a multiple of a hundred; `reduceat` adds each up.
    starts = np.arange(MOST_BINS) * n // MOST_BINS
    means: Floats = np.add.reduceat(rows, starts, axis=1) / np.diff(np.append(starts, n))
    return means


@figure(PAGE)
def time_to_threshold(result: ReachResult, **options: Unpack[Panels]) -> tuple[Axes, ...]:
    """What share of the runs has reached the score, and after how many steps?

    Parameters
    ----------
    result : ReachResult
        Tasks become panels; a line is the share of runs that have reached the score (one minus Kaplan-Meier), ticks on it are the last
        evaluations of runs that never do. The curve crosses the line at one half at the median.

    Raises
    ------
    OptionError
        There are more or fewer `axes` than tasks.
    """
    frame, tasks = frame_of(options), result.tasks
    colors = frame.marks(result.algorithms)
    # The sooner the median is reached the better; where it is not reached, the more runs have reached the
    # score.
    order = by_place((r.task, r.algorithm, (-(r.estimate or inf), r.n_reached / r.n_runs)) for r in result.rows)
    axes = task_axes(frame, tasks, n_lines=len(colors))
    for task, ax in zip(tasks, axes, strict=True):
        ax.axhline(0.5, color=RULE, linewidth=0.8, linestyle=(0, (3, 3)), zorder=0)
        cells = [pair for pair in zip(result.rows, result.curves, strict=True) if pair[0].task == task]
        cells.sort(key=lambda pair: order.index(pair[0].algorithm))
        # All lines of a panel end together, at its last evaluation, though a share that no longer changes has
        # no later step.
        last = max(step for _, curve in cells for step in (*curve.steps, *curve.ended))
        runs = {}
        for record, _ in cells:  # how many reached it is told where there is room: with one task
            reached = f"{record.n_reached} of " if len(tasks) == 1 else ""
            runs[record.algorithm] = f" ({reached}{counted([record.n_runs], result.unit)})"
        called = labelled(order, runs)
        for record, curve in cells:
            _draw_reach(ax, curve, colors[record.algorithm], called[record.algorithm], last)
        ax.set_ylim(-0.03, 1.03)
    dress_tasks(frame, axes, tasks, AXES[result.along], f"share of {result.unit}s that reached it")
    return frame.finished(axes)


def _draw_reach(ax: Axes, curve: ReachCurve, mark: Mark, label: str, last: float) -> None:
    # Nobody has reached it at the start, from which the line begins.
    steps = np.array([min(0.0, last), *curve.steps, last])
    shares = np.array([0.0, *curve.shares, curve.shares[-1] if curve.shares else 0.0])
    draw_marked(ax, mark, steps, shares, drawstyle="steps-post", label=label)
    # A run ends on the line: at the share that holds just then.
    at = shares[np.searchsorted(steps[:-1], curve.ended, side="right") - 1]
    ax.vlines(curve.ended, at - 0.025, at + 0.025, color=mark.color, linewidth=0.8)
