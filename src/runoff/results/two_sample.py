"""The answer of one two-sample test."""

from __future__ import annotations

from dataclasses import dataclass

from runoff._numbers import digits, p_with_error
from runoff._spoken import METHODS, TESTS, capital
from runoff.results.advice import Advice
from runoff.results.base import Result


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
    n_x, n_y : int
        Sizes of the samples.
    difference : float
        Mean of x minus mean of y.
    null, claim : str
        The null hypothesis and the alternative in words.
    alternative : str
        "two-sided", "greater" or "less": what the user asked for, of x relative to y.
    seed, n_resamples : int or None
        The seed and the number of draws; None where nothing was drawn.
    advice : tuple of Advice
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

    def __str__(self) -> str:
        how = f"{self.alternative}, {METHODS[self.method]}; n = {self.n_x} and {self.n_y}"
        return (
            f"{capital(TESTS[self.test])} ({how}): {p_with_error(self.pvalue, self.pvalue_error)} against the null that {self.null}, with the "
            f"alternative that {self.claim}; difference of means {digits(self.difference)}."
        )
