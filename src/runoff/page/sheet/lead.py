"""Where the lead comes from: the tasks that make it as a waterfall, and all tasks as dots on one signed axis.

The page shows the pair of its headline; its script moves the dots to the places of another pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log10
from typing import Any

import numpy as np
from markupsafe import Markup

from runoff._inference.pairs import IMPROVEMENT
from runoff.answer.where import WhereResult, WhereRow
from runoff.base.arrays import Floats
from runoff.page.sheet.charts import ticks
from runoff.page.sheet.svg import at, text
from runoff.plots._places import OUTERMOST, TaskStep, bend_of, bend_words, bent, kind_of, steps_of, swarm
from runoff.plots._ticks import signed_tick
from runoff.words.measures import even_of
from runoff.words.numbers import chances, estimated, number, places
from runoff.words.shorten import isolated

WIDE, ROW = 500, 26
"""Units of a drawing across, two of three of which make a pixel on a narrow screen, and of a row of the waterfall."""
LETTER = 8.2
"""The width of a character, on average."""
HEAD = 36
"""How far under the dots the words of a bent axis stand."""
DOT, APART = 5.0, 10.4
"""The radius of a dot, and how far the middles of two lie apart."""
STRIP = 104.0
"""How far from the middle a dot lies at most: ten lie above ten without overlapping, and the drawing is no longer than the waterfall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """The pair of the headline: the waterfall and the dots, and on how many tasks each is ahead."""

    a: str
    b: str
    ahead: int
    behind: int
    about: str
    waterfall: Markup
    dots: Markup

    @property
    def figures(self) -> Markup:
        a, b = isolated(self.a), isolated(self.b)
        sides = f"◂ {b} ahead on {self.behind}", f"{a} ahead on {self.ahead} ▸"
        return Markup(
            '<figure class="chart"><figcaption>{} over {}: {}</figcaption>{}</figure><figure class="chart"><figcaption>'
            '<span class="down">{}</span> <span class="up">{}</span></figcaption>{}</figure>'
        ).format(a, b, self.about, self.waterfall, *sides, self.dots)


def lead_of(result: WhereResult, places_of: Mapping[str, int], names: Mapping[str, str]) -> Lead:
    """Return the drawings of a pair on several tasks; `places_of` are the places of tasks on the page."""
    records, values = _by_size(result)
    return Lead(
        a=result.a,
        b=result.b,
        ahead=int((values > 0).sum()),
        behind=int((values < 0).sum()),
        about=PARTS[result.measure],
        waterfall=_waterfall(result, records, values, names),
        dots=_dots(result, records, values, places_of, names),
    )


def _by_size(result: WhereResult) -> tuple[list[WhereRow], Floats]:
    """Return the tasks by their leads, the largest first, and the leads."""
    # `sorted` keeps the order of tasks that are level, so that the drawing is the same each time.
    records = sorted(result.rows, key=lambda record: -record.estimate)
    return records, np.array([record.estimate - even_of(result.measure) for record in records])


PARTS = {"mean": "each task's part of the mean lead", IMPROVEMENT: "chance to win above 50 %, in points"}


# ── the waterfall ──────────


