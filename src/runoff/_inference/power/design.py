"""The chance that a test of means rejects for normal runs, the fewest runs that have the power, and the smallest difference that has it.

The noncentral t takes the degrees of freedom of Welch's test for known; `welch_power` integrates over their estimate. Colas et al. (2018)
shift a central t instead.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil, sqrt
from types import MappingProxyType

import numpy as np
import scipy
from scipy import special

from runoff._inference.power.estimated import critical_value, noncentral, rule
from runoff._inference.power.search import LEAST, MOST_RUNS, fewest
from runoff.base.arrays import Floats

DesignSizes = tuple[float, ...]
"""Runs of each side; search goes through fractions too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerTest:
    """A test of means with power in closed form for normal runs, of one sample against a fixed value or of two; title: in a sentence."""

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
    sizes: DesignSizes

    @property
    def parts(self) -> tuple[float, ...]:
        """The variance of each mean, in units of the largest standard deviation squared: no square can overflow."""
        return tuple((s / self.scale) ** 2 / n for s, n in zip(self.stds, self.sizes, strict=True))

    @property
    def scale(self) -> float:
        return max(self.stds)

    @property
    def error(self) -> float:
        return self.scale * sqrt(sum(self.parts))

    @property
    def df(self) -> float:
        if POWER_TESTS[self.test].equal_spread:
            return sum(n - 1 for n in self.sizes)
        shares = [part / sum(self.parts) for part in self.parts]
        return 1 / sum(share**2 / (n - 1) for share, n in zip(shares, self.sizes, strict=True))


def central(shift: float, df: Floats | float, critical: Floats, *, two_sided: bool) -> Floats:
    """Return P(T + shift > critical), or P(|T + shift| > critical), of a central t (Colas 2018, eq. 8)."""
    above: Floats = np.asarray(special.stdtr(df, shift - critical), np.float64)
    return above + np.asarray(special.stdtr(df, -shift - critical), np.float64) if two_sided else above


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
    # s_i²/n_i is a W, or b W, of the true squared error, so T = T′/√(f (a + b)) for the noncentral T′
    # of f degrees of freedom: T beyond its critical value is T′ beyond √(f (a + b)) times that.
    critical = critical_value(df, alpha, two_sided=two_sided) * np.sqrt(total * (a + b))
    return float(weights @ noncentral(shift, total, critical, two_sided=two_sided))


def _shares(n: float, m: float) -> tuple[Floats, Floats]:
    """Return values of B and their weights, which add up to 1."""
    low, high = (np.arcsin(np.sqrt(special.betaincinv((n - 1) / 2, (m - 1) / 2, q))) for q in (BEYOND, 1 - BEYOND))
    nodes, weights = rule(NODES)
    angles = low + (high - low) * (nodes + 1) / 2
    # By logarithms, and relative to the largest: sin^(n−2) of many runs is no
    # double. Weights add up to 1, so the Beta's constant is not needed.
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
class PowerQuestion:
    """A design without its runs, and the test's options."""

    test: str
    stds: tuple[float, ...]
    alpha: float
    alternative: str
    formula: str

    def design(self, sizes: DesignSizes) -> Design:
        return Design(test=self.test, stds=self.stds, sizes=sizes)

    @property
    def sign(self) -> int:
        """The direction in which a one-sided test looks."""
        return -1 if self.alternative == "less" else 1


def power_of(question: PowerQuestion, effect: float, sizes: DesignSizes) -> float:
    """Return the chance that the test rejects, given a true difference in units of the scores."""
    design = question.design(sizes)
    two_sided = question.alternative == "two-sided"
    shift = effect / design.error
    towards = abs(shift) if two_sided else question.sign * shift
    power: float = POWER_FORMULAS[question.formula].chance(design, towards, question.alpha, two_sided=two_sided)
    # A sum of two tails and of 48 nodes may miss 0 or 1 by rounding.
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


FEW, MANY = 30, 1_000
"""Up to FEW runs of each every cheaper allocation is tried, beyond MANY only the one that is best for many runs."""
SLACK, TIGHT = 0.7, 0.97
"""No test of ours needs fewer runs than this share of what a test with known variances needs: few runs, many runs."""


def sizes_of(question: PowerQuestion, n: float, ratio: float) -> DesignSizes:
    """Return n runs of each sample, the second having `ratio` times as many."""
    return (n,) if POWER_TESTS[question.test].n_samples == 1 else (n, n * ratio)


def whole_sizes(question: PowerQuestion, n: int, ratio: float) -> tuple[int, ...]:
    """Return the runs of each sample as whole numbers, at least two; a ratio of 1.1 · 10 = 11.000000000000002 is 11."""
    first, *rest = sizes_of(question, n, ratio)
    return (int(first), *(max(LEAST, ceil(m - 1e-9)) for m in rest))


