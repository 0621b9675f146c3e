"""A design whose power is asked: which test of means, how far runs spread, how many there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from types import MappingProxyType

Sizes = tuple[float, ...]
"""Runs of each side; search goes through fractions too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerTest:
    """A test of means whose power is known in closed form for normal runs.

    title: in a sentence; n_samples: 1 against a fixed value, or 2; equal_spread: whether it assumes one variance.
    """

    title: str
    n_samples: int
    equal_spread: bool
    formula: str


POWER_TESTS: Mapping[str, PowerTest] = MappingProxyType(
    {
        "welch": PowerTest(
            title="Welch's t test",
            n_samples=2,
            equal_spread=False,
            formula="δ = Δ / √(σ₁²/n₁ + σ₂²/n₂), df of Satterthwaite at the true variances (Colas 2018, eqs. 4 and 7)",
        ),
        "student": PowerTest(
            title="Student's t test",
            n_samples=2,
            equal_spread=True,
            formula="δ = Δ / (σ √(1/n₁ + 1/n₂)), df = n₁ + n₂ − 2",
        ),
        "one_sample": PowerTest(
            title="the one-sample t test",
            n_samples=1,
            equal_spread=True,
            formula="δ = Δ √n / σ, df = n − 1; the other side is a fixed value",
        ),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """A test with its standard deviations and runs: one number of each per sample."""

    test: str
    stds: tuple[float, ...]
    sizes: Sizes

    @property
    def parts(self) -> tuple[float, ...]:
        """The variance of each mean, in units of the largest standard deviation squared: no square can overflow."""
        return tuple((s / self.scale) ** 2 / n for s, n in zip(self.stds, self.sizes, strict=True))

    @property
    def scale(self) -> float:
        """The largest standard deviation."""
        return max(self.stds)

    @property
    def error(self) -> float:
        """The standard error of the difference."""
        return self.scale * sqrt(sum(self.parts))

    @property
    def df(self) -> float:
        """Degrees of freedom of the t, at the true variances."""
        if POWER_TESTS[self.test].equal_spread:
            return sum(n - 1 for n in self.sizes)
        shares = [part / sum(self.parts) for part in self.parts]
        return 1 / sum(share**2 / (n - 1) for share, n in zip(shares, self.sizes, strict=True))