def _waterfall(result: WhereResult, records: Sequence[WhereRow], values: Floats, names: Mapping[str, str]) -> Markup:
    scale = 100 if result.measure == IMPROVEMENT else 1
    steps = steps_of(records, values, "lead by the mean" if scale == 1 else "all, above 50 %")
    called = [_called(step, names) for step in steps]
    ends = [end for step in steps for end in (step.start, step.start + step.size)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    # Names have what they need, yet leave the bars more than half of the width.
    left = min(LETTER * max(map(len, called)) + 16, 0.42 * WIDE)

    def x(value: float) -> float:
        # 64 units on the right are for the number beside the longest bar.
        return left + (WIDE - 64 - left) * ((value - low) / (high - low) if high > low else 0.5)

    digits = places(scale * (high - low) or 1.0, 3)
    parts = [Markup(f'<path class="z" d="M{at(x(0))} 0V{ROW * len(steps)}"/>')]
    for row, (name, (_, start, size, kind)) in enumerate(zip(called, steps, strict=True)):
        first, last = sorted((x(start), x(start + size)))
        y = ROW * row
        drawn = f'<rect class="{kind}" x="{at(first)}" y="{y + 4}" width="{at(max(last - first, 1.0))}" height="{ROW - 8}"/>'
        parts += [text(name, None, y + 18), Markup(drawn), text(number(scale * size, digits), last + 6, y + 18)]
    title = f"What each task adds to the lead of {result.a} over {result.b}"
    return Markup('<svg role="img" aria-label="{}" viewBox="0 0 {} {}">{}</svg>').format(
        title, WIDE, ROW * len(steps), Markup("").join(parts)
    )


def _called(step: TaskStep, names: Mapping[str, str]) -> str:
    return names[step.name] if step.kind in KINDS else step.name


# ── all tasks as dots ──────────


class _Signed:
    """A signed axis: linear, or logarithmic beyond `unit` on both sides of 0."""

    def __init__(self, values: Floats) -> None:
        self.unit = bend_of(values)
        self.low, self.high = (self.turned(float(end)) for end in (min(values.min(), 0.0), max(values.max(), 0.0)))
        room = 0.02 * (self.high - self.low) or 1.0
        self.low, self.high = self.low - room, self.high + room

    def turned(self, value: float) -> float:
        return value if self.unit is None else float(bent(value, self.unit))

    def x(self, value: float) -> float:
        return 12 + (WIDE - 24) * (self.turned(value) - self.low) / (self.high - self.low)

    def end(self, foot: float) -> int:
        """Return the height of a drawing whose dots end at `foot`, with the numbers of the axis, and with the words of one that is bent."""
        return round(foot + (24 if self.unit is None else HEAD + 6))

    def ticks(self) -> list[float]:
        """Return round values that lie far enough apart for their numbers."""
        if self.unit is None:
            return ticks(self.low, self.high, 5)
        powers = [
            10.0**k for k in range(ceil(log10(self.unit)), 300) if self.turned(10.0**k) <= max(self.high, -self.low)
        ]
        # The largest powers first, so that the ends of the axis have their numbers and those between give way.
        wanted = [0.0, *sorted((sign * p for p in powers for sign in (1, -1)), key=abs, reverse=True)]
        kept: list[float] = []
        for value in wanted:
            inside = self.low <= self.turned(value) <= self.high
            # 44 units are a number of five characters with a gap.
            if inside and all(abs(self.x(value) - self.x(other)) >= 44 for other in kept):
                kept.append(value)
        return sorted(kept)


def _dots(
    result: WhereResult,
    records: Sequence[WhereRow],
    values: Floats,
    places_of: Mapping[str, int],
    names: Mapping[str, str],
) -> Markup:
    axis = _Signed(values)
    xs = [axis.x(float(value)) for value in values]
    rise = swarm(xs, APART, STRIP)
    middle = _half(rise) + 22
    foot = middle + _half(rise) + 18
    dots = [
        _dot(record, (x, middle + y), places_of[record.task], result.measure)
        for record, x, y in zip(records, xs, rise, strict=True)
    ]
    called = _outermost(records, values, xs, [middle + y for y in rise], names)
    title = f"How far {result.a} is ahead of {result.b} on each of {len(records)} tasks"
    parts = [
        _axis(axis, result.measure, foot),
        *(Markup("<g>{}</g>").format(Markup("").join(p)) for p in (dots, called)),
    ]
    return Markup('<svg role="group" aria-label="{}" class="dots" viewBox="0 0 {} {}">{}</svg>').format(
        title, WIDE, axis.end(foot), Markup("").join(parts)
    )


def _half(rise: Sequence[float]) -> float:
    return max(map(abs, rise), default=0.0) + DOT


def _axis(axis: _Signed, measure: str, foot: float) -> Markup:
    scale = 100 if measure == IMPROVEMENT else 1
    lines = "".join(f"M{at(axis.x(value))} 18V{at(foot)}" for value in axis.ticks() if value)
    words = [text(signed_tick(scale * value), axis.x(value), foot + 18) for value in axis.ticks()]
    words += [] if axis.unit is None else [text(bend_words(scale * axis.unit), WIDE / 2, foot + HEAD)]
    return Markup('<g class="mid"><path class="g" d="{}"/><path class="z" d="M{} 18V{}"/>{}</g>').format(
        lines, at(axis.x(0.0)), at(foot), Markup("").join(words)
    )


# ── the dots of other pairs, to whose places the script moves those that are drawn ──────────


def moved(results: Sequence[WhereResult], tasks: Sequence[str], names: Mapping[str, str]) -> dict[str, Any]:
    """Return one axis for all these pairs, its view, and of each pair on how many tasks the first is ahead, on how many the other, for
    each task across, down, the kind of the dot and its number, nothing of a task that they do not share, and the waterfall.
    """
    if not results:
        return {"moved": []}
    measure = results[0].measure
    leads = [{record.task: record.estimate - even_of(measure) for record in result.rows} for result in results]
    # One axis for all pairs: a dot that moves shows that the lead is another, not the scale.
    axis = _Signed(np.array([value for own in leads for value in own.values()]))
    rises = [
        dict(zip(own, swarm([axis.x(value) for value in own.values()], APART, STRIP), strict=True)) for own in leads
    ]
    # Room for the highest swarm of all pairs, so that the drawing keeps its height when another is chosen.
    middle = max(_half([*rise.values()]) for rise in rises) + 22
    foot = 2 * middle - 4
    pairs = [
        (
            sum(value > 0 for value in own.values()),
            sum(value < 0 for value in own.values()),
            "|".join(_mark(result[task], axis, middle + rise[task], measure) if task in own else "" for task in tasks),
            str(_waterfall(result, *_by_size(result), names)),
        )
        for result, own, rise in zip(results, leads, rises, strict=True)
    ]
    view = f"0 0 {WIDE} {axis.end(foot)}"
    return {"moved": pairs, "view": view, "axis": str(_axis(axis, measure, foot)), "part": PARTS[measure]}


def _mark(record: WhereRow, axis: _Signed, y: float, measure: str) -> str:
    value = record.estimate - even_of(measure)
    return f"{round(axis.x(value))} {round(y)} {KINDS.index(kind_of(record))} {_shown(record, measure)}"


CALLED = ("a_better", "b_better")
KINDS = ("open", "up", "down")
"""The classes of a dot, in the order that the script has them in."""


def _shown(record: WhereRow, measure: str) -> str:
    if measure == IMPROVEMENT:
        return chances(record.estimate, None, None)
    return estimated(record.estimate, None, None)


def _dot(record: WhereRow, place: tuple[float, float], task: int, measure: str) -> Markup:
    # A chance has no interval beside it here: of one task it is as wide as the axis.
    shown = estimated(record.estimate, record.low, record.high) if measure != IMPROVEMENT else _shown(record, measure)
    return Markup(
        '<a href="#runs-{}" tabindex="-1"><circle class="{}" cx="{}" cy="{}" r="5"><title>{}</title></circle></a>'
    ).format(task, kind_of(record), round(place[0]), round(place[1]), f"{record.task}: {shown}")


def _outermost(
    records: Sequence[WhereRow],
    values: Floats,
    xs: Sequence[float],
    ys: Sequence[float],
    names: Mapping[str, str],
) -> list[Markup]:
    """Return the names of the outermost tasks and of some on which a difference was found, where they do not lie on each other."""
    # The outermost on both sides, then tasks with a verdict, as far as they fit: names that lie on each other
    # name nothing.
    best = [k for k in range(len(xs)) if values[k] > 0][:OUTERMOST]
    worst = [k for k in reversed(range(len(xs))) if values[k] < 0][:OUTERMOST]
    drawn, spans = [], list[tuple[float, float, float]]()
    called = [k for k, record in enumerate(records) if record.verdict in CALLED]
    for k in dict.fromkeys(best + worst + called[:OUTERMOST]):
        name = names[records[k].task]
        wide = LETTER * len(name)
        start = min(max(xs[k] - wide / 2, 0.0), WIDE - wide)
        # Above its dot, or below it; else the name is left out, and the dot has it in its title.
        for y in (ys[k] - DOT - 4, ys[k] + DOT + 14):
            lies_on = any(abs(y - other) < 14 and start < end and first < start + wide for other, first, end in spans)
            covers = any(
                start - DOT < x < start + wide + DOT and y - 14 - DOT < height < y + 2 + DOT
                for j, (x, height) in enumerate(zip(xs, ys, strict=True))
                if j != k
            )
            if not lies_on and not covers:
                spans.append((y, start, start + wide))
                drawn.append(text(name, start, y))
                break
    return drawn
