"""Caveats about a two-sample test that come from the samples themselves (codes R101 to R109): a rule returns its text, or None."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import comb
from types import MappingProxyType

import numpy as np

from runoff._inference.about import AboutTest
from runoff._inference.advice.codes import APPLIES, USUAL_ALPHA, advise
from runoff._inference.blocked import smallest_pvalue
from runoff._inference.shape import tied
from runoff.base.arrays import Floats
from runoff.results.advice import Advice
from runoff.words.numbers import digits
from runoff.words.speech import option


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


def no_variance(samples: Samples) -> str | None:
    if not (samples.constant_x and samples.constant_y):
        return None
    same = (
        "they are equal, so p = 1"
        if samples.difference == 0.0
        else "p is that of an exact permutation test of complete separation"
    )
    return (
        f"check whether the runs had different seeds: all {samples.n_x} values of x are equal and so are all {samples.n_y} of y, so no test "
        f"can estimate how runs vary; {same}."
    )


def one_constant(samples: Samples) -> str | None:
    if samples.constant_x == samples.constant_y:
        return None
    name, n = ("x", samples.n_x) if samples.constant_x else ("y", samples.n_y)
    return f"all {n} values of {name} are equal; the spread of runs is estimated from the other sample alone."


def same_values(samples: Samples) -> str | None:
    if samples.x is None or samples.y is None or samples.constant_x or samples.n_x != samples.n_y:
        return None
    if not np.array_equal(np.sort(samples.x), np.sort(samples.y)):
        return None
    return f"check whether one file was read twice: x and y hold the same {samples.n_x} values."


def too_few(samples: Samples) -> str | None:
    counts = np.array([[samples.n_x, samples.n_y]])
    smallest = smallest_pvalue(counts, two_sided=samples.alternative == "two-sided")
    if samples.method == "asymptotic" or smallest <= USUAL_ALPHA:
        return None
    return (
        f"add runs: with {samples.n_x} and {samples.n_y} runs the smallest p-value of this test is {digits(smallest)}, "
        f"so it cannot fall below {USUAL_ALPHA} whatever the data."
    )


def no_winner(samples: Samples) -> str | None:
    return f"do not name a winner: {samples.test.title} tells whether two distributions differ, not which is better."


def ties(samples: Samples) -> str | None:
    if samples.x is None or samples.y is None:
        return None
    pooled = np.concatenate([samples.x, samples.y])
    n_tied = tied(pooled)
    if not n_tied:
        return None
    null = "; the exact null distribution is conditional on these ties" if samples.method == "exact" else ""
    return f"{n_tied} of {pooled.size} values are tied and share mid-ranks{null}."


def nothing_trimmed(samples: Samples) -> str | None:
    if samples.trim * max(samples.n_x, samples.n_y) >= 1.0 - 1e-9:
        return None
    return (
        f"trim = {samples.trim} of {samples.n_x} and {samples.n_y} runs is less than one run, so this is Welch's test."
    )


def no_error(samples: Samples) -> str | None:
    if np.isfinite(samples.statistic) or (samples.constant_x and samples.constant_y):
        return None
    return (
        "the standard error is 0, because the samples are completely separated or trimming left only equal values; "
        "p is that of an exact permutation test."
    )


def rarer_than_any(samples: Samples) -> str | None:
    smallest = 2 / comb(samples.n_x + samples.n_y, samples.n_x)
    if samples.method != "asymptotic" or smallest <= USUAL_ALPHA:
        return None
    return (
        f"take {option('test', 'mann_whitney')}, or add runs: of {samples.n_x} and {samples.n_y} runs no arrangement of ranks is rarer than "
        f"{digits(smallest)}, so a smaller p-value, which is that of a continuous law, is no error rate."
    )


RULES: Mapping[str, Callable[[Samples], str | None]] = MappingProxyType(
    {
        "R101": no_variance,
        "R102": one_constant,
        "R103": same_values,
        "R104": too_few,
        "R109": rarer_than_any,
        "R105": no_winner,
        "R106": ties,
        "R107": nothing_trimmed,
        "R108": no_error,
    }
)
"""The rule of each code, in the order in which advice is given; asked only about the tests that `APPLIES` lets it concern."""


def two_sample_advice(samples: Samples) -> tuple[Advice, ...]:
    """Return all advice that applies to a two-sample test."""
    rules = ((code, rule) for code, rule in RULES.items() if code not in APPLIES or APPLIES[code](samples.test))
    texts = ((code, rule(samples)) for code, rule in rules)
    return tuple(advise(code, text) for code, text in texts if text is not None)
