"""The answer to "may this change be merged?"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from runoff.results.advice import Advice
from runoff.results.base import Records
from runoff.words.names import GateCall


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRecord:
    """What is said of a task, or of all.

    Attributes
    ----------
    task : str or None
        None: the mean over all tasks.
    call : "regressed", "suspect", "held", "improved" or "underpowered"
    baseline, candidate : float
        Mean scores.
    drop : float
        baseline − candidate, in units of the scores: positive where the candidate is lower.
    drop_high : float or None
        Upper limit of the drop; those of all records hold together with a chance of 1 − alpha. None: there is none.
    dropped : bool
        Whether the candidate was found to be lower, however little.
    pvalue, pvalue_adjusted : float
        One-sided, of the null that it is not lower: of this record by itself, and over all of them.
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
    call: GateCall
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
class GateResult(Records):
    """A candidate beside a baseline, task by task and over all.

    Attributes
    ----------
    call : str
        "regressed" if any record is, else the call of the mean over all tasks, or of the only task.
    records : tuple of GateRecord
        The tasks, and last the mean of all if there are several.
    required : float
        The power that "underpowered" lacks.
    """

    call: GateCall
    records: tuple[GateRecord, ...]
    margin: float
    alpha: float
    required: float
    baseline: str
    candidate: str
    baseline_sha256: str
    candidate_sha256: str
    n_resamples: int
    seed: int
    sentence: str
    advice: tuple[Advice, ...] = ()

    @property
    def overall(self) -> GateRecord:
        """The record of the mean over all tasks, or of the only task."""
        return self.records[-1]

    @property
    def tasks(self) -> tuple[GateRecord, ...]:
        """The records of the tasks."""
        return tuple(record for record in self.records if record.task is not None)

    def of(self, calls: GateCall | Iterable[GateCall]) -> tuple[GateRecord, ...]:
        """Return the records with one of these calls."""
        wanted = {calls} if isinstance(calls, str) else set(calls)
        return tuple(record for record in self.records if record.call in wanted)
