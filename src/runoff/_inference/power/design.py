"""The chance that a test of means rejects for normal runs, the fewest runs that have the power, and the smallest difference that has it.

The noncentral t takes the degrees of freedom of Welch's test for known; `welch_power` integrates over their estimate. Colas et al. (2018)
shift a central t instead. `detectable` and `needed_multiple` know an estimated standard error only, and average power over what the true one
may be.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from math import ceil, inf, isinf, sqrt
from types import MappingProxyType

import numpy as np
import scipy
from scipy import special

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


def critical_value(df: Floats | float, alpha: float, *, two_sided: bool) -> Floats:
    """Return t beyond which a t test at alpha rejects."""
    lower: Floats = np.asarray(special.stdtrit(df, alpha / 2 if two_sided else alpha), np.float64)
    # Of the lower tail: 1 − α/2 would round at small α.
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
    beyond = far.any()
    near: Floats = np.asarray(special.nctdtr(df, np.where(far, 0.0, shift) if beyond else shift, t), np.float64)
    if np.isnan(near).any():  # in far tails, which are 0 or 1, too
        near = np.where(np.isnan(near), np.asarray(t > shift, np.float64), near)
    if not beyond:
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
    # s_i²/n_i is a W, or b W, of the true squared error, so T = T′/√(f (a + b)) for the noncentral T′
    # of f degrees of freedom: T beyond its critical value is T′ beyond √(f (a + b)) times that.
    critical = critical_value(df, alpha, two_sided=two_sided) * np.sqrt(total * (a + b))
    return float(weights @ noncentral(shift, total, critical, two_sided=two_sided))


@cache
def _rule(n: int) -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(n)


def _shares(n: float, m: float) -> tuple[Floats, Floats]:
    """Return values of B and their weights, which add up to 1."""
    low, high = (np.arcsin(np.sqrt(special.betaincinv((n - 1) / 2, (m - 1) / 2, q))) for q in (BEYOND, 1 - BEYOND))
    nodes, weights = _rule(NODES)
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


LEAST, MOST_RUNS = 2, 10_000_000
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


def fewest(enough: Callable[[int], bool], most: int) -> int | None:
    """Return the fewest runs that are enough, from `LEAST` on, where more are enough too; None if `most` are too few."""
    high = LEAST
    # Doubled, then halved: some 2 log₂ n questions, where each may cost a simulation.
    while not enough(high):
        if high == most:
            return None
        high = min(2 * high, most)
    return halved(enough, high // 2, high)


def halved(enough: Callable[[int], bool], low: int, high: int) -> int:
    """Return the fewest runs that are enough, where `high` are and `low` are not."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


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
    for least, n, fewest in _candidates(question, effect, power, cost, limit=best[0], slack=slack):
        if least > best[0]:
            break
        # As many of the second as the best price leaves room for; the last term is for prices that are no binary fractions.
        m = _second(question, effect, power, n, (fewest, int((best[0] - n * cost[0]) / cost[1] + 1e-9)))
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


MOST = 1e6
"""Times as many runs, beyond which no number is given."""
ERROR_NODES, OUTSIDE = 32, 1e-12
"""Nodes over the likely standard errors, by which power errs by 1e-6 with one degree of freedom and by less with more; what is left out."""
GAUSS_NODES, GAUSS_DF = 12, 50
"""Nodes of Gauss' rule for χ² itself, by which power errs by less than 1e-9 from so many degrees of freedom on (1e-12 at levels above 1e-6)."""
ONE_SIDED = 0.005
"""At smaller levels rejections on the wrong side are not counted: they are rarer still."""


def detectable(error: float, df: float, alpha: float, power: float = 0.8, *, own_df: float | None = None) -> float:
    """Return the true difference that new runs of this design would find with `power` by a two-sided t test.

    The standard error is an estimate, and may be too small or too large by what df allows: power is averaged over that, s² / σ² being
    χ² / df. With the estimate taken for the truth, 3 runs of one task would find the difference stated in 70 % of cases, not 80 %.
    Colas 2018 eq. 8 shifts a central t and is one-sided, which gives sizes too small. inf: SciPy knows no critical value so far out.
    own_df: those of the estimate, where the test has more.
    """
    if alpha >= power:
        return 0.0  # chance alone has that power
    return _in_errors(round(df, 9), round(df if own_df is None else own_df, 9), alpha, power) * error


@lru_cache(maxsize=1024)
def _in_errors(df: float, own_df: float, alpha: float, power: float) -> float:
    critical = float(critical_value(df, alpha, two_sided=True))
    if isinf(critical):
        return inf
    return _where(
        lambda shift: average_power(shift, own_df, df, alpha), power, max(critical + special.ndtri(power), 0.1)
    )


