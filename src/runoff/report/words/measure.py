"""The measure of a report in words: above a column, and as what pairs are compared by."""

from __future__ import annotations

from runoff._inference.pairs import IMPROVEMENT, JACKKNIFE, about_test
from runoff.results.comparison import ComparisonResult
from runoff.results.pair import differences_words
from runoff.words.names import capital

OF_CHANCES = "a t test of the chance to beat, with errors task by task (DeLong et al. 1988; Hanley & McNeil 1982)"


def difference_words(comparison: ComparisonResult) -> str:
    """Return what pairs are compared by, inside a sentence: "difference of IQMs", "probability of improvement"."""
    return differences_words(comparison.measure, binary=any(pair.rates for pair in comparison.pairs))


def difference_head(comparison: ComparisonResult) -> str:
    return capital(difference_words(comparison))


def tests_cited(comparison: ComparisonResult) -> list[str]:
    """Return the tests of the pairs with their sources, each once; the t test of the improvement has a law of its own."""
    own = comparison.measure == IMPROVEMENT
    names = dict.fromkeys(pair.test for pair in comparison.pairs)
    return [OF_CHANCES if own and name == JACKKNIFE else about_test(name).cited for name in names]


def compared(comparison: ComparisonResult) -> str:
    """Return what the tests of the pairs compare, inside a sentence; "" where a test by name has a question of its own."""
    if any(about_test(pair.test).by_rank for pair in comparison.pairs):
        return "" if comparison.measure != IMPROVEMENT else "who tends to be ahead"
    return (
        "chances to beat"
        if comparison.measure == IMPROVEMENT
        else difference_words(comparison).removeprefix("difference of ")
    )
