"""What is said of each unit: five calls, each from two tests, a limit and a power."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from runoff._inference.bootstrap import Mean
from runoff._inference.gate.below import below_margin
from runoff._inference.gate.family import family_of
from runoff._inference.gate.rates import most_drops
from runoff._inference.gate.reach import Reach
from runoff._inference.gate.together import HALF, adjusted, alone
from runoff._inference.pairs import PairData
from runoff.base.random import Streams
from runoff.words.names import GateCall

ROUNDING = 1e-9
FEW_RUNS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
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
    there is none; power: to call a drop of the margin; detectable: the smallest drop that is called with the power that was asked for;
    unknown: tasks of whose other runs nothing is known; most: the largest drop that is possible from the baseline's rate, inf where scores
    are no rates; narrow: whether the candidate's few runs of a task hardly differ.
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
    unknown: tuple[str, ...]
    most: float
    narrow: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tested:
    """P-values of a unit: against no drop, alone and adjusted; against no rise; against a drop of the margin; and the limit of the drop."""

    alone: float
    dropped: float
    risen: float
    kept: float
    high: float | None


def calls_of(pair: PairData, terms: Terms) -> tuple[Call, ...]:
    """Return the calls of all tasks, and then that of their mean if there are several."""
    family = family_of(pair, n_resamples=terms.n_resamples, streams=terms.streams)
    parts = parts_of(pair)
    drops, able = family.drops(), family.able(terms.alpha)
    below = below_margin(family, parts, terms.margin, terms.alpha)
    pvalues = [alone(drops), adjusted(drops, able), adjusted(family.rises(), able), below.pvalues]
    tested = [
        _Tested(alone=single, dropped=drop, risen=rise, kept=keep, high=end)
        for single, drop, rise, keep, end in zip(*(column.tolist() for column in pvalues), below.ends, strict=True)
    ]
    possible = zip(parts, reaches_of(parts, terms.alpha), tested, below.unknown, most_drops(parts), strict=True)
    return tuple(_call(*row, terms) for row in possible)


def _call(
    part: PairData, reach: Reach | None, tested: _Tested, unknown: tuple[str, ...], most: float, terms: Terms
) -> Call:
    chance = 0.0 if reach is None or terms.margin > most else reach.power(terms.margin)
    lacking = reach is not None and chance < terms.power and terms.margin <= most
    detectable = inf if reach is None else reach.detectable(terms.power)
    alpha = terms.alpha * (1 + ROUNDING)
    return Call(
        task=None if len(part.tasks) > 1 else part.tasks[0],
        call=call_of(
            improved=tested.risen <= alpha / 2,
            holds=tested.kept <= alpha,
            dropped=tested.dropped <= alpha,
            suspected=tested.alone <= alpha or chance >= terms.power,
        ),
        baseline=part.combined(1.0, 0.0).estimate,
        candidate=part.combined(0.0, 1.0).estimate,
        sizes=_fewest(part),
        drop=part.difference,
        high=tested.high,
        dropped=tested.dropped <= alpha,
        pvalue=tested.alone,
        pvalue_adjusted=tested.dropped,
        pvalue_held=tested.kept,
        power=chance,
        detectable=detectable if detectable <= most else inf,
        runs_needed=reach.runs_needed(terms.margin, terms.power) if reach is not None and lacking else None,
        unknown=unknown,
        most=most,
        narrow=len(part.tasks) == 1 and _narrow(part, terms.margin),
    )


def call_of(*, improved: bool, holds: bool, dropped: bool, suspected: bool) -> GateCall:
    """Return the call; the first that holds.

    A drop that is surely less than the margin does not matter, by the meaning of the margin: it is held.
    """
    if improved:
        return "improved"
    if holds:
        return "held"
    if dropped:
        return "regressed"
    return "suspect" if suspected else "underpowered"


def _narrow(part: PairData, margin: float) -> bool:
    """Return whether few runs of the candidate spread by a tenth of the baseline's, or by a twentieth of the margin, or less."""
    before, now = (float(cell.std(ddof=1)) for cell in part.cells)
    return part.n_runs_b[0] < FEW_RUNS and (now <= before / 10 or now <= margin / 20)


def outcome(calls: Sequence[Call]) -> GateCall:
    """Return what is said of all: that it has regressed if anything has, else the call of the mean, or of the only task."""
    return "regressed" if any(call.call == "regressed" for call in calls) else calls[-1].call


def parts_of(pair: PairData) -> list[PairData]:
    """Return each task as a pair of its own, and then the pair as it is if there are several."""
    tasks = [
        PairData(a=pair.a, b=pair.b, x=[x], y=[y], tasks=[task], binary=pair.binary, rates=pair.binary)
        for x, y, task in zip(pair.x, pair.y, pair.tasks, strict=True)
    ]
    return [*tasks, pair] if len(tasks) > 1 else tasks


def reaches_of(parts: Sequence[PairData], alpha: float) -> list[Reach | None]:
    """Return what each unit can see, at the share of alpha that it has as long as nothing else is decided; None without spread."""
    if len(parts) == 1:
        return [_reach(parts[0], alpha, 1)]
    n_tasks = len(parts) - 1
    return [*(_reach(part, alpha * (1 - HALF), n_tasks) for part in parts[:-1]), _reach(parts[-1], alpha * HALF, 1)]


def _reach(part: PairData, alpha: float, n_together: int) -> Reach | None:
    drop = part.difference
    if drop.df is None:
        return None
    cells = part.as_one_task().cells if part.shared else part.cells
    blocks = len(cells) // 2
    return Reach(
        error=drop.error,
        df=drop.df,
        variance=sum(float(cell.var(ddof=1)) for cell in cells) / blocks**2,
        sizes=_fewest(part),
        n_tasks=blocks,
        n_together=n_together,
        alpha=alpha,
    )


def _fewest(part: PairData) -> tuple[int, int]:
    return part.n_runs_a[0], part.n_runs_b[0]
