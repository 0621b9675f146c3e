"""Caveats about a two-sample test that come from the samples themselves (codes R101 to R108).

R101 no variance in either sample          R105 Kolmogorov-Smirnov names no winner
R102 no variance in one sample             R106 tied values in a rank test
R103 the two samples hold the same values  R107 trimming removed nothing
R104 the p-value cannot fall below 0.05    R108 a standard error of 0 although the samples vary
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from runoff._inference.about import AboutTest
from runoff._inference.advice.codes import CODES, advise
from runoff._inference.blocked import smallest_pvalue
from runoff._inference.shape import tied
from runoff.base.arrays import Floats
from runoff.results.advice import Advice
from runoff.words.numbers import digits
from runoff.words.speech import option

USUAL_ALPHA = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """The facts that the rules judge by; x and y are None where only summaries are known."""

    test: AboutTest
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


def two_sample_advice(samples: Samples) -> tuple[Advice, ...]:
    """Return all that applies, in the order of the codes."""
    rules = (
        no_variance,
        one_constant,
        same_values,
        too_few,
        rarer_than_any,
        no_winner,
        ties,
        nothing_trimmed,
        no_error,
    )
    answers = (rule(samples) for rule in rules)
    return tuple(advice for advice in answers if advice is not None)


def no_variance(samples: Samples) -> Advice | None:
    """R101: both samples are constant."""
    if not (samples.constant_x and samples.constant_y):
        return None
    same = (
        "they are equal, so p = 1"
        if samples.difference == 0.0
        else "p is that of an exact permutation test of complete separation"
    )
    return advise(
        "R101",
        f"check whether the runs had different seeds: all {samples.n_x} values of x are equal and so are all {samples.n_y} of y, so no test "
        f"can estimate how runs vary; {same}.",
    )


def one_constant(samples: Samples) -> Advice | None:
    """R102: one sample is constant."""
    if samples.constant_x == samples.constant_y:
        return None
    name, n = ("x", samples.n_x) if samples.constant_x else ("y", samples.n_y)
    return advise(
        "R102",
        f"all {n} values of {name} are equal; the spread of runs is estimated from the other sample alone.",
    )


def same_values(samples: Samples) -> Advice | None:
    """R103: the samples hold the same values."""
    if samples.x is None or samples.y is None or samples.constant_x or samples.n_x != samples.n_y:
        return None
    if not np.array_equal(np.sort(samples.x), np.sort(samples.y)):
        return None
    return advise(
        "R103",
        f"check whether one file was read twice: x and y hold the same {samples.n_x} values.",
    )


def _smallest(samples: Samples) -> float:
    """Return the smallest p-value that relabelling n_x and n_y runs can give."""
    counts = np.array([[samples.n_x, samples.n_y]])
    return smallest_pvalue(counts, two_sided=samples.alternative == "two-sided")


def too_few(samples: Samples) -> Advice | None:
    """R104: too few relabellings for any data to be significant."""
    smallest = _smallest(samples)
    if not CODES["R104"].concerns(samples.test) or samples.method == "asymptotic" or smallest <= USUAL_ALPHA:
        return None
    return advise(
        "R104",
        f"add runs: with {samples.n_x} and {samples.n_y} runs the smallest p-value of this test is {digits(smallest)}, "
        f"so it cannot fall below {USUAL_ALPHA} whatever the data.",
    )


def rarer_than_any(samples: Samples) -> Advice | None:
    """R109: a t law on the ranks of too few runs."""
    smallest = 2 / comb(samples.n_x + samples.n_y, samples.n_x)
    if not CODES["R109"].concerns(samples.test) or samples.method != "asymptotic" or smallest <= USUAL_ALPHA:
        return None
    return advise(
        "R109",
        f"take {option('test', 'mann_whitney')}, or add runs: of {samples.n_x} and {samples.n_y} runs no arrangement of ranks is rarer than "
        f"{digits(smallest)}, so a smaller p-value, which is that of a continuous law, is no error rate.",
    )


def no_winner(samples: Samples) -> Advice | None:
    """R105: a test of distributions says nothing about order."""
    if not CODES["R105"].concerns(samples.test):
        return None
    return advise(
        "R105",
        f"do not name a winner: {samples.test.title} tells whether two distributions differ, not which is better.",
    )


def ties(samples: Samples) -> Advice | None:
    """R106: mid-ranks were used."""
    if not CODES["R106"].concerns(samples.test) or samples.x is None or samples.y is None:
        return None
    pooled = np.concatenate([samples.x, samples.y])
    n_tied = tied(pooled)
    if not n_tied:
        return None
    null = "; the exact null distribution is conditional on these ties" if samples.method == "exact" else ""
    return advise(
        "R106",
        f"{n_tied} of {pooled.size} values are tied and share mid-ranks{null}.",
    )


def nothing_trimmed(samples: Samples) -> Advice | None:
    """R107: trim · n is less than one value in both samples."""
    if not CODES["R107"].concerns(samples.test) or samples.trim * max(samples.n_x, samples.n_y) >= 1.0 - 1e-9:
        return None
    return advise(
        "R107",
        f"trim = {samples.trim} of {samples.n_x} and {samples.n_y} runs is less than one run, so this is Welch's test.",
    )


def no_error(samples: Samples) -> Advice | None:
    """R108: the standard error is 0 although a sample varies."""
    if np.isfinite(samples.statistic) or (samples.constant_x and samples.constant_y):
        return None
    return advise(
        "R108",
        "the standard error is 0, because the samples are completely separated or trimming left only equal values; "
        "p is that of an exact permutation test.",
    )
