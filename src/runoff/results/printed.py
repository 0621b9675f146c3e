"""The answer to "does our table agree with the one that was printed?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from runoff.results.base import Result

FAR = 4.0
"""A cell further away than this many standard errors is looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedRecord:
    """One printed cell beside ours.

    Attributes
    ----------
    what, world, method : str
        `what` is the table as the source calls it.
    n_runs : int
    effect, printed, rate, difference : float
        `difference` is rate − printed.
    error : float
        Standard error of the difference if both estimate one rate, the rounding of the printed value included.
    distance : float
        difference / error.
    """

    what: str
    world: str
    method: str
    n_runs: int
    effect: float
    printed: float
    rate: float
    difference: float
    error: float
    distance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedComparison(Result):
    """All printed cells of a study beside ours.

    Attributes
    ----------
    name : str
    records : tuple of PrintedRecord
    """

    name: str
    records: tuple[PrintedRecord, ...]
    _table: ClassVar[str | None] = "records"

    @property
    def beyond(self) -> tuple[PrintedRecord, ...]:
        """Cells more than 4 standard errors away."""
        return tuple(record for record in self.records if abs(record.distance) > FAR)

    def __str__(self) -> str:
        if not self.records:
            return f"{self.name}: nothing was printed to compare with."
        widest = max(self.records, key=lambda record: abs(record.distance))
        return (
            f"{self.name}: {len(self.beyond)} of {len(self.records)} printed cells lie more than {FAR:g} standard errors from ours; "
            f"the furthest, {widest.method} at {widest.n_runs} runs and effect {widest.effect:g}, lies {abs(widest.distance):.1f}."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementRecord:
    """One statement of a source's text, and what the table says about it.

    Attributes
    ----------
    statement, where : str
        The words of the source, and where they stand.
    verdict : str
        "confirmed", "contradicted" or "undecided" (the errors of the rates are too wide, or a budget left cells empty).
    found : str
        The rates that decide.
    """

    statement: str
    where: str
    verdict: str
    found: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements(Result):
    """The statements of a source about a study, each confirmed or contradicted.

    Attributes
    ----------
    name : str
    records : tuple of StatementRecord
    """

    name: str
    records: tuple[StatementRecord, ...]
    _table: ClassVar[str | None] = "records"

    def __str__(self) -> str:
        verdicts = [record.verdict for record in self.records]
        counts = ", ".join(f"{verdicts.count(v)} {v}" for v in dict.fromkeys(verdicts))
        return f"{self.name}: {len(verdicts)} statement(s) of the source, {counts or 'none checked'}."
