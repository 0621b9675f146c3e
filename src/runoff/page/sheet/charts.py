"""The page's own drawings: profiles, a metric against steps, and the curves of each task, each line named at its end.

Nothing rests on colour: lines end at their names, or a legend shows the marker that lies on each of them. Captions are those of the figures
but for the names that no font here has: a browser has fonts of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, log10
from typing import Any

import numpy as np
from markupsafe import Markup

from runoff._inference.bootstrap import parse_metric
from runoff.page.answers.all import Answers
from runoff.page.sheet.svg import End, ends_of, path, text
from runoff.page.sheet.tasks import TaskRow, runs_are_drawn, strips, tasks_are_drawn
from runoff.plots._ticks import end_labels, tick_label
from runoff.plots._words import along_words, axes_words, curves_words, efficiency_words, profiles_words, strips_words

MOST_CELLS = 600
"""The most cells whose learning curves are drawn on the page; of more, the figure alone has them."""
ChartView = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """What all drawings share: the order of the algorithms, their labels, short enough for a drawing, their colours and their markers."""

    order: Sequence[str]
    labels: Mapping[str, str]
    classes: Mapping[str, str]
    shaped: Mapping[str, str]


def drawings(answers: Answers, columns: Sequence[TaskRow], hand: Hand) -> dict[str, Any]:
    """Return the page's drawings by name, those by task as lists; nothing where there is nothing to draw."""
    return {
        "runs": _runs(answers, columns, hand),
        "profiles": _profiles(answers, hand),
        "efficiency": _efficiency(answers, hand),
        "curves": _curves(answers, hand),
    }


def _runs(answers: Answers, columns: Sequence[TaskRow], hand: Hand) -> ChartView:
    scores = answers.scores.select(algorithms=list(hand.order))
    of, drawn = answers.nouns, runs_are_drawn(scores)
    points = f"Points: {of.runs}, spread vertically only to tell them apart."
    # Not the figure's caption: of many tasks that is a matrix of means, and of many runs the page shows quarters.
    return {
        "caption": strips_words(scores, points if drawn else f"Thin bars: all {of.runs}; thick: the middle half.", of),
        "all": drawn,
        "tasks": [strips(scores, column.place, column.cells, hand.labels, hand.classes) for column in columns]
        if tasks_are_drawn(scores)
        else [],
    }


def _profiles(answers: Answers, hand: Hand) -> ChartView | None:
    profile = answers.profiles.result
    if profile is None:
        return None
    across, up = axes_words(profile)
    drawn = chart(
        _lines(((r.algorithm, (r.threshold, r.estimate, r.low, r.high)) for r in profile.rows), hand),
        title="Performance profiles",
        across=across,
        up=up,
        log=profile.scale == "log",
        within=(0.0, 1.0),
        legend=True,
    )
    return {"svg": drawn, "caption": profiles_words(profile)}


def _efficiency(answers: Answers, hand: Hand) -> ChartView | None:
    if answers.curves is None:
        return None
    efficiency = answers.curves.efficiency
    lines = _lines(((r.algorithm, (r.step, r.estimate, r.low, r.high)) for r in efficiency.rows), hand)
    across, up = along_words(efficiency.along), parse_metric(efficiency.rows[0].measure).title
    drawn = chart(lines, title="Scores against steps", across=across, up=up)
    return {"svg": drawn, "caption": efficiency_words(efficiency)}


def _curves(answers: Answers, hand: Hand) -> ChartView | None:
    if answers.curves is None:
        return None
    summary = answers.curves.summary
    many = len(summary.algorithms) * len(summary.tasks) > MOST_CELLS
    points: dict[str, list[tuple[str, Point]]] = {}
    for r in summary.rows:
        points.setdefault(r.task, []).append((r.algorithm, (r.step, r.estimate, r.low, r.high)))
    place = {task: t for t, task in enumerate(answers.scores.tasks)}
    across = along_words(summary.along)
    drawn = []
    single: dict[str, list[tuple[str, Sequence[tuple[float, float]]]]] = {}
    for run in summary.run_curves:
        single.setdefault(run.task, []).append((run.algorithm, list(zip(run.steps, run.scores, strict=True))))
    # Each cell is a line and a band of up to a hundred points: of more cells they would be most of the page.
    for task in () if many else summary.tasks:
        # Single runs lie in the page unseen, until the reader opens their algorithm.
        lines = _lines(points[task], hand, single.get(task, ()))
        panel = chart(lines, title=f"Learning curves on {task}", across=across, up="score", small=True)
        drawn.append((place[task], task, panel))
    return {"caption": curves_words(replace(summary, run_curves=())), "tasks": drawn}


