"""The answer to "what of a published table survives?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from runoff.results.base import Record, Result, plain, shown
from runoff.results.published import PublishedTable
from runoff.tables.frames import html_table

Supported = Literal["yes", "no", "depends_on_spread", "cannot_be_said"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimReading:
    """What a claim is worth if ± is of one kind.

    Attributes
    ----------
    spread : str
        "sd", "population_sd", "se", "ci95_t" or "ci95_normal".
    statistic, df : float or None
        Welch's t of a − b, positive where a is better, and its degrees of freedom; None where n is not known.
    pvalue, pvalue_adjusted : float or None
        Two-sided, of the numbers as printed; and after Holm over all comparisons of the table.
    pvalue_rounded : float or None
        The adjusted one where every number was rounded in the least favourable way.
    n_needed : int or None
        Where n is not known: the smallest number of runs, the same in all cells, that would carry the claim however the numbers were
        rounded; None where no number up to 100,000 does.
    n_needed_printed : int or None
        The same of the numbers as printed.
    carried : bool or None
        Whether it is supported; None where the printed digits are too few, or n is not known and decides.
    """

    spread: str
    statistic: float | None
    df: float | None
    pvalue: float | None
    pvalue_adjusted: float | None
    pvalue_rounded: float | None
    n_needed: int | None
    n_needed_printed: int | None
    carried: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim: a is better than b.

    Attributes
    ----------
    a, b : str
    task : str or None
        None for the average over all tasks.
    tasks : tuple of str
    mean_a, mean_b : float
        As printed, or their averages over the tasks.
    difference : float
        In favour of a, whichever direction is better.
    n_a, n_b : int or None
        Runs; None where they are not known or differ over the tasks.
    supported : "yes", "no", "depends_on_spread" or "cannot_be_said"
    sentence : str
    readings : tuple of ClaimReading
        One for each kind that ± may be; empty where a cell has no ±.
    """

    a: str
    b: str
    task: str | None
    tasks: tuple[str, ...]
    mean_a: float
    mean_b: float
    difference: float
    n_a: int | None
    n_b: int | None
    supported: Supported
    sentence: str
    readings: tuple[ClaimReading, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsResult(Result):
    """Which claims of a table survive.

    Attributes
    ----------
    claims : tuple of Claim
    table : PublishedTable
        How the table was read: `algorithms`, `tasks`, `cells`, `lower`, `rows`, `notes`.
    spreads : tuple of str
        What ± was taken for.
    claimed_by : "algorithm", "bold" or "mean"
        Whose claims they are: of the algorithm that was named, of the bold cells, of the best mean of each task.
    family : str
        The comparisons that Holm's correction is over, in words.
    n_compared : int
        How many they are.
    alpha : float
    limits : tuple of str
        What the table does not let anyone say.
    notes : tuple of str
        What was decided on the way.
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
    _table: ClassVar[str | None] = "claims"

    def count(self, supported: Supported) -> int:
        """Return how many claims are answered so."""
        return sum(claim.supported == supported for claim in self.claims)

    def flat_records(self) -> list[Record]:
        """Return one flat row for each claim: what its readings say stands in columns that end in the kind of ±."""
        return [_flat(claim) for claim in self.claims]

    def _repr_html_(self) -> str:
        rows = [{name: shown(value) for name, value in record.items()} for record in self.flat_records()]
        return html_table(rows, caption=str(self).splitlines(), more=": flat_records() has all of them")

    def __str__(self) -> str:
        sentences = [f"{n} {_be(n)} supported" if (n := self.count("yes")) or not self.claims else "none is supported"]
        sentences += [
            f"{n} depend{'s' if n == 1 else ''} on what ± means" for n in [self.count("depends_on_spread")] if n
        ]
        sentences += [f"{n} {_be(n)} not supported" for n in [self.count("no")] if n]
        sentences += [f"of {n} it cannot be said" for n in [self.count("cannot_be_said")] if n]
        claims = f"{len(self.claims)} claim{'' if len(self.claims) == 1 else 's'}"
        return f"Of {claims} of the table {', '.join(sentences)} ({self.family})."


def _be(n: int) -> str:
    return "is" if n == 1 else "are"


def _flat(claim: Claim) -> Record:
    row = plain(claim)
    readings = row.pop("readings")
    row["tasks"] = len(claim.tasks)
    for reading in readings:
        kind = reading.pop("spread")
        row |= {f"{name}_{kind}": value for name, value in reading.items()}
    return dict(row)
