"""The answer to "how long does training take to reach a score?"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runoff.answer.base import Advice, bounded_above_or_below
from runoff.answer.ends import WithInterval
from runoff.answer.rows import AlgorithmRows
from runoff.cells import ColumnsOf, Name, Table
from runoff.words.numbers import counted, exactly, percent, some


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachRow(WithInterval):
    """One algorithm on one task.

    Attributes
    ----------
    n_runs, n_reached : int
        The number of runs, and of those that reached the threshold; the others are censored at their last evaluation.
    estimate, low, high : float or None
        The median step (Kaplan-Meier) and its interval; None if fewer than half of the runs reach the score, or an end is unknown.
    """

    algorithm: str
    task: str
    threshold: float
    n_runs: int
    n_reached: int
    estimate: float | None
    low: float | None
    high: float | None
    confidence_level: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachPair:
    """Two algorithms on one task.

    Attributes
    ----------
    method : "exact", "monte_carlo" or "asymptotic"
    pvalue, pvalue_adjusted : float
        The two-sided p-value of this test, and the one adjusted over all pairs and tasks.
    sooner : str or None
        The algorithm whose runs reach the score sooner, if a difference is found.
    """

    a: str
    b: str
    task: str
    method: str
    pvalue: float
    pvalue_adjusted: float
    rejected: bool
    sooner: str | None
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachCurve:
    """One algorithm on one task: the share of runs that have reached the score by each step, and the steps at which the others ended."""

    algorithm: str
    task: str
    steps: tuple[float, ...]
    shares: tuple[float, ...]
    ended: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachResult(AlgorithmRows[ReachRow]):
    """The steps until a score is reached: one record and one curve for each algorithm and task; `pairs` are the tests."""

    rows: tuple[ReachRow, ...]
    curves: tuple[ReachCurve, ...]
    pairs: tuple[ReachPair, ...]
    along: str
    unit: str
    test: str
    correction: str
    alpha: float
    n_resamples: int
    seed: int
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()

    @property
    def tasks(self) -> tuple[str, ...]:
        return self._names("task")

    @property
    def _score(self) -> str:
        """The score to reach, or the scores by task."""
        of = {record.task: exactly(record.threshold) for record in self.rows}
        if len(set(of.values())) == 1:
            return f"a score of {exactly(self.rows[0].threshold)}"
        return f"a score of {', '.join(f'{score} on {task}' for task, score in of.items())}"

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each task and algorithm."""
        rows = [record for task in self.tasks for record in self._rows(task=task)]
        column = ColumnsOf(rows)
        columns = (
            column("task", "Task", lambda r: Name(r.task, "task")),
            column("algorithm", "Algorithm", lambda r: Name(r.algorithm)),
            column("estimate", f"Median {self.along}", lambda r: bounded_above_or_below(r.estimate, r.low, r.high)),
            column("n_reached", "Reached by", lambda r: f"{r.n_reached} of {r.n_runs}", numeric=True),
        )
        title = f"Median {self.along} to {self._score}"
        unknown = any(None in (r.low, r.high) for r in rows if r.estimate is not None)
        ends = f", whose ends are infinite where the {self.unit}s do not bound them" if unknown else ""
        level = f"with {percent(rows[0].confidence_level)} intervals{ends}"
        how = f"Kaplan-Meier: every {self.unit} counts as long as it was trained"
        caption = f"{title} ({how}), {level}; –: fewer than half of the {self.unit}s reach it."
        return (Table(role="time_to_threshold", title=title, caption=caption, columns=columns),)

    @property
    def sentence(self) -> str:
        """A sentence on the first pair in which one algorithm was found to be faster, on the number of other such pairs, and on how often
        the score is reached."""
        first = [pair.sentence for pair in self.pairs if pair.rejected]
        reached = [row for row in self.rows if row.estimate is not None]
        of = f"Half of the {self.unit}s reach {self._score} in {len(reached)} of {counted([len(self.rows)], 'cell')}."
        more = (
            [f"{counted([len(first) - 1], 'more pair')} {'differs' if len(first) == 2 else 'differ'}."]
            if len(first) > 1
            else []
        )
        return " ".join([*first[:1], *more, of, *self._open()])

    def _open(self) -> list[str]:
        """Return why a median has no upper end though its score was reached by half of the runs, where there is one."""
        without = [row for row in self.rows if row.estimate is not None and row.high is None]
        part, every = ([row for row in without if (row.n_reached == row.n_runs) == whole] for whole in (False, True))
        few = "are too few to bound the median from above (∞), though all of them reach it"
        sentences = [f"The {self.unit}s of {self._cells(every)} {few}."] if every else []
        if part:
            sentences.insert(
                0, f"Too few {self.unit}s of {self._cells(part)} reach it to bound the median from above (∞)."
            )
        return sentences

    def _cells(self, rows: Sequence[ReachRow]) -> str:
        several = len(self.tasks) > 1
        return some([f"{row.algorithm} on {row.task}" if several else row.algorithm for row in rows], 4)
