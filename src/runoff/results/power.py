"""The answers to "what is the chance to see it?", "how many runs?" and "how small a difference?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from runoff.errors import OptionError
from runoff.results.base import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerResult(Result):
    """The chance that one design finds one true difference; also the answer of `detectable_effect`, where the difference was asked for.

    Attributes
    ----------
    effect : float
        The true difference, in units of the scores.
    effect_in_std : float
        The same in standard deviations: σ, or √((σ₁² + σ₂²) / 2).
    improvement : float
        Probability that a run of the first beats one of the second (of one sample: a fixed value), for normal runs.
    n_runs, n_runs_b : int, int or None
        Runs of the first and of the second; None for one sample.
    power, beta : float
        Chance that the test rejects, and 1 − power.
    std, std_b : float, float or None
    test, alternative, formula : str
    alpha : float
    noncentrality, df : float
        The true difference in standard errors, and the degrees of freedom at the true variances.
    sentence : str
    notes : tuple of str
        What the formula leaves out, where it matters.
    """

    effect: float
    effect_in_std: float
    improvement: float
    n_runs: int
    n_runs_b: int | None
    power: float
    beta: float
    std: float
    std_b: float | None
    test: str
    alternative: str
    formula: str
    alpha: float
    noncentrality: float
    df: float
    sentence: str
    notes: tuple[str, ...]

    def __str__(self) -> str:
        return _with_notes(self.sentence, self.notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsNeededRecord:
    """How many runs one true difference takes.

    Attributes
    ----------
    effect, effect_in_std, improvement : float
        As of `PowerResult`.
    n_runs, n_runs_b : int, int or None
        Runs of the first and of the second; None for one sample.
    n_real : float or None
        n_runs before it was rounded up, as other software tells it; None where two runs are enough, or the allocation is the cheapest.
    power, beta : float
        With these runs.
    cost : float or None
        Of all of them.
    sentence : str
    notes : tuple of str
    """

    effect: float
    effect_in_std: float
    improvement: float
    n_runs: int
    n_runs_b: int | None
    n_real: float | None
    power: float
    beta: float
    cost: float | None
    sentence: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerPoint:
    """Power with so many runs: a point of the curve of one effect."""

    effect: float
    n_runs: int
    n_runs_b: int | None
    power: float
    beta: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsNeededResult(Result):
    """One record for each true difference that was asked about.

    Attributes
    ----------
    records : tuple of RunsNeededRecord
    curve : tuple of PowerPoint
        Power against the number of runs, effect by effect.
    power : float
        What was required.
    std, std_b : float, float or None
    test, alternative, formula : str
    alpha : float
    """

    records: tuple[RunsNeededRecord, ...]
    curve: tuple[PowerPoint, ...]
    power: float
    std: float
    std_b: float | None
    test: str
    alternative: str
    formula: str
    alpha: float
    _table: ClassVar[str | None] = "records"

    @property
    def n_runs(self) -> int:
        """Runs of the first algorithm (of each, where counts are equal), for a single effect."""
        return self._only().n_runs

    @property
    def n_runs_b(self) -> int | None:
        """Runs of the second algorithm, for a single effect."""
        return self._only().n_runs_b

    def points(self, effect: float) -> tuple[PowerPoint, ...]:
        """Return the curve of one effect, in units of the scores."""
        return tuple(point for point in self.curve if point.effect == effect)

    def _only(self) -> RunsNeededRecord:
        if len(self.records) > 1:
            raise OptionError(f"this answer is about {len(self.records)} effects: read `records`, one for each.")
        return self.records[0]

    def __str__(self) -> str:
        return " ".join(_with_notes(record.sentence, record.notes) for record in self.records)


def _with_notes(sentence: str, notes: tuple[str, ...]) -> str:
    return " ".join([sentence, *(f"Note: {note}." for note in notes)])
