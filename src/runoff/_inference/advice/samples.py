"""Rules about two samples (R1xx): each yields codes with their texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np

from runoff._inference.about import AboutTest
from runoff._inference.advice.codes import APPLIES, USUAL_ALPHA, advise
from runoff._inference.blocked import smallest_pvalue
from runoff.answer.base import Advice
from runoff.base.arrays import Floats
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


def two_sample_advice(samples: Samples) -> tuple[Advice, ...]:
    rules = (_of_values, _of_pvalues, _of_test)
    return tuple(advise(code, text) for rule in rules for code, text in rule(samples))


def _of_values(s: Samples) -> Iterator[tuple[str, str]]:
    """R101 to R103: samples that do not vary, or are the same."""
    if s.constant_x and s.constant_y:
        alike = "they are equal, so p = 1"
        if s.difference != 0.0:
            alike = "p is that of an exact permutation test of complete separation"
        yield (
            "R101",
            f"check whether the runs had different seeds: all {s.n_x} values of x are equal and so are all {s.n_y} of y, so no test can "
            f"estimate how runs vary; {alike}.",
        )
    elif s.constant_x or s.constant_y:
        name, n = ("x", s.n_x) if s.constant_x else ("y", s.n_y)
        yield (
            "R102",
            f"all {n} values of {name} are equal; the spread of runs is estimated from the other sample alone.",
        )
    # Constant samples are equal often enough, and are spoken of above.
    if s.x is not None and s.y is not None and not s.constant_x and np.array_equal(np.sort(s.x), np.sort(s.y)):
        yield "R103", f"check whether one file was read twice: x and y hold the same {s.n_x} values."


def _of_pvalues(s: Samples) -> Iterator[tuple[str, str]]:
    """R104 and R109: p-values that so few runs cannot have."""
    if APPLIES["R104"](s.test) and s.method != "asymptotic":
        smallest = smallest_pvalue(((s.n_x, s.n_y),), two_sided=s.alternative == "two-sided")
        if smallest > USUAL_ALPHA:
            yield (
                "R104",
                f"add runs: with {s.n_x} and {s.n_y} runs the smallest p-value of this test is {digits(smallest)}, so it cannot fall below "
                f"{USUAL_ALPHA} whatever the data.",
            )
    if (
        APPLIES["R109"](s.test)
        and s.method == "asymptotic"
        and (rarest := 2 / comb(s.n_x + s.n_y, s.n_x)) > USUAL_ALPHA
    ):
        yield (
            "R109",
            f"take {option('test', 'mann_whitney')}, or add runs: of {s.n_x} and {s.n_y} runs no arrangement of ranks is rarer than "
            f"{digits(rarest)}, so a smaller p-value, which is that of a continuous distribution, is no false positive rate.",
        )


def _of_test(s: Samples) -> Iterator[tuple[str, str]]:
    """R105, R107 and R108: what the test can say, and what became of trimming and the standard error."""
    if APPLIES["R105"](s.test):
        yield (
            "R105",
            f"do not name a winner: {s.test.title} tells whether two distributions differ, not which is better.",
        )
    # As `n_trimmed` counts: 0.3 · 10 is 2.9999…
    if APPLIES["R107"](s.test) and s.trim * max(s.n_x, s.n_y) < 1.0 - 1e-9:
        yield "R107", f"trim = {s.trim} of {s.n_x} and {s.n_y} runs is less than one run, so this is Welch's test."
    if not np.isfinite(s.statistic) and not (s.constant_x and s.constant_y):
        yield (
            "R108",
            "the standard error is 0, because the samples are completely separated or trimming left only equal values; p is that of an exact "
            "permutation test.",
        )
