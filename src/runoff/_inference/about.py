"""What is known about a test besides how it is computed, and the levels at which a pair is judged: readers, rules and figures derive from it."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Literal

from runoff.words.names import TESTS

Compared = Literal["means", "trimmed_means", "order", "distributions"]
"""What a test is about: it decides what a rejection claims."""

CLAIMS: dict[Compared, str | None] = {
    "means": "has a higher mean score than",
    "trimmed_means": "has a higher trimmed mean score than",
    "order": "tends to score higher than",
    "distributions": None,
}
"""What a rejection says about the winner: a rank test says who tends to be ahead, not whose mean is higher."""


@dataclass(frozen=True, slots=True)
class AboutTest:
    """A test as readers, rules and figures know it.

    name: a key of `TESTS`, which has what it is called inside a sentence. label: in tables, figures and studies: "Mann-Whitney". cited:
    what a methods paragraph says, with the sources that `report.words.bibtex` spells out. compares: what it is about. relabels: whether its
    null relabels runs, so that few runs bound the p-value from below. studentized: whether it divides by a standard error, so that unequal
    spreads are allowed for. averages: whether it sees only the mean of a cell. trims: whether it drops the ends of a sample. own_claim: what a
    rejection says, where `compares` does not say it. aside: what its title adds.
    """

    name: str
    label: str
    cited: str
    compares: Compared
    _: KW_ONLY
    relabels: bool = False
    studentized: bool = False
    averages: bool = False
    trims: bool = False
    own_claim: str | None = None
    aside: str = ""

    @property
    def title(self) -> str:
        """Return what it is called inside a sentence, with its article: "the Mann-Whitney test"."""
        return TESTS[self.name] + self.aside

    @property
    def claim(self) -> str | None:
        """Return what a rejection says about the winner; None for a test that names none."""
        return self.own_claim or CLAIMS[self.compares]

    @property
    def by_rank(self) -> bool:
        """Return whether the order of the runs decides, so that ties get average ranks."""
        return self.compares == "order"

    @property
    def target(self) -> str:
        """Return what a study centres its worlds on: the median for ranks of runs (Colas et al. 2019 §4.1), else the mean."""
        # Equal means are no null of ranks: of skewed runs with equal means one side has more high ones.
        return "median" if self.by_rank and not self.averages else "mean"


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """The p-values that a pair has to reach: `first` if no other is found, `best` if all others are; alpha: over the family."""

    first: float
    best: float
    alpha: float
