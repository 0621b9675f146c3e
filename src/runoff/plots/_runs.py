"""The runs themselves: as points, task by task; those of two algorithms with the effect beside them; as histograms with the best-fitting density
(Casesa 2024, Appendix A).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from runoff._inference.fits import density
from runoff.answer.comparison import ComparisonResult
from runoff.answer.describe import DescribeResult, DescribeRow
from runoff.answer.pair import MeasureReading, Pair, PairVerdict, readings_of
from runoff.answer.reproduce import ReproduceResult, ReproduceRow
from runoff.base.arrays import Floats
from runoff.base.validate import check_choice
from runoff.data.scores import Scores
from runoff.errors import OptionError
from runoff.plots._canvas import (
    INK,
    LONGEST,
    RULE,
    TICKS,
    TickLabels,
    axes_at,
    drawing,
    dress,
    dress_plane,
    frame_sides,
    high_of,
    inches,
    name_panel,
    named_on_left,
    panels,
    scale,
)
from runoff.plots._figure import COLUMN, PAGE, Frame, Marked, Panels, Whole, figure, frame_of
from runoff.plots._marks import AHEAD, BEHIND, GREY, OPEN, PALE, VERDICTS, Mark, toned
from runoff.plots._matrices import task_means
from runoff.plots._measures import rule_words
from runoff.plots._places import spread
from runoff.plots._rows import BAR, LINE, NOBODY, TICK
from runoff.plots._text import SIZE, SMALL, fit, labels, literal, width_of
from runoff.plots._ticks import SCORE, end_labels, score_words, tick_label
from runoff.words.numbers import counted

ROOMY, TIGHT = 0.15, 0.115
"""Inches of a row, for up to six algorithms and for more."""
LEAST = 0.95
"""Inches of the narrowest panel."""
MANY = 10_000
"""The most points that vector figures draw one by one; more are drawn as an image."""


@figure(PAGE)
def tasks(data: Scores, **options: Unpack[Panels]) -> tuple[Axes, ...]:
    """What did each run achieve on each task?

    Parameters
    ----------
    data : Scores
        Tasks become panels with scales of their own, algorithms rows, runs points; a bar marks the mean. A new figure that would be longer
        than a page becomes a matrix of means, darker where a mean is nearer to the highest run of the task.

    Raises
    ------
    OptionError
        There are more or fewer `axes` than tasks.
    """
    frame, names = frame_of(options), data.algorithms
    if frame.is_new and longer_than_a_page(data, frame.width):
        return (task_means(data, frame),)
    called = labels(names, frame.room(0.19))
    row = _row(data)
    axes = _task_panels(frame, data.n_tasks, called, row)
    heads, colors = labels(data.tasks, min(map(inches, axes))), frame.marks(names)
    for t, (ax, named) in enumerate(zip(axes, named_on_left(axes, called), strict=True)):
        cells = [data.cell(name, t) for name in names]
        scale(ax, np.concatenate(cells), ticks=3)
        _draw_task(ax, cells, [colors[name] for name in names], image=frame.is_new and data.values.size > MANY)
        dress(ax, title=heads[t], labels=named, n_rows=len(names))
    return frame.finished(axes, score_words(data.provenance.reference))


def _task_panels(frame: Frame, n: int, called: Sequence[str], row: float) -> tuple[Axes, ...]:
    return frame.panels(n, "task", lambda: panels(n, called, row=row, width=frame.width, least=LEAST))


def _row(scores: Scores) -> float:
    return ROOMY if scores.n_algorithms <= 6 else TIGHT


def longer_than_a_page(scores: Scores, width: float) -> bool:
    """Return whether panels of runs would be longer than the text of a page."""
    return high_of(scores.n_tasks, 0.19 * width, _row(scores) * scores.n_algorithms, width=width, least=LEAST) > LONGEST


def _draw_task(ax: Axes, cells: Sequence[Floats], marks: Sequence[Mark], *, image: bool = False) -> None:
    """Draw the runs of a task, a row for each cell, and their means."""
    for row, (cell, mark) in enumerate(zip(cells, marks, strict=True)):
        if cell.size:
            _points(ax, row, cell, mark, image=image)
        else:  # in the row of the algorithm, at the left edge whatever the scale
            where = ("axes fraction", "data")
            ax.annotate("no runs", (0.02, row), xycoords=where, va="center", fontsize=SMALL, color=INK)
    rows = [row for row, cell in enumerate(cells) if cell.size]
    middles = [float(cells[row].mean()) for row in rows]
    ax.vlines(middles, np.array(rows) - 0.42, np.array(rows) + 0.42, color=INK, linewidth=1.3, zorder=3)


def _points(ax: Axes, row: int, cell: Floats, mark: Mark, *, image: bool) -> None:
    points = Line2D(cell, row + spread(cell.size), linestyle="", marker=mark.marker, color=mark.color, alpha=0.65)
    points.set(markersize=2.6, markeredgewidth=0)
    figure = ax.get_figure(root=True)
    # Points at the ends of an axis are whole.
    if not image or figure is None:
        ax.add_line(points).set_clip_on(False)
        return
    # Of the figure, behind all panels and next to each other: one image then holds the points of all, where each panel would have its own, of
    # the size of the page.
    points.set(transform=ax.transData, rasterized=True, zorder=-1)
    figure.add_artist(points)


@figure(PAGE)
def reproduce(result: ReproduceResult, **options: Unpack[Panels]) -> tuple[Axes, ...]:
    """Where do your own runs lie beside every published run of the same algorithm?

    Parameters
    ----------
    result : ReproduceResult
        Tasks become panels with scales of their own; runs are points, and a bar marks the mean.

    Returns
    -------
    tuple of Axes
        The shade is where the mean of as many new published runs would be; dotted lines are the margin around the published mean. The bar of
        your own mean is blue where it was found higher, orange where it was found lower.

    Raises
    ------
    OptionError
        There are more or fewer `axes` than tasks.
    """
    frame, names, records = frame_of(options), result.algorithms, result.single
    called = labels(names, frame.room(0.19))
    axes = _task_panels(frame, len(records), called, ROOMY)
    heads = labels(result.tasks, min(map(inches, axes)))
    # Both rows have the same marker, for whose runs they are is the colour's and the name's to say.
    own = replace(frame.marks(names)[names[0]], marker=NOBODY.marker)
    for ax, named, record, head in zip(axes, named_on_left(axes, called), records, heads, strict=True):
        _draw_reproduced(ax, record, own)
        dress(ax, title=head, labels=named, n_rows=2)
    return frame.finished(axes, SCORE)


def _draw_reproduced(ax: Axes, record: ReproduceRow, own: Mark) -> None:
    cells = [np.array(record.scores), np.array(record.published_scores)]
    # With one published run there is no spread to predict from, and no shade.
    ends = [end for end in (record.predicted_low, record.predicted_high) if end is not None]
    published = float(cells[1].mean())
    margins = [published - record.margin, published + record.margin]
    scale(ax, np.concatenate([*cells, ends, margins]), ticks=3)
    if ends:
        ax.axvspan(*ends, color=RULE, alpha=0.6, linewidth=0, zorder=0)
    ax.vlines(margins, -0.5, 1.5, color=INK, linewidth=0.7, linestyle=(0, (1, 2)))
    _draw_task(ax, cells, (own, Mark(GREY, NOBODY.marker)))
    if (color := {"higher": AHEAD, "lower": BEHIND}.get(record.verdict)) is not None:
        ax.vlines(float(cells[0].mean()), -0.42, 0.42, color=color, linewidth=2.6, zorder=4)


def reproduced_words(result: ReproduceResult) -> str:
    """Return the caption of `reproduce`."""
    n, level = [len(record.scores) for record in result.single], f"{100 * result.confidence_level:g}\u00a0%"
    return (
        f"Every run of {result.algorithm} ({counted(n, 'run')} of a task) beside every run of {result.published} "
        f"({counted([len(record.published_scores) for record in result.single], 'run')}). Bars: means; blue: found "
        "higher than the published, orange: found lower. "
        f"Shade: {level} prediction interval of the mean of as many new published runs (Student's t). Dotted: the margin around the "
        "published mean. Whether they agree is decided by the "
        "test of the difference, not by the shade."
    )


# ── two algorithms on one task ──────────

FOUND: Mapping[PairVerdict, str] = MappingProxyType(
    {
        "a_better": "blue: a difference was found",
        "b_better": "orange: the first was found behind",
        "no_difference_found": "grey: no difference was found",
        "equivalent": "thin: equivalent within the margin",
        "no_verdict": "the means were not tested",
    }
)
"""The words of the caption for each verdict on the difference of means."""
SIDE, FRAME = 2.1, (0.5, 0.32, 0.5, 0.2)
"""Inches of the figure's height, and of its margins: left, below, right, above."""


