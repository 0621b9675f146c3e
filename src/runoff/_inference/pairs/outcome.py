"""What a test says of a pair, and what it is asked with."""

from __future__ import annotations

from dataclasses import dataclass

from runoff._inference.about import AboutTest
from runoff.base.random import Streams


@dataclass(frozen=True, slots=True, kw_only=True)
class PairOutcome:
    """A test's answer for a pair.

    direction: positive where the test favours a. smallest: the least p-value that it can give for runs of this design, where it relabels.
    """

    about: AboutTest
    statistic: float
    pvalue: float
    pvalue_error: float = 0.0
    method: str
    df: float | None = None
    null: str
    alternative: str
    direction: float
    smallest: float | None = None

    @property
    def test(self) -> str:
        return self.about.name


@dataclass(frozen=True, slots=True, kw_only=True)
class PairOptions:
    """Options of a test; `measure` is what is compared by the default."""

    streams: Streams
    n_resamples: int
    measure: str = "mean"
