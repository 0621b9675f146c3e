"""The answer of one two-sample test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from runoff.results.advice import Advice
from runoff.results.base import Record, Result, printed_lines
from runoff.words.names import METHODS, TESTS, capital
from runoff.words.numbers import estimated, p_with_error


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSampleResult(Result):
    """What one test says about two samples.

    Attributes
    ----------
    test : str
        Its registered name, e.g. "welch".
    statistic : float
        Positive where x tends to be larger, except for U ("mann_whitney", larger than n_x n_y / 2) and the distance
        of "kolmogorov_smirnov". ±inf where the standard error is 0 and the centres differ.
    pvalue, pvalue_error : float
        The p-value, in (0, 1], and its Monte Carlo standard error (0 where nothing was drawn).
    method : str
        "exact", "asymptotic" or "monte_carlo".
    df : float or None
        Degrees of freedom of the t reference.
    difference : float
        Mean of x minus mean of y.
    null, claim : str
        The null hypothesis and the alternative in words.
    alternative : str
        "two-sided", "greater" or "less": what the user asked for, of x relative to y.
    seed, n_resamples : int or None
        The seed and the number of draws; None where nothing was drawn.
    difference_low, difference_high : float or None
        The two-sided t interval that "welch" or "student" inverts, whatever the alternative; None for other tests, and without spread.
    confidence_level : float
        Its level.
    """

    test: str
    statistic: float
    pvalue: float
    pvalue_error: float
    method: str
    df: float | None
    n_x: int
    n_y: int
    difference: float
    null: str
    alternative: str
    claim: str
    seed: int | None
    n_resamples: int | None
    advice: tuple[Advice, ...]
    difference_low: float | None = None
    difference_high: float | None = None
    confidence_level: float = 0.95

    def __str__(self) -> str:
        seen = estimated(self.difference, self.difference_low, self.difference_high)
        how = f"{self.alternative}, {METHODS[self.method]}; n = {self.n_x} and {self.n_y}"
        return (
            f"{capital(TESTS[self.test])} ({how}): {p_with_error(self.pvalue, self.pvalue_error)} against the null that {self.null}, with the "
            f"alternative that {self.claim}; difference of means {seen}."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSampleTable(Result):
    """One test for each line of a table of published means; p-values are not adjusted for their number."""

    lines: tuple[str, ...]
    results: tuple[TwoSampleResult, ...]
    _table: ClassVar[str | None] = "results"

    def to_records(self) -> list[Record]:
        """Return a row for each line."""
        return [{"line": line, **result.to_records()[0]} for line, result in zip(self.lines, self.results, strict=True)]

    def __str__(self) -> str:
        rows = [f"{line}: {result}" for line, result in zip(self.lines, self.results, strict=True)]
        return printed_lines(more=rows, noun="line")
