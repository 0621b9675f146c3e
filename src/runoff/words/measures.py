"""Measures of a pair: the value of no difference, which algorithm is ahead, the measure in words, and the number of tasks from which on they
can be the sample."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runoff.words.names import LOWER_IS_BETTER, measures_words, metric_words
from runoff.words.numbers import exactly, listed, percent
from runoff.words.speech import option

EVEN = 0.5
"""The probability of improvement of two that are alike."""
OF_TASKS = frozenset({"mean", "optimality_gap", "improvement"})
"""Measures that are a sum over tasks, so that their lead is what tasks make."""
MANY_TASKS, FOR_IMPROVEMENT = 6, 26
"""The fewest tasks that are tested as a sample: with five no signs reach .05, and of the improvement a t interval over 10 tasks misses the true
chance in .11 of samples, over 26 in at most .076 (docs/calibration.md)."""

LEAST_CLUSTERS, FEW_CLUSTERS = 5, 10
"""With fewer clusters of tasks than the first no verdict is given (power .03 with 3, .11 with 4); with fewer than the second they are few."""


def even_of(measure: str) -> float:
    """Return the value of a measure of a pair where the two are alike."""
    return EVEN if measure == "improvement" else 0.0


def lead_of(measure: str, estimate: float) -> float:
    """Return by how much a is ahead of b: below 0 where b is."""
    lead = estimate - even_of(measure)
    return -lead if measure in LOWER_IS_BETTER else lead


def differences_words(measure: str, *, binary: bool = False) -> str:
    """Return what a pair is compared by, inside a sentence: "difference of IQMs", "probability of improvement"."""
    if measure == "improvement":
        return "probability of improvement"
    if measure == "hodges_lehmann":
        return metric_words(measure)
    return f"difference of {'success rates' if binary and measure == 'mean' else measures_words(measure)}"


def strata_words(weights: Sequence[tuple[str, float]]) -> str:
    """Return how many strata there are and what they weigh, inside a sentence; "" where there are none."""
    if not weights:
        return ""
    if len({weight for _, weight in weights}) == 1:
        return f" in {len(weights)} strata of equal weight"
    return f" in strata that weigh {listed([f'{name} {percent(weight, 2)}' for name, weight in weights])}"


FAR = 100
"""How many times a number the scores are, at least, where it may be meant as a share of them; smaller ones are scores from 0 to 1, or near."""
LEAST = 10.0


def meant_as_share(name: str, value: float, means: Iterable[float]) -> str:
    """Return that a number below 1 is in the units of scores that are far larger, and how a share is named; "" of any other.

    >>> from runoff.words.speech import in_python
    >>> in_python(meant_as_share("effect", 0.05, [80.0, 120.0]))
    "0.05 is in the units of the scores, whose means are 80 and more in size; effect='5%' is a share of them"
    """
    least = min(map(abs, means), default=0.0)
    if not 0 < abs(value) < 1 or least < max(FAR * abs(value), LEAST):
        return ""
    share = option(name, f"{100 * value:g}%")
    return f"{exactly(value)} is in the units of the scores, whose means are {least:.3g} and more in size; {share} is a share of them"
