"""A metric and the runs behind it at every step of training."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.answer.base import Advice
from runoff.answer.ends import WithInterval
from runoff.answer.rows import AlgorithmRows
from runoff.cells import Column, Estimate, Name, Table
from runoff.words.names import LOWER_IS_BETTER, best_of, measure_words, metric_title
from runoff.words.numbers import counted, estimated, percent, span, step_text

SHOWN = 5
"""The number of steps in the table; records and figures have all steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EfficiencyRow(WithInterval):
    """One algorithm at one step.

    Attributes
    ----------
    estimate : float
        The metric, in units of the scores.
    low, high : float or None
        Ends of the interval, or of the simultaneous band; None if no honest one exists.
    interval : str or None
        The kind of interval, as in `AggregateRow`.
    n_tasks, n_scores : int
        The number of tasks and of runs behind the estimate.
    """

    algorithm: str
    measure: str
    step: float
    estimate: float
    low: float | None
    high: float | None
    interval: str | None
    n_tasks: int
    n_scores: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EfficiencyResult(AlgorithmRows[EfficiencyRow]):
    """A metric at every step, one record for each algorithm and step.

    Attributes
    ----------
    tasks : tuple of str
        The tasks of all algorithms together; the estimate of an algorithm is over its own tasks.
    along : "step", "time" or "episodes"
        The unit of the steps.
    band : "pointwise" or "simultaneous"
        Whether the confidence level applies to each step on its own, or to all steps of an algorithm together.
    unit : "run" or "episode"
        What was resampled.
    notes : tuple of str
        Notes on the alignment of the curves.
    """

    rows: tuple[EfficiencyRow, ...]
    tasks: tuple[str, ...]
    along: str
    band: str
    confidence_level: float
    n_resamples: int
    unit: str
    seed: int
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()

    @property
    def steps(self) -> tuple[float, ...]:
        return self._names("step")

    def curve(self, algorithm: str) -> tuple[EfficiencyRow, ...]:
        """Return the records of one algorithm, by step."""
        return self._rows(algorithm=algorithm)

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each algorithm and a column for each of five evenly spaced steps; a page may use more (`steps_table`)."""
        return (steps_table(self),)

    @property
    def sentence(self) -> str:
        """A sentence on the algorithm with the best last value."""
        last = [self.curve(name)[-1] for name in self.algorithms]
        lower = last[0].measure in LOWER_IS_BETTER
        best = (min if lower else max)(last, key=lambda row: row.estimate)
        value = estimated(best.estimate, best.low, best.high)
        words, step = measure_words(best.measure), f"{self.along} {step_text(best.step)}"
        if len(last) == 1:
            return f"The {words} of {best.algorithm} at {step} is {value}."
        most = best_of(best.measure, len(last))
        return f"{best.algorithm} has the {most} {words} of {len(last)} algorithms at {step}, {value}."


def steps_table(result: EfficiencyResult, shown: int = SHOWN) -> Table:
    """Return a row for each algorithm and a column for each of `shown` evenly spaced steps."""
    steps, names = result.steps, result.algorithms
    # Evenly spread over the grid, the first and the last among them; a set, for fewer steps than places give some
    # twice.
    places = {round(i * (len(steps) - 1) / max(shown - 1, 1)) for i in range(shown)}
    cells = {(r.algorithm, r.step): Estimate(r.estimate, r.low, r.high) for r in result.rows}
    columns = [
        Column(key=f"step_{step:g}", head=step_text(step), cells=[cells.get((name, step)) for name in names])
        for step in (steps[place] for place in sorted(places))
    ]
    title = f"{metric_title(result.rows[0].measure)} by {result.along}"
    level = f"{percent(result.confidence_level)} {result.band} intervals"
    tasks = counted([r.n_tasks for r in result.rows], "task")
    caption = f"{title}, with {level}, over {tasks} (N = {span(r.n_scores for r in result.rows)} {result.unit}s per algorithm)."
    columns = [Column(key="algorithm", head="Algorithm", cells=[*map(Name, names)]), *columns]
    return Table(role="sample_efficiency", title=title, caption=caption, columns=tuple(columns), across=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveSummaryRow(WithInterval):
    """The runs of one algorithm on one task at one step: their centre and the ends of their spread (None with a single run)."""

    algorithm: str
    task: str
    step: float
    estimate: float
    low: float | None
    high: float | None
    n_runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCurve:
    """One run: its own evaluations, not interpolated."""

    algorithm: str
    task: str
    run: str
    steps: tuple[float, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveSummaryResult(AlgorithmRows[CurveSummaryRow]):
    """The centre and spread of the runs at every step, task by task; `runs` are the single curves, for fewer than ten runs on a task."""

    rows: tuple[CurveSummaryRow, ...]
    run_curves: tuple[RunCurve, ...]
    along: str
    measure: str
    errorbar: str
    spread_words: str
    unit: str
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()

    @property
    def tasks(self) -> tuple[str, ...]:
        return self._names("task")

    def curve(self, algorithm: str, task: str) -> tuple[CurveSummaryRow, ...]:
        """Return the records of one algorithm on one task, by step."""
        return self._rows(algorithm=algorithm, task=task)

    @property
    def sentence(self) -> str:
        """A sentence on the number of algorithms and tasks, and the kind of spread."""
        who, where = counted([len(self.algorithms)], "algorithm"), counted([len(self.tasks)], "task")
        return f"{metric_title(self.measure)} of the runs of {who} on {where}; spread: {self.spread_words}."
