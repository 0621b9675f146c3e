"""Where does a lead come from? What each task adds to it, and how far one of the two is ahead on every task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import ceil, floor, log10
from types import MappingProxyType
from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from runoff.answer.where import WhereResult, WhereRow
from runoff.base.arrays import Floats
from runoff.plots._canvas import INK, TICKS, axes_at, drawing, dress, frame_sides, inches, name_panel, scale, write
from runoff.plots._figure import COLUMN, Panels, figure, frame_of
from runoff.plots._marks import AHEAD, BEHIND, OPEN
from runoff.plots._places import NAMED, OUTERMOST, TaskStep, bend_of, bend_words, bent, kind_of, steps_of, swarm
from runoff.plots._rows import ROW
from runoff.plots._text import SMALL, labels, width_of
from runoff.plots._ticks import signed_tick
from runoff.words.measures import even_of
from runoff.words.numbers import counted, number, places, signed
from runoff.words.shorten import isolated

LABEL, HEAD, FOOT, BETWEEN = 0.42, 0.2, 0.42, 0.26
"""The largest share of the width that a name takes; inches above and below a panel, and between ticks and the next title."""
HIGH, LINE, DOT, APART, BESIDE = 42.0, 9.0, 4.0, 4.8, 2.0
"""Points: the height of the dots, of a line of names above them, of one dot, from one to the next, and from a name to the line to its dot."""


@figure(COLUMN, panel="part")
def where(result: WhereResult, **options: Unpack[Panels]) -> tuple[Axes, ...]:
    """Which tasks make the lead of one algorithm over another?

    Parameters
    ----------
    result : WhereResult
        The first panel adds the tasks up to the lead: up to six tasks are all named; with more, the top 10 % (at most six) are named and the
        rest summed. Beside the whole lead stands that without the ⌈T/10⌉ highest and lowest tasks. The second has a dot for each task, on an
        axis that is logarithmic on both sides of 0, and says so, where a few leads are very large. Bars and full dots are blue where the first
        was found ahead on that task, orange where the second was; bars are grey and dots hollow where no difference was found.

    Raises
    ------
    OptionError
        `axes` are not two.
    """
    frame = frame_of(options)
    records = sorted(result.rows, key=lambda record: -record.estimate)
    leads = _leads(records, result.measure)
    steps = steps_of(records, leads, "the lead" if result.measure == "mean" else "all, above 50 %")
    called = labels([step.name for step in steps], frame.room(LABEL))
    axes = frame.panels(2, "part", lambda: _axes(frame.width, called))
    first, second = map(isolated, labels([result.a, result.b], 0.3 * frame.width))
    _waterfall(axes[0], steps)
    dress(axes[0], title=f"The lead of {first} over {second}", labels=called, n_rows=len(steps))
    unit = bend_of(leads)
    _dots(axes[1], records, leads, unit)
    title = f"{first} ahead on {int((leads > 0).sum())}, {second} on {int((leads < 0).sum())}"
    name_panel(axes[1], title)
    words = "difference of means on a task" if result.measure == "mean" else "wins on a task above 50 %, in points"
    words += "" if unit is None else f" ({bend_words(unit)})"
    axes[1].set_xlabel(words, fontsize=SMALL, color=INK, labelpad=2)
    return frame.finished(axes)


def where_words(result: WhereResult) -> str:
    """Return the caption."""
    n, k = len(result.rows), ceil(len(result.rows) / 10)
    calls = sum(record.verdict in ("a_better", "b_better") for record in result.rows)
    what = "difference of means" if result.measure == "mean" else "wins above 50 %, in points"
    by = f"; {'Holm correction, ' * (n > 1)}α = {result.alpha:g}"
    unit = bend_of(_leads(result.rows, result.measure))
    bent = "" if unit is None else f" The axis of the dots is {bend_words(unit)}."
    rest = f", and without the {counted([k], 'task')} at each end" if n > NAMED else ""
    return (
        f"The lead of {result.a} over {result.b} ({what}, averaged over {counted([n], 'task')}) as a sum of what tasks add to it{rest}. Dots: "
        f"every task. Blue: {result.a} was found ahead on that task, orange: {result.b} was ({calls} of {counted([n], 'task')}{by}); grey bars, "
        f"hollow dots: no difference was found.{bent}"
    )


def _leads(records: Sequence[WhereRow], measure: str) -> Floats:
    """Return the lead on each task; probabilities in hundredths, as elsewhere."""
    even = even_of(measure)
    return np.array([(100 if even else 1) * (record.estimate - even) for record in records])


def _axes(width: float, called: Sequence[str]) -> tuple[Axes, Axes]:
    left, upper, lower = max(map(width_of, called)) + 0.13, ROW * len(called), (HIGH + OUTERMOST * LINE) / 72
    high = HEAD + upper + BETWEEN + HEAD + lower + FOOT
    figure = drawing(width, high)
    above = axes_at(figure, left, high - HEAD - upper, width - left - 0.5, upper)
    return above, axes_at(figure, 0.12, FOOT, width - 0.24, lower)


# ── the sum ──────────


TONES: Mapping[str, str] = MappingProxyType(
    {"up": AHEAD, "down": BEHIND, "open": OPEN, "net": "none", "whole": INK, "trimmed": "none"}
)
"""The colours of bars and dots by their kind; what no test is about is an outline."""


def _waterfall(ax: Axes, steps: Sequence[TaskStep]) -> None:
    ends = [end for step in steps for end in (step.start, step.start + step.size)]
    scale(ax, ends, ticks=4)
    digits = places(float(np.ptp(ends)) or 1.0, 3)
    for row, (_, start, size, kind) in enumerate(steps):
        edge = {"trimmed": INK, "net": OPEN}.get(kind, "none")
        ax.barh(row, size, left=start, height=0.62, color=TONES[kind], edgecolor=edge, linewidth=0.7)
        style: dict[str, Any] = {"fontsize": SMALL, "color": INK, "va": "center", "annotation_clip": False}
        at = (max(start, start + size), row)
        ax.annotate(signed(number(size, digits)), at, (3, 0), textcoords="offset points", **style)
    ax.axvline(0.0, color=INK, linewidth=0.7)


# ── every task ──────────


def _dots(ax: Axes, records: Sequence[WhereRow], leads: Floats, unit: float | None) -> None:
    scale(ax, [0.0, *leads.tolist()], ticks=5)
    if unit is not None:
        _bend(ax, leads, unit)
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: signed_tick(value)))
    # Where dots lie in points, for they are circles on the page whatever the scale of the data.
    across = ax.transAxes.inverted().transform(ax.transData.transform([(lead, 0.0) for lead in leads]))[:, 0]
    rise = np.array(swarm((72 * inches(ax) * across).tolist(), APART, (HIGH - DOT) / 2))
    for record, lead, y in zip(records, leads.tolist(), rise.tolist(), strict=True):
        color = TONES[kind := kind_of(record)]
        face = "white" if kind == "open" else color
        ax.plot(lead, y, "o", markersize=DOT, color=color, markerfacecolor=face, markeredgewidth=0.7)
    ax.plot([0.0, 0.0], [-HIGH / 2, HIGH / 2], color=INK, linewidth=0.7, zorder=0)
    ax.set_ylim(-HIGH / 2, HIGH / 2 + OUTERMOST * LINE)
    _outermost(ax, [record.task for record in records], leads, rise, across)
    ax.set_yticks([])
    ax.tick_params(axis="x", **TICKS)
    frame_sides(ax, "bottom")


def _bend(ax: Axes, leads: Floats, unit: float) -> None:
    """Make the axis logarithmic on both sides of 0."""

    def back(places: Any) -> Any:
        return np.sign(places) * unit * (10 ** np.abs(places) - 1)

    low, high = bent(min(leads.min(), 0.0), unit), bent(max(leads.max(), 0.0), unit)
    room = 0.04 * (high - low)
    ax.set_xscale("function", functions=(partial(bent, unit=unit), back))
    ax.set_xlim(*back(np.array([low - room, high + room])))
    powers = 10.0 ** np.arange(ceil(log10(unit)), 1 + floor(log10(np.abs(leads).max())))
    shown = powers[:: 1 + powers.size // 4]
    first, last = ax.get_xlim()
    ax.set_xticks([tick for tick in (*-shown[::-1], 0.0, *shown) if first <= tick <= last])
    ax.minorticks_off()


def _outermost(ax: Axes, names: Sequence[str], leads: Floats, rise: Floats, across: Floats) -> None:
    """Name the outermost tasks on lines of their own above the dots, where they have room."""
    called, n, beside = labels(names, 0.45 * inches(ax), SMALL), len(names), BESIDE / 72 / inches(ax)
    spans: list[tuple[int, float, float]] = []
    for line in range(OUTERMOST):
        for k, sign in ((line, 1), (n - 1 - line, -1)):
            if not 0 <= k < n or sign * leads[k] <= 0:
                continue
            wide, y = width_of(called[k], SMALL) / inches(ax), HIGH / 2 + LINE * (OUTERMOST - line - 0.5)
            # Beside the line to its dot, for the line to that of the name above may be the same.
            start = min(max(across[k] - (wide + beside if sign > 0 else -beside), 0.0), 1 - wide)
            if all(line != other or start > end + 0.02 or start + wide < first - 0.02 for other, first, end in spans):
                spans.append((line, start, start + wide))
                ax.plot([leads[k]] * 2, [rise[k] + DOT / 2, y - LINE / 2], color=INK, linewidth=0.4, zorder=0)
                write(ax, start, y, called[k], ha="left", transform=ax.get_yaxis_transform())
