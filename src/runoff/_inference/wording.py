"""Verdicts as sentences. Absence of evidence is never worded as equality."""

from __future__ import annotations

from runoff._inference.improvement import Improvement
from runoff._inference.intervals import Ends
from runoff._inference.pair_tests import PairData, PairOutcome

TEST_NAMES = {
    "welch": "Welch's t test",
    "student": "Student's t test",
    "yuen": "Yuen's test",
    "mann_whitney": "the Mann-Whitney test",
    "ranked_t": "the ranked t test",
    "brunner_munzel": "the Brunner-Munzel test",
    "permutation": "the permutation test",
    "studentized_permutation": "the studentised permutation test",
    "bootstrap": "the bootstrap test",
    "mack_skillings": "the Mack-Skillings test",
    "van_elteren": "van Elteren's test",
    "stratified_permutation": "the stratified permutation test",
}


def pair_sentence(
    pair: PairData,
    outcome: PairOutcome,
    adjusted: float,
    verdict: str,
    better: Improvement,
    smallest: float | None,
    confidence_level: float,
) -> str:
    """Return what was found of a pair, with its numbers, as one or two sentences."""
    name = TEST_NAMES[outcome.test]
    where = "" if len(pair.tasks) == 1 else f" over {len(pair.tasks)} tasks"
    difference = f"difference of means {spread(pair.difference.estimate, pair.difference.interval(confidence_level))}"
    chance = f"probability of improvement {spread(better.estimate, better.ends)}"
    numbers = f"{difference}, {chance}; {name}, {pvalue_words(outcome.pvalue, adjusted)}"
    if verdict == "a_better":
        return f"{pair.a} scores higher than {pair.b}{where} ({numbers})."
    if verdict == "b_better":
        return f"{pair.b} scores higher than {pair.a}{where} ({numbers}; differences are {pair.a} − {pair.b})."
    found = f"No difference was found between {pair.a} and {pair.b}{where} ({numbers})."
    if smallest is None:
        return f"{found} These runs do not allow to say how large a difference would have been found."
    return f"{found} A true difference of means of {smallest:.3g} would have been found with 80 % power; smaller ones may exist."


def spread(estimate: float, ends: Ends | None) -> str:
    """Return "0.52 [0.41, 0.63]", or the estimate alone."""
    return f"{estimate:.3g}" if ends is None else f"{estimate:.3g} [{ends[0]:.3g}, {ends[1]:.3g}]"


def pvalue_words(pvalue: float, adjusted: float) -> str:
    """Return the p-value, and the adjusted one where it differs."""
    words = pvalue_text(pvalue)
    return words if adjusted == pvalue else f"{words}, adjusted {pvalue_text(adjusted)}"


def pvalue_text(pvalue: float) -> str:
    """Return "p = 0.012", or "p < 0.0001"."""
    return f"p = {pvalue:.2g}" if pvalue >= 1e-4 else "p < 0.0001"