def _lines(
    points: Iterable[tuple[str, Point]], hand: Hand, runs: Iterable[tuple[str, Sequence[tuple[float, float]]]] = ()
) -> list[Line]:
    own: dict[str, list[Point]] = {}
    for name, point in points:
        own.setdefault(name, []).append(point)
    single: dict[str, list[Sequence[tuple[float, float]]]] = {}
    for name, curve in runs:
        single.setdefault(name, []).append(curve)
    return [
        Line(hand.classes[name], hand.shaped[name], hand.labels[name], own[name], place, single.get(name, ()))
        for place, name in enumerate(hand.order)
        if name in own
    ]


WIDE, LEAST = 720, 440
LEFT, TOP, FOOT = 74, 16, 66
MARKED = 2
"""The number of markers on a line."""
BINS = 40
"""The most points of the curve of a single run."""
LETTER, LINE = 10.4, 22
"""The width of a character of a label, and the height of its line."""
CLOSE, NEAR = 1.5, 4.0
"""How far, upright, a line and the edge of a band may lie from a point that is left out, in units of a wide drawing, which are pixels; those
of a task are less than half as wide and have three times that."""
Polyline = Sequence[tuple[float, float]]
Point = tuple[float, float, End, End]
"""The place of a point, its height, and the ends of its interval."""


@dataclass(frozen=True, slots=True)
class Line:
    """One algorithm: the class of its colour, its label, its marker, its points from left to right, its place in the order, and single runs."""

    colour: str
    shape: str
    label: str
    points: Sequence[Point]
    place: int
    runs: Sequence[Sequence[tuple[float, float]]] = ()


