"""The answers to "what is the chance to see it?", "how many runs?" (also of a pilot, or in addition) and "how small a difference?"."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.errors import OptionError
from runoff.results.base import Advice, Records, Result


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
    noncentrality, df : float
        The true difference in standard errors, and the degrees of freedom at the true variances.
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
class RunsNeededResult(Records):
    """One record for each true difference that was asked about.

    Attributes
    ----------
    curve : tuple of PowerPoint
        Power against the number of runs, effect by effect.
    power : float
        What was required.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlyingRun:
    """A pilot run that makes more than half of the squared error of the difference.

    Attributes
    ----------
    share : float
        By how much of the squared error this falls where the spread of its cell is that of the cell's other runs.
    """

    algorithm: str
    task: str
    score: float
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPoint:
    """Power with so many runs of each algorithm on each task.

    Attributes
    ----------
    spread : "pilot" or "upper"
        Whether runs spread as those of the pilot did, or as far as the assurance allows.
    low, high : float or None
        95 % Monte Carlo band; None where power is computed, not simulated.
    """

    spread: str
    n_runs: int
    power: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanResult(Result):
    """How many runs an experiment takes, given pilot runs.

    Attributes
    ----------
    n_runs : int
        Of each algorithm on each task, with assurance; shared runs: of each algorithm. Of an effect in standard deviations or as a probability,
        which has no number with assurance, the one on average.
    n_runs_naive : int
        The same, if the pilot's spread were the truth.
    n_runs_average : int or None
        The same on average over what the true spread may be, as `compare` and the report name it; None for tests other than the default.
    n_runs_pooled : int or None
        `n_runs` with the spread of the outlying run's cell pooled over the other tasks of its algorithm; None without such a run.
    outlying : OutlyingRun or None
        The pilot run that makes more than half of the squared error.
    n_runs_after_20 : int or None
        What `n_runs` would be, had the pilot 20 runs in each cell that spread as its own; None where it has, or nothing depends on it.
    power, power_low, power_high : float, float or None, float or None
        With `n_runs`, where runs spread as far as the assurance allows; the Monte Carlo band of a simulation.
    power_as_seen : float
        With `n_runs`, where they spread as in the pilot.
    effect : float
        The true difference of the measure that is assumed, second − first, where runs spread as in the pilot; of the improvement from ½.
    effect_in_unit, unit : float, str
        The effect that was to be found, and its unit.
    measure, test, title : str
        What is planned for; the test that power is of, and its name in words.
    method : "closed_form", "exact" or "simulated"
    inflation : float or None
        Standard deviations with assurance over those of the pilot; None for success rates.
    n_pilot, n_pilot_most : int
        Fewest and most runs of a cell of the pilot.
    shared : bool
        Whether a run is scored on all tasks.
    total_runs : int
        Of both algorithms on all tasks.
    hours, cost : float or None
        Of all of them.
    curve : tuple of PlanPoint
        Power against runs, first as the pilot spreads, then with assurance.
    """

    n_runs: int
    n_runs_naive: int
    n_runs_average: int | None
    n_runs_pooled: int | None
    outlying: OutlyingRun | None
    n_runs_after_20: int | None
    power: float
    power_low: float | None
    power_high: float | None
    power_as_seen: float
    required: float
    assurance: float
    effect: float
    effect_in_unit: float
    unit: str
    a: str
    b: str
    measure: str
    test: str
    title: str
    method: str
    alpha: float
    inflation: float | None
    n_tasks: int
    n_pilot: int
    n_pilot_most: int
    shared: bool
    total_runs: int
    hours: float | None
    cost: float | None
    curve: tuple[PlanPoint, ...]
    n_repeats: int
    n_resamples: int
    seed: int
    sentence: str
    notes: tuple[str, ...]
    advice: tuple[Advice, ...]

    def points(self, spread: str) -> tuple[PlanPoint, ...]:
        """Return the curve where runs spread as in the "pilot", or up to the "upper" limit."""
        return tuple(point for point in self.curve if point.spread == spread)

    def __str__(self) -> str:
        return _with_notes(self.sentence, self.notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRow:
    """How many runs one difference takes.

    Attributes
    ----------
    question : "observed", "5%", "10%", "20%" or "detectable"
        The difference that the pilot shows, a share of the leader's mean on each task, or the smallest that so many runs as the pilot's find.
    unit : "raw", "lift", "improvement" or ""
        Whether that shifts the measure, raises every task by a share, or is a probability.
    effect : float or None
        The true difference of the measure; of the improvement from ½.
    n_runs, n_runs_naive, n_runs_average, n_runs_pooled : int or None
        As of `PlanResult`; None where `reason` says why, which may leave the one on average.
    """

    question: str
    unit: str
    effect: float | None
    n_runs: int | None
    n_runs_naive: int | None
    n_runs_average: int | None
    n_runs_pooled: int | None
    total_runs: int | None
    hours: float | None
    cost: float | None
    reason: str = ""

    @property
    def assured(self) -> bool:
        """Whether `n_runs` is with assurance; of a probability of improvement it is the one on average."""
        return self.unit != "improvement"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTable(Records):
    """How many runs the differences take that a reader of the pilot would ask about.

    Attributes
    ----------
    a, b : str
        The leader of the pilot by the measure, and its nearest rival; of one algorithm, what is like it.
    alpha : float
        Level of the test: of a pilot with more than two algorithms that of the first step of their pairs' correction.
    n_pairs : int
        Pairs of the pilot's algorithms.
    """

    records: tuple[PlanRow, ...]
    a: str
    b: str
    measure: str
    test: str
    title: str
    power: float
    assurance: float
    alpha: float
    n_pairs: int
    n_tasks: int
    n_pilot: int
    n_pilot_most: int
    shared: bool
    outlying: OutlyingRun | None
    sentence: str
    notes: tuple[str, ...]
    advice: tuple[Advice, ...]

    def row(self, question: str) -> PlanRow:
        """Return the row of a question."""
        rows = {row.question: row for row in self.records}
        if question not in rows:
            raise OptionError(f"question must be one of {', '.join(rows)}, not {question!r}.")
        return rows[question]

    def __str__(self) -> str:
        return _with_notes(self.sentence, self.notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRunsRecord:
    """One cell: how many runs it has, and how many to add.

    Attributes
    ----------
    task : str or None
        None where a run is scored on all tasks.
    std : float
        Of the runs that there are.
    cost : float
        Of what is added, in the unit of the budget.
    """

    algorithm: str
    task: str | None
    n_runs: int
    more: int
    std: float
    cost: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRunsResult(Records):
    """Which cells to run next, and what that buys.

    Attributes
    ----------
    records : tuple of NextRunsRecord
        Every cell, in the order of algorithms and tasks.
    error, error_then : float
        Standard error of the difference of the measure, before and after; with more than two algorithms, the root of the mean square over the
        pairs.
    measure : str
        Whose difference it is.
    error_even : float
        The same, had the runs been spread over the cells as evenly as the budget allows.
    detectable, detectable_then : float
        The true difference that a t test with such an error finds with `power`, before and after.
    """

    records: tuple[NextRunsRecord, ...]
    measure: str
    budget: float
    spent: float
    error: float
    error_then: float
    error_even: float
    detectable: float
    detectable_then: float
    power: float
    alpha: float
    sentence: str
    notes: tuple[str, ...]

    @property
    def total(self) -> int:
        """Runs to add."""
        return sum(record.more for record in self.records)

    def __str__(self) -> str:
        return _with_notes(self.sentence, self.notes)
