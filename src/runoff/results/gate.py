"""The answer to "may this change be merged?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from runoff.answer import ColumnsOf, Name, Number, Table, Verdict
from runoff.answer.cells import VerdictKind
from runoff.results.base import Advice
from runoff.results.rows import Records
from runoff.words.names import GateCall
from runoff.words.numbers import digits, digits_apart, exactly, margin_text

ALL = "all tasks"
"""What the mean of all is called beside tasks."""
KINDS: Mapping[GateCall, VerdictKind] = {
    "regressed": "lower", "suspect": "not_found", "underpowered": "not_tested", "held": "equivalent", "improved": "higher",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRow:
    """The verdict on a task, or on all.

    Attributes
    ----------
    task : str or None
        None: the mean over all tasks.
    verdict : "regressed", "suspect", "held", "improved" or "underpowered"
    drop_unit : "score" or "margin"
        Of all scores and drops here: "margin" is that of a mean over tasks that have margins of their own, each task in units of its margin.
    baseline, candidate : float
        Mean scores.
    drop : float
        baseline − candidate: positive where the candidate is lower.
    drop_high : float or None
        Upper limit of the drop; those of all records hold together with a chance of 1 − alpha. None: there is none.
    dropped : bool
        Whether the candidate was found to be lower, however little.
    pvalue, pvalue_adjusted : float
        One-sided, of the null that it is not lower: that of `compare` for this record by itself, and over all of them, never below the first.
    pvalue_held : float
        Of the null that it is lower by the margin or more, over all records.
    power : float
        The chance that a true drop of the margin is called in new runs like these; 0 where nothing is known of their spread.
    detectable_drop : float or None
        The smallest true drop that is called with the power that was asked for; None: so few runs call none.
    runs_needed : int or None
        Runs of each on every task that call a drop of the margin with that power; None where there are enough, or none are.
    n_runs_baseline, n_runs_candidate : int
        Of a task; of all: the fewest.
    """

    task: str | None
    verdict: GateCall
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


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult(Records[GateRow]):
    """A candidate beside a baseline, task by task and over all.

    Attributes
    ----------
    verdict : str
        "regressed" if any record is; "suspect" if fresh runs do not confirm what had regressed; else the call of the mean over all tasks, or
        of the only task.
    rows : tuple of GateRow
        The tasks, and last the mean of all if there are several.
    margin : float
        That of the mean over all tasks, or of the only task: 1 where tasks have margins of their own.
    nights : int
        Candidates over which alpha is the chance of any false "regressed".
    required : float
        The power that "underpowered" lacks.
    notes : tuple of str
        What so many nights cost, or what they would do.
    confirmation : GateResult or None
        Of fresh runs of what had regressed; what they do not confirm is "suspect" in `rows`.
    """

    verdict: GateCall
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

    @property
    def overall(self) -> GateRow:
        """The record of the mean over all tasks, or of the only task."""
        # `calls_of` puts the mean last; of one task that task is all there is.
        return self.rows[-1]

    @property
    def tasks(self) -> tuple[GateRow, ...]:
        """The records of the tasks."""
        return tuple(record for record in self.rows if record.task is not None)

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each task, and last the mean of all if there are several."""
        rows = self.rows
        column = ColumnsOf(rows)

        columns = [
            column("task", "Task", lambda r: Name(r.task or ALL, "task")),
            column("n_runs", "Runs", lambda r: f"{r.n_runs_baseline} / {r.n_runs_candidate}", numeric=True),
            column("baseline", "Baseline", lambda r: Number(r.baseline, digits_apart(r.baseline, r.candidate))),
            column("candidate", "Candidate", lambda r: Number(r.candidate, digits_apart(r.baseline, r.candidate))),
            column("drop", "Drop", lambda r: Number(r.drop, 4)),
            column("drop_high", "At most", lambda r: Number(r.drop_high, 4)),
            column("margin", "Margin", lambda r: Number(r.margin, 4)),
            column("verdict", "Verdict", lambda r: Verdict(KINDS[r.verdict], r.verdict)),
        ]
        # One margin for all tasks stands in the caption.
        shown = tuple(c for c in columns if c.key != "margin" or self.overall.drop_unit == "margin")
        return (Table(role="gate", title="Verdicts", caption=self._caption(), columns=shown),)

    def _caption(self) -> str:
        own = "margins by task, all tasks in units of these"
        margin = own if self.overall.drop_unit == "margin" else f"margin {margin_text(self.margin)}"
        level = f"α = {exactly(self.alpha)} over all rows"
        if self.nights > 1:
            # Bonferroni over nights: a false alarm in any of them has the chance α.
            level += f" of {self.nights} nights, {digits(self.alpha / self.nights, 2)} on each"
        power = f"power required {exactly(self.required)}"
        return f"Means: {margin}, {level}, limits by relabelling, {power}. Drop: baseline − candidate, and what it is at most."
