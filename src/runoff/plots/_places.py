"""Where the parts of a picture lie: the bars of a lead's sum, an axis that bends, dots that do not touch. Needs no matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, inf, log10
from typing import Any, NamedTuple

import numpy as np

from runoff.answer.where import WhereRow
from runoff.base.arrays import Floats
from runoff.plots._ticks import tick_label

NAMED, OUTERMOST = 6, 2
"""The most tasks with a bar of their own, and those on each side of the dots that have their names."""
STEEP = 12.0
"""How many times the median lead the largest may be on a linear axis; beyond, the axis is logarithmic on both sides of 0."""
GOLDEN = (5**0.5 - 1) / 2


class TaskStep(NamedTuple):
    """A bar of the sum: its name, where it begins, its size and its kind.

    Of a task that is what was found on it ("up", "down", "open"), of others "net", "whole" or "trimmed".
    """

    name: str
    start: float
    size: float
    kind: str


def steps_of(records: Sequence[WhereRow], leads: Floats, whole: str) -> list[TaskStep]:
    """Return what adds up to the lead, then the lead, which is called `whole`, then that without the highest and lowest tasks; records and leads
    come highest first.
    """
    n, k = len(leads), ceil(len(leads) / 10)
    # ⌈T/10⌉ is what the trimmed lead leaves out on either side: the tasks with names are those whose lack it
    # shows.
    named = n if n <= NAMED else min(NAMED, k)
    # A part begins where the one before it ended, the lead and what is left without the extremes at 0.
    steps, at = list[TaskStep](), 0.0
    for record, share in zip(records[:named], (leads[:named] / n).tolist(), strict=True):
        steps.append(TaskStep(record.task, at, share, kind_of(record)))
        at += share
    if named < n:
        steps.append(TaskStep(f"the other {n - named}, net", at, float(leads[named:].sum()) / n, "net"))
    steps.append(TaskStep(whole, 0.0, float(leads.mean()), "whole"))
    if n > NAMED:
        steps.append(TaskStep(f"without {k} best, {k} worst", 0.0, float(leads[k : n - k].mean()), "trimmed"))
    return steps


def kind_of(record: WhereRow) -> str:
    """Return what was found on a task: the first ahead ("up"), the second ahead ("down") or neither ("open")."""
    return {"a_better": "up", "b_better": "down"}.get(record.verdict, "open")


def bend_of(leads: Floats) -> float | None:
    """Return the unit of an axis that is logarithmic on both sides of 0, or None where a linear one shows all leads."""
    # Differences of raw scores span powers of ten: a linear axis would draw all tasks but one at 0.
    sizes = np.abs(leads[leads != 0])
    if not sizes.size or sizes.max() <= STEEP * np.median(sizes):
        return None
    # Below the median lead, so that the smaller leads are apart too.
    return float(10.0 ** floor(log10(np.median(sizes))) / 2)


def bent(values: Any, unit: float) -> Any:
    """Return where values lie on such an axis: sign(v) log10(1 + |v|/unit), which is linear near 0 and has no gap there."""
    return np.sign(values) * np.log10(1 + np.abs(values) / unit)


def bend_words(unit: float) -> str:
    """Return what an axis says of its bend.

    >>> bend_words(0.05)
    'logarithmic beyond ±0.05'
    """
    return f"logarithmic beyond ±{tick_label(unit)}"


def swarm(xs: Sequence[float], gap: float, most: float = inf) -> list[float]:
    """Return how far above or below their line dots at these places lie, so that no two touch; where that would be further than `most`, all lie
    nearer to the line by one factor, and overlap.

    >>> swarm([0, 1, 40], 10), swarm([0, 0, 0, 0], 10, 5)
    ([0.0, 10.0, 0.0], [0.0, 2.5, -2.5, 5.0])
    """
    rise = [0.0] * len(xs)
    # From left to right, each at the first of the heights 0, gap, −gap, 2 gap, … whose last dot it does not touch.
    last: list[float] = []
    level = 0
    for at, k in enumerate(order := sorted(range(len(xs)), key=lambda k: xs[k])):
        # At one place the heights below are full, so that thousands of ties are not compared with each other.
        level = level + 1 if at and xs[k] == xs[order[at - 1]] else 0
        # 1e-6 is for dots that just touch.
        while level < len(last) and (xs[k] - last[level]) ** 2 < gap**2 - 1e-6:
            level += 1
        last[level : level + 1] = [xs[k]]
        rise[k] = gap * ((level + 1) // 2) * (1 if level % 2 else -1)
    pressed = min(1.0, most / (max(map(abs, rise), default=0.0) or 1.0))
    # + 0.0 makes −0.0 a 0.
    return [pressed * y + 0.0 for y in rise]


def spread(n: int) -> Floats:
    """Return n heights in ±0.28, evenly filled in any order of runs (golden ratio sequence): no draw, so no seed."""
    # (k φ + ½) mod 1 fills the unit interval evenly for every n, without two neighbours alike; drawn heights
    # would need a seed, and differ each time.
    return 0.56 * ((np.arange(n, dtype=np.float64) * GOLDEN + 0.5) % 1.0 - 0.5)
