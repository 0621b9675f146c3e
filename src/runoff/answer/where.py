"""The answer to "where does the lead come from?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from runoff.answer.base import Advice
from runoff.answer.ends import WithInterval
from runoff.answer.rows import Records
from runoff.cells import Chance, Column, ColumnsOf, Estimate, Name, PValue, Share, Table, Verdict, VerdictKind
from runoff.words.numbers import counted, exactly

WhereVerdict = Literal["a_better", "b_better", "no_difference_found", "not_tested"]
CALLS: dict[WhereVerdict, tuple[VerdictKind, str]] = {
    "a_better": ("higher", "higher"),
    "b_better": ("lower", "lower"),
    "no_difference_found": ("not_found", "no difference found"),
    "not_tested": ("not_tested", "not called"),
}
"""The words of the table, from the side of a."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WhereRow(WithInterval):
    """One task.

    Attributes
    ----------
    estimate : float
        The difference of means or, for the improvement, the probability that a run of a beats a run of b.
    low, high : float or None
        The deciding interval, at the level at which Holm's procedure decided the task; it excludes 0 (½ for a probability) exactly if a
        difference was found.
    joint_low, joint_high : float or None
        The interval that is simultaneous over the tasks that can be tested (Bonferroni).
    share : float or None
        The task's share of the sum of all leads, below 0 if the other algorithm is ahead on the task. None if all sum to 0, within rounding.
    verdict : "a_better", "b_better", "no_difference_found" or "not_tested"
    reason : str
        The reason why a task is not tested; otherwise "".
    """

    task: str
    estimate: float
    low: float | None
    high: float | None
    joint_low: float | None
    joint_high: float | None
    pvalue: float | None
    pvalue_adjusted: float | None
    share: float | None
    verdict: WhereVerdict
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heterogeneity:
    """The spread of the true differences of means between tasks.

    Attributes
    ----------
    q, pvalue : float
        Cochran's Q with equal weights, and its p-value by permuting runs within tasks under the null hypothesis that all tasks have the same
        difference.
    tau, tau_low, tau_high : float
        The standard deviation of the tasks' true differences, with its interval.
    i2, i2_low, i2_high : float
        The share of the variance of the differences that is not sampling error.
    """

    q: float
    pvalue: float
    tau: float
    tau_low: float
    tau_high: float
    i2: float
    i2_low: float
    i2_high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WhereResult(Records[WhereRow]):
    """The tasks of a pair, and their shares of its lead.

    Attributes
    ----------
    measure : "mean" or "improvement"
    lead_tasks : tuple of str
        The few tasks that account for the lead; empty if it is not known to come from few.
    heterogeneity : Heterogeneity or None
        None for the improvement, whose probabilities have no distribution under a common value, and for fewer than three tasks with runs
        that vary.
    runs_to_test : int or None
        The number of runs of each algorithm from which on a difference on a task can be found: for means, enough to find a lead as clear as
        the clearest four times in five; for rank tests, enough for some order of runs to be rare enough. None if neither is known.
    """

    rows: tuple[WhereRow, ...]
    a: str
    b: str
    measure: str
    lead_tasks: tuple[str, ...]
    heterogeneity: Heterogeneity | None
    runs_to_test: int | None
    alpha: float
    confidence_level: float
    n_resamples: int
    seed: int
    sentence: str
    advice: tuple[Advice, ...] = ()

    def _by_share(self) -> list[WhereRow]:
        return sorted(self.rows, key=lambda record: -(record.share or 0.0))

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each task, the largest share of the lead first."""
        rows, by_chance = self._by_share(), self.measure == "improvement"
        kind = Chance if by_chance else Estimate
        sizes = [kind(r.estimate, r.low, r.high) for r in rows]
        column = ColumnsOf(rows)
        columns = (
            column("task", "Task", lambda r: Name(r.task, "task")),
            Column(key="estimate", head="Chance" if by_chance else "Difference", cells=sizes),
            column("share", "Share of lead", lambda r: Share(r.share), ordered=True),
            column("pvalue_adjusted", "Adjusted p", lambda r: PValue(r.pvalue_adjusted, r.pvalue)),
            column("call", "Verdict", lambda r: Verdict(*CALLS[r.verdict])),
        )
        title = f"{self.a} against {self.b}, task by task"
        return (Table(role="where", title=title, caption=self._caption(), columns=columns),)

    def _caption(self) -> str:
        by_chance, n = self.measure == "improvement", sum(r.pvalue is not None for r in self.rows)
        size = f"chance that a run of {self.a} scores higher than one of {self.b} (ties count half)"
        of = size if by_chance else f"mean of {self.a} − mean of {self.b}"
        over = f"over {counted([n], 'task')}" if n else "no task can be called"
        return (
            f"By task: {of}, with the interval at the level of the test; its share of all leads; p adjusted (Holm correction {over}), "
            f"at most α = {exactly(self.alpha)} where a difference was found; elsewhere two need not be equal."
        )
