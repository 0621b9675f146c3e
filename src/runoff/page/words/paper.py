"""Sentences for the paper: the answer, and each pair of the leader by each measure that it was read by; the formats of figures."""

from __future__ import annotations

from collections.abc import Iterable

from runoff.answer.pair import MeasureReading, Pair
from runoff.answer.standing import Standing
from runoff.page.answers.all import Answers
from runoff.words.measures import differences_words, lead_of
from runoff.words.names import LOWER_IS_BETTER, capital, measure_words
from runoff.words.numbers import chances, digits, p_equals
from runoff.words.speech import option

FORMATS = ("svg", "pdf", "png")
MOST_RIVALS = 10
"""The most opponents of the leader whose sentences stand on the page."""


def paper_sentences(answers: Answers, standing: Standing) -> list[tuple[str, str, str]]:
    """Return what is offered to be copied: the opponent, "" for the whole answer, the measure in words, and the sentence; none for what the
    measure of the report says of a pair, which is the sentence of the pair.
    """
    comparison = answers.comparison
    if not standing.pairs:
        return []
    decided = measure_words(comparison.measure)
    rows = [("", decided, comparison.sentence)]
    for pair in (pair for pair in standing.own[:MOST_RIVALS] if not pair.unjudged):
        rows.append((pair.b, decided, ""))
        adjusted = "adjusted " * (len(comparison.pairs) > 1)
        rows += [
            (pair.b, measure_words(reading.measure), _read(pair, reading, adjusted)) for reading in pair.other_readings
        ]
    return rows


def _read(pair: Pair, reading: MeasureReading, adjusted: str) -> str:
    """Return what another measure says of a pair; it was decided like the measure of the report and has no interval there."""
    p = "no p" if reading.pvalue_adjusted is None else f"{adjusted}{p_equals(reading.pvalue_adjusted)}"
    if reading.measure == "improvement":
        often = f"a {pair.unit} of {pair.a} scores higher than one of {pair.b} {chances(reading.estimate, None, None)} of the time"
        alike = "" if reading.verdict != "no_difference_found" else ", which is no difference that was found"
        return f"Over {_tasks(pair)}, {often} ({p}){alike}."
    lead, words = lead_of(reading.measure, reading.estimate), measure_words(reading.measure)
    size = digits(abs(reading.estimate))
    first, second = (pair.a, pair.b) if lead >= 0 else (pair.b, pair.a)
    if reading.verdict == "no_difference_found":
        noun = differences_words(reading.measure, binary=pair.rates)
        return f"No difference between {pair.a} and {pair.b} was found by the {words} ({noun} {size}, {p})."
    more = "lower" if reading.measure in LOWER_IS_BETTER else "higher"
    return (
        f"By the {words} {first} scores better than {second}: its {words} is {size} {more} over {_tasks(pair)} ({p})."
    )


def _tasks(pair: Pair) -> str:
    return "one task" if pair.n_tasks == 1 else f"{pair.n_tasks} tasks"


def score_words(answers: Answers) -> str:
    """Return what a score is and what was done to it; "" where the data do not tell."""
    return answers.scores.provenance.score_words(answers.nouns.run)


def clauses(texts: Iterable[str]) -> str:
    """Return clauses as one sentence, "" of none.

    >>> clauses(["3 of 20 runs are left out", "scores were negated"])
    '3 of 20 runs are left out; scores were negated.'
    """
    sentence = "; ".join(texts)
    return f"{capital(sentence)}." if sentence else ""


def formats_words(formats: Iterable[str]) -> str:
    """Return how figures come in the formats that they were not written in, "" where they have all.

    >>> from runoff.words.speech import in_python
    >>> formats_words(["svg", "pdf", "png"]), in_python(formats_words([]))
    ('', "Figures for a paper are drawn when they are asked for: figures='pdf'.")
    """
    given = set(formats)
    if not given:
        return f"Figures for a paper are drawn when they are asked for: {option('figures', 'pdf')}."
    kinds = (" and ".join(kind.upper() for kind in FORMATS if (kind in given) is there) for there in (True, False))
    written, missing = kinds
    return f"Figures are {written}; {option('figures', 'all')} gives {missing} too." if missing else ""