@figure(COLUMN)
def runs(
    data: Scores, comparison: ComparisonResult, *, pair: tuple[str, str] | None = None, **options: Unpack[Marked]
) -> Axes:
    """What did every run of two algorithms achieve on one task, and how far apart are their means?

    Parameters
    ----------
    data : Scores
        Of one task; `data.select(tasks=["Pong"])` takes it.
    comparison : ComparisonResult
        Of the same scores.
    pair : (a, b), optional
        None takes the leader and the nearest of the comparison.

    Returns
    -------
    Axes
        Runs as points beside the difference of means, whose axis on the right has its 0 at the mean of the lower one, with the interval that
        decides it: blue where a difference was found, grey where none was, a thin line where the two are equivalent; dotted, of the pair
        alone, where means were not tested.

    Raises
    ------
    OptionError
        There are several tasks.
    KeyError
        The comparison does not have this pair.
    """
    if data.n_tasks > 1:
        raise OptionError(
            f"runs are drawn on one task, and there are {data.n_tasks}; take one, data.select(tasks=[{data.tasks[0]!r}])."
        )
    facts = pair_of(comparison, pair)
    frame, cells = frame_of(options), [data.cell(name, data.tasks[0]) for name in (facts.a, facts.b)]
    ax, colors = frame.ax or _plane(frame), frame.marks(data.algorithms)
    # The first of the pair has the higher mean, so that the difference points upwards.
    high, low = (float(cell.mean()) for cell in cells)
    for place, (name, cell, mean) in enumerate(zip((facts.a, facts.b), cells, (high, low), strict=True)):
        mark = colors[name]
        ax.plot(
            place + 0.8 * spread(cell.size),
            cell,
            mark.marker,
            color=mark.color,
            markersize=3.2,
            markeredgewidth=0,
            alpha=0.75,
        )
        ax.hlines(mean, place - 0.34, 2.3, color=INK, linewidth=0.6, linestyle=(0, (3, 2)))
        ax.hlines(mean, place - 0.34, place + 0.34, color=INK, linewidth=1.3, zorder=3)
    of_means = difference_of(facts)
    if of_means.low is not None and of_means.high is not None:
        color, thick, dash = VERDICTS.get(of_means.verdict, OPEN), BAR, "-"
        if of_means.verdict not in VERDICTS:
            thick, dash = LINE, "-" if of_means.verdict == "equivalent" else ":"
        ax.vlines(2, low + of_means.low, low + of_means.high, color=color, linewidth=thick, linestyle=dash)
    ax.plot(2, low + facts.difference, "_", color=INK, markersize=TICK, markeredgewidth=1.3, zorder=3)
    _dress_runs(ax, labels([facts.a, facts.b], frame.room(0.26)), data, low)
    title = f"Runs on {data.tasks[0]}" if frame.title is None else frame.title
    name_panel(ax, title)
    return ax


