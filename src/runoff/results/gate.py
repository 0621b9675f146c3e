"""The answer to "may this change be merged?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from runoff.answer import ColumnsOf, Name, Number, Table, Verdict
from runoff.answer.cells import VerdictKind
from runoff.results.base import Advice
from runoff.results.rows import Records
from runoff.words.names import GateVerdict, OverName, RuleName
from runoff.words.numbers import counted, digits, digits_apart, exactly, joined, margin_text

ALL = "all tasks"
"""What the mean of all is called beside tasks."""
KINDS: Mapping[GateVerdict, VerdictKind] = {
    "passed": "equivalent", "failed": "lower",
    "regressed": "lower", "suspect": "not_found", "underpowered": "not_tested", "held": "equivalent", "improved": "higher",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRow:
    """The verdict on a task or a benchmark, or on all.

    Attributes
    ----------
    task : str or None
        A task, or a benchmark of several; None: the mean over all.
    verdict : "regressed", "suspect", "held", "improved" or "underpowered"; "passed" or "failed"
        The last two are for a benchmark with a rule in a policy.
    rule : "must not lose", "must win" or None
        The rule of the policy; "must win" has the margin 0.
    quantity : str
        What is compared: "mean", "accuracy" and "mean score" of items, "success rate" of rollouts.
    drop_unit : "score" or "margin"
        The unit of all scores and drops here: "margin" for a mean over tasks with margins of their own, each task in units of its margin.
    baseline, candidate : float
        Mean scores.
    drop : float
        baseline − candidate: positive where the candidate is lower.
    drop_high : float or None
        Upper limit of the drop; those of all records hold together with a chance of 1 − alpha. None: there is none.
    dropped : bool
        Whether the candidate was found to be lower, however little.
    pvalue, pvalue_adjusted : float
        One-sided, for the null hypothesis that the candidate is not lower: the p-value of `compare` for this record alone, and the one over
        all records, never below the first.
    pvalue_held : float
        For the null hypothesis that the candidate is lower by the margin or more, over all records; with a policy, for this record alone.
    power : float
        The chance that a true drop of the margin is called in new runs like these; 0 where nothing is known of their spread.
    detectable_drop : float or None
        The smallest true drop that is called with the required power; None: so few runs call none.
    runs_needed : int or None
        Runs of each on every task that call a drop of the margin with that power; None where there are enough, or none are.
    n_runs_baseline, n_runs_candidate : int
        The runs of a task; for the mean over all, the fewest.
    n_items, items_needed : int or None
        Where items are the sample: their number, and the number that shows a drop of the margin with that power, as `runs_needed` for runs.
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
        """The number of runs of both sides, or of items."""
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
        With a policy "passed" where all its rules hold, else "failed".
        Without one "regressed" if any record is; "suspect" if fresh runs do not confirm what had regressed; else the call of the mean over
        all tasks, or of the only task.
    rows : tuple of GateRow
        The tasks, or benchmarks, and last the mean of all if there are several; with a policy its benchmarks alone.
    over : "runs" or "tasks"
        The sample.
    margin : float
        That of the mean over all tasks, or of the only task: 1 where tasks have margins of their own.
    nights : int
        Candidates over which alpha is the chance of any false "regressed".
    required : float
        The power that "underpowered" lacks.
    notes : tuple of str
        The cost of so many nights, or the effect that they would have.
    confirmation : GateResult or None
        The gate of the fresh runs of what had regressed; records that they do not confirm are "suspect" in `rows`.
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

    @property
    def overall(self) -> GateRow:
        """The record of the mean over all tasks, or of the only task; with a policy, that of the benchmark which is farthest from holding."""
        if self.by_policy:
            return max(self.rows, key=lambda record: record.pvalue_held)
        # `calls_of` puts the mean last; of one task that task is all there is.
        return self.rows[-1]

    @property
    def by_policy(self) -> bool:
        """Whether the rows are benchmarks by the rules of a policy."""
        return self.rows[-1].rule is not None

    @property
    def tasks(self) -> tuple[GateRow, ...]:
        """The records of the tasks."""
        return tuple(record for record in self.rows if record.task is not None)

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each task, and last the mean of all if there are several."""
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
        """Return the task or benchmark of a record, or what all of them are called."""
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
        return f"{what}: {margin}, {level}, {limits}, {power}. Drop: baseline − candidate, and what it is at most."


PLURALS = {"mean": "Means", "accuracy": "Accuracies", "success rate": "Success rates", "mean score": "Mean scores"}
"""What a row compares, as a caption begins."""
