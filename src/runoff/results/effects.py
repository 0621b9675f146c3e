"""The answer to "how large is the difference?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from runoff.results.advice import Advice
from runoff.results.base import Result, told
from runoff.words.names import EFFECTS, decapital
from runoff.words.numbers import chances, estimated


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectRecord:
    """One effect size of one pair.

    Attributes
    ----------
    a, b : str
        The effect is of a relative to b.
    effect : "difference", "ratio", "hedges_g", "cliffs_delta" or "improvement"
    estimate : float or None
        None where it is not defined.
    low, high : float or None
    interval : "t", "fieller", "noncentral_t", "normal", "percentile", "score" or None
    confidence_level : float
    n_tasks : int
    no_effect : float
        The value that means no effect: 0, 1 for a ratio, ½ for a probability.
    task : str or None
        The task of an effect on one task, None for that over all tasks.
    n_runs_a, n_runs_b : tuple of (int, int)
        Fewest and most runs of a cell.
    """

    a: str
    b: str
    effect: str
    estimate: float | None
    low: float | None
    high: float | None
    interval: str | None
    confidence_level: float
    n_tasks: int
    no_effect: float
    task: str | None = None
    n_runs_a: tuple[int, int] = (0, 0)
    n_runs_b: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectsResult(Result):
    """Effect sizes, in the order of pairs, then tasks (all together first), then effects."""

    records: tuple[EffectRecord, ...]
    n_resamples: int
    seed: int
    advice: tuple[Advice, ...] = ()
    _table: ClassVar[str | None] = "records"

    def record(self, a: str, b: str, effect: str, task: str | None = None) -> EffectRecord:
        """Return one effect of one pair, over all tasks or on one."""
        return next(r for r in self.records if (r.a, r.b, r.effect, r.task) == (a, b, effect, task))

    def __str__(self) -> str:
        rows = []
        for a, b in dict.fromkeys((r.a, r.b) for r in self.records):
            known = [r for r in self.records if (r.a, r.b, r.task) == (a, b, None) and r.estimate is not None]
            rows.append(f"{a} against {b}: {', '.join(_sized(record) for record in known)}.")
        return told(more=rows, noun="pair")


def _sized(record: EffectRecord) -> str:
    told = chances if record.effect == "improvement" else estimated
    return f"{decapital(EFFECTS[record.effect])} {told(record.estimate or 0.0, record.low, record.high)}"