def runs_words(
    scores: Scores, *, comparison: ComparisonResult | None = None, pair: tuple[str, str] | None = None
) -> str:
    """Return the caption of `runs`."""
    if comparison is None:
        raise OptionError("the caption of runs is of a difference: give comparison=, as to plots.runs.")
    facts, unit = pair_of(comparison, pair), scores.sampling.unit
    counts, level = counted([*facts.n_runs_a, *facts.n_runs_b], unit), f"{100 * comparison.confidence_level:g}\u00a0%"
    of_means = difference_of(facts)
    kind = (
        "its interval at the level of the test"
        if of_means.verdict != "no_verdict"
        else f"its {level} interval, of this pair alone"
    )
    ends = "" if of_means.low is None else f" with {kind}"
    verdict = FOUND[of_means.verdict]
    return (
        f"Every {unit} of {facts.a} and {facts.b} on {scores.tasks[0]} ({counts} of each). Bars: means. Right: the difference of means{ends}; "
        f"{verdict} ({rule_words(comparison)})."
    )


def difference_of(pair: Pair) -> MeasureReading:
    """Return the words for the difference of means: without a verdict, and with its own interval, if it was not tested."""
    own = MeasureReading(
        measure="mean",
        estimate=pair.difference,
        pvalue_adjusted=None,
        verdict="no_verdict",
        low=pair.difference_low,
        high=pair.difference_high,
    )
    return readings_of(pair).get("mean", own)


