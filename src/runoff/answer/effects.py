"""The answers to "how large is the difference?" and "does a random run of a beat one of b?", and that of a single two-sample test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from runoff.answer.base import Advice, Record, Result, seen_from_b
from runoff.answer.ends import WithInterval
from runoff.answer.pair_rows import PairRows
from runoff.answer.rows import Records
from runoff.cells import Chance, ColumnsOf, Name, Table
from runoff.words.names import METHODS, TESTS, capital
from runoff.words.numbers import chances, estimated, p_with_error, percent


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectRow(WithInterval):
    """One effect size of one pair.

    Attributes
    ----------
    a, b : str
        Algorithms; the effect is that of a relative to b.
    effect_size : "difference", "ratio", "hedges_g", "cliffs_delta" or "improvement"
    estimate : float or None
        The effect size; None if undefined.
    interval : "t", "score", "mann_whitney", "fieller", "noncentral_t", "normal" or None
    no_effect : float
        The value that means no effect: 0, 1 for a ratio, ½ for a probability.
    n_runs_a, n_runs_b : tuple of (int, int)
        The fewest and most runs of the algorithm on a task.
    """

    a: str
    b: str
    effect_size: str
    estimate: float | None
    low: float | None
    high: float | None
    interval: str | None
    confidence_level: float
    n_tasks: int
    no_effect: float
    n_runs_a: tuple[int, int] = (0, 0)
    n_runs_b: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectsResult(Records[EffectRow]):
    """Effect sizes, in the order of pairs, then effects."""

    rows: tuple[EffectRow, ...]
    advice: tuple[Advice, ...] = ()

    @property
    def sentence(self) -> str:
        """A sentence on the kind of the effect sizes and the level of their intervals."""
        level = percent(self.rows[0].confidence_level)
        return f"Effect sizes of the first algorithm relative to the second, with {level} intervals, each on its own."


@dataclass(frozen=True, slots=True, kw_only=True)
class ImprovementRow(WithInterval):
    """One pair: the probability that a random run of a beats a random run of b, ties counting half, averaged over `n_tasks` shared tasks.

    `low` and `high` are None if either has a single run on some task; `interval` is "t", "mann_whitney" (one task) or "score" (scores of 0
    and 1).
    """

    a: str
    b: str
    estimate: float
    low: float | None
    high: float | None
    interval: str | None
    confidence_level: float
    n_tasks: int

    def turned(self) -> ImprovementRow:
        """Return the probability that a random run of b beats a random run of a."""
        return seen_from_b(self, {"estimate": 1.0})


@dataclass(frozen=True, slots=True, kw_only=True)
class ImprovementResult(PairRows[ImprovementRow]):
    """Probabilities of improvement, one record per pair."""

    rows: tuple[ImprovementRow, ...]
    advice: tuple[Advice, ...] = ()
    _table: ClassVar[str | None] = "rows"

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each pair."""
        column = ColumnsOf(self.rows)
        columns = (
            column("a", "First", lambda row: Name(row.a)),
            column("b", "Second", lambda row: Name(row.b)),
            column("chance", "Chance", lambda row: Chance(row.estimate, row.low, row.high)),
        )
        level = f"{percent(self.rows[0].confidence_level)} intervals, each on its own"
        caption = f"Chance that a random run of the first scores higher than one of the second (ties count half), with {level}."
        return (Table(role="improvement", title="Probability of improvement", caption=caption, columns=columns),)

    @property
    def sentence(self) -> str:
        """A sentence on the probability for the only pair, or on the number of pairs."""
        row = self.rows[0]
        if len(self.rows) > 1:
            return f"The chance of {len(self.rows)} pairs of algorithms that a random run of the first scores higher than one of the second."
        chance = chances(row.estimate, row.low, row.high)
        return f"The chance that a random run of {row.a} scores higher than one of {row.b} is {chance}."


# ── two samples ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSampleResult(Result):
    """The answer of one two-sample test.

    Attributes
    ----------
    test : str
        The registered name of the test, e.g. "welch".
    statistic : float
        Positive if x tends to be larger, except for U ("mann_whitney", then larger than n_x n_y / 2) and the distance of
        "kolmogorov_smirnov". ±inf if the standard error is 0 and the centres differ.
    pvalue, pvalue_error : float
        The p-value, in (0, 1], and its Monte Carlo standard error (0 if nothing was drawn).
    method : str
        "exact", "asymptotic" or "monte_carlo".
    df : float or None
        The degrees of freedom of the t distribution.
    difference : float
        Mean of x minus mean of y.
    null, claim : str
        The null hypothesis and the alternative in words.
    alternative : str
        The alternative that the user chose, for x relative to y: "two-sided", "greater" or "less".
    seed, n_resamples : int or None
        The seed and the number of draws; None if nothing was drawn.
    difference_low, difference_high : float or None
        The two-sided t interval that belongs to "welch" or "student", whatever the alternative; None for other tests, and without spread.
    confidence_level : float
        The level of this interval.
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

    @property
    def sentence(self) -> str:
        """A sentence on the test, its p-value, and the difference of means."""
        seen = estimated(self.difference, self.difference_low, self.difference_high)
        how = f"{self.alternative}, {METHODS[self.method]}; n = {self.n_x} and {self.n_y}"
        return (
            f"{capital(TESTS[self.test])} ({how}): {p_with_error(self.pvalue, self.pvalue_error)} against the null that {self.null}, with the "
            f"alternative that {self.claim}; difference of means {seen}."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSampleTable(Result):
    """One test for each row of a table of published means; p-values are not adjusted for the number of tests."""

    lines: tuple[str, ...]
    results: tuple[TwoSampleResult, ...]
    _table: ClassVar[str | None] = "results"

    def to_records(self) -> list[Record]:
        """Return one record for each row of the table."""
        return [{"line": line, **result.to_records()[0]} for line, result in zip(self.lines, self.results, strict=True)]

    @property
    def sentence(self) -> str:
        """A sentence on the only test, or on the number of tests."""
        if len(self.lines) == 1:
            return f"{self.lines[0]}: {self.results[0].sentence}"
        return f"{len(self.lines)} lines were tested, each by itself; p-values are not adjusted for their number."
