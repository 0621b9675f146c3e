"""A published table as it was read, and the answer to "which of its claims survive a test?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import log10
from types import MappingProxyType
from typing import ClassVar, Literal

from runoff.answer.base import Record, Result, plain
from runoff.cells import Cell, Column, ColumnsOf, Name, Number, PValue, Table, Verdict, VerdictKind
from runoff.words.numbers import counted
from runoff.words.patterns import regex


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedCell:
    """One cell of a published table.

    Attributes
    ----------
    spread : float or None
        The number behind ±, whatever it stands for, or half the width of an interval; None if none is printed.
    mean_unit, spread_unit : float
        One unit of the last printed digit; rounding moved the number by at most half of it.
    n : int or None
        Runs, if the table or the caller says how many.
    line, column : int
        The position, counted from 1; `column` counts the cells of the line.
    ends : tuple of float or None
        The ends of its interval, if it has one; `spread` is then half the width.
    counts : tuple of int or None
        For a rate over n items or episodes: the fewest, the most likely and the most successes that round to the printed rate.
    """

    algorithm: str
    task: str
    mean: float
    spread: float | None
    mean_unit: float
    spread_unit: float
    n: int | None
    bold: bool
    text: str
    line: int
    column: int
    ends: tuple[float, float] | None = None
    counts: tuple[int, int, int] | None = None

    @property
    def measured(self) -> bool:
        """Whether the cell can be tested: it has a spread, or is a rate over a known number."""
        return self.spread is not None or self.counts is not None

    @property
    def lopsided(self) -> bool:
        """Whether its interval is asymmetric about the mean by more than rounding explains."""
        if self.ends is None:
            return False
        low, high = self.ends
        # Rounding alone shifts this sum by half a unit of each end, and by a whole one of twice the mean.
        return abs(low + high - 2 * self.mean) > self.mean_unit + self.spread_unit

    @property
    def printed(self) -> str:
        """The cell as it is printed, where it is numbers alone; without its markup where it has any."""
        text = " ".join(self.text.split())
        return text if NUMBERS.fullmatch(text) else self.numbers

    @property
    def numbers(self) -> str:
        """The numbers as they were read: 2410 ± 320 or 2410 [2090, 2730]."""
        if self.counts is not None:
            return self.text
        mean = _plain(self.mean, self.mean_unit)
        if self.ends is not None:
            return f"{mean} [{', '.join(_plain(end, self.spread_unit) for end in self.ends)}]"
        return mean if self.spread is None else f"{mean} ± {_plain(self.spread, self.spread_unit)}"


def _plain(value: float, unit: float) -> str:
    # The unit is that of the last printed digit, so that a number is shown with as many decimals as the paper has.
    places = max(0, round(-log10(unit))) if unit else MOST_PLACES + 1
    return f"{value:.{places}f}" if places <= MOST_PLACES else f"{value:g}"


NUMBERS = regex(r"[\d.,eE+−±()\[\]% -]+")
"""Pattern of cells without markup and words."""
MOST_PLACES = 12
"""The most decimals of a number that is written without an exponent."""


@dataclass(frozen=True, kw_only=True)
class PublishedTable:
    """A published table and how it was read.

    Attributes
    ----------
    place : str
        The file, or "the text".
    format : "latex", "markdown", "csv" or "tsv"
    rows : "algorithms", "tasks" or "cells"
        What its rows are.
    lower : tuple of str
        Tasks where lower is better.
    spread : str or None
        What ± is, if the table names it ("sd", "se", "ci95", "ci95_bootstrap" …).
    notes : tuple of str
        One sentence for each decision in reading the table.
    averages : bool
        Whether an average over its tasks is meaningful; it is not if tasks differ in direction or unit, or are themselves averages of others.
    doubt : str or None
        A word in the text beside the table that speaks against a mean and its spread: "IQR".
    """

    place: str
    format: str
    rows: str
    algorithms: tuple[str, ...]
    tasks: tuple[str, ...]
    cells: tuple[PublishedCell, ...]
    lower: tuple[str, ...]
    spread: str | None
    notes: tuple[str, ...]
    averages: bool = True
    doubt: str | None = None

    @cached_property
    def _by_name(self) -> Mapping[tuple[str, str], PublishedCell]:
        return MappingProxyType({(cell.algorithm, cell.task): cell for cell in self.cells})

    def cell(self, algorithm: str, task: str) -> PublishedCell | None:
        """Return a cell; None if nothing is printed there."""
        return self._by_name.get((algorithm, task))

    def missing(self, algorithm: str) -> list[str]:
        """Return the tasks on which nothing is printed for an algorithm."""
        return [task for task in self.tasks if self.cell(algorithm, task) is None]

    def missing_spread(self, algorithm: str) -> list[str]:
        """Return the tasks on which neither ± nor counts are known for an algorithm."""
        return [task for task in self.tasks if (cell := self.cell(algorithm, task)) is None or not cell.measured]

    def sign(self, task: str) -> int:
        """Return -1 for a task where lower is better, else 1."""
        return -1 if task in self.lower else 1


Supported = Literal["yes", "no", "depends_on_spread", "depends_on_items", "cannot_be_said"]
ANSWERS: Mapping[Supported, tuple[VerdictKind, str]] = {
    "yes": ("higher", "yes"),
    "no": ("not_found", "no"),
    "depends_on_spread": ("not_tested", "depends on ±"),
    "depends_on_items": ("not_tested", "depends on the items"),
    "cannot_be_said": ("not_tested", "cannot be said"),
}
"""The words of the table."""
PRINTED: Mapping[str, tuple[str, str, str]] = {
    "run": ("Score", "scores", ", if ± is what the header says"),
    "item": (
        "Accuracy",
        "accuracies",
        ", if successes of the two fall together as the header says: as few items as possible answered by one alone (alike), as many (opposed)",
    ),
    "episode": ("Success rate", "success rates", ""),
}
"""The unit of a mean -> the header of the means, their plural, and the assumption behind the p-value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimReading:
    """The test of a claim under one meaning of ±, or under one dependence between the successes of the two.

    Attributes
    ----------
    spread : str
        "sd", "population_sd", "se", "ci95_t", "ci95_normal" or "ci95_bootstrap"; intervals also with 90 or 99. For rates, the dependence
        between the successes of the two: "independent", "alike" (as few items as possible are solved by only one of them) or "opposed" (as
        many as possible).
    statistic, df : float or None
        Welch's t of a − b, positive if a is better, and its degrees of freedom; None if n is not known. For rates the score statistic of no
        difference; None for an average over tasks with the same items.
    pvalue, pvalue_adjusted : float or None
        The two-sided p-value of the numbers as printed, and the same after Holm's correction over all comparisons of the table.
    pvalue_rounded : float or None
        The adjusted p-value if every number was rounded in the least favourable direction.
    runs_needed : int or None
        If n is not known: the smallest number of runs, the same in all cells, that would support the claim however the numbers were rounded;
        None if no number up to 100,000 does.
    runs_needed_printed : int or None
        The same for the numbers as printed.
    carried : bool or None
        Whether the claim is supported; None if the printed digits do not decide, or if it depends on the unknown n.
    """

    spread: str
    statistic: float | None
    df: float | None
    pvalue: float | None
    pvalue_adjusted: float | None
    pvalue_rounded: float | None
    runs_needed: int | None
    runs_needed_printed: int | None
    carried: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim: a is better than b.

    Attributes
    ----------
    task : str or None
        None for a claim about the average over all tasks.
    mean_a, mean_b : float
        As printed, or their averages over the tasks.
    difference : float
        The difference in favour of a, whichever direction is better.
    n_runs_a, n_runs_b : int or None
        The number of runs; None if unknown or different over the tasks.
    verdict : "yes", "no", "depends_on_spread", "depends_on_items" or "cannot_be_said"
    readings : tuple of ClaimReading
        One for each possible meaning of ±, or for each possible dependence between successes; empty if a cell has no ±.
    """

    a: str
    b: str
    task: str | None
    tasks: tuple[str, ...]
    mean_a: float
    mean_b: float
    difference: float
    n_runs_a: int | None
    n_runs_b: int | None
    verdict: Supported
    sentence: str
    readings: tuple[ClaimReading, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsResult(Result):
    """The claims of a table, and which of them survive.

    Attributes
    ----------
    table : PublishedTable
        How the table was read: `algorithms`, `tasks`, `cells`, `lower`, `rows`, `notes`.
    spreads : tuple of str
        The meanings of ± that were tested; for rates, the dependences between successes.
    unit : "run", "item" or "episode"
        The unit over which a mean is taken.
    claimed_by : "algorithm", "bold" or "mean"
        Which claims were tested: those of the named algorithm, of the bold cells, or of the best mean of each task. Over all tasks, if no
        algorithm was named, the claim is that of the best average, whatever is bold.
    family : str
        The comparisons over which Holm's correction is made, in words.
    n_compared : int
        The number of these comparisons.
    limits : tuple of str
        What the table cannot show, one sentence each.
    notes : tuple of str
        One sentence for each decision on the way.
    """

    claims: tuple[Claim, ...]
    table: PublishedTable
    spreads: tuple[str, ...]
    claimed_by: str
    family: str
    n_compared: int
    alpha: float
    limits: tuple[str, ...]
    notes: tuple[str, ...]
    unit: str = "run"
    _table: ClassVar[str | None] = "claims"

    def count(self, supported: Supported) -> int:
        """Return the number of claims with this verdict."""
        return sum(claim.verdict == supported for claim in self.claims)

    def flat_records(self) -> list[Record]:
        """Return one flat row for each claim; the columns of its readings end in the meaning of ±."""
        return [_flat(claim) for claim in self.claims]

    def tables(self) -> tuple[Table, ...]:
        """Return one row for each claim, with p or the number of runs that it needs, under each meaning of ±."""
        claims, readings = self.claims, [_by_spread(claim, self.spreads) for claim in self.claims]
        # A claim whose n is not printed has runs instead of p, by the same readings of ±; a column that no claim has
        # is left out.
        of_readings = [
            Column(key=f"{field}_{spread}", head=f"{head}{self._if(spread)}", cells=cells)
            for field, head in (("pvalue_adjusted", "p"), ("runs_needed", "Runs"))
            for spread in self.spreads
            for cells in [[by[spread, field] for by in readings]]
            if any(cell is not None for cell in cells)
        ]
        column = ColumnsOf(claims)
        columns = (
            column("task", "Task", lambda c: Name(c.task or f"{len(c.tasks)} tasks", "task")),
            column("a", "Better", lambda claim: Name(claim.a)),
            column("b", "Than", lambda claim: Name(claim.b)),
            column("mean_a", PRINTED[self.unit][0], lambda c: self._printed(c, c.a, c.mean_a), numeric=True),
            column("mean_b", "Other", lambda c: self._printed(c, c.b, c.mean_b), numeric=True),
            *of_readings,
            column("supported", "Supported", lambda c: Verdict(*ANSWERS[c.verdict])),
        )
        runs = any(column.key.startswith("runs_needed") for column in of_readings)
        p = ", p adjusted" if any(column.key.startswith("pvalue") for column in of_readings) else ""
        needed = ", and the number of runs per entry that would support it however numbers were rounded" if runs else ""
        _, scores, condition = PRINTED[self.unit]
        caption = f"Claims of the table: {scores} as printed{p}{needed}{condition} ({self.family})."
        return (Table(role="claims", title="Claims", caption=caption, columns=columns),)

    def _if(self, spread: str) -> str:
        return "" if len(self.spreads) == 1 and self.unit != "run" else f" if {spread.replace('_', ' ')}"

    def _printed(self, claim: Claim, algorithm: str, mean: float) -> Cell:
        # An average over tasks is printed nowhere; it is computed of what is.
        cell = None if claim.task is None else self.table.cell(algorithm, claim.task)
        return Number(mean, 4) if cell is None else cell.printed

    @property
    def sentence(self) -> str:
        """A sentence on the number of claims of the table that are supported and that are not."""
        yes, no = self.count("yes"), self.count("no")
        depends, unsaid = self.count("depends_on_spread"), self.count("cannot_be_said")
        of_items = self.count("depends_on_items")
        clauses = (
            f"{yes} {'is' if yes == 1 else 'are'} supported" if yes or not self.claims else "none is supported",
            f"{depends} depend{'s' if depends == 1 else ''} on what ± means" if depends else "",
            f"{of_items} depend{'s' if of_items == 1 else ''} on which items each answered" if of_items else "",
            f"{no} {'is' if no == 1 else 'are'} not supported" if no else "",
            f"of {unsaid} it cannot be said" if unsaid else "",
        )
        claims = counted([len(self.claims)], "claim")
        return f"Of {claims} of the table {', '.join(filter(None, clauses))} ({self.family})."


def _by_spread(claim: Claim, spreads: tuple[str, ...]) -> dict[tuple[str, str], Cell]:
    cells: dict[tuple[str, str], Cell] = {
        (spread, field): None for spread in spreads for field in ("pvalue_adjusted", "runs_needed")
    }
    for reading in claim.readings:
        if reading.pvalue_adjusted is not None:
            cells[reading.spread, "pvalue_adjusted"] = PValue(reading.pvalue_adjusted, reading.pvalue)
        cells[reading.spread, "runs_needed"] = reading.runs_needed
    return cells


def _flat(claim: Claim) -> Record:
    row = plain(claim)
    readings = row.pop("readings")
    # Flat rows are for spreadsheets: no cell holds a list.
    row["tasks"] = len(claim.tasks)
    for reading in readings:
        kind = reading.pop("spread")
        row |= {f"{name}_{kind}": value for name, value in reading.items()}
    return dict(row)
