"""What is known of a measure of a pair: its value, the intervals around it, and how rare it is elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from runoff._inference.bootstrap import Ends


class PairLaw(Protocol):
    """The law of a measure of a pair: a's minus b's, or the probability that a run of a beats one of b.

    laws: t laws, each with its standard error and degrees of freedom, by which power is computed; none where it is not known so. least: the
    smallest p-value that such data can have.
    """

    @property
    def value(self) -> float: ...
    @property
    def kind(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def pvalue_error(self) -> float: ...
    @property
    def least(self) -> float: ...
    @property
    def laws(self) -> Sequence[tuple[float, float]]: ...
    def interval(self, level: float) -> Ends | None: ...
    def pvalue(self, null: float = 0.0) -> float: ...
    def equivalence_pvalue(self, margin: float, even: float) -> float: ...