def chart(
    lines: Sequence[Line],
    *,
    title: str,
    across: str,
    up: str,
    log: bool = False,
    within: tuple[End, End] = (None, None),
    legend: bool = False,
    small: bool = False,
) -> Markup:
    """Return lines with their bands on axes with round numbers; `within` are ends of the upright axis that stay as they are.

    Names stand at the ends of the lines, or in a legend, with the markers of the lines, where all lines end together.
    """
    frame = _frame(lines, log, within, scale=3 if small else 1)
    # The edge of a band may be further off than a line, from which values are read.
    drawn = [
        _path(kind, line, [simplified(curve, frame.scale * most) for curve in curves], frame)
        for kind, shape, most in (("a", _band, NEAR), ("l", _line, CLOSE), ("o", _runs_of, CLOSE))
        for line in lines
        if (curves := shape(line, frame))
    ]
    named = _legend(lines, frame) if legend else _labels(lines, frame)
    kind = Markup(' class="small"') if small else Markup("")
    return Markup('<svg role="img" aria-label="{}" viewBox="0 0 {} {}"{}>{}{}{}</svg>').format(
        title, WIDE, round(frame.high), kind, _axes(frame, across, up), Markup("").join(drawn), named
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """The ends of both axes, the right end of the lines, the height of the drawing, and how many of its units make a pixel: a drawing of a task
    is less than half as wide as others, and its paths have so much larger steps.
    """

    xs: tuple[float, float]
    ys: tuple[float, float]
    right: float
    high: float
    log: bool
    scale: int = 1

    def x(self, value: float) -> float:
        low, high = self.xs
        if self.log:
            low, high, value = log10(low), log10(high), log10(value)
        return LEFT + (self.right - LEFT) * (value - low) / (high - low)

    def y(self, value: float) -> float:
        low, high = self.ys
        return self.high - FOOT - (self.high - FOOT - TOP) * (min(max(value, low), high) - low) / (high - low)


def _frame(lines: Sequence[Line], log: bool, within: tuple[End, End], *, scale: int = 1) -> _Frame:
    points = [point for line in lines for point in line.points]
    low, high = ends_of(value for p in points for value in (p[1], p[2], p[3]))
    room = 0.04 * (high - low)
    # Shares end at 0 and 1, where an axis that went on would promise more.
    ys = (low - room if within[0] is None else within[0], high + room if within[1] is None else within[1])
    # Labels stand right of the lines, which have at least half of the drawing.
    wide = LETTER * max(len(line.label) for line in lines)
    return _Frame(
        xs=ends_of(p[0] for p in points),
        ys=ys,
        right=max(WIDE - wide - 34, WIDE / 2),
        high=max(LEAST, LINE * len(lines) + TOP + FOOT),
        log=log,
        scale=scale,
    )


def simplified(curve: Polyline, most: float) -> Polyline:
    """Return the points that a line through them needs so that it passes no other by more than `most` above or below.

    >>> simplified([(0, 0), (1, 0.1), (2, 0), (3, 9), (4, 0)], 0.5)
    [(0, 0), (2, 0), (3, 9), (4, 0)]
    >>> simplified([(1, 0), (1, 2), (1, 0)], 0.5)
    [(1, 0), (1, 2), (1, 0)]
    """
    # Ramer-Douglas-Peucker with upright distances, for it is heights that are read: each stretch is cut where a
    # straight line would miss it the most.
    x, y = np.array(curve, np.float64).T
    kept, stretches = {0, len(curve) - 1}, [(0, len(curve) - 1)]
    while stretches:
        first, last = stretches.pop()
        if last - first < 2:
            continue
        across, rise, run = x[first + 1 : last] - x[first], y[last] - y[first], x[last] - x[first]
        # Points may lie one above another: then the line is level.
        misses = np.abs(y[first + 1 : last] - y[first] - (rise * across / run if run else 0.0))
        worst = last - 1 - int(np.argmax(misses[::-1]))  # of equal ones the last
        if misses[worst - first - 1] > most:
            kept.add(worst)
            stretches += [(first, worst), (worst, last)]
    return [curve[k] for k in sorted(kept)]


def _path(kind: str, line: Line, curves: Sequence[Polyline], frame: _Frame) -> Markup:
    """Return an area between two curves, or curves; those of single runs are seen where their algorithm is opened."""
    if kind == "a":
        over, under = curves
        return Markup(f'<path class="a {line.colour}" d="{path([*over, *reversed(under)], frame.scale)}Z"/>')
    drawn = "".join(path(curve, frame.scale) for curve in curves)
    return Markup(f'<path class="{kind} {line.colour}" data-a="{line.place}" d="{drawn}"/>')


def _line(line: Line, frame: _Frame) -> list[Polyline]:
    points = [(frame.x(p[0]), frame.y(p[1])) for p in line.points]
    # A single step has no line: a short dash stands for it.
    return [points if len(points) > 1 else [*points, (points[0][0] + 6, points[0][1])]]


def _runs_of(line: Line, frame: _Frame) -> list[Polyline]:
    """Return the curves of single runs."""
    ends = (frame.xs[0], frame.xs[1])
    curves = [[(frame.x(x), frame.y(y)) for x, y in run if ends[0] <= x <= ends[1]] for run in line.runs]
    return [binned(curve) for curve in curves if len(curve) > 1]


def binned(points: Sequence[tuple[float, float]]) -> Sequence[tuple[float, float]]:
    """Return points, of many the means of neighbours: `BINS` of them.

    >>> binned([(0, 1), (1, 3)])
    [(0, 1), (1, 3)]
    """
    if len(points) <= BINS:
        return points
    parts = np.array_split(np.asarray(points, dtype=float), BINS)
    return [(float(x), float(y)) for x, y in (part.mean(axis=0) for part in parts)]


def _band(line: Line, frame: _Frame) -> list[Polyline]:
    """Return the upper and the lower end of a band; nothing where there is none."""
    # Where a step has no interval the band goes straight on from the one before it to the next.
    points = [p for p in line.points if p[2] is not None]
    places = [frame.x(p[0]) for p in points]
    ends = ([(x, frame.y(p[k] or 0.0)) for x, p in zip(places, points, strict=True)] for k in (3, 2))
    return list(ends) if len(points) > 1 else []


def _labels(lines: Sequence[Line], frame: _Frame) -> Markup:
    """Return the names beside the ends of their lines, moved apart where they would lie on each other."""
    ends = [frame.y(line.points[-1][1]) for line in lines]
    order = sorted(range(len(lines)), key=lambda i: (ends[i], i))
    places = separate([ends[i] for i in order], LINE, TOP + LINE / 2, frame.high - FOOT)
    drawn = []
    for i, place in zip(order, places, strict=True):
        start = frame.x(lines[i].points[-1][0])
        # A thin line leads to a name that is not beside its end.
        if abs(place - ends[i]) > LINE / 4 or start < frame.right - 1:
            lead = path([(start + 2, ends[i]), (frame.right + 24, place)], frame.scale)
            drawn.append(Markup(f'<path class="to {lines[i].colour}" d="{lead}"/>'))
        drawn.append(text(lines[i].label, frame.right + 28, place + 6))
    return Markup("").join(drawn)


def _legend(lines: Sequence[Line], frame: _Frame) -> Markup:
    """Return the names in the order, with their markers there and on their lines, not all above each other."""
    drawn = []
    for k, line in enumerate(lines):
        y = TOP + LINE * (k + 0.5)
        # Markers of each algorithm at places of their own, for profiles meet at 1 and at 0.
        shift, n = (k + 0.5) / len(lines), len(line.points)
        spots = dict.fromkeys(min(int((share + shift) * n / MARKED), n - 1) for share in range(MARKED))
        marked = [(frame.x(line.points[spot][0]), frame.y(line.points[spot][1])) for spot in spots]
        use = f'<use href="#{line.shape}" class="{line.colour}" x="{{:.0f}}" y="{{:.0f}}" width="18" height="18"/>'
        drawn += [Markup(use.format(x - 9, height - 9)) for x, height in [(frame.right + 16, y), *marked]]
        drawn.append(text(line.label, frame.right + 30, y + 6))
    return Markup("").join(drawn)


def separate(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places in the order wanted, near those wanted and at least `gap` apart, between two ends where there is room.

    >>> separate([10, 11, 50], 5, 0, 100)
    [10, 15, 50]
    >>> separate([98, 99], 5, 0, 100)
    [95, 100]
    """
    places: list[float] = []
    for value in wanted:
        places.append(max(value, places[-1] + gap if places else low))
    # What was pushed beyond the upper end comes back, and pushes those below it.
    ceiling = high
    for k in range(len(places) - 1, -1, -1):
        places[k] = min(places[k], ceiling)
        ceiling = places[k] - gap
    return places


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers from one end to the other.

    >>> ticks(0, 1)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    >>> ticks(-3, 130)
    [0.0, 25.0, 50.0, 75.0, 100.0, 125.0]
    """
    raw = (high - low) / most
    # The smallest step of 1, 2, 2.5 or 5 times a power of ten that gives no more ticks than asked for; 1e-9 is
    # for quotients that rounding leaves beside a whole number.
    unit = 10.0 ** floor(log10(raw))
    step = next(unit * k for k in (1, 2, 2.5, 5, 10) if unit * k >= raw * (1 - 1e-9))
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


def _axes(frame: _Frame, across: str, up: str) -> Markup:
    foot, unit = frame.high - FOOT, frame.scale
    lines, words, heights = [], [], []
    for value in ticks(*frame.ys, most=5):
        y = frame.y(value)
        lines.append(f"M{LEFT / unit:.0f} {y / unit:.0f}H{frame.right / unit:.0f}")
        heights.append(text(tick_label(value), LEFT - 8, y + 6))
    low, high = frame.xs
    if frame.log:
        # One power of ten alone says nothing of a scale: then the ends have their numbers.
        powers = [10.0**k for k in range(floor(log10(low)), ceil(log10(high)) + 1) if low <= 10.0**k <= high]
        at_foot = powers if len(powers) > 1 else [low, high]
    else:
        at_foot = ticks(low, high, most=4)
    called = (end_labels(low, high) if at_foot == [low, high] else None) or map(tick_label, at_foot)
    for value, label in zip(at_foot, called, strict=True):
        x = frame.x(value)
        lines.append(f"M{x / unit:.0f} {foot / unit:.0f}v{6 // unit}")
        words.append(text(label, x, foot + 26))
    words.append(text(across, (LEFT + frame.right) / 2, foot + 54))
    middle = (TOP + foot) / 2
    words.append(text(up, None, 0, transform=f"translate(18 {middle:.0f})rotate(-90)"))
    groups = Markup('<g class="end">{}</g><g class="mid">{}</g>')
    return Markup(f'<path class="axis" d="{"".join(lines)}"/>') + groups.format(*map(Markup("").join, (heights, words)))
