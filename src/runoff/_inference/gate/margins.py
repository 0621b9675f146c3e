"""The smallest drop that matters on each task: one number, numbers by task, or multiples of the baseline's standard deviation.

Where tasks have margins of their own, their mean is that of drops in units of these margins, and its margin is 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

import numpy as np
from scipy import special

from runoff._inference.pairs import PairData
from runoff.base.arrays import Floats
from runoff.errors import OptionError, nearest
from runoff.words.numbers import counted, digits, some
from runoff.words.patterns import regex
from runoff.words.speech import choice

Margin = float | str | Mapping[str, float | str]
"""A number in units of the scores, a multiple of the baseline's standard deviation as "1sd", a share of its mean as "10%", or any by task."""
MULTIPLE = regex(r"(\d+\.?\d*|\.\d+)(sd|%)")
WHAT = "the smallest drop that matters"


def margins_of(margin: Margin, tasks: Sequence[str], cells: Sequence[Floats]) -> float | tuple[float, ...]:
    """Return one margin for all tasks, or that of each task; `cells` are the runs of the baseline."""
    if isinstance(margin, str) and MULTIPLE.fullmatch(margin):
        margin = dict.fromkeys(tasks, margin)
    if not isinstance(margin, Mapping):
        return _in_reach(_number(margin, ""), "", cells)
    _refuse_other_names(margin, tasks)
    by_task = tuple(_of_task(margin[task], task, cell) for task, cell in zip(tasks, cells, strict=True))
    return by_task if len(by_task) > 1 else by_task[0]


def _refuse_other_names(margin: Mapping[str, object], tasks: Sequence[str]) -> None:
    for name in margin:
        if name not in tasks:
            raise OptionError(f"margin names {name!r}, which is no task of the baseline.{nearest(str(name), tasks)}")
    lacking = [task for task in tasks if task not in margin]
    if lacking:
        names = counted([len(margin)], "task")
        raise OptionError(
            f"margin names {names} and not {some(map(repr, lacking))}: name one for every task of the baseline."
        )


def _of_task(margin: object, task: str, cell: Floats) -> float:
    where = f" on task {task!r}"
    multiple = MULTIPLE.fullmatch(margin) if isinstance(margin, str) else None
    if multiple is None or not 0 < float(multiple[1]) < inf:
        return _in_reach(_number(margin, where), where, [cell])
    if multiple[2] == "%":
        return _in_reach(float(multiple[1]) / 100 * _level(cell, str(margin), where), where, [cell])
    spread = float(np.std(cell, ddof=1))
    # Equal scores have a standard deviation of rounding, of which no multiple is a margin.
    if spread <= ALIKE * float(np.abs(cell).max()):
        raise OptionError(
            f"margin is {margin}, and the baseline's runs on task {task!r} are all alike, so that it would be 0: name the margin of this task "
            f"in units of its scores ({choice('margin={task: x}', '--margin TASK=X')})."
        )
    return _in_reach(float(multiple[1]) * spread, where, [cell])


def _level(cell: Floats, margin: str, where: str) -> float:
    """Return the size of the baseline's mean, of which a margin is a share; refuse rates, of which a percent is a point to some."""
    level = abs(float(cell.mean()))
    if np.isin(cell, (0.0, 1.0)).all():
        raise OptionError(
            f"margin is {margin}, and the scores{where} are successes and failures: is it a share of the rate, or are they points? "
            f"Name it as a rate, {float(margin.rstrip(' %')) / 100:g} for that many points."
        )
    if level <= ALIKE * float(np.abs(cell).max()):
        raise OptionError(
            f"margin is {margin}, and the baseline's mean{where} is 0: name the margin in units of the scores."
        )
    return level


ALIKE = 1e-12
"""Runs that spread by a smaller share of their scores are equal up to rounding."""


def _number(margin: object, where: str) -> float:
    if isinstance(margin, bool) or not isinstance(margin, int | float | np.number) or not 0 < margin < inf:
        raise OptionError(
            f"margin, {WHAT}{where}, must be a finite number above 0 in units of the scores, a multiple of the baseline's standard deviation "
            f'as "1sd", or a share of its mean as "10%", not {margin!r}.'
        )
    return float(margin)


FARTHEST = 1e15
"""How many times the largest score a margin may be, or the largest score the margin: beyond it their sums and squares lose one of them."""


def _in_reach(margin: float, where: str, cells: Sequence[Floats]) -> float:
    largest = max((float(np.abs(cell).max()) for cell in cells if cell.size), default=0.0) or 1.0
    if not largest / FARTHEST <= margin <= largest * FARTHEST:
        raise OptionError(
            f"margin, {WHAT}{where}, is {margin:.3g}, and the largest score of the baseline there is {largest:.3g}: one must be at most "
            f"{FARTHEST:g} times the other; name the margin in units of the scores."
        )
    return margin


def in_margins(pair: PairData, units: Sequence[float] | None) -> PairData:
    """Return the pair with the scores of each task divided by its unit; as it is without units."""
    return pair if units is None else pair.in_units(units)


# ── one margin over unlike tasks ──────────

CHANCE = 0.05
"""How often, at most, normal runs on tasks that all spread by the margin have a task named."""
UNLIKE = 3.0
"""Tasks are unlike where the largest standard deviation of the baseline is so many times the smallest."""
NAMED = 3


def unlike_words(margin: float, tasks: Sequence[str], cells: Sequence[Floats]) -> str:
    """Return a sentence that names the tasks on which one margin is surely larger than the standard deviation of the baseline; or nothing.

    Surely: its upper limit by the χ² law of normal runs, at `CHANCE` over all tasks. Tasks of two scores have rates, which share a unit.
    """
    spreads = {
        task: float(np.std(cell, ddof=1)) for task, cell in zip(tasks, cells, strict=True) if np.unique(cell).size > 2
    }
    if len(spreads) < 2 or max(spreads.values()) < UNLIKE * min(spreads.values()):
        return ""
    # (n − 1) s²/σ² is χ²: the lower quantile gives the largest σ, at CHANCE over the tasks (Bonferroni).
    limits = {
        task: spreads[task] * float(np.sqrt((cell.size - 1) / special.chdtri(cell.size - 1, 1 - CHANCE / len(spreads))))
        for task, cell in zip(tasks, cells, strict=True)
        if task in spreads
    }
    ratios = sorted(((margin / spreads[task], task) for task in spreads if limits[task] < margin), reverse=True)
    if not ratios:
        return ""
    shown = ", ".join(f"{digits(ratio, 2)} on {task}" for ratio, task in ratios[:NAMED])
    more = f" and more than 1 on {len(ratios) - NAMED} more" if len(ratios) > NAMED else ""
    own = choice('margin="1sd" or {task: x}', "--margin 1sd or TASK=X")
    return (
        f" One margin applies to tasks of unequal spread: in standard deviations of the baseline it is {shown}{more}, and drops below it may be "
        f"held there; {own} gives each task its own."
    )