def pair_of(comparison: ComparisonResult, pair: tuple[str, str] | None) -> Pair:
    """Return a pair with the one of the higher mean first: that which is asked for, or the leader's nearest."""
    facts = comparison.standing.own[0] if pair is None else comparison[*pair]
    return facts if facts.difference >= 0 else facts.turned()


def _plane(frame: Frame) -> Axes:
    left, below, right, above = FRAME
    return axes_at(drawing(frame.width, SIDE), left, below, frame.width - left - right, SIDE - below - above)


def _dress_runs(ax: Axes, called: Sequence[str], scores: Scores, zero: float) -> None:
    dress_plane(ax, grid="y")
    ax.set_xlim(-0.5, 2.4)
    names = [*called, "difference"]
    ax.set_xticks([0, 1, 2], labels=names, **literal(*names))
    ax.tick_params(axis="x", length=0, labelsize=SIZE)
    ax.yaxis.set_major_formatter(TickLabels())
    ax.yaxis.get_offset_text().set(fontsize=SMALL, color=INK)
    words = score_words(scores.provenance.reference).split(" (")[0]  # what 0 and 1 are takes more than the height
    ax.set_ylabel(words, fontsize=SMALL, color=INK, labelpad=2, **literal(words))
    # The same scale, shifted so that its 0 is the lower mean: an interval that leaves 0 out is seen to clear
    # the dashed line.
    right = ax.secondary_yaxis("right", functions=(partial(np.add, -zero), partial(np.add, zero)))
    right.tick_params(**TICKS)
    right.yaxis.set_major_formatter(FuncFormatter(tick_label))
    right.spines["right"].set(color=INK, linewidth=0.5)
    right.set_ylabel("difference of means", fontsize=SMALL, color=INK, labelpad=2)


# ── histograms ──────────

ROW, HEAD, GAP, FOOT, NAME = 0.54, 0.17, 0.1, 0.13, 0.12
"""Inches of a panel with its texts, of the names on top, between panels, of the tick labels, of the family's name."""
LABEL = 0.14
"""The largest share of the width that a task's name takes."""
FAMILIES = {
    "student_t": "t",
    "lognormal": "log-normal",
    "double_weibull": "double Weibull",
    "pareto": "Pareto",
    "normal_mixture": "two normals",
}
"""The names of families as people read them, where they have others."""


