"""Slow, obvious twins of the two-sample kernels: one pair, plain Python, exact fractions where possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb, copysign, inf, sqrt

from scipy import stats

Sample = Sequence[float]
Statistic = Callable[[Sample, Sample], float]


def u_statistic(x: Sample, y: Sample) -> Fraction:
    """Count the pairs that x wins, ties a half each."""
    return sum((Fraction(1) if a > b else Fraction(1, 2) if a == b else Fraction(0) for a in x for b in y), Fraction(0))


def mean_difference(x: Sample, y: Sample) -> Fraction:
    """Difference of means in exact arithmetic."""
    return sum(map(Fraction, x), Fraction(0)) / len(x) - sum(map(Fraction, y), Fraction(0)) / len(y)


def variance(x: Sequence[Fraction]) -> Fraction:
    """Unbiased variance in exact arithmetic."""
    mean = sum(x, Fraction(0)) / len(x)
    return sum(((a - mean) ** 2 for a in x), Fraction(0)) / (len(x) - 1)


def signed_square(difference: Fraction, error: Fraction) -> float | Fraction:
    """d |d| / error: orders pairs like d / sqrt(error), exactly."""
    if error:
        return difference * abs(difference) / error
    return copysign(inf, difference) if difference else Fraction(0)


def welch_order(x: Sample, y: Sample) -> float | Fraction:
    """Something that grows with Welch's t."""
    error = variance([Fraction(a) for a in x]) / len(x) + variance([Fraction(b) for b in y]) / len(y)
    return signed_square(mean_difference(x, y), error)


def brunner_munzel_order(x: Sample, y: Sample) -> float | Fraction:
    """Something that grows with the Brunner-Munzel statistic."""
    of_x, of_y = [u_statistic([a], y) for a in x], [u_statistic([b], x) for b in y]
    error = variance(of_x) / (len(x) * len(y) ** 2) + variance(of_y) / (len(y) * len(x) ** 2)
    return signed_square(sum(of_x, Fraction(0)) / (len(x) * len(y)) - Fraction(1, 2), error)


def ks_gap(x: Sample, y: Sample) -> Fraction:
    """Largest distance of two empirical distribution functions."""
    return max(
        abs(Fraction(sum(a <= t for a in x), len(x)) - Fraction(sum(b <= t for b in y), len(y))) for t in [*x, *y]
    )


def relabelled(
    x: Sample, y: Sample, statistic: Callable[[Sample, Sample], float | Fraction]
) -> tuple[float, float, float]:
    """Exact permutation p-values (greater, less, two-sided by absolute value) by visiting all relabellings."""
    pooled, observed = [*x, *y], statistic(x, y)
    values = []
    for chosen in combinations(range(len(pooled)), len(x)):
        mine = [pooled[i] for i in chosen]
        values.append(statistic(mine, [pooled[i] for i in range(len(pooled)) if i not in chosen]))
    n = comb(len(pooled), len(x))
    greater, less = sum(v >= observed for v in values), sum(v <= observed for v in values)
    return greater / n, less / n, sum(abs(v) >= abs(observed) for v in values) / n


def centred_u(x: Sample, y: Sample) -> Fraction:
    """U minus its null mean, so that its absolute value is the two-sided statistic."""
    return u_statistic(x, y) - Fraction(len(x) * len(y), 2)


def bootstrap_pvalue(x: Sample, y: Sample, interval: str) -> tuple[float, float, float]:
    """p-values (greater, less, two-sided) by visiting all n_x^n_x · n_y^n_y resamples of a basic or percentile bootstrap."""
    difference = mean_difference(x, y)
    center = difference if interval == "basic" else -difference
    deviations = [
        mean_difference(a, b) - difference for a in product(x, repeat=len(x)) for b in product(y, repeat=len(y))
    ]
    at_least = sum(d >= center for d in deviations) / len(deviations)
    at_most = sum(d <= center for d in deviations) / len(deviations)
    greater, less = (at_least, at_most) if interval == "basic" else (at_most, at_least)
    return greater, less, min(1.0, 2.0 * min(greater, less))


def studentized_bootstrap_pvalue(x: Sample, y: Sample) -> tuple[float, float, float]:
    """The same for the studentised interval, whose resamples may have no variance."""
    own_x, own_y = [Fraction(a) for a in x], [Fraction(b) for b in y]
    difference = mean_difference(x, y)
    observed = signed_square(difference, variance(own_x) / len(x) + variance(own_y) / len(y))
    ratios = [
        signed_square(mean_difference(a, b) - difference, variance(list(a)) / len(a) + variance(list(b)) / len(b))
        for a in product(own_x, repeat=len(x))
        for b in product(own_y, repeat=len(y))
    ]
    greater = sum(t >= observed for t in ratios) / len(ratios)
    less = sum(t <= observed for t in ratios) / len(ratios)
    return greater, less, min(1.0, 2.0 * min(greater, less))


def welch_t(x: Sample, y: Sample) -> tuple[float, float]:
    """Welch's t and its degrees of freedom, as printed in Colas 2018, eq. 4."""
    error_x, error_y = variance([Fraction(a) for a in x]) / len(x), variance([Fraction(b) for b in y]) / len(y)
    df = (error_x + error_y) ** 2 / (error_x**2 / (len(x) - 1) + error_y**2 / (len(y) - 1))
    return float(mean_difference(x, y)) / sqrt(error_x + error_y), float(df)


# ── every registered test, two-sided ──────────


def t_of_ranks(x: Sample, y: Sample) -> float:
    """Student's t on the mid-ranks, by SciPy."""
    ranks = stats.rankdata([*x, *y])
    return float(stats.ttest_ind(ranks[: len(x)], ranks[len(x) :]).pvalue)


def of_all_relabellings(statistic: Callable[[Sample, Sample], float | Fraction]) -> Callable[[Sample, Sample], float]:
    """The two-sided p-value of a statistic over all relabellings."""
    return lambda x, y: relabelled(x, y, statistic)[2]


TWO_SIDED: dict[str, Callable[[Sample, Sample], float]] = {
    "student": lambda x, y: float(stats.ttest_ind(x, y).pvalue),
    "welch": lambda x, y: float(stats.ttest_ind(x, y, equal_var=False).pvalue),
    "yuen": lambda x, y: float(stats.ttest_ind(x, y, equal_var=False, trim=0.1).pvalue),
    "mann_whitney": of_all_relabellings(centred_u),
    "ranked_t": t_of_ranks,
    "brunner_munzel": of_all_relabellings(brunner_munzel_order),
    "permutation": of_all_relabellings(mean_difference),
    "studentized_permutation": of_all_relabellings(welch_order),
    "kolmogorov_smirnov": of_all_relabellings(ks_gap),
}
"""Name -> the p-value of two small samples, plainly; the bootstrap test is drawn, and has `studentized_bootstrap_pvalue`."""
