"""How the chance of a rejection is computed, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from runoff._inference.power.design import POWER_TESTS, Design
from runoff._inference.power.tails import central, critical_value, noncentral
from runoff._inference.power.welch import welch_power


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerFormula:
    """One way to compute power; `chance(design, shift, alpha, two_sided=)`, the shift in standard errors, towards what is asked for."""

    title: str
    cited: str
    chance: Callable[..., float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked of a design besides its runs."""

    test: str
    stds: tuple[float, ...]
    alpha: float
    alternative: str
    formula: str

    def design(self, sizes: tuple[float, ...]) -> Design:
        """Return the design with so many runs."""
        return Design(test=self.test, stds=self.stds, sizes=sizes)

    @property
    def sign(self) -> int:
        """The direction in which a one-sided test looks."""
        return -1 if self.alternative == "less" else 1


def power_of(question: Question, effect: float, sizes: tuple[float, ...]) -> float:
    """Return the chance that the test rejects, given a true difference in units of the scores."""
    design = question.design(sizes)
    chance = POWER_FORMULAS[question.formula].chance
    shift = effect / design.error
    two_sided = question.alternative == "two-sided"
    power: float = chance(
        design, abs(shift) if two_sided else question.sign * shift, question.alpha, two_sided=two_sided
    )
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
