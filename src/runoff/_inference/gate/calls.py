"""What is said of each unit: five calls, each from two tests, a limit and a power."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from runoff._arrays import Floats
from runoff._inference.bootstrap import Mean, newcombe
from runoff._inference.gate.family import Family, Unit, alone, family_of, limits, step_down
from runoff._inference.gate.reach import Reach
from runoff._inference.pairs import PairData, least_level
from runoff._names import GateCall
from runoff._random import Streams

ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked for, checked."""

    margin: float
    alpha: float
    power: float
    n_resamples: int
    streams: Streams


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What is known of a unit, a task or the mean of all (None).

    pvalue, pvalue_adjusted: against no drop; pvalue_held: against a drop of the margin or more, adjusted; high: upper limit of the drop, None:
    there is none; power: to call a drop of the margin; detectable: the smallest drop that is called with the power that was asked for.
    """

    task: str | None
    call: GateCall
    baseline: float
    candidate: float
    sizes: tuple[int, int]
    drop: Mean
    high: float | None
    dropped: bool
    pvalue: float
    pvalue_adjusted: float
    pvalue_held: float
    power: float
    detectable: float
    runs_needed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tested:
    """P-values of a unit: against no drop, alone and adjusted; against no rise; against a drop of the margin; and the limit of the drop."""

    alone: float
    dropped: float
    risen: float
    held: float
    high: float | None


def calls_of(pair: PairData, asked: Asked) -> tuple[Call, ...]:
    """Return the calls of all tasks, and then that of their mean if there are several."""
    family = family_of(pair, n_resamples=asked.n_resamples, streams=asked.streams)
    parts = parts_of(pair)
    drops = family.drops()
    held, ends = _below_margin(family, parts, asked)
    pvalues = [found.tolist() for found in (alone(drops), step_down(drops), step_down(family.rises()), held)]
    tested = [
        _Tested(alone=single, dropped=drop, risen=rise, held=keep, high=end)
        for single, drop, rise, keep, end in zip(*pvalues, ends, strict=True)
    ]
    return tuple(_call(*each, asked) for each in zip(family.units, parts, tested, strict=True))


def _call(unit: Unit, part: PairData, tested: _Tested, asked: Asked) -> Call:
    reach = _reach(part, unit.weight, asked.alpha)
    chance = 0.0 if reach is None else reach.power(asked.margin)
    lacking = reach is not None and chance < asked.power
    alpha = asked.alpha * (1 + ROUNDING)
    return Call(
        task=unit.task,
        call=call_of(
            improved=tested.risen <= alpha / 2,
            held=tested.held <= alpha,
            dropped=tested.dropped <= alpha,
            suspected=tested.alone <= alpha or chance >= asked.power,
        ),
        baseline=part.combined(1.0, 0.0).estimate,
        candidate=part.combined(0.0, 1.0).estimate,
        sizes=_fewest(part),
        drop=part.difference,
        high=tested.high,
        dropped=tested.dropped <= alpha,
        pvalue=tested.alone,
        pvalue_adjusted=tested.dropped,
        pvalue_held=tested.held,
        power=chance,
        detectable=inf if reach is None else reach.detectable(asked.power),
        runs_needed=reach.runs_needed(asked.margin, asked.power) if reach is not None and lacking else None,
    )


def call_of(*, improved: bool, held: bool, dropped: bool, suspected: bool) -> GateCall:
    """Return the call; the first that holds.

    A drop that is surely less than the margin does not matter, by the meaning of the margin: it is held.
    """
    if improved:
        return "improved"
    if held:
        return "held"
    if dropped:
        return "regressed"
    return "suspect" if suspected else "underpowered"


def parts_of(pair: PairData) -> list[PairData]:
    """Return each task as a pair of its own, and then the pair as it is if there are several."""
    tasks = [
        PairData(a=pair.a, b=pair.b, x=[x], y=[y], tasks=[task], binary=pair.binary, rates=pair.binary)
        for x, y, task in zip(pair.x, pair.y, pair.tasks, strict=True)
    ]
    return [*tasks, pair] if len(tasks) > 1 else tasks


def _below_margin(family: Family, parts: Sequence[PairData], asked: Asked) -> tuple[Floats, list[float | None]]:
    """Return adjusted p-values against a drop of the margin or more, and upper limits of the drops.

    Relabelling asks whether one of two laws is the other, moved by the margin. Without spread it knows of no other run.
    """
    if parts[0].rates:
        return _rates_below(family, parts, asked)
    estimates = [part.difference for part in parts]
    known = np.array([one.df is not None for one in estimates])
    held = np.where(known, step_down(family.below([asked.margin] * len(parts))), 1.0)
    kept = (held <= asked.alpha * (1 + ROUNDING)).tolist()
    return held, limits(family, estimates, asked.alpha, asked.margin, kept)


def _rates_below(family: Family, parts: Sequence[PairData], asked: Asked) -> tuple[Floats, list[float | None]]:
    """Return the same of success rates, which do not move as a whole: by score intervals, and Holm's correction with the weights of the units.

    Shared runs have rates task by task, but their means over tasks are none.
    """
    tails = family.below([asked.margin] * len(parts))
    weights = np.array([unit.weight for unit in family.units])
    found = [
        _rate_pvalue(part, asked.margin) if part.rates else single if part.difference.df is not None else 1.0
        for part, single in zip(parts, alone(tails).tolist(), strict=True)
    ]
    held = weighted_holm(np.array(found), weights)
    kept = held <= asked.alpha * (1 + ROUNDING)
    ends = [
        _end(part, asked.alpha * weight, asked.margin, bool(k))
        for part, weight, k in zip(parts, weights.tolist(), kept, strict=True)
    ]
    return held, ends


def _rate_pvalue(part: PairData, margin: float) -> float:
    return min(1.0, least_level(lambda level: newcombe(part.x, part.y, 1 - 2 * level)[1] < margin, 0.5))


def _end(part: PairData, level: float, margin: float, held: bool) -> float | None:
    found = newcombe(part.x, part.y, 1 - 2 * level) if part.rates else part.difference.interval(1 - 2 * level)
    if found is None:
        return None
    return min(found[1], margin) if held else max(found[1], margin)


def weighted_holm(pvalues: Floats, weights: Floats) -> Floats:
    """Return p-values adjusted by Holm's procedure with weights (Holm 1979, section 4)."""
    order = np.argsort(pvalues / weights, kind="stable")
    left = np.cumsum(weights[order][::-1])[::-1]
    adjusted = np.empty(order.size)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(pvalues[order] / weights[order] * left))
    return adjusted


def _reach(part: PairData, weight: float, alpha: float) -> Reach | None:
    """Return what a unit can see; None without spread."""
    drop = part.difference
    if drop.df is None:
        return None
    cells = part.as_one_task().cells if part.shared else part.cells
    blocks = len(cells) // 2
    variance = sum(float(cell.var(ddof=1)) for cell in cells) / blocks**2
    return Reach(
        error=drop.error, df=drop.df, variance=variance, sizes=_fewest(part), n_tasks=blocks, weight=weight, alpha=alpha
    )


def _fewest(part: PairData) -> tuple[int, int]:
    return part.n_runs_a[0], part.n_runs_b[0]
