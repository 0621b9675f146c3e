"""The answer to "which intervals may be read by eye?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from runoff.results.advice import Advice
from runoff.results.base import Records, printed_lines
from runoff.words.names import TESTS, metric_words
from runoff.words.numbers import counted, estimated, exactly

Reason = Literal["no_interval", "equal_estimates", "no_width", "direction", "conflict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InferentialRecord:
    """One algorithm: its aggregate, its inferential and its descriptive interval, and the factor between them.

    All ends and the factor are None where there is no descriptive interval (a cell of one run, or no spread).
    """

    algorithm: str
    estimate: float
    low: float | None
    high: float | None
    descriptive_low: float | None
    descriptive_high: float | None
    factor: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InferentialPair:
    """What the test says about two algorithms, and what the eye sees.

    Attributes
    ----------
    rejected : bool
        Whether the adjusted p-value is at most alpha.
    overlap : bool or None
        Whether the inferential intervals share a point; None where one of the two has none.
    """

    a: str
    b: str
    pvalue: float
    pvalue_adjusted: float
    rejected: bool
    overlap: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """A pair that must not be read by eye.

    Attributes
    ----------
    reason : "no_interval", "equal_estimates", "no_width", "direction" or "conflict"
        "direction": the intervals are apart, as the test demands, but the test favours the algorithm with the lower estimate.
    """

    a: str
    b: str
    reason: Reason
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InferentialResult(Records):
    """Intervals whose overlap says what the test says, except for the pairs in `disagreements`.

    Attributes
    ----------
    alpha, confidence_level : float
        Of the test's decisions, and of the descriptive intervals.
    tasks : tuple of str
        The tasks all algorithms have; the others are left out.
    reference : str or None
        The reference scores that the scores are normalised by.
    """

    records: tuple[InferentialRecord, ...]
    pairs: tuple[InferentialPair, ...]
    disagreements: tuple[Disagreement, ...]
    metric: str
    interval: str
    test: str
    formula: str
    correction: str
    alpha: float
    confidence_level: float
    tasks: tuple[str, ...]
    n_resamples: int
    seed: int
    advice: tuple[Advice, ...] = ()
    reference: str | None = None

    def record(self, algorithm: str) -> InferentialRecord:
        """Return one algorithm's record."""
        return self._row(InferentialRecord, f"no interval of {algorithm!r}", algorithm=algorithm)

    def __str__(self) -> str:
        pairs = counted([len(self.pairs)], "pair")
        readable = f"{pairs} of the {metric_words(self.metric)} may be read by eye"
        if self.disagreements:
            named = ", ".join(f"{d.a} and {d.b}" for d in self.disagreements)
            readable = f"{len(self.pairs) - len(self.disagreements)} of {readable}, not {named}"
        rule = f"intervals overlap if and only if {TESTS[self.test]} does not reject at α = {exactly(self.alpha)}"
        rows = [f"{r.algorithm}: {estimated(r.estimate, r.low, r.high)}" for r in self.records]
        return printed_lines(f"{readable}: {rule}.", more=rows)
