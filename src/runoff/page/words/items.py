"""A methods paragraph about items: models, items and attempts in place of algorithms, tasks and runs."""

from __future__ import annotations

from runoff._inference.family import CORRECTIONS
from runoff._inference.pairs import about_test
from runoff.answer.comparison import ComparisonResult
from runoff.page.answers.all import Answers
from runoff.words.measures import strata_words
from runoff.words.numbers import counted, listed, span


def data_of_items(answers: Answers) -> str:
    """Return who answered how many items, and how often."""
    scores = answers.scores
    attempts = span(scores.n_runs[scores.n_runs > 0].tolist())
    how = "once by each" if attempts == "1" else f"with {attempts} attempts of each"
    missing = int((scores.n_runs == 0).sum())
    gaps = f"; {counted([missing], 'combination')} of model and item had none" if missing else ""
    rows = answers.comparison.by_stratum or answers.comparison.pairs
    sizes = [pair.n_clusters for pair in rows if pair.n_clusters is not None]
    clusters = f" Items that were drawn together were treated as clusters, {span(sizes)} of them." if sizes else ""
    strata = strata_words(answers.aggregates.weights)
    return f"We compared {scores.n_algorithms} models on {counted([scores.n_tasks], 'item')}{strata}, answered {how}{gaps}.{clusters}"


def accuracy_words(answers: Answers) -> str:
    """Return how the accuracy of each model was estimated."""
    first = answers.aggregates.rows[0]
    level = f"{100 * first.confidence_level:g}\u00a0%"
    worth = (
        "of their number" if answers.scores.of_items else "of the number of items drawn by themselves that vary as much"
    )
    if first.n_clusters is not None:
        worth = (
            "of the number of items drawn by themselves that vary as much as these clusters (after Korn & Graubard 1998), with the quantile of "
            "t for the number of clusters"
        )
    if answers.aggregates.weights:
        return (
            f"The success rate of each model is the weighted mean of the strata, with a {level} interval made of their score intervals (Wilson "
            "1927; MOVER, Zou & Donner 2008)."
        )
    return (
        f"The success rate of each model is the mean of its items, with a {level} score interval (Wilson 1927) {worth}."
    )


def effects_of_items(answers: Answers) -> str:
    """Return the words for the interval of a difference, and for pairs in which no difference was found."""
    comparison = answers.comparison
    level = f"{100 * comparison.confidence_level:g}\u00a0%"
    rows = comparison.by_stratum or comparison.pairs
    mcnemar = any(pair.pvalue_mcnemar is not None for pair in rows)
    counted_too = any(pair.won_tasks or pair.lost_tasks for pair in rows)
    test = ", with McNemar's exact test as a cross-check" if mcnemar else ""
    flips = f" Items that only one of two models solved are counted beside it{test}." if counted_too else ""
    interval = f"The difference of success rates has the {level} interval that inverts its test, so that no verdict contradicts it"
    return (
        f"{lines_words(comparison)}{interval}; each interval holds on its own, not jointly with the others.{flips} Where no difference was "
        "found, we make no claim of equality."
    )


def lines_words(comparison: ComparisonResult) -> str:
    """Return by what the strata were compared, each by itself; "" where there are none."""
    lines = comparison.by_stratum
    if not lines:
        return ""
    tests = listed([about_test(name).cited for name in dict.fromkeys(line.test for line in lines)])
    # Shaffer's steps are none of lines.
    name = "holm" if comparison.correction == "shaffer" else comparison.correction
    corrected = (
        "not corrected" if name == "none" else f"corrected over the {len(lines)} lines by {CORRECTIONS[name].cited}"
    )
    return f"Each stratum was compared by itself by {tests}, with p-values {corrected}. "
