"""The chance that a test of means rejects for normal runs: designs (POWER_TESTS) and ways to compute it (POWER_FORMULAS), by name.

The noncentral t takes the degrees of freedom of Welch's test for known; `welch_power` integrates over their estimate. Colas et al. (2018)
shift a central t instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from math import sqrt
from types import MappingProxyType

import numpy as np
from scipy import special

from runoff.base.arrays import Floats

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


def critical_value(df: Floats | float, alpha: float, *, two_sided: bool) -> Floats:
    """Return t beyond which a t test at alpha rejects."""
    lower: Floats = np.asarray(special.stdtrit(df, alpha / 2 if two_sided else alpha), np.float64)
    return -lower


def noncentral(shift: Floats | float, df: Floats | float, critical: Floats, *, two_sided: bool) -> Floats:
    """Return P(T' > critical), or P(|T'| > critical), of a noncentral t."""
    above = 1 - _below(shift, df, critical)
    return above + _below(shift, df, -critical) if two_sided else above


def central(shift: float, df: Floats | float, critical: Floats, *, two_sided: bool) -> Floats:
    """Return P(T + shift > critical), or P(|T + shift| > critical), of a central t (Colas 2018, eq. 8)."""
    above: Floats = np.asarray(special.stdtr(df, shift - critical), np.float64)
    return above + np.asarray(special.stdtr(df, -shift - critical), np.float64) if two_sided else above


def _below(shift: Floats | float, df: Floats | float, t: Floats) -> Floats:
    """Return P(T' ≤ t) of T' = (Z + shift) / s, where df s² is χ² with df degrees of freedom."""
    # Beyond FAR SciPy gives NaN, slowly, and Z is nothing beside the shift: T' ≤ t where s ≥ shift / t, for a shift and a t above 0.
    far = np.abs(shift) > FAR
    near: Floats = np.asarray(special.nctdtr(df, np.where(far, 0.0, shift), t), np.float64)
    # SciPy gives NaN in far tails too, which are 0 or 1.
    near = np.where(np.isnan(near), np.asarray(t > shift, np.float64), near)
    if not np.any(far):
        return near
    with np.errstate(divide="ignore", over="ignore"):
        ratio = shift / t
        squared = df * ratio**2
    towards = np.where(np.greater(shift, 0.0), special.chdtrc(df, squared), special.chdtr(df, squared))
    return np.where(far, np.where(ratio > 0, towards, np.less(shift, 0.0)), near)


FAR = 1e4
"""A noncentral t whose shift is beyond this is its limit, to eight digits."""
NODES = 48
"""Nodes of the Gauss-Legendre rule; from 32 on, no figure before the eleventh changes."""
BEYOND = 1e-13
"""The share of outcomes left out at either end, too small to show in a double."""


def welch_power(design: Design, shift: float, alpha: float, *, two_sided: bool) -> float:
    """Return the power of Welch's test for normal runs, by one integral.

    With W = Σ (n_i − 1) s_i² / σ_i², which is χ² of f = n₁ + n₂ − 2, and B the share of the first sample in it, which is Beta((n₁ − 1)/2,
    (n₂ − 1)/2) and independent of W: given B, Welch's T is a noncentral t with f degrees of freedom over a known ratio R(B), and its critical
    value is known. With B = sin² θ the density is sin^(n₁−2) θ cos^(n₂−2) θ, smooth for two runs too.
    """
    (n, m), total = design.sizes, sum(design.sizes) - 2
    share = design.parts[0] / sum(design.parts)
    of_first, weights = _shares(n, m)
    a, b = share * of_first / (n - 1), (1 - share) * (1 - of_first) / (m - 1)
    df = (a + b) ** 2 / (a**2 / (n - 1) + b**2 / (m - 1))
    critical = critical_value(df, alpha, two_sided=two_sided) * np.sqrt(total * (a + b))
    return float(weights @ noncentral(shift, total, critical, two_sided=two_sided))


@cache
def _rule() -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(NODES)


def _shares(n: float, m: float) -> tuple[Floats, Floats]:
    """Return values of B and their weights, which add up to 1."""
    low, high = (np.arcsin(np.sqrt(special.betaincinv((n - 1) / 2, (m - 1) / 2, q))) for q in (BEYOND, 1 - BEYOND))
    nodes, weights = _rule()
    angles = low + (high - low) * (nodes + 1) / 2
    logs = (n - 2) * np.log(np.sin(angles)) + (m - 2) * np.log(np.cos(angles))
    likely = weights * np.exp(logs - logs.max())
    return np.sin(angles) ** 2, likely / likely.sum()


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerFormula:
    """One way to compute power; `chance(design, shift, alpha, two_sided=)`, the shift in standard errors, towards the alternative."""

    title: str
    cited: str
    chance: Callable[..., float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A design without its runs, and the test's options."""

    test: str
    stds: tuple[float, ...]
    alpha: float
    alternative: str
    formula: str

    def design(self, sizes: Sizes) -> Design:
        """Return the design with so many runs."""
        return Design(test=self.test, stds=self.stds, sizes=sizes)

    @property
    def sign(self) -> int:
        """The direction in which a one-sided test looks."""
        return -1 if self.alternative == "less" else 1


def power_of(question: Question, effect: float, sizes: Sizes) -> float:
    """Return the chance that the test rejects, given a true difference in units of the scores."""
    design = question.design(sizes)
    two_sided = question.alternative == "two-sided"
    shift = effect / design.error
    towards = abs(shift) if two_sided else question.sign * shift
    power: float = POWER_FORMULAS[question.formula].chance(design, towards, question.alpha, two_sided=two_sided)
    return min(max(power, 0.0), 1.0)


def _noncentral(design: Design, shift: float, alpha: float, *, two_sided: bool) -> float:
    critical = critical_value(design.df, alpha, two_sided=two_sided)
    return float(noncentral(shift, design.df, critical, two_sided=two_sided))


def _exact(design: Design, shift: float, alpha: float, *, two_sided: bool) -> float:
    chance = _noncentral if POWER_TESTS[design.test].equal_spread else welch_power
    return chance(design, shift, alpha, two_sided=two_sided)


def _colas(design: Design, shift: float, alpha: float, *, two_sided: bool) -> float:
    critical = critical_value(design.df, alpha, two_sided=two_sided)
    return float(central(shift, design.df, critical, two_sided=two_sided))


POWER_FORMULAS: Mapping[str, PowerFormula] = MappingProxyType(
    {
        "noncentral": PowerFormula(
            title="the noncentral t, as R's power.t.test; of Welch's test, with the degrees of freedom of the true variances",
            cited="Colas et al. 2018; R",
            chance=_noncentral,
        ),
        "exact": PowerFormula(
            title="the test itself: of Welch's, whose degrees of freedom are estimated, by an integral; of the others the noncentral t",
            cited="own derivation",
            chance=_exact,
        ),
        "colas2018": PowerFormula(
            title="a shifted central t, an approximation; the paper's own numbers are one-sided",
            cited="Colas et al. 2018, eq. 8",
            chance=_colas,
        ),
    }
)
