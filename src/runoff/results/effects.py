"""The answers to "how large is the difference?" and "does a random run of a beat one of b?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from runoff.results.base import Advice, PairRecords, Records, printed_lines, seen_from_b
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
    interval : "t", "newcombe", "mann_whitney", "fieller", "noncentral_t", "normal" or None
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
class EffectsResult(Records):
    """Effect sizes, in the order of pairs, then tasks (all together first), then effects."""

    records: tuple[EffectRecord, ...]
    advice: tuple[Advice, ...] = ()

    def record(self, a: str, b: str, effect: str, task: str | None = None) -> EffectRecord:
        """Return one effect of one pair, over all tasks or on one."""
        missing = f"no {effect!r} of {a!r} and {b!r}" + ("" if task is None else f" on {task!r}")
        return self._row(EffectRecord, missing, a=a, b=b, effect=effect, task=task)

    def __str__(self) -> str:
        rows = []
        for a, b in dict.fromkeys((r.a, r.b) for r in self.records):
            sizes = [r for r in self.records if (r.a, r.b, r.task) == (a, b, None) and r.estimate is not None]
            words = []
            for r in sizes:
                number = chances if r.effect == "improvement" else estimated
                words.append(f"{decapital(EFFECTS[r.effect])} {number(r.estimate or 0.0, r.low, r.high)}")
            rows.append(f"{a} against {b}: {', '.join(words)}.")
        return printed_lines(more=rows, noun="pair")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImprovementRecord:
    """One pair: the probability that a random run of a beats one of b, ties counting half, averaged over `n_tasks` shared tasks.

    `low` and `high` are None where a cell has one run; `interval` is "t", "mann_whitney" (one task), "newcombe" (scores of 0 and 1),
    "percentile", or "score" where that has no width; `over` is what it allows for, "runs" or "runs_and_tasks"; `n_resamples` is 0 where
    nothing was resampled.
    """

    a: str
    b: str
    estimate: float
    low: float | None
    high: float | None
    interval: str | None
    confidence_level: float
    over: str
    n_tasks: int
    n_resamples: int

    def turned(self) -> ImprovementRecord:
        """Return the chance that a random run of b beats one of a."""
        return seen_from_b(self, {"estimate": 1.0})


@dataclass(frozen=True, slots=True, kw_only=True)
class ImprovementResult(PairRecords[ImprovementRecord]):
    """Probabilities of improvement, one record per pair."""

    records: tuple[ImprovementRecord, ...]
    seed: int
    advice: tuple[Advice, ...] = ()
    _table: ClassVar[str | None] = "records"

    def __str__(self) -> str:
        rows = [f"P({r.a} > {r.b}) = {chances(r.estimate, r.low, r.high)}" for r in self.records]
        return printed_lines(more=rows, noun="pair")