def fewest_runs(question: PowerQuestion, effect: float, power: float, ratio: float = 1.0) -> tuple[int, ...] | None:
    """Return the fewest runs that find the effect with that power, None if `MOST_RUNS` are too few."""
    fewest_equal = fewest(lambda n: power_of(question, effect, whole_sizes(question, n, ratio)) >= power, MOST_RUNS)
    return None if fewest_equal is None else whole_sizes(question, fewest_equal, ratio)


def real_runs(question: PowerQuestion, effect: float, power: float, ratio: float = 1.0) -> float | None:
    """Return n before rounding up, as R's power.t.test reports it; None if two runs are enough."""

    def missing(count: float) -> float:
        return power_of(question, effect, sizes_of(question, count, ratio)) - power

    # Both sides need two runs.
    low = max(float(LEAST), LEAST / ratio)
    if missing(low) >= 0:
        return None
    high = 2 * low
    while missing(high) < 0:
        high *= 2
    return float(scipy.optimize.brentq(missing, high / 2, high, xtol=1e-10, rtol=1e-13))


def cheapest_runs(
    question: PowerQuestion, effect: float, power: float, cost: tuple[float, float]
) -> tuple[int, ...] | None:
    """Return the cheapest runs of two samples that have the power; of equally cheap ones, the most alike.

    Every allocation that could be cheaper is tried, up to `MANY` equal runs; beyond, the ratio is the one that is best for many runs,
    σ₂/σ₁ · √(c₁/c₂).
    """
    equal = fewest_runs(question, effect, power)
    if equal is None:
        return None
    ratio = question.stds[1] / question.stds[0] * sqrt(cost[0] / cost[1])
    allocations = [equal, fewest_runs(question, effect, power, ratio)]
    # By price, then by how alike they are, then by the numbers: tuples are compared in this order, so that there is one answer.
    best = min((_price(sizes, cost), abs(sizes[0] - sizes[1]), sizes) for sizes in allocations if sizes is not None)
    if equal[0] > MANY:
        return best[2]
    slack = SLACK if equal[0] <= FEW else TIGHT
    for least, n, floor in _candidates(question, effect, power, cost, limit=best[0], slack=slack):
        if least > best[0]:
            break
        # As many of the second as the best price leaves room for; the last term is for prices that are no binary fractions.
        m = _second(question, effect, power, n, (floor, int((best[0] - n * cost[0]) / cost[1] + 1e-9)))
        if m is not None:
            best = min(best, (_price((n, m), cost), abs(n - m), (n, m)))
    return best[2]


def _second(question: PowerQuestion, effect: float, power: float, n: int, among: tuple[int, int]) -> int | None:
    """Return the fewest m that have the power beside n; a few are tried one by one, since more of them can lower the degrees of freedom."""

    def enough(m: int) -> bool:
        return power_of(question, effect, (n, m)) >= power

    low, high = among
    if high - low <= 2 * FEW:
        return next((m for m in range(low, high + 1) if enough(m)), None)
    if not enough(high):
        return None
    return low + bisect_left(range(low, high), True, key=enough)


def _candidates(
    question: PowerQuestion, effect: float, power: float, cost: tuple[float, float], *, limit: float, slack: float
) -> Iterator[tuple[float, int, int]]:
    """Yield (least cost, n, fewest m) for every n that may be cheap enough, the cheapest first.

    With known variances, power is reached where σ₁²/n + σ₂²/m is (Δ / δ)², δ being the shift of a normal test; no t test does it
    with fewer runs than `slack` times those.
    """
    s, t = question.stds
    alpha = question.alpha / 2 if question.alternative == "two-sided" else question.alpha
    variance = (effect / float(special.ndtri(power) - special.ndtri(alpha))) ** 2 / slack
    n = np.arange(LEAST, (limit - LEAST * cost[1]) / cost[0] + 1)
    n = n[s**2 / n < variance]
    m = np.maximum(LEAST, np.ceil(t**2 / (variance - s**2 / n)))
    least = cost[0] * n + cost[1] * m
    for i in np.argsort(least, kind="stable"):
        yield float(least[i]), int(n[i]), int(m[i])


def _price(sizes: tuple[int, ...], cost: tuple[float, float]) -> float:
    return sum(n * c for n, c in zip(sizes, cost, strict=True))


def smallest_effect(question: PowerQuestion, power: float, sizes: tuple[int, ...]) -> float:
    """Return the true difference found with that power, in the direction in which the test looks; 0 where chance has it."""
    unit = question.sign * question.design(sizes).error

    def missing(shift: float) -> float:
        return power_of(question, shift * unit, sizes) - power

    if missing(0.0) >= 0:
        return 0.0
    high = 2.0
    while missing(high) < 0:
        high *= 2
    return unit * float(scipy.optimize.brentq(missing, 0.0, high, xtol=1e-12, rtol=1e-13))
