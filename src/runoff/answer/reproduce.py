"""The answer to "are my runs of a published algorithm consistent with the published ones?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from runoff.answer.base import Advice
from runoff.answer.ends import WithInterval
from runoff.answer.rows import Records
from runoff.cells import Cell, ColumnsOf, Estimate, Name, Number, Table, Verdict, VerdictKind
from runoff.words.numbers import all_of, counted, exactly, percent

Consistency = Literal["agrees", "lower", "higher", "cannot_be_said"]
ANSWERS: dict[Consistency, tuple[VerdictKind, str]] = {
    "agrees": ("equivalent", "agrees"),
    "lower": ("lower", "lower"),
    "higher": ("higher", "higher"),
    "cannot_be_said": ("not_found", "cannot be said yet"),
}
"""The words of the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproduceRow(WithInterval):
    """The verdict on a task, or on the mean over all tasks.

    Attributes
    ----------
    task : str or None
        None for the mean over all tasks: in the unit of the scores where margins are equal, else each difference in its task's margins.
    verdict : "agrees", "lower", "higher" or "cannot_be_said"
    mean, published_mean : float or None
        Mean scores of your own runs and of the published runs; None over all tasks.
    scores, published_scores : tuple of float
        The scores themselves; empty over all tasks.
    predicted_low, predicted_high : float or None
        The prediction interval for the mean of as many new published runs as you have own runs; None over all tasks, and with a single
        published run. It shows how far runs scatter; the verdict rests on the difference and its margin.
    difference, low, high : float or None
        Own − published, with its own interval.
    margin : float
        The smallest difference that matters.
    pvalue_equivalence, pvalue_difference : float
        The p-values of the null hypotheses that the means differ by the margin or more, and that they do not differ; those of tasks are
        adjusted (Holm), over the tasks with several runs on both sides.
    n_runs, n_published : tuple of (int, int)
        The fewest and most runs of a task.
    runs_needed : int or None
        If the verdict is "cannot_be_said", the number of own runs on every task that would decide it with 80 % power if the true difference
        is the observed one; None if no number is enough because the published runs are too few.
    """

    task: str | None
    verdict: Consistency
    mean: float | None
    published_mean: float | None
    scores: tuple[float, ...]
    published_scores: tuple[float, ...]
    predicted_low: float | None
    predicted_high: float | None
    difference: float
    low: float | None
    high: float | None
    margin: float
    pvalue_equivalence: float
    pvalue_difference: float
    n_runs: tuple[int, int]
    n_published: tuple[int, int]
    runs_needed: int | None
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproduceResult(Records[ReproduceRow]):
    """Your own runs beside published runs of the same algorithm, task by task and over all.

    Attributes
    ----------
    rows : tuple of ReproduceRow
        The tasks, followed by the mean over all if there are several.
    algorithm, published : str
        The names of your own algorithm and of the published one.
    notes : tuple of str
        Notes on tasks that were not compared, on tasks matched under another name, and on the published set.
    """

    rows: tuple[ReproduceRow, ...]
    algorithm: str
    published: str
    alpha: float
    confidence_level: float
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()

    @property
    def overall(self) -> ReproduceRow:
        """The record of the mean over all tasks, or of the only task."""
        return self.rows[-1]

    @property
    def algorithms(self) -> tuple[str, str]:
        """The names of your own algorithm and of the published one."""
        return self.algorithm, self.published

    @property
    def tasks(self) -> tuple[str, ...]:
        """The names of the tasks."""
        return tuple(record.task for record in self.rows if record.task is not None)

    @property
    def single(self) -> tuple[ReproduceRow, ...]:
        """The records of the tasks."""
        return self.rows[: len(self.tasks)]

    @property
    def sentence(self) -> str:
        """A sentence on the verdict over all tasks, and the number of tasks by verdict."""
        kinds = {
            "agrees": "agrees on",
            "lower": "lower on",
            "higher": "higher on",
            "cannot_be_said": "not to be said yet on",
        }
        counts = {kind: sum(record.verdict == kind for record in self.single) for kind in kinds}
        tally = ", ".join(f"{kinds[kind]} {counted([n], 'task')}" for kind, n in counts.items() if n)
        return self.overall.sentence + (f" One by one: {tally}." if len(self.tasks) > 1 else "")

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each task, followed by the mean over all if there are several."""
        rows = self.rows
        column = ColumnsOf(rows)
        columns = (
            column("task", "Task", lambda r: Name(r.task or "all tasks", "task")),
            column("mean", "Own", lambda r: Number(r.mean)),
            column("published", "Published", lambda r: Number(r.published_mean)),
            column("difference", "Difference", lambda r: Estimate(r.difference, r.low, r.high)),
            column("margin", "Margin", lambda r: Number(r.margin)),
            column("verdict", "Answer", lambda r: Verdict(*ANSWERS[r.verdict])),
            column("runs_needed", "Own runs needed", _needed, numeric=True),
        )
        title = f"{self.algorithm} beside {self.published}"
        return (Table(role="reproduce", title=title, caption=self._caption(), columns=columns),)

    def _caption(self) -> str:
        own, published = (
            counted([n for record in self.single for n in getattr(record, ends)], noun)
            for ends, noun in (("n_runs", "own run"), ("n_published", "published run"))
        )
        n, as_scored = len(self.tasks), self.overall.margin in {record.margin for record in self.single}
        last = f" All tasks: the mean{'' if as_scored else ', in margins'}." if n > 1 else ""
        together = f" for {all_of(n, 'task')} together (Holm correction)" if n > 1 else ""
        level = percent(self.confidence_level)
        return (
            f"Mean scores of {own} and of {published} of each task, and own − published with its own {level} interval.{last} A difference "
            f"below the margin does not matter; the answers hold{together} at α = {exactly(self.alpha)}. Own runs needed: so many on every task "
            f"decide it with {percent(0.8)} power, if the true difference is the observed one."
        )


def _needed(record: ReproduceRow) -> Cell:
    if record.verdict == "cannot_be_said" and record.runs_needed is None:
        # A single run shows no spread, so any count would be a guess; where the published runs are too few, no number
        # of own ones decides.
        return "2 or more" if min(record.n_runs) < 2 else "no number" if record.task else None
    return record.runs_needed
