"""The answer to "may this change be merged?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from runoff.answer.base import Advice
from runoff.answer.rows import Records
from runoff.cells import ColumnsOf, Name, Number, Table, Verdict, VerdictKind
from runoff.words.names import GateVerdict, OverName, RuleName
from runoff.words.numbers import counted, digits, digits_apart, exactly, joined, margin_text

ALL = "all tasks"
"""The name of the mean over all tasks in a list of tasks."""
KINDS: Mapping[GateVerdict, VerdictKind] = {
    "passed": "equivalent", "failed": "lower",
    "regressed": "lower", "suspect": "not_found", "underpowered": "not_tested", "held": "equivalent", "improved": "higher",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRow:
    """The verdict on a task, on a benchmark, or on the mean over all tasks.

    Attributes
    ----------
    task : str or None
        A task, or a benchmark of several tasks; None for the mean over all.
    verdict : "regressed", "suspect", "held", "improved" or "underpowered"; "passed" or "failed"
        "suspect" is a regression that fresh runs did not confirm; "held" rules out a drop of the margin or more; "underpowered" runs could
        not have shown such a drop. "passed" and "failed" are the verdicts on a benchmark with a rule in a policy.
    rule : "must not lose", "must win" or None
        The rule of the policy; "must win" has the margin 0.
    quantity : str
        The quantity compared: "mean"; for items "accuracy" or "mean score"; for rollouts "success rate".
    drop_unit : "score" or "margin"
        The unit of all scores and drops in this row: "margin" for a mean over tasks with margins of their own, each task being in units of
        its margin.
    baseline, candidate : float
        Mean scores.
    drop : float
        baseline − candidate: positive if the candidate is lower.
    drop_high : float or None
        The upper confidence limit of the drop; the limits of all records hold simultaneously with probability 1 − alpha. None if there is no
        limit.
    dropped : bool
        Whether the candidate was found to be lower by any amount.
    pvalue, pvalue_adjusted : float
        One-sided p-values for the null hypothesis that the candidate is not lower: that of `compare` for this record alone, and that
        adjusted over all records, which is never smaller.
    pvalue_held : float
        The p-value for the null hypothesis that the candidate is lower by the margin or more, over all records; with a policy, for this
        record alone.
    power : float
        The probability that new runs like these detect a true drop of the margin; 0 if their spread is unknown.
    detectable_drop : float or None
        The smallest true drop that is detected with the required power; None if so few runs detect none.
    runs_needed : int or None
        The number of runs of each side on every task that detects a drop of the margin with that power; None if there are enough already, or
        if no number is enough.
    n_runs_baseline, n_runs_candidate : int
        The number of runs on the task; for the mean over all, the fewest on any task.
    n_items, items_needed : int or None
        If items are the sample: their number, and the number that detects a drop of the margin with that power, as `runs_needed` for runs.
    """

    task: str | None
    verdict: GateVerdict
    drop_unit: Literal["score", "margin"]
    baseline: float
    candidate: float
    drop: float
    drop_high: float | None
    margin: float
    dropped: bool
    pvalue: float
    pvalue_adjusted: float
    pvalue_held: float
    power: float
    detectable_drop: float | None
    runs_needed: int | None
    n_runs_baseline: int
    n_runs_candidate: int
    sentence: str
    n_items: int | None = None
    items_needed: int | None = None
    quantity: str = "mean"
    rule: RuleName | None = None

    @property
    def sample(self) -> str:
        """The number of runs of the two sides, or of items."""
        both = self.n_runs_baseline, self.n_runs_candidate
        if self.n_items is None:
            return "{} / {}".format(*both)
        times = "" if max(both) == 1 else f" × {both[0]}" if both[0] == both[1] else " × {} / {}".format(*both)
        return f"{counted([self.n_items], 'item')}{times}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult(Records[GateRow]):
    """A candidate beside a baseline, task by task and over all.

    Attributes
    ----------
    verdict : str
        With a policy, "passed" if all its rules hold, otherwise "failed". Without one, "regressed" if any record is; "suspect" if fresh runs
        do not confirm the regression; otherwise the verdict on the mean over all tasks, or on the only task.
    rows : tuple of GateRow
        The tasks, or benchmarks, followed by the mean over all if there are several; with a policy, its benchmarks only.
    over : "runs" or "tasks"
        The sample.
    margin : float
        The margin of the mean over all tasks, or of the only task; 1 if tasks have margins of their own.
    nights : int
        The number of candidates over which alpha is the probability of any false "regressed".
    required : float
        The power below which a record is "underpowered".
    notes : tuple of str
        Notes on the cost of this number of nights, or on the effect that more would have.
    confirmation : GateResult or None
        The gate on fresh runs of what had regressed; records that it does not confirm are "suspect" in `rows`.
    """

    verdict: GateVerdict
    rows: tuple[GateRow, ...]
    margin: float
    alpha: float
    nights: int
    required: float
    baseline: str
    candidate: str
    baseline_sha256: str
    candidate_sha256: str
    n_resamples: int
    seed: int
    sentence: str
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()
    confirmation: GateResult | None = None
    over: OverName = "runs"

    def __bool__(self) -> bool:
        """Refuse to be yes or no: as a condition every answer would be a yes, a regression too."""
        raise TypeError(f"this answer is no yes or no: ask for result.verdict, which is {self.verdict!r}.")

    @property
    def overall(self) -> GateRow:
        """The record of the mean over all tasks, or of the only task; with a policy, that of the benchmark farthest from satisfying its rule."""
        if self.by_policy:
            return max(self.rows, key=lambda record: record.pvalue_held)
        # `calls_of` puts the mean last; of one task that task is all there is.
        return self.rows[-1]

    @property
    def by_policy(self) -> bool:
        """Whether the rows are benchmarks judged by the rules of a policy."""
        return self.rows[-1].rule is not None

    @property
    def tasks(self) -> tuple[GateRow, ...]:
        """The records of the tasks."""
        return tuple(record for record in self.rows if record.task is not None)

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each task, followed by the mean over all if there are several."""
        rows = self.rows
        column = ColumnsOf(rows)

        items = self.over == "tasks"
        sample = "Items" if items else "Rollouts" if self.rows[0].quantity == "success rate" else "Runs"
        columns = [
            column("task", "Benchmark" if items or self.by_policy else "Task", lambda r: Name(self.called(r), "task")),
            column("rule", "Rule", lambda r: r.rule),
            column("n_runs", sample, lambda r: r.sample.replace(" items", ""), numeric=True),
            column("baseline", "Baseline", lambda r: Number(r.baseline, digits_apart(r.baseline, r.candidate))),
            column("candidate", "Candidate", lambda r: Number(r.candidate, digits_apart(r.baseline, r.candidate))),
            column("drop", "Drop", lambda r: Number(r.drop, 4)),
            column("drop_high", "At most", lambda r: Number(r.drop_high, 4)),
            column("margin", "Margin", lambda r: Number(r.margin, 4) if r.margin else None),
            column("verdict", "Verdict", lambda r: Verdict(KINDS[r.verdict], r.verdict)),
        ]
        # One margin for all tasks stands in the caption.
        own = self.by_policy or self.overall.drop_unit == "margin"
        left_out = {"margin": not own, "rule": not self.by_policy}
        shown = tuple(c for c in columns if not left_out.get(c.key))
        return (Table(role="gate", title="Verdicts", caption=self._caption(), columns=shown),)

    def called(self, record: GateRow) -> str:
        """Return the task or benchmark of a record, or the name of the mean over all."""
        every = ALL if self.over == "runs" else "all items" if len(self.rows) == 1 else "all benchmarks"
        return record.task or every

    def _caption(self) -> str:
        by_law = self.rows[0].quantity != "mean"
        limits = "limits by the score of the difference" if by_law else "limits by permutation"
        what = joined(sorted({PLURALS[record.quantity] for record in self.rows}))
        drop = f"Drop: baseline − candidate, and what it is at most ({limits})."
        if self.by_policy:
            level = f"each rule by itself at α = {exactly(self.alpha)}, one-sided, and all of them for a pass"
            return f"{what}: {level}. {drop}"
        own = "margins by task, all tasks in units of these"
        margin = own if self.overall.drop_unit == "margin" else f"margin {margin_text(self.margin)}"
        rows = " over all rows" if len(self.rows) > 1 or not by_law else ""
        level = f"α = {exactly(self.alpha)}{rows}"
        if self.nights > 1:
            # Bonferroni over nights: a false alarm in any of them has the chance α.
            level += f" of {self.nights} nights, {digits(self.alpha / self.nights, 2)} on each"
        power = f"power required {exactly(self.required)}"
        meaning = " Regressed: a drop was found, and one of the margin is not ruled out." * any(
            row.verdict == "regressed" for row in self.rows
        )
        return f"{what}: {margin}, {level}, {limits}, {power}. Drop: baseline − candidate, and what it is at most.{meaning}"


PLURALS = {"mean": "Means", "accuracy": "Accuracies", "success rate": "Success rates", "mean score": "Mean scores"}
"""The quantity that a row compares, as the beginning of a caption."""
