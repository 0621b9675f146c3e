"""The answer to "how do methods behave where the truth is known?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from runoff.results.base import Result
from runoff.words.numbers import digits, exactly, span


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRecord:
    """One method in one simulated situation.

    Attributes
    ----------
    world, method : str
    n_runs : int
        Runs of each algorithm on each task.
    effect : float
        In the study's unit; 0 is the null, and `rate` the false positive rate.
    rate : float or None
        Share of the experiments in which the method rejected (or covered the truth), or the mean of an estimate; None before
        the first block is done.
    rate_error : float or None
        Monte Carlo standard error of `rate`.
    spread : float or None
        Standard deviation of an estimate over the experiments; None for decisions.
    n_repeats : int
        Simulated experiments.
    """

    world: str
    method: str
    n_runs: int
    effect: float
    rate: float | None
    rate_error: float | None
    spread: float | None
    n_repeats: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyResult(Result):
    """A long table of rates.

    Attributes
    ----------
    name, title, source : str
        The study and the publication it repeats.
    records : tuple of StudyRecord
    alpha : float
        Nominal level of the tests.
    n_resamples, seed : int
    complete : bool
        False when a budget stopped the study; `n_repeats` of each record says how far it got.
    labels : tuple of (method, label)
        What the methods are called in figures.
    kinds : tuple of (method, kind)
        "rejection", "coverage" or "estimate": what `rate` is.
    """

    name: str
    title: str
    source: str
    records: tuple[StudyRecord, ...]
    alpha: float
    n_resamples: int
    seed: int
    complete: bool
    labels: tuple[tuple[str, str], ...]
    kinds: tuple[tuple[str, str], ...]
    _table: ClassVar[str | None] = "records"

    @property
    def worlds(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(record.world for record in self.records))

    @property
    def methods(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(record.method for record in self.records))

    @property
    def effects(self) -> tuple[float, ...]:
        return tuple(dict.fromkeys(record.effect for record in self.records))

    @property
    def n_runs(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(record.n_runs for record in self.records))

    def kind(self, method: str) -> str:
        """Return what the rate of a method is."""
        return dict(self.kinds)[method]

    def record(self, world: str, method: str, n_runs: int, effect: float = 0.0) -> StudyRecord:
        """Return the record of one method in one situation."""
        wanted = (world, method, n_runs, effect)
        for record in self.records:
            if (record.world, record.method, record.n_runs, record.effect) == wanted:
                return record
        raise KeyError(
            f"no rate of {method!r} in world {world!r} with {n_runs} runs and effect {exactly(effect)}; the methods are "
            f"{', '.join(self.methods)}"
        )

    def __str__(self) -> str:
        done = [record.n_repeats for record in self.records]
        errors = [record.rate_error for record in self.records if record.rate_error is not None]
        repeats = span(done)
        widest = f"; the widest standard error of a rate is {digits(max(errors), 2)}" if errors else ""
        state = "" if self.complete else ", stopped by its budget"
        return (
            f"Study {self.name}{state}: {len(self.methods)} method(s) in {len(self.worlds)} world(s), "
            f"{repeats} simulated experiments per situation{widest}."
        )
