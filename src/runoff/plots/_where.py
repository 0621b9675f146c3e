"""Where does a lead come from? What each task adds to it, and how far each of the two is ahead on every task."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from runoff.base.arrays import Floats
from runoff.errors import OptionError
from runoff.plots._canvas import INK, dress, entitle, inches, scale, write
from runoff.plots._figure import COLUMN, Frame, Panels, figure, frame_of
from runoff.plots._marks import PALE, toned
from runoff.plots._rows import ROW
from runoff.plots._text import SIZE, SMALL, labels, literal, tick_label, width_of
from runoff.results.pair import even_of
from runoff.results.where import WhereRecord, WhereResult
from runoff.words.numbers import number, places, signed

NAMED, OUTERMOST = 6, 2
"""The most tasks with a bar of their own, and those on each side of the dots that have their names."""
LABEL, HEAD, FOOT, BETWEEN = 0.42, 0.2, 0.42, 0.26
"""The largest share of the width that a name takes; inches above and below both panels, and between ticks and the next title."""
DOT, APART, LINE = 4.0, 4.8, 9.0
"""Points: a dot across, the distance of two, and a line of names."""
STEEP = 12.0
"""How many times the median lead the largest may be on a linear axis; beyond, the axis is logarithmic on both sides of 0."""


@figure(COLUMN, panel="part")
def where(result: WhereResult, **options: Unpack[Panels]) -> tuple[Axes, ...]:
    """Which tasks make the lead of one algorithm over another?

    Parameters
    ----------
    result : WhereResult
        The first panel adds the tasks up to the lead: of up to six all by name, of T tasks the highest ⌈T/10⌉, six at most, and the rest
        together; beside the whole lead stands that without the ⌈T/10⌉ highest and lowest tasks. The second has a dot for each task, full where
        a difference was found there, on an axis that is logarithmic on both sides of 0 where a few leads are very large.

    Raises
    ------
    OptionError
        `axes` are not two.
    """
    frame = frame_of(options)
    records = sorted(result.records, key=lambda record: -record.estimate)
    leads = np.array([record.estimate - even_of(result.measure) for record in records])
    steps, colours = steps_of(records, leads), frame.marks((result.a, result.b))
    rise = swarm(_places(leads, frame.width), APART)
    over, under = frame.axes or _axes(frame, [name for name, _, _ in steps], rise) if _two(frame) else ()
    tones = {
        "up": colours[result.a].color,
        "down": colours[result.b].color,
        "net": toned(INK, PALE),
        "whole": INK,
        "trimmed": "white",
    }
    _waterfall(over, steps, tones)
    _dots(under, records, leads, tones, inches(under) if frame.is_new else frame.width)
    first, second = labels([result.a, result.b], 0.3 * frame.width)
    dress(over, title=f"What makes the lead of {first} over {second}", labels=_called(steps, frame), n_rows=len(steps))
    ahead, behind = int((leads > 0).sum()), int((leads < 0).sum())
    under.set_title(
        f"{first} ahead on {ahead}, {second} on {behind}", fontsize=SIZE, color=INK, pad=3, **literal(first + second)
    )
    words = "difference of means on a task" if result.measure == "mean" else "chance on a task that a run wins, less ½"
    under.set_xlabel(words, fontsize=SMALL, color=INK, labelpad=2)
    entitle(over, frame.title, new=frame.is_new)
    return over, under


def _two(frame: Frame) -> bool:
    if frame.axes is not None and len(frame.axes) != 2:
        raise OptionError(f"axes must be two, for the sum and for the tasks, not {len(frame.axes)}.")
    return True


def _axes(frame: Frame, names: Sequence[str], rise: Sequence[float]) -> tuple[Axes, Axes]:
    """Return the two panels of a new figure: rows of the sum, and under them as much room as the dots need."""
    left = max(width_of(name) for name in labels(names, LABEL * frame.width)) + 0.13
    upper = ROW * len(names)
    lower = (2 * max(map(abs, rise), default=0.0) + 2 * DOT + OUTERMOST * LINE + 4) / 72
    high = HEAD + upper + BETWEEN + HEAD + lower + FOOT
    made = Figure(figsize=(frame.width, high), facecolor="white")
    across = (left / frame.width, (frame.width - left - 0.5) / frame.width)
    over = made.add_axes((across[0], 1 - (HEAD + upper) / high, across[1], upper / high), facecolor="none")
    wide = (0.12 / frame.width, 1 - 0.24 / frame.width)
    return over, made.add_axes((wide[0], FOOT / high, wide[1], lower / high), facecolor="none")


# ── the sum ──────────


def steps_of(records: Sequence[WhereRecord], leads: Floats) -> list[tuple[str, float, str]]:
    """Return (name, size, kind) of what adds up to the lead, then the lead, then that without the highest and lowest tasks; tasks best first."""
    n = len(leads)
    named = n if n <= NAMED else min(NAMED, ceil(n / 10))
    steps = [
        (record.task, float(lead) / n, "up" if lead >= 0 else "down")
        for record, lead in zip(records[:named], leads[:named], strict=True)
    ]
    if named < n:
        steps.append((f"the other {n - named}, net", float(leads[named:].sum()) / n, "net"))
    steps.append(("the lead", float(leads.mean()), "whole"))
    if n > NAMED:
        k, rest = trimmed(leads)
        steps.append((f"without {k} at each end", rest, "trimmed"))
    return steps


def trimmed(leads: Floats) -> tuple[int, float]:
    """Return k = ⌈T/10⌉ and the mean without the k highest and the k lowest of T leads, as the rule of few tasks has it."""
    k = ceil(len(leads) / 10)
    inner = np.sort(leads)[k : len(leads) - k]
    return k, float(inner.mean()) if inner.size else float(leads.mean())


def _called(steps: Sequence[tuple[str, float, str]], frame: Frame) -> list[str]:
    return labels([name for name, _, _ in steps], frame.room(LABEL))


def _waterfall(ax: Axes, steps: Sequence[tuple[str, float, str]], tones: dict[str, str]) -> None:
    start, ends = 0.0, []
    for _, size, kind in steps:
        if kind in ("whole", "trimmed"):
            start = 0.0
        ends.append((start, start + size))
        start += size
    scale(ax, [end for pair in ends for end in pair], ticks=4)
    spread = max(max(pair) for pair in ends) - min(min(pair) for pair in ends)
    digits = places(spread or 1.0, 3)
    for row, ((_, size, kind), (low, high)) in enumerate(zip(steps, ends, strict=True)):
        edge = INK if kind == "trimmed" else "none"
        ax.barh(row, high - low, left=low, height=0.62, color=tones[kind], edgecolor=edge, linewidth=0.7)
        words: dict[str, Any] = {"fontsize": SMALL, "color": INK, "va": "center", "annotation_clip": False}
        ax.annotate(signed(number(size, digits)), (max(low, high), row), (3, 0), textcoords="offset points", **words)
    ax.axvline(0.0, color=INK, linewidth=0.7)


# ── every task ──────────


def _unit(leads: Floats) -> float | None:
    """Return the lead up to which the axis of dots is linear; None where it is linear throughout."""
    sizes = np.abs(leads[leads != 0])
    if not sizes.size or sizes.max() <= STEEP * np.median(sizes):
        return None
    return float(10.0 ** floor(log10(np.median(sizes))))


def _places(leads: Floats, wide: float) -> list[float]:
    """Return where the dots lie across the axis, in points."""
    unit = _unit(leads)
    # As matplotlib's "symlog" with a linear part as wide as one power of ten.
    at = (
        leads
        if unit is None
        else np.where(
            np.abs(leads) <= unit, leads / unit, np.sign(leads) * (1 + np.log10(np.maximum(np.abs(leads), unit) / unit))
        )
    )
    ends = min(at.min(), 0.0), max(at.max(), 0.0)
    points: list[float] = (72 * (wide - 0.24) * (at - ends[0]) / (1.12 * ((ends[1] - ends[0]) or 1.0))).tolist()
    return points


def _dots(ax: Axes, records: Sequence[WhereRecord], leads: Floats, tones: dict[str, str], wide: float) -> None:
    unit, rise = _unit(leads), swarm(_places(leads, wide + 0.24), APART)
    scale(ax, [0.0, *leads.tolist()], ticks=5)
    if unit is not None:
        low, high = ax.get_xlim()
        ax.set_xscale("symlog", linthresh=unit, linscale=1.0)
        ax.set_xlim(1.3 * low if low < -unit else low, 1.3 * high if high > unit else high)
        powers = [p for p in 10.0 ** np.arange(log10(unit), 20) if p <= max(abs(low), high)]
        ax.set_xticks(
            sorted({0.0, *(s * p for p in powers[:: 1 + len(powers) // 4] for s in (-1, 1) if low <= s * p <= high)})
        )
        ax.minorticks_off()
    else:
        ax.xaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10]))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{'+' if value > 0 else ''}{tick_label(value)}"))
    for record, lead, y in zip(records, leads.tolist(), rise, strict=True):
        color = tones["up" if lead > 0 else "down" if lead < 0 else "net"]
        face = color if record.call in ("a_higher", "b_higher") else "white"
        ax.plot(lead, y, "o", markersize=DOT, color=color, markerfacecolor=face, markeredgewidth=0.7)
    half = max(map(abs, rise), default=0.0) + DOT
    ax.set_ylim(-half, half + OUTERMOST * LINE + 4)
    _outermost(ax, [record.task for record in records], leads.tolist(), rise, top=half)
    ax.plot([0.0, 0.0], [-half, half], color=INK, linewidth=0.7, zorder=0)
    ax.set_yticks([])
    ax.tick_params(axis="x", labelsize=SMALL, length=2, width=0.5, pad=2, color=INK, labelcolor=INK)
    for side, spine in ax.spines.items():
        spine.set(visible=side == "bottom", linewidth=0.5)


def _outermost(ax: Axes, names: Sequence[str], leads: Sequence[float], rise: Sequence[float], *, top: float) -> None:
    """Name the outermost tasks on lines of their own above the dots."""
    called = labels(names, 0.45 * inches(ax), SMALL)
    best = [k for k in range(len(leads)) if leads[k] > 0][:OUTERMOST]
    worst = [k for k in reversed(range(len(leads))) if leads[k] < 0][:OUTERMOST]
    spans: list[tuple[float, float, float]] = []
    for outer, side in ((best, "right"), (worst, "left")):
        for line, k in enumerate(outer):
            y, wide = top + LINE * (OUTERMOST - line - 0.5), width_of(called[k], SMALL) / inches(ax)
            at = float(ax.transAxes.inverted().transform(ax.transData.transform((leads[k], 0)))[0])
            start = min(max(at - wide if side == "right" else at, 0.0), 1 - wide)
            if not any(y == height and start < end + 0.02 and low < start + wide + 0.02 for height, low, end in spans):
                spans.append((y, start, start + wide))
                ax.plot([leads[k]] * 2, [rise[k] + DOT / 2, y - LINE / 2], color=INK, linewidth=0.4, zorder=0)
                style: dict[str, Any] = {"transform": ax.get_yaxis_transform(), "ha": "left"}
                write(ax, start, y, called[k], **style)


def swarm(xs: Sequence[float], apart: float) -> list[float]:
    """Return how far above or below their line dots at these places lie, so that no two touch.

    >>> swarm([0, 1, 40], 10)
    [0.0, 10.0, 0.0]
    """
    placed: list[tuple[float, float]] = []
    rise = [0.0] * len(xs)
    for k in sorted(range(len(xs)), key=lambda k: xs[k]):
        near = [(x, y) for x, y in placed if abs(x - xs[k]) < apart]
        heights = (apart * ((level + 1) // 2) * (1 if level % 2 else -1) for level in range(len(near) * 2 + 2))
        rise[k] = next(
            y + 0.0 for y in heights if all((x - xs[k]) ** 2 + (h - y) ** 2 >= apart**2 - 1e-6 for x, h in near)
        )
        placed.append((xs[k], rise[k]))
    return rise
