"""Verdicts as sentences. Absence of evidence is never worded as equality."""

from __future__ import annotations

from runoff._inference.bootstrap import Ends, Improvement
from runoff._inference.pairs.tests import PairData, PairOutcome


def pair_sentence(
    pair: PairData,
    outcome: PairOutcome,
    adjusted: float,
    verdict: str,
    better: Improvement,
    smallest: float | None,
    confidence_level: float,
) -> str:
    """Return what was found for a pair, with its numbers, as one or two sentences, seen from the winner's side where there is one."""
    where = "" if len(pair.tasks) == 1 else f" over {len(pair.tasks)} tasks"
    estimate, ends = pair.difference.estimate, pair.difference.interval(confidence_level)
    chance, chances = better.estimate, better.ends
    if verdict == "b_better":
        estimate, ends, chance, chances = -estimate, turned(ends, 0.0), 1 - chance, turned(chances, 1.0)
    numbers = (
        f"difference of means {spread(estimate, ends)}, probability of improvement {spread(chance, chances)}; "
        f"{outcome.about.title}, {pvalue_words(outcome.pvalue, adjusted)}"
    )
    if verdict in ("a_better", "b_better"):
        winner, loser = (pair.a, pair.b) if verdict == "a_better" else (pair.b, pair.a)
        return f"{winner} {outcome.about.claim} {loser}{where} ({numbers})."
    found = f"No difference was found between {pair.a} and {pair.b}{where} ({numbers})."
    if smallest is None:
        return f"{found} These runs cannot tell how large a difference would have been found."
    return f"{found} A true difference of means of {three_digits(smallest)} would have been found with 80 % power; smaller ones may exist."


def turned(ends: Ends | None, about: float) -> Ends | None:
    """Return the interval of `about` minus the quantity: the same pair seen from the other side."""
    return None if ends is None else (about - ends[1], about - ends[0])


def spread(estimate: float, ends: Ends | None) -> str:
    """Return "0.52 [0.41, 0.63]", or the estimate alone."""
    return (
        three_digits(estimate)
        if ends is None
        else f"{three_digits(estimate)} [{three_digits(ends[0])}, {three_digits(ends[1])}]"
    )


def three_digits(value: float) -> str:
    """Return three significant digits, and all digits before the point: 0.0123, 45.6, 1316."""
    return f"{value:.0f}" if 1000 <= abs(value) < 1e9 else f"{value:.3g}"


def pvalue_words(pvalue: float, adjusted: float) -> str:
    """Return the p-value, and the adjusted one where it differs."""
    words = pvalue_text(pvalue)
    return words if adjusted == pvalue else f"{words}, adjusted {pvalue_text(adjusted)}"


def pvalue_text(pvalue: float) -> str:
    """Return "p = 0.012", or "p < 0.0001"."""
    return f"p = {pvalue:.2g}" if pvalue >= 1e-4 else "p < 0.0001"


def equivalence_words(sentence: str, pair: PairData, verdict: str, margin: float, pvalue: float, alpha: float) -> str:
    """Return the sentence of a pair, with what is known about its margin; `pvalue` is the adjusted one of equivalence."""
    tested = f"two one-sided Welch tests, {pvalue_text(pvalue)}"
    if verdict == "equivalent":
        return f"{pair.a} and {pair.b} are equivalent within a margin of {margin:g} ({tested}). {sentence}"
    if verdict != "no_difference_found" and pvalue <= alpha:
        return f"{sentence} The difference is smaller than the margin of {margin:g} ({tested})."
    return f"{sentence} The true difference was not shown to be smaller than the margin of {margin:g} ({tested})."
