"""The cells of a table: numbers that know what they are, unrounded. A cell that is a plain string is words, an integer a count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

VerdictKind = Literal["higher", "lower", "not_found", "equivalent", "not_tested"]
"""What was decided, seen from the side that is named first; an exit takes its colour from it."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate and its interval; None where there is none.

    Attributes
    ----------
    value : float or None
        In units of the scores.
    low, high : float or None
        The ends of the interval that the table's caption names.
    """

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Chance(Estimate):
    """A probability of improvement, in [0, 1]: two are alike at a half."""


@dataclass(frozen=True, slots=True)
class PValue:
    """A p-value as it decides, adjusted over its family; and before that. None where no test was made."""

    adjusted: float | None
    raw: float | None = None


@dataclass(frozen=True, slots=True)
class Number:
    """A number without an interval; `above`: it is only known to be larger."""

    value: float | None
    digits: int = 3
    above: bool = False


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole, 1 being all of it."""

    value: float | None
    digits: int = 2


@dataclass(frozen=True, slots=True)
class Name:
    """What a caller named: an exit may shorten it, and prints it as it is, never as markup."""

    text: str
    role: Literal["algorithm", "task", "set", "other"] = "algorithm"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was decided, and how that reads: "higher IQM"."""

    kind: VerdictKind
    words: str


Cell: TypeAlias = Estimate | PValue | Number | Share | Name | Verdict | str | int | None
