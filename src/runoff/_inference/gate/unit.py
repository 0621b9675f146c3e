"""A unit, a task or the mean of all: what is asked of it, its tests, and the call that follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from runoff._inference.bootstrap import Mean
from runoff._inference.gate.reach import ROUNDING
from runoff._inference.pairs import PairData
from runoff.base.random import Streams
from runoff.words.names import GateCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The options of a gate, checked.

    twice: whether a drop blocks only where fresh runs are called lower too; nights: candidates that share the baseline, and alpha where
    nothing has changed; units: where tasks have margins of their own, these; scores are then divided by them, and the margin is 1.
    """

    margin: float
    alpha: float
    power: float
    n_resamples: int
    streams: Streams
    nights: int = 1
    twice: bool = False
    units: tuple[float, ...] | None = None

    @property
    def alarm(self) -> float:
        """Return the share of alpha that a night has for drops that are not there: with Bonferroni's inequality all nights have alpha."""
        return self.alpha / self.nights

    def of(self, pair: PairData) -> list[float]:
        """Return what one is worth, in units of the scores, for each task and, if there are several, for their mean: there it stays one."""
        units = list(self.units or [1.0] * len(pair.tasks))
        return [*units, 1.0] if len(units) > 1 else units


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSpeech:
    """The words for the numbers of a unit: what is compared, of what sample, of which so many are meant, what it is alone, and where; the
    unit of its differences, behind a blank, where that is no score."""

    what: str = "mean"
    sample: str = "runs"
    of: str = " of each on every task"
    alone: str = "task"
    place: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitCall:
    """The answer for a unit: a task, or the mean of all tasks (None).

    pvalue, pvalue_adjusted: against no drop, that of `compare` and over all units; pvalue_held: against a drop of the margin or more,
    adjusted; high: upper limit of the drop, None: there is none; power: to call a drop of the margin; detectable: the smallest drop that is
    called with the power that was asked for; unknown: tasks of whose other runs nothing is known; most: the largest drop that is possible
    from the baseline's rate, inf where scores are no rates; narrow: whether the candidate's few runs of a task hardly differ; unjudged: why
    nothing can be called, "" where something can.
    """

    task: str | None
    verdict: GateCall
    margin: float
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
    unjudged: str = ""
    speech: CallSpeech = CallSpeech()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """The tests of a unit: p-values against no drop (alone and adjusted), no rise and a drop of the margin; the upper limit of its drop."""

    alone: float
    dropped: float
    risen: float
    kept: float
    high: float | None

    def judged(self, terms: Terms, power: float, *, suspects: bool = True) -> dict[str, Any]:
        """Return the fields of a call that follow from the tests: its verdict, and their p-values.

        power: the chance that a drop of the margin would have been found; suspects: whether a drop that is not found may be suspected.
        """
        alpha, alarm = (level * (1 + ROUNDING) for level in (terms.alpha, terms.alarm))
        dropped = self.dropped <= alarm
        verdict = call_of(
            improved=self.risen <= alarm / 2,
            holds=self.kept <= alpha,
            dropped=dropped,
            suspected=suspects and (self.alone <= alpha or power >= terms.power),
        )
        pvalues = {"pvalue": self.alone, "pvalue_adjusted": self.dropped, "pvalue_held": self.kept}
        return {"verdict": verdict, "dropped": dropped, "power": power, **pvalues}


def call_of(*, improved: bool, holds: bool, dropped: bool, suspected: bool) -> GateCall:
    """Return the first call that applies; a drop that is surely less than the margin does not matter by definition, and is "held"."""
    # The order matters: a rise that is found is never called a drop, and a drop that is surely smaller than the margin does not block.
    if improved:
        return "improved"
    if holds:
        return "held"
    if dropped:
        return "regressed"
    return "suspect" if suspected else "underpowered"
