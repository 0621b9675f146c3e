"""Reservations of a two-sample test that come from the samples themselves (codes R101 to R108).

R101 no variance in either sample          R105 Kolmogorov-Smirnov names no winner
R102 no variance in one sample             R106 tied values in a rank test
R103 the two samples hold the same values  R107 trimming removed nothing
R104 the p-value cannot fall below 0.05    R108 a standard error of 0 although the samples vary
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from runoff._arrays import Floats
from runoff.results.advice import Advice

RELABELED = ("mann_whitney", "brunner_munzel", "permutation", "studentized_permutation", "kolmogorov_smirnov")
RANKED = ("mann_whitney", "brunner_munzel", "ranked_t")
USUAL_ALPHA = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the rules look at; x and y are None where only summaries are known."""

    test: str
    alternative: str
    method: str
    statistic: float
    difference: float
    n_x: int
    n_y: int
    constant_x: bool
    constant_y: bool
    trim: float = 0.0
    x: Floats | None = None
    y: Floats | None = None


def two_sample_advice(facts: Facts) -> tuple[Advice, ...]:
    """Return all that applies, in the order of the codes."""
    rules = (no_variance, one_constant, same_values, too_few, no_winner, ties, nothing_trimmed, no_error)
    found = (rule(facts) for rule in rules)
    return tuple(advice for advice in found if advice is not None)


def no_variance(facts: Facts) -> Advice | None:
    """R101: both samples are constant."""
    if not (facts.constant_x and facts.constant_y):
        return None
    same = (
        "they are equal, so p = 1"
        if facts.difference == 0.0
        else "p is that of an exact permutation test of complete separation"
    )
    return Advice(
        code="R101",
        severity="warning",
        text=f"all {facts.n_x} values of x are equal and so are all {facts.n_y} of y, so no test can estimate how runs vary; {same}. "
        "Look whether the runs had different seeds.",
        source="runoff, definition; a t test would divide by 0",
    )


def one_constant(facts: Facts) -> Advice | None:
    """R102: one sample is constant."""
    if facts.constant_x == facts.constant_y:
        return None
    name, n = ("x", facts.n_x) if facts.constant_x else ("y", facts.n_y)
    return Advice(
        code="R102",
        severity="caution",
        text=f"all {n} values of {name} are equal; whatever estimates the spread of runs does so from the other sample alone.",
        source="runoff, definition",
    )


def same_values(facts: Facts) -> Advice | None:
    """R103: the samples hold the same values."""
    if facts.x is None or facts.y is None or facts.constant_x or facts.n_x != facts.n_y:
        return None
    if not np.array_equal(np.sort(facts.x), np.sort(facts.y)):
        return None
    return Advice(
        code="R103",
        severity="caution",
        text=f"x and y hold the same {facts.n_x} values; look whether one file was read twice.",
        source="runoff, definition",
    )


def smallest_pvalue(facts: Facts) -> float:
    """Return the smallest p-value that relabeling n_x and n_y runs can give."""
    by_size = facts.n_x != facts.n_y and facts.test in ("permutation", "studentized_permutation")
    extremes = 1 if facts.alternative != "two-sided" or by_size else 2
    return min(1.0, extremes / comb(facts.n_x + facts.n_y, facts.n_x))


def too_few(facts: Facts) -> Advice | None:
    """R104: too few relabelings for any data to be significant."""
    smallest = smallest_pvalue(facts)
    if facts.test not in RELABELED or facts.method == "asymptotic" or smallest <= USUAL_ALPHA:
        return None
    return Advice(
        code="R104",
        severity="warning",
        text=f"with {facts.n_x} and {facts.n_y} runs the smallest p-value of this test is {smallest:.3g}, "
        f"so it cannot fall below {USUAL_ALPHA} whatever the data; it takes more runs.",
        source="Colas 2019, section 4.5, quantisation of p-values",
    )


def no_winner(facts: Facts) -> Advice | None:
    """R105: a test of distributions says nothing of order."""
    if facts.test != "kolmogorov_smirnov":
        return None
    return Advice(
        code="R105",
        severity="warning",
        text="Kolmogorov-Smirnov tells whether two distributions differ, not which is better; name no winner with it.",
        source="Colas 2018, footnote 3",
    )


def ties(facts: Facts) -> Advice | None:
    """R106: mid-ranks were used."""
    if facts.test not in RANKED or facts.x is None or facts.y is None:
        return None
    pooled = np.concatenate([facts.x, facts.y])
    n_tied = tied(pooled)
    if not n_tied:
        return None
    null = "; the exact null distribution is conditional on these ties" if facts.method == "exact" else ""
    return Advice(
        code="R106",
        severity="info",
        text=f"{n_tied} of {pooled.size} values are tied and share mid-ranks{null}.",
        source="Lehmann 1975, section 1.4",
    )


def tied(pooled: Floats) -> int:
    """Return how many values have an equal."""
    counts = np.unique(pooled, return_counts=True)[1]
    return int(counts[counts > 1].sum())


def nothing_trimmed(facts: Facts) -> Advice | None:
    """R107: trim · n is less than one value in both samples."""
    if facts.test != "yuen" or facts.trim * max(facts.n_x, facts.n_y) >= 1.0 - 1e-9:
        return None
    return Advice(
        code="R107",
        severity="info",
        text=f"trim = {facts.trim} of {facts.n_x} and {facts.n_y} runs is less than one run, so this is Welch's test.",
        source="Yuen 1974",
    )


def no_error(facts: Facts) -> Advice | None:
    """R108: the standard error is 0 although a sample varies."""
    if np.isfinite(facts.statistic) or (facts.constant_x and facts.constant_y):
        return None
    return Advice(
        code="R108",
        severity="caution",
        text="the standard error is 0, because the samples are completely separated or trimming left only equal values; "
        "p is that of an exact permutation test.",
        source="Neubert & Brunner 2007",
    )