@figure(PAGE)
def densities(
    result: DescribeResult,
    *,
    algorithms: Sequence[str] | None = None,
    tasks: Sequence[str] | None = None,
    **options: Unpack[Whole],
) -> tuple[Axes, ...]:
    """Which distribution fits the runs of each cell?

    Parameters
    ----------
    result : DescribeResult
        Made with `fit=True`. Tasks become rows, algorithms columns; each panel has its own scale, from its lowest to its highest run.
    algorithms, tasks : sequence of str, optional
        Some of them, in the order drawn; a page holds about 18 tasks.

    Returns
    -------
    tuple of Axes
        One for each algorithm and task, row by row.

    Raises
    ------
    OptionError
        An unknown algorithm or task.
    """
    columns = [check_choice("algorithm", name, result.algorithms) for name in algorithms or result.algorithms]
    # Of 20 algorithms on 30 tasks nobody reads 600 histograms: the caller takes some.
    rows = [check_choice("task", name, result.tasks) for name in tasks or result.tasks]
    frame = frame_of(options)
    colors, width = frame.marks(result.algorithms), frame.width
    called = labels(rows, LABEL * width)
    left = max(map(width_of, called)) + 0.12
    wide = (width - left - GAP * len(columns)) / len(columns)
    height = HEAD + ROW * len(rows) + 0.04
    figure = drawing(width, height)
    axes, cells = [], {(record.algorithm, record.task): record for record in result.rows}
    for row, (task, label) in enumerate(zip(rows, called, strict=True)):
        bottom = height - HEAD - ROW * (row + 1) + FOOT
        at = (left - 0.07) / width, (bottom + 0.12) / height
        figure.text(*at, label, ha="right", fontsize=SIZE, color=INK, **literal(label))
        for column, name in enumerate(columns):
            ax = axes_at(figure, left + column * (wide + GAP), bottom, wide, ROW - FOOT - NAME - 0.02)
            _draw_cell(ax, cells.get((name, task)), colors[name], wide)
            axes.append(ax)
    for column, label in enumerate(labels(columns, wide)):
        x = (left + column * (wide + GAP) + wide / 2) / width
        figure.text(x, 1 - 0.11 / height, label, ha="center", fontsize=SIZE, color=INK, **literal(label))
    return frame.finished(tuple(axes))


def _draw_cell(ax: Axes, record: DescribeRow | None, mark: Mark, room: float) -> None:
    ax.set_yticks([])
    frame_sides(ax, "bottom")
    ax.tick_params(axis="x", **TICKS | {"labelsize": SMALL - 1, "length": 1.5, "pad": 1})
    if record is None or record.minimum == record.maximum:
        words = "no runs" if record is None else f"all {tick_label(float(f'{record.minimum:.6g}'))}"
        ax.set_xticks([])
        ax.text(0.5, 0.3, words, ha="center", transform=ax.transAxes, fontsize=SMALL, color=INK)
        return
    counts = np.array(record.histogram, dtype=np.float64)
    # Bins are of one width from the lowest to the highest run, as `describe` has counted them.
    edges = np.linspace(record.minimum, record.maximum, counts.size + 1)
    # An area of 1, as the fitted density has.
    heights = counts / counts.sum() / np.diff(edges)
    ax.stairs(heights, edges, fill=True, color=toned(mark.color, PALE), linewidth=0)
    _fitted(ax, record, heights.max(), room)
    ends = (record.minimum, record.maximum)
    # As many digits as fit under a narrow panel, both ends with the same, and show where they are; or none.
    texts = (end_labels(*ends, least=digits, most=max(digits, 5)) for digits in (3, 2, 1))
    room = 0.88 * room - 0.05  # the axis is a little longer than the range
    fitting = next(
        (pair for pair in texts if pair and sum(width_of(text, SMALL - 1) for text in pair) < room), ("", "")
    )
    ax.set_xticks(ends, labels=fitting)
    low, high = ax.get_xticklabels()
    low.set_horizontalalignment("left")
    high.set_horizontalalignment("right")


def _fitted(ax: Axes, record: DescribeRow, highest: float, room: float) -> None:
    """Draw the fitted density over the runs' range and a little beyond, cut where it leaves the panel."""
    margin = 0.06 * (record.maximum - record.minimum)
    ax.set_xlim(record.minimum - margin, record.maximum + margin)
    ax.set_ylim(0, 1.1 * highest)
    if record.distribution is None or record.parameters is None:
        return
    x = np.linspace(record.minimum - margin, record.maximum + margin, 400)
    # A density that is unbounded at an end (a Weibull of shape below 1) would reach far beyond the panel.
    ax.plot(x, np.minimum(density(record.distribution, record.parameters, x), 9 * highest), color=INK, linewidth=0.8)
    words = fit(FAMILIES.get(record.distribution, record.distribution), room, SMALL)
    ax.text(1.0, 1.02, words, ha="right", va="bottom", transform=ax.transAxes, fontsize=SMALL, color=INK)