def needed_multiple(
    difference: float, error: float, df: float, n_runs: int, alpha: float, *, power: float = 0.8
) -> float:
    """Return how many times the runs of this design a two-sided t test needs to find a true difference with `power`; 1: those there are.

    As `detectable`, which it inverts: the standard error shrinks with the root of the number of runs, what is known of it does not; the
    degrees of freedom of the test grow as those of its cells of `n_runs`. inf: more than a million times.
    """
    ratio, least, most = abs(difference) / error, sqrt(LEAST / n_runs), sqrt(MOST)
    if not ratio:
        return inf

    def chance(root: float) -> float:
        return average_power(ratio * root, df, grown(df, n_runs, n_runs * root**2), alpha)

    # With the degrees of freedom that there are it takes so many; the root is searched from there.
    likely = detectable(1.0, df, alpha, power) / ratio
    # Asked only near the ends of the search: each answer is an integral.
    if likely > most and chance(most) < power:
        return inf
    if likely < 2 * least and chance(least) >= power:
        return LEAST / n_runs
    root = _where(chance, power, min(max(likely, least), most), most=most)
    return inf if isinf(root) else root**2


def grown(df: float, n_runs: float, n: float) -> float:
    """Return the degrees of freedom of cells of n runs, where those of `n_runs` have df."""
    # V²/Σ v²/(n − 1) is proportional to n − 1 where all cells have n runs.
    return max(df * (n - 1) / (n_runs - 1), 1.0)


def average_power(shift: float, df: float, freedom: float, alpha: float) -> float:
    """Return the power of a two-sided t test of this freedom for a true difference of `shift` estimated errors, each known with df."""
    errors, weights = likely_errors(df)
    critical = critical_value(freedom, alpha, two_sided=True)
    # The difference is `shift` of the errors that were estimated, s/σ times as many of the true ones.
    return float(weights @ noncentral(shift * errors, freedom, critical, two_sided=alpha > ONE_SIDED))


def _where(chance: Callable[[float], float], power: float, start: float, most: float = inf) -> float:
    """Return where a rising chance is `power`, by secants of its probit, which is nearly a line; inf beyond `most`."""
    wanted = float(special.ndtri(power))

    def missing(x: float) -> float:
        return min(max(float(special.ndtri(chance(x))), -9.0), 9.0) - wanted

    # Two points near the likely answer, for the first secant.
    before, here, low, high = start / 1.02, start, 0.0, inf
    lacked, lacks = missing(before), missing(here)
    while here <= most and lacks and abs(here - before) > 1e-8 * here:  # the next step is smaller by orders
        low, high = (here, high) if lacks < 0 else (low, here)
        slope = (lacks - lacked) / (here - before)
        step = lacks / slope if slope > 0 else inf * lacks
        before, here, lacked = here, min(max(here - step, here / 2), here * 2), lacks
        # At a kink, where the degrees of freedom end, secants would go in circles; a step too small to be one ends the search.
        if not low < here < high and abs(here - before) > 1e-8 * here:
            here = (low + high) / 2
        lacks = missing(here) if abs(here - before) > 1e-8 * here else 0.0
    return float(here) if here <= most else inf


@lru_cache(maxsize=256)
def likely_errors(df: float) -> tuple[Floats, Floats]:
    """Return values of s / σ and their weights, which add up to 1: s² / σ² is χ² / df; inf: the error is known."""
    if isinf(df):
        return np.ones(1), np.ones(1)
    if df >= GAUSS_DF:
        # Golub & Welsch (1969): χ² / 2 has the weight of the generalised Laguerre polynomials, whose recurrence is this matrix.
        order = np.arange(GAUSS_NODES)
        beside = np.diag(np.sqrt(order[1:] * (order[1:] + df / 2 - 1)), 1)
        halves, vectors = np.linalg.eigh(np.diag(2 * order + df / 2) + beside + beside.T)
        return np.sqrt(2 * halves / df), vectors[0] ** 2
    # With fewer degrees of freedom the rule for χ² is not that close: the density of its root is integrated as it is.
    low, high = np.sqrt(2 * special.gammaincinv(df / 2, [OUTSIDE, 1 - OUTSIDE]) / df)
    nodes, weights = _rule(ERROR_NODES)
    errors = low + (high - low) * (nodes + 1) / 2
    logs = (df - 1) * np.log(errors) - df * errors**2 / 2
    likely = weights * np.exp(logs - logs.max())
    return errors, likely / likely.sum()
